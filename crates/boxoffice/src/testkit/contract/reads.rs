//! What a store answers when it is asked: seats, bookings, work that is due, orphans; and that it
//! is all still there after a restart.

use pollster::block_on;

use super::Check;
use crate::booking::Booking;
use crate::claim::Claim;
use crate::command::{Command, PaymentNews, RefundAnswer, RefundAnswered};
use crate::id::BookingId;
use crate::store::{BookingFilter, ClockChange, Orphan, ShowFilter};
use crate::testkit::hall::{self, euros};
use crate::testkit::world::{Failure, World, same};
use crate::time::Span;

pub(super) const CHECKS: &[Check] = &[
    Check::new("version_rises_with_every_change", version_rises),
    Check::new("a_mark_tells_where_the_seats_stand", marks),
    Check::new("claims_and_bookings_agree", claims_and_bookings_agree),
    Check::new("due_work_comes_longest_due_first", due),
    Check::new("shows_are_found_by_filter", shows),
    Check::new("a_booking_is_found_by_its_reference_whatever_became_of_it", references),
    Check::new("orphans_are_recorded_once", orphans),
    Check::new("all_is_there_after_a_restart", restart),
];

fn references(w: World<'_>) -> Result<(), Failure> {
    let found = |booking: &Booking| {
        let filter = BookingFilter { reference: Some(booking.reference.clone()), ..BookingFilter::default() };
        let ids: Vec<BookingId> = block_on(w.store.bookings(filter))?.iter().map(|booking| booking.id).collect();
        same("who has this reference", ids, vec![booking.id])
    };
    let held = w.hold(1, &["A1"])?;
    let lapsing = w.hold(2, &["A1"])?;
    let sold = w.hold(1, &["A2"])?;
    let gone = w.hold(1, &["A3"])?;
    [&held, &lapsing, &sold, &gone].into_iter().try_for_each(found)?;
    w.pay(sold.id)?;
    w.cancel(gone.id)?;
    w.start(held.id)?;
    [&held, &lapsing, &sold, &gone].into_iter().try_for_each(found)?;
    w.clock.set(lapsing.expires_at);
    [&held, &lapsing, &sold, &gone].into_iter().try_for_each(found)?;
    w.run(Command::Expire { booking: lapsing.id })?;
    w.cancel(sold.id)?;
    [&held, &lapsing, &sold, &gone].into_iter().try_for_each(found)?;
    let none = BookingFilter { reference: Some("NOBODYS00".into()), ..BookingFilter::default() };
    same("a reference that nobody has", block_on(w.store.bookings(none))?.len(), 0)
}

fn version_rises(w: World<'_>) -> Result<(), Failure> {
    let mut last = w.seats(1)?.seats.version;
    let mut rises = |what: &str, by: std::ops::RangeInclusive<u64>| {
        let version = w.seats(1)?.seats.version;
        let risen = version.checked_sub(last).is_some_and(|rise| by.contains(&rise));
        last = version;
        same(&format!("the version after {what} rises by {by:?}"), risen, true)
    };
    let booking = w.hold(1, &["A1"])?;
    rises("a hold", 1..=1)?;
    let attempt = w.start(booking.id)?;
    rises("a payment start", 1..=1)?;
    w.start(booking.id)?;
    rises("a repeated payment start", 0..=0)?;
    w.hold(1, &["A1"]).err();
    rises("a refused hold", 0..=0)?;
    w.hold(2, &["A1"])?;
    rises("a hold on another show", 0..=0)?;
    w.capture(&attempt, "p1")?;
    rises("a payment", 1..=9)?;
    w.capture(&attempt, "p1")?;
    rises("the same payment", 0..=0)?;
    w.cancel(booking.id)?;
    rises("a cancellation", 1..=9)
}

