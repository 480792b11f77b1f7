//! Staff cancel a show. Only the show changes here; its bookings follow one by one.

use super::{Changes, State, Stop};
use crate::booking::StaffNote;
use crate::command::{Effect, Outcome};
use crate::event::{Event, EventKind};
use crate::refusal::Refusal;
use crate::show::{RefundChoice, ShowSpec};
use crate::time::Timestamp;

pub(super) fn cancel(
    state: State<'_>,
    refunds: RefundChoice,
    note: &StaffNote,
    now: Timestamp,
) -> Result<Changes, Stop> {
    let spec = &state.show.spec;
    let outcome = Outcome { at: now, booking: None, effect: Effect::ShowCancelled };
    if spec.cancelled && spec.refunds == Some(refunds) {
        return Ok(Changes { replaced: None, show: None, claims: Vec::new(), events: Vec::new(), outcome });
    }
    if spec.cancelled && spec.refunds == Some(RefundChoice::All) {
        // The money is on its way; no later choice takes it back.
        return Err(Refusal::ShowCancelled.into());
    }
    let event = Event { booking: None, kind: EventKind::ShowCancelled { refunds, note: note.clone() } };
    let spec = ShowSpec { cancelled: true, refunds: Some(refunds), ..spec.clone() };
    Ok(Changes { replaced: None, show: Some(spec), claims: Vec::new(), events: vec![event], outcome })
}
