//! Case 97: things of the catalogue are deleted only while nothing refers to them.

use pollster::block_on;

use super::Check;
use crate::booking::StaffNote;
use crate::catalogue::Import;
use crate::catalogue::delete::{Kind, Thing};
use crate::command::{Block, Command, Hold, Seats, Settled};
use crate::id::{CatalogueId, SeatNo};
use crate::prices::TicketType;
use crate::promo::{Off, OffPer, PromoCode, normalised};
use crate::refusal::Refusal;
use crate::show::{RefundChoice, Text};
use crate::store::StoreError;
use crate::testkit::hall;
use crate::testkit::world::{Failure, World, booking_of, code, ensure, race, same};

pub(super) const CHECKS: &[Check] = &[
    Check::new("case_097_what_is_in_use_is_not_deleted", in_use),
    Check::new("case_097_a_booking_keeps_its_show_whatever_became_of_it", kept_for_good),
    Check::new("case_097_what_nothing_refers_to_goes", unused),
    Check::new("case_097_numbers_of_deleted_things_are_not_given_again", numbers),
    Check::new("case_097_a_cancelled_shows_hold_cannot_pay", cancelled),
    Check::race("case_097_a_hold_against_the_deletion_of_its_show", hold_against_deletion),
];

type Counts = Vec<(&'static str, usize)>;

fn delete(w: &World<'_>, kind: Kind, id: &str) -> Result<(), StoreError> {
    let thing = Thing::named(kind, id).ok_or_else(|| Thing::missing(kind))?;
    block_on(w.store.delete(thing))
}

/// What is told to stand in the way.
fn refused(w: &World<'_>, kind: Kind, id: &str) -> Result<Counts, Failure> {
    match delete(w, kind, id) {
        Err(StoreError::Refused(Refusal::InUse(in_use))) => Ok(in_use.counts),
        other => Err(Failure(format!("deleting {id} of {}: got {other:?}, wanted in-use", kind.as_str()))),
    }
}

fn show_name(n: u16) -> String {
    hall::show_id(n).to_string()
}

fn named(text: &str) -> CatalogueId {
    normalised(text).unwrap_or_else(|| hall::show_id(99))
}

/// A ticket type at nine euros, and a code for the second show.
fn type_and_code() -> Import {
    let child = TicketType { id: named("child"), name: Text::Plain("Child".into()), proof: None };
    let mut list = hall::import(0).price_lists.remove(0);
    list.prices.set("Standard", child.id.clone(), hall::euros(900));
    let code = PromoCode {
        id: "Sum Mer".into(),
        key: named("Sum Mer"),
        off: Off::Amount(hall::euros(500)),
        per: OffPer::Booking,
        max_uses: None,
        max_per_customer: None,
        budget: None,
        valid_from: None,
        valid_until: None,
        shows: vec![hall::show_id(2)],
        categories: Vec::new(),
    };
    Import { ticket_types: vec![child], promo_codes: vec![code], price_lists: vec![list], ..Import::default() }
}

/// A hold of a seat of the second show for a child, with the code.
fn with_code(w: &World<'_>) -> Result<Command, StoreError> {
    let command = w.hold_command(2, &["A1"])?;
    let Command::Hold(hold) = command else { return Ok(command) };
    let mut hold = Hold { promo: Some(named("Sum Mer")), ..*hold };
    if let Seats::These(picks) = &mut hold.seats {
        picks.iter_mut().for_each(|pick| pick.ticket_type = "child".into());
    }
    Ok(Command::Hold(Box::new(hold)))
}

fn in_use(w: World<'_>) -> Result<(), Failure> {
    same("conflicts", w.import(type_and_code())?.conflicts, Vec::new())?;
    for label in ["A1", "A2"] {
        w.pay(w.hold(1, &[label])?.id)?;
    }
    w.hold(1, &["B1"])?;
    let child = booking_of(w.run(with_code(&w)?)?)?;
    let version = block_on(w.store.catalogue())?.version;
    let sold = [("confirmed_bookings", 2), ("live_holds", 2)];
    let shows: Counts = [("shows", 9)].into_iter().chain(sold).collect();
    let halls: Counts = [("screens", 1)].into_iter().chain(shows.clone()).collect();
    let cases: [(Kind, &str, Counts); 13] = [
        (Kind::Shows, "show-1", vec![("confirmed_bookings", 2), ("live_holds", 1)]),
        (Kind::Shows, "show-2", vec![("promo_codes", 1), ("live_holds", 1)]),
        (Kind::Screens, "screen", shows.clone()),
        (Kind::Movies, "movie", shows.clone()),
        (Kind::Theatres, "kino", halls.clone()),
        (Kind::Layouts, "hall", halls),
        (Kind::PriceLists, "prices", shows.clone()),
        (Kind::RefundPolicies, "policy", shows),
        (Kind::Taxes, "cinema", vec![("price_lists", 1)]),
        (Kind::Taxes, "service", vec![("fees", 1)]),
        (Kind::Fees, "fee", vec![("price_lists", 1)]),
        (Kind::TicketTypes, "child", vec![("price_lists", 1), ("live_holds", 1)]),
        (Kind::PromoCodes, "SUMMER", vec![("live_holds", 1)]),
    ];
    for (kind, id, counts) in cases {
        same(&format!("{} {id}", kind.as_str()), refused(&w, kind, id)?, counts)?;
    }
    same("the catalogue's version", block_on(w.store.catalogue())?.version, version)?;
    w.pay(child.id)?;
    same("a code that was used", refused(&w, Kind::PromoCodes, "sum mer")?, vec![("confirmed_bookings", 1)])?;
    let list = hall::import(0).price_lists;
    w.import(Import { price_lists: list, ..Import::default() })?;
    same("a type that is sold", refused(&w, Kind::TicketTypes, "child")?, vec![("confirmed_bookings", 1)])
}

/// Lapsed holds and cancelled bookings are orders that somebody may ask for.
fn kept_for_good(w: World<'_>) -> Result<(), Failure> {
    let lapsed = w.hold(1, &["A1"])?;
    let cancelled = w.hold(1, &["A2"])?;
    w.pay(cancelled.id)?;
    w.cancel(cancelled.id)?;
    w.clock.set(lapsed.expires_at);
    let counts = vec![("lapsed_holds", 1), ("cancelled_bookings", 1)];
    same("before the hold is swept", refused(&w, Kind::Shows, "show-1")?, counts.clone())?;
    w.run(Command::Expire { booking: lapsed.id })?;
    same("then", refused(&w, Kind::Shows, "show-1")?, counts)?;
    let Some(w) = w.reopen() else { return Ok(()) };
    ensure(delete(&w, Kind::Shows, "show-1").is_err(), "refused after a restart")
}

fn unused(w: World<'_>) -> Result<(), Failure> {
    w.import(type_and_code())?;
    let show = w.show(1)?;
    let seats = vec![SeatNo(0)];
    w.run(Command::Block(Block { show: show.no, seats, layout: show.layout.pin(), until: None, note: None }))?;
    w.import(Import { price_lists: hall::import(0).price_lists, ..Import::default() })?;
    let shows: Vec<String> = (1..=9).map(show_name).collect();
    let unneeded = [(Kind::PromoCodes, "sum MER"), (Kind::TicketTypes, "child")].into_iter();
    let shows = shows.iter().map(|show| (Kind::Shows, show.as_str()));
    let things = unneeded.chain(shows).chain([
        (Kind::RefundPolicies, "policy"),
        (Kind::PriceLists, "prices"),
        (Kind::Fees, "fee"),
        (Kind::Taxes, "service"),
        (Kind::Taxes, "cinema"),
        (Kind::Movies, "movie"),
        (Kind::Screens, "screen"),
        (Kind::Layouts, "hall"),
        (Kind::Theatres, "kino"),
    ]);
    for (kind, id) in things {
        delete(&w, kind, id)?;
        same(&format!("{} {id} again", kind.as_str()), code(&delete(&w, kind, id)), "not-found")?;
    }
    same("the show", code(&w.show(1)), "not-found")?;
    same("its seats", code(&block_on(w.store.seats(show.no))), "not-found")?;
    let catalogue = block_on(w.store.catalogue())?;
    same("theatres left", catalogue.theatres.len() + catalogue.layouts.len() + catalogue.taxes.len(), 0)?;
    same("imported as new", w.import(hall::import(9))?.added, 18)?;
    w.pay(w.hold(1, &["A1"])?.id)?;
    same("the books", block_on(crate::audit::audit(&*w.store))?.is_clean(), true)
}

/// Whoever still has the number of a deleted show, or a seat of a deleted plan, means no other.
fn numbers(w: World<'_>) -> Result<(), Failure> {
    let (stale, ninth) = (w.hold_command(9, &["A1"])?, w.show(9)?);
    for n in 1..=9 {
        delete(&w, Kind::Shows, &show_name(n))?;
    }
    same("a hold of it", code(&w.run(stale.clone())), "not-found")?;
    delete(&w, Kind::Screens, "screen")?;
    delete(&w, Kind::Layouts, "hall")?;
    same("conflicts", w.import(hall::import(9))?.conflicts, Vec::new())?;
    let again = w.show(9)?;
    ensure(again.no > ninth.no && w.show(1)?.no > ninth.no, "the shows have new numbers")?;
    same("the plan's version", again.layout.version(), ninth.layout.version() + 1)?;
    same("a hold of the old one", code(&w.run(stale)), "not-found")?;
    let Some(w) = w.reopen() else { return Ok(()) };
    for kept in [1, 2] {
        for n in 1..=9 {
            delete(&w, Kind::Shows, &show_name(n))?;
        }
        w.import(hall::import(9))?;
        ensure(w.show(1)?.no > again.no, &format!("new numbers after a restart, {kept}"))?;
    }
    Ok(())
}

fn cancelled(w: World<'_>) -> Result<(), Failure> {
    let (held, paying) = (w.hold(1, &["A1"])?, w.hold(1, &["A2"])?);
    let attempt = w.start(paying.id)?;
    let show = w.show(1)?.no;
    let note = StaffNote::default();
    w.run(Command::CancelShow { show, refunds: RefundChoice::All, note })?;
    same("a payment of the hold", code(&w.start(held.id)), "show-cancelled")?;
    same("money that came all the same", w.capture(&attempt, "p")?, Settled::Refunded)?;
    match delete(&w, Kind::Shows, "show-1") {
        Err(StoreError::Refused(Refusal::InUse(in_use))) => {
            ensure(in_use.hint.contains("cancelled already"), &format!("the hint: {}", in_use.hint))
        }
        other => Err(Failure(format!("got {other:?}"))),
    }
}

/// One side is refused: no booking stands in a show that is gone, and no show goes that is booked.
fn hold_against_deletion(w: World<'_>) -> Result<(), Failure> {
    const SHOWS: u16 = 60;
    const SEATS: [&str; 3] = ["A1", "B1", "C1"];
    w.import(hall::import(SHOWS))?;
    let ids: Vec<String> = (1..=SHOWS).map(show_name).collect();
    let holds = |n| SEATS.iter().map(|seat| w.hold_command(n, &[seat])).collect::<Result<Vec<_>, _>>();
    let holds: Vec<Vec<Command>> = (1..=SHOWS).map(holds).collect::<Result<_, _>>()?;
    let rounds = race(1 + SEATS.len(), holds.len(), |round, thread| match holds[round].get(thread) {
        Some(hold) => w.run(hold.clone()).map(|_| "held"),
        None => delete(&w, Kind::Shows, &ids[round]).map(|()| "deleted"),
    });
    for ((n, holds), told) in (1..).zip(&holds).zip(rounds) {
        let deleted = told.contains(&Ok("deleted"));
        let mut answers: Vec<&str> =
            told.iter().map(|told| told.as_ref().copied().unwrap_or_else(|_| code(told))).collect();
        answers.sort_unstable();
        let booked = holds.iter().filter(|hold| hold.booking().is_some_and(|id| w.booking(id).is_ok())).count();
        let expected = if deleted {
            (vec!["deleted", "not-found", "not-found", "not-found"], 0, false)
        } else {
            (vec!["held", "held", "held", "in-use"], 3, true)
        };
        same(&format!("show {n}"), (answers, booked, w.show(n).is_ok()), expected)?;
    }
    Ok(())
}
