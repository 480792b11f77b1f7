//! Shows that are cancelled or moved: their bookings follow, each once, whatever is killed between.

use std::collections::BTreeMap;
use std::future::Future as _;
use std::sync::Arc;
use std::task::{Context, Waker};

use pollster::block_on;

use super::Check;
use crate::audit::audit;
use crate::booking::{Booking, BookingStatus, NoticeKind, RefundReason, StaffNote};
use crate::catalogue::Import;
use crate::claim::SeatStatus;
use crate::command::{Command, Settled};
use crate::jobs::Jobs;
use crate::service::BoxOffice;
use crate::show::RefundChoice;
use crate::store::StoreError;
use crate::testkit::world::{Failure, World, code, same};
use crate::testkit::{SeededEntropy, hall};
use crate::time::Span;

pub(super) const CHECKS: &[Check] = &[
    Check::new("case_40_a_cancelled_show_gives_everything_back", cancelled),
    Check::new("a_cancelled_show_refunds_later", later),
    Check::new("case_39_the_totals_are_told_before", totals),
    Check::new("following_may_be_dropped_anywhere", dropped),
    Check::new("case_70_a_moved_show", moved),
    Check::new("case_70_paid_while_it_moved", paid_meanwhile),
    Check::new("a_dispute_outlasts_the_show", disputed),
];

fn office(w: &World<'_>) -> BoxOffice {
    BoxOffice::new(w.store.clone(), Vec::new(), Arc::new(SeededEntropy::new(3)))
}

fn cancel_show(w: &World<'_>, refunds: RefundChoice) -> Result<(), StoreError> {
    let show = w.show(1)?.no;
    w.run(Command::CancelShow { show, refunds, note: StaffNote::default() }).map(|_| ())
}

fn follow(w: &World<'_>) -> Result<usize, StoreError> {
    Ok(block_on(Jobs::new(office(w)).follow())?.followed)
}

fn sold(w: &World<'_>, labels: &[&str]) -> Result<Booking, StoreError> {
    let booking = w.hold(1, labels)?.id;
    w.pay(booking)?;
    w.booking(booking)
}

fn back(booking: &Booking) -> i64 {
    booking.refunds.iter().map(|r| r.amount.minor()).sum()
}

fn told(booking: &Booking) -> Vec<&'static str> {
    booking.notices.iter().map(|n| NoticeKind::as_str(&n.kind)).collect()
}

fn clean(w: &World<'_>) -> Result<(), Failure> {
    let report = block_on(audit(&*w.store))?;
    let broken: Vec<_> = report.checks.into_iter().flat_map(|check| check.broken).collect();
    same("what the audit finds broken", broken, Vec::new())
}

fn cancelled(w: World<'_>) -> Result<(), Failure> {
    let whole = sold(&w, &["A1", "A2"])?.id;
    let part = sold(&w, &["A3", "A4"])?.id;
    w.run(Command::Cancel { booking: part, tickets: Some(vec![1]), reason: None })?;
    let held = w.hold(1, &["B1"])?.id;
    let open = w.start(held)?;
    cancel_show(&w, RefundChoice::All)?;
    same("a payment of the hold", code(&w.start(held)), "show-cancelled")?;
    same("a new hold", code(&w.hold(1, &["C1"])), "show-cancelled")?;
    same("shows to follow", block_on(w.store.shows_to_follow(9))?.len(), 1)?;
    same("followed", follow(&w)?, 3)?;
    same("shows to follow then", block_on(w.store.shows_to_follow(9))?.len(), 0)?;
    same("what went back with its fees", back(&w.booking(whole)?), 2_740)?;
    same("of a part cancelled one", back(&w.booking(part)?), 1_250 + 1_370)?;
    same("why", w.booking(whole)?.refunds[0].reason, RefundReason::ShowCancelled)?;
    same("what its holder is told", told(&w.booking(whole)?), vec!["tickets", "refunded"])?;
    same("the hold", w.booking(held)?.status, BookingStatus::Cancelled)?;
    same("its page is closed soon", w.booking(held)?.attempts[0].ask_at, Some(w.now()))?;
    same("its late money", w.capture(&open, "late")?, Settled::Refunded)?;
    same("why it goes back", w.booking(held)?.refunds[0].reason, RefundReason::ShowCancelled)?;
    for _ in 0..2 {
        cancel_show(&w, RefundChoice::All)?;
        same("followed again", follow(&w)?, 0)?;
    }
    same("another choice", code(&cancel_show(&w, RefundChoice::None)), "show-cancelled")?;
    clean(&w)
}

