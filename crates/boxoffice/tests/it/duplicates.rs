//! Five thousand rounds of one success told twice at once, on a live and on a lapsed hold.

use boxoffice::testkit::contract::Subject;
use boxoffice::testkit::duplicates::{HoldIs, wrong_rounds};
use boxoffice::testkit::{Memory, Unguarded};

fn wrong(subject: &dyn Subject, hold: HoldIs, rounds: usize) -> usize {
    wrong_rounds(subject, hold, rounds).expect("a store that answers")
}

#[test]
fn a_success_told_twice_at_once_counts_once() {
    for hold in [HoldIs::Live, HoldIs::Lapsed] {
        assert_eq!(wrong(&Memory, hold, 5_000), 0, "{hold:?}");
    }
}

/// The control: with the guard off the same rounds go wrong.
#[test]
fn without_the_guard_it_counts_twice() {
    for hold in [HoldIs::Live, HoldIs::Lapsed] {
        let found = (0..20).any(|_| wrong(&Unguarded, hold, 324) > 0);
        assert!(found, "{hold:?}");
    }
}
