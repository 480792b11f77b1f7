//! `POST /bookings`, and reading and changing one.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use boxoffice::booking::{Booking, Channel};
use boxoffice::id::ShowId;
use boxoffice::money::Money;
use boxoffice::service::{AskedSeat, ChangeRequest, HoldRequest, PromoAsked, SeatsAsked};
use boxoffice::store::{Done, StoreError};
use serde::{Deserialize, Deserializer, Serialize};

use super::booking_view::{self, BookingView};
use super::customer::CustomerInput;
use crate::app::AppState;
use crate::http::caller::Caller;
use crate::http::extract::{PathId, Sent};
use crate::http::idempotency;
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    Router::new().route("/bookings", post(create)).route("/bookings/{id}", get(read).patch(change))
}

/// More seats than any hall sells at once: what a request may list before the show's own limit
/// is looked at.
const SEATS_LISTED_MAX: usize = 1_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `show` and either `seats` or `best`")]
pub struct CreateBooking {
    show: String,
    seats: Option<Vec<SeatInput>>,
    best: Option<BestInput>,
    customer: Option<CustomerInput>,
    /// The layout version that the seats were chosen in.
    layout_version: Option<u32>,
    #[serde(default)]
    metadata: BTreeMap<String, String>,
    /// What the caller was told it costs; another total is refused.
    expected_total: Option<Money>,
    promo_code: Option<String>,
    /// Only say what it would cost.
    #[serde(default)]
    dry_run: bool,
}

