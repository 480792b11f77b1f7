//! Money back, ticket by ticket: never more than was paid, however it is asked for, and the seats free
//! and the tickets void at once.

use super::Check;
use crate::audit::audit;
use crate::booking::{Booking, BookingStatus, DisputeStatus, RefundReason, StaffNote, TicketStatus, VoidReason};
use crate::claim::SeatStatus;
use crate::command::{Command, Effect, Idempotency, PaymentNews, StaffRefund, Step, ToRefund};
use crate::id::BookingId;
use crate::prices::PriceTable;
use crate::refusal::Refusal;
use crate::store::{Done, StoreError};
use crate::testkit::hall::{self, euros};
use crate::testkit::world::{Failure, World, booking_of, code, ensure, race, race_ok, same};
use crate::time::Span;

pub(super) const CHECKS: &[Check] = &[
    Check::new("tickets_go_back_one_by_one", one_by_one),
    Check::new("tickets_that_do_not_go_back", refused),
    Check::new("refund_tiers_around_each_boundary", tiers),
    Check::new("case_36_the_last_cents_go_back", case_36),
    Check::new("case_37_shares_add_up_in_any_order", case_37),
    Check::new("case_41_a_disputed_payment", case_41),
    Check::new("disputes_never_go_back", dispute_ranks),
    Check::new("dispute_of_a_payment_not_known_yet_is_asked_about", dispute_first),
    Check::new("a_disputed_page_is_watched_for_a_second_payment", disputed_page),
    Check::new("case_43_void_before_the_money_moves", case_43),
    Check::race("case_35_a_twin_gets_the_same_refund", case_35),
    Check::race("case_39_two_part_refunds_at_once", case_39),
    Check::race("one_ticket_given_back_at_once", one_ticket_at_once),
    Check::race("cancel_refund_and_payment_at_once", three_at_once),
    Check::race("case_11_tidying_against_paying", case_11),
];

fn note() -> StaffNote {
    StaffNote { reason: "the sound failed".into(), by: "k1".into() }
}

fn refund_step(booking: BookingId, what: ToRefund) -> Command {
    Command::Refund(StaffRefund { booking, what, note: note() })
}

fn by_ticket(no: u16) -> ToRefund {
    ToRefund::Tickets { numbers: vec![no], keep_fees: false }
}

fn cancel(w: &World<'_>, booking: BookingId, tickets: &[u16]) -> Result<Done, StoreError> {
    w.run(Command::Cancel { booking, tickets: Some(tickets.to_vec()), reason: None })
}

fn sold(w: &World<'_>, labels: &[&str]) -> Result<Booking, StoreError> {
    let booking = w.hold(1, labels)?.id;
    w.pay(booking)?;
    w.booking(booking)
}

fn back(booking: &Booking) -> i64 {
    booking.refunds.iter().map(|r| r.amount.minor()).sum()
}

pub(super) fn clean(w: &World<'_>) -> Result<(), Failure> {
    let report = pollster::block_on(audit(&*w.store))?;
    let broken: Vec<_> = report.checks.into_iter().flat_map(|check| check.broken).collect();
    same("what the audit finds broken", broken, Vec::new())
}

fn one_by_one(w: World<'_>) -> Result<(), Failure> {
    let id = sold(&w, &["A1", "A2", "A3"])?.id;
    let first = cancel(&w, id, &[2])?;
    let booking = booking_of(first.clone())?;
    same("its status", booking.status, BookingStatus::Confirmed)?;
    same("tickets that let in", booking.live_tickets().map(|t| t.id.no).collect::<Vec<_>>(), vec![1, 3])?;
    same("A2", w.status(1, "A2")?, SeatStatus::Available)?;
    same("A1", w.status(1, "A1")?, SeatStatus::Booked)?;
    same("back and kept", (back(&booking), booking.cancellations[0].kept.minor()), (1_250, 120))?;
    same("a repeat", cancel(&w, id, &[2, 2])?.outcome.effect, first.outcome.effect)?;
    w.hold(1, &["A2"])?;
    let rest = w.cancel(id)?;
    same("the rest", rest.cancellations[1].tickets.clone(), vec![1, 3])?;
    same("its status", rest.status, BookingStatus::Cancelled)?;
    same("all that went back", back(&rest), 3_750)?;
    same("the first again", cancel(&w, id, &[2])?.outcome.effect, Effect::Cancelled { cancellation: 0 })?;
    same("the rest again", cancel(&w, id, &[3, 1])?.outcome.effect, Effect::Cancelled { cancellation: 1 })?;
    same("the whole again", w.cancel(id)?, rest)?;
    same("another set", code(&cancel(&w, id, &[1, 2])), "not-cancellable")?;
    clean(&w)
}

