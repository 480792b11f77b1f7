//! What happened, one row per change, written in the change's own transaction. A show's version
//! is the sequence number of its last event.

use serde::{Deserialize, Serialize};

use crate::booking::StaffNote;
use crate::id::BookingId;
use crate::show::RefundChoice;
use crate::time::Timestamp;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The booking it is about; blocks have none.
    pub booking: Option<BookingId>,
    pub kind: EventKind,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    Held,
    SeatsChanged,
    CustomerChanged,
    PaymentStarted {
        attempt: u16,
    },
    CheckoutOpened {
        attempt: u16,
    },
    PaymentDeclined {
        attempt: u16,
    },
    PaymentAbandoned {
        attempt: u16,
    },
    PaymentSucceeded {
        attempt: u16,
    },
    Confirmed {
        attempt: u16,
    },
    /// The hold had ended, nobody had the seats, and the payment took them again.
    Reclaimed {
        attempt: u16,
    },
    /// The provider named another sum for a payment it had told before.
    CaptureContradicted {
        attempt: u16,
    },
    Cancelled,
    /// Some of the booking's tickets, by number.
    TicketsCancelled {
        tickets: Vec<u16>,
    },
    ChangesAccepted,
    Expired,
    RefundRequested {
        refund: u16,
    },
    RefundAnswered {
        refund: u16,
    },
    /// Money went to the booking that its tickets were exchanged for.
    MovedOn {
        refund: u16,
    },
    NoticeSent {
        notice: u16,
    },
    NoticeFailed {
        notice: u16,
    },
    NoticeWithheld {
        notice: u16,
    },
    NoticeResent {
        notice: u16,
    },
    /// Who booked is forgotten.
    Erased,
    DisputeOpened {
        attempt: u16,
    },
    DisputeWon {
        attempt: u16,
    },
    DisputeLost {
        attempt: u16,
    },
    ShowCancelled {
        refunds: RefundChoice,
        note: StaffNote,
    },
    Blocked {
        /// As they are printed.
        seats: Vec<String>,
        until: Option<Timestamp>,
        note: Option<StaffNote>,
    },
    Unblocked {
        seats: Vec<String>,
        note: Option<StaffNote>,
    },
    Admitted {
        ticket: u16,
    },
    /// A scan came in from a device that had been offline.
    Scanned {
        ticket: u16,
    },
    Reissued {
        ticket: u16,
    },
}

impl EventKind {
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::SeatsChanged => "seats_changed",
            Self::CustomerChanged => "customer_changed",
            Self::PaymentStarted { .. } => "payment_started",
            Self::CheckoutOpened { .. } => "checkout_opened",
            Self::PaymentDeclined { .. } => "payment_declined",
            Self::PaymentAbandoned { .. } => "payment_abandoned",
            Self::PaymentSucceeded { .. } => "payment_succeeded",
            Self::Confirmed { .. } => "confirmed",
            Self::Reclaimed { .. } => "reclaimed",
            Self::CaptureContradicted { .. } => "capture_contradicted",
            Self::Cancelled => "cancelled",
            Self::TicketsCancelled { .. } => "tickets_cancelled",
            Self::ChangesAccepted => "changes_accepted",
            Self::Expired => "expired",
            Self::RefundRequested { .. } => "refund_requested",
            Self::RefundAnswered { .. } => "refund_answered",
            Self::MovedOn { .. } => "moved_on",
            Self::NoticeSent { .. } => "notice_sent",
            Self::NoticeFailed { .. } => "notice_failed",
            Self::NoticeWithheld { .. } => "notice_withheld",
            Self::NoticeResent { .. } => "notice_resent",
            Self::Erased => "erased",
            Self::DisputeOpened { .. } => "dispute_opened",
            Self::DisputeWon { .. } => "dispute_won",
            Self::DisputeLost { .. } => "dispute_lost",
            Self::ShowCancelled { .. } => "show_cancelled",
            Self::Blocked { .. } => "blocked",
            Self::Unblocked { .. } => "unblocked",
            Self::Admitted { .. } => "admitted",
            Self::Scanned { .. } => "scanned",
            Self::Reissued { .. } => "reissued",
        }
    }
}
