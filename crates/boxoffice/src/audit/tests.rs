//! Clean books read clean, and each check finds the damage that it is for.

use pollster::block_on;

use super::{Audit, AuditCheck, audit};
use crate::booking::{BookingStatus, RefundStatus, Scan, TicketStatus};
use crate::claim::Claim;
use crate::command::{Command, Exchange, PaymentNews};
use crate::id::SeatNo;
use crate::store::{Orphan, ShowBooks};
use crate::testkit::{Memory, World, hall};
use crate::time::Span;

/// A world with a booking of each kind: held, sold, cancelled with and without charge, expired
/// with late money, paid twice, paid wrongly, lapsed but not tidied, exchanged for another show.
fn busy_world() -> World<'static> {
    let w = World::open(&Memory).unwrap();
    let lapsed = w.hold(1, &["C12"]).unwrap();
    let late = w.hold(2, &["A1"]).unwrap();
    let attempt = w.start(late.id).unwrap();
    w.clock.set(lapsed.expires_at);
    w.hold(2, &["A1"]).unwrap();
    w.capture(&attempt, "late").unwrap();
    w.hold(1, &["A1", "A2"]).unwrap();
    let sold = w.hold(1, &["B1", "B2"]).unwrap();
    let attempt = w.start(sold.id).unwrap();
    w.news(&attempt, "wrong", PaymentNews::Captured(hall::euros(1))).unwrap();
    w.capture(&attempt, "first").unwrap();
    w.capture(&attempt, "second").unwrap();
    let cancelled = w.hold(1, &["C1"]).unwrap();
    w.pay(cancelled.id).unwrap();
    w.cancel(cancelled.id).unwrap();
    let given_up = w.hold(1, &["C2"]).unwrap();
    w.cancel(given_up.id).unwrap();
    exchanged(&w);
    w
}

/// B12 of the first show for B12 of the second.
fn exchanged(w: &World<'_>) {
    let old = w.hold(1, &["B12"]).unwrap();
    w.pay(old.id).unwrap();
    let Command::Hold(hold) = w.hold_command(2, &["B12"]).unwrap() else { unreachable!("a hold is a hold") };
    w.run(Command::Exchange(Box::new(Exchange { hold: *hold, from: old.id, tickets: None }))).unwrap();
}

#[test]
fn clean_books_are_clean() {
    let w = busy_world();
    let amount = hall::euros(5);
    let orphan = Orphan { gateway: "sandbox".into(), payment_id: "p".into(), amount, seen_at: w.now() };
    block_on(w.store.record_orphan(orphan.clone())).unwrap();
    let report = block_on(audit(&*w.store)).unwrap();
    assert!(report.is_clean(), "{report:#?}");
    assert_eq!(report.orphans, vec![orphan]);
    let empty: Vec<&str> = report.checks.iter().filter(|c| c.count == 0).map(|c| c.name).collect();
    assert_eq!(empty, Vec::<&str>::new(), "checks that had nothing to look at");
}

/// Damages the books of the first show and answers the names of the checks that find it. The ledger,
/// which finds all that touches money once more, is asked by [`found_in_ledger`].
fn found(damage: impl FnOnce(&mut ShowBooks)) -> Vec<&'static str> {
    all_that_find(damage).into_iter().filter(|name| !name.contains("ledger")).collect()
}

fn found_in_ledger(damage: impl FnOnce(&mut ShowBooks)) -> Vec<&'static str> {
    all_that_find(damage).into_iter().filter(|name| name.contains("ledger")).collect()
}

fn all_that_find(damage: impl FnOnce(&mut ShowBooks)) -> Vec<&'static str> {
    let w = busy_world();
    let mut books = block_on(w.store.books(None)).unwrap().unwrap();
    let second = block_on(w.store.books(Some(books.show))).unwrap().unwrap();
    damage(&mut books);
    let mut audit = Audit::new();
    audit.examine(&books);
    audit.examine(&second);
    audit.examine_whole();
    let broken = |check: AuditCheck| (!check.broken.is_empty()).then_some(check.name);
    audit.into_parts().0.into_iter().filter_map(broken).collect()
}

