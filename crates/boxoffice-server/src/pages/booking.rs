//! A booking's page, in each of its states: to pay, paying, confirmed, expired, cancelled.

use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use boxoffice::booking::{AttemptStatus, Booking, BookingStatus, LineKind, Refund, RefundStatus};
use boxoffice::money::Money;
use boxoffice::show::Show;
use boxoffice::time::Timestamp;

use super::poster::{self, Poster};
use super::shell::{self, Shell};
use super::visitor::Visitor;
use super::{changes, link, once, programme, text};
use crate::app::AppState;
use crate::http::Problem;
use crate::http::extract::PathId;

pub fn router() -> Router<AppState> {
    Router::new().route("/bookings/{id}", get(read))
}

/// What all pages about a booking say of it.
#[derive(Debug, Clone)]
pub struct Summary {
    pub here: String,
    pub reference: String,
    pub title: String,
    pub poster: Poster,
    pub date: String,
    pub clock: String,
    pub night: String,
    pub place: String,
    pub address: String,
    pub hall: String,
    pub version: String,
    pub seats: String,
    pub seat_count: String,
    pub lines: Vec<Line>,
    pub total: String,
    pub tax: String,
    pub policy: String,
    pub show_link: String,
}

/// A line of the price.
#[derive(Debug, Clone)]
pub struct Line {
    pub label: String,
    pub quantity: String,
    pub amount: String,
}

/// The fields of the checkout form as they were sent, with what is wrong with them.
#[derive(Debug, Clone, Default)]
pub struct Form {
    pub name: String,
    pub email: String,
    pub phone: String,
    pub name_error: String,
    pub email_error: String,
    pub phone_error: String,
    /// The promo code.
    pub code: String,
    pub code_error: String,
    /// What is wrong with the form as a whole.
    pub error: String,
}

impl Form {
    pub fn is_wrong(&self) -> bool {
        [&self.name_error, &self.email_error, &self.phone_error, &self.error].iter().any(|e| !e.is_empty())
    }
}

#[derive(Template)]
#[template(path = "checkout.html")]
struct Checkout {
    shell: Shell,
    summary: Summary,
    form: Form,
    once: String,
    left: String,
    until: String,
    last_minute: bool,
    declined: bool,
    /// A payment page is open: pressing Pay leads back to it.
    paying: bool,
    can_pay: bool,
    /// Nothing is to be paid.
    free: bool,
    /// A promo code is in use.
    has_code: bool,
    /// When the show was to play at the hold, if it has moved since.
    moved: String,
    /// The show is cancelled.
    cancelled: bool,
    /// Tickets go back for it.
    replaces: bool,
}

#[derive(Template)]
#[template(path = "processing.html")]
struct Processing {
    shell: Shell,
    summary: Summary,
}

#[derive(Template)]
#[template(path = "booking.html")]
struct Ended {
    shell: Shell,
    summary: Summary,
    state: Stage,
    confirmed: bool,
    once: String,
    refunds: Vec<String>,
    kept: String,
    moved: String,
    warning: &'static str,
    /// The page of the booking that its last tickets were exchanged for.
    exchanged_for: Option<String>,
}

/// What the page of a booking that is not to be paid any more says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Confirmed,
    Expired,
    Cancelled,
}

async fn read(
    State(state): State<AppState>,
    visitor: Visitor,
    PathId(id): PathId,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let mut booking = visitor.open(&state, &id).await?;
    let returned = query.as_deref() == Some("returned");
    if returned && waits(&booking, state.store().now()) {
        booking = state.office.ask_now(booking.id).await?;
    }
    let now = state.store().now();
    match booking.status_at(now) {
        BookingStatus::PendingPayment if returned && waits(&booking, now) => processing(&state, &booking).await,
        BookingStatus::PendingPayment => checkout(&state, &booking, Form::of(&booking), StatusCode::OK).await,
        BookingStatus::Confirmed => ended(&state, &booking, Stage::Confirmed).await,
        BookingStatus::Expired => ended(&state, &booking, Stage::Expired).await,
        BookingStatus::Cancelled => ended(&state, &booking, Stage::Cancelled).await,
    }
}

/// The buyer came back and the provider has not decided yet.
fn waits(booking: &Booking, now: Timestamp) -> bool {
    booking.status_at(now) == BookingStatus::PendingPayment && booking.open_attempt(now).is_some()
}

impl Form {
    #[must_use]
    pub fn of(booking: &Booking) -> Self {
        let customer = booking.customer.clone();
        Self {
            name: customer.name.unwrap_or_default(),
            email: customer.email.unwrap_or_default(),
            phone: customer.phone.unwrap_or_default(),
            code: booking.promo.as_ref().map(|used| used.code.to_string()).unwrap_or_default(),
            ..Self::default()
        }
    }
}

/// The page on which a booking is paid.
///
/// # Errors
/// A fault of the store.
pub async fn checkout(
    state: &AppState,
    booking: &Booking,
    form: Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let show = show_of(state, booking).await?;
    let now = state.store().now();
    let until = booking.expires_at.to_jiff().to_zoned_datetime(show.theatre.timezone.tz().clone());
    let last = booking.attempts.last().map(|a| a.status);
    let page = Checkout {
        shell: Shell::new(state),
        summary: summary(booking, &show),
        form,
        once: once::fresh(&*state.entropy),
        left: text::time_left(now, booking.expires_at),
        until: text::clock(&until),
        last_minute: (booking.expires_at - now).as_ms() < 60_000,
        declined: last == Some(AttemptStatus::Declined),
        paying: booking.open_attempt(now).is_some(),
        can_pay: state.office.gateway_names().next().is_some(),
        free: booking.price.total.is_zero(),
        has_code: booking.promo.is_some(),
        moved: changes::moved(booking, &show),
        cancelled: show.spec.cancelled,
        replaces: booking.replaces.is_some(),
    };
    shell::page_with(status, &page).map(shell::private)
}

