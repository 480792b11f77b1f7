//! Promo codes: never used more often than they may be, whoever asks at the same time, and given
//! back when the hold lapses or the tickets go.

use super::Check;
use crate::booking::{Booking, Customer, RefundReason};
use crate::catalogue::Import;
use crate::command::{ChangeSeats, Command, PromoChange, Settled};
use crate::id::CatalogueId;
use crate::promo::{Off, OffPer, PromoCode, normalised};
use crate::store::StoreError;
use crate::testkit::hall::euros;
use crate::testkit::world::{Failure, World, booking_of, code, race, same};
use crate::time::Span;

pub(super) const CHECKS: &[Check] = &[
    Check::new("case_58_a_use_is_a_booking_and_is_given_back", case_58),
    Check::new("case_59_the_last_permitted_use_works", case_59),
    Check::new("promo_code_is_counted_by_customer", per_customer),
    Check::new("promo_code_has_a_budget", budget),
    Check::new("promo_code_is_added_and_removed_while_held", added_and_removed),
    Check::new("late_money_finds_the_code_used_up", late_money),
    Check::new("promo_code_must_fit_show_and_seats", must_fit),
    Check::race("case_56_fifty_at_once_for_three_uses", case_56),
];

const CODE: &str = "LIMIT3";

fn key(written: &str) -> Result<CatalogueId, Failure> {
    normalised(written).ok_or_else(|| Failure(format!("{written} is no code")))
}

fn two_off() -> Result<PromoCode, Failure> {
    Ok(PromoCode {
        id: CODE.to_owned(),
        key: key(CODE)?,
        off: Off::Amount(euros(200)),
        per: OffPer::Booking,
        max_uses: None,
        max_per_customer: None,
        budget: None,
        valid_from: None,
        valid_until: None,
        shows: Vec::new(),
        categories: Vec::new(),
    })
}

fn give(w: &World<'_>, change: impl FnOnce(&mut PromoCode)) -> Result<(), Failure> {
    let mut promo = two_off()?;
    change(&mut promo);
    let report = w.import(Import { promo_codes: vec![promo], ..Import::default() })?;
    same("conflicts", report.conflicts, Vec::new())
}

fn hold_as(w: &World<'_>, show: u16, labels: &[&str], customer: &str) -> Result<Booking, StoreError> {
    let mut command = w.hold_command(show, labels)?;
    if let Command::Hold(hold) = &mut command {
        hold.promo = normalised("limit3");
        hold.customer = Customer { email: Some(customer.to_owned()), ..Customer::default() };
    }
    booking_of(w.run(command)?)
}

fn hold(w: &World<'_>, show: u16, labels: &[&str]) -> Result<Booking, StoreError> {
    hold_as(w, show, labels, "a@example.org")
}

fn case_58(w: World<'_>) -> Result<(), Failure> {
    give(&w, |promo| promo.max_uses = Some(2))?;
    let four = hold(&w, 1, &["A1", "A2", "A3", "A4"])?;
    same("four tickets are one use", w.pay(four.id)?, Settled::Confirmed)?;
    let lapsed = hold(&w, 1, &["B1"])?;
    same("a third at once", code(&hold(&w, 1, &["B2"])), "promo-code-used-up")?;
    w.clock.set(lapsed.expires_at);
    let second = hold(&w, 2, &["B2"])?;
    same("the lapsed hold gave its use back, with no job", w.pay(second.id)?, Settled::Confirmed)?;
    same("then it is used up, also for another show", code(&hold(&w, 3, &["B3"])), "promo-code-used-up")?;
    w.cancel(four.id)?;
    same("a booking given back gives its use back", code(&hold(&w, 3, &["B3"])), "ok")
}

fn case_59(w: World<'_>) -> Result<(), Failure> {
    for (max, show) in [(10_u32, 1_u16), (1, 2)] {
        give(&w, |promo| {
            promo.max_uses = Some(max);
            promo.shows = vec![crate::testkit::hall::show_id(show)];
            promo.id = format!("LIMIT3-{show}");
        })?;
        for n in 1..=max {
            let label = format!("A{n}");
            let booking = hold(&w, show, &[&label])?;
            same("discounted", booking.price.total, euros(1_170))?;
            w.pay(booking.id)?;
        }
        same("one more", code(&hold(&w, show, &["B1"])), "promo-code-used-up")?;
        for id in w.bookings(show)? {
            w.cancel(id)?;
        }
    }
    Ok(())
}

