//! A show changed under its bookings: brings one booking into line with its show. A booking in line
//! stays as it is, so that whoever goes through them may stop anywhere and begin again.

use super::give_back::{self, Return, Why};
use super::{Changes, Draft, State, Stop, cancel, hold, notice};
use crate::booking::{Booking, BookingStatus, NoticeKind, RefundReason, ShowStamp, VoidReason};
use crate::command::Effect;
use crate::show::RefundChoice;
use crate::time::Timestamp;

pub(super) fn follow(state: State<'_>, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    bring_into_line(state, &mut draft)?;
    Ok(draft.done(Effect::Followed))
}

/// Another time or hall than the booking was made for, or has accepted since.
pub(super) fn is_moved(state: State<'_>, booking: &Booking) -> bool {
    differs(state, &booking.show)
}

fn differs(state: State<'_>, stamp: &ShowStamp) -> bool {
    let spec = &state.show.spec;
    (stamp.starts_at, &stamp.screen) != (spec.starts_at, &spec.screen)
}

pub(super) fn bring_into_line(state: State<'_>, draft: &mut Draft) -> Result<(), Stop> {
    let status = draft.booking.status_at(draft.now);
    match (status, state.show.spec.cancelled) {
        (BookingStatus::PendingPayment, true) => {
            cancel::let_go(state, draft, None);
            Ok(())
        }
        (BookingStatus::Confirmed, true) => cancelled(state, draft),
        (BookingStatus::Confirmed, false) => tell_move(state, draft),
        // A live hold accepts the change before it pays; a lapsed one is let expire as ever.
        (BookingStatus::PendingPayment, false) | (BookingStatus::Cancelled | BookingStatus::Expired, _) => Ok(()),
    }
}

fn cancelled(state: State<'_>, draft: &mut Draft) -> Result<(), Stop> {
    match state.show.spec.refunds {
        // The bank is about to take the money back; the end of the dispute decides.
        Some(RefundChoice::All) if draft.booking.is_disputed() => Ok(()),
        Some(RefundChoice::All) => refund_all(state, draft),
        Some(RefundChoice::Later | RefundChoice::None) | None => {
            let told = draft.booking.notices.iter().any(|n| n.kind == NoticeKind::ShowCancelled);
            if told { Ok(()) } else { notice::tell(draft, NoticeKind::ShowCancelled) }
        }
    }
}

/// Everything that the live tickets are still worth, fees too.
fn refund_all(state: State<'_>, draft: &mut Draft) -> Result<(), Stop> {
    let booking = &draft.booking;
    let returns = booking.live_tickets().map(|t| Return::whole(booking, t)).collect::<Result<Vec<_>, _>>()?;
    let why = Why { refund: RefundReason::ShowCancelled, void: VoidReason::Cancelled, words: None, by_staff: None };
    give_back::give_back(state, draft, &returns, why).map(|_| ())
}

/// Once for each change that was not taken back meanwhile.
pub(super) fn tell_move(state: State<'_>, draft: &mut Draft) -> Result<(), Stop> {
    let told = draft.booking.told.as_ref().unwrap_or(&draft.booking.show);
    if !differs(state, told) {
        return Ok(());
    }
    let (from, to) = (told.clone(), hold::stamp(state));
    draft.booking.told = Some(to.clone());
    notice::tell(draft, NoticeKind::ShowMoved { from, to })
}
