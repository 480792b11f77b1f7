//! Disputes are known as the bank has them, and nothing goes back of a payment while it is in one.

use std::collections::BTreeMap;

use super::super::provider::{Disputed, NAME};
use super::super::world::World;
use crate::booking::{Booking, DisputeStatus, RefundStatus};
use crate::event::EventKind;
use crate::id::AttemptId;
use crate::money::Money;
use crate::time::{Span, Timestamp};

/// So long a job may still be at work on what it read before.
const IN_FLIGHT: Span = Span::from_mins(120);

/// What our books know of disputes, and since when.
pub(super) struct Known(BTreeMap<AttemptId, Vec<(Timestamp, DisputeStatus)>>);

impl Known {
    pub(super) fn of(world: &World, bookings: &[&Booking]) -> Self {
        let mut known: BTreeMap<AttemptId, Vec<(Timestamp, DisputeStatus)>> = BTreeMap::new();
        let shows: std::collections::BTreeSet<_> = bookings.iter().map(|booking| booking.id.show()).collect();
        for (_, at, event) in shows.into_iter().flat_map(|show| world.memory.events(show)) {
            let Some((attempt, status)) = of_dispute(&event.kind) else { continue };
            if let Some(booking) = event.booking {
                known.entry(AttemptId { booking, no: attempt }).or_default().push((at, status));
            }
        }
        Self(known)
    }

    /// Whether a payment was known to be in dispute at this instant, and for so long before.
    pub(super) fn disputed(&self, attempt: AttemptId, at: Timestamp, since: Span) -> bool {
        let told = self.0.get(&attempt).into_iter().flatten();
        let before = told.filter(|(when, _)| when.is_before(at)).copied();
        let last = before.clone().next_back().is_some_and(|(_, status)| status != DisputeStatus::Won);
        let mut before = before;
        let earlier = before.rfind(|(when, _)| *when + since < at);
        last && earlier.is_some_and(|(_, status)| status != DisputeStatus::Won)
    }
}

fn of_dispute(kind: &EventKind) -> Option<(u16, DisputeStatus)> {
    if let EventKind::DisputeOpened { attempt } = kind {
        return Some((*attempt, DisputeStatus::Open));
    }
    if let EventKind::DisputeWon { attempt } = kind {
        return Some((*attempt, DisputeStatus::Won));
    }
    if let EventKind::DisputeLost { attempt } = kind {
        return Some((*attempt, DisputeStatus::Lost));
    }
    None
}

pub(super) fn wrongs(world: &World, bookings: &[&Booking], known: &Known) -> Vec<String> {
    let attempts = bookings.iter().flat_map(|booking| &booking.attempts);
    let by_payment: BTreeMap<&str, _> =
        attempts.filter_map(|attempt| Some((attempt.payment_id.as_deref()?, attempt))).collect();
    let differs = |there: &Disputed| {
        let ours = by_payment.get(there.payment_id.as_str()).and_then(|attempt| attempt.dispute);
        let fits = ours.is_some_and(|dispute| dispute.status == there.status);
        (!fits).then(|| format!("payment {}: its dispute is {:?}, here {ours:?}", there.payment_id, there.status))
    };
    let mut wrongs: Vec<String> = world.provider.disputes().iter().filter_map(differs).collect();
    for asked in world.provider.asked_in_dispute() {
        let attempt = by_payment.get(asked.payment_id.as_str());
        if attempt.is_some_and(|attempt| known.disputed(attempt.id, asked.at, IN_FLIGHT)) {
            wrongs.push(format!("refund {}: it was sent while its payment was in dispute", asked.refund));
        }
    }
    wrongs
}

/// What we call owed of payments that were lost: the bank has it, and it is not ours to give any more.
pub(super) fn owed_of_lost(bookings: &[&Booking]) -> Vec<Money> {
    let mut owed = Vec::new();
    for booking in bookings {
        for refund in booking.refunds.iter().filter(|refund| refund.status != RefundStatus::Succeeded) {
            let attempt = booking.attempt(refund.attempt);
            if attempt.is_some_and(|attempt| attempt.gateway == NAME && attempt.lost().is_some()) {
                owed.push(refund.amount);
            }
        }
    }
    owed
}
