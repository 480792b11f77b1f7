//! Buyers against each other for the same seats.

use std::sync::atomic::{AtomicBool, Ordering};

use super::Check;
use crate::booking::BookingStatus;
use crate::claim::SeatStatus;
use crate::command::{Command, Seats, Settled};
use crate::testkit::world::{Failure, World, code, race, same};
use crate::time::Span;

pub(super) const CHECKS: &[Check] = &[
    Check::race("case_109_groups_in_opposite_order_and_overlapping_have_one_winner", opposite_groups),
    Check::race("late_money_against_a_new_hold", late_money_against_hold),
    Check::race("case_4_best_of_the_last_two_seats", last_two_seats),
    Check::new("case_11_the_sweeper_leaves_confirmed_seats", sweeper_after_confirm),
    Check::race("case_11_sweeper_against_confirm", sweeper_against_confirm),
    Check::race("a_group_is_never_seen_in_part", never_in_part),
];

/// Four ask at once for four neighbours: two for the same, listed forwards and backwards, two for others that overlap
/// with them. One gets all four, and of the others' no seat is held.
fn opposite_groups(w: World<'_>) -> Result<(), Failure> {
    let halves: Vec<(u16, &str, u16)> = (1..=9)
        .flat_map(|show| ["A", "B", "C"].map(|row| (show, row)))
        .flat_map(|(show, row)| [1, 7].map(|first| (show, row, first)))
        .collect();
    let rounds = race(4, halves.len(), |round, thread| {
        let (show, row, first) = halves[round];
        let first = if thread < 2 { first } else { first + 2 };
        let mut labels: Vec<String> = (first..first + 4).map(|n| format!("{row}{n}")).collect();
        if thread % 2 == 1 {
            labels.reverse();
        }
        w.hold(show, &labels.iter().map(String::as_str).collect::<Vec<_>>()).is_ok()
    });
    let odd = rounds.iter().filter(|wins| wins.iter().filter(|won| **won).count() != 1).count();
    same("rounds without exactly one winner", odd, 0)?;
    for (show, row, first) in halves {
        let states: Result<Vec<_>, _> = (first..first + 6).map(|n| w.status(show, &format!("{row}{n}"))).collect();
        let held = states?.iter().filter(|state| **state == SeatStatus::Held).count();
        same("seats that are held", held, 4)?;
    }
    Ok(())
}

fn late_money_against_hold(w: World<'_>) -> Result<(), Failure> {
    let labels: Vec<String> = (1..=12).map(|n| format!("A{n}")).collect();
    let mut attempts = Vec::new();
    for label in &labels {
        attempts.push(w.start(w.hold(1, &[label])?.id)?);
    }
    w.clock.set(w.booking(attempts[0].id.booking)?.expires_at);
    let rounds = race(2, labels.len(), |round, thread| match thread {
        0 => w.hold(1, &[&labels[round]]).is_ok(),
        _ => w.capture(&attempts[round], "p") == Ok(Settled::Reclaimed),
    });
    let odd = rounds.iter().filter(|won| won.iter().filter(|w| **w).count() != 1).count();
    same("seats without exactly one taker", odd, 0)
}

/// Ten ask for the best two where two are left: one gets them, and no seat is left over or short.
fn last_two_seats(w: World<'_>) -> Result<(), Failure> {
    let (last, others) = (["C11", "C12"], ["A", "B", "C"]);
    for show in 1..=9 {
        let hall = w.show(show)?;
        let labels: Vec<String> = others
            .iter()
            .flat_map(|row| (1..=12).map(move |n| format!("{row}{n}")))
            .filter(|l| !last.contains(&l.as_str()))
            .collect();
        for labels in labels.chunks(10) {
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            w.hold(show, &labels)?;
        }
        let best = || w.run(w.hold_of(&hall, Seats::Best { count: 2, category: None }));
        let won = race(10, 1, |_, _| best()).concat();
        let (won, refused): (Vec<_>, Vec<_>) = won.into_iter().partition(Result::is_ok);
        same("winners", won.len(), 1)?;
        same(
            "refused otherwise than for lack of seats",
            refused.iter().find(|r| code(r) != "seats-unavailable"),
            None,
        )?;
        let read = w.seats(show)?;
        same("seats left", read.seats.seats_left(read.now), 0)?;
    }
    Ok(())
}

/// One holds and cancels a group of four again and again while another looks.
fn never_in_part(w: World<'_>) -> Result<(), Failure> {
    let labels = ["B1", "B2", "B3", "B4"];
    let layout = w.show(1)?.layout.clone();
    let seats: Vec<_> = labels.iter().filter_map(|l| layout.by_id(l)).collect();
    let over = AtomicBool::new(false);
    let partly = race(2, 1, |_, thread| {
        let mut partly = 0;
        if thread == 0 {
            let toggled = (0..50).try_for_each(|_| w.hold(1, &labels).and_then(|held| w.cancel(held.id)).map(|_| ()));
            over.store(true, Ordering::SeqCst);
            toggled?;
        }
        while !over.load(Ordering::SeqCst) {
            let read = w.seats(1)?;
            let free = seats.iter().filter(|s| read.seats.status(**s, read.now) == SeatStatus::Available).count();
            partly += usize::from(free != 0 && free != seats.len());
            std::thread::yield_now();
        }
        Ok::<usize, crate::store::StoreError>(partly)
    });
    let partly: usize = partly.into_iter().flatten().sum::<Result<usize, _>>()?;
    same("looks that saw a part of the group", partly, 0)
}

fn sweeper_after_confirm(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1", "A2"])?;
    w.at(Span::from_secs(300));
    w.pay(booking.id)?;
    for at_s in [601, 900, 24 * 3_600] {
        w.at(Span::from_secs(at_s));
        w.run(Command::Expire { booking: booking.id })?;
        same("A1", w.status(1, "A1")?, SeatStatus::Booked)?;
        same("A2", w.status(1, "A2")?, SeatStatus::Booked)?;
    }
    same("status", w.booking(booking.id)?.status, BookingStatus::Confirmed)
}

/// At the deadline itself both are let go: the seat is sold with its ticket, or free and the money
/// on its way back.
fn sweeper_against_confirm(w: World<'_>) -> Result<(), Failure> {
    let seats: Vec<(u16, String)> = (1..=9)
        .flat_map(|show| ["A", "B", "C"].map(|row| (show, row)))
        .flat_map(|(show, row)| (1..=12).map(move |n| (show, format!("{row}{n}"))))
        .take(200)
        .collect();
    let mut attempts = Vec::new();
    for (show, label) in &seats {
        attempts.push(w.start(w.hold(*show, &[label])?.id)?);
    }
    if let Some(attempt) = attempts.first() {
        w.clock.set(w.booking(attempt.id.booking)?.expires_at);
    }
    let told = race(2, seats.len(), |round, thread| match thread {
        0 => w.run(Command::Expire { booking: attempts[round].id.booking }).map(|_| None),
        _ => w.capture(&attempts[round], "p").map(Some),
    });
    for (((show, label), attempt), told) in seats.iter().zip(&attempts).zip(told) {
        let settled: Vec<Settled> = told.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
        let booking = w.booking(attempt.id.booking)?;
        let stands = (w.status(*show, label)?, booking.status, booking.tickets.len(), booking.refunds.len());
        let expected = match settled.as_slice() {
            [Settled::Reclaimed] => (SeatStatus::Booked, BookingStatus::Confirmed, 1, 0),
            _ => (SeatStatus::Available, BookingStatus::Expired, 0, 1),
        };
        same(label, stands, expected)?;
    }
    Ok(())
}
