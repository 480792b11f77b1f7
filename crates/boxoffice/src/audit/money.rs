//! Money: what was taken is accounted for, booking by booking and currency by currency. What holds
//! for each booking holds for the sums over a show.

use std::collections::BTreeMap;
use std::fmt;

use super::AuditCheck;
use crate::booking::{Attempt, Booking};
use crate::id::PartId;
use crate::money::Money;
use crate::time::{Span, Timestamp};

/// How long money may have neither ticket nor refund.
const GRACE: Span = Span::from_mins(15);

/// Minor units by currency; wide enough for any sum of amounts.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sums(BTreeMap<&'static str, i128>);

impl Sums {
    fn of(amounts: impl IntoIterator<Item = Money>) -> Self {
        let mut sums = Self::default();
        for amount in amounts.into_iter().filter(|a| !a.is_zero()) {
            *sums.0.entry(amount.currency().code()).or_default() += i128::from(amount.minor());
        }
        sums.0.retain(|_, sum| *sum != 0);
        sums
    }
}

impl fmt::Display for Sums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(|(code, sum)| format!("{sum} minor units of {code}")).collect();
        f.write_str(if words.is_empty() { "nothing".to_owned() } else { words.join(" and ") }.as_str())
    }
}

/// Captured = what live tickets are still worth + what cancellations kept (fees and charges) + refunds
/// in every state + what disputes lost. Where the payment of the tickets was lost, nothing of them counts.
pub(super) fn does_not_add_up(booking: &Booking) -> Option<String> {
    let gone = booking.paid_by.and_then(|no| booking.attempt(no)).is_some_and(|paid| paid.lost().is_some());
    let tickets = booking.live_tickets().filter(|_| !gone).filter_map(|ticket| booking.worth(ticket).ok());
    let kept = booking.cancellations.iter().filter(|_| !gone).map(|c| c.kept);
    let refunds = booking.refunds.iter().map(|r| r.amount);
    let lost = booking.attempts.iter().filter_map(Attempt::lost);
    let accounted = Sums::of(tickets.chain(kept).chain(refunds).chain(lost));
    let captured = Sums::of(booking.attempts.iter().filter_map(|a| a.captured));
    let words = || format!("booking {}: taken {captured}, accounted for {accounted}", booking.id);
    (captured != accounted).then(words)
}

/// A ticket never gives back more than it cost.
pub(super) fn overdrawn(booking: &Booking) -> Option<String> {
    let over = booking.tickets.iter().find(|t| booking.worth(t).is_ok_and(|worth| worth.minor() < 0));
    over.map(|ticket| format!("ticket {}: more goes back than it cost", ticket.id))
}

fn given_back(booking: &Booking, attempt: PartId) -> Sums {
    Sums::of(booking.refunds.iter().filter(|r| r.attempt == attempt.no).map(|r| r.amount))
}

pub(super) fn over_refunded(check: &mut AuditCheck, booking: &Booking) {
    for refund in &booking.refunds {
        let attempt = booking.attempt(refund.attempt);
        let Some((attempt, captured)) = attempt.and_then(|a| Some((a, a.captured?))) else {
            check.note(Some(format!("refund {}: the payment it gives back took nothing", refund.id)));
            continue;
        };
        let back = given_back(booking, attempt.id);
        let most = i128::from(captured.minor());
        let within = back.0.iter().all(|(code, sum)| *code == captured.currency().code() && *sum <= most);
        check.note((!within).then(|| format!("refund {}: {back} go back of {captured} taken", refund.id)));
    }
}

/// One payment of a booking may stand for its tickets; every other one must go back.
pub(super) fn uncovered(check: &mut AuditCheck, booking: &Booking, now: Timestamp) {
    let took = |a: &&Attempt| a.captured.is_some_and(|c| !c.is_zero());
    let mut for_tickets = !booking.tickets.is_empty();
    for attempt in booking.attempts.iter().filter(took) {
        let refunded = booking.refunds.iter().any(|r| r.attempt == attempt.id.no) || attempt.lost().is_some();
        let pays = !refunded && std::mem::take(&mut for_tickets);
        let young = now.is_before(attempt.started_at + GRACE);
        let problem = || format!("payment {}: its money has neither ticket nor refund", attempt.id);
        check.note((!refunded && !pays && !young).then(problem));
    }
}
