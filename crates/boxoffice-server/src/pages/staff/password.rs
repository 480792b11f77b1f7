//! A person of the staff chooses a new password. It needs the one before, so that a phone that was left lying does not
//! change hands, and ends every other session.

use askama::Template;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use boxoffice::action::Deed;

use super::{SESSION, SESSION_LASTS, Staff, with_cookie};
use crate::app::AppState;
use crate::auth::account::{self, AccountError, PASSWORD_MAX, PASSWORD_MIN};
use crate::form::Fields;
use crate::http::Problem;
use crate::http::client::ClientAddress;
use crate::http::extract::{BODY_MAX_BYTES, read_body};
use crate::pages::shell::{self, Shell};

pub fn router() -> Router<AppState> {
    Router::new().route("/staff/password", get(read).post(change))
}

#[derive(Template)]
#[template(path = "staff/password.html")]
struct Page {
    shell: Shell,
    /// For the browser's store of passwords.
    login: String,
    min: usize,
    max: usize,
    /// What is wrong with each field; empty: nothing.
    old_error: String,
    new_error: String,
    again_error: &'static str,
}

impl Page {
    fn new(state: &AppState, login: &str) -> Self {
        Self {
            shell: Shell::new(state),
            login: login.to_owned(),
            min: PASSWORD_MIN,
            max: PASSWORD_MAX,
            old_error: String::new(),
            new_error: String::new(),
            again_error: "",
        }
    }
}

async fn read(State(state): State<AppState>, Staff(key): Staff) -> Result<Response, Problem> {
    let Some(password) = key.password() else { return Err(Problem::Forbidden) };
    shell::page(&Page::new(&state, &password.login)).map(shell::private)
}

async fn change(State(state): State<AppState>, Staff(key): Staff, request: Request) -> Result<Response, Problem> {
    let Some(login) = key.password().map(|password| password.login.clone()) else { return Err(Problem::Forbidden) };
    let client = ClientAddress::of(&state, &request);
    let body = read_body(&state, request, BODY_MAX_BYTES).await?;
    let fields = Fields::read(&body);
    let [old, new, again] = ["old", "new", "again"].map(|name| fields.exactly(name));
    let now = state.store().now();
    if let Some(wait) = state.guesses.wait(client.0, super::GUESSES_MAX, now) {
        return Err(Problem::TooManyRequests { wait });
    }
    let mut page = Page::new(&state, &login);
    if account::check(state.store(), &login, old).await?.is_none() {
        state.guesses.note_wrong(client.0, now);
        page.old_error = "This is not the password that you signed in with.".to_owned();
    } else if new != again {
        page.again_error = "The two are not the same.";
    } else {
        match account::set_password(state.store(), &*state.entropy, &login, new).await {
            Ok(id) => return changed(&state, &id).await,
            Err(error @ AccountError::Password) => page.new_error = format!("{error}."),
            Err(AccountError::Store(error)) => return Err(error.into()),
            // It was revoked meanwhile.
            Err(AccountError::Login | AccountError::Taken(_) | AccountError::Unknown(_)) => {
                return Ok(shell::private(Redirect::to("/staff").into_response()));
            }
        }
    }
    shell::page_with(StatusCode::UNPROCESSABLE_ENTITY, &page).map(shell::private)
}

/// This browser stays signed in; all others are not.
async fn changed(state: &AppState, id: &str) -> Result<Response, Problem> {
    let deed = Deed { by: id.to_owned(), what: "set_password".to_owned(), booking: None, subject: id.to_owned() };
    state.store().note(deed).await?;
    let session = state.sessions.start(id, state.store().now() + SESSION_LASTS);
    let response = shell::private(Redirect::to("/staff?said=password").into_response());
    Ok(with_cookie(state, SESSION, &session, SESSION_LASTS.as_ms() / 1_000, response))
}
