//! Tickets for other seats: both bookings change in one step or neither does, nothing is paid twice,
//! and an exchange gives back no more than a cancellation would.

use super::Check;
use super::give_back::clean;
use crate::booking::{Booking, BookingStatus, RefundReason, RefundStatus, TicketStatus, VoidReason};
use crate::catalogue::Import;
use crate::claim::SeatStatus;
use crate::command::{ChangeSeats, Command, Effect, Exchange, Idempotency, PromoChange, Seats, Settled, Step};
use crate::id::BookingId;
use crate::prices::PriceTable;
use crate::store::{Done, StoreError};
use crate::testkit::hall::{self, euros};
use crate::testkit::world::{Failure, World, booking_of, code, ensure, race, same};
use crate::time::Span;

pub(super) const CHECKS: &[Check] = &[
    Check::new("exchange_for_another_show", another_show),
    Check::new("exchange_within_a_show", within_a_show),
    Check::new("exchange_of_some_tickets", some_tickets),
    Check::new("exchange_for_less_around_each_tier", for_less),
    Check::new("exchange_for_more_is_paid_first", for_more),
    Check::new("exchange_for_more_that_is_off", for_more_is_off),
    Check::new("exchange_is_no_way_around_the_policy", no_way_around),
    Check::new("exchange_held_is_not_made_cheaper", not_made_cheaper),
    Check::new("exchange_of_an_exchange", again_and_again),
    Check::new("exchange_for_nothing_to_pay", for_nothing),
    Check::new("exchange_refused_changes_nothing", refused),
    Check::new("exchange_sent_twice", sent_twice),
    Check::race("exchange_of_the_same_tickets_at_once", same_tickets_at_once),
    Check::race("exchange_there_and_back_at_once", there_and_back_at_once),
    Check::race("exchange_against_cancelling", against_cancelling),
];

/// Tickets of a booking for these seats of the n-th show.
fn command(
    w: &World<'_>,
    from: BookingId,
    tickets: Option<&[u16]>,
    n: u16,
    to: &[&str],
) -> Result<Command, StoreError> {
    let Command::Hold(hold) = w.hold_command(n, to)? else {
        return Err(StoreError::Bug("a hold is no hold".into()));
    };
    Ok(Command::Exchange(Box::new(Exchange { hold: *hold, from, tickets: tickets.map(<[u16]>::to_vec) })))
}

fn exchange(w: &World<'_>, from: BookingId, n: u16, to: &[&str]) -> Result<Done, StoreError> {
    w.run(command(w, from, None, n, to)?)
}

fn sold(w: &World<'_>, n: u16, labels: &[&str]) -> Result<Booking, StoreError> {
    let booking = w.hold(n, labels)?.id;
    w.pay(booking)?;
    w.booking(booking)
}

/// From now on a ticket costs this with its fee of 1.20 euros.
fn price(w: &World<'_>, cents: i64) -> Result<(), Failure> {
    let mut lists = hall::import(0).price_lists;
    lists[0].prices = PriceTable::of_standard([("Standard".to_owned(), euros(cents - hall::FEE))]);
    w.import(Import { price_lists: lists, ..Import::default() })?;
    Ok(())
}

/// What goes back over the provider, in cents.
fn back(booking: &Booking) -> i64 {
    booking.refunds.iter().filter(|r| r.moved_to.is_none()).map(|r| r.amount.minor()).sum()
}

