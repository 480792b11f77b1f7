//! `GET /shows/{id}/seats`: the seat map, with a strong ETag.

use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::AppState;
use crate::http::extract::PathId;
use crate::http::openapi::params::ShowPath;
use crate::http::problem::Problem;
use crate::http::seat_maps::SeatsView;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(read)).route("/api/v1/shows/{programme}/{date}/{time}/seats", get(read))
}

/// The seats of a show
///
/// The strong `ETag` changes when any seat does, by a hold that ends as well: ask again with `If-None-Match`.
#[utoipa::path(
    get,
    path = "/api/v1/shows/{id}/seats",
    operation_id = "read_seats",
    tag = "catalogue",
    params(
        ShowPath,
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the seats that are known already."),
    ),
    responses(
        (status = 200, description = "The seats.", body = SeatsView<'static>,
            headers(("ETag" = String, description = "Names this state of the seats."))),
        (status = 304, description = "Nothing has changed.",
            headers(("ETag" = String, description = "As it was sent."))),
    )
)]
async fn read(State(state): State<AppState>, id: PathId, request: Request) -> Result<Response, Problem> {
    let map = state.seat_maps.now(state.store(), &id.catalogue_id("show")?).await?;
    map.answer(request.headers())
}
