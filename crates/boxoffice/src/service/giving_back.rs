//! Money back: what a cancellation would come to, the cancellation, and what staff give back. The money
//! goes by a durable row that a job carries out.

use super::BoxOffice;
use crate::booking::Cancellation;
use crate::command::{Command, Idempotency, StaffRefund};
use crate::id::BookingId;
use crate::store::{Done, StoreError};

impl BoxOffice {
    /// Gives back these tickets, by number, or the whole booking.
    ///
    /// # Errors
    /// As `decide` has it.
    pub async fn cancel(
        &self,
        id: BookingId,
        tickets: Option<Vec<u16>>,
        reason: Option<String>,
        key: Option<Idempotency>,
    ) -> Result<Done, StoreError> {
        if let Some(done) = self.answer(key.as_ref()).await? {
            return Ok(done);
        }
        self.store.execute(self.step(Command::Cancel { booking: id, tickets, reason }, key)).await
    }

    /// What cancelling would give back now. Nothing is written.
    ///
    /// # Errors
    /// As for [`BoxOffice::cancel`].
    pub async fn quote_cancellation(
        &self,
        id: BookingId,
        tickets: Option<Vec<u16>>,
    ) -> Result<Cancellation, StoreError> {
        let outcome = self.preview(&Command::Cancel { booking: id, tickets, reason: None }).await?;
        let cancellation = outcome.cancellation().cloned();
        cancellation.ok_or_else(|| StoreError::Bug("a cancellation without an outcome".into()))
    }

    /// What staff give back on their own account.
    ///
    /// # Errors
    /// As `decide` has it.
    pub async fn refund(&self, refund: StaffRefund, key: Option<Idempotency>) -> Result<Done, StoreError> {
        if let Some(done) = self.answer(key.as_ref()).await? {
            return Ok(done);
        }
        self.store.execute(self.step(Command::Refund(refund), key)).await
    }
}
