//! The tickets of a confirmed booking, to show at the door or to print.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use boxoffice::booking::{Booking, Ticket, TicketStatus};

use super::booking::{self, Summary};
use super::link;
use super::shell::{self, Shell};
use super::visitor::Visitor;
use crate::app::AppState;
use crate::http::Problem;
use crate::http::extract::PathId;
use crate::tickets::qr::{self, Qr};

pub fn router() -> Router<AppState> {
    Router::new().route("/bookings/{id}/tickets", get(read))
}

#[derive(Template)]
#[template(path = "tickets.html")]
struct Page {
    shell: Shell,
    summary: Summary,
    name: String,
    tickets: Vec<Stub>,
}

/// One ticket.
struct Stub {
    row: String,
    number: String,
    label: String,
    category: String,
    status: TicketStatus,
    is_good: bool,
    code: String,
    qr: Option<Qr>,
}

async fn read(State(state): State<AppState>, visitor: Visitor, PathId(id): PathId) -> Result<Response, Problem> {
    let booking = visitor.open(&state, &id).await?;
    if booking.tickets.is_empty() {
        return Ok(shell::private(Redirect::to(&link::booking(booking.id)).into_response()));
    }
    let show = booking::show_of(&state, &booking).await?;
    let page = Page {
        shell: Shell::new(&state),
        summary: booking::summary(&booking, &show),
        name: booking.customer.name.clone().unwrap_or_default(),
        tickets: booking.tickets.iter().map(|ticket| stub(&state, &show.layout, &booking, ticket)).collect(),
    };
    shell::page(&page).map(shell::private)
}

fn stub(state: &AppState, layout: &boxoffice::layout::Layout, booking: &Booking, ticket: &Ticket) -> Stub {
    let code = state.tickets.code(booking, ticket);
    let seat = layout.seat(ticket.seat).filter(|s| s.label == ticket.label);
    let category = booking.seats.iter().find(|s| s.no == ticket.seat).map(|s| s.category.clone());
    Stub {
        row: seat.map(|s| s.row.clone()).unwrap_or_default(),
        number: seat.map(|s| s.number.clone()).unwrap_or_default(),
        label: ticket.label.clone(),
        category: category.unwrap_or_default(),
        status: ticket.status,
        is_good: ticket.status != TicketStatus::Void,
        qr: qr::draw(&code),
        code,
    }
}
