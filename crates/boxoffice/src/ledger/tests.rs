//! What bookings mean for the accounts, act by act, to the cent.

use super::{Account, Balances, balances, posting};
use crate::booking::{
    Booking, Cancellation, Dispute, DisputeStatus, Refund, RefundReason, RefundStatus, SeatFee, TaxPart, TicketShare,
    TicketStatus, VoidReason,
};
use crate::id::{CatalogueId, PartId};
use crate::money::Percent;
use crate::testkit::hall::euros;
use crate::testkit::{Memory, World};

/// Two seats of 13.70, each with 0.82 and 0.19 of tax in face and fee, paid.
fn paid() -> Booking {
    let w = World::open(&Memory).expect("a world");
    let held = w.hold(1, &["A1", "A2"]).expect("a hold");
    w.pay(held.id).expect("a payment");
    let mut booking = w.booking(held.id).expect("the booking");
    for seat in &mut booking.seats {
        let id = CatalogueId::new("fee").expect("an id");
        let tax = TaxPart { percent: Percent::from(19), amount: euros(19) };
        seat.tax = Some(TaxPart { percent: Percent::from(7), amount: euros(82) });
        seat.fees = vec![SeatFee { id, amount: euros(120), refundable: false, tax }];
    }
    booking
}

fn refund(booking: &mut Booking, amounts: &[(u16, i64)]) -> u16 {
    let no = u16::try_from(booking.refunds.len()).expect("few") + 1;
    booking.refunds.push(Refund {
        id: PartId { booking: booking.id, no },
        attempt: booking.paid_by.expect("it was paid"),
        amount: euros(amounts.iter().map(|(_, cents)| cents).sum()),
        reason: RefundReason::Cancelled,
        status: RefundStatus::Requested,
        provider_refund_id: None,
        requested_at: booking.created_at,
        tries: 0,
        next_try_at: None,
        shares: amounts.iter().map(|(ticket, cents)| TicketShare { ticket: *ticket, amount: euros(*cents) }).collect(),
        by_staff: None,
        moved_to: None,
        dispute_told: None,
    });
    no
}

/// Gives these tickets back: what of each goes back in cents, and what is kept of all.
fn give_back(booking: &mut Booking, amounts: &[(u16, i64)], kept: i64) {
    let back: i64 = amounts.iter().map(|(_, cents)| cents).sum();
    let refund = (back > 0).then(|| refund(booking, amounts));
    let tickets: Vec<u16> = amounts.iter().map(|(ticket, _)| *ticket).collect();
    void(booking, &tickets, VoidReason::Cancelled);
    let at = booking.created_at;
    booking.cancellations.push(Cancellation {
        at,
        reason: None,
        amount: euros(back),
        kept: euros(kept),
        refund,
        tickets,
        exchanged_for: None,
    });
}

fn void(booking: &mut Booking, tickets: &[u16], reason: VoidReason) {
    for ticket in booking.tickets.iter_mut().filter(|t| tickets.contains(&t.id.no)) {
        ticket.status = TicketStatus::Void;
        ticket.void_reason = Some(reason);
    }
}

#[track_caller]
fn check(booking: &Booking, expected: &[(&str, i64)]) {
    let found = balances(booking).expect("sums that fit");
    let found: Vec<(String, i64)> = found.iter().map(|(account, m)| (account.to_string(), m.minor())).collect();
    let expected: Vec<(String, i64)> = expected.iter().map(|(a, m)| ((*a).to_owned(), *m)).collect();
    assert_eq!(found, expected);
    assert_eq!(found.iter().map(|(_, m)| m).sum::<i64>(), 0);
}

const SOLD: [(&str, i64); 5] =
    [("gateway:sandbox", 2_740), ("tickets", -2_336), ("fees", -202), ("tax:7", -164), ("tax:19", -38)];

#[test]
fn a_sale_is_tickets_fees_and_tax() {
    check(&paid(), &SOLD);
}

#[test]
fn a_hold_means_nothing_and_posts_nothing() {
    let w = World::open(&Memory).expect("a world");
    let held = w.hold(1, &["A1"]).expect("a hold");
    assert_eq!(balances(&held).expect("sums"), Balances::default());
    assert_eq!(posting(None, &held, 1, held.created_at).expect("sums"), []);
}

#[test]
fn a_refund_is_owed_until_it_is_made() {
    let mut booking = paid();
    give_back(&mut booking, &[(1, 1_250)], 120);
    let half = [
        ("gateway:sandbox", 2_740),
        ("refunds_payable", -1_250),
        ("tickets", -1_168),
        ("fees", -202),
        ("tax:7", -82),
        ("tax:19", -38),
    ];
    for status in [RefundStatus::Requested, RefundStatus::Unknown, RefundStatus::Failed] {
        booking.refunds[0].status = status;
        check(&booking, &half);
    }
    booking.refunds[0].status = RefundStatus::Succeeded;
    check(&booking, &[("gateway:sandbox", 1_490), half[2], half[3], half[4], half[5]]);
}

