//! `POST /admissions`, and what doors need to work without a network.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::civil::Date;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::bookings::answer;
use crate::app::AppState;
use crate::door::{self, Ask, batch, bundle, conflicts};
use crate::http::caller::Caller;
use crate::http::extract::{self, Params, Sent, read_body};
use crate::http::json;
use crate::http::openapi::params::IdempotencyKey;
use crate::http::problem::Problem;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(admit))
        .routes(routes!(take_in))
        .routes(routes!(list_conflicts))
        .routes(routes!(make_bundle))
}

/// Room for a thousand scans.
pub const BATCH_MAX_BYTES: usize = 2 * 1024 * 1024;

/// Lets in whoever carries a ticket
///
/// Once. The same code with the same `nonce` gets the same answer again. Doors open 30 minutes before the start and
/// close at the end of the film.
#[utoipa::path(
    post,
    path = "/admissions",
    operation_id = "admit",
    tag = "doors",
    security(("staff_key" = [])),
    params(IdempotencyKey),
    request_body(content = Ask, examples(("At a screen's door" = (value = json!({
        "code": "BO1.AAAA", "screen": "markt-1", "gate": "left", "nonce": "door-1-0017"
    }))))),
    responses((status = 200, description = "Let them in.", body = door::Admitted, headers(
        ("Idempotency-Replayed" = String, description = "`true`: this answer was given before."),
    ))),
    extensions(("x-problems" = json!([
        "forbidden", "not-a-ticket", "unknown-ticket", "ticket-void", "wrong-show", "too-early", "already-admitted",
        "payment-disputed", "show-cancelled"
    ])))
)]
async fn admit(State(state): State<AppState>, Sent { caller, body, key }: Sent<Ask>) -> Result<Response, Problem> {
    let staff = caller.must_be_staff()?;
    let (admitted, replayed) = door::admit(&state, staff, body, key).await?;
    Ok(answer(StatusCode::OK, admitted, replayed))
}

/// Takes in scans that a device made without a network
///
/// None is refused, and none is taken twice, however often and in whatever order devices send them: a scan is known by
/// its nonce, so that no idempotency key is needed. Up to 2 MiB.
#[utoipa::path(
    post,
    path = "/admissions/batch",
    operation_id = "take_in_scans",
    tag = "doors",
    security(("staff_key" = [])),
    request_body(content = batch::Batch, examples(("Two scans" = (value = json!({
        "device": "phone-3", "device_time": "2027-06-12T19:45:00+02:00", "scans": [
            { "code": "BO1.AAAA", "at": "2027-06-12T19:40:00+02:00", "nonce": "phone-3-1", "screen": "markt-1" },
            { "code": "BO1.BBBB", "at": "2027-06-12T19:41:00+02:00", "nonce": "phone-3-2", "gate": "left" }
        ]
    }))))),
    responses((status = 200, description = "What became of each.", body = batch::BatchView)),
)]
async fn take_in(
    State(state): State<AppState>,
    caller: Caller,
    request: Request,
) -> Result<Json<batch::BatchView>, Problem> {
    let staff = caller.must_be_staff()?;
    let body = read_body(&state, request, BATCH_MAX_BYTES).await?;
    Ok(Json(batch::take_in(&state, staff, json::read(&body)?).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct ConflictParams {
    /// The show's id.
    #[param(example = "show-1")]
    show: String,
}

/// What came out wrong at the doors of a show
#[utoipa::path(
    get,
    path = "/admissions/conflicts",
    operation_id = "list_conflicts",
    tag = "doors",
    security(("staff_key" = [])),
    params(ConflictParams),
    responses((status = 200, description = "All of it; `next_cursor` is null.", body = conflicts::ConflictsView)),
)]
async fn list_conflicts(
    State(state): State<AppState>,
    caller: Caller,
    Params(params): Params<ConflictParams>,
) -> Result<Json<conflicts::ConflictsView>, Problem> {
    caller.must_be_staff()?;
    Ok(Json(conflicts::list(&state, &params.show).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct BundleParams {
    /// The screen's id; without one, the screen that the key is bound to.
    #[param(example = "markt-1")]
    screen: Option<String>,
    /// A business day; today if it is not given.
    #[serde(default, deserialize_with = "extract::day")]
    #[param(value_type = Option<String>, format = Date, example = "2027-06-12")]
    date: Option<Date>,
}

/// What a device needs to check tickets without a network
#[utoipa::path(
    get,
    path = "/admissions/bundle",
    operation_id = "make_bundle",
    tag = "doors",
    security(("staff_key" = [])),
    params(BundleParams),
    responses((status = 200, description = "Keys, shows, and the tickets that are no good.", body = bundle::Bundle)),
    extensions(("x-problems" = json!(["forbidden"])))
)]
async fn make_bundle(
    State(state): State<AppState>,
    caller: Caller,
    Params(params): Params<BundleParams>,
) -> Result<Json<bundle::Bundle>, Problem> {
    let staff = caller.must_be_staff()?;
    Ok(Json(bundle::make(&state, staff, params.screen.as_deref(), params.date).await?))
}