async fn processing(state: &AppState, booking: &Booking) -> Result<Response, Problem> {
    let show = show_of(state, booking).await?;
    shell::page(&Processing { shell: Shell::new(state), summary: summary(booking, &show) }).map(shell::private)
}

async fn ended(state: &AppState, booking: &Booking, stage: Stage) -> Result<Response, Problem> {
    let show = show_of(state, booking).await?;
    let page = Ended {
        shell: Shell::new(state),
        summary: summary(booking, &show),
        state: stage,
        confirmed: stage == Stage::Confirmed,
        once: once::fresh(&*state.entropy),
        refunds: booking.refunds.iter().filter(|refund| refund.moved_to.is_none()).map(refund_sentence).collect(),
        kept: kept(booking)?,
        moved: changes::moved(booking, &show),
        warning: changes::warning(booking, &show),
        exchanged_for: booking.cancellations.last().and_then(|c| c.exchanged_for).map(link::booking),
    };
    shell::page(&page).map(shell::private)
}

/// What the cinema keeps of the tickets that were given back.
fn kept(booking: &Booking) -> Result<String, Problem> {
    let kept = booking.cancellations.iter().map(|c| c.kept);
    let kept = Money::sum(booking.price.total.currency(), kept).map_err(|e| Problem::Bug(e.to_string()))?;
    Ok(if kept.is_zero() { String::new() } else { text::money(kept) })
}

/// The show of a booking, as it stands now.
///
/// # Errors
/// A fault of the store, or a bug if the show is gone: shows are never deleted.
pub async fn show_of(state: &AppState, booking: &Booking) -> Result<std::sync::Arc<Show>, Problem> {
    let show = state.store().show_by_no(booking.id.show()).await?;
    show.ok_or_else(|| Problem::Bug(format!("the show of booking {} is gone", booking.id)))
}

#[must_use]
pub fn summary(booking: &Booking, show: &Show) -> Summary {
    let local = show.local_start();
    let mut labels: Vec<&str> = booking.live_seats().map(|s| s.label.as_str()).collect();
    if labels.is_empty() {
        labels = booking.seats.iter().map(|s| s.label.as_str()).collect();
    }
    let shown = |kind: LineKind| matches!(kind, LineKind::Ticket | LineKind::Fee | LineKind::Discount);
    let line = |l: &boxoffice::booking::PriceLine| Line {
        label: l.label.clone(),
        quantity: if l.quantity > 1 { format!("{} ×", l.quantity) } else { String::new() },
        amount: text::money(l.amount),
    };
    Summary {
        here: link::booking(booking.id),
        reference: booking.reference.clone(),
        title: show.movie.title.english().to_owned(),
        poster: poster::draw(&show.movie, &show.theatre.country),
        date: text::long_date(local.date()),
        clock: text::clock(&local),
        night: programme::night(show),
        place: format!("{}, {}", show.theatre.name.english(), show.theatre.city),
        address: show.theatre.address.as_ref().map(|a| a.english().to_owned()).unwrap_or_default(),
        hall: show.screen.name.english().to_owned(),
        version: programme::version(show),
        seats: text::list(&labels),
        seat_count: text::count(labels.len(), "seat", "seats"),
        lines: booking.price.lines.iter().filter(|l| shown(l.kind)).map(line).collect(),
        total: text::money(booking.price.total),
        tax: if booking.price.tax.is_zero() { String::new() } else { text::money(booking.price.tax) },
        policy: policy_sentence(booking),
        show_link: link::show(booking.show.id.as_str()),
    }
}

/// The refund rule in one sentence.
#[must_use]
pub fn policy_sentence(booking: &Booking) -> String {
    let [first, others @ ..] = booking.refund_policy.tiers.as_slice() else {
        return "These tickets cannot be given back for money.".to_owned();
    };
    let fees = if booking.price.refundable_fees.is_zero() { " Fees are not given back." } else { "" };
    let mut rule = format!(
        "Cancel up to {} before the start and {}% of the ticket price comes back",
        span(first.before),
        first.percent
    );
    for tier in others {
        rule.push_str(&format!(", up to {} before {}%", span(tier.before), tier.percent));
    }
    format!("{rule}; later nothing.{fees}")
}

fn span(span: boxoffice::time::Span) -> String {
    let minutes = usize::try_from(span.as_ms() / 60_000).unwrap_or(0);
    if minutes.is_multiple_of(60) {
        text::count(minutes / 60, "hour", "hours")
    } else {
        text::count(minutes, "minute", "minutes")
    }
}

fn refund_sentence(refund: &Refund) -> String {
    let amount = text::money(refund.amount);
    let progress = match refund.status {
        RefundStatus::Requested | RefundStatus::Unknown => "is on its way back to you",
        RefundStatus::Succeeded => "has gone back to you by the way you paid",
        RefundStatus::Failed => "could not be sent back yet; the cinema is looking after it",
    };
    format!("{amount} {progress}. {}", refund.reason.explanation())
}
