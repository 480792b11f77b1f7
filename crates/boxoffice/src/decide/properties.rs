//! Whatever buyers, providers, staff and the clock do in whatever order, the books stay right.

use std::collections::HashMap;

use pollster::block_on;
use proptest::prelude::*;

use crate::audit::audit;
use crate::booking::{AttemptStatus, Booking, NoticeStatus};
use crate::command::{
    Block, ChangeSeats, Command, NoticeAnswer, NoticeAnswered, OpenCheckout, PaymentNews, RefundAnswer, RefundAnswered,
    SeatPick, Seats, Settle,
};
use crate::gateway::Checkout;
use crate::id::{BookingId, PartId, SeatNo};
use crate::prices::STANDARD;
use crate::show::Show;
use crate::store::StoreError;
use crate::testkit::Memory;
use crate::testkit::hall::euros;
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
    Cancel(usize),
    Expire(usize),
    RefundAnswered(usize, u16, RefundAnswer),
    NoticeAnswered(usize, u16, NoticeAnswer),
    ResendNotice(usize, u16),
    Block(Vec<u16>),
    Unblock(Vec<u16>),
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
        // Stands for what the attempt asked.
        5 => Just(PaymentNews::Captured(euros(0))),
    ]
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
        1 => booking.clone().prop_map(Act::Cancel),
        1 => booking.clone().prop_map(Act::Expire),
        1 => (booking.clone(), 1..4_u16, answer()).prop_map(|(b, r, a)| Act::RefundAnswered(b, r, a)),
        1 => (booking.clone(), 1..3_u16, post()).prop_map(|(b, n, a)| Act::NoticeAnswered(b, n, a)),
        1 => (booking, 1..3_u16).prop_map(|(b, n)| Act::ResendNotice(b, n)),
        1 => some_seats().prop_map(Act::Block),
        1 => some_seats().prop_map(Act::Unblock),
    ]
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
            seats: picks(numbers),
            layout: show.layout.pin(),
            customer: None,
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
        Act::Cancel(n) => Command::Cancel { booking: id(n)?, reason: None },
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
