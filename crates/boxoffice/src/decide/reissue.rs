//! A new code for a ticket that is handed on or sent again; the old one is void from then on.

use super::{Changes, Draft, State, Stop, admit, notice};
use crate::booking::{NoticeKind, TicketStatus, VoidReason};
use crate::command::{Effect, Reissue};
use crate::event::EventKind;
use crate::refusal::Refusal;
use crate::time::Timestamp;

/// There is no time in which both codes or neither would do: the step that makes the new one ends
/// the old one. A ticket that has let somebody in stays with them.
pub(super) fn reissue(state: State<'_>, reissue: &Reissue, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    let found = draft.booking.tickets.iter_mut().find(|t| t.id.no == reissue.ticket);
    let ticket = found.ok_or(Refusal::NotFound("ticket"))?;
    if ticket.status == TicketStatus::Void {
        let reason = ticket.void_reason.unwrap_or(VoidReason::Cancelled);
        return Err(Refusal::TicketVoid { reason }.into());
    }
    if let Some(first) = ticket.admission() {
        return Err(admit::already(first).into());
    }
    let next = ticket.serial.checked_add(1);
    ticket.serial = next.ok_or_else(|| Stop::Bug("a ticket was reissued more often than there are numbers".into()))?;
    if let Some(holder) = &reissue.holder {
        ticket.holder = Some(holder.clone());
    }
    notice::tell(&mut draft, NoticeKind::TicketsReplaced)?;
    draft.event(EventKind::Reissued { ticket: reissue.ticket });
    Ok(draft.done(Effect::Reissued { ticket: reissue.ticket }))
}
