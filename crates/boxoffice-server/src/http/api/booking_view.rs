//! How a booking reads as JSON. Made of the booking and one instant alone, so that an answer that
//! is given again under its idempotency key is the same to the byte.

use std::collections::BTreeMap;

use boxoffice::booking::{Attempt, BookedSeat, Booking, Cancellation, Channel, Customer, PriceLine, Refund, Replaces};
use boxoffice::id::PartId;
use boxoffice::money::Money;
use boxoffice::show::RefundPolicy;
use boxoffice::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::openapi::words;

/// Seats of a show for one buyer, and the money for them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Booking)]
pub struct BookingView {
    #[schema(example = "00000081mr564680ks50tk0asc")]
    id: String,
    /// What people read out: short, and on every ticket.
    #[schema(example = "K7M2Q9ABC")]
    reference: String,
    #[schema(value_type = words::BookingStatus)]
    status: &'static str,
    #[schema(value_type = words::Channel)]
    channel: Channel,
    /// The show's id.
    show: String,
    seats: Vec<SeatView>,
    price: PriceView,
    refund_policy: RefundPolicyView,
    #[schema(value_type = words::Customer)]
    customer: Customer,
    payments: Vec<PaymentView>,
    refunds: Vec<RefundView>,
    /// When the hold ends; not yet paid, the seats are free from then on.
    #[schema(format = DateTime)]
    expires_at: String,
    /// The server's clock, to show how much of the hold is left.
    #[schema(format = DateTime)]
    server_time: String,
    #[schema(format = DateTime)]
    created_at: String,
    /// The tickets of another booking that this one came, or is to come, in place of.
    replaces: Option<ReplacesView>,
    /// The promo code's key: the code without blanks and case.
    promo_code: Option<String>,
    /// The notes that were sent with the request.
    metadata: BTreeMap<String, String>,
}

/// Tickets that are exchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Replaces)]
struct ReplacesView {
    booking: String,
    /// Their ids.
    tickets: Vec<String>,
}

/// A seat of a booking, and what it costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = BookedSeat)]
struct SeatView {
    id: String,
    label: String,
    category: String,
    ticket_type: String,
    /// The ticket alone.
    #[schema(value_type = words::Money)]
    face: Money,
    /// With its share of the fees.
    #[schema(value_type = words::Money)]
    total: Money,
}

/// What a booking costs, fixed at the hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Price)]
struct PriceView {
    #[schema(value_type = Vec<words::PriceLine>)]
    lines: Vec<PriceLine>,
    #[schema(value_type = words::Money)]
    total: Money,
    /// The tax in the total.
    #[schema(value_type = words::Money)]
    tax: Money,
}

/// What a buyer gets back, by when: the first tier that still counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = RefundPolicy)]
struct RefundPolicyView {
    id: String,
    tiers: Vec<TierView>,
}

/// A tier of a refund policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = RefundTier)]
struct TierView {
    /// Cancelling at or before this many seconds before the start …
    before_s: i64,
    /// … returns this percentage of the face price.
    #[schema(example = "50")]
    percent: String,
}

/// A try to pay for a booking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Payment)]
pub struct PaymentView {
    id: String,
    gateway: String,
    #[schema(value_type = words::PaymentStatus)]
    status: &'static str,
    #[schema(value_type = words::Money)]
    amount: Money,
    /// What the provider says it took; null until it took something.
    #[schema(value_type = Option<words::Money>)]
    captured: Option<Money>,
    /// `open`, `won` or `lost`; null where the buyer's bank has not disputed it.
    #[schema(value_type = Option<words::DisputeStatus>)]
    dispute: Option<&'static str>,
    /// `amount_mismatch` where that is not what was asked for.
    #[schema(value_type = Option<words::PaymentFlag>)]
    flag: Option<&'static str>,
    /// The refund of another booking that an exchange brought here as this payment.
    moved_from: Option<String>,
    /// The page on which the buyer pays; null where there is nothing to pay on a page.
    checkout_url: Option<String>,
    #[schema(format = DateTime)]
    checkout_expires_at: String,
    #[schema(format = DateTime)]
    started_at: String,
}

/// Money that goes back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Refund)]
struct RefundView {
    id: String,
    /// The payment whose money goes back.
    payment: String,
    #[schema(value_type = words::RefundStatus)]
    status: &'static str,
    #[schema(value_type = words::Money)]
    amount: Money,
    /// The tickets that it is for.
    tickets: Vec<String>,
    #[schema(value_type = words::RefundReason)]
    reason: &'static str,
    /// What the buyer is told.
    explanation: &'static str,
    /// The payment of another booking that an exchange made of it; null where it goes back to the buyer.
    moved_to: Option<String>,
    #[schema(format = DateTime)]
    requested_at: String,
}

/// What was given back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Cancellation)]
pub struct CancellationView {
    /// Null if no money goes back.
    id: Option<String>,
    #[schema(value_type = Option<words::RefundStatus>)]
    status: Option<&'static str>,
    #[schema(value_type = words::Money)]
    amount: Money,
    /// What the cinema keeps.
    #[schema(value_type = words::Money)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Quote)]
pub struct QuoteView {
    /// Always true.
    dry_run: bool,
    /// The show's id.
    show: String,
    #[schema(value_type = words::Channel)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = CancellationQuote)]
#[serde(deny_unknown_fields)]
pub struct CancellationQuote {
    #[schema(value_type = words::Money)]
    pub amount: Money,
    /// What the cinema keeps.
    #[schema(value_type = words::Money)]
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
