//! Idempotency keys: a repeat answers as before, another request is refused, everybody has a
//! name space of their own, refusals are not kept (case 117).

use super::Check;
use crate::claim::SeatStatus;
use crate::command::{Command, Idempotency, Step};
use crate::store::{ANSWERS_KEPT, Done, StoreError};
use crate::testkit::world::{Failure, World, booking_of, code, race_ok, same};
use crate::time::Span;

pub(super) const CHECKS: &[Check] = &[
    Check::new("case_117_key_replays_the_same_request_only", replay_and_reuse),
    Check::new("case_117_keys_belong_to_their_scope", scopes),
    Check::new("keys_of_earlier_steps_only_look", looking),
    Check::new("refusals_are_not_kept_under_a_key", refusals),
    Check::new("answers_are_kept_for_a_day", a_day),
    Check::race("case_117_parallel_twins_make_one_booking", twins),
];

fn key(scope: &str, fingerprint: u8, keep: bool) -> Option<Idempotency> {
    Some(Idempotency { scope: scope.to_owned(), key: "K1".into(), fingerprint: [fingerprint; 32], keep })
}

fn hold(w: &World<'_>, labels: &[&str], idempotency: Option<Idempotency>) -> Result<Done, StoreError> {
    w.step(Step { command: w.hold_command(1, labels)?, idempotency, by: None })
}

fn replay_and_reuse(w: World<'_>) -> Result<(), Failure> {
    let first = hold(&w, &["A1"], key("alice", 1, true))?;
    same("the first is a replay", first.replayed, false)?;
    w.clock.advance(Span::from_mins(20));
    let again = hold(&w, &["A1"], key("alice", 1, true))?;
    same("the second is a replay", again.replayed, true)?;
    same("the answer", again.outcome, first.outcome.clone())?;
    same("another body", code(&hold(&w, &["B1"], key("alice", 2, true))), "idempotency-key-reused")?;
    let booking = booking_of(first)?.id;
    let cancel = Step {
        command: Command::Cancel { booking, tickets: None, reason: None },
        idempotency: key("alice", 3, true),
        by: None,
    };
    same("another route", code(&w.step(cancel)), "idempotency-key-reused")?;
    let elsewhere = Step { command: w.hold_command(2, &["A1"])?, idempotency: key("alice", 4, true), by: None };
    same("another show", code(&w.step(elsewhere)), "idempotency-key-reused")?;
    same("version of the other show", w.seats(2)?.seats.version, 0)
}

fn scopes(w: World<'_>) -> Result<(), Failure> {
    let alice = booking_of(hold(&w, &["A1"], key("alice", 1, true))?)?;
    let bob = hold(&w, &["A2"], key("bob", 1, true))?;
    same("another caller's is a replay", bob.replayed, false)?;
    same("both have the same booking", booking_of(bob)?.id == alice.id, false)
}

fn looking(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1"])?.id;
    let start = |keep| {
        let command = Command::StartPayment { booking, gateway: "sandbox".into(), return_url: String::new() };
        w.step(Step { command, idempotency: key("alice", 1, keep), by: None })
    };
    same("a first step is a replay", start(false)?.replayed || start(false)?.replayed, false)?;
    let other = hold(&w, &["A2"], key("alice", 1, true).map(|key| Idempotency { fingerprint: [9; 32], ..key }));
    same("another request under a key that a first step has", code(&other), "idempotency-key-reused")?;
    same("A2", w.status(1, "A2")?, SeatStatus::Available)?;
    same("the answer to keep is a replay", start(true)?.replayed, false)?;
    same("a first step after it is a replay", start(false)?.replayed, true)
}

fn refusals(w: World<'_>) -> Result<(), Failure> {
    let other = w.hold(1, &["A1"])?;
    same("refused", code(&hold(&w, &["A1"], key("alice", 1, true))), "seats-unavailable")?;
    w.cancel(other.id)?;
    same("tried again", code(&hold(&w, &["A1"], key("alice", 1, true))), "ok")
}

fn a_day(w: World<'_>) -> Result<(), Failure> {
    let made = w.now();
    hold(&w, &["A1"], key("alice", 1, true))?;
    w.clock.set(made + ANSWERS_KEPT - Span::from_ms(1));
    same("a replay 1 ms before a day is over", hold(&w, &["A1"], key("alice", 1, true))?.replayed, true)?;
    w.clock.set(made + ANSWERS_KEPT);
    same("a replay after a day", hold(&w, &["A1"], key("alice", 1, true))?.replayed, false)
}

fn twins(w: World<'_>) -> Result<(), Failure> {
    let done = race_ok(8, |_| {
        w.step(Step { command: w.hold_command(1, &["A1"])?, idempotency: key("alice", 1, true), by: None })
    })?;
    same("answers that are no replay", done.iter().filter(|d| !d.replayed).count(), 1)?;
    let ids = done.into_iter().map(booking_of).collect::<Result<Vec<_>, _>>()?;
    same("bookings besides the first", ids.iter().filter(|b| b.id != ids[0].id).count(), 0)
}
