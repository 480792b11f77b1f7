//! Every booking is in line with its show, whatever became of that.

use crate::booking::{Booking, BookingStatus, NoticeKind};
use crate::show::{RefundChoice, Show};

pub(super) fn not_in_line(show: &Show, booking: &Booking) -> Option<String> {
    let spec = &show.spec;
    let told = booking.told.as_ref().unwrap_or(&booking.show);
    let what = match (booking.status, spec.cancelled, spec.refunds) {
        (BookingStatus::PendingPayment, ..) => Some("it is still to be paid"),
        (BookingStatus::Cancelled | BookingStatus::Expired, ..) => None,
        (BookingStatus::Confirmed, true, Some(RefundChoice::All)) => {
            (!booking.is_disputed()).then_some("its show was cancelled, and not all of its money went back")
        }
        (BookingStatus::Confirmed, true, Some(RefundChoice::Later | RefundChoice::None) | None) => {
            let knows = booking.notices.iter().any(|notice| notice.kind == NoticeKind::ShowCancelled);
            (!knows).then_some("its show was cancelled, and nobody told the buyer")
        }
        (BookingStatus::Confirmed, false, _) => {
            let same = (told.starts_at, &told.screen) == (spec.starts_at, &spec.screen);
            (!same).then_some("its show was moved, and nobody told the buyer")
        }
    };
    what.map(|what| format!("booking {}: {what}", booking.id))
}
