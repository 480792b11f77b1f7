//! One success told twice at once, on a live and on a lapsed hold, over SQLite.

use boxoffice::testkit::duplicates::{HoldIs, wrong_rounds};

use crate::contract::Sqlite;

#[test]
fn a_success_told_twice_at_once_counts_once() {
    for hold in [HoldIs::Live, HoldIs::Lapsed] {
        assert_eq!(wrong_rounds(&Sqlite::new(), hold, 324).expect("a store that answers"), 0, "{hold:?}");
    }
}
