//! Whatever buyers, providers, staff and the clock do in whatever order, the books stay right.

use std::collections::HashMap;

use pollster::block_on;
use proptest::prelude::*;

use crate::admission::{Admit, Door, OfflineShown, RecordScans};
use crate::audit::audit;
use crate::booking::{AttemptStatus, Booking, DisputeStatus, NoticeStatus, StaffNote};
use crate::command::{
    Block, ChangeSeats, Command, NoticeAnswer, NoticeAnswered, OpenCheckout, PaymentNews, PromoChange, RefundAnswer,
    RefundAnswered, Reissue, SeatPick, Seats, Settle, StaffRefund, ToRefund,
};
use crate::gateway::Checkout;
use crate::id::{BookingId, PartId, SeatNo};
use crate::prices::STANDARD;
use crate::show::{RefundChoice, Show};
use crate::store::StoreError;
use crate::testkit::Memory;
use crate::testkit::hall::{self, euros};
use crate::testkit::world::{GATEWAY, World};
use crate::time::Span;

/// What may happen next. Bookings are named by a number that is taken modulo how many there are.
#[derive(Debug, Clone)]
enum Act {
    Wait(Span),
    Hold(Vec<u16>),
    ChangeSeats(usize, Vec<u16>),
    Start(usize),
    OpenCheckout(usize, u16),
    News { booking: usize, attempt: u16, payment: u8, news: PaymentNews },
    Cancel(usize, Option<Vec<u16>>),
    Refund(usize, ToRefund),
    AcceptChanges(usize),
    Move(Span),
    CancelShow(RefundChoice),
    Follow(usize),
    Expire(usize),
    RefundAnswered(usize, u16, RefundAnswer),
    NoticeAnswered(usize, u16, NoticeAnswer),
    ResendNotice(usize, u16),
    Block(Vec<u16>),
    Unblock(Vec<u16>),
    Admit { booking: usize, ticket: u16, serial: u16, nonce: u8 },
    Scan(usize, OfflineShown),
    Reissue(usize, u16),
}

/// Different seats of the first six.
fn some_seats() -> impl Strategy<Value = Vec<u16>> {
    proptest::sample::subsequence((0..6).collect::<Vec<u16>>(), 1..4)
}

fn news() -> impl Strategy<Value = PaymentNews> {
    prop_oneof![
        1 => Just(PaymentNews::Pending),
        1 => Just(PaymentNews::Declined),
        1 => Just(PaymentNews::Ended),
        1 => Just(PaymentNews::Captured(euros(999))),
        1 => dispute().prop_map(PaymentNews::Dispute),
        // Stands for what the attempt asked.
        5 => Just(PaymentNews::Captured(euros(0))),
    ]
}

fn dispute() -> impl Strategy<Value = DisputeStatus> {
    prop_oneof![Just(DisputeStatus::Open), Just(DisputeStatus::Won), Just(DisputeStatus::Lost)]
}

fn some_tickets() -> impl Strategy<Value = Vec<u16>> {
    proptest::sample::subsequence(vec![1, 2, 3], 1..3)
}

fn to_refund() -> impl Strategy<Value = ToRefund> {
    let by_ticket = (some_tickets(), any::<bool>());
    prop_oneof![
        by_ticket.prop_map(|(numbers, keep_fees)| ToRefund::Tickets { numbers, keep_fees }),
        (1..3_000_i64).prop_map(|cents| ToRefund::Amount(euros(cents))),
    ]
}

fn choice() -> impl Strategy<Value = RefundChoice> {
    prop_oneof![Just(RefundChoice::All), Just(RefundChoice::Later), Just(RefundChoice::None)]
}

fn answer() -> impl Strategy<Value = RefundAnswer> {
    prop_oneof![
        Just(RefundAnswer::Unknown),
        Just(RefundAnswer::Failed),
        Just(RefundAnswer::Succeeded { provider_refund_id: "r".into() }),
    ]
}

fn post() -> impl Strategy<Value = NoticeAnswer> {
    let why = || "no".to_owned();
    prop_oneof![
        Just(NoticeAnswer::Sent),
        Just(NoticeAnswer::Refused { why: why() }),
        Just(NoticeAnswer::Later { why: why() }),
        Just(NoticeAnswer::Withheld),
    ]
}