fn later(w: World<'_>) -> Result<(), Failure> {
    let id = sold(&w, &["A1", "A2"])?.id;
    for choice in [RefundChoice::Later, RefundChoice::None, RefundChoice::Later] {
        cancel_show(&w, choice)?;
        follow(&w)?;
        let booking = w.booking(id)?;
        same("what is told, once", told(&booking), vec!["tickets", "show_cancelled"])?;
        same("what goes back", (back(&booking), booking.status), (0, BookingStatus::Confirmed))?;
        same("the buyer cannot settle for less", code(&w.cancel(id)), "show-cancelled")?;
    }
    w.clock.set(hall::starts_at(1) + Span::from_mins(60));
    cancel_show(&w, RefundChoice::All)?;
    follow(&w)?;
    same("what goes back", back(&w.booking(id)?), 2_740)?;
    same("A1", w.status(1, "A1")?, SeatStatus::Available)?;
    clean(&w)
}

fn totals(w: World<'_>) -> Result<(), Failure> {
    sold(&w, &["A1", "A2"])?;
    sold(&w, &["A3"])?;
    w.hold(1, &["B1"])?;
    let read = || block_on(office(&w).show_cancellation(hall::show_id(1)));
    let sums = |s: &crate::service::ShowCancellation| {
        s.totals.values().map(|t| (t.bookings, t.tickets, t.amount.minor())).collect::<Vec<_>>()
    };
    let before = read()?;
    same("before", (before.refunds, before.holds, before.bookings, before.done), (None, 1, 2, 0))?;
    same("its totals", sums(&before), vec![(2, 3, 4_110)])?;
    cancel_show(&w, RefundChoice::All)?;
    same("at first", (read()?.bookings, read()?.done), (2, 0))?;
    follow(&w)?;
    let after = read()?;
    same("after", (after.refunds, after.holds, after.bookings), (Some(RefundChoice::All), 0, 2))?;
    same("done", after.done, 2)?;
    same("the same totals", sums(&after), vec![(2, 3, 4_110)])
}

/// The job is dropped after its n-th wait, for each n until it comes to its end, and begun again: each
/// booking is refunded once.
fn dropped(w: World<'_>) -> Result<(), Failure> {
    for show in 1..=9_u16 {
        let mut paid = Vec::new();
        for n in 1..=4 {
            let booking = w.hold(show, &[&format!("A{n}")])?.id;
            w.pay(booking)?;
            paid.push(booking);
        }
        let no = w.show(show)?.no;
        w.run(Command::CancelShow { show: no, refunds: RefundChoice::All, note: StaffNote::default() })?;
        // A step of the store may or may not be done when the job is dropped.
        for booking in paid.iter().take(usize::from(show % 5)) {
            w.run(Command::Follow { booking: *booking })?;
        }
        let jobs = Jobs::new(office(&w));
        let mut run = Box::pin(jobs.follow());
        let mut context = Context::from_waker(Waker::noop());
        let over = (0..show).any(|_| run.as_mut().poll(&mut context).is_ready());
        drop(run);
        if !over {
            block_on(Jobs::new(office(&w)).follow())?;
        }
        let refunds: BTreeMap<_, _> =
            paid.iter().map(|id| Ok((*id, w.booking(*id)?.refunds.len()))).collect::<Result<_, StoreError>>()?;
        same("bookings refunded once", refunds.values().filter(|n| **n == 1).count(), 4)?;
    }
    clean(&w)
}

