//! The closed set of business steps. A store runs each as one atomic operation: load, decide, write.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::booking::{Booking, Channel, Customer};
use crate::id::{BookingId, SeatNo, ShowNo};
use crate::money::Money;
use crate::time::Timestamp;

/// A command and the key that makes a repeat harmless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub command: Command,
    pub idempotency: Option<Idempotency>,
}

impl From<Command> for Step {
    fn from(command: Command) -> Self {
        Self { command, idempotency: None }
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
    /// Whether this step's success is the answer to keep. The steps before the last of a request
    /// only look.
    pub keep: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Hold(Box<Hold>),
    ChangeSeats(ChangeSeats),
    ChangeCustomer { booking: BookingId, customer: Customer },
    StartPayment { booking: BookingId, gateway: String },
    OpenCheckout(OpenCheckout),
    Settle(Settle),
    Cancel { booking: BookingId, reason: Option<String> },
    Expire { booking: BookingId },
    RefundAnswered(RefundAnswered),
    Block { show: ShowNo, seats: Vec<SeatNo> },
    Unblock { show: ShowNo, seats: Vec<SeatNo> },
}

/// Take seats of a show for a new booking, all of them or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// Made by the caller; its show is the show.
    pub booking: BookingId,
    pub reference: String,
    pub seats: Seats,
    /// The layout version in which `seats` were looked up.
    pub layout_version: u32,
    pub channel: Channel,
    pub customer: Customer,
    pub metadata: BTreeMap<String, String>,
    /// Bookings the caller has proved to be theirs: their seats are refused as `held-by-you`.
    pub mine: Vec<BookingId>,
}

/// Which seats: these, or the best that stand together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seats {
    These(Vec<SeatPick>),
    Best { count: u16, category: Option<u16> },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatPick {
    pub seat: SeatNo,
    pub ticket_type: String,
}

/// Replace a pending booking's seats in one step, or change nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeSeats {
    pub booking: BookingId,
    pub seats: Seats,
    pub layout_version: u32,
    /// A new customer in the same step.
    pub customer: Option<Customer>,
}

/// The provider answered with a payment page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenCheckout {
    pub booking: BookingId,
    pub attempt: u16,
    pub payment_id: String,
    pub checkout_url: String,
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
    Declined,
    /// The page has ended without a payment, or was closed by us.
    Ended,
    Captured(Money),
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
}

impl Command {
    /// The show whose seats the step may touch: the first and only lock.
    #[must_use]
    pub fn show(&self) -> ShowNo {
        match self {
            Self::Hold(hold) => hold.booking.show(),
            Self::Block { show, .. } | Self::Unblock { show, .. } => *show,
            Self::ChangeSeats(c) => c.booking.show(),
            Self::OpenCheckout(c) => c.booking.show(),
            Self::Settle(c) => c.booking.show(),
            Self::RefundAnswered(c) => c.booking.show(),
            Self::ChangeCustomer { booking, .. }
            | Self::StartPayment { booking, .. }
            | Self::Cancel { booking, .. }
            | Self::Expire { booking } => booking.show(),
        }
    }

    /// The booking to load for the decision, if it exists. A hold names the one it makes: found
    /// there already, the hold was done and its answer lost.
    #[must_use]
    pub fn booking(&self) -> Option<BookingId> {
        match self {
            Self::Block { .. } | Self::Unblock { .. } => None,
            Self::Hold(hold) => Some(hold.booking),
            Self::ChangeSeats(c) => Some(c.booking),
            Self::OpenCheckout(c) => Some(c.booking),
            Self::Settle(c) => Some(c.booking),
            Self::RefundAnswered(c) => Some(c.booking),
            Self::ChangeCustomer { booking, .. }
            | Self::StartPayment { booking, .. }
            | Self::Cancel { booking, .. }
            | Self::Expire { booking } => Some(*booking),
        }
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
    Settled(Settled),
    Cancelled,
    Expired,
    RefundRecorded,
    BlocksChanged,
    /// The step found nothing to do.
    Nothing,
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
