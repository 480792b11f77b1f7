//! The same success of a payment told twice at once, round after round: whatever becomes of it
//! becomes of it once.

use super::contract::Subject;
use super::world::{Failure, World, race};
use crate::booking::{Attempt, Booking, TicketStatus};
use crate::command::Settled;
use crate::show::LatePayment;
use crate::store::StoreError;

/// What the news finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldIs {
    Live,
    /// It has lapsed: some shows take the seats again, some give the money back.
    Lapsed,
}

/// Rounds that did not end in exactly one ticket or exactly one refund, told by exactly one of the
/// two who brought the news.
///
/// # Errors
/// As the store has them, outside the races.
pub fn wrong_rounds(subject: &dyn Subject, hold: HoldIs, rounds: usize) -> Result<usize, Failure> {
    let w = World::open(subject)?;
    for n in 6..=9 {
        w.change_show(n, |show| show.late_payment = LatePayment::Refund)?;
    }
    let seats: Vec<(u16, String)> = (1..=9)
        .flat_map(|n| ["A", "B", "C"].iter().flat_map(move |r| (1..=12).map(move |s| (n, format!("{r}{s}")))))
        .collect();
    let (mut wrong, mut left) = (0, rounds);
    while left > 0 {
        let now = left.min(seats.len());
        wrong += batch(&w, hold, &seats[..now])?;
        left -= now;
    }
    Ok(wrong)
}

/// One round on each of these seats, which are free again afterwards.
fn batch(w: &World<'_>, hold: HoldIs, seats: &[(u16, String)]) -> Result<usize, Failure> {
    let mut attempts = Vec::new();
    for (n, label) in seats {
        attempts.push(w.start(w.hold(*n, &[label])?.id)?);
    }
    if hold == HoldIs::Lapsed
        && let Some(last) = attempts.last()
    {
        w.clock.set(w.booking(last.id.booking)?.expires_at);
    }
    let told = race(2, attempts.len(), |round, _| w.capture(&attempts[round], "p"));
    let mut wrong = 0;
    for (attempt, told) in attempts.iter().zip(&told) {
        let booking = w.booking(attempt.id.booking)?;
        wrong += usize::from(!ended_once(&booking, attempt, told));
        if !booking.tickets.is_empty() {
            w.cancel(booking.id)?;
        }
    }
    Ok(wrong)
}

fn ended_once(booking: &Booking, attempt: &Attempt, told: &[Result<Settled, StoreError>]) -> bool {
    let ends = |settled: &Settled| match settled {
        Settled::Confirmed | Settled::Reclaimed | Settled::Refunded => true,
        Settled::Unchanged | Settled::Noted => false,
    };
    let ended = told.iter().filter(|told| told.as_ref().is_ok_and(ends)).count();
    let quiet = told.iter().filter(|told| matches!(told, Ok(Settled::Unchanged))).count();
    let tickets = booking.tickets.iter().filter(|t| t.status == TicketStatus::Valid).count();
    let refunds = booking.refunds.iter().filter(|r| r.amount == attempt.amount).count();
    (ended, quiet) == (1, 1) && tickets + refunds == 1 && booking.refunds.len() == refunds
}
