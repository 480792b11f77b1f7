//! What the customer is told: a row that is written with what it tells of, and sent by a job.

use super::{Draft, Stop};
use crate::booking::{Notice, NoticeKind, NoticeStatus};
use crate::id::PartId;

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
        tries: 0,
        next_try_at: Some(draft.now),
        links_only: false,
        last_error: None,
    });
    Ok(())
}