const ONE_CLAIM: &str = "a seat has one claim";
const CLAIMS: &str = "a claim belongs to a booking that has the seat";
const BOOKINGS: &str = "a live booking has all its seats";
const TICKETS: &str = "a sold seat has one ticket, other seats have none that lets in";
const EQUATION: &str = "money taken is tickets, fees and charges kept, refunds and lost disputes, to the cent";
const REFUNDS: &str = "a payment is not given back more than once";
const CAPTURES: &str = "money taken has a ticket or a refund within 15 minutes";
const ADMISSIONS: &str = "one ticket, one admission";

const EXCHANGES: &str = "money that an exchange moved on has arrived, once";

const POSTINGS: &str = "a posting of the ledger sums to nothing";
const LINES: &str = "the ledger's lines of a booking are its balances";
const OWED: &str = "the ledger of a show owes the refunds that are not made";
const SHOW_BALANCES: &str = "the ledger of a show sums to nothing";
const BALANCES: &str = "the ledger sums to nothing in each currency";

fn sold(books: &mut ShowBooks) -> &mut crate::booking::Booking {
    books.bookings.iter_mut().find(|b| b.status == BookingStatus::Confirmed).unwrap()
}

fn cancelled(books: &mut ShowBooks) -> &mut crate::booking::Booking {
    books.bookings.iter_mut().find(|b| b.status == BookingStatus::Cancelled && !b.refunds.is_empty()).unwrap()
}

#[test]
fn moved_money_that_did_not_arrive_is_found() {
    let moved = |books: &mut ShowBooks| {
        let rows = books.bookings.iter_mut().flat_map(|b| &mut b.refunds);
        rows.filter(|r| r.moved_to.is_some()).for_each(|r| r.moved_to = None);
    };
    assert_eq!(found(moved), [EXCHANGES]);
    let elsewhere = |books: &mut ShowBooks| {
        let of = cancelled(books).id;
        let rows = books.bookings.iter_mut().flat_map(|b| &mut b.refunds);
        rows.filter_map(|r| r.moved_to.as_mut()).for_each(|to| to.booking = of);
    };
    assert_eq!(found(elsewhere), [EXCHANGES]);
}

#[test]
fn no_damage_is_found_where_there_is_none() {
    assert_eq!(found(|_| {}), Vec::<&str>::new());
}

#[test]
fn a_second_claim_on_a_seat_is_found() {
    assert_eq!(found(|books| books.claims.push(books.claims[0])), [ONE_CLAIM]);
}

#[test]
fn a_claim_without_its_booking_is_found() {
    let strange = |books: &mut ShowBooks| {
        let booking = sold(books).id;
        books.claims.push((SeatNo(5), Claim::Sold { booking }));
    };
    assert_eq!(found(strange), [CLAIMS]);
    let wrong_deadline = |books: &mut ShowBooks| {
        let held = books.bookings.iter_mut().find(|b| b.status == BookingStatus::PendingPayment).unwrap();
        held.expires_at = held.expires_at + Span::from_secs(1);
    };
    assert_eq!(found(wrong_deadline), [CLAIMS]);
}

#[test]
fn a_booking_without_its_claims_is_found() {
    let gone = |books: &mut ShowBooks| {
        let id = sold(books).id;
        books.claims.retain(|(_, claim)| claim.booking() != Some(id));
    };
    assert_eq!(found(gone), [BOOKINGS]);
    let in_another_show = |books: &mut ShowBooks| books.show.0 += 1;
    assert_eq!(found(in_another_show), [BOOKINGS]);
}

#[test]
fn wrong_tickets_are_found() {
    // With the ticket goes the value that the money was for.
    assert_eq!(found(|books| sold(books).tickets.truncate(1)), [CLAIMS, TICKETS, EQUATION]);
    let twice = |books: &mut ShowBooks| {
        let ticket = sold(books).tickets[0].clone();
        sold(books).tickets.push(ticket);
    };
    assert_eq!(found(twice), [TICKETS, EQUATION]);
    let still_valid = |books: &mut ShowBooks| cancelled(books).tickets[0].status = TicketStatus::Valid;
    assert_eq!(found(still_valid), [TICKETS, EQUATION]);
}

