//! The tickets of a confirmed booking, to show at the door, to print, to put into a calendar.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;

use super::booking;
use super::link;
use super::shell::{self, Shell};
use super::visitor::Visitor;
use crate::app::AppState;
use crate::http::extract::PathId;
use crate::http::{Problem, files};
use crate::tickets::qr::{self, Qr};
use crate::tickets::sheet::{Sheet, Stub, sheet};

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/bookings/{id}/tickets", get(read))
        .route("/bookings/{id}/tickets.pdf", get(pdf))
        .route("/bookings/{id}/tickets.ics", get(ics))
}

#[derive(Template)]
#[template(path = "tickets.html")]
struct Page {
    shell: Shell,
    /// The booking's page.
    here: String,
    sheet: Sheet,
    tickets: Vec<Drawn>,
}

/// One ticket with its square.
struct Drawn {
    stub: Stub,
    qr: Option<Qr>,
}

async fn read(State(state): State<AppState>, visitor: Visitor, PathId(id): PathId) -> Result<Response, Problem> {
    let booking = visitor.open(&state, &id).await?;
    let here = link::booking(booking.id);
    if booking.tickets.is_empty() {
        return Ok(shell::private(Redirect::to(&here).into_response()));
    }
    let show = booking::show_of(&state, &booking).await?;
    let sheet = sheet(&booking, &show, &state.tickets);
    let drawn = |stub: &Stub| Drawn { qr: qr::draw(&stub.code), stub: stub.clone() };
    let tickets = sheet.stubs.iter().map(drawn).collect();
    shell::page(&Page { shell: Shell::new(&state), here, sheet, tickets }).map(shell::private)
}

async fn pdf(State(state): State<AppState>, visitor: Visitor, PathId(id): PathId) -> Result<Response, Problem> {
    let booking = visitor.open(&state, &id).await?;
    files::tickets_pdf(&state, &booking).await
}

async fn ics(State(state): State<AppState>, visitor: Visitor, PathId(id): PathId) -> Result<Response, Problem> {
    let booking = visitor.open(&state, &id).await?;
    files::tickets_ics(&state, &booking).await
}
