//! `GET /bookings/{id}/tickets`: the codes that open the door, and the files they come in.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use boxoffice::booking::{Booking, Ticket, VoidReason};
use serde::Serialize;

use super::bookings::answer;
use crate::app::AppState;
use crate::http::caller::Caller;
use crate::http::extract::PathId;
use crate::http::paging::Page;
use crate::http::problem::Problem;
use crate::http::ticket_files;

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/bookings/{id}/tickets", get(list))
        .route("/bookings/{id}/tickets.pdf", get(pdf))
        .route("/bookings/{id}/tickets.ics", get(ics))
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct TicketView {
    id: String,
    /// The seat's label.
    seat: String,
    ticket_type: String,
    /// Whom it was handed on to.
    name: Option<String>,
    status: &'static str,
    void_reason: Option<VoidReason>,
    /// What the QR square holds.
    code: String,
    /// All tickets of the booking as one PDF, opened as this list is.
    pdf_url: String,
    /// The booking as a calendar file, opened as this list is.
    ics_url: String,
}

async fn list(State(state): State<AppState>, caller: Caller, id: PathId) -> Result<Response, Problem> {
    let booking = state.office.booking(caller.open(&id.0)?).await?;
    let items = booking.tickets.iter().map(|ticket| view(&state, &booking, ticket)).collect();
    Ok(answer(StatusCode::OK, Page { items, next_cursor: None }, false))
}

pub(super) fn view(state: &AppState, booking: &Booking, ticket: &Ticket) -> TicketView {
    TicketView {
        id: ticket.id.to_string(),
        seat: ticket.label.clone(),
        ticket_type: ticket.ticket_type.clone(),
        name: ticket.holder.clone(),
        status: ticket.status.as_str(),
        void_reason: ticket.void_reason,
        code: state.tickets.code(booking, ticket),
        pdf_url: format!("/api/v1/bookings/{}/tickets.pdf", booking.id),
        ics_url: format!("/api/v1/bookings/{}/tickets.ics", booking.id),
    }
}

async fn pdf(State(state): State<AppState>, caller: Caller, id: PathId) -> Result<Response, Problem> {
    let booking = state.office.booking(caller.open(&id.0)?).await?;
    ticket_files::pdf(&state, &booking).await
}

async fn ics(State(state): State<AppState>, caller: Caller, id: PathId) -> Result<Response, Problem> {
    let booking = state.office.booking(caller.open(&id.0)?).await?;
    ticket_files::ics(&state, &booking).await
}
