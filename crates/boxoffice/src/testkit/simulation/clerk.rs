//! Staff: money they give back, and shows they cancel. What they got no answer to they send again,
//! with the same key.

use super::chance::Chance;
use crate::booking::{Booking, StaffNote};
use crate::command::{Idempotency, StaffRefund, ToRefund};
use crate::id::ShowId;
use crate::money::Money;
use crate::show::RefundChoice;

/// What staff ask of the box office.
#[derive(Debug, Clone)]
pub(super) enum Order {
    Refund(StaffRefund),
    CancelShow(ShowId, RefundChoice),
}

/// The key of the n-th order.
pub(super) fn key(no: usize) -> Idempotency {
    let key = no.to_string();
    Idempotency { scope: "staff".to_owned(), fingerprint: [7; 32], key, keep: true }
}

pub(super) fn note(reason: &str) -> StaffNote {
    StaffNote { reason: reason.to_owned(), by: "staff-key".to_owned() }
}

/// What becomes of the money when a show is cancelled.
pub(super) fn choice(chance: &Chance) -> RefundChoice {
    [RefundChoice::All, RefundChoice::All, RefundChoice::Later, RefundChoice::None][chance.index(4)]
}

/// Some tickets of a booking, or an amount that may be more than there is left.
pub(super) fn refund(booking: &Booking, chance: &Chance) -> Option<Order> {
    let what = if chance.permille(600) {
        let all: Vec<u16> = booking.tickets.iter().map(|ticket| ticket.id.no).collect();
        let live: Vec<u16> = booking.live_tickets().map(|ticket| ticket.id.no).collect();
        // Now and then the page that staff look at is an old one.
        let seen = if live.is_empty() || chance.permille(50) { all } else { live };
        let numbers = chance.some_of(&seen);
        if numbers.is_empty() {
            return None;
        }
        ToRefund::Tickets { numbers, keep_fees: chance.permille(400) }
    } else {
        let total = booking.price.total;
        let most = u64::try_from(total.minor()).unwrap_or(0).max(1);
        let minor = i64::try_from(1 + chance.below(most)).unwrap_or(1);
        ToRefund::Amount(Money::from_minor(minor, total.currency()))
    };
    Some(Order::Refund(StaffRefund { booking: booking.id, what, note: note("asked at the counter") }))
}
