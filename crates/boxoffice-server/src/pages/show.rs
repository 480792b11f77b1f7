//! A show's page: choose seats, or let the best be chosen, and hold them.

use std::collections::{BTreeMap, HashSet};

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use boxoffice::booking::{BookingStatus, Channel, Customer};
use boxoffice::layout::SeatAsk;
use boxoffice::pricing::{self, PriceAsk};
use boxoffice::refusal::{FieldError, NotOnSale, Refusal, TakenReason, TakenSeat};
use boxoffice::service::{AskedSeat, HoldRequest, SeatsAsked};
use boxoffice::show::Show;
use boxoffice::store::StoreError;

use super::poster::{self, Poster};
use super::seat_plan::{self, Plan};
use super::shell::{self, Shell};
use super::visitor::Visitor;
use super::{link, once, programme, text};
use crate::app::AppState;
use crate::form::Fields;
use crate::http::Problem;
use crate::http::api::bookings::booking_of;
use crate::http::api::{cities, shows};
use crate::http::extract::{PathId, Whole};

/// Choosing so many of the best seats is offered in one press.
const BEST_MAX: u16 = 6;

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/shows/{id}", get(read).post(hold))
        .route("/shows/{programme}/{date}/{time}", get(read).post(hold))
}

#[derive(Template)]
#[template(path = "show.html")]
struct Page {
    shell: Shell,
    here: String,
    title: String,
    movie_link: String,
    programme_link: String,
    programme_name: String,
    poster: Poster,
    date: String,
    clock: String,
    night: String,
    place: String,
    hall: String,
    version: String,
    /// Why the last wish could not be granted.
    refusal: Option<Message>,
    /// Why nothing can be bought here now.
    closed: Option<&'static str>,
    seats_left: String,
    max_seats: u16,
    hold_minutes: i64,
    best: Vec<u16>,
    once: String,
    once_best: String,
    layout_version: u32,
    plan: Plan,
    mine: Vec<Mine>,
}

/// Seats that this browser holds for the show already.
struct Mine {
    link: String,
    seats: String,
    left: String,
}

/// A "no" in words, with the page that helps if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub title: &'static str,
    pub text: String,
}

async fn read(State(state): State<AppState>, visitor: Visitor, id: PathId) -> Result<Response, Problem> {
    let show = find(&state, &id).await?;
    render(&state, &visitor, &show, &HashSet::new(), None).await
}

async fn find(state: &AppState, id: &PathId) -> Result<std::sync::Arc<Show>, Problem> {
    state.store().show(id.catalogue_id("show")?).await?.ok_or_else(|| Problem::not_found("show"))
}

async fn hold(
    State(state): State<AppState>,
    visitor: Visitor,
    id: PathId,
    Whole(body): Whole,
) -> Result<Response, Problem> {
    let show = find(&state, &id).await?;
    let fields = Fields::read(&body);
    let chosen = seat_plan::named(&show, fields.all("seat"));
    let seats = match asked(&fields) {
        Ok(seats) => seats,
        Err(refusal) => return refused(&state, &visitor, &show, &chosen, refusal).await,
    };
    let request = HoldRequest {
        show: show.id().clone(),
        seats,
        layout_version: fields.one("layout_version").and_then(|v| v.parse().ok()),
        channel: Channel::Web,
        customer: Customer::default(),
        metadata: BTreeMap::new(),
        mine: visitor.bookings().to_vec(),
        expected_total: None,
        promo_code: None,
    };
    let key = once::idempotency(fields.one(once::FIELD), &link::show(show.id().as_str()), &body);
    match state.office.hold(request, key).await {
        Ok(done) => {
            let id = booking_of(&done)?.id;
            let response = Redirect::to(&link::booking(id)).into_response();
            Ok(shell::private(visitor.remember(&state, id, response)))
        }
        Err(StoreError::Refused(refusal)) => refused(&state, &visitor, &show, &chosen, refusal).await,
        Err(other) => Err(other.into()),
    }
}

