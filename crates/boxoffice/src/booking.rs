//! A booking and all that hangs off it: seats and price as frozen at the hold, payment attempts,
//! refunds, tickets.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::id::{BookingId, CatalogueId, PartId, ScreenId, SeatNo, ShowId};
use crate::layout::LayoutPin;
use crate::money::{Money, Percent};
use crate::show::{LatePayment, RefundPolicy};
use crate::time::{Span, Timestamp};

mod exchange;
mod notice;
mod worth;

pub use exchange::Replaces;
pub use notice::{Notice, NoticeKind, NoticeStatus};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BookingStatus {
    PendingPayment,
    Confirmed,
    Cancelled,
    Expired,
}

impl BookingStatus {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PendingPayment => "pending_payment",
            Self::Confirmed => "confirmed",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
        }
    }
}

/// Through which door the booking came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    Web,
    Counter,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Booking {
    pub id: BookingId,
    pub reference: String,
    /// As stored; what a reader sees is [`Booking::status_at`].
    pub status: BookingStatus,
    pub channel: Channel,
    pub show: ShowStamp,
    pub seats: Vec<BookedSeat>,
    pub price: Quote,
    pub refund_policy: RefundPolicy,
    pub late_payment: LatePayment,
    pub customer: Customer,
    /// The caller's own notes, returned as given.
    pub metadata: BTreeMap<String, String>,
    pub created_at: Timestamp,
    /// The deadline given at the hold. The first payment start may move `expires_at` past it, once.
    pub first_deadline: Timestamp,
    pub expires_at: Timestamp,
    pub extended: bool,
    /// The attempt whose money confirmed the booking.
    pub paid_by: Option<u16>,
    pub attempts: Vec<Attempt>,
    pub refunds: Vec<Refund>,
    pub tickets: Vec<Ticket>,
    /// In the order in which they came about; the tickets of one are not in another.
    #[serde(default)]
    pub cancellations: Vec<Cancellation>,
    /// What the customer is told, each once.
    #[serde(default)]
    pub notices: Vec<Notice>,
    /// The promo code whose use this booking counts as.
    #[serde(default)]
    pub promo: Option<PromoUse>,
    /// The show as the holder was last told of it; `None`: as it stood at the hold.
    #[serde(default)]
    pub told: Option<ShowStamp>,
    /// The tickets of another booking that go back when this one is confirmed: an exchange.
    #[serde(default)]
    pub replaces: Option<Replaces>,
    /// Somebody asked to be forgotten who is still needed: when a job looks whether that is over.
    #[serde(default)]
    pub erase_at: Option<Timestamp>,
}

/// A use of a promo code. It counts while the booking's hold lives or its tickets do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromoUse {
    pub code: CatalogueId,
    /// What it took off the booking.
    pub discount: Money,
}

/// The show as it stood at the hold; late money reclaims seats only if it stands so still.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShowStamp {
    pub id: ShowId,
    pub starts_at: Timestamp,
    pub screen: ScreenId,
    pub layout: LayoutPin,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookedSeat {
    pub no: SeatNo,
    pub id: String,
    pub label: String,
    /// The category's name.
    pub category: String,
    pub ticket_type: String,
    /// The ticket alone, after its discount.
    pub face: Money,
    /// With its share of the fees, after their discount.
    pub total: Money,
    /// What a promo code took off; it is off `face` and `total` already.
    #[serde(default)]
    pub discount: Option<Money>,
    /// The tax contained in `face`. `None` only in bookings of an earlier version.
    #[serde(default)]
    pub tax: Option<TaxPart>,
    /// What `total` has beyond `face`. Empty in bookings of an earlier version, whatever they paid.
    #[serde(default)]
    pub fees: Vec<SeatFee>,
}

/// A seat's share of one fee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatFee {
    pub id: CatalogueId,
    pub amount: Money,
    /// Whether a buyer who cancels gets it back.
    pub refundable: bool,
    /// Contained in `amount`.
    pub tax: TaxPart,
}

/// A tax that is contained in an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaxPart {
    pub percent: Percent,
    pub amount: Money,
}