#[test]
fn a_ticket_that_lets_in_twice_is_found() {
    let asked = |gate: &str| Scan {
        at: hall::starts_at(1),
        nonce: Some(gate.into()),
        gate: None,
        by: "key".into(),
        serial: 1,
        elsewhere: false,
        offline: None,
    };
    let twice = |books: &mut ShowBooks| {
        let ticket = &mut sold(books).tickets[0];
        ticket.status = TicketStatus::Admitted;
        ticket.scans = vec![asked("a"), asked("b")];
    };
    assert_eq!(found(twice), [ADMISSIONS]);
    let never = |books: &mut ShowBooks| sold(books).tickets[0].status = TicketStatus::Admitted;
    assert_eq!(found(never), [ADMISSIONS]);
    let unsaid = |books: &mut ShowBooks| sold(books).tickets[0].scans = vec![asked("a")];
    assert_eq!(found(unsaid), [ADMISSIONS]);
    let out_of_order = |books: &mut ShowBooks| {
        let ticket = &mut sold(books).tickets[0];
        ticket.status = TicketStatus::Admitted;
        let late = Scan { at: hall::starts_at(2), elsewhere: true, ..asked("c") };
        ticket.scans = vec![late, asked("a")];
    };
    assert_eq!(found(out_of_order), [ADMISSIONS]);
    let used = |books: &mut ShowBooks| {
        let ticket = &mut sold(books).tickets[0];
        ticket.status = TicketStatus::Admitted;
        ticket.scans = vec![asked("a")];
    };
    assert_eq!(found(used), Vec::<&str>::new());
}

#[test]
fn money_that_does_not_add_up_is_found() {
    let a_cent = |books: &mut ShowBooks| {
        let kept = &mut cancelled(books).cancellations[0].kept;
        *kept = hall::euros(kept.minor() - 1);
    };
    assert_eq!(found(a_cent), [EQUATION]);
}

#[test]
fn a_payment_given_back_twice_is_found() {
    let twice = |books: &mut ShowBooks| {
        let refund = sold(books).refunds[0].clone();
        sold(books).refunds.push(refund);
    };
    assert_eq!(found(twice), [EQUATION, REFUNDS]);
    let of_nothing = |books: &mut ShowBooks| sold(books).refunds[0].attempt = 99;
    assert_eq!(found(of_nothing), [REFUNDS]);
}

#[test]
fn money_with_neither_ticket_nor_refund_is_found_after_15_minutes() {
    let keep_the_second = |age: Span| {
        move |books: &mut ShowBooks| {
            let lost = sold(books).refunds.pop().unwrap().attempt;
            let started = sold(books).attempts.iter().find(|a| a.id.no == lost).unwrap().started_at;
            books.now = started + age;
        }
    };
    assert_eq!(found(keep_the_second(Span::from_ms(15 * 60_000 - 1))), [EQUATION]);
    assert_eq!(found(keep_the_second(Span::from_mins(15))), [EQUATION, CAPTURES]);
}

#[test]
fn a_line_that_is_wrong_or_missing_is_found() {
    let wrong = |books: &mut ShowBooks| {
        let amount = books.ledger[0].amount;
        books.ledger[0].amount = amount.plus(hall::euros(1)).unwrap();
    };
    assert_eq!(found_in_ledger(wrong), [POSTINGS, LINES, SHOW_BALANCES, BALANCES]);
    let missing = |books: &mut ShowBooks| drop(books.ledger.pop());
    let found = found_in_ledger(missing);
    assert!(found.starts_with(&[POSTINGS, LINES]), "{found:?}");
}

#[test]
fn a_posting_that_is_missing_or_of_another_booking_is_found() {
    let missing = |books: &mut ShowBooks| {
        let id = sold(books).id;
        let last = books.ledger.iter().filter(|line| line.booking == id).map(|line| line.seq).max();
        books.ledger.retain(|line| line.booking != id || Some(line.seq) != last);
    };
    assert_eq!(found_in_ledger(missing), [LINES, OWED]);
    let none = |books: &mut ShowBooks| books.ledger.clear();
    assert_eq!(found_in_ledger(none), [LINES, OWED]);
    let strange = |books: &mut ShowBooks| {
        let id = sold(books).id;
        books.bookings.retain(|booking| booking.id != id);
    };
    assert_eq!(found_in_ledger(strange), [LINES, OWED]);
}

#[test]
fn a_posting_on_two_instants_of_one_step_is_seen_as_two() {
    let torn = |books: &mut ShowBooks| books.ledger[0].seq += 1;
    assert_eq!(found_in_ledger(torn), [POSTINGS]);
}

#[test]
fn money_that_the_ledger_does_not_know_is_found() {
    let other = |books: &mut ShowBooks| sold(books).refunds[0].status = RefundStatus::Succeeded;
    assert_eq!(found_in_ledger(other), [LINES, OWED]);
}
