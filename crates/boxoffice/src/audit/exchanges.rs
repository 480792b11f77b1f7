//! Exchanges: money that left one booking for another has arrived there, once and whole. The two
//! bookings may be of different shows, so that this is said when all have been seen.

use std::collections::BTreeMap;

use super::AuditCheck;
use crate::booking::Booking;
use crate::id::{BookingId, PartId};
use crate::money::Money;

/// Moved money by the refund row that it left as: the payment row it is now, and how much.
type Rows = BTreeMap<PartId, Vec<(PartId, Option<Money>)>>;

#[derive(Debug, Default)]
pub(super) struct Moves {
    left: Rows,
    arrived: Rows,
}

impl Moves {
    /// Seeing a booking again changes nothing.
    pub(super) fn see(&mut self, booking: &Booking) {
        for refund in &booking.refunds {
            if let Some(to) = refund.moved_to {
                note(&mut self.left, refund.id, (to, Some(refund.amount)));
            }
        }
        for attempt in &booking.attempts {
            if let Some(from) = attempt.moved_from {
                note(&mut self.arrived, from, (attempt.id, attempt.captured));
            }
        }
    }

    /// Bookings to look at once more: an exchange that came between the reading of its two shows was
    /// seen by half.
    pub(super) fn halves(&self) -> Vec<BookingId> {
        let left = self.left.iter().filter(|(refund, _)| !self.arrived.contains_key(*refund));
        let left = left.flat_map(|(_, rows)| rows).map(|(to, _)| to.booking);
        let arrived = self.arrived.keys().filter(|refund| !self.left.contains_key(*refund));
        left.chain(arrived.map(|refund| refund.booking)).collect()
    }

    pub(super) fn prove(&self, check: &mut AuditCheck) {
        for (refund, rows) in &self.left {
            let there = self.arrived.get(refund);
            let words = || format!("refund {refund}: {rows:?} left, {there:?} arrived");
            check.note((rows.len() != 1 || there != Some(rows)).then(words));
        }
        for refund in self.arrived.keys().filter(|refund| !self.left.contains_key(*refund)) {
            check.note(Some(format!("refund {refund}: its money arrived elsewhere and never left")));
        }
    }
}

fn note(rows: &mut Rows, refund: PartId, row: (PartId, Option<Money>)) {
    let rows = rows.entry(refund).or_default();
    if !rows.contains(&row) {
        rows.push(row);
    }
}
