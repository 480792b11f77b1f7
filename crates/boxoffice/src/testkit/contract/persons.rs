//! Forgetting who booked while the books stay, and the log of what staff did.

use pollster::block_on;

use super::Check;
use crate::action::{Action, ActionFilter, Deed};
use crate::booking::{Booking, BookingStatus, Customer, DisputeStatus};
use crate::command::{
    Command, Effect, Idempotency, NoticeAnswer, NoticeAnswered, PaymentNews, RefundAnswer, RefundAnswered, Step,
};
use crate::id::{BookingId, PartId};
use crate::testkit::world::{Failure, World, booking_of, ensure, same};
use crate::time::{Span, Timestamp};

pub(super) const CHECKS: &[Check] = &[
    Check::new("a_person_is_forgotten_and_the_books_stay", forgotten),
    Check::new("a_person_who_is_needed_is_forgotten_later", needed),
    Check::new("bookings_of_persons_are_found_by_their_show", found),
    Check::new("what_staff_change_is_logged_with_it", logged),
];

fn erase(w: &World<'_>, booking: BookingId) -> Result<Effect, Failure> {
    Ok(w.run(Command::Erase { booking })?.outcome.effect)
}

fn answered(w: &World<'_>, booking: &Booking) -> Result<(), Failure> {
    for notice in &booking.notices {
        let notice = PartId { booking: booking.id, no: notice.id.no };
        w.run(Command::NoticeAnswered(NoticeAnswered { notice, answer: NoticeAnswer::Sent }))?;
    }
    Ok(())
}

/// Everything but the person, to be compared before and after.
fn books(mut booking: Booking) -> Booking {
    booking.customer = Customer::default();
    booking.metadata.clear();
    booking.tickets.iter_mut().for_each(|ticket| ticket.holder = None);
    booking.cancellations.iter_mut().for_each(|cancellation| cancellation.reason = None);
    booking
}

fn forgotten(w: World<'_>) -> Result<(), Failure> {
    let held = w.hold(1, &["A1", "A2"])?;
    w.pay(held.id)?;
    let reason = Some("Ada is ill".to_owned());
    w.run(Command::Cancel { booking: held.id, tickets: Some(vec![1]), reason })?;
    let answer = RefundAnswer::Succeeded { provider_refund_id: "back".into() };
    w.run(Command::RefundAnswered(RefundAnswered { booking: held.id, refund: 1, answer }))?;
    answered(&w, &w.booking(held.id)?)?;
    w.clock.set(w.show(1)?.ends_at());
    let before = w.booking(held.id)?;
    ensure(before.names_a_person(), "it names a person")?;
    same("the effect", erase(&w, held.id)?, Effect::Erased)?;
    let after = w.booking(held.id)?;
    ensure(!after.names_a_person(), "nobody is named any more")?;
    same("the books", books(after), books(before))?;
    same("again", erase(&w, held.id)?, Effect::Nothing)?;
    let Some(w) = w.reopen() else { return Ok(()) };
    ensure(!w.booking(held.id)?.names_a_person(), "nor after a restart")
}

fn needed(w: World<'_>) -> Result<(), Failure> {
    let lapsed = w.hold(2, &["A1"])?;
    w.clock.set(lapsed.expires_at);
    let booking = booking_of(w.run(Command::Expire { booking: lapsed.id })?)?;
    same("expired", booking.status, BookingStatus::Expired)?;
    same("a hold that lapsed", erase(&w, lapsed.id)?, Effect::Erased)?;

    let held = w.hold(1, &["A1"])?;
    same("a live hold", erase(&w, held.id)?, Effect::EraseLater { at: held.expires_at })?;
    same("and is due then", w.booking(held.id)?.due_at(), Some(held.expires_at))?;
    w.pay(held.id)?;
    answered(&w, &w.booking(held.id)?)?;
    let ends = w.show(1)?.ends_at();
    same("tickets for a show to come", erase(&w, held.id)?, Effect::EraseLater { at: ends })?;
    let paid = w.booking(held.id)?.attempts[0].clone();
    w.news(&paid, &format!("pay-{}", paid.id), PaymentNews::Dispute(DisputeStatus::Open))?;
    w.clock.set(ends);
    let tomorrow = ends + Span::from_mins(24 * 60);
    same("a dispute", erase(&w, held.id)?, Effect::EraseLater { at: tomorrow })?;
    w.news(&paid, &format!("pay-{}", paid.id), PaymentNews::Dispute(DisputeStatus::Won))?;
    answered(&w, &w.booking(held.id)?)?;
    same("it is found", block_on(w.store.due(9))?, Vec::new())?;
    w.clock.set(tomorrow);
    ensure(block_on(w.store.due(9))?.contains(&held.id), "a day later it is due")?;
    same("nothing is open", erase(&w, held.id)?, Effect::Erased)?;
    same("not due any more", w.booking(held.id)?.erase_at, None)
}

