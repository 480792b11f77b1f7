//! Seats: one claim each, in agreement with the bookings and their tickets.

use std::collections::{HashMap, HashSet};

use super::AuditCheck;
use crate::booking::{Booking, BookingStatus};
use crate::claim::Claim;
use crate::id::{BookingId, SeatNo};
use crate::store::ShowBooks;

pub(super) fn one_claim_per_seat(check: &mut AuditCheck, books: &ShowBooks) {
    let mut seen = HashSet::new();
    for (seat, _) in &books.claims {
        let twice = !seen.insert(*seat);
        check.note(
            twice.then(|| format!("show number {}: seat number {} has more than one claim", books.show.0, seat.0)),
        );
    }
}

pub(super) fn claims_have_bookings(check: &mut AuditCheck, books: &ShowBooks) {
    let bookings: HashMap<BookingId, &Booking> = books.bookings.iter().map(|b| (b.id, b)).collect();
    for (seat, claim) in &books.claims {
        let Some(id) = claim.booking() else { continue };
        let fits = bookings.get(&id).is_some_and(|booking| claim_fits(*seat, claim, booking));
        let how = if matches!(claim, Claim::Sold { .. }) { "sold" } else { "held" };
        let (show, seat) = (books.show.0, seat.0);
        let problem =
            || format!("show number {show}: seat number {seat} is {how} for booking {id}, which does not say so");
        check.note((!fits).then(problem));
    }
}

/// The row of a hold that has lapsed still belongs to its booking until a job tidies both.
fn claim_fits(seat: SeatNo, claim: &Claim, booking: &Booking) -> bool {
    let lists = booking.live_seats().any(|s| s.no == seat);
    let expected = match booking.status {
        BookingStatus::PendingPayment => Some(Claim::Held { booking: booking.id, until: booking.expires_at }),
        BookingStatus::Confirmed => Some(Claim::Sold { booking: booking.id }),
        BookingStatus::Cancelled | BookingStatus::Expired => None,
    };
    lists && expected == Some(*claim)
}

pub(super) fn lacks_claims(booking: &Booking, books: &ShowBooks) -> Option<String> {
    if booking.id.show() != books.show {
        return Some(format!(
            "booking {}: it is kept with show number {}, which is not its show",
            booking.id, books.show.0
        ));
    }
    match booking.status_at(books.now) {
        BookingStatus::Cancelled | BookingStatus::Expired => return None,
        BookingStatus::PendingPayment | BookingStatus::Confirmed => {}
    }
    let own: HashSet<SeatNo> =
        books.claims.iter().filter(|(_, claim)| claim.booking() == Some(booking.id)).map(|(seat, _)| *seat).collect();
    let missing: Vec<&str> = booking.live_seats().filter(|s| !own.contains(&s.no)).map(|s| s.label.as_str()).collect();
    (!missing.is_empty())
        .then(|| format!("booking {}: its seats {} are not held or sold for it", booking.id, missing.join(", ")))
}

pub(super) fn wrong_tickets(booking: &Booking) -> Option<String> {
    let sold = booking.status == BookingStatus::Confirmed;
    let of = |seat: SeatNo| booking.tickets.iter().filter(move |t| t.seat == seat);
    let live: Vec<SeatNo> = booking.live_tickets().map(|t| t.seat).collect();
    let strange = live.iter().any(|seat| booking.seats.iter().all(|s| s.no != *seat));
    let twice = booking.seats.iter().any(|s| of(s.no).filter(|t| t.is_live()).count() > 1);
    let lacking = sold && booking.seats.iter().any(|s| of(s.no).next().is_none());
    let wrong = strange || twice || lacking || sold == live.is_empty();
    let words = || format!("booking {}: {} of its {} tickets let in", booking.id, live.len(), booking.tickets.len());
    wrong.then(words)
}
