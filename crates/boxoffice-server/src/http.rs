//! The routes of the server and the layers around all of them.

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;

use crate::app::AppState;
use crate::{gateways, pages};

pub mod problem;
pub mod request_id;

pub use problem::Problem;

/// Everything the server answers.
pub fn router(state: AppState) -> Router {
    Router::new()
        .route("/healthz", get(async || "ok"))
        .merge(pages::router())
        .merge(gateways::router())
        .fallback(async || Problem::not_found("page"))
        .method_not_allowed_fallback(async || Problem::MethodNotAllowed)
        .layer(from_fn(problem::render))
        .layer(from_fn_with_state(state.clone(), request_id::identify))
        .with_state(state)
}
