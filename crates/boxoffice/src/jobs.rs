//! The work nobody waits for, as `tick(now)`: let lapsed bookings expire, ask about silent
//! payments, close pages nobody may pay on, give money back. Correctness of a sale never depends
//! on it, and any number of processes may run it at once.

use crate::booking::{Attempt, AttemptStatus, Booking, Refund};
use crate::command::{Command, Effect, PaymentNews, RefundAnswer, RefundAnswered};
use crate::gateway::{GatewayFault, Payment, RefundRequest};
use crate::id::BookingId;
use crate::service::{BoxOffice, has_ended};
use crate::store::StoreError;
use crate::time::Timestamp;

/// What one tick did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TickReport {
    /// Bookings that had work.
    pub bookings: usize,
    pub expired: usize,
    /// Payment attempts that the provider was asked about.
    pub asked: usize,
    pub refunds_sent: usize,
    /// Steps the store or a provider could not do now; they come again.
    pub faults: usize,
}

impl TickReport {
    fn note<T>(&mut self, result: Result<T, StoreError>) -> Option<T> {
        self.faults += usize::from(result.is_err());
        result.ok()
    }
}

/// Does what is due now for at most `limit` bookings, longest due first.
///
/// # Errors
/// [`StoreError::Fault`] if the store cannot say what is due.
pub async fn tick(office: &BoxOffice, limit: usize) -> Result<TickReport, StoreError> {
    let due = office.store().due(limit).await?;
    let mut report = TickReport { bookings: due.len(), ..TickReport::default() };
    for id in due {
        let worked = work(office, id, &mut report).await;
        report.note(worked);
    }
    Ok(report)
}

async fn work(office: &BoxOffice, id: BookingId, report: &mut TickReport) -> Result<(), StoreError> {
    let done = office.store().execute(Command::Expire { booking: id }.into()).await?;
    report.expired += usize::from(done.outcome.effect == Effect::Expired);
    let Some(booking) = done.outcome.booking else { return Ok(()) };
    let now = done.outcome.at;
    for attempt in booking.attempts.iter().filter(|a| a.ask_at.is_some_and(|at| at <= now)) {
        report.asked += 1;
        ask(office, &booking, attempt, now).await?;
    }
    for refund in booking.refunds.iter().filter(|r| r.next_try_at.is_some_and(|at| at <= now)) {
        report.refunds_sent += 1;
        give_back(office, &booking, refund).await?;
    }
    Ok(())
}

/// Asks the provider; where nobody may pay any more, asks it to close the page as well.
async fn ask(office: &BoxOffice, booking: &Booking, attempt: &Attempt, now: Timestamp) -> Result<(), StoreError> {
    let replaced = booking.attempts.last().is_some_and(|last| last.id != attempt.id);
    let over = replaced || has_ended(booking, now) || !now.is_before(attempt.checkout_ends_at);
    let answer = match office.gateway(&attempt.gateway) {
        None => Err(GatewayFault(format!("gateway `{}` is not configured", attempt.gateway))),
        Some(gateway) if over && !attempt.closed => gateway.close(attempt.id).await,
        Some(gateway) => gateway.look_up(attempt.id).await,
    };
    let known = answer.is_ok();
    for payment in answer.unwrap_or_default() {
        settle_known(office, attempt, payment).await?;
    }
    // Whatever was heard, the attempt needs its next date: it lies in the past until one is set.
    let ended = known && over && attempt.status == AttemptStatus::Started;
    let news = if ended { PaymentNews::Ended } else { PaymentNews::Pending };
    office.note(attempt.id, &attempt.gateway, news).await.map(|_| ())
}

async fn settle_known(office: &BoxOffice, attempt: &Attempt, payment: Payment) -> Result<(), StoreError> {
    match payment.news {
        PaymentNews::Pending => Ok(()),
        PaymentNews::Declined | PaymentNews::Ended | PaymentNews::Captured(_) => {
            office.settle(&attempt.gateway, payment).await.map(|_| ())
        }
    }
}

/// Calls the provider for a refund row; the row's id is the provider's key, so that a repeat
/// gives nothing twice.
async fn give_back(office: &BoxOffice, booking: &Booking, refund: &Refund) -> Result<(), StoreError> {
    let attempt = booking.attempt(refund.attempt);
    let answer = match attempt.and_then(|a| Some((office.gateway(&a.gateway)?, a.payment_id.clone()?))) {
        None => RefundAnswer::Unknown,
        Some((gateway, payment_id)) => {
            let request = RefundRequest { refund: refund.id, payment_id, amount: refund.amount };
            gateway.refund(&request).await.unwrap_or(RefundAnswer::Unknown)
        }
    };
    let answered = RefundAnswered { booking: booking.id, refund: refund.id.no, answer };
    office.store().execute(Command::RefundAnswered(answered).into()).await.map(|_| ())
}