/// What the buyer pays, frozen at the hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// Tickets and fees add up to `total`; tax lines say what of it is tax.
    pub lines: Vec<PriceLine>,
    pub total: Money,
    /// Contained in `total`.
    pub tax: Money,
    /// What a buyer who cancels gets back of the fees.
    pub refundable_fees: Money,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceLine {
    pub kind: LineKind,
    pub label: String,
    pub quantity: u32,
    pub amount: Money,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    Ticket,
    Fee,
    Discount,
    Tax,
}

/// Who is told. All fields optional until a payment starts, which needs e-mail or phone.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Customer {
    pub name: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub locale: Option<String>,
}

impl Customer {
    /// Whether it tells who they are.
    #[must_use]
    pub fn is_named(&self) -> bool {
        self.name.is_some() || self.email.is_some() || self.phone.is_some()
    }
}

impl Customer {
    #[must_use]
    pub fn can_be_reached(&self) -> bool {
        self.email.is_some() || self.phone.is_some()
    }
}

/// How far a payment attempt got. The order is the rank, and the rank never goes back; between
/// the two of middle rank the first stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptStatus {
    Started,
    Declined,
    Abandoned,
    Succeeded,
}

impl AttemptStatus {
    #[must_use]
    pub fn rank(self) -> u8 {
        match self {
            Self::Started => 0,
            Self::Declined | Self::Abandoned => 1,
            Self::Succeeded => 2,
        }
    }

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Declined => "declined",
            Self::Abandoned => "abandoned",
            Self::Succeeded => "succeeded",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    pub id: PartId,
    pub gateway: String,
    pub status: AttemptStatus,
    /// What the provider is asked to take: the booking's total when the attempt started.
    pub amount: Money,
    /// The provider's own id of the payment, known once it answered.
    pub payment_id: Option<String>,
    pub checkout_url: Option<String>,
    /// Where the provider sends the buyer back to; frozen, because the same call must be repeatable.
    pub return_url: String,
    /// The buyer came back from the page and nothing is decided yet.
    pub returned: bool,
    /// Money that came on another attempt's page under a payment id of its own: that attempt. Such
    /// a row has no page.
    pub second_on: Option<u16>,
    /// The payment page ends here; after it a started attempt counts as abandoned.
    pub checkout_ends_at: Timestamp,
    pub started_at: Timestamp,
    /// What the provider says it took, once it succeeded.
    pub captured: Option<Money>,
    /// The provider no longer lets anyone pay here, or we need not ask it to stop.
    pub closed: bool,
    /// When to ask the provider about it next; `None`: no need to ask any more.
    pub ask_at: Option<Timestamp>,
    /// The buyer's bank asks for the money back.
    #[serde(default)]
    pub dispute: Option<Dispute>,
    /// No payment of its own: a part of another booking's, which an exchange brought here. It is that
    /// booking's refund row, and the provider knows the money by that booking's payment.
    #[serde(default)]
    pub moved_from: Option<PartId>,
}

/// A mark beside a payment's status. While it is open or lost, nothing of the payment is refunded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    pub status: DisputeStatus,
    /// What the bank took back, once it is lost.
    pub lost: Option<Money>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DisputeStatus {
    Open,
    Won,
    Lost,
}

impl DisputeStatus {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Won => "won",
            Self::Lost => "lost",
        }
    }
}

impl Attempt {
    /// Still open for the buyer: started, page not ended.
    #[must_use]
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.status == AttemptStatus::Started && !self.closed && now.is_before(self.checkout_ends_at)
    }

    /// As readers see it: an attempt whose page has ended counts as abandoned.
    #[must_use]
    pub fn status_at(&self, now: Timestamp) -> AttemptStatus {
        let page_over = self.status == AttemptStatus::Started && !self.is_open(now);
        if page_over { AttemptStatus::Abandoned } else { self.status }
    }

    /// The word that readers see: `processing` for an open attempt whose buyer came back.
    #[must_use]
    pub fn word_at(&self, now: Timestamp) -> &'static str {
        let status = self.status_at(now);
        let processing = status == AttemptStatus::Started && self.returned;
        if processing { "processing" } else { status.as_str() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundStatus {
    /// Owed and durable; the job will call the provider.
    Requested,
    /// Asked, but no answer came; asked again with the same key.
    Unknown,
    Succeeded,
    /// The provider refused for good: an open liability for staff.
    Failed,
}

impl RefundStatus {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Unknown => "unknown",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }
}

