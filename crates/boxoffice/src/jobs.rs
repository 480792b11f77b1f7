//! The work nobody waits for: let lapsed bookings expire, ask about silent payments, close pages
//! nobody may pay on, give money back, bring bookings into line with a show that changed. Correctness
//! of a sale never depends on it, and any number of processes may do it at once.

use futures_util::stream::{self, StreamExt as _};
use parking_lot::Mutex;

use crate::booking::{Attempt, Booking, DisputeStatus, Refund};
use crate::command::{Command, Effect, PaymentNews, RefundAnswer, RefundAnswered, Settle};
use crate::gateway::{GatewayFault, RefundRequest};
use crate::id::BookingId;
use crate::service::{BoxOffice, has_ended};
use crate::store::{BookingFilter, ShowChange, StoreError};
use crate::time::Timestamp;
use crate::turns::Turns;

/// Bookings that one tick works on at the same time, so that they share the store's commits and
/// a slow provider holds up few.
const AT_ONCE: usize = 64;

/// Finds due work and does it. One value per process, shared by whoever works.
#[derive(Debug)]
pub struct Jobs {
    office: BoxOffice,
    turns: Mutex<Turns<BookingId>>,
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TickReport {
    /// Bookings that had work.
    pub bookings: usize,
    pub expired: usize,
    /// Payment attempts that the provider was asked about.
    pub asked: usize,
    pub refunds_sent: usize,
    /// Bookings that were brought into line with their show.
    pub followed: usize,
    /// Steps the store or a provider could not do now; they come again.
    pub faults: usize,
}

impl TickReport {
    fn note<T>(&mut self, result: Result<T, StoreError>) -> Option<T> {
        self.faults += usize::from(result.is_err());
        result.ok()
    }

    fn plus(self, other: Self) -> Self {
        Self {
            bookings: self.bookings + other.bookings,
            expired: self.expired + other.expired,
            asked: self.asked + other.asked,
            refunds_sent: self.refunds_sent + other.refunds_sent,
            followed: self.followed + other.followed,
            faults: self.faults + other.faults,
        }
    }
}

impl Jobs {
    #[must_use]
    pub fn new(office: BoxOffice) -> Self {
        Self { office, turns: Mutex::default() }
    }

    /// Does what is due now for at most `limit` bookings, and ends when that is done.
    ///
    /// # Errors
    /// [`StoreError::Fault`] if the store cannot say what is due.
    pub async fn tick(&self, limit: usize) -> Result<TickReport, StoreError> {
        let followed = self.follow().await?;
        let due = self.take(limit).await?;
        let reports = stream::iter(due).map(|id| self.work(id)).buffer_unordered(AT_ONCE);
        Ok(reports.fold(followed, async |sum, report| sum.plus(report)).await)
    }

    /// Brings the bookings of every show that changed into line with it. Dropped anywhere, it begins
    /// again with the same show: what is in line stays as it is.
    ///
    /// # Errors
    /// [`StoreError::Fault`] if the store cannot say which shows changed.
    pub async fn follow(&self) -> Result<TickReport, StoreError> {
        let mut report = TickReport::default();
        for change in self.office.store().shows_to_follow(AT_ONCE).await? {
            let followed = self.follow_show(change, &mut report).await;
            report.note(followed);
        }
        Ok(report)
    }

    async fn follow_show(&self, change: ShowChange, report: &mut TickReport) -> Result<(), StoreError> {
        let mut filter = BookingFilter { show: Some(change.show), limit: AT_ONCE, ..BookingFilter::default() };
        loop {
            let page = self.office.store().bookings(filter.clone()).await?;
            filter.after = page.last().map(|booking| booking.id);
            let ids: Vec<BookingId> = page.iter().map(|booking| booking.id).collect();
            let follow = |booking| self.office.store().execute(Command::Follow { booking }.into());
            let steps: Vec<_> = stream::iter(ids).map(follow).buffered(AT_ONCE).collect().await;
            for (was, step) in page.iter().zip(steps) {
                report.followed += usize::from(step?.outcome.booking.as_ref() != Some(was));
            }
            if page.len() < AT_ONCE {
                return self.office.store().show_followed(change).await;
            }
        }
    }

    /// Takes bookings that are due, longest due first: each is to be given to [`Jobs::work`].
    ///
    /// # Errors
    /// [`StoreError::Fault`] if the store cannot say what is due.
    pub async fn take(&self, limit: usize) -> Result<Vec<BookingId>, StoreError> {
        let passed_over = self.turns.lock().passed_over();
        let due = self.office.store().due(limit.saturating_add(passed_over)).await?;
        let now = self.office.store().now();
        Ok(self.turns.lock().take(due, limit, now))
    }

    /// Does what is due for one booking that was taken.
    pub async fn work(&self, id: BookingId) -> TickReport {
        let mut report = TickReport { bookings: 1, ..TickReport::default() };
        let expired = self.office.store().execute(Command::Expire { booking: id }.into()).await;
        if let Some(done) = report.note(expired) {
            report.expired += usize::from(done.outcome.effect == Effect::Expired);
            if let Some(booking) = done.outcome.booking {
                self.give_back_all(&booking, done.outcome.at, &mut report).await;
                self.ask_all(&booking, done.outcome.at, &mut report).await;
                self.pass_disputes_on(&booking, &mut report).await;
                self.forget(&booking, done.outcome.at, &mut report).await;
            }
        }
        let now = self.office.store().now();
        self.turns.lock().put_back(id, report.faults > 0, now);
        report
    }

    async fn forget(&self, booking: &Booking, now: Timestamp, report: &mut TickReport) {
        if booking.erase_at.is_some_and(|at| at <= now) {
            let erase = Command::Erase { booking: booking.id };
            let erased = self.office.store().execute(erase.into()).await;
            report.note(erased);
        }
    }

