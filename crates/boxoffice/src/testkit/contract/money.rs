//! Money: one payment once, late money, wrong money, and news that comes in any order.

use pollster::block_on;

use super::Check;
use crate::booking::{AttemptStatus, Booking, BookingStatus, RefundReason, RefundStatus, TicketStatus};
use crate::claim::SeatStatus;
use crate::command::{Block, Command, Effect, OpenCheckout, PaymentNews, RefundAnswer, RefundAnswered, Settled};
use crate::gateway::Checkout;
use crate::show::LatePayment;
use crate::testkit::hall::euros;
use crate::testkit::world::{Failure, World, code, race_ok, same};
use crate::time::Span;

pub(super) const CHECKS: &[Check] = &[
    Check::new("late_money_takes_the_seats_again", late_money_reclaims),
    Check::new("late_money_goes_back_when_another_has_the_seat", late_money_loses),
    Check::new("late_money_goes_back_by_policy", late_money_by_policy),
    Check::new("late_money_goes_back_when_a_seat_is_blocked", late_money_blocked),
    Check::new("money_for_a_cancelled_booking_goes_back", cancelled_then_paid),
    Check::new("second_payment_goes_back", second_payment),
    Check::new("wrong_amount_is_never_a_ticket", wrong_amount),
    Check::new("case_29_late_failure_of_an_earlier_attempt", case_29),
    Check::new("case_30_events_out_of_order", case_30),
    Check::new("failures_and_success_in_any_order", failures_and_success),
    Check::new("cancelling_gives_back_by_policy", cancelling),
    Check::new("refund_answers_are_kept", refund_answers),
    Check::new("refund_given_after_all_is_the_last_word", refund_given_after_all),
    Check::new("payment_is_known_by_the_providers_id", known_payment),
    Check::new("second_payment_on_a_page_is_a_row_only_for_money", second_on_a_page),
    Check::new("cancelling_gives_back_what_paid", cancel_what_paid),
    Check::new("attempts_to_pay_are_bounded", attempts_bounded),
    Check::new("page_that_comes_too_late_is_closed", page_too_late),
    Check::race("one_payment_20_times_at_once", one_payment_20_times),
    Check::race("two_payments_at_once", two_payments_at_once),
    Check::race("cancel_and_payment_at_once", cancel_and_payment),
];

fn refunds(booking: &Booking) -> Vec<(i64, RefundReason)> {
    booking.refunds.iter().map(|r| (r.amount.minor(), r.reason)).collect()
}

fn late_money_reclaims(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1", "A2"])?;
    let attempt = w.start(booking.id)?;
    w.clock.set(booking.expires_at + Span::from_mins(30));
    w.run(Command::Expire { booking: booking.id })?;
    same("settled", w.capture(&attempt, "p1")?, Settled::Reclaimed)?;
    same("A1", w.status(1, "A1")?, SeatStatus::Booked)?;
    let booking = w.booking(booking.id)?;
    same("status", booking.status, BookingStatus::Confirmed)?;
    same("tickets", booking.tickets.len(), 2)
}

fn late_money_loses(w: World<'_>) -> Result<(), Failure> {
    let first = w.hold(1, &["A1", "A2"])?;
    let attempt = w.start(first.id)?;
    w.clock.set(first.expires_at + Span::from_secs(1));
    let second = w.hold(1, &["A2"])?;
    same("the first owner's money", w.capture(&attempt, "p1")?, Settled::Refunded)?;
    same("the first owner's refunds", refunds(&w.booking(first.id)?), vec![(2_740, RefundReason::Late)])?;
    same("A1", w.status(1, "A1")?, SeatStatus::Available)?;
    same("the second owner's money", w.pay(second.id)?, Settled::Confirmed)?;
    same("the first owner's money again", w.capture(&attempt, "p1")?, Settled::Unchanged)?;
    same("refunds after a repeat", w.booking(first.id)?.refunds.len(), 1)
}

fn late_money_by_policy(w: World<'_>) -> Result<(), Failure> {
    w.change_show(1, |show| show.late_payment = LatePayment::Refund)?;
    let booking = w.hold(1, &["A1"])?;
    let attempt = w.start(booking.id)?;
    w.clock.set(booking.expires_at);
    same("settled", w.capture(&attempt, "p1")?, Settled::Refunded)?;
    same("A1", w.status(1, "A1")?, SeatStatus::Available)?;
    same("refunds", refunds(&w.booking(booking.id)?), vec![(1_370, RefundReason::Late)])
}

