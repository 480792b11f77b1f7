//! What of a booking still counts: its live tickets and their seats, and what each ticket is worth
//! after all that went back for it.

use super::{Attempt, BookedSeat, Booking, BookingStatus, DisputeStatus, Refund, Ticket, TicketStatus};
use crate::money::{Money, MoneyError};

impl Ticket {
    /// It lets in, or has let in.
    #[must_use]
    pub fn is_live(&self) -> bool {
        match self.status {
            TicketStatus::Valid | TicketStatus::Admitted => true,
            TicketStatus::Void => false,
        }
    }
}

impl Attempt {
    /// Nothing of this payment may go back: the bank is about to take it back, or has.
    #[must_use]
    pub fn is_disputed(&self) -> bool {
        match self.dispute.map(|dispute| dispute.status) {
            Some(DisputeStatus::Open | DisputeStatus::Lost) => true,
            Some(DisputeStatus::Won) | None => false,
        }
    }

    /// What the bank took back.
    #[must_use]
    pub fn lost(&self) -> Option<Money> {
        self.dispute.and_then(|dispute| dispute.lost)
    }
}

impl Booking {
    pub fn live_tickets(&self) -> impl Iterator<Item = &Ticket> {
        self.tickets.iter().filter(|ticket| ticket.is_live())
    }

    /// The seats that the booking still has or asks for: while it is to be paid all of them, then
    /// those whose tickets are live.
    pub fn live_seats(&self) -> impl Iterator<Item = &BookedSeat> {
        let pending = match self.status {
            BookingStatus::PendingPayment => true,
            BookingStatus::Confirmed | BookingStatus::Cancelled | BookingStatus::Expired => false,
        };
        self.seats.iter().filter(move |seat| pending || self.live_tickets().any(|ticket| ticket.seat == seat.no))
    }

    #[must_use]
    pub fn seat_of(&self, ticket: &Ticket) -> Option<&BookedSeat> {
        self.seats.iter().find(|seat| seat.no == ticket.seat)
    }

    /// What a ticket cost with its fees, less everything that went back for it, in every state.
    ///
    /// # Errors
    /// As for [`Money::minus`].
    pub fn worth(&self, ticket: &Ticket) -> Result<Money, MoneyError> {
        let Some(seat) = self.seat_of(ticket) else { return Ok(self.price.total.currency().zero()) };
        let shares = self.refunds.iter().flat_map(|refund| &refund.shares);
        let of_it = shares.filter(|share| share.ticket == ticket.id.no).map(|share| share.amount);
        of_it.into_iter().try_fold(seat.total, Money::minus)
    }

    /// What of a seat's fees goes back to a buyer who cancels. Bookings of the first version have no
    /// fees by seat: theirs are shared in proportion to the fees that each seat paid.
    #[must_use]
    pub fn refundable_fees(&self, seat: &BookedSeat) -> Money {
        if self.seats.iter().any(|seat| !seat.fees.is_empty()) {
            return seat.refundable_fees();
        }
        let paid = |seat: &BookedSeat| (seat.total.minor() - seat.face.minor()).unsigned_abs();
        let weights: Vec<u64> = self.seats.iter().map(paid).collect();
        let shares = self.price.refundable_fees.split(&weights);
        let of_seat = self.seats.iter().zip(shares).find(|(s, _)| s.no == seat.no);
        of_seat.map_or(self.price.total.currency().zero(), |(_, share)| share)
    }

    /// The payment that paid the tickets is in dispute, or was lost to one.
    #[must_use]
    pub fn is_disputed(&self) -> bool {
        self.paid_by.and_then(|no| self.attempt(no)).is_some_and(Attempt::is_disputed)
    }

    /// The refund waits, because its payment is disputed.
    #[must_use]
    pub fn is_held_back(&self, refund: &Refund) -> bool {
        self.attempt(refund.attempt).is_some_and(Attempt::is_disputed)
    }
}