fn asked(fields: &Fields) -> Result<SeatsAsked, Refusal> {
    if let Some(count) = fields.one("count") {
        let wrong = |_| Refusal::InvalidRequest(vec![FieldError::new("/count", "Say how many seats with a number.")]);
        let count = count.parse().map_err(wrong)?;
        let category = fields.one("category").map(str::to_owned);
        return Ok(SeatsAsked::Best { count, category });
    }
    let seat = |id: &str| AskedSeat { seat: SeatAsk::Id(id.to_owned()), ticket_type: None };
    Ok(SeatsAsked::These(fields.all("seat").map(seat).collect()))
}

/// The same page again, saying why not, with the other chosen seats still chosen.
///
/// # Errors
/// The refusal itself where this page cannot help, or a fault of the store.
pub async fn refused(
    state: &AppState,
    visitor: &Visitor,
    show: &Show,
    chosen: &HashSet<String>,
    refusal: Refusal,
) -> Result<Response, Problem> {
    let Some(message) = message(&refusal) else { return Err(refusal.into()) };
    let status = Problem::from(refusal).status();
    let mut response = render(state, visitor, show, chosen, Some(message)).await?;
    *response.status_mut() = status;
    Ok(response)
}

/// What a buyer is told. `None`: this page cannot help.
#[must_use]
pub fn message(refusal: &Refusal) -> Option<Message> {
    let say = |title: &'static str, text: String| Some(Message { title, text });
    match refusal {
        Refusal::SeatsUnavailable(seats) => say("Not all of these seats are free", taken(seats)),
        Refusal::NotEnoughSeats { count: 1 } => say("No such seat is free", "Choose another category or show.".into()),
        Refusal::NotEnoughSeats { count } => say(
            "No such seats are free",
            format!("There are not {count} such seats left. Choose fewer, or choose them yourself below."),
        ),
        Refusal::NoSeats => say("No seat is chosen yet", "Tick the seats you want, then hold them.".into()),
        Refusal::TooManySeats { max } => say(
            "That is too many at once",
            format!("You can book {} at once here.", text::count(usize::from(*max), "seat", "seats")),
        ),
        Refusal::LayoutChanged { .. } => {
            say("The hall has changed", "The seats below are the new ones; choose again.".into())
        }
        Refusal::UnknownSeats(_) | Refusal::AmbiguousSeats(_) | Refusal::DuplicateSeats(_) => {
            say("The seats could not be read", "Choose them again below.".into())
        }
        Refusal::SalesClosed(NotOnSale::Restored | NotOnSale::Unanswered(_)) => {
            say("Nothing is sold at the moment", "Try again later.".into())
        }
        Refusal::SalesClosed(NotOnSale::Early | NotOnSale::Over) => {
            say("Not on sale", "The sale for this show is closed on the web.".into())
        }
        Refusal::ShowCancelled => say("This show is cancelled", "Choose another show.".into()),
        Refusal::RequestInProgress => say("Still at it", "The same request is running. Try again in a moment.".into()),
        Refusal::InvalidRequest(errors) => {
            let details: Vec<&str> = errors.iter().map(|error| error.detail.as_str()).collect();
            say("That cannot be done as it was sent", details.join(" "))
        }
        Refusal::NotATicket
        | Refusal::UnknownTicket
        | Refusal::TicketVoid { .. }
        | Refusal::WrongShow(_)
        | Refusal::PaymentDisputed
        | Refusal::AlreadyAdmitted { .. }
        | Refusal::TooEarly { .. }
        | Refusal::InUse(_)
        | Refusal::NotFound(_)
        | Refusal::IdempotencyKeyReused
        | Refusal::PriceChanged { .. }
        | Refusal::PromoCodeInvalid(_)
        | Refusal::PromoCodeUsedUp
        | Refusal::HoldExpired(_)
        | Refusal::PaymentInProgress
        | Refusal::AlreadyPaid
        | Refusal::NotCancellable(_)
        | Refusal::AlreadyRefunded { .. }
        | Refusal::ShowMoved(_)
        | Refusal::GatewayUnavailable { .. }
        | Refusal::NoGateway
        | Refusal::ClockBackwards { .. } => None,
    }
}

