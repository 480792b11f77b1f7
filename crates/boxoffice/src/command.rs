//! The closed set of business steps. A store runs each as one atomic operation: load, decide, write.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::action::Deed;
use crate::admission::{Admit, RecordScans};
use crate::booking::{Booking, Cancellation, Channel, Customer, DisputeStatus, StaffNote};
use crate::gateway::Checkout;
use crate::id::{BookingId, CatalogueId, NoticeId, SeatNo, ShowId, ShowNo};
use crate::layout::LayoutPin;
use crate::money::Money;
use crate::refusal::Refusal;
use crate::show::RefundChoice;
use crate::time::Timestamp;

/// A command and the key that makes a repeat harmless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub command: Command,
    pub idempotency: Option<Idempotency>,
    /// The id of the staff key it was sent with: what it changes is written into the staff's log, in the
    /// same transaction. `None`: a buyer, a provider or a job.
    pub by: Option<String>,
}

impl From<Command> for Step {
    fn from(command: Command) -> Self {
        Self { command, idempotency: None, by: None }
    }
}

/// A caller's idempotency key. A store first looks whether it has an answer for it: the same
/// fingerprint replays that answer, another is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// Whose key it is: the hash of an API key, a booking token or a session.
    pub scope: String,
    pub key: String,
    /// Hash of method, path and body.
    pub fingerprint: [u8; 32],
    /// Whether this step's success is the answer to keep. A step before the last of a request binds
    /// the key to the request without an answer.
    pub keep: bool,
}

impl Idempotency {
    /// # Errors
    /// [`Refusal::IdempotencyKeyReused`] if what is kept under the key is of another request.
    pub fn belongs_to(&self, kept_fingerprint: &[u8; 32]) -> Result<(), Refusal> {
        if self.fingerprint == *kept_fingerprint { Ok(()) } else { Err(Refusal::IdempotencyKeyReused) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Hold(Box<Hold>),
    ChangeSeats(ChangeSeats),
    ChangeCustomer {
        booking: BookingId,
        customer: Customer,
    },
    StartPayment {
        booking: BookingId,
        gateway: String,
        return_url: String,
    },
    /// The counter has taken the money: confirmed at once.
    PayAtCounter {
        booking: BookingId,
    },
    OpenCheckout(OpenCheckout),
    /// The buyer came back from the payment page.
    BuyerReturned {
        booking: BookingId,
    },
    Settle(Settle),
    /// The holder takes the show as it stands now.
    AcceptChanges {
        booking: BookingId,
        customer: Option<Customer>,
    },
    /// The buyer gives back these tickets, by number, or all that is left of the booking.
    Cancel {
        booking: BookingId,
        tickets: Option<Vec<u16>>,
        reason: Option<String>,
    },
    /// The buyer takes other seats for tickets.
    Exchange(Box<Exchange>),
    /// Staff give money back.
    Refund(StaffRefund),
    /// The cinema does not play the show. Its bookings follow, one by one.
    CancelShow {
        show: ShowNo,
        refunds: RefundChoice,
        note: StaffNote,
    },
    /// Brings a booking into line with its show, which has changed.
    Follow {
        booking: BookingId,
    },
    Expire {
        booking: BookingId,
    },
    RefundAnswered(RefundAnswered),
    /// The booking that money was moved to has heard of the dispute about it.
    DisputePassedOn {
        booking: BookingId,
        refund: u16,
        status: DisputeStatus,
    },
    NoticeAnswered(NoticeAnswered),
    /// Staff have a notice sent once more.
    ResendNotice {
        notice: NoticeId,
    },
    /// Forgets who booked, while the books stay; where the person is still needed, as soon as that is over.
    Erase {
        booking: BookingId,
    },
    Block(Block),
    Unblock(Block),
    Admit(Box<Admit>),
    RecordScans(RecordScans),
    Reissue(Reissue),
}

/// Take seats of a show for a new booking, all of them or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// Made by the caller; its show is the show.
    pub booking: BookingId,
    pub reference: String,
    pub seats: Seats,
    /// The layout in which `seats` were looked up.
    pub layout: LayoutPin,
    pub channel: Channel,
    pub customer: Customer,
    pub metadata: BTreeMap<String, String>,
    /// Bookings the caller has proved to be theirs: their seats are refused as `held-by-you`.
    pub mine: Vec<BookingId>,
    /// What the caller was told it costs; another total is refused.
    pub expected_total: Option<Money>,
    /// The key of a promo code.
    pub promo: Option<CatalogueId>,
}

/// Give tickets of a confirmed booking for seats of this or another show, all of it or nothing. If the
/// tickets are worth enough they pay, and the new booking is confirmed in the same step; else it is
/// held, and the step that confirms it gives the tickets back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// The new booking. Customer and metadata are taken over from the old one.
    pub hold: Hold,
    pub from: BookingId,
    /// By number; `None`: all that are left.
    pub tickets: Option<Vec<u16>>,
}

