//! The routes of the server and the layers around all of them.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use tower_http::catch_panic::CatchPanicLayer;

use crate::app::AppState;
use crate::{gateways, pages};

pub mod api;
pub mod caller;
pub mod extract;
pub mod health;
pub mod idempotency;
pub mod json;
pub mod outbox;
pub mod paging;
pub mod problem;
pub mod problem_docs;
pub mod request_id;
pub mod test_mode;
pub mod ticket_files;

pub use problem::Problem;

/// Everything the server answers. The layer named last is the outermost.
pub fn router(state: AppState) -> Router {
    Router::new()
        .merge(health::router())
        .merge(problem_docs::router())
        .merge(api::router())
        .merge(pages::router())
        .merge(gateways::router())
        .merge(test_mode::router(&state))
        .fallback(async || Problem::NoSuchAddress)
        .method_not_allowed_fallback(async || Problem::MethodNotAllowed)
        .layer(from_fn_with_state(state.clone(), nudge_jobs))
        .layer(CatchPanicLayer::custom(problem::of_panic))
        .layer(from_fn_with_state(state.clone(), problem::render))
        .layer(from_fn(guard))
        .layer(from_fn_with_state(state.clone(), request_id::identify))
        .with_state(state)
}

/// Wakes the jobs after a request that changed something.
async fn nudge_jobs(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let response = next.run(request).await;
    if !reads && !response.status().is_client_error() {
        state.nudge.notify_one();
    }
    response
}

/// What every answer tells the browser: load nothing from elsewhere, stand in no other site's
/// frame, guess no types, and tell no other site where the visitor came from.
const GUARDS: [(HeaderName, &str); 4] = [
    (
        HeaderName::from_static("content-security-policy"),
        "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; script-src 'self'; \
         connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (HeaderName::from_static("x-content-type-options"), "nosniff"),
    (HeaderName::from_static("referrer-policy"), "same-origin"),
    (HeaderName::from_static("x-frame-options"), "DENY"),
];

/// A layer: adds the guards, unless a handler has set its own.
async fn guard(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in GUARDS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
