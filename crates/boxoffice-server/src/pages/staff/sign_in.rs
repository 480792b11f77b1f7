//! Signing in with a key, signing out, and the page that leads on.

use askama::Template;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use boxoffice::time::Span;

use super::{SESSION, signed_in, with_cookie};
use crate::app::AppState;
use crate::auth::{Role, StaffKey, staff};
use crate::form::Fields;
use crate::http::Problem;
use crate::http::extract::{BODY_MAX_BYTES, read_body};
use crate::pages::shell::{self, Shell};
use crate::serve::Peer;

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/staff", get(read))
        .route("/staff/sign-in", post(sign_in))
        .route("/staff/sign-out", post(sign_out))
}

/// A working day.
const SESSION_LASTS: Span = Span::from_mins(12 * 60);

#[derive(Template)]
#[template(path = "staff/sign_in.html")]
struct SignIn {
    shell: Shell,
    error: &'static str,
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
}

/// A page of the staff's.
struct Place {
    href: &'static str,
    title: &'static str,
    about: &'static str,
    may: fn(Role) -> bool,
}

const PLACES: [Place; 1] = [Place {
    href: "/staff/door",
    title: "The door",
    about: "Scan tickets with a phone or a reader, with or without a network.",
    may: |_| true,
}];

async fn read(State(state): State<AppState>, headers: HeaderMap) -> Result<Response, Problem> {
    let response = match signed_in(&state, &headers).await? {
        Some(key) => shell::page(&home(&state, &key)),
        None => shell::page(&SignIn { shell: Shell::new(&state), error: "" }),
    };
    response.map(shell::private)
}

fn home(state: &AppState, key: &StaffKey) -> Home {
    let place = key.screen.as_ref().map(|id| format!("for the door of {id}"));
    let place = place.or_else(|| key.theatre.as_ref().map(|id| format!("for the doors of {id}")));
    Home {
        shell: Shell::new(state),
        name: key.name.clone(),
        role: key.role.as_str(),
        place: place.unwrap_or_default(),
        links: PLACES.iter().filter(|place| (place.may)(key.role)).collect(),
    }
}

async fn sign_in(State(state): State<AppState>, request: Request) -> Result<Response, Problem> {
    let peer = request.extensions().get::<Peer>().copied().unwrap_or_default();
    let body = read_body(&state, request, BODY_MAX_BYTES).await?;
    let now = state.store().now();
    if let Some(wait) = state.guesses.wait(peer.0, now) {
        return Err(Problem::TooManyRequests { wait });
    }
    let fields = Fields::read(&body);
    let Some(key) = staff::check(state.store(), fields.one("key").unwrap_or_default()).await? else {
        state.guesses.note_wrong(peer.0, now);
        let error = "This key is not in force here. Paste the whole key, which begins with bo_live_.";
        let page = SignIn { shell: Shell::new(&state), error };
        return shell::page_with(StatusCode::UNAUTHORIZED, &page).map(shell::private);
    };
    let session = state.sessions.start(&key.id, now + SESSION_LASTS);
    let response = shell::private(Redirect::to("/staff").into_response());
    Ok(with_cookie(&state, SESSION, &session, SESSION_LASTS.as_ms() / 1_000, response))
}

async fn sign_out(State(state): State<AppState>) -> Response {
    let response = shell::private(Redirect::to("/staff").into_response());
    with_cookie(&state, SESSION, "", 0, response)
}
