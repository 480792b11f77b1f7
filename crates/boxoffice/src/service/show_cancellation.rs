//! A show that the cinema does not play: what cancelling it means, and how far its bookings have
//! followed. Both are read from the bookings themselves, so that they are right after any crash.

use std::collections::BTreeMap;

use super::BoxOffice;
use crate::booking::{Booking, BookingStatus, RefundReason, StaffNote};
use crate::claim::ShowSeats;
use crate::command::{Command, Idempotency};
use crate::decide::{State, decide};
use crate::id::ShowId;
use crate::money::{Money, MoneyError};
use crate::show::{RefundChoice, Show};
use crate::store::{BookingFilter, Done, StoreError};
use crate::time::Timestamp;

/// Bookings read at a time.
const PAGE: usize = 64;

/// What a cancellation of a show means for its bookings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShowCancellation {
    /// `None`: the show is not cancelled.
    pub refunds: Option<RefundChoice>,
    /// Holds that live: their buyers have not paid.
    pub holds: usize,
    /// Bookings with tickets of the show, or that had them until it was cancelled.
    pub bookings: usize,
    /// Those that are in line with the show as it stands.
    pub done: usize,
    /// By currency: what those bookings are worth, with their fees.
    pub totals: BTreeMap<&'static str, Totals>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    pub bookings: usize,
    pub tickets: usize,
    pub amount: Money,
}

impl BoxOffice {
    /// Cancels a show. A job carries it to the bookings.
    ///
    /// # Errors
    /// As `decide` has it.
    pub async fn cancel_show(
        &self,
        id: ShowId,
        refunds: RefundChoice,
        note: StaffNote,
        key: Option<Idempotency>,
    ) -> Result<Done, StoreError> {
        if let Some(done) = self.answer(key.as_ref()).await? {
            return Ok(done);
        }
        let show = self.show(id).await?.no;
        self.store.execute(self.step(Command::CancelShow { show, refunds, note }, key)).await
    }

    /// What cancelling the show would mean, or how far it has come.
    ///
    /// # Errors
    /// [`Refusal::NotFound`](crate::refusal::Refusal::NotFound), or a fault.
    pub async fn show_cancellation(&self, id: ShowId) -> Result<ShowCancellation, StoreError> {
        let show = self.show(id).await?;
        let read = self.store.seats(show.no).await?;
        let refunds = show.spec.refunds.filter(|_| show.spec.cancelled);
        let mut sum = ShowCancellation { refunds, ..ShowCancellation::default() };
        let mut filter = BookingFilter { show: Some(show.no), limit: PAGE, ..BookingFilter::default() };
        loop {
            let page = self.store.bookings(filter.clone()).await?;
            for booking in &page {
                sum.add(&show, &read.seats, booking, read.now).map_err(|e| StoreError::Bug(e.to_string()))?;
            }
            filter.after = page.last().map(|booking| booking.id);
            if page.len() < PAGE {
                return Ok(sum);
            }
        }
    }
}

impl ShowCancellation {
    fn add(&mut self, show: &Show, seats: &ShowSeats, booking: &Booking, now: Timestamp) -> Result<(), MoneyError> {
        if booking.status_at(now) == BookingStatus::PendingPayment {
            self.holds += 1;
            return Ok(());
        }
        let Some(its) = totals(booking)? else { return Ok(()) };
        let follow = Command::Follow { booking: booking.id };
        let state = State {
            show,
            seats,
            sales: crate::sales::Sales::Open,
            booking: Some(booking),
            promo: None,
            replaced: None,
        };
        let changes = decide(state, &follow, now);
        self.bookings += 1;
        self.done += usize::from(self.refunds.is_some() && changes.is_ok_and(|c| c.is_empty(Some(booking))));
        match self.totals.get_mut(its.amount.currency().code()) {
            Some(sum) => {
                sum.bookings += its.bookings;
                sum.tickets += its.tickets;
                sum.amount = sum.amount.plus(its.amount)?;
            }
            None => drop(self.totals.insert(its.amount.currency().code(), its)),
        }
        Ok(())
    }
}

/// The live tickets and those that went with the show. `None`: the booking has neither.
fn totals(booking: &Booking) -> Result<Option<Totals>, MoneyError> {
    let mut tickets = booking.live_tickets().count();
    let worth = booking.live_tickets().map(|t| booking.worth(t)).collect::<Result<Vec<_>, _>>()?;
    let mut amount = Money::sum(booking.price.total.currency(), worth)?;
    for refund in booking.refunds.iter().filter(|r| r.reason == RefundReason::ShowCancelled) {
        tickets += refund.shares.len();
        amount = if refund.shares.is_empty() { amount } else { amount.plus(refund.amount)? };
    }
    Ok((tickets > 0).then_some(Totals { bookings: 1, tickets, amount }))
}
