//! Expected refusals: values with a stable code, retry advice and the seats. A refusal changes
//! nothing. Faults (the store is gone) and bugs (a broken invariant) are other types.

use crate::booking::{BookingStatus, ShowStamp, VoidReason};
use crate::catalogue::delete::InUse;
use crate::id::ShowId;
use crate::money::Money;
use crate::time::Timestamp;

/// A "no" that a user can cause. Variants stand in the order of precedence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("{}", .0.iter().map(|e| e.detail.as_str()).collect::<Vec<_>>().join(" "))]
    InvalidRequest(Vec<FieldError>),
    #[error("there is no {0} with this id")]
    NotFound(&'static str),
    #[error("the hall has no seat called {}", quoted(.0))]
    UnknownSeats(Vec<String>),
    #[error("more than one seat is called {}; name it by its id: {}", .0.label, .0.ids.join(", "))]
    AmbiguousSeats(Ambiguous),
    #[error("seat {} is named more than once", .0.join(", "))]
    DuplicateSeats(Vec<String>),
    #[error("at most {max} seats can be booked at once")]
    TooManySeats { max: u16 },
    #[error("no seats were named")]
    NoSeats,
    #[error("the idempotency key was used for another request")]
    IdempotencyKeyReused,
    #[error("a request with this idempotency key is still running")]
    RequestInProgress,
    #[error("{}", .0.words())]
    SalesClosed(NotOnSale),
    #[error("the show has been cancelled")]
    ShowCancelled,
    #[error("the show plays at another time or in another hall now; accept that first")]
    ShowMoved(Box<ShowMove>),
    #[error("the hall's seats have changed; load the seat map again")]
    LayoutChanged { current: u32 },
    #[error("the price is now {new}")]
    PriceChanged { old: Money, new: Money },
    #[error("{}", unavailable(.0))]
    SeatsUnavailable(Vec<TakenSeat>),
    #[error("fewer than {count} seats that may be chosen are free")]
    NotEnoughSeats { count: u16 },
    #[error("this code cannot be used: {0}")]
    PromoCodeInvalid(&'static str),
    #[error("this code has been used as often as it may be")]
    PromoCodeUsedUp,
    #[error("{}", hold_over(*.0))]
    HoldExpired(HoldOver),
    #[error("a payment is under way; finish or leave it first")]
    PaymentInProgress,
    #[error("the booking has been paid")]
    AlreadyPaid,
    #[error("the booking cannot be cancelled: {0}")]
    NotCancellable(&'static str),
    #[error("no more than {remaining} is left to give back")]
    AlreadyRefunded { remaining: Money },
    #[error(
        "the buyer's bank disputes the payment; nothing of it is given back meanwhile, and its tickets do not let in; call staff"
    )]
    PaymentDisputed,
    #[error("this is not a ticket code of this cinema; scan the whole code again")]
    NotATicket,
    #[error("there is no such ticket here; call staff")]
    UnknownTicket,
    #[error("the ticket is void: {}", void_words(*.reason))]
    TicketVoid { reason: VoidReason },
    #[error("the ticket is for {}, {}, {}, on {}", .0.movie, .0.theatre, .0.screen, .0.local)]
    WrongShow(Box<RightDoor>),
    #[error("the ticket has been used already{}", at_gate(.gate.as_deref()))]
    AlreadyAdmitted { at: Timestamp, gate: Option<String> },
    #[error("the doors open at {opens_at}")]
    TooEarly { opens_at: Timestamp },
    #[error("the {} {} is in use ({}); {}", .0.what, .0.id, .0.words(), .0.hint)]
    InUse(Box<InUse>),
    #[error("{gateway} did not answer; nothing was charged, try again")]
    GatewayUnavailable { gateway: String },
    #[error("no payment provider is set up here; tell the cinema")]
    NoGateway,
    #[error("the clock never runs backwards; it stands at {now}")]
    ClockBackwards { now: Timestamp },
}

/// The show as it was held, and as it plays now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShowMove {
    pub old: ShowStamp,
    pub new: ShowStamp,
}

