//! What ties the two bookings of an exchange together: the new one names the tickets it replaces, and
//! money of the old one that paid for it takes its disputes along.

use serde::{Deserialize, Serialize};

use super::{Booking, DisputeStatus, Refund};
use crate::id::BookingId;

/// The tickets that a booking replaces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaces {
    pub booking: BookingId,
    /// By number.
    pub tickets: Vec<u16>,
}

impl Booking {
    /// Money that an exchange moved away, whose payment has a dispute its new booking has not heard of.
    pub fn disputes_to_pass_on(&self) -> impl Iterator<Item = (&Refund, DisputeStatus)> {
        self.refunds.iter().filter(|refund| refund.moved_to.is_some()).filter_map(|refund| {
            let status = self.attempt(refund.attempt)?.dispute?.status;
            (refund.dispute_told != Some(status)).then_some((refund, status))
        })
    }
}