/// A seat's id or label, or its id with a ticket type.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a seat is its label, or an object with `id` and perhaps `ticket_type`")]
pub enum SeatInput {
    Name(String),
    Typed(TypedSeat),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `id` and perhaps `ticket_type`")]
pub struct TypedSeat {
    id: String,
    ticket_type: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `count` and perhaps `category`")]
pub struct BestInput {
    count: u16,
    /// Its key or name.
    category: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with what is to change: `seats` or `best`, `customer`, `promo_code`, or `accept_changes`"
)]
struct ChangeBooking {
    seats: Option<Vec<SeatInput>>,
    best: Option<BestInput>,
    customer: Option<CustomerInput>,
    layout_version: Option<u32>,
    /// Null or nothing but blanks takes the code off again.
    #[serde(default, deserialize_with = "sent")]
    promo_code: Option<Option<String>>,
    /// The show plays at another time or in another hall than at the hold, and that is fine.
    #[serde(default)]
    accept_changes: bool,
}

/// Tells a member that is null from one that is not there.
fn sent<'de, D: Deserializer<'de>>(member: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(member).map(Some)
}

#[derive(Debug, Serialize)]
struct NewBooking {
    #[serde(flatten)]
    booking: BookingView,
    token: String,
}

impl CreateBooking {
    /// What the service is asked for.
    ///
    /// # Errors
    /// A member does not fit, or the caller may not open bookings.
    pub fn request(self, caller: &Caller) -> Result<HoldRequest, Problem> {
        let channel = channel(caller)?;
        let mine = match caller {
            Caller::Buyer(booking) => vec![*booking],
            Caller::Nobody | Caller::Staff(_) | Caller::Unknown => Vec::new(),
        };
        Ok(HoldRequest {
            seats: asked(self.seats, self.best)?.ok_or_else(no_seats_named)?,
            layout_version: self.layout_version,
            channel,
            customer: self.customer.unwrap_or_default().checked("/customer")?,
            metadata: checked_metadata(self.metadata)?,
            show: ShowId::new(&self.show).map_err(|_| Problem::not_found("show"))?,
            mine,
            expected_total: self.expected_total,
            promo_code: self.promo_code,
        })
    }
}

async fn create(
    State(state): State<AppState>,
    Sent { caller, body, key }: Sent<CreateBooking>,
) -> Result<Response, Problem> {
    let dry_run = body.dry_run;
    let request = body.request(&caller)?;
    if dry_run {
        let quote = state.office.quote(request).await?;
        let booking = quote.booking.as_ref().ok_or_else(|| Problem::Bug("a quote without seats".into()))?;
        return Ok(answer(StatusCode::OK, booking_view::quote(booking), false));
    }
    let done = state.office.hold(request, key).await?;
    let booking = booking_of(&done)?;
    let token = state.tokens.token(booking.id);
    let view = NewBooking { booking: booking_view::view(booking, done.outcome.at), token };
    Ok(created(booking, view, done.replayed))
}

/// Through which door a caller sells.
///
/// # Errors
/// Whoever may not open bookings.
pub fn channel(caller: &Caller) -> Result<Channel, Problem> {
    match caller {
        Caller::Nobody | Caller::Buyer(_) => Ok(Channel::Web),
        Caller::Staff(key) if key.role.opens_bookings() => Ok(Channel::Counter),
        Caller::Staff(_) => Err(Problem::Forbidden),
        Caller::Unknown => Err(Problem::Unauthorized),
    }
}

/// An answer that made a booking: 201, with the way to it.
pub fn created(booking: &Booking, view: impl Serialize, replayed: bool) -> Response {
    let mut response = answer(StatusCode::CREATED, view, replayed);
    if let Ok(location) = HeaderValue::from_str(&format!("/api/v1/bookings/{}", booking.id)) {
        response.headers_mut().insert(LOCATION, location);
    }
    response
}

async fn read(State(state): State<AppState>, caller: Caller, id: PathId) -> Result<Response, Problem> {
    let booking = state.office.booking(caller.open(&id.0)?).await?;
    Ok(answer(StatusCode::OK, booking_view::view(&booking, state.store().now()), false))
}

async fn change(
    State(state): State<AppState>,
    id: PathId,
    Sent { caller, body, key }: Sent<ChangeBooking>,
) -> Result<Response, Problem> {
    let id = caller.open(&id.0)?;
    let seats = asked(body.seats, body.best)?;
    let customer = body.customer.map(|customer| customer.checked("/customer")).transpose()?;
    let promo_code = body.promo_code.map(|code| match code {
        Some(code) if !code.trim().is_empty() => PromoAsked::Use(code),
        Some(_) | None => PromoAsked::Remove,
    });
    let (layout_version, accept_changes) = (body.layout_version, body.accept_changes);
    let change = ChangeRequest { seats, layout_version, customer, promo_code, accept_changes };
    let done = state.office.change(id, change, key).await?;
    let view = booking_view::view(booking_of(&done)?, done.outcome.at);
    Ok(answer(StatusCode::OK, view, done.replayed))
}

/// The seats of a request, named or as a wish.
///
/// # Errors
/// An invalid request for both at once, or for more than any hall has.
pub fn asked(seats: Option<Vec<SeatInput>>, best: Option<BestInput>) -> Result<Option<SeatsAsked>, Problem> {
    match (seats, best) {
        (Some(_), Some(_)) => Err(Problem::invalid("", "Say either `seats` or `best`, not both.")),
        (Some(seats), None) if seats.len() > SEATS_LISTED_MAX => {
            Err(Problem::invalid("/seats", format!("Name at most {SEATS_LISTED_MAX} seats.")))
        }
        (Some(seats), None) => Ok(Some(SeatsAsked::These(seats.into_iter().map(asked_seat).collect()))),
        (None, Some(best)) => Ok(Some(SeatsAsked::Best { count: best.count, category: best.category })),
        (None, None) => Ok(None),
    }
}

fn asked_seat(seat: SeatInput) -> AskedSeat {
    use boxoffice::layout::SeatAsk;
    match seat {
        SeatInput::Name(name) => AskedSeat { seat: SeatAsk::Text(name), ticket_type: None },
        SeatInput::Typed(typed) => AskedSeat { seat: SeatAsk::Id(typed.id), ticket_type: typed.ticket_type },
    }
}

#[must_use]
pub fn no_seats_named() -> Problem {
    Problem::invalid("", "Say which seats: `seats` with their labels or ids, or `best` with a count.")
}

fn checked_metadata(metadata: BTreeMap<String, String>) -> Result<BTreeMap<String, String>, Problem> {
    let fits = |(key, value): (&String, &String)| key.chars().count() <= 40 && value.chars().count() <= 500;
    if metadata.len() <= 20 && metadata.iter().all(fits) {
        return Ok(metadata);
    }
    let limits = "At most 20 notes, their names up to 40 characters, their texts up to 500.";
    Err(Problem::invalid("/metadata", limits))
}

/// The booking that a step answered.
///
/// # Errors
/// A bug if the step answered none: steps on bookings always do.
pub fn booking_of(done: &Done) -> Result<&Booking, StoreError> {
    done.outcome.booking.as_ref().ok_or_else(|| StoreError::Bug("a step on a booking answered none".into()))
}

/// An answer about a booking: never kept by a browser or a proxy.
pub fn answer(status: StatusCode, body: impl Serialize, replayed: bool) -> Response {
    let response = (status, [(CACHE_CONTROL, "no-store")], Json(body)).into_response();
    idempotency::mark(response, replayed)
}
