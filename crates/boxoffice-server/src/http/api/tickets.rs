//! `GET /bookings/{id}/tickets`: the codes that open the door.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use boxoffice::booking::VoidReason;
use serde::Serialize;

use super::bookings::answer;
use crate::app::AppState;
use crate::http::caller::Caller;
use crate::http::extract::PathId;
use crate::http::paging::Page;
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    Router::new().route("/bookings/{id}/tickets", get(list))
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct TicketView {
    id: String,
    /// The seat's label.
    seat: String,
    ticket_type: String,
    status: &'static str,
    void_reason: Option<VoidReason>,
    /// What the QR square holds.
    code: String,
    /// Null until tickets are printed as PDF.
    pdf_url: Option<String>,
    /// Null until there are calendar files.
    ics_url: Option<String>,
}

async fn list(State(state): State<AppState>, caller: Caller, id: PathId) -> Result<Response, Problem> {
    let booking = state.office.booking(caller.open(&id.0)?).await?;
    let tickets = booking.tickets.iter().map(|ticket| TicketView {
        id: ticket.id.to_string(),
        seat: ticket.label.clone(),
        ticket_type: ticket.ticket_type.clone(),
        status: ticket.status.as_str(),
        void_reason: ticket.void_reason,
        code: state.tickets.code(&booking, ticket),
        pdf_url: None,
        ics_url: None,
    });
    Ok(answer(StatusCode::OK, Page { items: tickets.collect(), next_cursor: None }, false))
}