/// After every step the mark is that of the seats, and no other show's step moves it.
fn marks(w: World<'_>) -> Result<(), Failure> {
    let id = hall::show_id(1);
    let mark = || block_on(w.store.seats_mark(&id));
    let mut last = None;
    let mut moves = |what: &str, moved: bool| {
        let seen = mark()?;
        same(&format!("the mark after {what}"), seen, Some(w.seats(1)?.mark()))?;
        let version = seen.map(|mark| mark.version);
        let was = std::mem::replace(&mut last, version);
        same(&format!("the seats stand elsewhere after {what}"), was != version, moved)
    };
    moves("the import", true)?;
    let held = w.hold(1, &["A1"])?;
    moves("a hold", true)?;
    w.hold(2, &["A1"])?;
    w.hold(1, &["A1"]).err();
    moves("a refused hold, and one on another show", false)?;
    w.pay(held.id)?;
    moves("a payment", true)?;
    w.cancel(held.id)?;
    moves("a cancellation", true)?;
    let lapsing = w.hold(1, &["B1"])?;
    moves("another hold", true)?;
    w.clock.set(lapsing.expires_at);
    moves("its deadline", false)?;
    w.run(Command::Expire { booking: lapsing.id })?;
    moves("its end", true)?;
    let mut import = hall::import(0);
    import.layouts = vec![hall::layout(&["A", "B"], 4)];
    w.import(import)?;
    moves("another hall", true)?;
    block_on(w.store.set_clock(ClockChange::Advance { by_ms: 1_000, freeze: false }))?;
    moves("a set clock", false)?;
    same("a show that is not there", block_on(w.store.seats_mark(&hall::show_id(77)))?, None)
}

fn claims_and_bookings_agree(w: World<'_>) -> Result<(), Failure> {
    let held = w.hold(1, &["A1", "A2"])?;
    let sold = w.hold(1, &["B1"])?;
    w.pay(sold.id)?;
    let gone = w.hold(1, &["C1"])?;
    w.cancel(gone.id)?;
    let until = w.booking(held.id)?.expires_at;
    let read = w.seats(1)?;
    let layout = w.show(1)?.layout.clone();
    let claims = ["A1", "A2", "B1", "C1"].map(|l| layout.by_id(l).and_then(|no| read.seats.claim(no).copied()));
    let (held_claim, sold_claim) = (Claim::Held { booking: held.id, until }, Claim::Sold { booking: sold.id });
    same("claims", claims, [Some(held_claim), Some(held_claim), Some(sold_claim), None])?;
    same("now", read.now, w.now())?;
    let books = block_on(w.store.books(None))?.ok_or_else(|| Failure("no books of the first show".into()))?;
    let from_seats = read.seats.claims.iter().flatten().copied().collect::<Vec<_>>();
    same("claims in the books", books.claims.iter().map(|(_, c)| *c).collect(), from_seats)?;
    let mut bookings = vec![w.booking(held.id)?, w.booking(sold.id)?, w.booking(gone.id)?];
    let mut in_books = books.bookings;
    bookings.sort_by_key(|b| b.id);
    in_books.sort_by_key(|b| b.id);
    same("bookings in the books", in_books, bookings)?;
    let mut seen = 0;
    let mut after = None;
    while let Some(books) = block_on(w.store.books(after))? {
        same("the books come by show number", after.is_none_or(|last| books.show > last), true)?;
        after = Some(books.show);
        seen += 1;
    }
    same("books of shows", seen, 9)
}

fn due(w: World<'_>) -> Result<(), Failure> {
    let due = |limit| block_on(w.store.due(limit));
    let first = w.hold(2, &["A1"])?;
    w.clock.advance(Span::from_secs(1));
    let second = w.hold(1, &["A1"])?;
    same("nothing is due yet", due(10)?, Vec::new())?;
    w.clock.set(first.expires_at - Span::from_ms(1));
    same("1 ms before the first deadline", due(10)?, Vec::new())?;
    w.clock.set(first.expires_at);
    same("at the first deadline", due(10)?, vec![first.id])?;
    w.clock.set(second.expires_at);
    same("at the second", due(10)?, vec![first.id, second.id])?;
    same("one at a time", due(1)?, vec![first.id])?;
    for booking in [first.id, second.id] {
        w.run(Command::Expire { booking })?;
    }
    same("after both were tidied", due(10)?, Vec::new())?;
    let paid = w.hold(1, &["A2"])?;
    w.pay(paid.id)?;
    w.cancel(paid.id)?;
    same("a refund is due at once", due(10)?, vec![paid.id])?;
    let answer = |answer| w.run(Command::RefundAnswered(RefundAnswered { booking: paid.id, refund: 1, answer }));
    answer(RefundAnswer::Unknown)?;
    same("an unanswered refund waits", due(10)?, Vec::new())?;
    w.clock.advance(Span::from_mins(1));
    same("and is due again", due(10)?, vec![paid.id])?;
    answer(RefundAnswer::Succeeded { provider_refund_id: "r1".into() })?;
    same("after the refund", due(10)?, Vec::new())?;
    w.clock.set(paid.expires_at);
    same("the page that was paid is looked at again", due(10)?, vec![paid.id])
}

