//! The four stories of the second seed document, with its 21 assertions as named parts, told to a
//! whole store instead of one seat. Its unsafe twin lives in the laboratory.

use super::Check;
use crate::booking::BookingStatus;
use crate::claim::SeatStatus;
use crate::command::Settled;
use crate::testkit::hall;
use crate::testkit::world::{Failure, World, race, same};
use crate::time::Span;

pub(super) const CHECKS: &[Check] = &[
    Check::new("lifecycle", lifecycle),
    Check::new("ttl_expiry", ttl_expiry),
    Check::new("group_all_or_nothing", group_all_or_nothing),
    Check::race("concurrent_one_winner", concurrent_one_winner),
];

fn lifecycle(w: World<'_>) -> Result<(), Failure> {
    w.part("fresh_seat_is_available", w.status(1, "A5")? == SeatStatus::Available);
    let first = w.hold(1, &["A5"]);
    w.part("first_hold_succeeds", first.is_ok());
    w.part("seat_is_held", w.status(1, "A5")? == SeatStatus::Held);
    w.part("second_hold_is_rejected", w.hold(1, &["A5"]).is_err());
    w.part("confirm_by_the_holder_succeeds", w.pay(first?.id)? == Settled::Confirmed);
    w.part("seat_is_booked", w.status(1, "A5")? == SeatStatus::Booked);
    w.part("booked_seat_cannot_be_held", w.hold(1, &["A5"]).is_err());
    Ok(())
}

fn ttl_expiry(w: World<'_>) -> Result<(), Failure> {
    w.change_show(1, |show| show.hold = Span::from_secs(60))?;
    let first = w.hold(1, &["B1"]);
    w.part("hold_for_60_s_succeeds", first.is_ok());
    w.at(Span::from_secs(30));
    w.part("rejected_while_the_hold_lives_at_30_s", w.hold(1, &["B1"]).is_err());
    w.at(Span::from_secs(61));
    let second = w.hold(1, &["B1"]);
    w.part("held_by_another_once_lapsed_at_61_s", second.is_ok());
    w.part("the_first_holder_cannot_confirm", w.start(first?.id).is_err());
    w.part("the_new_holder_can_confirm", w.pay(second?.id)? == Settled::Confirmed);
    Ok(())
}

fn group_all_or_nothing(w: World<'_>) -> Result<(), Failure> {
    let someone = w.hold(1, &["A7"])?;
    let group = ["A5", "A6", "A7"];
    w.part("group_fails_when_any_seat_is_taken", w.hold(1, &group).is_err());
    w.part("a5_stays_available", w.status(1, "A5")? == SeatStatus::Available);
    w.part("a6_stays_available", w.status(1, "A6")? == SeatStatus::Available);
    w.cancel(someone.id)?;
    let booking = w.hold(1, &group);
    w.part("group_succeeds_once_all_are_free", booking.is_ok());
    let booking = booking?;
    w.part("confirm_books_all_three", w.pay(booking.id)? == Settled::Confirmed);
    w.part("a5_ends_booked", w.status(1, "A5")? == SeatStatus::Booked);
    w.part("a7_ends_booked", w.status(1, "A7")? == SeatStatus::Booked);
    same("status", w.booking(booking.id)?.status, BookingStatus::Confirmed)
}

fn concurrent_one_winner(w: World<'_>) -> Result<(), Failure> {
    const THREADS: usize = 8;
    const TRIALS: usize = 300;
    let seats: Vec<(u16, String)> = (1..=9)
        .flat_map(|show| hall::ROWS.map(|row| (show, row)))
        .flat_map(|(show, row)| (1..=hall::SEATS_PER_ROW).map(move |n| (show, format!("{row}{n}"))))
        .collect();
    let rounds = race(THREADS, TRIALS, |round, _| {
        let (show, label) = &seats[round];
        w.hold(*show, &[label.as_str()]).is_ok()
    });
    let anomalies = rounds.iter().filter(|wins| wins.iter().filter(|won| **won).count() != 1).count();
    same("trials without exactly one winner", anomalies, 0)
}
