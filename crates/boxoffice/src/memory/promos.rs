//! Who uses which promo code.

use std::collections::{BTreeMap, HashMap};

use crate::booking::Booking;
use crate::id::{BookingId, CatalogueId};
use crate::promo::uses::{PromoAsk, PromoRow, PromoUses};
use crate::time::Timestamp;

#[derive(Debug, Default)]
pub(super) struct Promos(HashMap<CatalogueId, BTreeMap<BookingId, PromoRow>>);

impl Promos {
    /// The uses that count now, without those of the booking that asks.
    pub(super) fn uses(&self, ask: &PromoAsk, now: Timestamp) -> PromoUses {
        let mut uses = PromoUses::default();
        let rows = self.0.get(&ask.code).into_iter().flatten();
        for (_, row) in rows.filter(|(booking, row)| **booking != ask.except && row.counts(now)) {
            uses.count(row, ask.customer.as_deref());
        }
        uses
    }

    /// Takes in what a step made of a booking.
    pub(super) fn keep(&mut self, was: Option<&PromoRow>, booking: &Booking) {
        let row = booking.promo_row();
        if let Some(rows) = was.and_then(|was| self.0.get_mut(&was.code)) {
            rows.remove(&booking.id);
        }
        if let Some(row) = row {
            self.0.entry(row.code.clone()).or_default().insert(booking.id, row);
        }
    }
}
