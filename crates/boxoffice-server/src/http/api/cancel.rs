//! `POST /bookings/{id}/cancel`: a buyer gives a booking back, whole or by ticket.

use std::collections::BTreeSet;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use boxoffice::id::{BookingId, TicketId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::booking_view::{self, BookingView, CancellationQuote, CancellationView};
use super::bookings::{answer, booking_of};
use crate::app::AppState;
use crate::http::extract::{PathId, Sent};
use crate::http::openapi::params::{BookingPath, IdempotencyKey};
use crate::http::problem::Problem;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(cancel))
}

/// No booking has more tickets.
const TICKETS_MAX: usize = 1_000;
/// The longest reason that anybody may give, in characters.
const REASON_MAX: usize = 500;

/// What to give back.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object, perhaps with `tickets`, `dry_run` and `reason`")]
struct CancelBooking {
    /// Their ids. Default: all that is left of the booking.
    #[schema(min_items = 1, max_items = 1000)]
    tickets: Option<Vec<String>>,
    /// Only say what would come back.
    #[serde(default)]
    dry_run: bool,
    #[schema(max_length = 500)]
    reason: Option<String>,
}

/// A booking, and what of it goes back.
#[derive(Debug, Serialize, ToSchema)]
pub struct GivenBack<T> {
    #[serde(flatten)]
    pub booking: BookingView,
    pub refund: T,
}

/// What a cancellation answers, for the document.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "only described")]
#[serde(untagged)]
enum Cancelled {
    Done(GivenBack<CancellationView>),
    DryRun(GivenBack<CancellationQuote>),
}

/// Gives a booking back, whole or by ticket
///
/// What is not paid yet is freed at once. What is paid goes back by the refund policy of the hold. Sent again, the
/// first answer comes again.
#[utoipa::path(
    post,
    path = "/bookings/{id}/cancel",
    operation_id = "cancel_booking",
    tag = "bookings",
    security(("booking_token" = []), ("staff_key" = [])),
    params(BookingPath, IdempotencyKey),
    request_body(content = CancelBooking, examples(
        ("What would come back" = (value = json!({ "dry_run": true }))),
        ("All of it" = (value = json!({ "reason": "We are ill." }))),
    )),
    responses((status = 200, description = "The booking, and what goes back.", body = Cancelled)),
    extensions(("x-problems" = json!(["not-cancellable", "show-cancelled", "payment-disputed", "hold-expired"])))
)]
async fn cancel(
    State(state): State<AppState>,
    id: PathId,
    Sent { caller, body, key }: Sent<CancelBooking>,
) -> Result<Response, Problem> {
    let id = caller.open(&state, &id.0).await?;
    let reason = body.reason.map(reason).transpose()?;
    let tickets = body.tickets.map(|tickets| numbers(id, &tickets)).transpose()?;
    if body.dry_run {
        let refund = state.office.quote_cancellation(id, tickets).await?;
        let booking = state.office.booking(id).await?;
        let view = GivenBack {
            booking: booking_view::view(&booking, state.store().now()),
            refund: CancellationQuote { amount: refund.amount, kept: refund.kept },
        };
        return Ok(answer(StatusCode::OK, view, false));
    }
    let done = state.office.on_behalf_of(caller.by()).cancel(id, tickets, reason, key).await?;
    let booking = booking_of(&done)?;
    let cancellation = done.outcome.cancellation();
    let cancellation = cancellation.ok_or_else(|| Problem::Bug("a cancellation that answered none".into()))?;
    let view = GivenBack {
        refund: booking_view::cancellation(booking, cancellation),
        booking: booking_view::view(booking, done.outcome.at),
    };
    Ok(answer(StatusCode::OK, view, done.replayed))
}

/// # Errors
/// An invalid request if it is too long.
pub fn reason(text: String) -> Result<String, Problem> {
    let too_long = text.chars().count() > REASON_MAX;
    if too_long {
        return Err(Problem::invalid("/reason", format!("A reason has at most {REASON_MAX} characters.")));
    }
    Ok(text)
}

/// The numbers of a booking's tickets that are named by id.
///
/// # Errors
/// An invalid request for an empty list or a very long one; not found for what is no ticket of this booking.
pub fn numbers(booking: BookingId, ids: &[String]) -> Result<Vec<u16>, Problem> {
    if ids.is_empty() || ids.len() > TICKETS_MAX {
        return Err(Problem::invalid("/tickets", "Name at least one ticket by its id, or leave `tickets` out."));
    }
    let number = |id: &String| {
        let id: Option<TicketId> = id.trim().parse().ok();
        id.filter(|id| id.booking == booking).map(|id| id.no).ok_or(Problem::not_found("ticket"))
    };
    Ok(ids.iter().map(number).collect::<Result<BTreeSet<_>, _>>()?.into_iter().collect())
}