fn act() -> impl Strategy<Value = Act> {
    let booking = 0..5_usize;
    // Up to the deadline and past it, sometimes days.
    let wait = prop_oneof![3 => 0..700_000_i64, 3 => 590_000..610_000_i64, 1 => 0..60 * 60 * 60_000_i64];
    prop_oneof![
        2 => wait.prop_map(|ms| Act::Wait(Span::from_ms(ms))),
        3 => some_seats().prop_map(Act::Hold),
        1 => (booking.clone(), some_seats()).prop_map(|(b, s)| Act::ChangeSeats(b, s)),
        3 => booking.clone().prop_map(Act::Start),
        1 => (booking.clone(), 1..4_u16).prop_map(|(b, a)| Act::OpenCheckout(b, a)),
        6 => (booking.clone(), 1..3_u16, 0..3_u8, news())
            .prop_map(|(booking, attempt, payment, news)| Act::News { booking, attempt, payment, news }),
        1 => booking.clone().prop_map(|b| Act::Cancel(b, None)),
        2 => (booking.clone(), some_tickets()).prop_map(|(b, t)| Act::Cancel(b, Some(t))),
        2 => (booking.clone(), to_refund()).prop_map(|(b, r)| Act::Refund(b, r)),
        1 => booking.clone().prop_map(Act::AcceptChanges),
        1 => (-300..300_i64).prop_map(|mins| Act::Move(Span::from_mins(mins))),
        1 => choice().prop_map(Act::CancelShow),
        3 => booking.clone().prop_map(Act::Follow),
        1 => booking.clone().prop_map(Act::Expire),
        1 => (booking.clone(), 1..4_u16, answer()).prop_map(|(b, r, a)| Act::RefundAnswered(b, r, a)),
        1 => (booking.clone(), 1..3_u16, post()).prop_map(|(b, n, a)| Act::NoticeAnswered(b, n, a)),
        1 => (booking.clone(), 1..3_u16).prop_map(|(b, n)| Act::ResendNotice(b, n)),
        1 => some_seats().prop_map(Act::Block),
        1 => some_seats().prop_map(Act::Unblock),
        1 => (booking.clone(), 1..4_u16, 1..3_u16, 0..3_u8)
            .prop_map(|(booking, ticket, serial, nonce)| Act::Admit { booking, ticket, serial, nonce }),
        1 => (booking.clone(), 1..4_u16, 1..3_u16, 0..3_u8, 0..4_i64).prop_map(|(b, t, s, n, ms)| Act::Scan(b, shown(t, s, n, ms))),
        1 => (booking, 1..4_u16).prop_map(|(b, t)| Act::Reissue(b, t)),
    ]
}

fn shown(ticket: u16, serial: u16, nonce: u8, ms: i64) -> OfflineShown {
    // Every fourth is at the door of another show.
    let door = Door { show: (ms == 3).then(|| hall::show_id(2)), ..Door::default() };
    let at = hall::starts_at(1) + Span::from_ms(ms);
    OfflineShown { ticket, serial, door, at, nonce: format!("offline-{nonce}"), gate: None }
}

fn seats(numbers: &[u16]) -> Vec<SeatNo> {
    numbers.iter().copied().map(SeatNo).collect()
}

fn picks(numbers: &[u16]) -> Seats {
    let pick = |seat| SeatPick { seat, ticket_type: STANDARD.into() };
    Seats::These(seats(numbers).into_iter().map(pick).collect())
}

fn as_asked(w: &World<'_>, booking: BookingId, attempt: u16, news: &PaymentNews) -> PaymentNews {
    let asked = || w.booking(booking).unwrap().attempt(attempt).map_or(euros(1_370), |a| a.amount);
    let any = *news == PaymentNews::Captured(euros(0));
    if any { PaymentNews::Captured(asked()) } else { news.clone() }
}

