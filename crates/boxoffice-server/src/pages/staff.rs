//! The pages of the staff: signing in with a password or a key, where each role can go, and the door.

use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use boxoffice::time::Span;

use super::shell;
use crate::app::AppState;
use crate::auth::{StaffKey, staff};
use crate::http::Problem;

pub mod door;
pub mod erasing;
pub mod log;
pub mod password;
pub mod result;
pub mod sign_in;

pub fn router() -> Router<AppState> {
    Router::new()
        .merge(sign_in::router())
        .merge(door::router())
        .merge(password::router())
        .merge(log::router())
        .merge(erasing::router())
}

/// Wrong passwords and keys of one address in a minute. Passwords are what people think of, so
/// that this holds in test mode too, and whatever the configuration says.
const GUESSES_MAX: u32 = 20;

/// The cookie that carries the session.
const SESSION: &str = "bo_staff";

/// A working day.
const SESSION_LASTS: Span = Span::from_mins(12 * 60);

/// Whoever is signed in. Others are led to the sign-in page; a script is told so.
#[derive(Debug, Clone)]
pub struct Staff(pub StaffKey);

impl FromRequestParts<AppState> for Staff {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Response> {
        match signed_in(state, &parts.headers).await {
            Ok(Some(key)) => Ok(Self(key)),
            Ok(None) if wants_json(&parts.headers) => Err(Problem::Unauthorized.into_response()),
            Ok(None) => Err(shell::private(Redirect::to("/staff").into_response())),
            Err(problem) => Err(problem.into_response()),
        }
    }
}

/// Whether a key may do what concerns the whole chain.
fn manages_all(key: &StaffKey) -> bool {
    key.role.manages() && key.covers_all()
}

/// # Errors
/// [`Problem::Forbidden`], if the key is another role's or bound to a place.
fn must_manage_all(key: &StaffKey) -> Result<(), Problem> {
    if manages_all(key) { Ok(()) } else { Err(Problem::Forbidden) }
}

/// Whether a script asks, and not a person who opened the page.
#[must_use]
pub fn wants_json(headers: &HeaderMap) -> bool {
    headers.get(header::ACCEPT).is_some_and(|accept| accept == "application/json")
}

/// The key that this browser signed in with, if the session lasts and the key is in force.
async fn signed_in(state: &AppState, headers: &HeaderMap) -> Result<Option<StaffKey>, Problem> {
    let jar = CookieJar::from_headers(headers);
    let session = jar.get(SESSION).map(Cookie::value).unwrap_or_default();
    let Some((id, ends_at)) = state.sessions.open(session, state.store().now()) else { return Ok(None) };
    let began_at = ends_at - SESSION_LASTS;
    let key = staff::in_force(state.store(), id).await?;
    Ok(key.filter(|key| key.password().is_none_or(|password| password.lets_in(began_at))))
}

/// Sets a cookie of the staff pages, or takes it away with `max_age_s` 0. No script reads it and no
/// other site's request carries it.
#[must_use]
fn with_cookie(state: &AppState, name: &str, value: &str, max_age_s: i64, mut response: Response) -> Response {
    let cookie = Cookie::build((name, value))
        .path("/staff")
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(state.site.base_url.starts_with("https:"))
        .build();
    if let Ok(value) = HeaderValue::from_str(&format!("{cookie}; Max-Age={max_age_s}")) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
    response
}
