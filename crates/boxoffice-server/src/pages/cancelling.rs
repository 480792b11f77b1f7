//! Giving a booking back, whole or by ticket: first a page that says what comes back, then the form
//! that does it.

use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use boxoffice::booking::{Booking, BookingStatus, Cancellation, Ticket};
use boxoffice::refusal::Refusal;
use boxoffice::store::StoreError;

use super::booking::{self, Summary};
use super::shell::{self, Shell};
use super::visitor::Visitor;
use super::{link, once, text};
use crate::app::AppState;
use crate::form::Fields;
use crate::http::Problem;
use crate::http::extract::{PathId, Whole};

/// A ticket's number, once for each that is chosen.
const TICKET: &str = "ticket";

pub fn router() -> Router<AppState> {
    Router::new().route("/bookings/{id}/cancel", get(ask).post(cancel))
}

#[derive(Template)]
#[template(path = "cancel.html")]
struct Page {
    shell: Shell,
    summary: Summary,
    once: String,
    paid: bool,
    /// The tickets to choose from; none where there is nothing to choose.
    choices: Vec<Choice>,
    /// Numbers of the tickets that the form gives back; none: all that is left.
    chosen: Vec<u16>,
    none_chosen: bool,
    back: String,
    kept: String,
    nothing_back: bool,
    /// Why it cannot be cancelled.
    refusal: String,
}

/// One ticket with its box.
struct Choice {
    no: u16,
    label: String,
    total: String,
    is_chosen: bool,
}

async fn ask(
    State(state): State<AppState>,
    visitor: Visitor,
    PathId(id): PathId,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let booking = visitor.open(&state, &id).await?;
    let status = booking.status_at(state.store().now());
    if matches!(status, BookingStatus::Cancelled | BookingStatus::Expired) {
        return Ok(shell::private(Redirect::to(&link::booking(booking.id)).into_response()));
    }
    let show = booking::show_of(&state, &booking).await?;
    let chosen = numbers(&Fields::read(&query.clone().unwrap_or_default().into()));
    let choices = choices(&booking, query.is_some(), &chosen);
    let none_chosen = !choices.is_empty() && choices.iter().all(|choice| !choice.is_chosen);
    let (outcome, refusal) = match quote(&state, &booking, &chosen).await? {
        Ok(cancellation) => (Some(cancellation), String::new()),
        Err(refusal) => (None, Problem::from(refusal).detail()),
    };
    let zero = booking.price.total.currency().zero();
    let (back, kept) = outcome.map_or((zero, zero), |c| (c.amount, c.kept));
    let page = Page {
        shell: Shell::new(&state),
        summary: booking::summary(&booking, &show),
        once: once::fresh(&*state.entropy),
        paid: status == BookingStatus::Confirmed,
        choices,
        chosen,
        none_chosen,
        back: text::money(back),
        kept: if kept.is_zero() { String::new() } else { text::money(kept) },
        nothing_back: back.is_zero(),
        refusal,
    };
    shell::page(&page).map(shell::private)
}

/// The tickets of a form, by number; what is no number is left out.
fn numbers(fields: &Fields) -> Vec<u16> {
    fields.all(TICKET).filter_map(|no| no.parse().ok()).collect()
}

/// All are chosen until somebody has chosen otherwise.
fn choices(booking: &Booking, has_chosen: bool, chosen: &[u16]) -> Vec<Choice> {
    let choice = |ticket: &Ticket| Choice {
        no: ticket.id.no,
        label: ticket.label.clone(),
        total: booking.seat_of(ticket).map(|seat| text::money(seat.total)).unwrap_or_default(),
        is_chosen: !has_chosen || chosen.contains(&ticket.id.no),
    };
    let choices: Vec<Choice> = booking.live_tickets().map(choice).collect();
    if choices.len() > 1 { choices } else { Vec::new() }
}

/// How giving these back would come out now.
async fn quote(state: &AppState, booking: &Booking, chosen: &[u16]) -> Result<Result<Cancellation, Refusal>, Problem> {
    let tickets = (!chosen.is_empty()).then(|| chosen.to_vec());
    match state.office.quote_cancellation(booking.id, tickets).await {
        Ok(cancellation) => Ok(Ok(cancellation)),
        Err(StoreError::Refused(refusal)) => Ok(Err(refusal)),
        Err(other) => Err(other.into()),
    }
}

async fn cancel(
    State(state): State<AppState>,
    visitor: Visitor,
    PathId(id): PathId,
    Whole(body): Whole,
) -> Result<Response, Problem> {
    let id = visitor.may_open(&id)?;
    let path = format!("{}/cancel", link::booking(id));
    let fields = Fields::read(&body);
    let key = once::idempotency(fields.one(once::FIELD), &path, &body);
    let chosen = numbers(&fields);
    let tickets = (!chosen.is_empty()).then_some(chosen);
    match state.office.cancel(id, tickets, None, key).await {
        Ok(_) => {}
        // Its own page says why: it has ended already, or its cancel page tells what stands against it.
        Err(StoreError::Refused(
            Refusal::NotCancellable(_) | Refusal::PaymentDisputed | Refusal::ShowCancelled | Refusal::NotFound(_),
        )) => {
            return Ok(shell::private(Redirect::to(&path).into_response()));
        }
        Err(other) => return Err(other.into()),
    }
    Ok(shell::private(Redirect::to(&link::booking(id)).into_response()))
}
