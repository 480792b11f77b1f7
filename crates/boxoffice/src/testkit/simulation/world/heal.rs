//! The end of a simulation: no new faults, no new buyers; what is on its way arrives, and the jobs work
//! until nothing is due.

use pollster::block_on;

use super::{Answer, Asker, HOUSES, Happening, InFlight, World};
use crate::booking::{Attempt, AttemptStatus, Booking, BookingStatus, DisputeStatus};
use crate::gateway::COUNTER;
use crate::store::Store as _;
use crate::time::{Span, Timestamp};

/// Longer than any delivery is late and anything is asked about.
const MAX_ROUNDS: usize = 25 * 24 * 6;

impl World {
    /// No new faults and no new buyers: what is in flight ends, mail arrives at its time, and the
    /// jobs work until nothing is due any more.
    ///
    /// # Errors
    /// Words, if it does not come to rest.
    pub(in super::super) fn heal(&mut self) -> Result<(), String> {
        self.store.heal();
        self.provider.heal();
        self.courier.heal();
        self.finish_in_flight();
        self.houses = (0..HOUSES).map(|_| self.house()).collect();
        self.agenda.retain(|_, h| matches!(h, Happening::Delivery(_) | Happening::BankDecides(_)));
        for round in 1..=MAX_ROUNDS {
            // Once all mail has come, only questions that are asked once a day are waited for.
            let step = if self.agenda.is_empty() { Span::from_mins(60) } else { Span::from_mins(10) };
            self.clock.advance(step);
            while let Some(first) = self.agenda.first_entry().filter(|first| first.key().0 <= self.memory.now()) {
                let happening = first.remove();
                if let Happening::Delivery(delivery) = happening {
                    self.deliver(delivery);
                }
                if let Happening::BankDecides(payment) = happening {
                    self.bank_decides(payment);
                }
                self.finish_in_flight();
            }
            for _ in 0..1_000 {
                self.tick();
                if !self.finish_in_flight() {
                    break;
                }
            }
            if self.agenda.is_empty() && round % 24 == 0 && self.is_at_rest()? {
                return Ok(());
            }
        }
        Err("the jobs did not come to rest".to_owned())
    }

    /// Notes how all bookings ended: in the log as they are, and counted by what became of them.
    pub(in super::super) fn note_the_end(&mut self) {
        let mut after = None;
        while let Ok(Some(books)) = block_on(self.memory.books(after)) {
            for booking in &books.bookings {
                self.note_booking(booking);
            }
            for (_, _, event) in self.memory.events(books.show) {
                self.count(format!("event {}", event.kind.as_str()));
            }
            after = Some(books.show);
        }
    }

    fn note_booking(&mut self, booking: &Booking) {
        self.log.note(format!("{booking:?}"));
        self.count(format!("booking {}", booking.status.as_str()));
        for refund in &booking.refunds {
            self.count(format!("refund {}", refund.reason.as_str()));
            let counter = booking.attempt(refund.attempt).is_some_and(|attempt| attempt.gateway == COUNTER);
            if counter {
                self.count("refund at the counter");
            }
        }
        let paid = booking.paid_by.and_then(|no| booking.attempt(no));
        if paid.is_some_and(|attempt| attempt.gateway == COUNTER) {
            self.count("sold at the counter");
        }
        if paid.is_some() && booking.promo.is_some() {
            self.count("sold with a code");
        }
        if paid.is_some() && booking.price.total.is_zero() {
            self.count("sold for nothing");
        }
    }

    /// Nothing will ever be due again, but for a look now and then whether a payment is disputed.
    fn is_at_rest(&self) -> Result<bool, String> {
        let mut after = None;
        let told = block_on(self.memory.notices_due(1)).map_err(|e| e.to_string())?.is_empty();
        let in_line = block_on(self.memory.shows_to_follow(1)).map_err(|e| e.to_string())?.is_empty();
        if !told || !in_line {
            return Ok(false);
        }
        let (mut won, mut lost) = (0, 0);
        while let Some(books) = block_on(self.memory.books(after)).map_err(|e| e.to_string())? {
            if books.bookings.iter().any(|booking| has_work(booking, books.now)) {
                return Ok(false);
            }
            let attempts = books.bookings.iter().flat_map(|booking| &booking.attempts);
            for dispute in attempts.filter_map(|attempt| attempt.dispute) {
                won += usize::from(dispute.status == DisputeStatus::Won);
                lost += usize::from(dispute.status == DisputeStatus::Lost);
            }
            after = Some(books.show);
        }
        // News that were lost are heard of when a payment is looked at again, days later.
        let disputes = self.provider.disputes();
        let lost_there = disputes.iter().filter(|d| d.status == DisputeStatus::Lost).count();
        Ok(lost == lost_there && won + lost == disputes.len())
    }

    /// Whether a tick among them had work.
    fn finish_in_flight(&mut self) -> bool {
        let mut worked = false;
        while let Some(InFlight { asker, request, .. }) = self.in_flight.pop() {
            let answer = block_on(request);
            worked |= match &answer {
                Answer::Tick(report) => report.as_ref().is_ok_and(|report| report.bookings > 0),
                Answer::Post(report) => report.as_ref().is_ok_and(|report| report.notices > 0),
                Answer::Done(_) | Answer::Booking(_) | Answer::Webhook(_) => false,
            };
            if let Asker::Provider(_) = asker {
                self.answered(asker, answer);
            }
        }
        worked
    }
}

/// A day after its page's end a payment that was made is watched for disputes alone.
fn has_work(booking: &Booking, now: Timestamp) -> bool {
    let only_watched =
        |a: &Attempt| a.status == AttemptStatus::Succeeded && a.checkout_ends_at + Span::from_mins(25 * 60) < now;
    let asks = booking.attempts.iter().any(|a| a.ask_at.is_some() && !only_watched(a));
    let refunds = booking.refunds.iter().any(|r| r.next_try_at.is_some() && !booking.is_held_back(r));
    booking.status == BookingStatus::PendingPayment || asks || refunds
}
