//! `POST /bookings/{id}/exchange`: tickets of a booking for other seats of the same show or another.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use boxoffice::booking::{Booking, Customer};
use boxoffice::command::{Effect, Outcome};
use boxoffice::id::{BookingId, PartId, ShowId};
use boxoffice::money::Money;
use boxoffice::service::{ExchangeRequest, HoldRequest};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::booking_view::{self, BookingView, CancellationQuote, QuoteView};
use super::bookings::{self, BestInput, SeatInput, answer, booking_of};
use super::cancel::numbers;
use crate::app::AppState;
use crate::http::extract::{PathId, Sent};
use crate::http::openapi::params::{BookingPath, IdempotencyKey};
use crate::http::openapi::words;
use crate::http::problem::Problem;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(exchange))
}

/// The seats to have, and the tickets to give for them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with `show` and either `seats` or `best`, perhaps with `tickets`")]
struct Exchange {
    /// The show's id: the same or another.
    #[schema(example = "show-1")]
    show: String,
    #[schema(max_items = 1000)]
    seats: Option<Vec<SeatInput>>,
    best: Option<BestInput>,
    /// The ids of the tickets to give. Default: all that are left.
    #[schema(min_items = 1, max_items = 1000)]
    tickets: Option<Vec<String>>,
    /// The layout version that the seats were chosen in.
    layout_version: Option<u32>,
    /// What the caller was told the new seats cost; another total is refused.
    #[schema(value_type = Option<words::Money>)]
    expected_total: Option<Money>,
    /// Only say what it would come to.
    #[serde(default)]
    dry_run: bool,
}

/// The new booking, with its token.
#[derive(Debug, Serialize, ToSchema)]
struct Exchanged {
    #[serde(flatten)]
    booking: BookingView,
    /// Opens the new booking.
    token: String,
    exchange: ExchangeView,
}

/// What an exchange would come to.
#[derive(Debug, Serialize, ToSchema)]
struct ExchangeQuote {
    #[serde(flatten)]
    quote: QuoteView,
    exchange: ExchangeView,
}

/// What of the tickets' money becomes what.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ExchangeTerms)]
struct ExchangeView {
    /// The booking whose tickets are given.
    from: String,
    /// Their ids.
    tickets: Vec<String>,
    /// What of their money pays for the new seats.
    #[schema(value_type = words::Money)]
    moved: Money,
    /// What is to be paid before anything is exchanged; the tickets stay until then.
    #[schema(value_type = words::Money)]
    to_pay: Money,
    /// What of the tickets' money goes back, and what the cinema keeps.
    refund: CancellationQuote,
}

/// Exchanges tickets for other seats, of the same show or another
///
/// Where the new seats cost no more than the old tickets bring, it is done in one step. Else the new booking is held,
/// and is to be paid; the old tickets stand until then.
#[utoipa::path(
    post,
    path = "/bookings/{id}/exchange",
    operation_id = "exchange_tickets",
    tag = "bookings",
    security(("booking_token" = []), ("staff_key" = [])),
    params(BookingPath, IdempotencyKey),
    request_body(content = Exchange, examples(
        ("What it would come to" = (value = json!({ "show": "show-1", "seats": ["J7", "J8"], "dry_run": true }))),
        ("Other seats" = (value = json!({ "show": "show-1", "seats": ["J7", "J8"] }))),
    )),
    responses(
        (status = 201, description = "The new booking.", body = Exchanged, headers(
            ("Location" = String, description = "The new booking's address."),
            ("Idempotency-Replayed" = String, description = "`true`: this answer was given before."),
        )),
        (status = 200, description = "What it would come to (`dry_run`).", body = ExchangeQuote),
    ),
    extensions(("x-problems" = json!([
        "not-cancellable", "payment-disputed", "price-changed", "already-refunded",
        "unknown-seats", "ambiguous-seats", "duplicate-seats", "too-many-seats", "no-seats",
        "promo-code-invalid", "promo-code-used-up", "sales-closed", "show-cancelled", "layout-changed", "seats-unavailable"
    ])))
)]
async fn exchange(
    State(state): State<AppState>,
    id: PathId,
    Sent { caller, body, key }: Sent<Exchange>,
) -> Result<Response, Problem> {
    let from = caller.open(&state, &id.0).await?;
    let show = ShowId::new(&body.show).map_err(|_| Problem::not_found("show"))?;
    bookings::must_sell(&state, &caller, &show).await?;
    let tickets = body.tickets.map(|tickets| numbers(from, &tickets)).transpose()?;
    let hold = HoldRequest {
        seats: bookings::asked(body.seats, body.best)?.ok_or_else(bookings::no_seats_named)?,
        layout_version: body.layout_version,
        channel: bookings::channel(&caller)?,
        customer: Customer::default(),
        metadata: std::collections::BTreeMap::new(),
        show,
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
    let done = state.office.on_behalf_of(caller.by()).exchange(from, request, key).await?;
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