/// The command of an act, if the booking that it names was made.
fn command(w: &World<'_>, made: &[BookingId], act: &Act) -> Option<Command> {
    let show = w.show(1).unwrap();
    let id = |n: &usize| made.get(n % made.len().max(1)).copied();
    Some(match act {
        Act::Wait(span) => {
            w.clock.advance(*span);
            return None;
        }
        Act::Hold(numbers) => w.hold_of(&show, picks(numbers)),
        Act::ChangeSeats(n, numbers) => Command::ChangeSeats(ChangeSeats {
            booking: id(n)?,
            seats: Some(picks(numbers)),
            layout: show.layout.pin(),
            customer: None,
            promo: PromoChange::Keep,
        }),
        Act::Start(n) => Command::StartPayment { booking: id(n)?, gateway: GATEWAY.into(), return_url: String::new() },
        Act::OpenCheckout(n, attempt) => Command::OpenCheckout(OpenCheckout {
            booking: id(n)?,
            attempt: *attempt,
            page: Some(Checkout { payment_id: format!("{n}-{attempt}"), url: "https://pay.example/".into() }),
        }),
        Act::News { booking, attempt, payment, news } => Command::Settle(Settle {
            booking: id(booking)?,
            gateway: GATEWAY.into(),
            attempt: *attempt,
            payment_id: (*payment > 0).then(|| format!("{booking}-{payment}")),
            news: as_asked(w, id(booking)?, *attempt, news),
        }),
        Act::Cancel(n, tickets) => Command::Cancel { booking: id(n)?, tickets: tickets.clone(), reason: None },
        Act::Refund(n, what) => {
            Command::Refund(StaffRefund { booking: id(n)?, what: what.clone(), note: StaffNote::default() })
        }
        Act::AcceptChanges(n) => Command::AcceptChanges { booking: id(n)?, customer: None },
        Act::Move(by) => {
            w.change_show(1, |show| show.starts_at = show.starts_at + *by).unwrap();
            return None;
        }
        Act::CancelShow(refunds) => {
            Command::CancelShow { show: show.no, refunds: *refunds, note: StaffNote::default() }
        }
        Act::Follow(n) => Command::Follow { booking: id(n)? },
        Act::Expire(n) => Command::Expire { booking: id(n)? },
        Act::RefundAnswered(n, refund, answer) => {
            Command::RefundAnswered(RefundAnswered { booking: id(n)?, refund: *refund, answer: answer.clone() })
        }
        Act::NoticeAnswered(n, no, answer) => {
            let notice = PartId { booking: id(n)?, no: *no };
            Command::NoticeAnswered(NoticeAnswered { notice, answer: answer.clone() })
        }
        Act::ResendNotice(n, no) => Command::ResendNotice { notice: PartId { booking: id(n)?, no: *no } },
        Act::Block(numbers) => Command::Block(block(&show, numbers)),
        Act::Unblock(numbers) => Command::Unblock(block(&show, numbers)),
        Act::Admit { booking, ticket, serial, nonce } => Command::Admit(Box::new(Admit {
            ticket: PartId { booking: id(booking)?, no: *ticket },
            serial: *serial,
            door: Door::default(),
            nonce: (*nonce > 0).then(|| format!("asked-{nonce}")),
            gate: None,
            by: "key".into(),
        })),
        Act::Scan(booking, shown) => Command::RecordScans(RecordScans {
            booking: id(booking)?,
            device: "phone".into(),
            clock_offset: Span::from_ms(0),
            by: "key".into(),
            scans: vec![shown.clone()],
        }),
        Act::Reissue(n, ticket) => Command::Reissue(Reissue { booking: id(n)?, ticket: *ticket, holder: None }),
    })
}

fn block(show: &Show, numbers: &[u16]) -> Block {
    Block { show: show.no, seats: seats(numbers), layout: show.layout.pin(), until: None, note: None }
}

/// Ranks never fall, captured amounts never change, and a notice has a date as long as it is due.
fn progress(booking: &Booking, seen: &mut HashMap<PartId, (u8, Option<i64>)>) -> Result<(), TestCaseError> {
    for attempt in &booking.attempts {
        let captured = attempt.captured.map(|c| c.minor());
        let (rank, amount) = seen.entry(attempt.id).or_insert((0, None));
        prop_assert!(attempt.status.rank() >= *rank, "the rank of {} fell", attempt.id);
        prop_assert!(amount.is_none() || captured == *amount, "the money of {} changed", attempt.id);
        prop_assert_eq!(captured.is_some(), attempt.status == AttemptStatus::Succeeded);
        (*rank, *amount) = (attempt.status.rank(), captured);
    }
    for notice in &booking.notices {
        prop_assert_eq!(notice.next_try_at.is_some(), notice.status == NoticeStatus::Due, "{:?}", notice);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_books_stay_right(acts in proptest::collection::vec(act(), 1..80)) {
        let w = World::open(&Memory).unwrap();
        let mut made: Vec<BookingId> = Vec::new();
        let mut seen = HashMap::new();
        let mut version = 0;
        for act in &acts {
            let Some(command) = command(&w, &made, act) else { continue };
            let makes = matches!(command, Command::Hold(_));
            match w.run(command) {
                Ok(done) => if let Some(booking) = done.outcome.booking {
                    progress(&booking, &mut seen)?;
                    if makes {
                        made.push(booking.id);
                    }
                },
                Err(StoreError::Refused(_)) => {}
                Err(error) => return Err(TestCaseError::fail(format!("{act:?}: {error}"))),
            }
            let report = block_on(audit(&*w.store)).unwrap();
            prop_assert!(report.is_clean(), "after {:?}: {:#?}", act, report);
            let now_at = w.seats(1).unwrap().seats.version;
            prop_assert!(now_at >= version, "the version fell");
            version = now_at;
        }
    }
}