    async fn give_back_all(&self, booking: &Booking, now: Timestamp, report: &mut TickReport) {
        let due = |r: &&Refund| r.next_try_at.is_some_and(|at| at <= now) && !booking.is_held_back(r);
        for refund in booking.refunds.iter().filter(due) {
            report.refunds_sent += 1;
            let given = self.give_back(booking, refund).await;
            report.note(given);
        }
    }

    async fn ask_all(&self, booking: &Booking, now: Timestamp, report: &mut TickReport) {
        for attempt in booking.attempts.iter().filter(|a| a.ask_at.is_some_and(|at| at <= now)) {
            report.asked += 1;
            self.ask(booking, attempt, now, report).await;
        }
    }

    /// The bank knows moved money by the payment it came from: its new booking hears of a dispute here.
    async fn pass_disputes_on(&self, booking: &Booking, report: &mut TickReport) {
        for (refund, status) in booking.disputes_to_pass_on() {
            let passed = self.pass_dispute_on(booking, refund, status).await;
            report.note(passed);
        }
    }

    async fn pass_dispute_on(
        &self,
        booking: &Booking,
        refund: &Refund,
        status: DisputeStatus,
    ) -> Result<(), StoreError> {
        if let Some((to, payment)) = refund.moved_to.zip(booking.attempt(refund.attempt)) {
            let settle = Settle {
                booking: to.booking,
                gateway: payment.gateway.clone(),
                attempt: to.no,
                payment_id: payment.payment_id.clone(),
                news: PaymentNews::Dispute(status),
            };
            self.office.store().execute(Command::Settle(settle).into()).await?;
        }
        let told = Command::DisputePassedOn { booking: booking.id, refund: refund.id.no, status };
        self.office.store().execute(told.into()).await.map(|_| ())
    }

    /// Asks the provider; where nobody may pay any more, asks it to close the page as well.
    async fn ask(&self, booking: &Booking, attempt: &Attempt, now: Timestamp, report: &mut TickReport) {
        let replaced = booking.last_started().is_some_and(|last| last.id != attempt.id);
        let over = replaced || has_ended(booking, now) || !now.is_before(attempt.checkout_ends_at);
        let answer = match self.office.gateway(&attempt.gateway) {
            None => Err(GatewayFault(format!("gateway `{}` is not configured", attempt.gateway))),
            Some(gateway) if over && !attempt.closed => gateway.close(attempt.id).await,
            Some(gateway) => gateway.look_up(attempt.id).await,
        };
        let known = answer.is_ok();
        for payment in answer.unwrap_or_default() {
            match payment.news {
                PaymentNews::Pending | PaymentNews::Silent => {}
                PaymentNews::Declined | PaymentNews::Ended | PaymentNews::Captured(_) | PaymentNews::Dispute(_) => {
                    let settled = self.office.settle(&attempt.gateway, payment).await;
                    report.note(settled);
                }
            }
        }
        // Whatever was heard, the attempt needs its next date: it lies in the past until one is set.
        let news = match (known, over) {
            (false, _) => PaymentNews::Silent,
            (true, true) => PaymentNews::Ended,
            (true, false) => PaymentNews::Pending,
        };
        let noted = self.office.note(attempt.id, &attempt.gateway, news).await;
        report.note(noted);
    }

    /// Calls the provider for a refund row; the row's id is the provider's key, so that a repeat
    /// gives nothing twice.
    async fn give_back(&self, booking: &Booking, refund: &Refund) -> Result<(), StoreError> {
        let attempt = booking.attempt(refund.attempt);
        let answer = match attempt.and_then(|a| Some((self.office.gateway(&a.gateway)?, a.payment_id.clone()?))) {
            None => RefundAnswer::NotSent,
            Some((gateway, payment_id)) => {
                let request = RefundRequest { refund: refund.id, payment_id, amount: refund.amount };
                gateway.refund(&request).await.unwrap_or(RefundAnswer::Unknown)
            }
        };
        let answered = RefundAnswered { booking: booking.id, refund: refund.id.no, answer };
        self.office.store().execute(Command::RefundAnswered(answered).into()).await.map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pollster::block_on;

    use super::*;
    use crate::testkit::world::World;
    use crate::testkit::{Memory, SeededEntropy};
    use crate::time::Span;

    /// Two bookings are due. Without the postponement the first would be taken again and again.
    #[test]
    fn work_that_failed_waits_and_lets_others_pass() {
        let w = World::open(&Memory).unwrap();
        let (first, second) = (w.hold(1, &["A1"]).unwrap(), w.hold(2, &["A1"]).unwrap());
        w.clock.set(first.expires_at);
        let jobs = Jobs::new(BoxOffice::new(w.store.clone(), Vec::new(), Arc::new(SeededEntropy::new(1))));
        let take = || block_on(jobs.take(1)).unwrap();
        assert_eq!(take(), [first.id]);
        jobs.turns.lock().put_back(first.id, true, w.store.now());
        assert_eq!(take(), [second.id]);
        jobs.turns.lock().put_back(second.id, true, w.store.now());
        for wait_s in [2, 4] {
            w.clock.set(w.store.now() + Span::from_secs(wait_s) - Span::from_ms(1));
            assert_eq!(take(), []);
            w.clock.advance(Span::from_ms(1));
            assert_eq!(block_on(jobs.take(2)).unwrap(), [first.id, second.id]);
            jobs.turns.lock().put_back(first.id, true, w.store.now());
            jobs.turns.lock().put_back(second.id, true, w.store.now());
        }
        w.clock.advance(Span::from_secs(8));
        assert_eq!(block_on(jobs.tick(10)).unwrap().expired, 2);
        assert_eq!(take(), []);
    }
}