fn taken(seats: &[TakenSeat]) -> String {
    let why = |reason: TakenReason| match reason {
        TakenReason::Held => "is being bought by somebody else",
        TakenReason::HeldByYou => "is already held by you",
        TakenReason::Booked => "has been sold",
        TakenReason::Blocked => "is not for sale",
    };
    let each: Vec<String> = seats.iter().map(|s| format!("{} {}", s.label, why(s.reason))).collect();
    format!("{}. Nothing was held; your other seats are still ticked.", text::list(&each))
}

async fn render(
    state: &AppState,
    visitor: &Visitor,
    show: &Show,
    chosen: &HashSet<String>,
    refusal: Option<Message>,
) -> Result<Response, Problem> {
    let read = state.store().seats(show.no).await?;
    let occupancy = read.seats.occupancy(read.now);
    let ask = PriceAsk { show, channel: Channel::Web, bought_at: read.now, occupancy, promo: None };
    let prices = pricing::ticket_prices(&ask)
        .map_err(|e| Problem::Bug(format!("the prices of show {} cannot be reckoned: {e}", show.id())))?;
    let seats_left = read.seats.seats_left(read.now);
    let local = show.local_start();
    let max_seats = show.spec.max_seats;
    let page = Page {
        shell: Shell::new(state),
        here: link::show(show.id().as_str()),
        title: show.movie.title.english().to_owned(),
        movie_link: link::movie(show.movie.id.as_str()),
        programme_link: format!("{}?date={}", link::city(&cities::slug(&show.theatre.city)), show.business_day),
        programme_name: format!("{}, {}", show.theatre.city, text::short_date(show.business_day)),
        poster: poster::draw(&show.movie, &show.theatre.country),
        date: text::long_date(local.date()),
        clock: text::clock(&local),
        night: programme::night(show),
        place: format!("{}, {}", show.theatre.name.english(), show.theatre.city),
        hall: show.screen.name.english().to_owned(),
        version: programme::version(show),
        refusal,
        closed: closed(shows::status(show, seats_left, (read.now, read.sales))),
        seats_left: text::count(seats_left, "seat", "seats"),
        max_seats,
        hold_minutes: show.spec.hold.as_ms() / 60_000,
        best: (1..=max_seats.min(BEST_MAX)).collect(),
        once: once::fresh(&*state.entropy),
        once_best: once::fresh(&*state.entropy),
        layout_version: show.layout.version(),
        plan: seat_plan::plan(show, &read, &prices, chosen),
        mine: mine(state, visitor, show).await?,
    };
    shell::page_with(StatusCode::OK, &page).map(shell::private)
}

fn closed(status: &str) -> Option<&'static str> {
    match status {
        "cancelled" => Some("This show is cancelled."),
        "closed" => Some("This show is not on sale on the web now."),
        "sold_out" => Some("This show is sold out. A seat that somebody lets go comes back here by itself."),
        _ => None,
    }
}

async fn mine(state: &AppState, visitor: &Visitor, show: &Show) -> Result<Vec<Mine>, Problem> {
    let now = state.store().now();
    let mut mine = Vec::new();
    for id in visitor.bookings().iter().filter(|id| id.show() == show.no) {
        let Some(booking) = state.store().booking(*id).await? else { continue };
        if booking.status_at(now) == BookingStatus::PendingPayment {
            let labels: Vec<&str> = booking.seats.iter().map(|s| s.label.as_str()).collect();
            let left = text::time_left(now, booking.expires_at);
            mine.push(Mine { link: link::booking(*id), seats: text::list(&labels), left });
        }
    }
    Ok(mine)
}