fn shows(w: World<'_>) -> Result<(), Failure> {
    let found = |filter| {
        block_on(w.store.shows(filter)).map(|rows| rows.iter().map(|r| r.show.id().to_string()).collect::<Vec<_>>())
    };
    let named = |numbers: &[u16]| numbers.iter().map(|n| hall::show_id(*n).to_string()).collect::<Vec<_>>();
    let all = ShowFilter::default;
    same("all", found(all())?, named(&[1, 2, 3, 4, 5, 6, 7, 8, 9]))?;
    let from = Some(hall::starts_at(3));
    let to = Some(hall::starts_at(5));
    same("from and to", found(ShowFilter { from, to, ..all() })?, named(&[3, 4]))?;
    let after = Some((hall::starts_at(7), hall::show_id(7)));
    same("after", found(ShowFilter { after, ..all() })?, named(&[8, 9]))?;
    same("limit", found(ShowFilter { limit: 2, ..all() })?, named(&[1, 2]))?;
    let business_day = Some(w.show(4)?.business_day);
    same("business day", found(ShowFilter { business_day, ..all() })?, named(&[4]))?;
    same("no theatre", found(ShowFilter { theatres: Some(Vec::new()), ..all() })?, named(&[]))?;
    same("no movie", found(ShowFilter { movies: Some(Vec::new()), ..all() })?, named(&[]))?;
    same("another screen", found(ShowFilter { screen: Some(hall::show_id(1)), ..all() })?, named(&[]))?;
    let booking = w.hold(1, &["A1", "A2", "A3"])?;
    let left = || block_on(w.store.shows(ShowFilter { limit: 1, ..all() })).map(|rows| rows[0].seats_left);
    same("seats left", left()?, 33)?;
    w.clock.set(booking.expires_at);
    same("seats left once the hold has lapsed", left()?, 36)
}

fn orphans(w: World<'_>) -> Result<(), Failure> {
    let orphan = |gateway: &str, payment: &str| Orphan {
        gateway: gateway.into(),
        payment_id: payment.into(),
        amount: euros(1_370),
        seen_at: w.now(),
    };
    let recorded = [orphan("sandbox", "p1"), orphan("sandbox", "p2"), orphan("other", "p1")];
    for _ in 0..2 {
        for orphan in &recorded {
            block_on(w.store.record_orphan(orphan.clone()))?;
        }
        w.clock.advance(Span::from_secs(1));
    }
    let mut kept = block_on(w.store.orphans())?;
    kept.sort_by(|a, b| (&b.gateway, &a.payment_id).cmp(&(&a.gateway, &b.payment_id)));
    same("orphans", kept, recorded.to_vec())
}

fn restart(w: World<'_>) -> Result<(), Failure> {
    let held = w.hold(1, &["A1"])?.id;
    let sold = w.hold(1, &["A2"])?.id;
    w.pay(sold)?;
    let cancelled = w.hold(2, &["A1"])?.id;
    w.pay(cancelled)?;
    w.cancel(cancelled)?;
    let declined = w.hold(2, &["A2"])?.id;
    let attempt = w.start(declined)?;
    w.news(&attempt, "p9", PaymentNews::Declined)?;
    block_on(w.store.put_document("kind", "key".into(), 0, "body".into()))?;
    let all = |w: &World<'_>| {
        let bookings = [held, sold, cancelled, declined].map(|id| w.booking(id));
        Ok::<_, Failure>((
            bookings.into_iter().collect::<Result<Vec<_>, _>>()?,
            w.seats(1)?.seats,
            w.seats(2)?.seats,
            block_on(w.store.documents("kind"))?,
            block_on(w.store.due(10))?,
        ))
    };
    let before = all(&w)?;
    let Some(again) = w.reopen() else { return Ok(()) };
    same("what is there", all(&again)?, before)?;
    same("a hold over a kept one", again.hold(1, &["A1"]).is_err(), true)?;
    same("a hold on a free seat", again.hold(1, &["A3"]).is_ok(), true)
}
