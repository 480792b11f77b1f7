//! `GET /shows/{id}/seats`: the seat map, with a strong ETag.

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::get;

use crate::app::AppState;
use crate::http::extract::PathId;
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    Router::new().route("/shows/{id}/seats", get(read)).route("/shows/{programme}/{date}/{time}/seats", get(read))
}

async fn read(State(state): State<AppState>, id: PathId, request: Request) -> Result<Response, Problem> {
    let map = state.seat_maps.now(state.store(), &id.catalogue_id("show")?).await?;
    map.answer(request.headers())
}
