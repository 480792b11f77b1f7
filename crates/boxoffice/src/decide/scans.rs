//! Taking in what devices saw while they could not ask. Nothing is refused: somebody may be in the
//! hall already, so that every scan is kept, and what it means is derived ([`Ticket::verdict`]).
//!
//! [`Ticket::verdict`]: crate::booking::Ticket::verdict

use super::{Changes, Draft, State, Stop};
use crate::admission::{OfflineShown, RecordScans};
use crate::booking::{OfflineScan, Scan, Ticket};
use crate::command::{Effect, Recorded};
use crate::event::EventKind;
use crate::show::Show;
use crate::time::Timestamp;

pub(super) fn record(state: State<'_>, record: &RecordScans, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    let mut recorded = Vec::with_capacity(record.scans.len());
    for shown in &record.scans {
        let ticket = draft.booking.tickets.iter_mut().find(|t| t.id.no == shown.ticket && shown.serial <= t.serial);
        let how = ticket.map_or(Recorded::Unknown, |ticket| keep(ticket, state.show, record, shown, now));
        if how == Recorded::New {
            draft.event(EventKind::Scanned { ticket: shown.ticket });
        }
        recorded.push(how);
    }
    Ok(draft.done(Effect::ScansRecorded(recorded)))
}

fn keep(ticket: &mut Ticket, show: &Show, record: &RecordScans, shown: &OfflineShown, now: Timestamp) -> Recorded {
    if ticket.scan(&shown.nonce).is_some() {
        return Recorded::Before;
    }
    let device = record.device.clone();
    ticket.keep(Scan {
        at: shown.at - record.clock_offset,
        nonce: Some(shown.nonce.clone()),
        gate: shown.gate.clone(),
        by: record.by.clone(),
        serial: shown.serial,
        elsewhere: !shown.door.leads_to(show),
        offline: Some(OfflineScan { device, clock_offset: record.clock_offset, received_at: now }),
    });
    Recorded::New
}