fn refused(w: World<'_>) -> Result<(), Failure> {
    let pending = w.hold(1, &["C1"])?.id;
    same("a ticket of a hold", code(&cancel(&w, pending, &[1])), "not-found")?;
    same("a refund of a hold", code(&w.run(refund_step(pending, by_ticket(1)))), "not-cancellable")?;
    let amount = ToRefund::Amount(euros(100));
    same("money back of a hold", code(&w.run(refund_step(pending, amount))), "not-cancellable")?;
    let id = sold(&w, &["A1", "A2"])?.id;
    same("no such ticket", code(&cancel(&w, id, &[3])), "not-found")?;
    for cents in [0, -1] {
        let amount = ToRefund::Amount(euros(cents));
        same("nothing, or less", code(&w.run(refund_step(id, amount))), "invalid-request")?;
    }
    w.run(refund_step(id, ToRefund::Tickets { numbers: vec![1], keep_fees: true }))?;
    let booking = w.booking(id)?;
    same("the face alone", (back(&booking), booking.cancellations[0].kept.minor()), (1_250, 120))?;
    same("why it is void", booking.tickets[0].void_reason, Some(VoidReason::Refunded))?;
    same("that ticket again", code(&w.run(refund_step(id, by_ticket(1)))), "already-refunded")?;
    same("by the buyer", code(&cancel(&w, id, &[1, 2])), "not-cancellable")?;
    w.clock.set(hall::starts_at(1));
    same("once it has started", code(&cancel(&w, id, &[2])), "not-cancellable")?;
    w.run(refund_step(id, by_ticket(2)))?;
    same("by staff even then", w.booking(id)?.status, BookingStatus::Cancelled)?;
    clean(&w)
}

/// Each boundary of the policy at -1 s, at the instant and at +1 s; the money of one of three tickets.
fn tiers(w: World<'_>) -> Result<(), Failure> {
    const DAY: i64 = 24 * 60 * 60;
    const TWO_HOURS: i64 = 2 * 60 * 60;
    let table = [
        (-DAY - 1, Ok(1_250)),
        (-DAY, Ok(1_250)),
        (-DAY + 1, Ok(625)),
        (-TWO_HOURS - 1, Ok(625)),
        (-TWO_HOURS, Ok(625)),
        (-TWO_HOURS + 1, Ok(0)),
        (-1, Ok(0)),
        (0, Err("not-cancellable")),
        (1, Err("not-cancellable")),
    ];
    let columns: Vec<[String; 3]> = (1..=9).map(|n| ["A", "B", "C"].map(|row| format!("{row}{n}"))).collect();
    let paid = columns.iter().map(|labels| sold(&w, &labels.each_ref().map(String::as_str)).map(|b| b.id));
    let paid = paid.collect::<Result<Vec<_>, _>>()?;
    for ((s, expected), id) in table.into_iter().zip(paid) {
        w.clock.set(hall::starts_at(1) + Span::from_secs(s));
        let answer = cancel(&w, id, &[2]);
        let said = match &answer {
            Ok(done) => Ok(done.outcome.cancellation().map_or(-1, |c| c.amount.minor())),
            Err(_) => Err(code(&answer)),
        };
        same(&format!("{s} s from the start"), said, expected)?;
    }
    clean(&w)
}

fn remaining(result: Result<Done, StoreError>) -> Option<i64> {
    match result {
        Err(StoreError::Refused(Refusal::AlreadyRefunded { remaining })) => Some(remaining.minor()),
        Ok(_) | Err(_) => None,
    }
}

