//! Starting to pay: an attempt with a frozen amount, a hold that is extended once, a page.

use super::{Changes, Draft, State, Stop, follow, hold, settle};
use crate::booking::{Attempt, AttemptStatus, Booking, BookingStatus};
use crate::claim::{Claim, ClaimChange};
use crate::command::{Effect, OpenCheckout};
use crate::event::EventKind;
use crate::gateway::COUNTER;
use crate::id::PartId;
use crate::refusal::{HoldOver, Refusal, ShowMove};
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
/// Nobody needs to try more often to pay for one hold.
const ATTEMPTS_MAX: usize = 20;

pub(super) fn start(state: State<'_>, gateway: &str, return_url: &str, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    let booking = &mut draft.booking;
    if let Some(free) = free_attempt(booking) {
        return Ok(draft.done(Effect::PaymentStarted { attempt: free }));
    }
    let status = booking.status_at(now);
    if status == BookingStatus::PendingPayment {
        state.sales.must_be_open()?;
    }
    if state.show.spec.cancelled && status != BookingStatus::Confirmed {
        return Err(Refusal::ShowCancelled.into());
    }
    if let Some(refusal) = Refusal::for_status(status) {
        return Err(refusal.into());
    }
    if follow::is_moved(state, booking) {
        let change = ShowMove { old: booking.show.clone(), new: hold::stamp(state) };
        return Err(Refusal::ShowMoved(Box::new(change)).into());
    }
    if !booking.customer.can_be_reached() {
        return Err(Refusal::contact_needed().into());
    }
    if booking.price.total.is_zero() {
        return settle::confirm_at_once(state, draft, gateway);
    }
    if let Some(open) = booking.open_attempt(now) {
        let effect = Effect::PaymentStarted { attempt: open.id.no };
        let same = open.gateway == gateway;
        return if same { Ok(draft.done(effect)) } else { Err(Refusal::PaymentInProgress.into()) };
    }
    if booking.attempts.len() >= ATTEMPTS_MAX {
        return Err(Refusal::HoldExpired(HoldOver::TooManyAttempts).into());
    }
    draft.claims = extend(state, booking, now);
    let page_ends_at = booking.expires_at - PAGE_MARGIN;
    if page_ends_at < now + PAGE_MIN {
        return Err(Refusal::HoldExpired(HoldOver::TooLittleTime).into());
    }
    close_pages_soon(booking, now);
    let mut attempt = new_attempt(booking, gateway, page_ends_at, now)?;
    return_url.clone_into(&mut attempt.return_url);
    let no = attempt.id.no;
    booking.attempts.push(attempt);
    draft.event(EventKind::PaymentStarted { attempt: no });
    Ok(draft.done(Effect::PaymentStarted { attempt: no }))
}

/// Staff took the money by hand: no page, and the booking is confirmed in the same step.
pub(super) fn pay_at_counter(state: State<'_>, now: Timestamp) -> Result<Changes, Stop> {
    let draft = Draft::of(state, now)?;
    let booking = &draft.booking;
    let paid_here = |a: &&Attempt| a.gateway == COUNTER && booking.paid_by == Some(a.id.no);
    if let Some(paid) = booking.attempts.iter().find(paid_here) {
        let effect = Effect::PaymentStarted { attempt: paid.id.no };
        return Ok(draft.done(effect));
    }
    if let Some(refusal) = Refusal::for_status(booking.status_at(now)) {
        return Err(refusal.into());
    }
    state.sales.must_be_open()?;
    if state.show.spec.cancelled {
        return Err(Refusal::ShowCancelled.into());
    }
    if booking.open_attempt(now).is_some() {
        return Err(Refusal::PaymentInProgress.into());
    }
    settle::confirm_at_once(state, draft, COUNTER)
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

pub(super) fn new_attempt(
    booking: &Booking,
    gateway: &str,
    page_ends_at: Timestamp,
    now: Timestamp,
) -> Result<Attempt, Stop> {
    let no = super::next_no(booking.attempts.iter().map(|a| a.id.no))?;
    Ok(Attempt {
        id: PartId { booking: booking.id, no },
        gateway: gateway.to_owned(),
        status: AttemptStatus::Started,
        amount: booking.price.total,
        payment_id: None,
        checkout_url: None,
        return_url: String::new(),
        returned: false,
        second_on: None,
        checkout_ends_at: page_ends_at,
        started_at: now,
        captured: None,
        closed: false,
        ask_at: Some(now + FIRST_ASK),
        dispute: None,
        moved_from: None,
    })
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
    let over = draft.booking.status_at(now) != BookingStatus::PendingPayment;
    let Some(attempt) = draft.booking.attempts.iter_mut().find(|a| a.id.no == open.attempt) else {
        return Err(Refusal::NotFound("payment").into());
    };
    let (opened, too_late) =
        (Effect::CheckoutOpened { attempt: open.attempt }, Effect::CheckoutTooLate { attempt: open.attempt });
    let too_late_now = attempt.status != AttemptStatus::Succeeded && (over || attempt.status != AttemptStatus::Started);
    let Some(page) = open.page.as_ref().filter(|_| attempt.checkout_url.is_none()) else {
        return Ok(draft.done(if too_late_now { too_late } else { opened }));
    };
    attempt.payment_id.get_or_insert_with(|| page.payment_id.clone());
    attempt.checkout_url = Some(page.url.clone());
    draft.event(EventKind::CheckoutOpened { attempt: open.attempt });
    if !too_late_now {
        return Ok(draft.done(opened));
    }
    if let Some(attempt) = draft.booking.attempts.iter_mut().find(|a| a.id.no == open.attempt) {
        attempt.closed = false;
        attempt.ask_at = Some(now);
    }
    Ok(draft.done(too_late))
}

/// Marks the attempts that the buyer came back from and that are still undecided.
pub(super) fn returned(state: State<'_>, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    for attempt in draft.booking.attempts.iter_mut().filter(|a| a.status == AttemptStatus::Started) {
        attempt.returned = true;
    }
    Ok(draft.done(Effect::BuyerReturned))
}