fn another_show(w: World<'_>) -> Result<(), Failure> {
    let old = sold(&w, 1, &["A1", "A2"])?;
    let done = exchange(&w, old.id, 2, &["B1", "B2"])?;
    let new = booking_of(done.clone())?;
    let was = w.booking(old.id)?;
    let Effect::Exchanged { given, moved } = done.outcome.effect else {
        return Err(Failure(format!("it answered {:?}", done.outcome.effect)));
    };
    same("what was moved, goes back, is kept", (moved, given.amount, given.kept), (euros(2_740), euros(0), euros(0)))?;
    same("for what", given.exchanged_for, Some(new.id))?;
    same("the new one", (new.status, new.live_tickets().count()), (BookingStatus::Confirmed, 2))?;
    same("the old one", (was.status, was.live_tickets().count()), (BookingStatus::Cancelled, 0))?;
    same("why its tickets are void", was.tickets[0].void_reason, Some(VoidReason::Reissued))?;
    same("the customer", &new.customer, &old.customer)?;
    for (n, label, status) in [(1, "A1", SeatStatus::Available), (1, "A2", SeatStatus::Available)] {
        same(label, w.status(n, label)?, status)?;
    }
    same("B1", w.status(2, "B1")?, SeatStatus::Booked)?;
    let (paid, pays) = (&old.attempts[0], &new.attempts[0]);
    same("the payment", (&pays.gateway, &pays.payment_id), (&paid.gateway, &paid.payment_id))?;
    same("its row in the old booking", was.refunds[0].moved_to, Some(pays.id))?;
    same("is done", (was.refunds[0].status, was.refunds[0].next_try_at), (RefundStatus::Succeeded, None))?;
    let payment_id = paid.payment_id.clone().unwrap_or_default();
    let known = pollster::block_on(w.store.payment(paid.gateway.clone(), payment_id))?;
    same("news of the payment is the old booking's", known, Some(paid.id))?;
    clean(&w)?;
    let Some(w) = w.reopen() else { return Ok(()) };
    same("the new one, read again", w.booking(new.id)?, new)?;
    same("the old one, read again", w.booking(old.id)?, was)?;
    clean(&w)
}

/// One seat stays, and is among those that are given.
fn within_a_show(w: World<'_>) -> Result<(), Failure> {
    let old = sold(&w, 1, &["A1", "A2"])?;
    let new = booking_of(exchange(&w, old.id, 1, &["A2", "A3"])?)?;
    same("A1", w.status(1, "A1")?, SeatStatus::Available)?;
    same("A2", w.status(1, "A2")?, SeatStatus::Booked)?;
    same("A3", w.status(1, "A3")?, SeatStatus::Booked)?;
    same("its tickets", new.live_tickets().count(), 2)?;
    same("a seat of its own", code(&w.hold(1, &["A2"])), "seats-unavailable")?;
    w.cancel(new.id)?;
    same("A2 again", w.status(1, "A2")?, SeatStatus::Available)?;
    clean(&w)
}

fn some_tickets(w: World<'_>) -> Result<(), Failure> {
    let old = sold(&w, 1, &["A1", "A2", "A3"])?;
    let new = booking_of(w.run(command(&w, old.id, Some(&[3, 2, 3]), 2, &["C1"])?)?)?;
    let was = w.booking(old.id)?;
    same("the old one", (was.status, was.live_tickets().count()), (BookingStatus::Confirmed, 1))?;
    same("one of two seats' worth goes back", back(&was), 1_370)?;
    same("the new one's seats", new.seats.len(), 1)?;
    w.cancel(old.id)?;
    w.cancel(new.id)?;
    same("all of it went back", back(&w.booking(old.id)?) + back(&w.booking(new.id)?), 1_370 + 2 * 1_250)?;
    clean(&w)
}

/// Two tickets at 13.70 for one at 9.90: of the 17.50 that are left, the policy says what goes back.
fn for_less(w: World<'_>) -> Result<(), Failure> {
    const DAY: i64 = 24 * 60 * 60;
    const TWO_HOURS: i64 = 2 * 60 * 60;
    let table = [
        (-DAY - 1, (1_750, 0)),
        (-DAY, (1_750, 0)),
        (-DAY + 1, (876, 874)),
        (-TWO_HOURS, (876, 874)),
        (-TWO_HOURS + 1, (0, 1_750)),
        (-1, (0, 1_750)),
    ];
    let mut old = Vec::new();
    for column in 1..=table.len() {
        old.push(sold(&w, 1, &[&format!("A{column}"), &format!("B{column}")])?.id);
    }
    price(&w, 990)?;
    for ((since_start_s, (goes_back, kept)), (old, column)) in table.into_iter().zip(old.into_iter().zip(1..)) {
        w.clock.set(hall::starts_at(1) + Span::from_secs(since_start_s));
        let new = booking_of(exchange(&w, old, 2, &[&format!("A{column}")])?)?;
        let was = w.booking(old)?;
        let given = &was.cancellations[0];
        let name = format!("{since_start_s} s: back and kept");
        same(&name, (back(&was), given.kept.minor()), (goes_back, kept))?;
        let reasons: Vec<_> = was.refunds.iter().map(|r| r.reason).collect();
        ensure(reasons.iter().all(|r| *r == RefundReason::Exchanged), "another reason")?;
        same("the new one", new.status, BookingStatus::Confirmed)?;
    }
    w.clock.set(hall::starts_at(1));
    clean(&w)
}