/// Which seats: these, or the best that stand together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seats {
    These(Vec<SeatPick>),
    Best { count: u16, category: Option<u16> },
}

impl Seats {
    /// How many seats are asked for.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::These(picks) => picks.len(),
            Self::Best { count, .. } => usize::from(*count),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatPick {
    pub seat: SeatNo,
    pub ticket_type: String,
}

/// Replace a pending booking's seats, or its promo code, in one step, or change nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeSeats {
    pub booking: BookingId,
    /// `None`: the same seats, priced anew.
    pub seats: Option<Seats>,
    pub layout: LayoutPin,
    /// A new customer in the same step.
    pub customer: Option<Customer>,
    pub promo: PromoChange,
}

/// What becomes of a booking's promo code.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum PromoChange {
    #[default]
    Keep,
    /// This one from now on, by its key.
    Use(CatalogueId),
    Remove,
}

/// Seats to take off sale, or to put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub show: ShowNo,
    pub seats: Vec<SeatNo>,
    /// The layout in which `seats` were looked up.
    pub layout: LayoutPin,
    /// A block ends then by itself; `None`: when staff put the seats back.
    pub until: Option<Timestamp>,
    /// Who did it, and why.
    pub note: Option<StaffNote>,
}

/// Money that staff give back on their own account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffRefund {
    pub booking: BookingId,
    pub what: ToRefund,
    pub note: StaffNote,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToRefund {
    /// Face price and share of the fees of these tickets, by number; they are void from then on.
    Tickets { numbers: Vec<u16>, keep_fees: bool },
    /// Goodwill: the tickets stay.
    Amount(Money),
}

/// Give a ticket a new code, which ends the old one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reissue {
    pub booking: BookingId,
    pub ticket: u16,
    /// Whom it is handed on to; `None`: its holder stays.
    pub holder: Option<String>,
}

/// The last step of starting to pay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenCheckout {
    pub booking: BookingId,
    pub attempt: u16,
    /// The page the provider answered; `None` where none is needed, because it is known or there is
    /// nothing to pay.
    pub page: Option<Checkout>,
}

/// News of a payment, by whatever road: webhook, return page, reconciler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settle {
    pub booking: BookingId,
    pub gateway: String,
    /// The attempt that the payment names.
    pub attempt: u16,
    /// The provider's own id of the payment, where the news carries one.
    pub payment_id: Option<String>,
    pub news: PaymentNews,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum PaymentNews {
    /// Created, authorised, processing: nothing is decided.
    Pending,
    /// The provider was asked and did not answer.
    Silent,
    Declined,
    /// The page has ended without a payment, or was closed by us.
    Ended,
    Captured(Money),
    /// The buyer's bank asks for the money back, or has decided about it.
    Dispute(DisputeStatus),
}

/// How the provider answered the call for a refund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundAnswered {
    pub booking: BookingId,
    pub refund: u16,
    pub answer: RefundAnswer,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundAnswer {
    Succeeded {
        provider_refund_id: String,
    },
    /// No answer, or one that does not say: ask again.
    Unknown,
    /// Refused for good.
    Failed,
    /// It could not be asked at all: no such gateway here, or no payment id yet.
    NotSent,
}

/// What became of a notice that was to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeAnswered {
    pub notice: NoticeId,
    pub answer: NoticeAnswer,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoticeAnswer {
    Sent,
    /// Not this way: without its attachments, if it has any, or not at all.
    Refused {
        why: String,
    },
    /// Not now, or nobody answered: try again.
    Later {
        why: String,
    },
    /// There is nobody to send it, or nobody to send it to.
    Withheld,
}

