//! Forgetting who booked. Seats, prices, payments, refunds and tickets stay as they are, so that the
//! books are as right as before. Whoever is still needed is not forgotten: a guest with a ticket for a
//! show to come, or somebody to whom money is owed.

use super::{Changes, Draft, State, Stop};
use crate::booking::{
    Attempt, AttemptStatus, Booking, BookingStatus, Customer, DisputeStatus, NoticeStatus, Refund, RefundStatus,
};
use crate::command::Effect;
use crate::event::EventKind;
use crate::show::Show;
use crate::time::{Span, Timestamp};

/// Where no instant tells when a person is not needed any more, it is looked again so much later.
const LOOK_AGAIN: Span = Span::from_mins(24 * 60);

/// Erases, or where the person is needed notes when to look again.
pub(super) fn erase(state: State<'_>, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    let booking = &mut draft.booking;
    if !booking.names_a_person() {
        booking.erase_at = None;
        return Ok(draft.done(Effect::Nothing));
    }
    if let Some(at) = needed_until(booking, state.show, now) {
        booking.erase_at = Some(at);
        return Ok(draft.done(Effect::EraseLater { at }));
    }
    forget(booking);
    draft.event(EventKind::Erased);
    Ok(draft.done(Effect::Erased))
}

/// Until when the person is needed at least; `None`: not any more.
fn needed_until(booking: &Booking, show: &Show, now: Timestamp) -> Option<Timestamp> {
    if booking.status_at(now) == BookingStatus::PendingPayment {
        return Some(booking.expires_at);
    }
    if booking.live_tickets().next().is_some() && now.is_before(show.ends_at()) {
        return Some(show.ends_at());
    }
    let undecided = booking.attempts.iter().any(|attempt| is_undecided(attempt) || is_contested(attempt));
    let owed = booking.refunds.iter().any(is_owed);
    let untold = booking.notices.iter().any(|notice| notice.status == NoticeStatus::Due);
    (undecided || owed || untold).then_some(now + LOOK_AGAIN)
}

/// A payment that was made is asked about for a long time still, for the sake of disputes: that needs nobody.
fn is_undecided(attempt: &Attempt) -> bool {
    attempt.status != AttemptStatus::Succeeded && attempt.ask_at.is_some()
}

fn is_contested(attempt: &Attempt) -> bool {
    match attempt.dispute.map(|dispute| dispute.status) {
        Some(DisputeStatus::Open) => true,
        Some(DisputeStatus::Won | DisputeStatus::Lost) | None => false,
    }
}

/// What an exchange moved on is the other booking's affair.
fn is_owed(refund: &Refund) -> bool {
    let open = match refund.status {
        RefundStatus::Requested | RefundStatus::Unknown | RefundStatus::Failed => true,
        RefundStatus::Succeeded => false,
    };
    open && refund.moved_to.is_none()
}

fn forget(booking: &mut Booking) {
    booking.customer = Customer::default();
    booking.metadata.clear();
    booking.tickets.iter_mut().for_each(|ticket| ticket.holder = None);
    // What a buyer wrote, and what a mail server said, may name them.
    booking.cancellations.iter_mut().for_each(|cancellation| cancellation.reason = None);
    booking.notices.iter_mut().for_each(|notice| notice.last_error = None);
    booking.erase_at = None;
}