fn late_money_blocked(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1", "A2"])?;
    let attempt = w.start(booking.id)?;
    w.clock.set(booking.expires_at);
    let show = w.show(1)?;
    let seats = show.layout.by_id("A2").into_iter().collect();
    w.run(Command::Block(Block { show: show.no, seats, layout: show.layout.pin(), until: None, note: None }))?;
    same("settled", w.capture(&attempt, "p1")?, Settled::Refunded)?;
    same("A2", w.status(1, "A2")?, SeatStatus::Blocked)
}

fn cancelled_then_paid(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?;
    let attempt = w.start(booking.id)?;
    w.cancel(booking.id)?;
    same("settled", w.capture(&attempt, "p1")?, Settled::Refunded)?;
    same("refunds", refunds(&w.booking(booking.id)?), vec![(1_370, RefundReason::BookingCancelled)])?;
    same("A1", w.status(1, "A1")?, SeatStatus::Available)
}

fn second_payment(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?;
    let attempt = w.start(booking.id)?;
    same("first", w.capture(&attempt, "p1")?, Settled::Confirmed)?;
    for _ in 0..2 {
        let again = w.capture(&attempt, "p2")?;
        let known = w.booking(booking.id)?;
        same("refunds", refunds(&known), vec![(1_370, RefundReason::AlreadyPaid)])?;
        same("tickets", known.tickets.len(), 1)?;
        same("the second is no confirmation", again == Settled::Confirmed, false)?;
    }
    Ok(())
}

fn wrong_amount(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?;
    let attempt = w.start(booking.id)?;
    for (payment, cents) in [("short", 1_369), ("long", 1_371)] {
        let settled = w.news(&attempt, payment, PaymentNews::Captured(euros(cents)))?;
        same("settled", settled, Settled::Refunded)?;
    }
    let known = w.booking(booking.id)?;
    let mismatch = RefundReason::AmountMismatch;
    same("refunds", refunds(&known), vec![(1_369, mismatch), (1_371, mismatch)])?;
    same("status", known.status_at(w.now()), BookingStatus::PendingPayment)?;
    same("the right amount", w.pay(booking.id)?, Settled::Confirmed)
}

fn case_29(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?;
    let first = w.start(booking.id)?;
    w.news(&first, "p1", PaymentNews::Declined)?;
    let second = w.start(booking.id)?;
    same("the second attempt", w.capture(&second, "p2")?, Settled::Confirmed)?;
    w.clock.advance(Span::from_mins(30));
    w.news(&first, "p1", PaymentNews::Declined)?;
    w.news(&first, "p1", PaymentNews::Ended)?;
    let known = w.booking(booking.id)?;
    same("status", known.status, BookingStatus::Confirmed)?;
    same("ticket", known.tickets[0].status, TicketStatus::Valid)?;
    same("refunds", known.refunds.len(), 0)?;
    same("A1", w.status(1, "A1")?, SeatStatus::Booked)
}

fn case_30(w: World<'_>) -> Result<(), Failure> {
    let captured = PaymentNews::Captured(euros(1_370));
    let news = [PaymentNews::Pending, PaymentNews::Pending, captured];
    in_every_order(&w, &news, |booking, settled| {
        same("confirmations", settled.iter().filter(|s| **s == Settled::Confirmed).count(), 1)?;
        same("status", booking.status, BookingStatus::Confirmed)?;
        same("tickets", booking.tickets.len(), 1)?;
        same("refunds", booking.refunds.len(), 0)
    })
}

fn failures_and_success(w: World<'_>) -> Result<(), Failure> {
    let captured = PaymentNews::Captured(euros(1_370));
    let news = [PaymentNews::Declined, PaymentNews::Ended, captured];
    in_every_order(&w, &news, |booking, _| {
        same("status", booking.status, BookingStatus::Confirmed)?;
        same("attempt", booking.attempts[0].status, AttemptStatus::Succeeded)
    })?;
    let failures = [PaymentNews::Declined, PaymentNews::Ended, PaymentNews::Pending];
    in_every_order(&w, &failures, |booking, settled| {
        same("anything but notes", settled.iter().find(|s| **s != Settled::Noted), None)?;
        same("rank", booking.attempts[0].status.rank(), 1)
    })
}

