//! The sandbox's events: what they are called, how they are kept, how the seller reads them.

use boxoffice::booking::DisputeStatus;
use boxoffice::gateway::{BadWebhook, Payment, WebhookNews};
use boxoffice::money::Money;
use boxoffice::time::{Span, Timestamp};
use serde::{Deserialize, Serialize};

use super::news;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum EventKind {
    #[serde(rename = "payment.created")]
    Created,
    #[serde(rename = "payment.authorised")]
    Authorised,
    #[serde(rename = "payment.captured")]
    Captured,
    #[serde(rename = "payment.declined")]
    Declined,
    #[serde(rename = "payment.ended")]
    Ended,
    #[serde(rename = "dispute.opened")]
    DisputeOpened,
    #[serde(rename = "dispute.won")]
    DisputeWon,
    #[serde(rename = "dispute.lost")]
    DisputeLost,
}

impl EventKind {
    pub(super) fn of_dispute(status: DisputeStatus) -> Self {
        match status {
            DisputeStatus::Open => Self::DisputeOpened,
            DisputeStatus::Won => Self::DisputeWon,
            DisputeStatus::Lost => Self::DisputeLost,
        }
    }
}

/// An event and how far its delivery got. A retry is a row, not a sleeping task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SandboxEvent {
    pub(super) id: String,
    pub(super) kind: EventKind,
    pub(super) delivered: bool,
    pub(super) tries: u32,
    /// When it is sent next; `None`: not by itself.
    pub(super) next_at: Option<Timestamp>,
}

/// An event as the test routes list it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EventView {
    pub id: String,
    #[serde(rename = "type")]
    kind: EventKind,
    pub delivered: bool,
    pub tries: u32,
}

impl From<&SandboxEvent> for EventView {
    fn from(event: &SandboxEvent) -> Self {
        Self { id: event.id.clone(), kind: event.kind, delivered: event.delivered, tries: event.tries }
    }
}

/// How fresh events travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sending {
    Once,
    /// After a pause in real time, each event this many times at the same moment.
    Switched {
        delay: Span,
        repeat: u32,
    },
    Never,
}

#[derive(Deserialize)]
struct Body {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    payment: BodyPayment,
}

#[derive(Deserialize)]
struct BodyPayment {
    id: String,
    reference: String,
    amount: Money,
}

/// Reads an event whose signature was found right. A kind that this program does not know is no
/// news; a reference that is no attempt of ours makes an orphan.
///
/// # Errors
/// [`BadWebhook::Body`] if it is no event.
pub fn read(body: &[u8]) -> Result<WebhookNews, BadWebhook> {
    // The reader of JSON would let other bytes pass in what it leaves out.
    let text = std::str::from_utf8(body).map_err(|e| BadWebhook::Body(e.to_string()))?;
    let body: Body = serde_json::from_str(text).map_err(|e| BadWebhook::Body(e.to_string()))?;
    let kind: Option<EventKind> = serde_json::from_value(body.kind.into()).ok();
    let told = kind.map(|kind| news(kind, body.payment.amount)).unwrap_or_default();
    let attempt = body.payment.reference.parse().ok();
    let payment = |news| Payment { payment_id: body.payment.id.clone(), attempt, news };
    Ok(WebhookNews { event_id: body.id, payments: told.into_iter().map(payment).collect() })
}