impl Command {
    /// The show whose seats the step may touch: the first and only lock.
    #[must_use]
    pub fn show(&self) -> ShowNo {
        match self {
            Self::Hold(hold) => hold.booking.show(),
            Self::Exchange(exchange) => exchange.hold.booking.show(),
            Self::Block(block) | Self::Unblock(block) => block.show,
            Self::CancelShow { show, .. } => *show,
            Self::Refund(c) => c.booking.show(),
            Self::ChangeSeats(c) => c.booking.show(),
            Self::OpenCheckout(c) => c.booking.show(),
            Self::Settle(c) => c.booking.show(),
            Self::RefundAnswered(c) => c.booking.show(),
            Self::NoticeAnswered(c) => c.notice.booking.show(),
            Self::ResendNotice { notice } => notice.booking.show(),
            Self::Admit(c) => c.ticket.booking.show(),
            Self::RecordScans(c) => c.booking.show(),
            Self::Reissue(c) => c.booking.show(),
            Self::ChangeCustomer { booking, .. }
            | Self::StartPayment { booking, .. }
            | Self::PayAtCounter { booking }
            | Self::BuyerReturned { booking }
            | Self::AcceptChanges { booking, .. }
            | Self::Cancel { booking, .. }
            | Self::Follow { booking }
            | Self::DisputePassedOn { booking, .. }
            | Self::Erase { booking }
            | Self::Expire { booking } => booking.show(),
        }
    }

    /// What the staff's log calls the step.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hold(_) => "hold",
            Self::ChangeSeats(_) => "change_seats",
            Self::ChangeCustomer { .. } => "change_customer",
            Self::StartPayment { .. } => "start_payment",
            Self::PayAtCounter { .. } => "pay_at_counter",
            Self::OpenCheckout(_) => "open_checkout",
            Self::BuyerReturned { .. } => "buyer_returned",
            Self::Settle(_) => "settle",
            Self::AcceptChanges { .. } => "accept_changes",
            Self::Cancel { .. } => "cancel",
            Self::Exchange(_) => "exchange",
            Self::Refund(_) => "refund",
            Self::CancelShow { .. } => "cancel_show",
            Self::Follow { .. } => "follow",
            Self::Expire { .. } => "expire",
            Self::RefundAnswered(_) => "refund_answered",
            Self::DisputePassedOn { .. } => "dispute_passed_on",
            Self::NoticeAnswered(_) => "notice_answered",
            Self::ResendNotice { .. } => "resend_notice",
            Self::Erase { .. } => "erase",
            Self::Block(_) => "block",
            Self::Unblock(_) => "unblock",
            Self::Admit(_) => "admit",
            Self::RecordScans(_) => "record_scans",
            Self::Reissue(_) => "reissue",
        }
    }

    /// What the staff's log tells of the step.
    #[must_use]
    pub fn deed(&self, by: String, show: &ShowId) -> Deed {
        Deed { by, what: self.name().to_owned(), booking: self.booking(), subject: show.to_string() }
    }

    /// Whether the step may change the show itself, which others remember.
    #[must_use]
    pub fn changes_show(&self) -> bool {
        matches!(self, Self::CancelShow { .. })
    }

    /// The refusal where there is no such show: what was asked for is not there.
    #[must_use]
    pub fn missing(&self) -> Refusal {
        let of_booking = self.booking().is_some() && !matches!(self, Self::Hold(_) | Self::Exchange(_));
        Refusal::NotFound(if of_booking { "booking" } else { "show" })
    }

    /// The booking to load for the decision, if it exists. A hold names the one it makes: found
    /// there already, the hold was done and its answer lost.
    #[must_use]
    pub fn booking(&self) -> Option<BookingId> {
        match self {
            Self::Block(_) | Self::Unblock(_) | Self::CancelShow { .. } => None,
            Self::Refund(c) => Some(c.booking),
            Self::Hold(hold) => Some(hold.booking),
            Self::Exchange(exchange) => Some(exchange.hold.booking),
            Self::ChangeSeats(c) => Some(c.booking),
            Self::OpenCheckout(c) => Some(c.booking),
            Self::Settle(c) => Some(c.booking),
            Self::RefundAnswered(c) => Some(c.booking),
            Self::NoticeAnswered(c) => Some(c.notice.booking),
            Self::ResendNotice { notice } => Some(notice.booking),
            Self::Admit(c) => Some(c.ticket.booking),
            Self::RecordScans(c) => Some(c.booking),
            Self::Reissue(c) => Some(c.booking),
            Self::ChangeCustomer { booking, .. }
            | Self::StartPayment { booking, .. }
            | Self::PayAtCounter { booking }
            | Self::BuyerReturned { booking }
            | Self::AcceptChanges { booking, .. }
            | Self::Cancel { booking, .. }
            | Self::Follow { booking }
            | Self::DisputePassedOn { booking, .. }
            | Self::Erase { booking }
            | Self::Expire { booking } => Some(*booking),
        }
    }

    /// The second booking of the step, whose tickets its first booking replaces. Its show is locked
    /// too, in the order of the shows' numbers; which one it is never changes.
    #[must_use]
    pub fn replaced(&self, booking: Option<&Booking>) -> Option<BookingId> {
        if let Self::Exchange(exchange) = self {
            return Some(exchange.from);
        }
        let may_confirm = matches!(self, Self::Settle(_) | Self::PayAtCounter { .. });
        booking.filter(|_| may_confirm)?.replaces.as_ref().map(|replaces| replaces.booking)
    }
}

