//! `POST` and `DELETE /admin/shows/{id}/blocks`: seats that staff take off sale, and put back.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::post;
use boxoffice::booking::StaffNote;
use boxoffice::layout::SeatAsk;
use boxoffice::service::BlockRequest;
use boxoffice::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::bookings::answer;
use crate::app::AppState;
use crate::http::extract::{PathId, Sent};
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/admin/shows/{id}/blocks", post(block).delete(unblock))
        .route("/admin/shows/{programme}/{date}/{time}/blocks", post(block).delete(unblock))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `seats`, `reason` and perhaps `until`")]
struct Block {
    /// Labels or ids.
    seats: Vec<String>,
    reason: String,
    /// An instant with its offset at which the block ends by itself.
    until: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `seats` and perhaps `reason`")]
struct Unblock {
    seats: Vec<String>,
    #[serde(default)]
    reason: String,
}

#[derive(Debug, Serialize)]
struct BlocksView {
    show: String,
    seats: Vec<String>,
    status: &'static str,
    reason: String,
    until: Option<String>,
}

async fn block(
    State(state): State<AppState>,
    id: PathId,
    Sent { caller, body, key }: Sent<Block>,
) -> Result<Response, Problem> {
    let by = caller.must_manage()?.id.clone();
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
    let request =
        BlockRequest { show: id.catalogue_id("show")?, seats: asks(body.seats), until, note: StaffNote { reason, by } };
    let done = state.office.block(request, key).await?;
    Ok(answer(StatusCode::CREATED, view, done.replayed))
}

async fn unblock(
    State(state): State<AppState>,
    id: PathId,
    Sent { caller, body, .. }: Sent<Unblock>,
) -> Result<Response, Problem> {
    let by = caller.must_manage()?.id.clone();
    let reason = checked(body.reason)?;
    let view = BlocksView {
        show: id.0.clone(),
        seats: body.seats.clone(),
        status: "available",
        reason: reason.clone(),
        until: None,
    };
    let note = StaffNote { reason, by };
    let request = BlockRequest { show: id.catalogue_id("show")?, seats: asks(body.seats), until: None, note };
    state.office.unblock(request).await?;
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
