//! `GET /admin/shows/{id}/door-list.pdf`: who sits where, on paper.

use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::AppState;
use crate::door::list;
use crate::http::caller::Caller;
use crate::http::extract::PathId;
use crate::http::files;
use crate::http::openapi::params::ShowPath;
use crate::http::problem::Problem;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(print))
        .route("/admin/shows/{programme}/{date}/{time}/door-list.pdf", get(print))
}

/// The tickets of a show to print, by seat
///
/// For a door whose phones, network or power are out: a box to tick for each ticket, with the name and the end of the
/// code. Any staff key that works for the show may have it.
#[utoipa::path(
    get,
    path = "/admin/shows/{id}/door-list.pdf",
    operation_id = "print_door_list",
    tag = "staff: shows",
    security(("staff_key" = [])),
    params(ShowPath),
    responses((status = 200, description = "Pages of A4.", content_type = "application/pdf")),
    extensions(("x-problems" = json!(["forbidden"])))
)]
async fn print(State(state): State<AppState>, caller: Caller, id: PathId) -> Result<Response, Problem> {
    let show = list::show(&state, caller.must_be_staff()?, &id.0).await?;
    files::door_list_pdf(&state, &show).await
}
