//! What the customer is told: a row that is written with what it tells of, sent by a job, and
//! marked with what became of it.

use super::{Changes, Draft, State, Stop};
use crate::booking::{Notice, NoticeKind, NoticeStatus};
use crate::command::{Effect, NoticeAnswer, NoticeAnswered};
use crate::event::EventKind;
use crate::id::{NoticeId, PartId};
use crate::refusal::Refusal;
use crate::time::{Span, Timestamp};

/// The wait before the first repeat; each next one is doubled.
const RETRY_FIRST: Span = Span::from_secs(30);
const RETRY_MAX: Span = Span::from_mins(30);

/// How long a notice is tried before staff must look after it.
const TRIED_FOR: Span = Span::from_mins(3 * 24 * 60);

/// Adds a notice to the draft, if the customer left an address to send it to.
///
/// # Errors
/// [`Stop::Bug`] if the booking has more notices than there are numbers.
pub(super) fn tell(draft: &mut Draft, kind: NoticeKind) -> Result<(), Stop> {
    if draft.booking.customer.email.is_none() {
        return Ok(());
    }
    let no = super::next_no(draft.booking.notices.iter().map(|n| n.id.no))?;
    draft.booking.notices.push(Notice {
        id: PartId { booking: draft.booking.id, no },
        kind,
        status: NoticeStatus::Due,
        made_at: draft.now,
        due_since: draft.now,
        resends: 0,
        tries: 0,
        next_try_at: Some(draft.now),
        sent_at: None,
        links_only: false,
        last_error: None,
    });
    Ok(())
}

/// Only what is due can be answered: the first answer stands.
pub(super) fn answered(state: State<'_>, answered: &NoticeAnswered, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    let notice = find(&mut draft, answered.notice)?;
    if notice.status != NoticeStatus::Due {
        return Ok(draft.done(Effect::Nothing));
    }
    let no = notice.id.no;
    notice.tries = notice.tries.saturating_add(1);
    let status = match &answered.answer {
        NoticeAnswer::Sent => {
            notice.sent_at = Some(now);
            end(notice, NoticeStatus::Sent, None)
        }
        NoticeAnswer::Withheld => end(notice, NoticeStatus::Withheld, None),
        NoticeAnswer::Refused { why } if notice.attaches_tickets() => {
            notice.links_only = true;
            again(notice, now, why)
        }
        NoticeAnswer::Refused { why } => end(notice, NoticeStatus::Failed, Some(why)),
        NoticeAnswer::Later { why } if now - notice.due_since >= TRIED_FOR => {
            end(notice, NoticeStatus::Failed, Some(why))
        }
        NoticeAnswer::Later { why } => again(notice, now + retry_after(notice.tries), why),
    };
    match status {
        NoticeStatus::Due => {}
        NoticeStatus::Sent => draft.event(EventKind::NoticeSent { notice: no }),
        NoticeStatus::Failed => draft.event(EventKind::NoticeFailed { notice: no }),
        NoticeStatus::Withheld => draft.event(EventKind::NoticeWithheld { notice: no }),
    }
    Ok(draft.done(Effect::NoticeRecorded))
}

/// Staff have it sent once more: as a new message, since a mailbox may drop one that it has seen.
pub(super) fn resend(state: State<'_>, id: NoticeId, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    if draft.booking.customer.email.is_none() {
        return Err(Refusal::no_address().into());
    }
    let notice = find(&mut draft, id)?;
    if notice.status == NoticeStatus::Due {
        notice.next_try_at = Some(now);
        return Ok(draft.done(Effect::NoticeRecorded));
    }
    notice.status = NoticeStatus::Due;
    notice.due_since = now;
    notice.resends = notice.resends.saturating_add(1);
    notice.tries = 0;
    notice.links_only = false;
    notice.last_error = None;
    notice.next_try_at = Some(now);
    draft.event(EventKind::NoticeResent { notice: id.no });
    Ok(draft.done(Effect::NoticeRecorded))
}

fn find(draft: &mut Draft, id: NoticeId) -> Result<&mut Notice, Stop> {
    let notice = draft.booking.notices.iter_mut().find(|notice| notice.id == id);
    notice.ok_or_else(|| Refusal::NotFound("notice").into())
}

fn end(notice: &mut Notice, status: NoticeStatus, why: Option<&String>) -> NoticeStatus {
    notice.status = status;
    notice.next_try_at = None;
    notice.last_error = why.cloned();
    status
}

fn again(notice: &mut Notice, at: Timestamp, why: &str) -> NoticeStatus {
    notice.next_try_at = Some(at);
    notice.last_error = Some(why.to_owned());
    NoticeStatus::Due
}

/// The wait before the n-th repeat.
fn retry_after(tries: u32) -> Span {
    let doublings = tries.saturating_sub(1).min(16);
    Span::from_ms(RETRY_FIRST.as_ms() << doublings).min(RETRY_MAX)
}