fn case_36(w: World<'_>) -> Result<(), Failure> {
    let mut lists = hall::import(0).price_lists;
    lists[0].prices = PriceTable::of_standard([("Standard".to_owned(), euros(2_479))]);
    w.import(crate::catalogue::Import { price_lists: lists, ..crate::catalogue::Import::default() })?;
    let id = sold(&w, &["A1"])?.id;
    let give = |cents| w.run(refund_step(id, ToRefund::Amount(euros(cents))));
    same("what was paid", w.booking(id)?.price.total, euros(2_599))?;
    give(2_500)?;
    same("a cent more than is left", remaining(give(100)), Some(99))?;
    give(99)?;
    same("a cent more", remaining(give(1)), Some(0))?;
    same("all of it went back", back(&w.booking(id)?), 2_599)?;
    same("and the ticket stays", w.booking(id)?.tickets[0].status, TicketStatus::Valid)?;
    clean(&w)
}

/// Three tickets of shares that no division makes equal, given back in each of the six orders; before
/// it some of it as goodwill.
fn case_37(w: World<'_>) -> Result<(), Failure> {
    const ORDERS: [[u16; 3]; 6] = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]];
    for (order, column) in ORDERS.iter().zip(1..) {
        let labels = ["A", "B", "C"].map(|row| format!("{row}{column}"));
        let id = sold(&w, &labels.each_ref().map(String::as_str))?.id;
        w.run(refund_step(id, ToRefund::Amount(euros(1_000))))?;
        let shares: Vec<i64> = w.booking(id)?.refunds[0].shares.iter().map(|s| s.amount.minor()).collect();
        same("shares of 10.00", shares, vec![334, 333, 333])?;
        for no in order {
            w.run(refund_step(id, by_ticket(*no)))?;
        }
        let booking = w.booking(id)?;
        same("what went back", back(&booking), 4_110)?;
        same("its status", booking.status, BookingStatus::Cancelled)?;
        same("what is kept", booking.cancellations.iter().map(|c| c.kept.minor()).sum::<i64>(), 0)?;
    }
    clean(&w)
}

fn news(w: &World<'_>, booking: &Booking, status: DisputeStatus) -> Result<(), Failure> {
    let attempt = &booking.attempts[0];
    w.news(attempt, &format!("pay-{}", attempt.id), PaymentNews::Dispute(status))?;
    Ok(())
}

fn case_41(w: World<'_>) -> Result<(), Failure> {
    let won = sold(&w, &["A1", "A2"])?;
    let lost = sold(&w, &["B1", "B2"])?;
    w.run(refund_step(lost.id, ToRefund::Amount(euros(200))))?;
    w.clock.set(hall::starts_at(1) - Span::from_mins(120));
    for booking in [&won, &lost] {
        news(&w, booking, DisputeStatus::Open)?;
        same("a refund", code(&w.run(refund_step(booking.id, by_ticket(1)))), "payment-disputed")?;
        same("a cancellation", code(&cancel(&w, booking.id, &[1])), "payment-disputed")?;
        let kept = w.booking(booking.id)?;
        same("its tickets", kept.live_tickets().count(), 2)?;
        same("what may be sent meanwhile", kept.refunds.iter().filter(|r| !kept.is_held_back(r)).count(), 0)?;
    }
    same("A1", w.status(1, "A1")?, SeatStatus::Booked)?;
    news(&w, &won, DisputeStatus::Won)?;
    same("a refund once it is won", code(&w.run(refund_step(won.id, by_ticket(1)))), "ok")?;
    for _ in 0..2 {
        news(&w, &lost, DisputeStatus::Lost)?;
        let gone = w.booking(lost.id)?;
        same("what the bank took", gone.attempts[0].lost(), Some(euros(2_540)))?;
        same("why it is void", gone.tickets[0].void_reason, Some(VoidReason::DisputeLost))?;
        same("its status", gone.status, BookingStatus::Cancelled)?;
    }
    same("B1", w.status(1, "B1")?, SeatStatus::Available)?;
    same("a refund of it", code(&w.run(refund_step(lost.id, by_ticket(1)))), "payment-disputed")?;
    same("a cancellation of it", code(&w.cancel(lost.id)), "not-cancellable")?;
    clean(&w)
}

