//! Tidying a booking whose hold has ended. Its seats were free already; this frees the rows and
//! announces it.

use super::{Changes, Draft, State, Stop, hold, payment};
use crate::booking::BookingStatus;
use crate::command::Effect;
use crate::event::EventKind;
use crate::id::SeatNo;
use crate::time::Timestamp;

pub(super) fn expire(state: State<'_>, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    if draft.booking.status != BookingStatus::PendingPayment || now.is_before(draft.booking.expires_at) {
        return Ok(draft.done(Effect::Nothing));
    }
    tidy(state, &mut draft);
    Ok(draft.done(Effect::Expired))
}

/// Lets a lapsed booking expire for good, unless that was done.
pub(super) fn tidy(state: State<'_>, draft: &mut Draft) {
    let booking = &mut draft.booking;
    if booking.status != BookingStatus::PendingPayment {
        return;
    }
    booking.status = BookingStatus::Expired;
    payment::close_pages_soon(booking, draft.now);
    let seats: Vec<SeatNo> = booking.seats.iter().map(|s| s.no).collect();
    draft.claims = hold::release(state, &seats, booking.id);
    draft.event(EventKind::Expired);
}
