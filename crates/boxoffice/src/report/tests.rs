//! Reports agree with the ledger, and a business day is as long as its clock says.

use jiff::civil::{Date, date, time};
use pollster::block_on;

use super::day::{self, DayClose, span};
use super::sales::{SalesQuery, SalesRow, sales};
use crate::audit::audit;
use crate::ledger::Account;
use crate::refusal::Refusal;
use crate::show::{Theatre, Zone};
use crate::store::StoreError;
use crate::testkit::world::code;
use crate::testkit::{Memory, World, hall};
use crate::time::{Span, Timestamp};

/// The first show's business day.
const SHOW_DAY: Date = date(2027, 6, 12);

fn theatre(zone: &str, starts_hour: i8) -> Theatre {
    let mut theatre = hall::import(1).theatres.remove(0);
    theatre.timezone = Zone::named(zone).expect("a zone");
    theatre.business_day_starts = time(starts_hour, 0, 0, 0);
    theatre
}

#[test]
fn a_business_day_has_23_24_or_25_hours() {
    let cases = [
        ("Europe/Berlin", date(2027, 3, 27), 23),
        ("Europe/Berlin", date(2027, 3, 28), 24),
        ("Europe/Berlin", date(2027, 10, 30), 25),
        ("America/New_York", date(2027, 3, 13), 23),
        ("America/New_York", date(2027, 11, 6), 25),
        ("Asia/Kolkata", date(2027, 3, 28), 24),
    ];
    for (zone, day, hours) in cases {
        let (from, to) = span(&theatre(zone, 5), day).expect("a day");
        assert_eq!((to - from).as_ms(), hours * 3_600_000, "{zone} {day}");
        let (next, _) = span(&theatre(zone, 5), day.tomorrow().expect("a day")).expect("a day");
        assert_eq!(to, next, "days follow each other without a gap");
    }
    // A day that begins in the hour that is left out, or comes twice.
    for (day, hours) in [(date(2027, 3, 27), 24), (date(2027, 3, 28), 23), (date(2027, 10, 31), 25)] {
        let (from, to) = span(&theatre("Europe/Berlin", 2), day).expect("a day");
        assert_eq!((to - from).as_ms(), hours * 3_600_000, "{day}");
    }
}

/// Two bookings of the first show are paid, one is cancelled; a third is of the second show.
fn traded() -> World<'static> {
    let w = World::open(&Memory).expect("a world");
    for (show, seats) in [(1, &["A1", "A2"][..]), (1, &["B1"]), (2, &["C1"])] {
        let held = w.hold(show, seats).expect("a hold");
        w.pay(held.id).expect("a payment");
        if seats.len() == 1 && show == 1 {
            w.clock.advance(Span::from_mins(24 * 60));
            w.cancel(held.id).expect("given back");
        }
    }
    w
}

fn report(w: &World<'_>, from: Date, to: Date) -> Vec<SalesRow> {
    block_on(sales(&*w.store, &SalesQuery { from, to, theatre: None })).expect("a report")
}

#[test]
fn sales_are_counted_by_the_shows_business_day() {
    let w = traded();
    let rows = report(&w, SHOW_DAY, SHOW_DAY);
    let counts: Vec<(u32, u32, u32)> = rows.iter().map(|r| (r.sold, r.refunded, r.admitted)).collect();
    assert_eq!(counts, [(3, 1, 0)]);
    assert_eq!(rows[0].business_day, SHOW_DAY);
    let both = report(&w, SHOW_DAY, date(2027, 6, 13));
    assert_eq!(both.iter().map(|r| r.sold).collect::<Vec<_>>(), [3, 1]);
    assert_eq!(report(&w, date(2027, 6, 1), date(2027, 6, 11)), []);
}

#[test]
fn case_67_a_show_after_midnight_is_of_the_day_before() {
    let w = World::open(&Memory).expect("a world");
    let after_midnight = hall::starts_at(1) + Span::from_mins(270);
    w.change_show(1, |show| show.starts_at = after_midnight).expect("an import");
    let held = w.hold(1, &["A1"]).expect("a hold");
    w.pay(held.id).expect("a payment");
    assert_eq!(report(&w, SHOW_DAY, SHOW_DAY).len(), 1, "00:30 is in the night of the 12th");
    assert_eq!(report(&w, date(2027, 6, 13), date(2027, 6, 13)), []);
}