fn moved(w: World<'_>) -> Result<(), Failure> {
    let ids = (1..=10).map(|n| sold(&w, &[&format!("A{n}")]).map(|b| b.id)).collect::<Result<Vec<_>, _>>()?;
    let held = [w.hold(1, &["B1"])?.id, w.hold(1, &["B2"])?.id];
    let start = hall::starts_at(1);
    for (n, at) in [(1, start - Span::from_mins(180)), (2, start + Span::from_mins(24 * 60 - 240))] {
        w.change_show(1, |show| show.starts_at = at)?;
        same("the sale ends with it", w.show(1)?.web_closes_at(), at)?;
        for _ in 0..2 {
            follow(&w)?;
        }
        let moves = |id| w.booking(id).map(|b| told(&b).iter().filter(|kind| **kind == "show_moved").count());
        for id in &ids {
            same("what each holder is told", moves(*id)?, n)?;
        }
        same("a payment of a hold", code(&w.start(held[0])), "show-moved")?;
    }
    w.run(Command::AcceptChanges { booking: held[0], customer: None })?;
    same("a payment once it is accepted", w.pay(held[0])?, Settled::Confirmed)?;
    follow(&w)?;
    same("what that holder is told", told(&w.booking(held[0])?), vec!["tickets"])?;
    // Below the last tier of the policy, and still everything comes back, until the new start.
    let start = w.show(1)?.spec.starts_at;
    w.clock.set(start - Span::from_ms(1));
    let cancelled = w.cancel(ids[0])?;
    same("all of it comes back", (back(&cancelled), cancelled.refunds[0].reason), (1_370, RefundReason::ShowMoved))?;
    same("not to who accepted it", back(&w.cancel(held[0])?), 0)?;
    w.clock.set(start);
    same("nor later", code(&w.cancel(ids[1])), "not-cancellable")?;
    clean(&w)
}

/// Money on a page that was open while the show moved: the seats are theirs, and they are told.
fn paid_meanwhile(w: World<'_>) -> Result<(), Failure> {
    let id = w.hold(1, &["A1"])?.id;
    let attempt = w.start(id)?;
    w.change_show(1, |show| show.starts_at = show.starts_at - Span::from_mins(180))?;
    follow(&w)?;
    same("settled", w.capture(&attempt, "p1")?, Settled::Confirmed)?;
    same("what they are told", told(&w.booking(id)?), vec!["tickets", "show_moved"])?;
    same("what a cancellation gives", back(&w.cancel(id)?), 1_370)?;
    // Put back before anybody was told: nothing to tell.
    let id = w.hold(1, &["A2"])?.id;
    w.pay(id)?;
    for by in [30, -30] {
        w.import(Import {
            shows: vec![crate::show::ShowSpec {
                starts_at: w.show(1)?.spec.starts_at + Span::from_mins(by),
                ..hall::show(1)
            }],
            ..Import::default()
        })?;
    }
    follow(&w)?;
    same("of a move taken back", told(&w.booking(id)?), vec!["tickets"])
}

fn disputed(w: World<'_>) -> Result<(), Failure> {
    use crate::booking::DisputeStatus;
    use crate::command::PaymentNews;
    let id = sold(&w, &["A1"])?.id;
    let attempt = w.booking(id)?.attempts[0].clone();
    let news = |status| w.news(&attempt, &format!("pay-{}", attempt.id), PaymentNews::Dispute(status));
    news(DisputeStatus::Open)?;
    cancel_show(&w, RefundChoice::All)?;
    follow(&w)?;
    same("while it is open", w.booking(id)?.refunds.len(), 0)?;
    news(DisputeStatus::Won)?;
    same("once it is won", back(&w.booking(id)?), 1_370)?;
    clean(&w)
}
