//! Routes under `/test`: set the clock, see what the sandbox did. They exist only in a server
//! that was started with `--test-clock`.

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use boxoffice::store::ClockChange;
use boxoffice::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::extract::{PathId, Sent};
use super::paging::Page;
use super::{Problem, outbox};
use crate::app::AppState;
use crate::gateways::sandbox::{EventView, Faults, PaymentView, RefundView, Sandbox};

pub fn router(state: &AppState) -> Router<AppState> {
    if !state.site.test_clock {
        return Router::new();
    }
    Router::new()
        .route("/test/clock", get(read_clock).post(set_clock))
        .route("/test/outbox", get(outbox::list))
        .route("/test/sandbox/payments", get(payments))
        .route("/test/sandbox/refunds", get(refunds))
        .route("/test/sandbox/events/{id}/redeliver", post(redeliver))
        .route("/test/sandbox/faults", post(set_faults))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `set` or `advance_s`, and perhaps `freeze`")]
struct SetClock {
    /// An instant with its offset.
    set: Option<String>,
    /// Seconds, fractions to the millisecond.
    advance_s: Option<f64>,
    /// The clock stands still there until the next call.
    #[serde(default)]
    freeze: bool,
}

#[derive(Debug, Serialize)]
struct ClockView {
    now: String,
}

impl From<Timestamp> for ClockView {
    fn from(now: Timestamp) -> Self {
        Self { now: now.to_string() }
    }
}

async fn read_clock(State(state): State<AppState>) -> Json<ClockView> {
    Json(state.store().now().into())
}

async fn set_clock(
    State(state): State<AppState>,
    Sent { body, .. }: Sent<SetClock>,
) -> Result<Json<ClockView>, Problem> {
    let freeze = body.freeze;
    let change = match (body.set, body.advance_s) {
        (Some(set), None) => {
            let to = set.parse().map_err(|e| Problem::invalid("/set", format!("`set` is {e}.")))?;
            ClockChange::Set { to, freeze }
        }
        (None, Some(seconds)) => ClockChange::Advance { by_ms: milliseconds(seconds)?, freeze },
        (None, None) if freeze => ClockChange::Advance { by_ms: 0, freeze },
        (None, None) | (Some(_), Some(_)) => {
            return Err(Problem::invalid("", "Say either `set` with an instant or `advance_s` with seconds."));
        }
    };
    Ok(Json(state.store().set_clock(change).await?.into()))
}

/// A thousand years at most: beyond that a slip is likelier than a wish.
const ADVANCE_MAX_S: f64 = 31_557_600_000.0;

fn milliseconds(seconds: f64) -> Result<i64, Problem> {
    if !seconds.is_finite() || seconds.abs() > ADVANCE_MAX_S {
        return Err(Problem::invalid("/advance_s", "`advance_s` is a number of seconds."));
    }
    Ok((seconds * 1_000.0).round() as i64)
}

async fn payments(State(state): State<AppState>) -> Result<Json<Page<PaymentView>>, Problem> {
    Ok(Json(Page { items: sandbox(&state)?.payments().await?, next_cursor: None }))
}

async fn refunds(State(state): State<AppState>) -> Result<Json<Page<RefundView>>, Problem> {
    Ok(Json(Page { items: sandbox(&state)?.refunds().await?, next_cursor: None }))
}

/// Sends the event now and answers how it stands then.
async fn redeliver(State(state): State<AppState>, event: PathId) -> Result<Json<EventView>, Problem> {
    let sandbox = sandbox(&state)?;
    let is_known = sandbox.redeliver(&event.0).await?;
    let events = sandbox.payments().await?.into_iter().flat_map(|payment| payment.events);
    let sent = events.filter(|_| is_known).find(|sent| sent.id == event.0);
    sent.map(Json).ok_or(Problem::not_found("event"))
}

/// Lets the sandbox's next calls fail, before or after they do their work.
async fn set_faults(State(state): State<AppState>, Sent { body, .. }: Sent<Faults>) -> Result<StatusCode, Problem> {
    sandbox(&state)?.set_faults(body).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn sandbox(state: &AppState) -> Result<&Sandbox, Problem> {
    state.gateways.sandbox().map(|sandbox| &**sandbox).ok_or(Problem::not_found("sandbox"))
}
