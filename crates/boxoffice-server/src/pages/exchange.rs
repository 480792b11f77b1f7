//! Tickets for other seats: choose a show, choose seats, see what it comes to, and the form that does it.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use boxoffice::booking::{Booking, BookingStatus, Channel, Customer, Ticket};
use boxoffice::command::{Effect, Outcome};
use boxoffice::id::CatalogueId;
use boxoffice::layout::SeatAsk;
use boxoffice::money::Money;
use boxoffice::pricing::{self, PriceAsk};
use boxoffice::refusal::Refusal;
use boxoffice::service::{AskedSeat, ExchangeRequest, HoldRequest, SeatsAsked};
use boxoffice::show::Show;
use boxoffice::store::{SeatsRead, StoreError};

use super::booking::{self, Summary};
use super::programme::{self, Group};
use super::seat_plan::{self, Plan};
use super::shell::{self, Shell};
use super::show::{self, Message};
use super::visitor::Visitor;
use super::{link, once, text};
use crate::app::AppState;
use crate::form::Fields;
use crate::http::Problem;
use crate::http::api::bookings::booking_of;
use crate::http::extract::{PathId, Whole};

/// Days of other shows that are offered.
const GROUPS_MAX: usize = 20;

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/bookings/{id}/exchange", get(choose_show).post(exchange))
        .route("/bookings/{id}/exchange/seats", get(choose_seats))
        .route("/bookings/{id}/exchange/terms", get(terms))
}

#[derive(Template)]
#[template(path = "exchange.html")]
struct ShowsPage {
    shell: Shell,
    summary: Summary,
    same_show: String,
    groups: Vec<Group>,
    /// Why nothing can be exchanged.
    refusal: String,
}

#[derive(Template)]
#[template(path = "exchange_seats.html")]
struct SeatsPage {
    shell: Shell,
    here: String,
    show: String,
    title: String,
    date: String,
    clock: String,
    place: String,
    hall: String,
    yours: String,
    same_show: bool,
    layout_version: u32,
    refusal: Option<Message>,
    plan: Plan,
}

#[derive(Template)]
#[template(path = "exchange_terms.html")]
struct TermsPage {
    shell: Shell,
    summary: Summary,
    new: Summary,
    show: String,
    layout_version: u32,
    /// The seats by id.
    seats: Vec<String>,
    /// What the new seats cost, in minor units.
    total: i64,
    /// Money in words; empty: none.
    to_pay: String,
    back: String,
    kept: String,
    other_seats: String,
    once: String,
}

async fn choose_show(State(state): State<AppState>, visitor: Visitor, PathId(id): PathId) -> Result<Response, Problem> {
    let booking = visitor.open(&state, &id).await?;
    let show = booking::show_of(&state, &booking).await?;
    let rows = programme::upcoming(&state, None, Some(vec![show.movie.id.clone()])).await?;
    let now = state.store().now();
    let mut groups = Vec::new();
    let same_money = |other: &Show| other.theatre.currency == show.theatre.currency;
    for row in rows.iter().filter(|row| row.show.no != show.no && same_money(&row.show)) {
        let heading = format!("{}, {}", text::long_date(row.show.business_day), row.show.theatre.name.english());
        let mut time = programme::time(row, now);
        time.link = seats_link(&booking, &row.show);
        programme::put(&mut groups, heading, time);
    }
    groups.truncate(GROUPS_MAX);
    let page = ShowsPage {
        shell: Shell::new(&state),
        summary: booking::summary(&booking, &show),
        same_show: seats_link(&booking, &show),
        groups,
        refusal: why_not(&state, &booking).await?,
    };
    shell::page(&page).map(shell::private)
}

/// Tickets that cannot be given back cannot be exchanged either.
async fn why_not(state: &AppState, booking: &Booking) -> Result<String, Problem> {
    if booking.status_at(state.store().now()) != BookingStatus::Confirmed {
        return Ok("There are no tickets here that could be exchanged.".to_owned());
    }
    match state.office.quote_cancellation(booking.id, None).await {
        Ok(_) => Ok(String::new()),
        Err(StoreError::Refused(refusal)) => Ok(Problem::from(refusal).detail()),
        Err(other) => Err(other.into()),
    }
}

