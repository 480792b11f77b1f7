//! Holds: their deadline to the millisecond, all or none, and steps that are sent twice.

use super::Check;
use crate::booking::{AttemptStatus, BookingStatus};
use crate::claim::SeatStatus;
use crate::command::{Block, ChangeSeats, Command, Effect, PromoChange, SeatPick, Seats, Settled};
use crate::prices::STANDARD;
use crate::testkit::world::{Failure, World, booking_of, code, ensure, same};
use crate::time::Span;

pub(super) const CHECKS: &[Check] = &[
    Check::new("deadline_is_half_open", deadline_is_half_open),
    Check::new("hold_sent_again_answers_the_same", hold_sent_again),
    Check::new("payment_start_extends_once", payment_start_extends_once),
    Check::new("change_of_seats_is_all_or_nothing", change_of_seats),
    Check::new("refusal_changes_nothing", refusal_changes_nothing),
    Check::new("blocks_take_only_free_seats", blocks),
    Check::new("unknown_show_and_booking_are_refused", unknown),
];

fn deadline_is_half_open(w: World<'_>) -> Result<(), Failure> {
    let cases = [
        (-1, SeatStatus::Held, "seats-unavailable", "ok", Settled::Confirmed),
        (0, SeatStatus::Available, "ok", "hold-expired", Settled::Reclaimed),
        (1, SeatStatus::Available, "ok", "hold-expired", Settled::Reclaimed),
    ];
    let names = [["A1", "B1", "C1"], ["A2", "B2", "C2"], ["A3", "B3", "C3"]];
    let mut made = Vec::new();
    for [seen, started, paid] in names {
        let paying = w.hold(1, &[paid])?;
        made.push((w.hold(1, &[seen])?, w.hold(1, &[started])?, w.start(paying.id)?));
    }
    for (((offset, status, held, start, settled), [seen, _, _]), made) in cases.into_iter().zip(names).zip(made) {
        let (first, second, attempt) = made;
        w.clock.set(first.expires_at + Span::from_ms(offset));
        same(&format!("status at {offset} ms"), w.status(1, seen)?, status)?;
        same(&format!("hold by another at {offset} ms"), code(&w.hold(1, &[seen])), held)?;
        same(&format!("payment start at {offset} ms"), code(&w.start(second.id)), start)?;
        same(&format!("payment at {offset} ms"), w.capture(&attempt, &format!("p{offset}"))?, settled)?;
    }
    Ok(())
}

fn hold_sent_again(w: World<'_>) -> Result<(), Failure> {
    let command = w.hold_command(1, &["A1", "A2"])?;
    let first = booking_of(w.run(command.clone())?)?;
    let version = w.seats(1)?.seats.version;
    w.clock.advance(Span::from_secs(5));
    same("the booking", booking_of(w.run(command)?)?, first)?;
    same("version", w.seats(1)?.seats.version, version)
}

fn payment_start_extends_once(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?;
    w.clock.set(booking.expires_at - Span::from_mins(2));
    let attempt = w.start(booking.id)?;
    let extended = w.booking(booking.id)?;
    same("deadline", extended.expires_at, booking.expires_at + Span::from_mins(3))?;
    same("the page ends", attempt.checkout_ends_at, extended.expires_at - Span::from_secs(60))?;
    w.clock.set(booking.expires_at + Span::from_ms(1));
    same("the seat past its first deadline", w.status(1, "A1")?, SeatStatus::Held)?;
    same("started again", w.start(booking.id)?.id, attempt.id)?;
    same("deadline after a second start", w.booking(booking.id)?.expires_at, extended.expires_at)?;
    w.clock.set(attempt.checkout_ends_at);
    let seen = w.booking(booking.id)?.attempts[0].status_at(w.now());
    same("the attempt once its page has ended", seen, AttemptStatus::Abandoned)?;
    same("a start with less than 30 s of page left", code(&w.start(booking.id)), "hold-expired")
}

