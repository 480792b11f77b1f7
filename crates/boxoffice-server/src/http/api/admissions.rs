//! `POST /admissions`, and what doors need to work without a network.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use jiff::civil::Date;
use serde::Deserialize;

use super::bookings::answer;
use crate::app::AppState;
use crate::door::{self, Ask, batch, bundle, conflicts};
use crate::http::caller::Caller;
use crate::http::extract::{self, Params, Sent, read_body};
use crate::http::json;
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/admissions", post(admit))
        .route("/admissions/batch", post(take_in))
        .route("/admissions/conflicts", get(list_conflicts))
        .route("/admissions/bundle", get(make_bundle))
}

/// Room for a thousand scans.
pub const BATCH_MAX_BYTES: usize = 2 * 1024 * 1024;

async fn admit(State(state): State<AppState>, Sent { caller, body, key }: Sent<Ask>) -> Result<Response, Problem> {
    let staff = caller.must_be_staff()?;
    let (admitted, replayed) = door::admit(&state, staff, body, key).await?;
    Ok(answer(StatusCode::OK, admitted, replayed))
}

/// A batch is idempotent by the nonces of its scans, so that it needs no idempotency key.
async fn take_in(
    State(state): State<AppState>,
    caller: Caller,
    request: Request,
) -> Result<Json<batch::BatchView>, Problem> {
    let staff = caller.must_be_staff()?;
    let body = read_body(&state, request, BATCH_MAX_BYTES).await?;
    Ok(Json(batch::take_in(&state, staff, json::read(&body)?).await?))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConflictParams {
    show: String,
}

async fn list_conflicts(
    State(state): State<AppState>,
    caller: Caller,
    Params(params): Params<ConflictParams>,
) -> Result<Json<conflicts::ConflictsView>, Problem> {
    caller.must_be_staff()?;
    Ok(Json(conflicts::list(&state, &params.show).await?))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BundleParams {
    screen: Option<String>,
    /// A business day; today if it is not given.
    #[serde(default, deserialize_with = "extract::day")]
    date: Option<Date>,
}

async fn make_bundle(
    State(state): State<AppState>,
    caller: Caller,
    Params(params): Params<BundleParams>,
) -> Result<Json<bundle::Bundle>, Problem> {
    let staff = caller.must_be_staff()?;
    Ok(Json(bundle::make(&state, staff, params.screen.as_deref(), params.date).await?))
}
