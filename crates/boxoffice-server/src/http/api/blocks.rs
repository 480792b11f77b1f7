//! `POST` and `DELETE /admin/shows/{id}/blocks`: seats that staff take off sale, and put back.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::post;
use boxoffice::booking::StaffNote;
use boxoffice::layout::SeatAsk;
use boxoffice::service::BlockRequest;
use boxoffice::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::bookings::answer;
use crate::app::AppState;
use crate::http::extract::{PathId, Sent};
use crate::http::openapi::params::{IdempotencyKey, ShowPath};
use crate::http::openapi::words;
use crate::http::problem::Problem;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(block, unblock))
        .route("/admin/shows/{programme}/{date}/{time}/blocks", post(block).delete(unblock))
}

/// Seats to take off sale.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = BlockSeats)]
#[serde(deny_unknown_fields, expecting = "an object with `seats`, `reason` and perhaps `until`")]
struct Block {
    /// Labels or ids.
    seats: Vec<String>,
    /// Why, for colleagues.
    #[schema(min_length = 1, max_length = 500, pattern = r"\S")]
    reason: String,
    /// An instant with its offset at which the block ends by itself.
    #[schema(format = DateTime)]
    until: Option<String>,
}

/// Seats to put back on sale.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = UnblockSeats)]
#[serde(deny_unknown_fields, expecting = "an object with `seats` and perhaps `reason`")]
struct Unblock {
    /// Labels or ids.
    seats: Vec<String>,
    #[serde(default)]
    #[schema(max_length = 500)]
    reason: String,
}

/// Seats of a show that were taken off sale, or put back.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Blocks)]
struct BlocksView {
    /// The show's id.
    show: String,
    /// As they were named.
    seats: Vec<String>,
    #[schema(value_type = words::SeatStatus)]
    status: &'static str,
    reason: String,
    /// When the block ends by itself; null: staff end it.
    #[schema(format = DateTime)]
    until: Option<String>,
}

/// Takes seats off sale
///
/// All of them or none; only seats that are free.
#[utoipa::path(
    post,
    path = "/admin/shows/{id}/blocks",
    operation_id = "block_seats",
    tag = "staff: shows",
    security(("staff_key" = [])),
    params(ShowPath, IdempotencyKey),
    request_body(content = Block, examples(
        ("A broken seat" = (value = json!({ "seats": ["K1"], "reason": "The seat is broken." }))),
        ("Until an hour before" = (value = json!({
            "seats": ["K11", "K12"], "reason": "For the director's guests.", "until": "2027-06-12T19:00:00+02:00"
        }))),
    )),
    responses((status = 201, description = "The seats are blocked.", body = BlocksView, headers(
        ("Idempotency-Replayed" = String, description = "`true`: this answer was given before."),
    ))),
    extensions(("x-problems" = json!([
        "forbidden", "unknown-seats", "ambiguous-seats", "duplicate-seats", "no-seats", "seats-unavailable", "layout-changed"
    ])))
)]
async fn block(
    State(state): State<AppState>,
    id: PathId,
    Sent { caller, body, key }: Sent<Block>,
) -> Result<Response, Problem> {
    caller.must_manage()?;
    let show = id.catalogue_id("show")?;
    let by = caller.must_manage_show(&state, &show).await?.id.clone();
    let reason = checked(body.reason)?;
    if reason.is_empty() {
        return Err(Problem::invalid("/reason", "Say why, so that colleagues know."));
    }
    let until = body.until.as_deref().map(|until| instant(&state, until)).transpose()?;
    let view = BlocksView {
        show: id.0.clone(),
        seats: body.seats.clone(),
        status: "blocked",
        reason: reason.clone(),
        until: until.map(|until| until.to_string()),
    };
    let request = BlockRequest { show, seats: asks(body.seats), until, note: StaffNote { reason, by } };
    let done = state.office.on_behalf_of(caller.by()).block(request, key).await?;
    Ok(answer(StatusCode::CREATED, view, done.replayed))
}

/// Puts seats back on sale
#[utoipa::path(
    delete,
    path = "/admin/shows/{id}/blocks",
    operation_id = "unblock_seats",
    tag = "staff: shows",
    security(("staff_key" = [])),
    params(ShowPath),
    request_body(content = Unblock, examples(("It is mended" = (value = json!({ "seats": ["K1"] }))))),
    responses((status = 200, description = "The seats are on sale.", body = BlocksView)),
    extensions(("x-problems" = json!([
        "forbidden", "unknown-seats", "ambiguous-seats", "duplicate-seats", "no-seats", "layout-changed"
    ])))
)]
async fn unblock(
    State(state): State<AppState>,
    id: PathId,
    Sent { caller, body, .. }: Sent<Unblock>,
) -> Result<Response, Problem> {
    caller.must_manage()?;
    let show = id.catalogue_id("show")?;
    let by = caller.must_manage_show(&state, &show).await?.id.clone();
    let reason = checked(body.reason)?;
    let view = BlocksView {
        show: id.0.clone(),
        seats: body.seats.clone(),
        status: "available",
        reason: reason.clone(),
        until: None,
    };
    let note = StaffNote { reason, by };
    let request = BlockRequest { show, seats: asks(body.seats), until: None, note };
    state.office.on_behalf_of(caller.by()).unblock(request).await?;
    Ok(answer(StatusCode::OK, view, false))
}

fn asks(seats: Vec<String>) -> Vec<SeatAsk> {
    seats.into_iter().map(SeatAsk::Text).collect()
}

fn checked(reason: String) -> Result<String, Problem> {
    if reason.chars().count() > 500 {
        return Err(Problem::invalid("/reason", "A reason has at most 500 characters."));
    }
    Ok(reason.trim().to_owned())
}

fn instant(state: &AppState, text: &str) -> Result<Timestamp, Problem> {
    let until: Timestamp = text.parse().map_err(|e| Problem::invalid("/until", format!("`until` is {e}.")))?;
    if until <= state.store().now() {
        return Err(Problem::invalid("/until", "`until` lies in the past."));
    }
    Ok(until)
}