fn found(w: World<'_>) -> Result<(), Failure> {
    let mut held = [w.hold(1, &["A1"])?.id, w.hold(1, &["A2"])?.id, w.hold(2, &["A1"])?.id];
    held.sort_unstable();
    let of_persons = |before: Timestamp, after, limit| block_on(w.store.of_persons(before, after, limit));
    let (first, last) = (w.show(1)?.spec.starts_at, w.show(2)?.spec.starts_at);
    let day = Span::from_mins(24 * 60);
    let late = first.max(last) + day;
    same("all", of_persons(late, None, 9)?, held.to_vec())?;
    same("from the second on", of_persons(late, Some(held[0]), 1)?, vec![held[1]])?;
    same("before any show", of_persons(first.min(last), None, 9)?, Vec::new())?;
    w.clock.set(late);
    for booking in held {
        w.run(Command::Expire { booking })?;
        erase(&w, booking)?;
    }
    same("when all are forgotten", of_persons(late, None, 9)?, Vec::new())
}

fn logged(w: World<'_>) -> Result<(), Failure> {
    let actions = |filter| block_on(w.store.actions(filter));
    let key =
        |name: &str| Some(Idempotency { scope: "staff:k1".into(), key: name.into(), fingerprint: [1; 32], keep: true });
    let by = Some("k1".to_owned());
    let held = w.hold(1, &["A1"])?;
    same("a buyer is no staff", actions(ActionFilter::default())?, Vec::new())?;
    let cancel = Command::Cancel { booking: held.id, tickets: None, reason: Some("ill".into()) };
    let step = Step { command: cancel, idempotency: key("one"), by: by.clone() };
    w.step(step.clone())?;
    w.step(step)?;
    let taken = w.hold_command(1, &["A2"])?;
    w.step(Step { command: taken, idempotency: None, by: by.clone() })?;
    let refused = w.hold_command(1, &["A2"])?;
    ensure(w.step(Step { command: refused, idempotency: None, by }).is_err(), "the seat is taken")?;
    let note = Deed { by: "k2".into(), what: "import".into(), booking: None, subject: "catalogue".into() };
    block_on(w.store.note(note.clone()))?;
    let all = actions(ActionFilter::default())?;
    let told: Vec<(&str, &str)> = all.iter().map(|a| (a.deed.by.as_str(), a.deed.what.as_str())).collect();
    same("each once, and no refusal", told, vec![("k1", "cancel"), ("k1", "hold"), ("k2", "import")])?;
    same("of what", all[0].deed.booking, Some(held.id))?;
    same("where", all[0].deed.subject.clone(), w.show(1)?.id().to_string())?;
    same("when", all[0].at, w.now())?;
    let one = |filter: ActionFilter| -> Result<Vec<Action>, Failure> { Ok(actions(filter)?) };
    same("by booking", one(ActionFilter { booking: Some(held.id), ..ActionFilter::default() })?, all[..1].to_vec())?;
    let page = ActionFilter { after: Some(all[0].no), limit: 1, ..ActionFilter::default() };
    same("a page", one(page)?, all[1..2].to_vec())?;
    same("by key", one(ActionFilter { by: Some("k2".into()), ..ActionFilter::default() })?, all[2..].to_vec())?;
    let later = ActionFilter { from: Some(w.now() + Span::from_ms(1)), ..ActionFilter::default() };
    same("later", one(later)?, Vec::new())?;
    let Some(w) = w.reopen() else { return Ok(()) };
    same("after a restart", block_on(w.store.actions(ActionFilter::default()))?, all)
}
