//! Money on its way back: a durable row first, the provider's answer later.

use super::{Changes, Draft, State, Stop, notice};
use crate::booking::{NoticeKind, Refund, RefundReason, RefundStatus, StaffNote, TicketShare};
use crate::command::{Effect, RefundAnswer, RefundAnswered};
use crate::event::EventKind;
use crate::id::PartId;
use crate::money::Money;
use crate::refusal::Refusal;
use crate::time::{Span, Timestamp};

/// The longest wait before the provider is asked again.
const RETRY_MAX: Span = Span::from_mins(10);

/// The wait before the n-th repeat: two seconds doubled each time, at most ten minutes.
fn retry_after(tries: u32) -> Span {
    Span::from_secs(2_i64.saturating_pow(tries.min(16))).min(RETRY_MAX)
}

/// What a refund is for.
pub(super) struct Of {
    pub(super) reason: RefundReason,
    pub(super) shares: Vec<TicketShare>,
    pub(super) by_staff: Option<StaffNote>,
}

impl Of {
    /// Money that never stood for tickets.
    pub(super) fn stray(reason: RefundReason) -> Self {
        Self { reason, shares: Vec::new(), by_staff: None }
    }
}

/// Adds a refund row to the draft, with the notice that tells of it, and answers its number.
///
/// # Errors
/// [`Stop::Bug`] if the booking has more refunds than there are numbers.
pub(super) fn request(draft: &mut Draft, attempt: u16, amount: Money, of: Of) -> Result<u16, Stop> {
    let no = super::next_no(draft.booking.refunds.iter().map(|r| r.id.no))?;
    let id = PartId { booking: draft.booking.id, no };
    let now = draft.now;
    draft.booking.refunds.push(Refund {
        id,
        attempt,
        amount,
        reason: of.reason,
        status: RefundStatus::Requested,
        provider_refund_id: None,
        requested_at: now,
        tries: 0,
        next_try_at: Some(now),
        shares: of.shares,
        by_staff: of.by_staff,
        moved_to: None,
        dispute_told: None,
    });
    draft.event(EventKind::RefundRequested { refund: no });
    notice::tell(draft, NoticeKind::Refunded { refund: no })?;
    Ok(no)
}

/// Gives money of a payment to another booking's attempt and answers the row's id. It stays with the
/// provider, so that there is nobody to ask.
pub(super) fn move_on(
    draft: &mut Draft,
    attempt: u16,
    amount: Money,
    shares: Vec<TicketShare>,
    to: PartId,
) -> Result<PartId, Stop> {
    let no = super::next_no(draft.booking.refunds.iter().map(|r| r.id.no))?;
    let id = PartId { booking: draft.booking.id, no };
    draft.booking.refunds.push(Refund {
        id,
        attempt,
        amount,
        reason: RefundReason::Exchanged,
        status: RefundStatus::Succeeded,
        provider_refund_id: None,
        requested_at: draft.now,
        tries: 0,
        next_try_at: None,
        shares,
        by_staff: None,
        moved_to: Some(to),
        dispute_told: None,
    });
    draft.event(EventKind::MovedOn { refund: no });
    Ok(id)
}

pub(super) fn answered(state: State<'_>, answered: &RefundAnswered, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    let Some(refund) = draft.booking.refunds.iter_mut().find(|r| r.id.no == answered.refund) else {
        return Err(Refusal::NotFound("refund").into());
    };
    let before = refund.status;
    match (before, &answered.answer) {
        // Given back is the last word; refused for good yields only to it.
        (RefundStatus::Succeeded, _) => return Ok(draft.done(Effect::Nothing)),
        (RefundStatus::Failed, RefundAnswer::Unknown | RefundAnswer::Failed | RefundAnswer::NotSent) => {
            return Ok(draft.done(Effect::Nothing));
        }
        (_, RefundAnswer::Succeeded { provider_refund_id }) => {
            refund.tries = refund.tries.saturating_add(1);
            refund.status = RefundStatus::Succeeded;
            refund.provider_refund_id = Some(provider_refund_id.clone());
            refund.next_try_at = None;
        }
        (RefundStatus::Requested | RefundStatus::Unknown, RefundAnswer::Unknown) => {
            refund.tries = refund.tries.saturating_add(1);
            refund.status = RefundStatus::Unknown;
            refund.next_try_at = Some(now + retry_after(refund.tries));
        }
        (RefundStatus::Requested | RefundStatus::Unknown, RefundAnswer::Failed) => {
            refund.tries = refund.tries.saturating_add(1);
            refund.status = RefundStatus::Failed;
            refund.next_try_at = None;
        }
        (RefundStatus::Requested | RefundStatus::Unknown, RefundAnswer::NotSent) => {
            refund.next_try_at = Some(now + RETRY_MAX);
        }
    }
    if refund.status != before {
        draft.event(EventKind::RefundAnswered { refund: answered.refund });
    }
    Ok(draft.done(Effect::RefundRecorded))
}