#[test]
fn totals_are_the_ledgers() {
    let w = traded();
    let rows = report(&w, SHOW_DAY, date(2027, 6, 30));
    let ledger = block_on(audit(&*w.store)).expect("an audit").balances;
    let stands = |is: fn(&Account) -> bool| -> i64 {
        ledger.iter().filter(|(account, _)| is(account)).map(|(_, amount)| -amount.minor()).sum()
    };
    let sum = |of: fn(&SalesRow) -> i64| -> i64 { rows.iter().map(of).sum() };
    assert_eq!(sum(|r| r.money.net.minor()), stands(|a| *a == Account::Tickets));
    assert_eq!(sum(|r| r.money.fees.minor()), stands(|a| *a == Account::Fees));
    assert_eq!(sum(|r| r.money.tax.minor()), stands(|a| matches!(a, Account::Tax(_))));
    assert_eq!(sum(|r| r.money.charges.minor()), stands(|a| *a == Account::CancellationCharges));
    for row in &rows {
        let m = &row.money;
        let parts = [m.net, m.fees, m.tax, m.charges].map(crate::money::Money::minor);
        assert_eq!(m.gross.minor(), parts.iter().sum::<i64>());
    }
}

#[test]
fn days_that_are_no_range_are_refused() {
    let w = World::open(&Memory).expect("a world");
    for (from, to) in [(SHOW_DAY, date(2027, 6, 11)), (SHOW_DAY, date(2029, 6, 11))] {
        let report = block_on(sales(&*w.store, &SalesQuery { from, to, theatre: None }));
        assert_eq!(code(&report), "invalid-request");
    }
    let strange = Some(hall::show_id(1));
    let report = block_on(sales(&*w.store, &SalesQuery { from: SHOW_DAY, to: SHOW_DAY, theatre: strange }));
    assert_eq!(report, Err(StoreError::Refused(Refusal::NotFound("theatre"))));
}

fn close(w: &World<'_>, day: Date) -> Result<DayClose, StoreError> {
    let theatre = w.show(1).expect("a show").theatre.id.clone();
    block_on(day::close(&*w.store, &theatre, day))
}

fn at_the_bank(close: &DayClose) -> i64 {
    let bank = close.accounts.iter().find(|sum| matches!(sum.account, Account::Gateway(_)));
    bank.map_or(0, |sum| sum.amount.minor())
}

#[test]
fn a_day_is_closed_once_it_has_ended_and_stays_as_it_was() {
    let w = traded();
    let opening_day = date(2027, 6, 10);
    let ends = span(&w.show(1).expect("a show").theatre, opening_day).expect("a day").1;
    let early = World::open(&Memory).expect("a world");
    early.clock.set(ends - Span::from_ms(1));
    assert_eq!(code(&close(&early, opening_day)), "invalid-request");
    early.clock.set(ends);
    assert_eq!(at_the_bank(&close(&early, opening_day).expect("a close")), 0);

    let first = close(&w, opening_day).expect("a close");
    assert_eq!(at_the_bank(&first), 2_740 + 1_370);
    let sums: i64 = first.accounts.iter().map(|sum| sum.amount.minor()).sum();
    assert_eq!(sums, 0);
    w.clock.advance(Span::from_mins(24 * 60));
    assert_eq!(close(&w, opening_day).expect("the same close"), first);
    let second = close(&w, date(2027, 6, 11)).expect("a close");
    assert_eq!(at_the_bank(&second), 1_370, "the third sale, and the refund is still owed");
    assert_eq!(second.from, first.to);
    let unknown = block_on(day::close(&*w.store, &hall::show_id(1), opening_day));
    assert_eq!(unknown, Err(StoreError::Refused(Refusal::NotFound("theatre"))));
}

#[test]
fn a_close_that_broke_off_is_done_again() {
    let w = traded();
    let theatre = w.show(1).expect("a show").theatre.id.clone();
    let day = date(2027, 6, 10);
    let begun = w.store.put_document("day_close", format!("{theatre}/{day}"), 0, String::new());
    assert!(block_on(begun).expect("a store"));
    assert!(block_on(day::closed(&*w.store, &theatre, day)).is_err());
    let closed = close(&w, day).expect("a close");
    assert_eq!(block_on(day::closed(&*w.store, &theatre, day)), Ok(closed));
}

#[test]
fn a_line_belongs_to_the_day_in_which_it_was_posted() {
    let w = World::open(&Memory).expect("a world");
    let theatre = w.show(1).expect("a show").theatre.clone();
    let (_, to) = span(&theatre, date(2027, 6, 10)).expect("a day");
    for (at, seat) in [(to - Span::from_ms(1), "A1"), (to, "A2")] {
        w.clock.set(at);
        let held = w.hold(1, &[seat]).expect("a hold");
        w.pay(held.id).expect("a payment");
    }
    let lines = |from: Timestamp, to: Timestamp| {
        let lines = block_on(w.store.ledger(theatre.id.clone(), from, to)).expect("lines");
        lines.iter().filter(|l| matches!(l.account, Account::Gateway(_))).count()
    };
    assert_eq!(lines(hall::opening(), to), 1);
    assert_eq!(lines(to, to + Span::from_mins(1)), 1);
    assert_eq!(lines(hall::opening(), to + Span::from_mins(1)), 2);
}
