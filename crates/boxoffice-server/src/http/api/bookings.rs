//! `POST /bookings`, and reading and changing one.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use boxoffice::booking::{Booking, Channel};
use boxoffice::id::ShowId;
use boxoffice::money::Money;
use boxoffice::service::{AskedSeat, ChangeRequest, HoldRequest, PromoAsked, SeatsAsked};
use boxoffice::store::{Done, StoreError};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::booking_view::{self, BookingView};
use super::customer::CustomerInput;
use crate::app::AppState;
use crate::http::caller::Caller;
use crate::http::extract::{PathId, Sent};
use crate::http::idempotency;
use crate::http::openapi::params::{BookingPath, IdempotencyKey};
use crate::http::openapi::words;
use crate::http::problem::Problem;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(create)).routes(routes!(read, change))
}

/// More seats than any hall sells at once: what a request may list before the show's own limit
/// is looked at.
const SEATS_LISTED_MAX: usize = 1_000;

/// Seats to hold: either `seats` or `best`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with `show` and either `seats` or `best`")]
pub struct CreateBooking {
    /// The show's id.
    #[schema(example = "show-1")]
    show: String,
    /// These seats, all or none.
    #[schema(max_items = 1000)]
    seats: Option<Vec<SeatInput>>,
    /// The best seats there are.
    best: Option<BestInput>,
    customer: Option<CustomerInput>,
    /// The layout version that the seats were chosen in; a hall that has changed since is refused.
    layout_version: Option<u32>,
    /// Notes that the booking keeps and nobody reads: names up to 40 characters, texts up to 500.
    #[serde(default)]
    #[schema(schema_with = metadata)]
    metadata: BTreeMap<String, String>,
    /// What the caller was told it costs; another total is refused.
    #[schema(value_type = Option<words::Money>)]
    expected_total: Option<Money>,
    /// Compared without blanks and case.
    promo_code: Option<String>,
    /// Only say what it would cost.
    #[serde(default)]
    dry_run: bool,
}

fn metadata() -> Schema {
    let text = |max| ObjectBuilder::new().schema_type(Type::String).max_length(Some(max));
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .max_properties(Some(20))
        .property_names(Some(text(40)))
        .additional_properties(Some(text(500)))
        .description(Some("Notes that the booking keeps: names up to 40 characters, texts up to 500."))
        .into()
}

/// A seat's id or label, or its id with a ticket type.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = SeatAsked)]
#[serde(untagged, expecting = "a seat is its label, or an object with `id` and perhaps `ticket_type`")]
pub enum SeatInput {
    Name(String),
    Typed(TypedSeat),
}

/// A seat with the kind of ticket for it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with `id` and perhaps `ticket_type`")]
pub struct TypedSeat {
    /// The seat's id.
    #[schema(example = "F7")]
    id: String,
    /// Default: `standard`.
    #[schema(example = "standard")]
    ticket_type: Option<String>,
}

/// A wish: so many seats, together where that can be.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = BestSeats)]
#[serde(deny_unknown_fields, expecting = "an object with `count` and perhaps `category`")]
pub struct BestInput {
    #[schema(example = 2)]
    count: u16,
    /// Only in this category: its key or name.
    category: Option<String>,
}

/// What is to change; what is not named stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with what is to change: `seats` or `best`, `customer`, `promo_code`, or `accept_changes`"
)]
struct ChangeBooking {
    /// In place of all seats of the booking; the hold does not get longer.
    #[schema(max_items = 1000)]
    seats: Option<Vec<SeatInput>>,
    /// The best seats there are, in place of all seats of the booking.
    best: Option<BestInput>,
    /// In place of all that is known of the customer.
    customer: Option<CustomerInput>,
    /// The layout version that the seats were chosen in.
    layout_version: Option<u32>,
    /// Null or nothing but blanks takes the code off again.
    #[serde(default, deserialize_with = "sent")]
    #[schema(value_type = Option<String>)]
    promo_code: Option<Option<String>>,
    /// The show plays at another time or in another hall than at the hold, and that is fine.
    #[serde(default)]
    accept_changes: bool,
}

/// Tells a member that is null from one that is not there.
fn sent<'de, D: Deserializer<'de>>(member: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(member).map(Some)
}