/// Why money goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundReason {
    /// The buyer cancelled a confirmed booking.
    Cancelled,
    /// The money came after the hold had ended and the seats could not be taken again.
    Late,
    /// The money came for a booking that had been cancelled.
    BookingCancelled,
    /// The show had been cancelled.
    ShowCancelled,
    /// The booking was paid already.
    AlreadyPaid,
    /// Amount or currency differ from what was asked.
    AmountMismatch,
    /// The buyer cancelled because the show had been moved.
    ShowMoved,
    /// Staff gave tickets back.
    Staff,
    /// Staff gave money and left the tickets as they are.
    Goodwill,
    /// The tickets were exchanged, and this is what the new seats did not take.
    Exchanged,
    /// The seats were to be paid in exchange for tickets that could no longer be given back.
    ExchangeOff,
}

impl RefundReason {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Late => "late",
            Self::BookingCancelled => "booking_cancelled",
            Self::ShowCancelled => "show_cancelled",
            Self::AlreadyPaid => "already_paid",
            Self::AmountMismatch => "amount_mismatch",
            Self::ShowMoved => "show_moved",
            Self::Staff => "staff",
            Self::Goodwill => "goodwill",
            Self::Exchanged => "exchanged",
            Self::ExchangeOff => "exchange_off",
        }
    }

    /// What the buyer is told.
    #[must_use]
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Cancelled => "The booking was cancelled.",
            Self::Late => "The payment arrived after the seats had been released, and they could not be taken again.",
            Self::BookingCancelled => "The payment arrived after the booking had been cancelled.",
            Self::ShowCancelled => "The cinema has cancelled the show.",
            Self::AlreadyPaid => "The booking had already been paid.",
            Self::AmountMismatch => "The amount taken differs from the amount asked for.",
            Self::ShowMoved => "The booking was cancelled because the show had been moved.",
            Self::Staff => "The cinema has taken tickets back.",
            Self::Goodwill => "The cinema gives this back; the tickets stay as they are.",
            Self::Exchanged => "The tickets were exchanged for other seats.",
            Self::ExchangeOff => "The tickets could no longer be exchanged when the payment arrived.",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refund {
    pub id: PartId,
    /// The attempt whose money goes back.
    pub attempt: u16,
    pub amount: Money,
    pub reason: RefundReason,
    pub status: RefundStatus,
    pub provider_refund_id: Option<String>,
    pub requested_at: Timestamp,
    /// How often the provider has been asked.
    pub tries: u32,
    /// When to ask next; `None`: done.
    pub next_try_at: Option<Timestamp>,
    /// What of it belongs to which ticket; empty where the payment never stood for tickets.
    #[serde(default)]
    pub shares: Vec<TicketShare>,
    /// The staff's own words, and the id of the key they were sent with.
    #[serde(default)]
    pub by_staff: Option<StaffNote>,
    /// It never left the provider: an exchange paid another booking with it, as this attempt.
    #[serde(default)]
    pub moved_to: Option<PartId>,
    /// How much of the payment's dispute the booking it was moved to has been told.
    #[serde(default)]
    pub dispute_told: Option<DisputeStatus>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketShare {
    /// The ticket's number.
    pub ticket: u16,
    pub amount: Money,
}

/// What staff did on their own account.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct StaffNote {
    pub reason: String,
    /// The id of the staff key.
    pub by: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TicketStatus {
    Valid,
    Admitted,
    Void,
}

impl TicketStatus {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Admitted => "admitted",
            Self::Void => "void",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoidReason {
    Cancelled,
    Refunded,
    Reissued,
    DisputeLost,
}

impl VoidReason {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Refunded => "refunded",
            Self::Reissued => "reissued",
            Self::DisputeLost => "dispute_lost",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    pub id: PartId,
    pub seat: SeatNo,
    pub label: String,
    pub ticket_type: String,
    pub status: TicketStatus,
    pub void_reason: Option<VoidReason>,
    /// Rises when the ticket is reissued; the code carries it.
    pub serial: u16,
    /// Whom it was handed on to, if it was.
    #[serde(default)]
    pub holder: Option<String>,
    /// Scans that let somebody in, or did offline; the earliest by its corrected time is the
    /// admission, whatever order they arrived in, and every other one is a conflict.
    #[serde(default)]
    pub scans: Vec<Scan>,
}

/// A ticket was shown at a door and its holder let in, or offline at least seen there. What it
/// comes to is [`Ticket::verdict`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scan {
    /// By the server's clock; of an offline scan, the device's time set right by its offset.
    pub at: Timestamp,
    /// Made by the scanner: the same scan sent again carries the same.
    pub nonce: Option<String>,
    pub gate: Option<String>,
    /// The id of the staff key it was sent with.
    pub by: String,
    /// The serial that was on the ticket.
    pub serial: u16,
    /// Made at the door of another show, so that it let nobody into this one.
    #[serde(default)]
    pub elsewhere: bool,
    /// Made without the server, on this device.
    pub offline: Option<OfflineScan>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfflineScan {
    pub device: String,
    /// How far the device's clock was ahead of the server's.
    pub clock_offset: Span,
    pub received_at: Timestamp,
}

/// How a cancellation came out; a repeat answers the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cancellation {
    pub at: Timestamp,
    pub reason: Option<String>,
    /// What goes back; zero for a booking that was not paid.
    pub amount: Money,
    /// What the cinema keeps.
    pub kept: Money,
    /// The number of the refund row, if any money goes back.
    pub refund: Option<u16>,
    /// The numbers of its tickets; empty: the whole booking.
    #[serde(default)]
    pub tickets: Vec<u16>,
    /// The booking that came in their place.
    #[serde(default)]
    pub exchanged_for: Option<BookingId>,
}

impl BookedSeat {
    /// What of this seat's fees goes back to a buyer who cancels.
    #[must_use]
    pub fn refundable_fees(&self) -> Money {
        let minor = self.fees.iter().filter(|fee| fee.refundable).map(|fee| fee.amount.minor()).sum();
        Money::from_minor(minor, self.total.currency())
    }
}

impl Booking {
    #[must_use]
    pub fn status_at(&self, now: Timestamp) -> BookingStatus {
        let lapsed = self.status == BookingStatus::PendingPayment && !now.is_before(self.expires_at);
        if lapsed { BookingStatus::Expired } else { self.status }
    }

    #[must_use]
    pub fn attempt(&self, no: u16) -> Option<&Attempt> {
        self.attempts.iter().find(|a| a.id.no == no)
    }

    #[must_use]
    pub fn refund(&self, no: u16) -> Option<&Refund> {
        self.refunds.iter().find(|r| r.id.no == no)
    }

    /// The attempt that was started last: the one whose page the buyer should be on.
    #[must_use]
    pub fn last_started(&self) -> Option<&Attempt> {
        self.attempts.iter().rfind(|a| a.second_on.is_none())
    }

    /// The attempt whose payment page is open.
    #[must_use]
    pub fn open_attempt(&self, now: Timestamp) -> Option<&Attempt> {
        self.attempts.iter().rfind(|a| a.is_open(now))
    }

    #[must_use]
    pub fn ticket(&self, no: u16) -> Option<&Ticket> {
        self.tickets.iter().find(|t| t.id.no == no)
    }

    #[must_use]
    pub fn notice(&self, no: u16) -> Option<&Notice> {
        self.notices.iter().find(|n| n.id.no == no)
    }

    /// Whether it holds anything of a person.
    #[must_use]
    pub fn names_a_person(&self) -> bool {
        self.customer != Customer::default()
            || !self.metadata.is_empty()
            || self.tickets.iter().any(|ticket| ticket.holder.is_some())
            || self.cancellations.iter().any(|cancellation| cancellation.reason.is_some())
            || self.notices.iter().any(|notice| notice.last_error.is_some())
    }

    /// The next instant at which a job has something to do for this booking: let it expire, ask
    /// about an attempt, try a refund, pass a dispute on, forget who booked. A store indexes it; [`crate::jobs`] acts on it. Notices stand in
    /// a queue of their own, so that a slow mail server holds up nothing of this.
    #[must_use]
    pub fn due_at(&self) -> Option<Timestamp> {
        let expiry = (self.status == BookingStatus::PendingPayment).then_some(self.expires_at);
        let asks = self.attempts.iter().filter_map(|a| a.ask_at);
        let refunds = self.refunds.iter().filter(|r| !self.is_held_back(r)).filter_map(|r| r.next_try_at);
        let untold = self.disputes_to_pass_on().map(|(refund, _)| refund.requested_at);
        expiry.into_iter().chain(asks).chain(refunds).chain(untold).chain(self.erase_at).min()
    }
}