/// Two tickets at 13.70 for two at 20.00: nothing changes until the 40.00 are paid, and then both do.
fn for_more(w: World<'_>) -> Result<(), Failure> {
    let old = sold(&w, 1, &["A1", "A2"])?;
    price(&w, 2_000)?;
    let done = exchange(&w, old.id, 2, &["B1", "B2"])?;
    same("it is held", &done.outcome.effect, &Effect::ExchangeHeld { back: euros(2_740) })?;
    let new = booking_of(done)?;
    same("to be paid", (new.status, new.price.total), (BookingStatus::PendingPayment, euros(4_000)))?;
    same("the old one as it was", w.booking(old.id)?, old.clone())?;
    same("paying", w.pay(new.id)?, Settled::Confirmed)?;
    let was = w.booking(old.id)?;
    same("the old one", (was.status, back(&was)), (BookingStatus::Cancelled, 2_740))?;
    same("for what", was.cancellations[0].exchanged_for, Some(new.id))?;
    same("its tickets", was.tickets[0].void_reason, Some(VoidReason::Reissued))?;
    same("A1", w.status(1, "A1")?, SeatStatus::Available)?;
    let second = sold(&w, 1, &["C1"])?;
    price(&w, 2_100)?;
    let new = booking_of(exchange(&w, second.id, 2, &["C1"])?)?;
    w.clock.set(new.expires_at);
    w.run(Command::Expire { booking: new.id })?;
    same("not paid: the ticket stays", w.booking(second.id)?, second.clone())?;
    same("and the new seat is free", w.status(2, "C1")?, SeatStatus::Available)?;
    let new = booking_of(exchange(&w, second.id, 2, &["C1"])?)?;
    w.run(Command::PayAtCounter { booking: new.id })?;
    same("paid at the counter", w.booking(second.id)?.status, BookingStatus::Cancelled)?;
    clean(&w)
}