/// One thing wrong with a request's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// A JSON pointer, such as `/customer/email`.
    pub pointer: String,
    pub detail: String,
}

impl FieldError {
    pub fn new(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), detail: detail.into() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ambiguous {
    pub label: String,
    pub ids: Vec<String>,
}

/// A seat that was asked for and is not free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenSeat {
    pub id: String,
    pub label: String,
    pub reason: TakenReason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TakenReason {
    Held,
    HeldByYou,
    Booked,
    Blocked,
}

impl TakenReason {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::HeldByYou => "held-by-you",
            Self::Booked => "booked",
            Self::Blocked => "blocked",
        }
    }
}

/// What a ticket is for, to tell its holder where to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RightDoor {
    pub show: ShowId,
    pub movie: String,
    pub theatre: String,
    pub screen: String,
    pub starts_at: Timestamp,
    /// The start on the theatre's clock: `2027-06-12 20:00`.
    pub local: String,
}

/// Why a hold no longer counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldOver {
    Lapsed,
    Cancelled,
    /// Too little of the hold is left for a payment page.
    TooLittleTime,
    /// Paying was tried more often than anyone needs to.
    TooManyAttempts,
}

/// When the same request may succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    Never,
    /// As it is, a little later.
    SameRequest,
    /// After loading what it is about again.
    AfterRefresh,
}

impl Refusal {
    /// The stable code. The page `docs/problems/CODE.md` explains it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidRequest(_) => "invalid-request",
            Self::NotFound(_) => "not-found",
            Self::UnknownSeats(_) => "unknown-seats",
            Self::AmbiguousSeats(_) => "ambiguous-seats",
            Self::DuplicateSeats(_) => "duplicate-seats",
            Self::TooManySeats { .. } => "too-many-seats",
            Self::NoSeats => "no-seats",
            Self::IdempotencyKeyReused => "idempotency-key-reused",
            Self::RequestInProgress => "request-in-progress",
            Self::SalesClosed(_) => "sales-closed",
            Self::ShowCancelled => "show-cancelled",
            Self::ShowMoved(_) => "show-moved",
            Self::LayoutChanged { .. } => "layout-changed",
            Self::PriceChanged { .. } => "price-changed",
            Self::SeatsUnavailable(_) | Self::NotEnoughSeats { .. } => "seats-unavailable",
            Self::PromoCodeInvalid(_) => "promo-code-invalid",
            Self::PromoCodeUsedUp => "promo-code-used-up",
            Self::HoldExpired(_) => "hold-expired",
            Self::PaymentInProgress => "payment-in-progress",
            Self::AlreadyPaid => "already-paid",
            Self::NotCancellable(_) => "not-cancellable",
            Self::AlreadyRefunded { .. } => "already-refunded",
            Self::NotATicket => "not-a-ticket",
            Self::UnknownTicket => "unknown-ticket",
            Self::TicketVoid { .. } => "ticket-void",
            Self::WrongShow(_) => "wrong-show",
            Self::PaymentDisputed => "payment-disputed",
            Self::AlreadyAdmitted { .. } => "already-admitted",
            Self::TooEarly { .. } => "too-early",
            Self::InUse(_) => "in-use",
            Self::GatewayUnavailable { .. } | Self::NoGateway => "busy",
            Self::ClockBackwards { .. } => "clock-backwards",
        }
    }

    #[must_use]
    pub fn retry(&self) -> Retry {
        match self {
            Self::InvalidRequest(_)
            | Self::NotFound(_)
            | Self::UnknownSeats(_)
            | Self::AmbiguousSeats(_)
            | Self::DuplicateSeats(_)
            | Self::TooManySeats { .. }
            | Self::NoSeats
            | Self::IdempotencyKeyReused
            | Self::SalesClosed(_)
            | Self::ShowCancelled
            | Self::PromoCodeInvalid(_)
            | Self::PromoCodeUsedUp
            | Self::HoldExpired(_)
            | Self::AlreadyPaid
            | Self::NoGateway
            | Self::NotCancellable(_)
            | Self::AlreadyRefunded { .. }
            | Self::NotATicket
            | Self::UnknownTicket
            | Self::TicketVoid { .. }
            | Self::WrongShow(_)
            | Self::PaymentDisputed
            | Self::AlreadyAdmitted { .. }
            | Self::TooEarly { .. }
            | Self::InUse(_)
            | Self::ClockBackwards { .. } => Retry::Never,
            Self::RequestInProgress | Self::GatewayUnavailable { .. } => Retry::SameRequest,
            Self::ShowMoved(_)
            | Self::LayoutChanged { .. }
            | Self::PriceChanged { .. }
            | Self::SeatsUnavailable(_)
            | Self::NotEnoughSeats { .. }
            | Self::PaymentInProgress => Retry::AfterRefresh,
        }
    }

    /// Nobody could be told what became of the money.
    #[must_use]
    pub fn contact_needed() -> Self {
        let need = FieldError::new("/customer/email", "An e-mail address or a phone number is needed before paying.");
        Self::InvalidRequest(vec![need])
    }

    /// A notice cannot be sent to a customer who left no address, or was forgotten since.
    #[must_use]
    pub fn no_address() -> Self {
        Self::InvalidRequest(vec![FieldError::new("", "The booking names no e-mail address to send this to.")])
    }

    /// Why a booking in this state, as read now, takes no payment and no change of seats.
    #[must_use]
    pub fn for_status(status: BookingStatus) -> Option<Self> {
        match status {
            BookingStatus::PendingPayment => None,
            BookingStatus::Confirmed => Some(Self::AlreadyPaid),
            BookingStatus::Cancelled => Some(Self::HoldExpired(HoldOver::Cancelled)),
            BookingStatus::Expired => Some(Self::HoldExpired(HoldOver::Lapsed)),
        }
    }
}