/// A booking that was just made.
#[derive(Debug, Serialize, ToSchema)]
struct NewBooking {
    #[serde(flatten)]
    booking: BookingView,
    /// Opens the booking: `Authorization: Bearer TOKEN`. Whoever has it has the booking.
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

/// Holds seats of a show
///
/// All of them or none, until `expires_at`. Staff with a key that may sell make a booking of the channel `counter`.
/// With `dry_run` nothing is held, and the answer says what it would cost.
#[utoipa::path(
    post,
    path = "/bookings",
    operation_id = "make_booking",
    tag = "bookings",
    security((), ("booking_token" = []), ("staff_key" = [])),
    params(IdempotencyKey),
    request_body(content = CreateBooking, examples(
        ("Seats by their labels" = (value = json!({
            "show": "show-1", "seats": ["F7", "F8"], "customer": { "email": "ada@example.org" }
        }))),
        ("Seats with ticket types" = (value = json!({
            "show": "show-1", "seats": ["G1", { "id": "G2", "ticket_type": "standard" }],
            "customer": { "name": "Ada Lovelace", "phone": "+44 20 7946 0000", "locale": "en" },
            "expected_total": { "amount": 2740, "currency": "EUR" }, "metadata": { "till": "2" }
        }))),
        ("The best two" = (value = json!({ "show": "show-1", "best": { "count": 2, "category": "Standard" } }))),
        ("What it would cost" = (value = json!({ "show": "show-1", "seats": ["A1"], "dry_run": true }))),
    )),
    responses(
        (status = 201, description = "The seats are held.", body = NewBooking, headers(
            ("Location" = String, description = "The booking's address."),
            ("Idempotency-Replayed" = String, description = "`true`: this answer was given before."),
        )),
        (status = 200, description = "What it would cost (`dry_run`).", body = booking_view::QuoteView),
    ),
    extensions(("x-problems" = json!([
        "not-found", "unauthorized", "forbidden", "price-changed",
        "unknown-seats", "ambiguous-seats", "duplicate-seats", "too-many-seats", "no-seats",
        "promo-code-invalid", "promo-code-used-up", "sales-closed", "show-cancelled", "layout-changed", "seats-unavailable"
    ])))
)]
async fn create(
    State(state): State<AppState>,
    Sent { caller, body, key }: Sent<CreateBooking>,
) -> Result<Response, Problem> {
    let dry_run = body.dry_run;
    let request = body.request(&caller)?;
    must_sell(&state, &caller, &request.show).await?;
    if dry_run {
        let quote = state.office.quote(request).await?;
        let booking = quote.booking.as_ref().ok_or_else(|| Problem::Bug("a quote without seats".into()))?;
        return Ok(answer(StatusCode::OK, booking_view::quote(booking), false));
    }
    let done = state.office.on_behalf_of(caller.by()).hold(request, key).await?;
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

/// # Errors
/// [`Problem::Forbidden`] for staff whose key is bound to another place.
pub async fn must_sell(state: &AppState, caller: &Caller, show: &ShowId) -> Result<(), Problem> {
    let Caller::Staff(key) = caller else { return Ok(()) };
    if key.covers_all() {
        return Ok(());
    }
    let show = state.store().show(show.clone()).await?.ok_or_else(|| Problem::not_found("show"))?;
    if key.covers(&show) { Ok(()) } else { Err(Problem::Forbidden) }
}

/// An answer that made a booking: 201, with the way to it.
pub fn created(booking: &Booking, view: impl Serialize, replayed: bool) -> Response {
    let mut response = answer(StatusCode::CREATED, view, replayed);
    if let Ok(location) = HeaderValue::from_str(&format!("/api/v1/bookings/{}", booking.id)) {
        response.headers_mut().insert(LOCATION, location);
    }
    response
}

/// One booking
#[utoipa::path(
    get,
    path = "/bookings/{id}",
    operation_id = "read_booking",
    tag = "bookings",
    security(("booking_token" = []), ("staff_key" = [])),
    params(BookingPath),
    responses((status = 200, description = "The booking as it stands now.", body = BookingView))
)]
async fn read(State(state): State<AppState>, caller: Caller, id: PathId) -> Result<Response, Problem> {
    let booking = state.office.booking(caller.open(&state, &id.0).await?).await?;
    Ok(answer(StatusCode::OK, booking_view::view(&booking, state.store().now()), false))
}

/// Changes a booking that is not paid yet
///
/// New seats come in place of the old ones in one step, or nothing changes.
#[utoipa::path(
    patch,
    path = "/bookings/{id}",
    operation_id = "change_booking",
    tag = "bookings",
    security(("booking_token" = []), ("staff_key" = [])),
    params(BookingPath),
    request_body(content = ChangeBooking, examples(
        ("Other seats" = (value = json!({ "seats": ["H7", "H8"] }))),
        ("Who books" = (value = json!({ "customer": { "name": "Ada Lovelace", "email": "ada@example.org" } }))),
        ("No promo code" = (value = json!({ "promo_code": null }))),
    )),
    responses((status = 200, description = "The booking as it is now.", body = BookingView)),
    extensions(("x-problems" = json!([
        "hold-expired", "payment-in-progress", "already-paid", "show-moved",
        "unknown-seats", "ambiguous-seats", "duplicate-seats", "too-many-seats", "no-seats",
        "promo-code-invalid", "promo-code-used-up", "sales-closed", "show-cancelled", "layout-changed", "seats-unavailable"
    ])))
)]
async fn change(
    State(state): State<AppState>,
    id: PathId,
    Sent { caller, body, key }: Sent<ChangeBooking>,
) -> Result<Response, Problem> {
    let id = caller.open(&state, &id.0).await?;
    let seats = asked(body.seats, body.best)?;
    let customer = body.customer.map(|customer| customer.checked("/customer")).transpose()?;
    let promo_code = body.promo_code.map(|code| match code {
        Some(code) if !code.trim().is_empty() => PromoAsked::Use(code),
        Some(_) | None => PromoAsked::Remove,
    });
    let (layout_version, accept_changes) = (body.layout_version, body.accept_changes);
    let change = ChangeRequest { seats, layout_version, customer, promo_code, accept_changes };
    let done = state.office.on_behalf_of(caller.by()).change(id, change, key).await?;
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
