//! What a customer is told about a booking, and how far that got.

use serde::{Deserialize, Serialize};

use super::ShowStamp;
use crate::id::PartId;
use crate::time::Timestamp;

/// Something the customer is told by mail. A row first, written with what it tells of; a job sends
/// it. Its id is the message id, so that a repeat can be recognised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    pub id: PartId,
    pub kind: NoticeKind,
    pub status: NoticeStatus,
    pub made_at: Timestamp,
    /// Since when it is tried: when it was made, or when staff last had it sent again.
    pub due_since: Timestamp,
    /// How often staff had it sent again.
    pub resends: u32,
    /// How often it was tried since.
    pub tries: u32,
    /// When to try next; `None`: done.
    pub next_try_at: Option<Timestamp>,
    /// When the mail server took it.
    pub sent_at: Option<Timestamp>,
    /// Attachments were refused: it goes out with links alone.
    pub links_only: bool,
    /// What the mail server said last, without addresses.
    pub last_error: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// The booking is confirmed: here are its tickets.
    Tickets,
    /// Some tickets have new codes; the old ones are void.
    TicketsReplaced,
    /// Cancelled, and nothing goes back.
    Cancelled,
    Refunded {
        refund: u16,
    },
    /// Another time or hall; the holder may cancel for all of the money.
    ShowMoved {
        from: ShowStamp,
        to: ShowStamp,
    },
    /// The cinema does not play the show, and does not refund by itself now.
    ShowCancelled,
}

impl NoticeKind {
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Tickets => "tickets",
            Self::TicketsReplaced => "tickets_replaced",
            Self::Cancelled => "cancelled",
            Self::Refunded { .. } => "refunded",
            Self::ShowMoved { .. } => "show_moved",
            Self::ShowCancelled => "show_cancelled",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeStatus {
    Due,
    Sent,
    /// Refused for good, or tried for too long: staff look after it.
    Failed,
    /// No mail server is set up here, or the customer has no address.
    Withheld,
}

impl NoticeStatus {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Due => "due",
            Self::Sent => "sent",
            Self::Failed => "failed",
            Self::Withheld => "withheld",
        }
    }
}

impl Notice {
    /// The name of the message: the same for every try, another one when staff have it sent again.
    #[must_use]
    pub fn message(&self) -> String {
        match self.resends {
            0 => self.id.to_string(),
            n => format!("{}.{n}", self.id),
        }
    }

    /// Whether the tickets themselves go with it, and not only the way to them.
    #[must_use]
    pub fn attaches_tickets(&self) -> bool {
        let about_tickets = match self.kind {
            NoticeKind::Tickets | NoticeKind::TicketsReplaced => true,
            NoticeKind::Cancelled
            | NoticeKind::Refunded { .. }
            | NoticeKind::ShowMoved { .. }
            | NoticeKind::ShowCancelled => false,
        };
        about_tickets && !self.links_only
    }
}