#[test]
fn what_is_kept_is_the_fee_with_its_tax_and_then_a_charge() {
    let mut booking = paid();
    give_back(&mut booking, &[(1, 625), (2, 625)], 1_490);
    let owed = [("gateway:sandbox", 2_740), ("refunds_payable", -1_250), ("fees", -202)];
    check(&booking, &[owed[0], owed[1], owed[2], ("tax:19", -38), ("cancellation_charges", -1_250)]);
}

#[test]
fn a_cancellation_of_an_earlier_version_is_shared_by_what_tickets_cost() {
    let mut booking = paid();
    give_back(&mut booking, &[(1, 625), (2, 625)], 1_490);
    booking.refunds[0].shares.clear();
    booking.cancellations[0].tickets.clear();
    let owed = [("gateway:sandbox", 2_740), ("refunds_payable", -1_250), ("fees", -202)];
    check(&booking, &[owed[0], owed[1], owed[2], ("tax:19", -38), ("cancellation_charges", -1_250)]);
    for seat in &mut booking.seats {
        seat.fees.clear();
        seat.tax = None;
    }
    check(&booking, &[owed[0], owed[1], ("cancellation_charges", -1_490)]);
}

#[test]
fn goodwill_stands_against_tickets_that_stand() {
    let mut booking = paid();
    refund(&mut booking, &[(1, 150), (2, 150)]);
    let goodwill = [SOLD[0], ("refunds_payable", -300), SOLD[1], SOLD[2], SOLD[3], SOLD[4], ("goodwill", 300)];
    check(&booking, &goodwill);
    // Of 12.20 that were left of it, 5.00 go back.
    give_back(&mut booking, &[(1, 500)], 720);
    check(
        &booking,
        &[
            SOLD[0],
            ("refunds_payable", -800),
            ("tickets", -1_168),
            ("fees", -202),
            ("tax:7", -82),
            ("tax:19", -38),
            ("cancellation_charges", -600),
            ("goodwill", 150),
        ],
    );
}

#[test]
fn a_lost_dispute_is_a_loss_against_what_was_sold() {
    let mut booking = paid();
    give_back(&mut booking, &[(1, 1_250)], 120);
    booking.refunds[0].status = RefundStatus::Succeeded;
    booking.attempts[0].dispute = Some(Dispute { status: DisputeStatus::Open, lost: None });
    let before = balances(&booking).expect("sums");
    booking.attempts[0].dispute = Some(Dispute { status: DisputeStatus::Lost, lost: Some(euros(1_490)) });
    void(&mut booking, &[2], VoidReason::DisputeLost);
    let sold = [("tickets", -1_168), ("fees", -202), ("tax:7", -82), ("tax:19", -38)];
    check(&booking, &[sold[0], sold[1], sold[2], sold[3], ("disputes_lost", 1_490)]);
    assert_eq!(before.iter().count(), 5, "an open dispute moves nothing");
}

#[test]
fn money_of_another_currency_is_owed_in_it() {
    let mut booking = paid();
    let mut second = booking.attempts[0].clone();
    second.id.no = 2;
    let dollars = crate::money::Money::from_minor(900, "USD".parse().expect("a currency"));
    second.captured = Some(dollars);
    booking.attempts.push(second);
    let no = refund(&mut booking, &[]);
    let refund = booking.refunds.iter_mut().find(|r| r.id.no == no).expect("it is there");
    (refund.attempt, refund.amount) = (2, dollars);
    let sums = balances(&booking).expect("sums");
    assert_eq!(sums.off_by().expect("sums"), []);
    assert!(sums.iter().any(|(account, m)| *account == Account::RefundsPayable && m.minor() == -900));
}

#[test]
fn a_posting_is_the_difference_that_a_step_made() {
    let sold = paid();
    let mut cancelled = sold.clone();
    give_back(&mut cancelled, &[(1, 1_250), (2, 1_250)], 240);
    let lines = posting(Some(&sold), &cancelled, 9, sold.created_at).expect("sums");
    let found: Vec<(String, i64)> = lines.iter().map(|l| (l.account.to_string(), l.amount.minor())).collect();
    let expected = [("refunds_payable", -2_500), ("tickets", 2_336), ("tax:7", 164)];
    assert_eq!(found, expected.map(|(account, m)| (account.to_owned(), m)));
    assert!(lines.iter().all(|l| l.seq == 9 && l.booking == sold.id));
    assert_eq!(posting(Some(&sold), &sold, 10, sold.created_at).expect("sums"), []);
}

#[test]
fn accounts_read_as_they_are_written() {
    let tax = Account::Tax("5.5".parse().expect("a percentage"));
    let gateway = Account::Gateway("counter".into());
    let all = [gateway, tax, Account::RefundsPayable, Account::Tickets, Account::Fees, Account::CancellationCharges];
    for account in all.into_iter().chain([Account::Goodwill, Account::DisputesLost]) {
        assert_eq!(account.to_string().parse(), Ok(account));
    }
    for text in ["", "tax", "tax:much", "gateway", "Tickets"] {
        assert!(text.parse::<Account>().is_err(), "{text:?}");
    }
}
