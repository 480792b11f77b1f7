//! Signing in with a password or a key, signing out, and the page that leads on.

use askama::Template;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::{GUESSES_MAX, SESSION, SESSION_LASTS, manages_all, signed_in, with_cookie};
use crate::app::AppState;
use crate::auth::{StaffKey, account, staff};
use crate::form::Fields;
use crate::http::Problem;
use crate::http::client::ClientAddress;
use crate::http::extract::{BODY_MAX_BYTES, Params, read_body};
use crate::pages::shell::{self, Shell};

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/staff", get(read))
        .route("/staff/sign-in", post(sign_in))
        .route("/staff/sign-out", post(sign_out))
}

#[derive(Template)]
#[template(path = "staff/sign_in.html")]
struct SignIn {
    shell: Shell,
    error: &'static str,
    /// A key was tried, and not a password.
    by_key: bool,
}

#[derive(Template)]
#[template(path = "staff/home.html")]
struct Home {
    shell: Shell,
    name: String,
    role: &'static str,
    /// Where the key works, if not everywhere.
    place: String,
    links: Vec<&'static Place>,
    /// A new password was set a moment ago.
    new_password: bool,
}

/// A page of the staff's.
struct Place {
    href: &'static str,
    title: &'static str,
    about: &'static str,
    may: fn(&StaffKey) -> bool,
}

const PLACES: [Place; 4] = [
    Place {
        href: "/staff/door",
        title: "The door",
        about: "Scan tickets with a phone or a reader, with or without a network, or print the list.",
        may: |_| true,
    },
    Place { href: "/staff/log", title: "What staff did", about: "Day by day: who did what to what.", may: manages_all },
    Place {
        href: "/staff/erasures",
        title: "Forget a customer",
        about: "When somebody asks that their data be deleted.",
        may: manages_all,
    },
    Place {
        href: "/staff/password",
        title: "Your password",
        about: "Choose a new one; other devices are signed out.",
        may: |key| key.password().is_some(),
    },
];

#[derive(Debug, Deserialize)]
struct HomeParams {
    said: Option<String>,
}

async fn read(
    State(state): State<AppState>,
    Params(params): Params<HomeParams>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let response = match signed_in(&state, &headers).await? {
        Some(key) => shell::page(&home(&state, &key, params.said.as_deref())),
        None => shell::page(&SignIn { shell: Shell::new(&state), error: "", by_key: false }),
    };
    response.map(shell::private)
}

fn home(state: &AppState, key: &StaffKey, said: Option<&str>) -> Home {
    let place = key.screen.as_ref().map(|id| format!("for {id}"));
    let place = place.or_else(|| key.theatre.as_ref().map(|id| format!("for {id}")));
    Home {
        shell: Shell::new(state),
        name: key.name.clone(),
        role: key.role.as_str(),
        place: place.unwrap_or_default(),
        links: PLACES.iter().filter(|place| (place.may)(key)).collect(),
        new_password: said == Some("password"),
    }
}

async fn sign_in(State(state): State<AppState>, request: Request) -> Result<Response, Problem> {
    let client = ClientAddress::of(&state, &request);
    let body = read_body(&state, request, BODY_MAX_BYTES).await?;
    let now = state.store().now();
    if let Some(wait) = state.guesses.wait(client.0, GUESSES_MAX, now) {
        return Err(Problem::TooManyRequests { wait });
    }
    let fields = Fields::read(&body);
    let (proved, error) = prove(&state, &fields).await?;
    let Some(key) = proved else {
        state.guesses.note_wrong(client.0, now);
        let page = SignIn { shell: Shell::new(&state), error, by_key: fields.one("login").is_none() };
        return shell::page_with(StatusCode::UNAUTHORIZED, &page).map(shell::private);
    };
    state.key_uses.note(state.store(), &key.id, now).await;
    let session = state.sessions.start(&key.id, now + SESSION_LASTS);
    let response = shell::private(Redirect::to("/staff").into_response());
    Ok(with_cookie(&state, SESSION, &session, SESSION_LASTS.as_ms() / 1_000, response))
}

/// Who signs in, by password or by key, and what to say if nobody does.
async fn prove(state: &AppState, fields: &Fields) -> Result<(Option<StaffKey>, &'static str), Problem> {
    let field = |name: &str| fields.one(name).unwrap_or_default().trim();
    if field("login").is_empty() {
        let error = "This key is not in force here. Paste the whole key, which begins with bo_live_.";
        return Ok((staff::check(state.store(), field("key")).await?, error));
    }
    let account = account::check(state.store(), field("login"), fields.exactly("password")).await?;
    Ok((account, "Name or password is wrong. Whoever runs the cinema can set a new password."))
}

async fn sign_out(State(state): State<AppState>) -> Response {
    let response = shell::private(Redirect::to("/staff").into_response());
    with_cookie(&state, SESSION, "", 0, response)
}
