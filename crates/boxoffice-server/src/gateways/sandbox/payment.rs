//! One payment at the sandbox and what can happen to it. Outcome, refunds and the events that
//! tell of them are one record, so that nothing is told that was not written, and all that was
//! written is told.

use boxoffice::booking::DisputeStatus;
use boxoffice::command::PaymentNews;
use boxoffice::gateway::{CreatePayment, RefundRequest};
use boxoffice::money::Money;
use boxoffice::time::{Span, Timestamp};
use serde::{Deserialize, Serialize};

use super::event::{EventKind, SandboxEvent};
use super::news;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SandboxPayment {
    pub(super) id: String,
    /// The seller's own name for it: the attempt's id.
    pub(super) reference: String,
    pub(super) amount: Money,
    pub(super) description: String,
    pub(super) return_url: String,
    pub(super) ends_at: Timestamp,
    /// The seller asked for the page to be closed.
    pub(super) closed: bool,
    pub(super) declined: bool,
    pub(super) captured: Option<Money>,
    /// The buyer's bank asks for the money back, or has decided about it.
    #[serde(default)]
    pub(super) dispute: Option<DisputeStatus>,
    pub(super) refunds: Vec<SandboxRefund>,
    pub(super) events: Vec<SandboxEvent>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SandboxRefund {
    pub(super) id: String,
    /// The seller's key: its refund's id.
    pub(super) key: String,
    pub(super) amount: Money,
    pub(super) made_at: Timestamp,
}

/// What the buyer pressed, and how its events are to travel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Press {
    pub(super) outcome: PressOutcome,
    pub(super) delay: Span,
    pub(super) drop: bool,
    /// What is taken instead of what was asked for, to test that it is noticed.
    pub(super) amount: Option<Money>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PressOutcome {
    Success,
    Decline,
}

/// How a payment stands, in the provider's own word.
pub(super) fn status(news: &PaymentNews) -> &'static str {
    match news {
        PaymentNews::Pending | PaymentNews::Silent => "pending",
        PaymentNews::Declined => "declined",
        PaymentNews::Ended => "ended",
        PaymentNews::Captured(_) | PaymentNews::Dispute(_) => "captured",
    }
}

impl SandboxPayment {
    pub(super) fn new(id: String, request: &CreatePayment) -> Self {
        let mut payment = Self {
            id,
            reference: request.attempt.to_string(),
            amount: request.amount,
            description: request.description.clone(),
            return_url: request.return_url.clone(),
            ends_at: request.page_ends_at,
            closed: false,
            declined: false,
            captured: None,
            dispute: None,
            refunds: Vec::new(),
            events: Vec::new(),
        };
        payment.tell(EventKind::Created, Some(request.page_ends_at));
        payment
    }

    /// Whether the page says that it has ended. It captures all the same, as the pages of
    /// providers do that cannot close in time.
    pub(super) fn is_over(&self, now: Timestamp) -> bool {
        self.closed || !now.is_before(self.ends_at)
    }

    /// How it stands, for a seller who asks.
    pub(super) fn news(&self, now: Timestamp) -> PaymentNews {
        match self.captured {
            Some(amount) => PaymentNews::Captured(amount),
            None if self.is_over(now) => PaymentNews::Ended,
            None if self.declined => PaymentNews::Declined,
            None => PaymentNews::Pending,
        }
    }

    /// Carries out what the buyer pressed. Pressing Pay twice is one payment. Answers
    /// the events that tell of it.
    pub(super) fn press(&mut self, press: &Press, now: Timestamp) -> Vec<String> {
        if self.captured.is_some() {
            return Vec::new();
        }
        let told = self.events.len();
        let first_try = (!press.drop).then(|| now + press.delay + super::delivery::GRACE);
        match press.outcome {
            PressOutcome::Decline => {
                self.declined = true;
                self.tell(EventKind::Declined, first_try);
            }
            PressOutcome::Success => {
                self.captured = Some(press.amount.unwrap_or(self.amount));
                self.tell(EventKind::Authorised, first_try);
                self.tell(EventKind::Captured, first_try);
            }
        }
        self.event_ids(told)
    }

    /// The bank disputes a payment that was made, or decides about it. Answers the events that tell
    /// of it; none: nothing was taken, so that nothing can be disputed.
    pub(super) fn disputed(&mut self, status: DisputeStatus, first_try: Option<Timestamp>) -> Vec<String> {
        let told = self.events.len();
        if self.captured.is_some() {
            self.dispute = Some(status);
            self.tell(EventKind::of_dispute(status), first_try);
        }
        self.event_ids(told)
    }

    /// Closes the page for the seller, and answers the events that tell of it.
    pub(super) fn close(&mut self, now: Timestamp) -> Vec<String> {
        let told = self.events.len();
        let was_open = !self.closed && self.captured.is_none();
        self.closed = true;
        if was_open {
            self.tell(EventKind::Ended, Some(now + super::delivery::GRACE));
        }
        self.event_ids(told)
    }

    /// The ids of its events from the n-th on.
    pub(super) fn event_ids(&self, from: usize) -> Vec<String> {
        self.events.iter().skip(from).map(|e| e.id.clone()).collect()
    }

    /// Gives money back, once per key and never more than was taken. False: refused for good.
    pub(super) fn refund(&mut self, request: &RefundRequest, refund_id: &str, now: Timestamp) -> bool {
        let key = request.refund.to_string();
        if let Some(made) = self.refunds.iter().find(|r| r.key == key) {
            return made.amount == request.amount;
        }
        let Some(captured) = self.captured else { return false };
        let back = self.refunds.iter().map(|r| r.amount).chain([request.amount]);
        let fits = Money::sum(captured.currency(), back).is_ok_and(|sum| sum.minor() <= captured.minor());
        if !fits || request.amount.minor() <= 0 {
            return false;
        }
        self.refunds.push(SandboxRefund { id: refund_id.to_owned(), key, amount: request.amount, made_at: now });
        true
    }

    fn tell(&mut self, kind: EventKind, next_at: Option<Timestamp>) {
        let id = format!("{}.{}", self.id.replacen("pay_", "evt_", 1), self.events.len() + 1);
        self.events.push(SandboxEvent { id, kind, delivered: false, tries: 0, next_at });
    }

    /// The bytes of one of its events, the same at every delivery.
    pub(super) fn event_body(&self, event: &SandboxEvent) -> String {
        let captured = self.captured.unwrap_or(self.amount);
        let news = news(event.kind, captured);
        let amount = if news.contains(&PaymentNews::Captured(captured)) { captured } else { self.amount };
        let status = news.first().map(status);
        serde_json::json!({
            "id": event.id,
            "type": event.kind,
            "payment": {"id": self.id, "reference": self.reference, "amount": amount, "status": status},
        })
        .to_string()
    }
}
