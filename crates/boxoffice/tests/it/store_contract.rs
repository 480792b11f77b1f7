//! The memory store passes the contract suite; the store without its guard shows that the suite's
//! races can fail.

use boxoffice::testkit::contract::{self, Check};
use boxoffice::testkit::{Memory, Unguarded};

#[test]
fn the_memory_store_passes_the_suite() {
    let report = contract::run(&Memory);
    report.assert_passed();
    let parts = report.rows.iter().filter(|row| row.name.contains("::")).count();
    assert_eq!(parts, 19, "the second seed's assertions, besides its two races");
}

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = contract::checks().iter().map(|check| check.name).collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);
}

/// The control: with the guard off, each race check must find what it looks for.
#[test]
fn every_race_fails_without_the_guard() {
    let fails = |check: &Check| (0..20).any(|_| check.rows(&Unguarded).iter().any(|row| row.failure.is_some()));
    let races: Vec<Check> = contract::checks().into_iter().filter(|check| check.is_race).collect();
    let blind: Vec<&str> = races.iter().filter(|check| !fails(check)).map(|check| check.name).collect();
    assert!(races.len() >= 10);
    assert_eq!(blind, Vec::<&str>::new(), "races that pass on a store without a guard");
}

/// And the other way round: what does not race holds there, so that it is the guard that is missed.
#[test]
fn what_does_not_race_passes_without_the_guard() {
    let quiet = contract::checks().into_iter().filter(|check| !check.is_race);
    let failures: Vec<_> = quiet.flat_map(|check| check.rows(&Unguarded)).filter(|row| row.failure.is_some()).collect();
    assert_eq!(failures, Vec::new());
}
