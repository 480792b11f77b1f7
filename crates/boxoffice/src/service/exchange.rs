//! Tickets for other seats: what an exchange would come to, and the exchange.

use std::sync::Arc;

use super::{BoxOffice, HoldRequest};
use crate::booking::Booking;
use crate::claim::ShowSeats;
use crate::command::{Command, Exchange, Idempotency, Outcome};
use crate::decide::Replaced;
use crate::id::BookingId;
use crate::refusal::Refusal;
use crate::show::Show;
use crate::store::{Done, StoreError};

/// What a buyer wants for tickets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeRequest {
    /// The new seats. Customer, metadata and promo code of it are not looked at.
    pub hold: HoldRequest,
    /// The tickets to give, by number; `None`: all that are left.
    pub tickets: Option<Vec<u16>>,
}

/// A booking that is to be replaced, with its show as it was read.
#[derive(Debug)]
pub(super) struct ToReplace {
    show: Arc<Show>,
    seats: ShowSeats,
    booking: Booking,
}

impl ToReplace {
    pub(super) fn borrow(&self) -> Replaced<'_> {
        Replaced { show: &self.show, seats: &self.seats, booking: &self.booking }
    }
}

impl BoxOffice {
    /// Gives tickets of this booking for other seats, all of it or nothing. The outcome's booking is the
    /// new one: confirmed, or held until what it costs is paid.
    ///
    /// # Errors
    /// As for [`BoxOffice::hold`] and [`BoxOffice::cancel`].
    pub async fn exchange(
        &self,
        id: BookingId,
        request: ExchangeRequest,
        key: Option<Idempotency>,
    ) -> Result<Done, StoreError> {
        if let Some(done) = self.answer(key.as_ref()).await? {
            return Ok(done);
        }
        let command = self.exchange_command(id, request).await?;
        self.store.execute(self.step(command, key)).await
    }

    /// What an exchange would come to now. Nothing is written.
    ///
    /// # Errors
    /// As for [`BoxOffice::exchange`].
    pub async fn quote_exchange(&self, id: BookingId, request: ExchangeRequest) -> Result<Outcome, StoreError> {
        let command = self.exchange_command(id, request).await?;
        self.preview(&command).await
    }

    async fn exchange_command(&self, id: BookingId, request: ExchangeRequest) -> Result<Command, StoreError> {
        let hold = self.asked_hold(request.hold).await?;
        Ok(Command::Exchange(Box::new(Exchange { hold, from: id, tickets: request.tickets })))
    }

    pub(super) async fn to_replace(&self, id: BookingId) -> Result<ToReplace, StoreError> {
        let show = self.store.show_by_no(id.show()).await?.ok_or(Refusal::NotFound("booking"))?;
        let seats = self.store.seats(show.no).await?.seats;
        Ok(ToReplace { show, seats, booking: self.booking(id).await? })
    }
}