/// Whatever became of the tickets before the money came: the money goes back and the seats are free.
fn for_more_is_off(w: World<'_>) -> Result<(), Failure> {
    type Turn = fn(&World<'_>, BookingId) -> Result<Done, StoreError>;
    let turns: [(&str, Turn); 2] = [
        ("cancelled", |w, booking| w.run(Command::Cancel { booking, tickets: None, reason: None })),
        ("one of them cancelled", |w, booking| {
            w.run(Command::Cancel { booking, tickets: Some(vec![1]), reason: None })
        }),
    ];
    let mut old = Vec::new();
    for column in 1..=turns.len() + 2 {
        old.push(sold(&w, 1, &[&format!("A{column}"), &format!("B{column}")])?.id);
    }
    price(&w, 2_000)?;
    for ((name, turn), (old, column)) in turns.into_iter().zip(old.iter().zip(1..)) {
        let seat = format!("C{column}");
        let new = booking_of(exchange(&w, *old, 2, &[&seat, &format!("B{column}")])?)?;
        turn(&w, *old)?;
        same(name, w.pay(new.id)?, Settled::Refunded)?;
        is_off(&w, new.id, &seat)?;
    }
    // Late money takes the seats up again only with the tickets.
    let new = booking_of(exchange(&w, old[2], 2, &["A1", "A2"])?)?;
    let attempt = w.start(new.id)?;
    w.clock.set(w.booking(new.id)?.expires_at);
    same("late", w.capture(&attempt, "late")?, Settled::Reclaimed)?;
    same("the old one", w.booking(old[2])?.status, BookingStatus::Cancelled)?;
    let new = booking_of(exchange(&w, old[3], 2, &["A3", "A4"])?)?;
    let attempt = w.start(new.id)?;
    w.cancel(old[3])?;
    w.clock.set(w.booking(new.id)?.expires_at);
    same("late, without the tickets", w.capture(&attempt, "later")?, Settled::Refunded)?;
    same("A3", w.status(2, "A3")?, SeatStatus::Available)?;
    clean(&w)
}

fn is_off(w: &World<'_>, new: BookingId, seat: &str) -> Result<(), Failure> {
    let off = w.booking(new)?;
    same("its refund", (back(&off), off.refunds[0].reason), (4_000, RefundReason::ExchangeOff))?;
    same("its status", off.status, BookingStatus::Cancelled)?;
    same(seat, w.status(2, seat)?, SeatStatus::Available)
}

/// Late in the day a cancellation gives back half, or nothing. So does one of the booking that came by an
/// exchange, although its own show is far off.
fn no_way_around(w: World<'_>) -> Result<(), Failure> {
    let (half, nothing) = (sold(&w, 1, &["A1"])?.id, sold(&w, 1, &["A2"])?.id);
    for (old, hours, most) in [(half, 3, 625), (nothing, 1, 0)] {
        w.clock.set(hall::starts_at(1) - Span::from_mins(hours * 60));
        let new = booking_of(exchange(&w, old, 9, &[if hours == 3 { "B1" } else { "B2" }])?)?;
        let given = w.cancel(new.id)?;
        same("back of the new one", back(&given), most)?;
    }
    clean(&w)
}

/// An hour before the start nothing comes back. Dearer seats that were held in exchange and then made fewer, or
/// cheaper by a code, would bring the whole price back: they stay as they were held.
fn not_made_cheaper(w: World<'_>) -> Result<(), Failure> {
    let old = sold(&w, 1, &["A1", "A2"])?;
    price(&w, 2_000)?;
    w.clock.set(hall::starts_at(1) - Span::from_mins(60));
    let new = booking_of(exchange(&w, old.id, 2, &["B1", "B2"])?)?;
    let show = w.show(2)?;
    let fewer = Some(Seats::Best { count: 1, category: None });
    for (seats, promo) in [(fewer, PromoChange::Keep), (None, PromoChange::Remove)] {
        let (layout, customer) = (show.layout.pin(), None);
        let change = ChangeSeats { booking: new.id, seats, layout, customer, promo };
        same("changing it", code(&w.run(Command::ChangeSeats(change))), "invalid-request")?;
    }
    same("it is as it was", w.booking(new.id)?, new.clone())?;
    same("paying", w.pay(new.id)?, Settled::Confirmed)?;
    same("back for 40.00", back(&w.booking(old.id)?), 2_740)?;
    clean(&w)
}

fn again_and_again(w: World<'_>) -> Result<(), Failure> {
    let first = sold(&w, 1, &["A1", "A2"])?;
    let mut id = first.id;
    for n in 2..=5 {
        id = booking_of(exchange(&w, id, n, &["C1", "C2"])?)?.id;
    }
    let last = w.cancel(id)?;
    same("what goes back", back(&last), 2_500)?;
    let paid = last.attempt(last.refunds[0].attempt).and_then(|a| a.payment_id.clone());
    same("by the first payment", paid, first.attempts[0].payment_id.clone())?;
    clean(&w)
}

fn for_nothing(w: World<'_>) -> Result<(), Failure> {
    let old = sold(&w, 1, &["A1"])?;
    price(&w, hall::FEE)?;
    let mut fees = hall::import(0).price_lists;
    fees[0].prices = PriceTable::of_standard([("Standard".to_owned(), euros(0))]);
    fees[0].fees = Vec::new();
    w.import(Import { price_lists: fees, ..Import::default() })?;
    let new = booking_of(exchange(&w, old.id, 2, &["A1"])?)?;
    same("the new one", (new.status, new.price.total), (BookingStatus::Confirmed, euros(0)))?;
    same("no more goes back than by cancelling", back(&w.booking(old.id)?), 1_250)?;
    let third = booking_of(exchange(&w, new.id, 3, &["A1"])?)?;
    same("nothing for nothing", (third.status, third.live_tickets().count()), (BookingStatus::Confirmed, 1))?;
    clean(&w)
}

fn refused(w: World<'_>) -> Result<(), Failure> {
    let pending = w.hold(1, &["C1"])?.id;
    let taken = sold(&w, 2, &["A1"])?.id;
    let old = sold(&w, 1, &["A1", "A2"])?;
    let before = (w.booking(old.id)?, w.seats(1)?.seats, w.seats(2)?.seats);
    let refuse = |from, tickets: Option<&[u16]>, n, to: &[&str], want| {
        let got = w.run(command(&w, from, tickets, n, to)?);
        same("refused as", code(&got), want)
    };
    refuse(pending, None, 2, &["B1"], "not-cancellable")?;
    refuse(old.id, Some(&[]), 2, &["B1"], "invalid-request")?;
    refuse(old.id, Some(&[9]), 2, &["B1"], "not-found")?;
    refuse(old.id, None, 2, &["A1", "A2"], "seats-unavailable")?;
    refuse(old.id, None, 1, &["C1"], "seats-unavailable")?;
    refuse(BookingId::new(old.id.show(), w.now(), [9; 6]), None, 2, &["B1"], "not-found")?;
    same("nothing changed", (w.booking(old.id)?, w.seats(1)?.seats, w.seats(2)?.seats), before)?;
    w.cancel(taken)?;
    refuse(taken, None, 3, &["B1"], "not-cancellable")?;
    w.clock.set(hall::starts_at(1) - Span::from_mins(10));
    w.run(w.admit_command(old.id, 1, "n"))?;
    refuse(old.id, None, 2, &["B1"], "not-cancellable")?;
    w.clock.set(hall::starts_at(1));
    refuse(old.id, Some(&[2]), 2, &["B1"], "not-cancellable")?;
    same("who is in stays in", w.booking(old.id)?.tickets[0].status, TicketStatus::Admitted)?;
    clean(&w)
}

fn sent_twice(w: World<'_>) -> Result<(), Failure> {
    let old = sold(&w, 1, &["A1", "A2"])?;
    let first = command(&w, old.id, None, 2, &["B1", "B2"])?;
    let idempotency = Some(Idempotency { scope: "s".into(), key: "k".into(), fingerprint: [7; 32], keep: true });
    let done = w.step(Step { command: first.clone(), idempotency: idempotency.clone(), by: None })?;
    let again = w.step(Step { command: first.clone(), idempotency, by: None })?;
    same("under the same key", (again.replayed, &again.outcome), (true, &done.outcome))?;
    same("the same step, its answer lost", w.run(first)?.outcome.effect, done.outcome.effect.clone())?;
    price(&w, 2_000)?;
    let new = booking_of(done)?.id;
    let dearer = command(&w, new, None, 3, &["B1", "B2"])?;
    let held = w.run(dearer.clone())?.outcome.effect;
    same("a held one, its answer lost", w.run(dearer)?.outcome.effect, held)?;
    clean(&w)
}

/// Two people with the same ticket, each for a seat of another show: one gets it.
fn same_tickets_at_once(w: World<'_>) -> Result<(), Failure> {
    let mut old = Vec::new();
    for column in 1..=12 {
        old.push(sold(&w, 1, &[&format!("A{column}")])?.id);
    }
    let done = race(2, old.len(), |round, thread| {
        let seat = format!("B{}", round + 1);
        exchange(&w, old[round], if thread == 0 { 2 } else { 3 }, &[&seat]).is_ok()
    });
    for (round, old) in done.into_iter().zip(&old) {
        same("exchanges that came through", round.iter().filter(|ok| **ok).count(), 1)?;
        same("the old one", w.booking(*old)?.live_tickets().count(), 0)?;
    }
    clean(&w)
}

/// Two bookings change shows with each other, so that each step needs both shows: no deadlock. A third
/// buyer wants one of the new seats: one of them has it.
fn there_and_back_at_once(w: World<'_>) -> Result<(), Failure> {
    let mut pairs = Vec::new();
    for column in 1..=12 {
        let seat = format!("A{column}");
        pairs.push([sold(&w, 1, &[&seat])?.id, sold(&w, 2, &[&seat])?.id]);
    }
    race(3, pairs.len(), |round, thread| {
        let seat = format!("B{}", round + 1);
        match thread {
            0 => exchange(&w, pairs[round][0], 2, &[&seat]).is_ok(),
            1 => exchange(&w, pairs[round][1], 1, &[&seat]).is_ok(),
            _ => w.hold(2, &[&seat]).and_then(|hold| w.pay(hold.id)).is_ok(),
        }
    });
    for column in 1..=12 {
        for n in [1, 2] {
            same("row B", w.status(n, &format!("B{column}"))?, SeatStatus::Booked)?;
        }
    }
    clean(&w)
}

/// The money goes back or moves on, never both.
fn against_cancelling(w: World<'_>) -> Result<(), Failure> {
    let mut old = Vec::new();
    for column in 1..=12 {
        old.push(sold(&w, 1, &[&format!("A{column}"), &format!("B{column}")])?.id);
    }
    race(2, old.len(), |round, thread| match thread {
        0 => exchange(&w, old[round], 2, &[&format!("A{}", round + 1), &format!("B{}", round + 1)]).is_ok(),
        _ => w.run(Command::Cancel { booking: old[round], tickets: Some(vec![1]), reason: None }).is_ok(),
    });
    for old in old {
        let was = w.booking(old)?;
        let gone: i64 = was.refunds.iter().map(|r| r.amount.minor()).sum();
        ensure(gone <= 2_740, "more went than was paid")?;
    }
    clean(&w)
}