fn exchange_link(booking: &Booking) -> String {
    format!("{}/exchange", link::booking(booking.id))
}

fn seats_link(booking: &Booking, show: &Show) -> String {
    let show: String = form_urlencoded::byte_serialize(show.id().as_str().as_bytes()).collect();
    format!("{}/seats?show={show}", exchange_link(booking))
}

async fn choose_seats(
    State(state): State<AppState>,
    visitor: Visitor,
    PathId(id): PathId,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let booking = visitor.open(&state, &id).await?;
    let fields = Fields::read(&query.unwrap_or_default().into());
    let show = asked_show(&state, &fields).await?;
    let own = booking.live_seats().filter(|_| show.no == booking.id.show()).map(|seat| seat.id.clone()).collect();
    seats_page(&state, &booking, &show, &own, None).await
}

async fn asked_show(state: &AppState, fields: &Fields) -> Result<Arc<Show>, Problem> {
    let missing = || Problem::not_found("show");
    let id = CatalogueId::new(fields.one("show").ok_or_else(missing)?).map_err(|_| missing())?;
    state.store().show(id).await?.ok_or_else(missing)
}

async fn seats_page(
    state: &AppState,
    booking: &Booking,
    show: &Show,
    chosen: &HashSet<String>,
    refusal: Option<(Message, StatusCode)>,
) -> Result<Response, Problem> {
    let read = without_own(booking, state.store().seats(show.no).await?);
    let occupancy = read.seats.occupancy(read.now);
    let ask = PriceAsk { show, channel: Channel::Web, bought_at: read.now, occupancy, promo: None };
    let prices = pricing::ticket_prices(&ask)
        .map_err(|e| Problem::Bug(format!("the prices of show {} cannot be reckoned: {e}", show.id())))?;
    let local = show.local_start();
    let status = refusal.as_ref().map_or(StatusCode::OK, |(_, status)| *status);
    let yours: Vec<&str> = booking.live_seats().map(|seat| seat.label.as_str()).collect();
    let page = SeatsPage {
        shell: Shell::new(state),
        here: exchange_link(booking),
        show: show.id().to_string(),
        title: show.movie.title.english().to_owned(),
        date: text::long_date(local.date()),
        clock: text::clock(&local),
        place: format!("{}, {}", show.theatre.name.english(), show.theatre.city),
        hall: show.screen.name.english().to_owned(),
        yours: text::list(&yours),
        same_show: show.no == booking.id.show(),
        layout_version: show.layout.version(),
        refusal: refusal.map(|(message, _)| message),
        plan: seat_plan::plan(show, &read, &prices, chosen),
    };
    shell::page_with(status, &page).map(shell::private)
}

/// The seats that the booking has are free to it.
fn without_own(booking: &Booking, mut read: SeatsRead) -> SeatsRead {
    let own = |claim: &boxoffice::claim::Claim| claim.booking() == Some(booking.id);
    for claim in read.seats.claims.iter_mut().filter(|claim| claim.as_ref().is_some_and(own)) {
        *claim = None;
    }
    read
}

/// The seats of a form, the n-th with the type of the n-th ticket that is given.
fn request(booking: &Booking, show: &Show, fields: &Fields) -> ExchangeRequest {
    let mut tickets = booking.live_tickets();
    let mut seat = |id: &str| AskedSeat {
        seat: SeatAsk::Id(id.to_owned()),
        ticket_type: tickets.next().map(|ticket: &Ticket| ticket.ticket_type.clone()),
    };
    let seats = SeatsAsked::These(fields.all("seat").map(&mut seat).collect());
    let total = fields.one("total").and_then(|minor| minor.parse().ok());
    let hold = HoldRequest {
        show: show.id().clone(),
        seats,
        layout_version: fields.one("layout_version").and_then(|v| v.parse().ok()),
        channel: Channel::Web,
        customer: Customer::default(),
        metadata: BTreeMap::new(),
        mine: vec![booking.id],
        expected_total: total.map(|minor| Money::from_minor(minor, show.theatre.currency)),
        promo_code: None,
    };
    ExchangeRequest { hold, tickets: None }
}

