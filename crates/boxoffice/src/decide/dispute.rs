//! A buyer's bank asks for the money back. The mark's rank never falls: open, won, lost. A loss may
//! follow a win, because then the money is gone; a win after a loss is for staff to see to.

use super::{Changes, Draft, State, Stop, follow, give_back, hold, settle};
use crate::booking::{BookingStatus, Dispute, DisputeStatus, TicketStatus, VoidReason};
use crate::command::{Effect, Settle, Settled};
use crate::event::EventKind;
use crate::money::Money;
use crate::refusal::Refusal;
use crate::time::{Span, Timestamp};

/// An open dispute is asked about this often.
const ASK_EVERY: Span = Span::from_mins(24 * 60);
/// So long after a payment no bank takes it back any more, and nobody asks.
const WATCHED_FOR: Span = Span::from_mins(180 * 24 * 60);

fn rank(status: DisputeStatus) -> u8 {
    match status {
        DisputeStatus::Open => 1,
        DisputeStatus::Won => 2,
        DisputeStatus::Lost => 3,
    }
}

/// When to ask next about a payment that was made: a day after it, then ever more seldom, so that a
/// dispute is heard of even if its message was lost.
pub(super) fn next_ask(started_at: Timestamp, open: bool, now: Timestamp) -> Option<Timestamp> {
    let age = now - started_at;
    if open {
        return Some(now + ASK_EVERY);
    }
    (age < WATCHED_FOR).then(|| now + age.max(ASK_EVERY))
}

pub(super) fn told(
    state: State<'_>,
    draft: &mut Draft,
    at: usize,
    settle: &Settle,
    status: DisputeStatus,
) -> Result<Settled, Stop> {
    let now = draft.now;
    let attempt = &mut draft.booking.attempts[at];
    let no = attempt.id.no;
    let is_it = attempt.captured.is_some() && attempt.payment_id == settle.payment_id;
    if !is_it {
        // Money that nobody has told of yet: the provider is asked about it.
        attempt.ask_at = Some(now);
        return Ok(Settled::Noted);
    }
    if attempt.dispute.is_some_and(|known| rank(known.status) >= rank(status)) {
        return Ok(Settled::Unchanged);
    }
    attempt.dispute = Some(Dispute { status, lost: None });
    attempt.ask_at = settle::next_look(attempt, now);
    match status {
        DisputeStatus::Open => draft.event(EventKind::DisputeOpened { attempt: no }),
        DisputeStatus::Won => {
            draft.event(EventKind::DisputeWon { attempt: no });
            // What had to wait for it: the show may have been cancelled meanwhile.
            follow::bring_into_line(state, draft)?;
        }
        DisputeStatus::Lost => lost(state, draft, at)?,
    }
    Ok(Settled::Noted)
}

/// The bank took back what had not gone back by ourselves. Who is inside stays; every other ticket
/// of that money is void and its seat free.
fn lost(state: State<'_>, draft: &mut Draft, at: usize) -> Result<(), Stop> {
    let booking = &mut draft.booking;
    let attempt = &booking.attempts[at];
    let no = attempt.id.no;
    let captured = attempt.captured.unwrap_or(attempt.amount);
    let back = booking.refunds.iter().filter(|r| r.attempt == no).map(|r| r.amount);
    let lost = captured.minus(Money::sum(captured.currency(), back)?)?;
    booking.attempts[at].dispute = Some(Dispute { status: DisputeStatus::Lost, lost: Some(lost) });
    draft.event(EventKind::DisputeLost { attempt: no });
    let booking = &mut draft.booking;
    if booking.paid_by != Some(no) {
        return Ok(());
    }
    let outside = booking.tickets.iter().filter(|t| t.status == TicketStatus::Valid);
    let outside: Vec<u16> = outside.map(|t| t.id.no).collect();
    let seats = give_back::void(booking, &outside, VoidReason::DisputeLost);
    draft.claims.extend(hold::release(state, &seats, booking.id));
    if booking.live_tickets().next().is_none() {
        booking.status = BookingStatus::Cancelled;
    }
    Ok(())
}

/// Notes that the booking which has moved money of this one knows of the dispute about it.
pub(super) fn passed_on(state: State<'_>, refund: u16, status: DisputeStatus, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    let moved = draft.booking.refunds.iter_mut().find(|r| r.id.no == refund && r.moved_to.is_some());
    let moved = moved.ok_or(Refusal::NotFound("refund"))?;
    moved.dispute_told = Some(status);
    Ok(draft.done(Effect::Nothing))
}
