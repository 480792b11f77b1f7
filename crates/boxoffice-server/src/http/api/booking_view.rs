//! How a booking reads as JSON. Made of the booking and one instant alone, so that an answer that
//! is given again under its idempotency key is the same to the byte.

use std::collections::BTreeMap;

use boxoffice::booking::{Attempt, BookedSeat, Booking, Cancellation, Channel, Customer, PriceLine, Refund, Replaces};
use boxoffice::id::PartId;
use boxoffice::money::Money;
use boxoffice::show::RefundPolicy;
use boxoffice::time::Timestamp;
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BookingView {
    id: String,
    reference: String,
    status: &'static str,
    channel: Channel,
    /// The show's id.
    show: String,
    seats: Vec<SeatView>,
    price: PriceView,
    refund_policy: RefundPolicyView,
    customer: Customer,
    payments: Vec<PaymentView>,
    refunds: Vec<RefundView>,
    expires_at: String,
    server_time: String,
    created_at: String,
    /// The tickets of another booking that this one came, or is to come, in place of.
    replaces: Option<ReplacesView>,
    /// The promo code's key: the code without blanks and case.
    promo_code: Option<String>,
    metadata: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ReplacesView {
    booking: String,
    /// Their ids.
    tickets: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct SeatView {
    id: String,
    label: String,
    category: String,
    ticket_type: String,
    face: Money,
    total: Money,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct PriceView {
    lines: Vec<PriceLine>,
    total: Money,
    tax: Money,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct RefundPolicyView {
    id: String,
    tiers: Vec<TierView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct TierView {
    /// Cancelling at or before this many seconds before the start …
    before_s: i64,
    /// … returns this percentage of the face price.
    percent: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PaymentView {
    id: String,
    gateway: String,
    status: &'static str,
    amount: Money,
    /// What the provider says it took; null until it took something.
    captured: Option<Money>,
    /// `open`, `won` or `lost`; null where the buyer's bank has not disputed it.
    dispute: Option<&'static str>,
    /// `amount_mismatch` where that is not what was asked for.
    flag: Option<&'static str>,
    /// The refund of another booking that an exchange brought here as this payment.
    moved_from: Option<String>,
    checkout_url: Option<String>,
    checkout_expires_at: String,
    started_at: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct RefundView {
    id: String,
    /// The payment whose money goes back.
    payment: String,
    status: &'static str,
    amount: Money,
    /// The tickets that it is for.
    tickets: Vec<String>,
    reason: &'static str,
    /// What the buyer is told.
    explanation: &'static str,
    /// The payment of another booking that an exchange made of it; null where it goes back to the buyer.
    moved_to: Option<String>,
    requested_at: String,
}

/// What was given back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CancellationView {
    /// Null if no money goes back.
    id: Option<String>,
    status: Option<&'static str>,
    amount: Money,
    kept: Money,
}

/// The booking as it reads at `now`.
#[must_use]
pub fn view(booking: &Booking, now: Timestamp) -> BookingView {
    BookingView {
        id: booking.id.to_string(),
        reference: booking.reference.clone(),
        status: booking.status_at(now).as_str(),
        channel: booking.channel,
        show: booking.show.id.to_string(),
        seats: booking.seats.iter().map(seat).collect(),
        price: price(booking),
        refund_policy: policy(&booking.refund_policy),
        customer: booking.customer.clone(),
        payments: booking.attempts.iter().map(|attempt| payment(attempt, now)).collect(),
        refunds: booking.refunds.iter().map(|r| refund(booking, r)).collect(),
        expires_at: booking.expires_at.to_string(),
        server_time: now.to_string(),
        created_at: booking.created_at.to_string(),
        replaces: booking.replaces.as_ref().map(replaces),
        promo_code: booking.promo.as_ref().map(|used| used.code.to_string()),
        metadata: booking.metadata.clone(),
    }
}

/// What seats would cost. It holds nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QuoteView {
    dry_run: bool,
    show: String,
    channel: Channel,
    seats: Vec<SeatView>,
    price: PriceView,
    refund_policy: RefundPolicyView,
}

#[must_use]
pub fn quote(booking: &Booking) -> QuoteView {
    QuoteView {
        dry_run: true,
        show: booking.show.id.to_string(),
        channel: booking.channel,
        seats: booking.seats.iter().map(seat).collect(),
        price: price(booking),
        refund_policy: policy(&booking.refund_policy),
    }
}

fn replaces(replaces: &Replaces) -> ReplacesView {
    let id = |no: &u16| PartId { booking: replaces.booking, no: *no }.to_string();
    ReplacesView { booking: replaces.booking.to_string(), tickets: replaces.tickets.iter().map(id).collect() }
}

fn seat(seat: &BookedSeat) -> SeatView {
    SeatView {
        id: seat.id.clone(),
        label: seat.label.clone(),
        category: seat.category.clone(),
        ticket_type: seat.ticket_type.clone(),
        face: seat.face,
        total: seat.total,
    }
}

fn price(booking: &Booking) -> PriceView {
    PriceView { lines: booking.price.lines.clone(), total: booking.price.total, tax: booking.price.tax }
}

#[must_use]
pub fn payment(attempt: &Attempt, now: Timestamp) -> PaymentView {
    PaymentView {
        id: attempt.id.to_string(),
        gateway: attempt.gateway.clone(),
        status: attempt.word_at(now),
        amount: attempt.amount,
        captured: attempt.captured,
        dispute: attempt.dispute.map(|dispute| dispute.status.as_str()),
        flag: attempt.captured.is_some_and(|captured| captured != attempt.amount).then_some("amount_mismatch"),
        moved_from: attempt.moved_from.map(|refund| refund.to_string()),
        checkout_url: attempt.checkout_url.clone(),
        checkout_expires_at: attempt.checkout_ends_at.to_string(),
        started_at: attempt.started_at.to_string(),
    }
}

/// What would be given back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CancellationQuote {
    pub amount: Money,
    pub kept: Money,
}

/// What money staff gave beside the tickets.
#[must_use]
pub fn goodwill(refund: &Refund) -> CancellationView {
    CancellationView {
        id: Some(refund.id.to_string()),
        status: Some(refund.status.as_str()),
        amount: refund.amount,
        kept: refund.amount.currency().zero(),
    }
}

#[must_use]
pub fn cancellation(booking: &Booking, cancellation: &Cancellation) -> CancellationView {
    let row = cancellation.refund.and_then(|no| booking.refund(no));
    CancellationView {
        id: row.map(|r| r.id.to_string()),
        status: row.map(|r| r.status.as_str()),
        amount: cancellation.amount,
        kept: cancellation.kept,
    }
}

fn policy(policy: &RefundPolicy) -> RefundPolicyView {
    let tier = |t: &boxoffice::show::RefundTier| TierView {
        before_s: t.before.as_ms() / 1_000,
        percent: t.percent.to_string(),
    };
    RefundPolicyView { id: policy.id.to_string(), tiers: policy.tiers.iter().map(tier).collect() }
}

fn refund(booking: &Booking, refund: &Refund) -> RefundView {
    let payment = booking.attempt(refund.attempt);
    RefundView {
        id: refund.id.to_string(),
        payment: payment.map(|attempt| attempt.id.to_string()).unwrap_or_default(),
        status: refund.status.as_str(),
        amount: refund.amount,
        tickets: refund
            .shares
            .iter()
            .map(|share| PartId { booking: booking.id, no: share.ticket }.to_string())
            .collect(),
        reason: refund.reason.as_str(),
        explanation: refund.reason.explanation(),
        moved_to: refund.moved_to.map(|payment| payment.to_string()),
        requested_at: refund.requested_at.to_string(),
    }
}