/// Whatever order the news of a dispute comes in, the highest of open, won, lost stands.
fn dispute_ranks(w: World<'_>) -> Result<(), Failure> {
    use DisputeStatus::{Lost, Open, Won};
    let orders = [
        [Open, Won, Lost],
        [Open, Lost, Won],
        [Won, Open, Lost],
        [Won, Lost, Open],
        [Lost, Open, Won],
        [Lost, Won, Open],
    ];
    for (order, column) in orders.iter().zip(1..) {
        let booking = sold(&w, &[&format!("A{column}")])?;
        for status in order {
            news(&w, &booking, *status)?;
            clean(&w)?;
        }
        let dispute = w.booking(booking.id)?.attempts[0].dispute.map(|d| d.status);
        same(&format!("after {order:?}"), dispute, Some(Lost))?;
    }
    let booking = sold(&w, &["B1"])?;
    for status in [Won, Open, Won] {
        news(&w, &booking, status)?;
    }
    same("after won, open, won", w.booking(booking.id)?.attempts[0].dispute.map(|d| d.status), Some(Won))?;
    same("a refund then", code(&w.run(refund_step(booking.id, by_ticket(1)))), "ok")
}

/// Money that is taken twice on a page is found, however the dispute about the first of it ends.
fn disputed_page(w: World<'_>) -> Result<(), Failure> {
    for (n, status) in (1..).zip([DisputeStatus::Open, DisputeStatus::Won, DisputeStatus::Lost]) {
        let booking = w.hold(n, &["A1"])?;
        w.pay(booking.id)?;
        let paid = w.booking(booking.id)?;
        news(&w, &paid, status)?;
        let attempt = w.booking(booking.id)?.attempts[0].clone();
        same(&format!("the next look, {status:?}"), attempt.ask_at, paid.attempts[0].ask_at)?;
        w.clock.set(attempt.checkout_ends_at + Span::from_mins(25 * 60));
        w.news(&attempt, "none", PaymentNews::Ended)?;
        let after = w.booking(booking.id)?.attempts[0].ask_at;
        same(&format!("a day later it is watched, {status:?}"), after.is_some(), status != DisputeStatus::Lost)?;
    }
    Ok(())
}

fn dispute_first(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?;
    let attempt = w.start(booking.id)?;
    w.news(&attempt, "p1", PaymentNews::Dispute(DisputeStatus::Open))?;
    let booking = w.booking(booking.id)?;
    same("the mark", booking.attempts[0].dispute, None)?;
    same("when it is asked about", booking.attempts[0].ask_at, Some(w.now()))
}

fn case_43(w: World<'_>) -> Result<(), Failure> {
    let id = sold(&w, &["A1", "A2"])?.id;
    let done = w.run(refund_step(id, by_ticket(1)))?;
    let booking = booking_of(done)?;
    same("the ticket", booking.tickets[0].status, TicketStatus::Void)?;
    same("why", booking.tickets[0].void_reason, Some(VoidReason::Refunded))?;
    same("the money", booking.refunds[0].tries, 0)?;
    same("why it goes back", booking.refunds[0].reason, RefundReason::Staff)?;
    same("whose words", booking.refunds[0].by_staff.clone(), Some(note()))
}

fn case_35(w: World<'_>) -> Result<(), Failure> {
    for (seat, n) in ["A1", "A2", "A3", "A4"].into_iter().zip(0_u8..) {
        let id = sold(&w, &[seat])?.id;
        let key =
            Idempotency { scope: "staff:k1".into(), key: format!("refund-{n}"), fingerprint: [n; 32], keep: true };
        let step = || Step { command: refund_step(id, by_ticket(1)), idempotency: Some(key.clone()), by: None };
        let twins = race_ok(2, |_| w.step(step()))?;
        same("the twins' answers", &twins[0].outcome, &twins[1].outcome)?;
        same("repeats among them", twins.iter().filter(|done| done.replayed).count(), 1)?;
        same("refunds", w.booking(id)?.refunds.len(), 1)?;
        same("what goes back", back(&w.booking(id)?), 1_370)?;
        w.clock.advance(Span::from_mins(1));
        same("without the key", code(&w.run(refund_step(id, by_ticket(1)))), "already-refunded")?;
    }
    Ok(())
}