fn per_customer(w: World<'_>) -> Result<(), Failure> {
    give(&w, |promo| promo.max_per_customer = Some(1))?;
    let first = hold_as(&w, 1, &["A1"], "a@example.org")?;
    same("the same, written otherwise", code(&hold_as(&w, 2, &["A2"], "A@Example.org")), "promo-code-used-up")?;
    let second = hold_as(&w, 1, &["A2"], "b@example.org")?;
    let become_first = Command::ChangeCustomer { booking: second.id, customer: first.customer.clone() };
    same("becoming the first customer", code(&w.run(become_first)), "promo-code-used-up")?;
    let mut nobody = w.hold_command(1, &["A3"])?;
    if let Command::Hold(hold) = &mut nobody {
        (hold.promo, hold.customer) = (normalised(CODE), Customer::default());
    }
    same("nobody known", code(&w.run(nobody)), "promo-code-invalid")?;
    w.clock.set(first.expires_at);
    same("again once the hold has lapsed", code(&hold_as(&w, 2, &["A2"], "A@Example.org")), "ok")
}

fn budget(w: World<'_>) -> Result<(), Failure> {
    give(&w, |promo| promo.budget = Some(euros(500)))?;
    for (label, want) in [("A1", "ok"), ("A2", "ok"), ("A3", "promo-code-used-up")] {
        same(label, code(&hold(&w, 1, &[label])), want)?;
    }
    Ok(())
}

fn added_and_removed(w: World<'_>) -> Result<(), Failure> {
    give(&w, |promo| promo.max_uses = Some(1))?;
    let booking = w.hold(1, &["A1", "A2"])?;
    let change = |promo| {
        let (seats, layout) = (None, booking.show.layout.clone());
        w.run(Command::ChangeSeats(ChangeSeats { booking: booking.id, seats, layout, customer: None, promo }))
    };
    let with = booking_of(change(PromoChange::Use(key(CODE)?))?)?;
    same("total with the code", with.price.total, euros(2_540))?;
    same("its use", with.promo.map(|used| used.discount), Some(euros(200)))?;
    same("another booking", code(&hold(&w, 1, &["B1"])), "promo-code-used-up")?;
    same("the same code again", code(&change(PromoChange::Use(key(CODE)?))), "ok")?;
    same("an unknown code", code(&change(PromoChange::Use(key("other")?))), "promo-code-invalid")?;
    let without = booking_of(change(PromoChange::Remove)?)?;
    same("total without", without.price.total, euros(2_740))?;
    same("another booking then", code(&hold(&w, 1, &["B1"])), "ok")
}

fn late_money(w: World<'_>) -> Result<(), Failure> {
    give(&w, |promo| promo.max_uses = Some(1))?;
    let first = hold(&w, 1, &["A1"])?;
    let attempt = w.start(first.id)?;
    w.clock.set(w.booking(first.id)?.expires_at);
    let second = hold(&w, 1, &["B1"])?;
    same("late money", w.capture(&attempt, "p1")?, Settled::Refunded)?;
    let reasons: Vec<RefundReason> = w.booking(first.id)?.refunds.iter().map(|r| r.reason).collect();
    same("why", reasons, vec![RefundReason::Late])?;
    same("the second", w.pay(second.id)?, Settled::Confirmed)
}

/// How a code differs; the date is yesterday's.
type Change = fn(&mut PromoCode, Option<jiff::civil::Date>);

fn must_fit(w: World<'_>) -> Result<(), Failure> {
    let today = w.now().to_jiff().to_zoned_datetime(w.show(1)?.theatre.timezone.tz().clone()).date();
    let yesterday = today.yesterday().ok();
    let changes: [(&str, Change, &str); 4] = [
        ("as it is", |_, _| {}, "ok"),
        ("for another show", |promo, _| promo.shows = vec![crate::testkit::hall::show_id(2)], "promo-code-invalid"),
        ("for no such category", |promo, _| promo.categories = vec!["Box".into()], "promo-code-invalid"),
        ("until yesterday", |promo, yesterday| promo.valid_until = yesterday, "promo-code-invalid"),
    ];
    for (n, (name, change, want)) in (1..).zip(changes) {
        give(&w, |promo| change(promo, yesterday))?;
        let label = format!("A{n}");
        same(name, code(&hold(&w, 1, &[&label])), want)?;
    }
    Ok(())
}

fn case_56(w: World<'_>) -> Result<(), Failure> {
    const CALLERS: usize = 50;
    give(&w, |promo| promo.max_uses = Some(3))?;
    for round in 0..3_u16 {
        let made = race(CALLERS, 1, |_, caller| {
            // Every caller has a seat of their own, spread over the shows: only the code is contended.
            let show = u16::try_from(caller % 9).unwrap_or_default() + 1;
            let label = format!("{}{}", ["A", "B", "C"][usize::from(round)], caller / 9 + 1);
            hold(&w, show, &[&label])
        });
        let made: Vec<Result<Booking, StoreError>> = made.into_iter().flatten().collect();
        let codes: Vec<&str> = made.iter().map(code).collect();
        same("discounted", codes.iter().filter(|c| **c == "ok").count(), 3)?;
        same("used up", codes.iter().filter(|c| **c == "promo-code-used-up").count(), CALLERS - 3)?;
        w.clock.advance(Span::from_mins(61));
    }
    Ok(())
}
