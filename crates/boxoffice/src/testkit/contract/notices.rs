//! What customers are told: a row for each thing, once, and only if there is an address.

use pollster::block_on;

use super::Check;
use crate::booking::{Booking, Customer, Notice, NoticeKind, NoticeStatus};
use crate::command::{Command, NoticeAnswer, NoticeAnswered, Settled};
use crate::id::{NoticeId, PartId};
use crate::store::NoticeFilter;
use crate::testkit::world::{Failure, World, booking_of, code, race_ok, same};
use crate::time::Span;

pub(super) const CHECKS: &[Check] = &[
    Check::new("each_thing_is_told_once", told_once),
    Check::new("nobody_is_told_without_an_address", no_address),
    Check::new("notices_are_found_by_status", found),
    Check::new("notices_are_due_until_they_are_answered", due),
    Check::new("refused_attachments_are_left_out_once", refused),
    Check::new("a_notice_is_tried_for_three_days", tried_for_days),
    Check::new("staff_have_a_notice_sent_again", resent),
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

/// A paid booking of this seat, whose notice of its tickets is due.
fn told(w: &World<'_>, label: &str) -> Result<NoticeId, Failure> {
    let booking = w.hold(1, &[label])?;
    w.pay(booking.id)?;
    Ok(w.booking(booking.id)?.notices[0].id)
}

fn answer(w: &World<'_>, notice: NoticeId, answer: NoticeAnswer) -> Result<Notice, Failure> {
    let answered = NoticeAnswered { notice, answer };
    let booking = booking_of(w.run(Command::NoticeAnswered(answered))?)?;
    booking.notice(notice.no).cloned().ok_or_else(|| Failure("the notice is gone".into()))
}

fn later() -> NoticeAnswer {
    NoticeAnswer::Later { why: "451 later".into() }
}

fn refusal() -> NoticeAnswer {
    NoticeAnswer::Refused { why: "552 no".into() }
}

fn due(w: World<'_>) -> Result<(), Failure> {
    let due = |limit| block_on(w.store.notices_due(limit));
    let first = told(&w, "A1")?;
    w.clock.advance(Span::from_secs(1));
    let second = told(&w, "A2")?;
    same("both", due(10)?, vec![first, second])?;
    same("one at a time", due(1)?, vec![first])?;
    same("jobs have nothing to do", block_on(w.store.due(10))?, Vec::new())?;
    answer(&w, first, later())?;
    same("put off", due(10)?, vec![second])?;
    answer(&w, second, NoticeAnswer::Sent)?;
    w.clock.advance(Span::from_secs(30));
    same("again", due(10)?, vec![first])?;
    let ended = answer(&w, first, NoticeAnswer::Withheld)?;
    same("withheld", (ended.status, ended.next_try_at), (NoticeStatus::Withheld, None))?;
    same("nothing", due(10)?, Vec::new())?;
    let kept = answer(&w, second, refusal())?;
    same("the first answer stands", kept.status, NoticeStatus::Sent)?;
    let Some(again) = w.reopen() else { return Ok(()) };
    same("after a restart", block_on(again.store.notices_due(10))?, Vec::new())
}

fn refused(w: World<'_>) -> Result<(), Failure> {
    let id = told(&w, "A1")?;
    let once = answer(&w, id, refusal())?;
    same("once", (once.status, once.links_only, once.next_try_at), (NoticeStatus::Due, true, Some(w.now())))?;
    let twice = answer(&w, id, refusal())?;
    same("twice", (twice.status, twice.tries, twice.next_try_at), (NoticeStatus::Failed, 2, None))?;
    same("why", twice.last_error.as_deref(), Some("552 no"))
}

fn tried_for_days(w: World<'_>) -> Result<(), Failure> {
    let id = told(&w, "A1")?;
    let made_at = w.now();
    let mut waits = Vec::new();
    let last = loop {
        let notice = answer(&w, id, later())?;
        let Some(at) = notice.next_try_at else { break notice };
        waits.push((at - w.now()).as_ms() / 1000);
        w.clock.set(at);
    };
    same("the waits in seconds", waits[..8].to_vec(), vec![30, 60, 120, 240, 480, 960, 1_800, 1_800])?;
    same("the status at last", last.status, NoticeStatus::Failed)?;
    let hours = (w.now() - made_at).as_ms() / 3_600_000;
    same("after so many hours", hours, 72)
}

fn resent(w: World<'_>) -> Result<(), Failure> {
    let id = told(&w, "A1")?;
    let resend = |id| -> Result<Notice, Failure> {
        let booking = booking_of(w.run(Command::ResendNotice { notice: id })?)?;
        booking.notice(id.no).cloned().ok_or_else(|| Failure("the notice is gone".into()))
    };
    same("one that is due stays the same message", resend(id)?.message(), id.to_string())?;
    answer(&w, id, refusal())?;
    answer(&w, id, refusal())?;
    w.clock.advance(Span::from_mins(5 * 24 * 60));
    let again = resend(id)?;
    same("due", (again.status, again.links_only, again.next_try_at), (NoticeStatus::Due, false, Some(w.now())))?;
    same("a new message", again.message(), format!("{id}.1"))?;
    same("tried for days again", answer(&w, id, later())?.status, NoticeStatus::Due)?;
    let unknown = PartId { no: 9, ..id };
    same("unknown", code(&w.run(Command::ResendNotice { notice: unknown })), "not-found")?;
    let customer = Customer { phone: Some("+49 30 0".into()), ..Customer::default() };
    w.run(Command::ChangeCustomer { booking: id.booking, customer })?;
    same("no address", code(&w.run(Command::ResendNotice { notice: id })), "invalid-request")
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