/// Tells three pieces of news of one payment in each of their six orders, each to a booking of
/// its own, and checks that the attempt's rank never falls.
fn in_every_order(
    w: &World<'_>,
    news: &[PaymentNews; 3],
    check: impl Fn(&Booking, &[Settled]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    for (order, column) in ORDERS.iter().zip(1..) {
        let booking = w.hold(1, &[&format!("A{column}")]).or_else(|_| w.hold(1, &[&format!("B{column}")]))?;
        let attempt = w.start(booking.id)?;
        let mut settled = Vec::new();
        let mut rank = 0;
        for piece in order {
            settled.push(w.news(&attempt, "p1", news[*piece].clone())?);
            let now_at = w.booking(booking.id)?.attempts[0].status.rank();
            same(&format!("order {order:?}: the rank falls"), now_at < rank, false)?;
            rank = now_at;
        }
        check(&w.booking(booking.id)?, &settled).map_err(|f| Failure(format!("order {order:?}: {f}")))?;
    }
    Ok(())
}

fn cancelling(w: World<'_>) -> Result<(), Failure> {
    // A tier counts at its stated instant.
    let cases = [
        (24 * 60 * 60_000, 1_250, 120),
        (24 * 60 * 60_000 - 1, 625, 745),
        (2 * 60 * 60_000, 625, 745),
        (2 * 60 * 60_000 - 1, 0, 1_370),
    ];
    let start = w.show(1)?.spec.starts_at;
    let labels = ["A1", "A2", "A3", "A4"];
    let mut paid = Vec::new();
    for label in labels {
        let booking = w.hold(1, &[label])?;
        w.pay(booking.id)?;
        paid.push(booking.id);
    }
    for ((before_ms, back, kept), (id, label)) in cases.into_iter().zip(paid.into_iter().zip(labels)) {
        w.clock.set(start - Span::from_ms(before_ms));
        let cancelled = w.cancel(id)?;
        let how = cancelled.cancellations.last().map(|c| (c.amount.minor(), c.kept.minor()));
        same(&format!("back and kept {before_ms} ms before"), how, Some((back, kept)))?;
        same("refund rows", cancelled.refunds.len(), usize::from(back > 0))?;
        same("the ticket", cancelled.tickets[0].status, TicketStatus::Void)?;
        same("the seat", w.status(1, label)?, SeatStatus::Available)?;
        same("a repeat", w.cancel(id)?, cancelled)?;
    }
    Ok(())
}

fn refund_given_after_all(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?;
    w.pay(booking.id)?;
    w.cancel(booking.id)?;
    let answer = |answer| w.run(Command::RefundAnswered(RefundAnswered { booking: booking.id, refund: 1, answer }));
    let refund = || w.booking(booking.id).map(|b| b.refunds[0].clone());
    answer(RefundAnswer::NotSent)?;
    same("not sent", (refund()?.status, refund()?.tries), (RefundStatus::Requested, 0))?;
    answer(RefundAnswer::Failed)?;
    answer(RefundAnswer::Unknown)?;
    same("refused for good", (refund()?.status, refund()?.next_try_at), (RefundStatus::Failed, None))?;
    answer(RefundAnswer::Succeeded { provider_refund_id: "r1".into() })?;
    answer(RefundAnswer::Failed)?;
    same("given after all", refund()?.status, RefundStatus::Succeeded)
}

fn known_payment(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?;
    let attempt = w.start(booking.id)?;
    let known = |id: String| block_on(w.store.payment(attempt.gateway.clone(), id));
    let id = format!("p1-{}", booking.id);
    same("before any news", known(id.clone())?, None)?;
    w.capture(&attempt, "p1")?;
    same("after it", known(id.clone())?, Some(attempt.id))?;
    same("at another provider", block_on(w.store.payment("other".into(), id))?, None)
}

fn second_on_a_page(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?;
    let attempt = w.start(booking.id)?;
    w.news(&attempt, "p1", PaymentNews::Pending)?;
    for news in [PaymentNews::Pending, PaymentNews::Declined, PaymentNews::Ended] {
        w.news(&attempt, "p2", news)?;
    }
    same("rows after news without money", w.booking(booking.id)?.attempts.len(), 1)?;
    same("money under another id", w.capture(&attempt, "p2")?, Settled::Confirmed)?;
    let booking = w.booking(booking.id)?;
    same("the page of the money", booking.attempts[1].second_on, Some(1))?;
    same("what paid", booking.paid_by, Some(2))?;
    same("the first payment's money", w.capture(&attempt, "p1")?, Settled::Refunded)
}

fn cancel_what_paid(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?;
    let short = w.start(booking.id)?;
    for nothing in [0, -5, i64::MIN] {
        same("nothing taken", w.news(&short, "p0", PaymentNews::Captured(euros(nothing)))?, Settled::Noted)?;
    }
    same("the attempt", w.booking(booking.id)?.attempts[0].status, AttemptStatus::Started)?;
    same("a cent", w.news(&short, "p0", PaymentNews::Captured(euros(1)))?, Settled::Refunded)?;
    w.pay(booking.id)?;
    let cancelled = w.cancel(booking.id)?;
    same("the payment that goes back", cancelled.refunds.last().map(|r| (r.attempt, r.amount)), Some((2, euros(1_250))))
}

fn attempts_bounded(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?;
    for n in 0..20 {
        let attempt = w.start(booking.id)?;
        w.news(&attempt, &format!("p{n}"), PaymentNews::Declined)?;
    }
    same("one more", code(&w.start(booking.id)), "hold-expired")
}

fn page_too_late(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?;
    let attempt = w.start(booking.id)?;
    w.cancel(booking.id)?;
    w.news(&attempt, "p1", PaymentNews::Ended)?;
    let page = Some(Checkout { payment_id: format!("p1-{}", booking.id), url: "https://pay.example/1".into() });
    let open = OpenCheckout { booking: booking.id, attempt: attempt.id.no, page };
    let done = w.run(Command::OpenCheckout(open))?;
    same("the page", done.outcome.effect, Effect::CheckoutTooLate { attempt: 1 })?;
    let attempt = w.booking(booking.id)?.attempts[0].clone();
    same("to be closed now", (attempt.closed, attempt.ask_at), (false, Some(w.now())))
}

fn refund_answers(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?;
    w.pay(booking.id)?;
    w.cancel(booking.id)?;
    let answer = |answer| w.run(Command::RefundAnswered(RefundAnswered { booking: booking.id, refund: 1, answer }));
    let status = || w.booking(booking.id).map(|b| b.refunds[0].status);
    same("at first", status()?, RefundStatus::Requested)?;
    answer(RefundAnswer::Unknown)?;
    same("after no answer", status()?, RefundStatus::Unknown)?;
    answer(RefundAnswer::Succeeded { provider_refund_id: "r1".into() })?;
    same("after success", status()?, RefundStatus::Succeeded)?;
    answer(RefundAnswer::Failed)?;
    same("after a late failure", status()?, RefundStatus::Succeeded)
}

fn one_payment_20_times(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1", "A2"])?;
    let attempt = w.start(booking.id)?;
    let settled = race_ok(20, |_| w.capture(&attempt, "p1"))?;
    same("confirmations", settled.iter().filter(|s| **s == Settled::Confirmed).count(), 1)?;
    same("unchanged", settled.iter().filter(|s| **s == Settled::Unchanged).count(), 19)?;
    let known = w.booking(booking.id)?;
    same("tickets", known.tickets.len(), 2)?;
    same("attempts", known.attempts.len(), 1)?;
    same("refunds", known.refunds.len(), 0)
}

fn two_payments_at_once(w: World<'_>) -> Result<(), Failure> {
    for label in ["A1", "A2", "A3", "A4", "A5"] {
        let booking = w.hold(1, &[label])?;
        let attempt = w.start(booking.id)?;
        let mut settled = race_ok(2, |thread| w.capture(&attempt, &format!("p{thread}")))?;
        settled.sort_by_key(|s| *s == Settled::Refunded);
        same("settled", settled, vec![Settled::Confirmed, Settled::Refunded])?;
        same("refunds", refunds(&w.booking(booking.id)?), vec![(1_370, RefundReason::AlreadyPaid)])?;
    }
    Ok(())
}

/// Whoever comes first, the buyer ends without the seat and with the money.
fn cancel_and_payment(w: World<'_>) -> Result<(), Failure> {
    w.change_show(1, |show| show.starts_at = show.starts_at + Span::from_mins(60))?;
    for n in 1..=9 {
        let label = format!("A{n}");
        let booking = w.hold(1, &[&label])?;
        let attempt = w.start(booking.id)?;
        race_ok(2, |thread| match thread {
            0 => w.cancel(booking.id).map(|_| ()),
            _ => w.capture(&attempt, "p").map(|_| ()),
        })?;
        let known = w.booking(booking.id)?;
        same("status", known.status, BookingStatus::Cancelled)?;
        same("refund rows", known.refunds.len(), 1)?;
        same("the seat", w.status(1, &label)?, SeatStatus::Available)?;
    }
    Ok(())
}
