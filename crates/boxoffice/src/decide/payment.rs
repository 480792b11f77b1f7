//! Starting to pay: an attempt with a frozen amount, a hold that is extended once, a page.

use super::{Changes, Draft, State, Stop, settle};
use crate::booking::{Attempt, AttemptStatus, Booking, BookingStatus};
use crate::claim::{Claim, ClaimChange};
use crate::command::{Effect, OpenCheckout};
use crate::event::EventKind;
use crate::id::PartId;
use crate::refusal::{FieldError, HoldOver, Refusal};
use crate::time::{Span, Timestamp};

/// The first payment start moves the deadline to at least this much after now.
const EXTENSION: Span = Span::from_mins(5);
/// And never further than this past the deadline given at the hold.
const EXTENSION_MAX: Span = Span::from_mins(5);
/// The payment page ends this much before the hold, so that a payment made in time finds it alive.
const PAGE_MARGIN: Span = Span::from_secs(60);
/// A page that would be open for less is not worth opening.
const PAGE_MIN: Span = Span::from_secs(30);
/// When a started attempt is first asked about.
const FIRST_ASK: Span = Span::from_secs(45);

pub(super) fn start(state: State<'_>, gateway: &str, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    let booking = &mut draft.booking;
    if let Some(free) = free_attempt(booking) {
        return Ok(draft.done(Effect::PaymentStarted { attempt: free }));
    }
    if let Some(refusal) = Refusal::for_status(booking.status_at(now)) {
        return Err(refusal.into());
    }
    if state.show.spec.cancelled {
        return Err(Refusal::ShowCancelled.into());
    }
    if !booking.customer.can_be_reached() {
        let need = FieldError::new("/customer/email", "An e-mail address or a phone number is needed before paying.");
        return Err(Refusal::InvalidRequest(vec![need]).into());
    }
    if booking.price.total.is_zero() {
        return settle::confirm_free(state, draft, gateway);
    }
    if let Some(open) = booking.open_attempt(now) {
        let effect = Effect::PaymentStarted { attempt: open.id.no };
        let same = open.gateway == gateway;
        return if same { Ok(draft.done(effect)) } else { Err(Refusal::PaymentInProgress.into()) };
    }
    draft.claims = extend(state, booking, now);
    let page_ends_at = booking.expires_at - PAGE_MARGIN;
    if page_ends_at < now + PAGE_MIN {
        return Err(Refusal::HoldExpired(HoldOver::TooLittleTime).into());
    }
    close_pages_soon(booking, now);
    let attempt = new_attempt(booking, gateway, page_ends_at, now);
    let no = attempt.id.no;
    booking.attempts.push(attempt);
    draft.event(EventKind::PaymentStarted { attempt: no });
    Ok(draft.done(Effect::PaymentStarted { attempt: no }))
}

/// The attempt that confirmed a booking with nothing to pay: starting again answers it again.
fn free_attempt(booking: &Booking) -> Option<u16> {
    let free = booking.status == BookingStatus::Confirmed && booking.price.total.is_zero();
    booking.attempts.iter().find(|a| free && a.status == AttemptStatus::Succeeded).map(|a| a.id.no)
}

/// A booking that ended, is paid or starts another attempt has its other pages closed: the job
/// does it at its next tick.
pub(super) fn close_pages_soon(booking: &mut Booking, now: Timestamp) {
    for attempt in booking.attempts.iter_mut().filter(|a| !a.closed && a.status != AttemptStatus::Succeeded) {
        attempt.ask_at = Some(now);
    }
}

pub(super) fn new_attempt(booking: &Booking, gateway: &str, page_ends_at: Timestamp, now: Timestamp) -> Attempt {
    let last = booking.attempts.iter().map(|a| a.id.no).max().unwrap_or(0);
    Attempt {
        id: PartId { booking: booking.id, no: last + 1 },
        gateway: gateway.to_owned(),
        status: AttemptStatus::Started,
        amount: booking.price.total,
        payment_id: None,
        checkout_url: None,
        checkout_ends_at: page_ends_at,
        started_at: now,
        captured: None,
        closed: false,
        ask_at: Some(now + FIRST_ASK),
    }
}

/// Moves the deadline, once per booking, and the claims with it.
fn extend(state: State<'_>, booking: &mut Booking, now: Timestamp) -> Vec<ClaimChange> {
    if booking.extended {
        return Vec::new();
    }
    booking.extended = true;
    let limit = booking.first_deadline + EXTENSION_MAX;
    let until = booking.expires_at.max(now + EXTENSION).min(limit);
    if until == booking.expires_at {
        return Vec::new();
    }
    booking.expires_at = until;
    let held = Claim::Held { booking: booking.id, until };
    let own = |seat| state.seats.claim(seat).filter(|c| c.booking() == Some(booking.id)).copied();
    let move_on = |was, seat| ClaimChange { seat, was: Some(was), becomes: Some(held) };
    booking.seats.iter().filter_map(|s| own(s.no).map(|was| move_on(was, s.no))).collect()
}

pub(super) fn open_checkout(state: State<'_>, open: &OpenCheckout, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    let effect = Effect::CheckoutOpened { attempt: open.attempt };
    let over = draft.booking.status_at(now) != BookingStatus::PendingPayment;
    let Some(attempt) = draft.booking.attempts.iter_mut().find(|a| a.id.no == open.attempt) else {
        return Err(Refusal::NotFound("payment").into());
    };
    if attempt.checkout_url.is_some() {
        return Ok(draft.done(effect));
    }
    attempt.payment_id.get_or_insert_with(|| open.payment_id.clone());
    attempt.checkout_url = Some(open.checkout_url.clone());
    if over {
        // The booking ended while the provider made the page: it is closed at the next tick.
        attempt.closed = attempt.status == AttemptStatus::Succeeded;
        attempt.ask_at = (!attempt.closed).then_some(now);
    }
    draft.event(EventKind::CheckoutOpened { attempt: open.attempt });
    Ok(draft.done(effect))
}
