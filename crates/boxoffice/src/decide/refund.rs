//! Money on its way back: a durable row first, the provider's answer later.

use super::{Changes, Draft, State, Stop};
use crate::booking::{Refund, RefundReason, RefundStatus};
use crate::command::{Effect, RefundAnswer, RefundAnswered};
use crate::event::EventKind;
use crate::id::PartId;
use crate::money::Money;
use crate::refusal::Refusal;
use crate::time::{Span, Timestamp};

/// The wait before the n-th repeat: two seconds doubled each time, at most ten minutes.
fn retry_after(tries: u32) -> Span {
    Span::from_secs(2_i64.saturating_pow(tries.min(16)).min(600))
}

/// Adds a refund row to the draft and answers its number.
pub(super) fn request(draft: &mut Draft, attempt: u16, amount: Money, reason: RefundReason) -> u16 {
    let last = draft.booking.refunds.iter().map(|r| r.id.no).max().unwrap_or(0);
    let id = PartId { booking: draft.booking.id, no: last + 1 };
    let now = draft.now;
    draft.booking.refunds.push(Refund {
        id,
        attempt,
        amount,
        reason,
        status: RefundStatus::Requested,
        provider_refund_id: None,
        requested_at: now,
        tries: 0,
        next_try_at: Some(now),
    });
    draft.event(EventKind::RefundRequested { refund: id.no });
    id.no
}

pub(super) fn answered(state: State<'_>, answered: &RefundAnswered, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    let Some(refund) = draft.booking.refunds.iter_mut().find(|r| r.id.no == answered.refund) else {
        return Err(Refusal::NotFound("refund").into());
    };
    match refund.status {
        RefundStatus::Succeeded | RefundStatus::Failed => return Ok(draft.done(Effect::Nothing)),
        RefundStatus::Requested | RefundStatus::Unknown => {}
    }
    refund.tries = refund.tries.saturating_add(1);
    match &answered.answer {
        RefundAnswer::Succeeded { provider_refund_id } => {
            refund.status = RefundStatus::Succeeded;
            refund.provider_refund_id = Some(provider_refund_id.clone());
            refund.next_try_at = None;
        }
        RefundAnswer::Unknown => {
            refund.status = RefundStatus::Unknown;
            refund.next_try_at = Some(now + retry_after(refund.tries));
        }
        RefundAnswer::Failed => {
            refund.status = RefundStatus::Failed;
            refund.next_try_at = None;
        }
    }
    draft.event(EventKind::RefundAnswered { refund: answered.refund });
    Ok(draft.done(Effect::RefundRecorded))
}