/// Why nothing of a show is sold now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotOnSale {
    Early,
    Over,
    /// The whole store was restored from a backup, and staff have not opened its sales again.
    Restored,
    /// Said to staff who would open them: so many payments that were open at the restore have not been answered for.
    Unanswered(u64),
}

impl NotOnSale {
    fn words(self) -> String {
        let words = match self {
            Self::Early => "the show is not on sale yet",
            Self::Over => "the show is not on sale any more",
            Self::Restored => {
                "nothing is sold at the moment: the bookings were restored from a backup and are being checked; try later"
            }
            Self::Unanswered(1) => {
                "a payment that was open at the restore has not been answered for by its provider; let the server run \
                 until it is, or open sales by force and look at it by hand"
            }
            Self::Unanswered(payments) => {
                return format!(
                    "{payments} payments that were open at the restore have not been answered for by their provider; \
                     let the server run until they are, or open sales by force and look at them by hand"
                );
            }
        };
        words.to_owned()
    }
}

/// In quotation marks, so that an empty label can be read.
fn quoted(labels: &[String]) -> String {
    labels.iter().map(|label| format!("`{label}`")).collect::<Vec<_>>().join(", ")
}

fn unavailable(seats: &[TakenSeat]) -> String {
    let list: Vec<String> = seats.iter().map(|s| format!("{} is {}", s.label, s.reason.as_str())).collect();
    format!("not all of these seats are free: {}", list.join(", "))
}

fn void_words(reason: VoidReason) -> &'static str {
    match reason {
        VoidReason::Cancelled => "it was cancelled",
        VoidReason::Refunded => "it was refunded",
        VoidReason::Reissued => "it was replaced by a newer code",
        VoidReason::DisputeLost => "its payment was taken back by the bank",
    }
}

fn at_gate(gate: Option<&str>) -> String {
    gate.map_or_else(String::new, |gate| format!(" at {gate}"))
}

fn hold_over(why: HoldOver) -> &'static str {
    match why {
        HoldOver::Lapsed => "the hold on the seats has ended; choose them again",
        HoldOver::Cancelled => "the booking was cancelled; choose seats again",
        HoldOver::TooManyAttempts => "paying was tried too often for this hold; choose the seats again",
        HoldOver::TooLittleTime => "too little of the hold is left to pay in; choose the seats again",
    }
}
