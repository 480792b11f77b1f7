//! `GET /bookings/{id}/tickets`: the codes that open the door, and the files they come in.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use boxoffice::booking::{Booking, Ticket, VoidReason};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::bookings::answer;
use crate::app::AppState;
use crate::http::caller::Caller;
use crate::http::extract::PathId;
use crate::http::files;
use crate::http::openapi::params::BookingPath;
use crate::http::openapi::words;
use crate::http::paging::Page;
use crate::http::problem::Problem;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(pdf)).routes(routes!(ics))
}

/// What lets one person in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Ticket)]
pub(super) struct TicketView {
    id: String,
    /// The seat's label.
    seat: String,
    ticket_type: String,
    /// Whom it was handed on to.
    name: Option<String>,
    #[schema(value_type = words::TicketStatus)]
    status: &'static str,
    #[schema(value_type = Option<words::VoidReason>)]
    void_reason: Option<VoidReason>,
    /// What the QR square holds.
    code: String,
    /// All tickets of the booking as one PDF, opened as this list is.
    pdf_url: String,
    /// The booking as a calendar file, opened as this list is.
    ics_url: String,
}

/// The tickets of a booking
///
/// A booking that is not paid has none.
#[utoipa::path(
    get,
    path = "/bookings/{id}/tickets",
    operation_id = "list_tickets",
    tag = "bookings",
    security(("booking_token" = []), ("staff_key" = [])),
    params(BookingPath),
    responses((status = 200, description = "All of them; `next_cursor` is null.", body = Page<TicketView>))
)]
async fn list(State(state): State<AppState>, caller: Caller, id: PathId) -> Result<Response, Problem> {
    let booking = state.office.booking(caller.open(&state, &id.0).await?).await?;
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

/// The tickets of a booking, to print
#[utoipa::path(
    get,
    path = "/bookings/{id}/tickets.pdf",
    operation_id = "print_tickets",
    tag = "bookings",
    security(("booking_token" = []), ("staff_key" = [])),
    params(BookingPath),
    responses((status = 200, description = "A PDF.", content_type = "application/pdf"))
)]
async fn pdf(State(state): State<AppState>, caller: Caller, id: PathId) -> Result<Response, Problem> {
    let booking = state.office.booking(caller.open(&state, &id.0).await?).await?;
    files::tickets_pdf(&state, &booking).await
}

/// A booking, for a calendar
#[utoipa::path(
    get,
    path = "/bookings/{id}/tickets.ics",
    operation_id = "read_calendar",
    tag = "bookings",
    security(("booking_token" = []), ("staff_key" = [])),
    params(BookingPath),
    responses((status = 200, description = "An iCalendar file.", body = String, content_type = "text/calendar"))
)]
async fn ics(State(state): State<AppState>, caller: Caller, id: PathId) -> Result<Response, Problem> {
    let booking = state.office.booking(caller.open(&state, &id.0).await?).await?;
    files::tickets_ics(&state, &booking).await
}
