//! The routes of the server.

use axum::Router;

use crate::app::AppState;
use crate::{gateways, pages};

pub mod api;
pub mod around;
pub mod caller;
pub mod client;
pub mod compression;
pub mod conditional;
pub mod cors;
pub mod extract;
pub mod files;
pub mod health;
pub mod idempotency;
pub mod json;
pub mod openapi;
pub mod outbox;
pub mod paging;
pub mod problem;
pub mod problem_docs;
pub mod request_id;
pub mod seat_maps;
pub mod test_mode;

pub use problem::Problem;

/// Everything the server answers.
pub fn router(state: AppState) -> Router {
    let documented: Router<AppState> = openapi::documented().into();
    let routes = Router::new()
        .merge(cors::around(documented, &state.site.cors))
        .merge(openapi::router().layer(compression::layer()))
        .merge(problem_docs::router().layer(compression::layer()))
        .merge(pages::router().layer(compression::layer()))
        .merge(gateways::router())
        .merge(test_mode::router(&state))
        .fallback(async || Problem::NoSuchAddress)
        .method_not_allowed_fallback(async || Problem::MethodNotAllowed);
    dressed(routes, state)
}

/// Routes with what stands around each of them.
pub fn dressed(routes: Router<AppState>, state: AppState) -> Router {
    routes.layer(around::Layer(state.clone())).with_state(state)
}