/// What a step answered; what an idempotency record keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The instant the step was decided at.
    pub at: Timestamp,
    /// The booking after the step; blocks have none.
    pub booking: Option<Booking>,
    pub effect: Effect,
}

impl Outcome {
    /// The cancellation that the step made, or answers again.
    #[must_use]
    pub fn cancellation(&self) -> Option<&Cancellation> {
        let Effect::Cancelled { cancellation } = self.effect else { return None };
        self.booking.as_ref()?.cancellations.get(cancellation)
    }
}

/// What the step did to the world.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    Held,
    SeatsChanged,
    CustomerChanged,
    /// The attempt to pay with. With nothing to pay it has succeeded and the booking is confirmed.
    PaymentStarted {
        attempt: u16,
    },
    CheckoutOpened {
        attempt: u16,
    },
    /// The booking or the attempt ended while the provider made the page: nobody may pay on it, and
    /// it is closed at the next tick.
    CheckoutTooLate {
        attempt: u16,
    },
    BuyerReturned,
    Settled(Settled),
    ChangesAccepted,
    /// Given back: the cancellation's place in the booking's list.
    Cancelled {
        cancellation: usize,
    },
    /// The tickets paid for the new booking: how they were given back, and what of them it took.
    Exchanged {
        given: Cancellation,
        moved: Money,
    },
    /// The new seats cost more than the tickets are worth. When they are paid, this goes back.
    ExchangeHeld {
        back: Money,
    },
    /// Money went back and the tickets stay.
    GoodwillGiven {
        refund: u16,
    },
    ShowCancelled,
    /// The booking is in line with its show.
    Followed,
    Expired,
    RefundRecorded,
    NoticeRecorded,
    Erased,
    /// The person is needed until then at least, and is erased after that.
    EraseLater {
        at: Timestamp,
    },
    BlocksChanged,
    /// The holder may go in; a repeat tells of the same scan.
    Admitted {
        ticket: u16,
        at: Timestamp,
        gate: Option<String>,
    },
    /// One for each scan that was sent, in that order.
    ScansRecorded(Vec<Recorded>),
    Reissued {
        ticket: u16,
    },
    /// The step found nothing to do.
    Nothing,
}

impl Effect {
    /// The payment attempt that a start of payment is about.
    #[must_use]
    pub fn attempt(&self) -> Option<u16> {
        match self {
            Self::PaymentStarted { attempt } | Self::CheckoutOpened { attempt } | Self::CheckoutTooLate { attempt } => {
                Some(*attempt)
            }
            Self::Held
            | Self::SeatsChanged
            | Self::CustomerChanged
            | Self::BuyerReturned
            | Self::Settled(_)
            | Self::ChangesAccepted
            | Self::Cancelled { .. }
            | Self::Exchanged { .. }
            | Self::ExchangeHeld { .. }
            | Self::GoodwillGiven { .. }
            | Self::ShowCancelled
            | Self::Followed
            | Self::Expired
            | Self::RefundRecorded
            | Self::NoticeRecorded
            | Self::Erased
            | Self::EraseLater { .. }
            | Self::BlocksChanged
            | Self::Admitted { .. }
            | Self::ScansRecorded(_)
            | Self::Reissued { .. }
            | Self::Nothing => None,
        }
    }
}

/// How a scan that was made offline was taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Recorded {
    New,
    /// It was here already: the same nonce.
    Before,
    /// The booking has no such ticket, or not with this serial.
    Unknown,
}

/// How news of a payment came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Settled {
    /// Known already, or of lower rank than what is known.
    Unchanged,
    /// Rank or payment id noted; seats and money stay.
    Noted,
    Confirmed,
    /// Confirmed after the hold had ended, with the same seats taken again.
    Reclaimed,
    /// The money goes back.
    Refunded,
}