async fn terms(
    State(state): State<AppState>,
    visitor: Visitor,
    PathId(id): PathId,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let booking = visitor.open(&state, &id).await?;
    let fields = Fields::read(&query.unwrap_or_default().into());
    let show = asked_show(&state, &fields).await?;
    match state.office.quote_exchange(booking.id, request(&booking, &show, &fields)).await {
        Ok(outcome) => terms_page(&state, &booking, &show, &fields, &outcome).await,
        Err(StoreError::Refused(refusal)) => refused(&state, &booking, &show, &fields, refusal).await,
        Err(other) => Err(other.into()),
    }
}

async fn terms_page(
    state: &AppState,
    booking: &Booking,
    show: &Show,
    fields: &Fields,
    outcome: &Outcome,
) -> Result<Response, Problem> {
    let new = outcome.booking.as_ref().ok_or_else(|| Problem::Bug("a quote without seats".into()))?;
    let (to_pay, back, kept) = if let Effect::Exchanged { given, .. } = &outcome.effect {
        (String::new(), words(given.amount), words(given.kept))
    } else if let Effect::ExchangeHeld { back } = &outcome.effect {
        (words(new.price.total), words(*back), String::new())
    } else {
        return Err(Problem::Bug(format!("a quoted exchange answered {:?}", outcome.effect)));
    };
    let page = TermsPage {
        shell: Shell::new(state),
        summary: booking::summary(booking, &*booking::show_of(state, booking).await?),
        new: booking::summary(new, show),
        show: show.id().to_string(),
        layout_version: show.layout.version(),
        seats: fields.all("seat").map(str::to_owned).collect(),
        total: new.price.total.minor(),
        to_pay,
        back,
        kept,
        other_seats: seats_link(booking, show),
        once: once::fresh(&*state.entropy),
    };
    shell::page(&page).map(shell::private)
}

fn words(money: Money) -> String {
    if money.is_zero() { String::new() } else { text::money(money) }
}

async fn exchange(
    State(state): State<AppState>,
    visitor: Visitor,
    PathId(id): PathId,
    Whole(body): Whole,
) -> Result<Response, Problem> {
    let booking = visitor.open(&state, &id).await?;
    let fields = Fields::read(&body);
    let show = asked_show(&state, &fields).await?;
    let key = once::idempotency(fields.one(once::FIELD), &exchange_link(&booking), &body);
    match state.office.exchange(booking.id, request(&booking, &show, &fields), key).await {
        Ok(done) => {
            let new = booking_of(&done)?.id;
            let response = Redirect::to(&link::booking(new)).into_response();
            Ok(shell::private(visitor.remember(&state, new, response)))
        }
        Err(StoreError::Refused(refusal)) => refused(&state, &booking, &show, &fields, refusal).await,
        Err(other) => Err(other.into()),
    }
}

/// The seats once more, with why not; where the tickets are what stands against it, the page that says so.
async fn refused(
    state: &AppState,
    booking: &Booking,
    show: &Show,
    fields: &Fields,
    refusal: Refusal,
) -> Result<Response, Problem> {
    if matches!(refusal, Refusal::NotCancellable(_) | Refusal::PaymentDisputed) {
        return Ok(shell::private(Redirect::to(&exchange_link(booking)).into_response()));
    }
    let message = if matches!(refusal, Refusal::PriceChanged { .. }) {
        let text = "Nothing was exchanged. Look at what it comes to now.".to_owned();
        Some(Message { title: "The price has just changed", text })
    } else {
        show::message(&refusal)
    };
    let Some(message) = message else { return Err(refusal.into()) };
    let status = Problem::from(refusal).status();
    let chosen = seat_plan::named(show, fields.all("seat"));
    seats_page(state, booking, show, &chosen, Some((message, status))).await
}
