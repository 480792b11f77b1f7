//! The banks behind the provider: a buyer's bank opens a dispute about a payment, and some days later
//! decides it. While it is open, and after it is lost, the provider makes no refund of it; what it had
//! not given back by then the bank takes.

use super::{Books, Made, Provider, RefundRequest, Taken};
use crate::booking::DisputeStatus;
use crate::command::PaymentNews;
use crate::gateway::Payment;
use crate::id::{AttemptId, RefundId};
use crate::money::Money;
use crate::time::Timestamp;

/// A call for a refund of a payment that was in dispute.
#[derive(Debug, Clone)]
pub(in super::super) struct AskedInDispute {
    pub(in super::super) refund: RefundId,
    pub(in super::super) payment_id: String,
    pub(in super::super) at: Timestamp,
}

/// A dispute as the provider has it in the end.
#[derive(Debug, Clone)]
pub(in super::super) struct Disputed {
    pub(in super::super) payment_id: String,
    pub(in super::super) status: DisputeStatus,
    /// What the bank took.
    pub(in super::super) taken_back: Option<Money>,
}

impl Provider {
    /// A buyer's bank asks for the money of a page back, if any was taken there. Answers the payment's
    /// place and the event that tells of it.
    pub(in super::super) fn dispute(&self, attempt: AttemptId) -> Option<(usize, usize)> {
        let mut books = self.books.lock();
        let places = books.pages.get(&attempt)?.payments.clone();
        let is_free = |taken: &Taken| matches!(taken.news, PaymentNews::Captured(_)) && taken.dispute.is_none();
        let place = places.into_iter().rfind(|place| is_free(&books.payments[*place]))?;
        Some((place, books.mark(place, DisputeStatus::Open)))
    }

    /// The bank decides, or decides once more: a loss may follow a win. Answers the event that tells.
    pub(in super::super) fn decide(&self, place: usize, lost: bool) -> Option<usize> {
        let mut books = self.books.lock();
        match books.payments[place].dispute? {
            DisputeStatus::Lost => None,
            DisputeStatus::Open if !lost => Some(books.mark(place, DisputeStatus::Won)),
            DisputeStatus::Won if !lost => None,
            DisputeStatus::Open | DisputeStatus::Won => {
                books.take_back(place);
                Some(books.mark(place, DisputeStatus::Lost))
            }
        }
    }

    pub(in super::super) fn disputes(&self) -> Vec<Disputed> {
        let books = self.books.lock();
        let told = |taken: &Taken| {
            let (payment_id, taken_back) = (taken.id.clone(), taken.taken_back);
            taken.dispute.map(|status| Disputed { payment_id, status, taken_back })
        };
        books.payments.iter().filter_map(told).collect()
    }

    pub(in super::super) fn asked_in_dispute(&self) -> Vec<AskedInDispute> {
        self.books.lock().asked_in_dispute.clone()
    }
}

impl Books {
    fn mark(&mut self, place: usize, status: DisputeStatus) -> usize {
        self.payments[place].dispute = Some(status);
        self.events.extend(self.payments[place].told_of_dispute());
        self.events.len() - 1
    }

    /// All that was not given back. A refund that was still under way is not made any more.
    fn take_back(&mut self, place: usize) {
        let id = self.payments[place].id.clone();
        let mut left = match self.payments[place].news {
            PaymentNews::Captured(amount) => amount,
            PaymentNews::Pending
            | PaymentNews::Silent
            | PaymentNews::Declined
            | PaymentNews::Ended
            | PaymentNews::Dispute(_) => return,
        };
        for (request, made) in self.refunds.iter_mut().filter(|(request, _)| request.payment_id == id) {
            match made {
                Made::Done => left = Money::from_minor(left.minor() - request.amount.minor(), left.currency()),
                Made::Processing(_) => *made = Made::Refused,
                Made::Refused => {}
            }
        }
        self.payments[place].taken_back = Some(left);
    }

    /// Whether a refund cannot be made now, because its payment is in dispute; it is noted that it was
    /// asked for.
    pub(super) fn is_in_dispute(&mut self, request: &RefundRequest, at: Timestamp) -> bool {
        let taken = self.by_id.get(&request.payment_id).map(|place| &self.payments[*place]);
        let disputed = match taken.and_then(|taken| taken.dispute) {
            Some(DisputeStatus::Open | DisputeStatus::Lost) => true,
            Some(DisputeStatus::Won) | None => false,
        };
        if disputed {
            let (refund, payment_id) = (request.refund, request.payment_id.clone());
            self.asked_in_dispute.push(AskedInDispute { refund, payment_id, at });
        }
        disputed
    }
}

impl Taken {
    pub(super) fn told_of_dispute(&self) -> Option<Payment> {
        let news = PaymentNews::Dispute(self.dispute?);
        Some(Payment { payment_id: self.id.clone(), attempt: self.attempt, news })
    }
}