/// Of two part refunds of 20.00 on 27.40 one is accepted.
fn case_39(w: World<'_>) -> Result<(), Failure> {
    let mut paid = Vec::new();
    for column in 1..=12 {
        paid.push(sold(&w, &[&format!("A{column}"), &format!("B{column}")])?.id);
    }
    let rounds = race(2, paid.len(), |round, _| code(&w.run(refund_step(paid[round], ToRefund::Amount(euros(2_000))))));
    for (mut codes, id) in rounds.into_iter().zip(paid) {
        codes.sort_unstable();
        same("the two answers", codes, vec!["already-refunded", "ok"])?;
        same("what goes back", back(&w.booking(id)?), 2_000)?;
    }
    clean(&w)
}

/// Staff and buyer give the same ticket back, each by several roads.
fn one_ticket_at_once(w: World<'_>) -> Result<(), Failure> {
    let mut paid = Vec::new();
    for column in 1..=12 {
        paid.push(sold(&w, &[&format!("A{column}"), &format!("B{column}")])?.id);
    }
    let answers = race(4, paid.len(), |round, thread| match thread % 2 {
        0 => cancel(&w, paid[round], &[1]),
        _ => w.run(refund_step(paid[round], by_ticket(1))),
    });
    for (answers, id) in answers.into_iter().zip(paid) {
        let booking = w.booking(id)?;
        for done in answers.iter().flatten() {
            same("what each accepted one was told", done.outcome.cancellation(), booking.cancellations.first())?;
        }
        same("refunds", booking.refunds.len(), 1)?;
        same("live tickets", booking.live_tickets().count(), 1)?;
    }
    clean(&w)
}

/// A second payment, a refund of a ticket and the buyer's cancellation of the whole.
fn three_at_once(w: World<'_>) -> Result<(), Failure> {
    let mut paid = Vec::new();
    for column in 1..=12 {
        paid.push(sold(&w, &[&format!("A{column}"), &format!("B{column}")])?);
    }
    race(3, paid.len(), |round, thread| {
        let booking = &paid[round];
        match thread {
            0 => w.cancel(booking.id).is_ok(),
            1 => w.run(refund_step(booking.id, by_ticket(1))).is_ok(),
            _ => w.capture(&booking.attempts[0], "another").is_ok(),
        }
    });
    for booking in paid {
        let booking = w.booking(booking.id)?;
        let by_ticket: i64 = booking.refunds.iter().flat_map(|r| &r.shares).map(|s| s.amount.minor()).sum();
        ensure(by_ticket <= 2_740, "more went back for the tickets than they cost")?;
        same("the second payment's money", back(&booking) - by_ticket, 2_740)?;
    }
    clean(&w)
}

/// At the deadline either the payment comes first (sold) or the tidying (expired, and the money back).
fn case_11(w: World<'_>) -> Result<(), Failure> {
    let kept = sold(&w, &["C1", "C2"])?.id;
    let mut attempts = Vec::new();
    for column in 1..=12 {
        attempts.push(w.start(w.hold(2, &[&format!("A{column}"), &format!("B{column}")])?.id)?);
    }
    w.change_show(2, |show| show.late_payment = crate::show::LatePayment::Refund)?;
    w.clock.set(w.booking(attempts[0].id.booking)?.expires_at);
    race(2, attempts.len(), |round, thread| match thread {
        0 => w.run(Command::Expire { booking: attempts[round].id.booking }).is_ok(),
        _ => w.capture(&attempts[round], "p").is_ok(),
    });
    for attempt in &attempts {
        let booking = w.booking(attempt.id.booking)?;
        let live = booking.live_tickets().count();
        same("tickets or refund", (live > 0) != (back(&booking) == 2_740), true)?;
    }
    for at in [601, 900, 24 * 60 * 60] {
        w.at(Span::from_secs(at));
        w.run(Command::Expire { booking: kept })?;
        same("a sold seat", w.status(1, "C1")?, SeatStatus::Booked)?;
        same("its booking", w.booking(kept)?.status, BookingStatus::Confirmed)?;
    }
    clean(&w)
}
