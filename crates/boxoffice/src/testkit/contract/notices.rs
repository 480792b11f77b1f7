//! What customers are told: a row for each thing, once, and only if there is an address.

use pollster::block_on;

use super::Check;
use crate::booking::{Booking, Customer, NoticeKind, NoticeStatus};
use crate::command::{Command, Settled};
use crate::store::NoticeFilter;
use crate::testkit::world::{Failure, World, race_ok, same};
use crate::time::Span;

pub(super) const CHECKS: &[Check] = &[
    Check::new("each_thing_is_told_once", told_once),
    Check::new("nobody_is_told_without_an_address", no_address),
    Check::new("notices_are_found_by_status", found),
    Check::race("case_125_one_notice_for_each_payment", case_125),
];

fn kinds(booking: &Booking) -> Vec<NoticeKind> {
    booking.notices.iter().map(|notice| notice.kind.clone()).collect()
}

fn told_once(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?;
    same("while it is pending", kinds(&booking), Vec::new())?;
    let attempt = w.start(booking.id)?;
    for payment in ["p1", "p1", "p2", "p2"] {
        w.capture(&attempt, payment)?;
    }
    let told = w.booking(booking.id)?;
    same("of two payments, each twice", kinds(&told), vec![NoticeKind::Tickets, NoticeKind::Refunded { refund: 1 }])?;
    same("when", told.notices[0].next_try_at, Some(w.now()))?;
    let late = w.hold(1, &["A2"])?;
    let attempt = w.start(late.id)?;
    w.clock.set(late.expires_at + Span::from_secs(1));
    w.hold(1, &["A2"])?;
    same("late money", w.capture(&attempt, "p3")?, Settled::Refunded)?;
    same("of late money", kinds(&w.booking(late.id)?), vec![NoticeKind::Refunded { refund: 1 }])
}

fn no_address(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?.id;
    let customer = Customer { phone: Some("+49 30 0".into()), ..Customer::default() };
    w.run(Command::ChangeCustomer { booking, customer })?;
    w.pay(booking)?;
    same("notices", kinds(&w.booking(booking)?), Vec::new())
}

fn found(w: World<'_>) -> Result<(), Failure> {
    let mut made = Vec::new();
    for label in ["A1", "A2", "A3"] {
        let booking = w.hold(1, &[label])?;
        w.pay(booking.id)?;
        made.extend(w.booking(booking.id)?.notices);
    }
    made.sort_by_key(|notice| notice.id);
    let found = |filter| block_on(w.store.notices(filter));
    let due = Some(NoticeStatus::Due);
    same("all", found(NoticeFilter::default())?, made.clone())?;
    same("due", found(NoticeFilter { status: due, ..NoticeFilter::default() })?, made.clone())?;
    same("sent", found(NoticeFilter { status: Some(NoticeStatus::Sent), ..NoticeFilter::default() })?, Vec::new())?;
    let second = NoticeFilter { after: Some(made[0].id), limit: 1, ..NoticeFilter::default() };
    same("one after the first", found(second)?, made[1..2].to_vec())
}

/// Two payments of one booking, each by ten roads at once.
fn case_125(w: World<'_>) -> Result<(), Failure> {
    for label in ["A1", "A2", "A3", "A4", "A5"] {
        let booking = w.hold(1, &[label])?;
        let attempt = w.start(booking.id)?;
        race_ok(20, |thread| w.capture(&attempt, &format!("p{}", thread % 2)))?;
        let told = kinds(&w.booking(booking.id)?);
        same("notices", told, vec![NoticeKind::Tickets, NoticeKind::Refunded { refund: 1 }])?;
    }
    Ok(())
}
