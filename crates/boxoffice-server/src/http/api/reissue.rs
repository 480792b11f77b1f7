//! `POST /bookings/{id}/tickets/{ticket}/reissue`: a new code for a ticket that is handed on or was
//! lost. The old code is void from then on.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::post;
use boxoffice::command::{Command, Reissue, Step};
use boxoffice::id::{BookingId, TicketId};
use boxoffice::store::StoreError;
use serde::Deserialize;

use super::bookings::answer;
use super::customer::CustomerInput;
use super::tickets;
use crate::app::AppState;
use crate::http::extract::{PathId, Sent};
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    Router::new().route("/bookings/{id}/tickets/{ticket}/reissue", post(reissue))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object, perhaps with `name`")]
struct ReissueTicket {
    /// Whom the ticket is handed on to.
    name: Option<String>,
}

async fn reissue(
    State(state): State<AppState>,
    path: PathId,
    Sent { caller, body, key }: Sent<ReissueTicket>,
) -> Result<Response, Problem> {
    let (id, ticket) = path.0.split_once('/').unwrap_or((&path.0, ""));
    let booking = caller.open(id)?;
    let ticket = ticket_no(booking, ticket).ok_or_else(|| Problem::not_found("ticket"))?;
    let holder = CustomerInput { name: body.name, ..CustomerInput::default() }.checked("")?.name;
    let command = Command::Reissue(Reissue { booking, ticket, holder });
    let done = state.store().execute(Step { command, idempotency: key }).await?;
    let booking = done.outcome.booking.ok_or_else(|| StoreError::Bug("a ticket without its booking".into()))?;
    let ticket = booking.ticket(ticket).ok_or_else(|| StoreError::Bug("a reissue without its ticket".into()))?;
    Ok(answer(StatusCode::OK, tickets::view(&state, &booking, ticket), done.replayed))
}

/// The ticket's number within the booking, from its id or the number alone.
fn ticket_no(booking: BookingId, text: &str) -> Option<u16> {
    let id: Option<TicketId> = text.parse().ok();
    match id {
        Some(id) => (id.booking == booking).then_some(id.no),
        None => text.parse().ok(),
    }
}
