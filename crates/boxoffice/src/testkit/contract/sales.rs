//! The sales of the whole store, closed after a restore: nothing new is sold, and whatever was begun comes to its end.

use pollster::block_on;

use super::Check;
use crate::booking::BookingStatus;
use crate::command::{ChangeSeats, Command, Exchange, PromoChange, Seats};
use crate::sales::{Sales, SalesState};
use crate::store::{ShowFilter, StoreError};
use crate::testkit::hall;
use crate::testkit::world::{Failure, World, code, ensure, race, same};
use crate::time::Span;

pub(super) const CHECKS: &[Check] = &[
    Check::new("sales_closed_sell_nothing", sell_nothing),
    Check::new("sales_closed_finish_what_was_begun", finish_what_was_begun),
    Check::new("sales_closed_are_remembered", remembered),
    Check::new("sales_closed_in_the_middle_of_selling", in_the_middle),
];

fn set(w: &World<'_>, sales: Sales) -> Result<(), StoreError> {
    block_on(w.store.set_sales(sales))
}

fn close(w: &World<'_>) -> Result<(), StoreError> {
    set(w, Sales::Closed { since: w.now() })
}

fn sell_nothing(w: World<'_>) -> Result<(), Failure> {
    let held = w.hold(1, &["A1"])?.id;
    let sold = w.hold(1, &["A2"])?.id;
    w.pay(sold)?;
    close(&w)?;
    let Command::Hold(hold) = w.hold_command(1, &["A3"])? else {
        return Err(Failure("a hold is no hold".into()));
    };
    let seats = Seats::clone(&hold.seats);
    let change = ChangeSeats {
        booking: held,
        seats: Some(seats),
        layout: hall::pin(),
        customer: None,
        promo: PromoChange::Keep,
    };
    let exchange = Exchange { hold: *hold.clone(), from: sold, tickets: None };
    let all = [
        ("a hold", Command::Hold(hold)),
        ("other seats", Command::ChangeSeats(change)),
        ("an exchange", Command::Exchange(Box::new(exchange))),
        ("a payment", Command::StartPayment { booking: held, gateway: "sandbox".into(), return_url: String::new() }),
        ("a payment at the counter", Command::PayAtCounter { booking: held }),
    ];
    for (what, command) in &all {
        same(what, code(&w.run(command.clone())), "sales-closed")?;
    }
    ensure(!w.seats(1)?.sales.are_open(), "the seats say that nothing is sold")?;
    let rows = block_on(w.store.shows(ShowFilter::default()))?;
    ensure(rows.iter().all(|row| !row.sales.are_open()), "every show says so")?;
    set(&w, Sales::Open)?;
    let (_, hold) = &all[0];
    same("after opening", code(&w.run(hold.clone())), "ok")?;
    ensure(w.seats(1)?.sales.are_open(), "and the seats say so")
}

fn finish_what_was_begun(w: World<'_>) -> Result<(), Failure> {
    let (paying, held, given_back, used) =
        (w.hold(1, &["A1"])?.id, w.hold(1, &["A2"])?.id, w.hold(1, &["A3"])?.id, w.hold(1, &["A4"])?.id);
    let attempt = w.start(paying)?;
    w.pay(given_back)?;
    w.pay(used)?;
    close(&w)?;
    w.capture(&attempt, "late")?;
    same("a payment under way is a sale", w.booking(paying)?.status, BookingStatus::Confirmed)?;
    same("a hold may be left", w.cancel(held)?.status, BookingStatus::Cancelled)?;
    same("tickets go back", w.cancel(given_back)?.refunds.len(), 1)?;
    let backlog = block_on(w.store.backlog())?;
    same("refunds that wait", backlog.refunds_open, 1)?;
    same("the oldest letter", backlog.oldest_letter, Some(w.now()))?;
    block_on(w.store.probe())?;
    let starts_at = w.show(1)?.spec.starts_at;
    w.clock.set(starts_at - Span::from_mins(10));
    same("the door lets in", code(&w.run(w.admit_command(used, 1, "n"))), "ok")
}

fn remembered(w: World<'_>) -> Result<(), Failure> {
    same("at first", block_on(w.store.sales())?, SalesState::default())?;
    close(&w)?;
    let closed = SalesState { sales: Sales::Closed { since: w.now() }, unanswered: 0 };
    same("closed", block_on(w.store.sales())?, closed)?;
    let Some(again) = w.reopen() else { return Ok(()) };
    same("after a restart", block_on(again.store.sales())?, closed)?;
    same("for whoever holds, too", code(&again.hold(1, &["A1"])), "sales-closed")
}

/// Who was answered before the close has the seats; after it nobody gets any.
fn in_the_middle(w: World<'_>) -> Result<(), Failure> {
    let labels: Vec<String> = w.show(1)?.layout.seats().iter().map(|seat| seat.label.clone()).collect();
    let held = race(4, 1, |thread, _| {
        let mine = labels.iter().skip(thread).step_by(4);
        let held = mine.map(|label| w.hold(1, &[label]).is_ok());
        let held = held.filter(|held| *held).count();
        if thread == 0 {
            let closed = close(&w).is_ok();
            return (held, closed && w.hold(2, &["A1"]).is_err());
        }
        (held, true)
    });
    let answers: Vec<(usize, bool)> = held.into_iter().flatten().collect();
    ensure(answers.iter().all(|(_, refused)| *refused), "after the close the closer gets nothing")?;
    same("bookings", w.bookings(1)?.len(), answers.iter().map(|(held, _)| held).sum())?;
    same("then", code(&w.hold(2, &["A1"])), "sales-closed")
}