fn change_of_seats(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1", "A2"])?;
    w.hold(1, &["A4"])?;
    let show = w.show(1)?;
    let change = |labels: &[&str]| {
        let pick = |seat| SeatPick { seat, ticket_type: STANDARD.into() };
        let seats = labels.iter().filter_map(|l| show.layout.by_id(l)).map(pick).collect();
        let layout = show.layout.pin();
        let change = ChangeSeats {
            booking: booking.id,
            seats: Some(Seats::These(seats)),
            layout,
            customer: None,
            promo: PromoChange::Keep,
        };
        w.run(Command::ChangeSeats(change))
    };
    same("a change to a taken seat", code(&change(&["A3", "A4"])), "seats-unavailable")?;
    same("A1 after a refused change", w.status(1, "A1")?, SeatStatus::Held)?;
    same("A3 after a refused change", w.status(1, "A3")?, SeatStatus::Available)?;
    w.clock.advance(Span::from_mins(1));
    let changed = booking_of(change(&["A2", "A3"])?)?;
    same("deadline", changed.expires_at, booking.expires_at)?;
    same("A1 after the change", w.status(1, "A1")?, SeatStatus::Available)?;
    same("A2 after the change", w.status(1, "A2")?, SeatStatus::Held)?;
    same("A3 after the change", w.status(1, "A3")?, SeatStatus::Held)?;
    w.clock.set(changed.expires_at);
    same("a change past the deadline", code(&change(&["A5"])), "hold-expired")
}

fn refusal_changes_nothing(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?;
    let before = (w.seats(1)?.seats, w.booking(booking.id)?);
    same("a hold over a taken seat", code(&w.hold(1, &["A1", "A2"])), "seats-unavailable")?;
    let mut stale = w.hold_command(1, &["A3"])?;
    if let Command::Hold(hold) = &mut stale {
        hold.layout.version += 1;
    }
    same("a hold of another layout version", code(&w.run(stale)), "layout-changed")?;
    same("the show and the booking", (w.seats(1)?.seats, w.booking(booking.id)?), before)
}

fn blocks(w: World<'_>) -> Result<(), Failure> {
    w.hold(1, &["A1"])?;
    let show = w.show(1)?;
    let seats = |labels: &[&str]| {
        let seats = labels.iter().filter_map(|l| show.layout.by_id(l)).collect();
        Block { show: show.no, seats, layout: show.layout.pin(), until: None, note: None }
    };
    let block = |labels: &[&str]| w.run(Command::Block(seats(labels)));
    same("a block over a held seat", code(&block(&["A1", "A2"])), "seats-unavailable")?;
    same("A2", w.status(1, "A2")?, SeatStatus::Available)?;
    block(&["A2", "A3", "A2"])?;
    same("A2 blocked", w.status(1, "A2")?, SeatStatus::Blocked)?;
    same("a hold of a blocked seat", code(&w.hold(1, &["A2"])), "seats-unavailable")?;
    w.run(Command::Unblock(seats(&["A1", "A2", "A2"])))?;
    same("A1 after the unblock", w.status(1, "A1")?, SeatStatus::Held)?;
    same("a hold of a seat given back", code(&w.hold(1, &["A2"])), "ok")
}

fn unknown(w: World<'_>) -> Result<(), Failure> {
    let mut nowhere = (*w.show(1)?).clone();
    nowhere.no = crate::id::ShowNo(u32::MAX);
    same("a hold on no show", code(&w.run(w.hold_of(&nowhere, Seats::These(Vec::new())))), "not-found")?;
    let never = crate::id::BookingId::new(w.show(1)?.no, w.now(), [9; 6]);
    same("cancelling no booking", code(&w.cancel(never)), "not-found")?;
    same("seats of no show", code(&pollster::block_on(w.store.seats(nowhere.no))), "not-found")?;
    let booking = w.hold(1, &["A1"])?;
    w.clock.set(booking.expires_at);
    let expire = Command::Expire { booking: booking.id };
    same("expiring", w.run(expire.clone())?.outcome.effect, Effect::Expired)?;
    same("expiring again", w.run(expire)?.outcome.effect, Effect::Nothing)?;
    ensure(w.booking(booking.id)?.status == BookingStatus::Expired, "the booking is stored as expired")
}
