//! `POST /bookings/{id}/exchange`: tickets of a booking for other seats of the same show or another.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::post;
use boxoffice::booking::{Booking, Customer};
use boxoffice::command::{Effect, Outcome};
use boxoffice::id::{BookingId, PartId, ShowId};
use boxoffice::money::Money;
use boxoffice::service::{ExchangeRequest, HoldRequest};
use serde::{Deserialize, Serialize};

use super::booking_view::{self, BookingView, CancellationQuote, QuoteView};
use super::bookings::{self, BestInput, SeatInput, answer, booking_of};
use super::cancel::numbers;
use crate::app::AppState;
use crate::http::extract::{PathId, Sent};
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    Router::new().route("/bookings/{id}/exchange", post(exchange))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `show` and either `seats` or `best`, perhaps with `tickets`")]
struct Exchange {
    show: String,
    seats: Option<Vec<SeatInput>>,
    best: Option<BestInput>,
    /// The ids of the tickets to give. Default: all that are left.
    tickets: Option<Vec<String>>,
    /// The layout version that the seats were chosen in.
    layout_version: Option<u32>,
    /// What the caller was told the new seats cost; another total is refused.
    expected_total: Option<Money>,
    /// Only say what it would come to.
    #[serde(default)]
    dry_run: bool,
}

/// The new booking, with its token.
#[derive(Debug, Serialize)]
struct Exchanged {
    #[serde(flatten)]
    booking: BookingView,
    token: String,
    exchange: ExchangeView,
}

#[derive(Debug, Serialize)]
struct ExchangeQuote {
    #[serde(flatten)]
    quote: QuoteView,
    exchange: ExchangeView,
}

#[derive(Debug, Serialize)]
struct ExchangeView {
    /// The booking whose tickets are given.
    from: String,
    /// Their ids.
    tickets: Vec<String>,
    /// What of their money pays for the new seats.
    moved: Money,
    /// What is to be paid before anything is exchanged; the tickets stay until then.
    to_pay: Money,
    /// What of the tickets' money goes back, and what the cinema keeps.
    refund: CancellationQuote,
}

async fn exchange(
    State(state): State<AppState>,
    id: PathId,
    Sent { caller, body, key }: Sent<Exchange>,
) -> Result<Response, Problem> {
    let from = caller.open(&id.0)?;
    let tickets = body.tickets.map(|tickets| numbers(from, &tickets)).transpose()?;
    let hold = HoldRequest {
        seats: bookings::asked(body.seats, body.best)?.ok_or_else(bookings::no_seats_named)?,
        layout_version: body.layout_version,
        channel: bookings::channel(&caller)?,
        customer: Customer::default(),
        metadata: std::collections::BTreeMap::new(),
        show: ShowId::new(&body.show).map_err(|_| Problem::not_found("show"))?,
        mine: vec![from],
        expected_total: body.expected_total,
        promo_code: None,
    };
    let request = ExchangeRequest { hold, tickets };
    if body.dry_run {
        let outcome = state.office.quote_exchange(from, request).await?;
        let booking = outcome.booking.as_ref().ok_or_else(|| Problem::Bug("a quote without seats".into()))?;
        let view = ExchangeQuote { quote: booking_view::quote(booking), exchange: view(from, booking, &outcome)? };
        return Ok(answer(StatusCode::OK, view, false));
    }
    let done = state.office.exchange(from, request, key).await?;
    let booking = booking_of(&done)?;
    let view = Exchanged {
        booking: booking_view::view(booking, done.outcome.at),
        token: state.tokens.token(booking.id),
        exchange: view(from, booking, &done.outcome)?,
    };
    Ok(bookings::created(booking, view, done.replayed))
}

fn view(from: BookingId, new: &Booking, outcome: &Outcome) -> Result<ExchangeView, Problem> {
    let numbers = new.replaces.iter().flat_map(|replaces| &replaces.tickets);
    let tickets = numbers.map(|no| PartId { booking: from, no: *no }.to_string()).collect();
    let nothing = new.price.total.currency().zero();
    let (moved, to_pay, refund) = if let Effect::Exchanged { given, moved } = &outcome.effect {
        (*moved, nothing, CancellationQuote { amount: given.amount, kept: given.kept })
    } else if let Effect::ExchangeHeld { back } = &outcome.effect {
        (nothing, new.price.total, CancellationQuote { amount: *back, kept: nothing })
    } else {
        return Err(Problem::Bug(format!("an exchange answered {:?}", outcome.effect)));
    };
    Ok(ExchangeView { from: from.to_string(), tickets, moved, to_pay, refund })
}
