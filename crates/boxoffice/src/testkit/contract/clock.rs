//! The store's clock: set by test mode, shared by all, never backwards.

use pollster::block_on;

use super::Check;
use crate::store::ClockChange;
use crate::testkit::hall;
use crate::testkit::world::{Failure, World, code, same};
use crate::time::{Span, Timestamp};

pub(super) const CHECKS: &[Check] = &[
    Check::new("clock_is_set_and_advanced", set_and_advanced),
    Check::new("clock_never_runs_backwards", never_backwards),
];

fn minutes(n: i64) -> Timestamp {
    hall::opening() + Span::from_mins(n)
}

fn set_and_advanced(w: World<'_>) -> Result<(), Failure> {
    let set = |change| block_on(w.store.set_clock(change));
    same("at first", w.now(), minutes(0))?;
    same("set ahead", set(ClockChange::Set { to: minutes(10), freeze: false })?, minutes(10))?;
    w.clock.advance(Span::from_mins(1));
    same("it runs on", w.now(), minutes(11))?;
    same("advanced", set(ClockChange::Advance { by_ms: 60_000, freeze: true })?, minutes(12))?;
    w.clock.advance(Span::from_mins(5));
    same("it stands still", w.now(), minutes(12))?;
    let held = w.hold(1, &["A1"])?;
    same("steps go by it", held.created_at, minutes(12))?;
    same("set free", set(ClockChange::Advance { by_ms: 0, freeze: false })?, minutes(12))?;
    w.clock.advance(Span::from_mins(1));
    same("it runs again", w.now(), minutes(13))?;
    let Some(again) = w.reopen() else { return Ok(()) };
    same("after a restart", again.now(), minutes(13))
}

fn never_backwards(w: World<'_>) -> Result<(), Failure> {
    let set = |change| block_on(w.store.set_clock(change));
    set(ClockChange::Set { to: minutes(10), freeze: true })?;
    let back = ClockChange::Set { to: minutes(9), freeze: true };
    same("set back", code(&set(back)), "clock-backwards")?;
    let back = ClockChange::Advance { by_ms: -1, freeze: true };
    same("advanced by less than nothing", code(&set(back)), "clock-backwards")?;
    same("the clock", w.now(), minutes(10))?;
    set(ClockChange::Advance { by_ms: 0, freeze: false })?;
    let first = w.hold(1, &["A1"])?;
    w.clock.set(minutes(-60));
    let second = w.hold(1, &["A2"])?;
    same("a step after the machine's clock fell is earlier", second.created_at < first.created_at, false)
}
