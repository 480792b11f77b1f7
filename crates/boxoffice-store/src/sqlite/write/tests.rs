//! The guard of a claim's change, for every row there can be, every row that was seen, and every
//! row that it becomes: it goes through only if what was seen stands there.

use boxoffice::claim::{Claim, ClaimChange};
use boxoffice::id::{BookingId, SeatNo, ShowNo};
use boxoffice::time::Timestamp;
use rusqlite::Connection;

use crate::sqlite::rows;
use crate::sqlite::schema::migrate;

const SHOW: ShowNo = ShowNo(1);
const SEAT: SeatNo = SeatNo(7);

fn every_row() -> Vec<Option<Claim>> {
    let booking = |n| BookingId::new(SHOW, Timestamp::from_ms(0), [n; 6]);
    let until = Timestamp::from_ms;
    let held = |n, at| Some(Claim::Held { booking: booking(n), until: until(at) });
    let sold = |n| Some(Claim::Sold { booking: booking(n) });
    vec![
        None,
        held(1, 5),
        held(1, 6),
        held(2, 5),
        sold(1),
        sold(2),
        Some(Claim::Blocked { until: None }),
        Some(Claim::Blocked { until: Some(Timestamp::from_ms(5)) }),
    ]
}

#[test]
fn a_claim_changes_only_if_it_stands_as_it_was_seen() {
    let mut connection = Connection::open_in_memory().expect("a database");
    migrate(&mut connection, Timestamp::from_ms(0)).expect("its tables");
    let rows = every_row();
    for stands in &rows {
        for was in &rows {
            for becomes in rows.iter().filter(|becomes| (was, *becomes) != (&None, &None)) {
                connection.execute("DELETE FROM claims", []).expect("a free seat");
                let first = ClaimChange { seat: SEAT, was: None, becomes: *stands };
                super::claim(&connection, SHOW, &first).expect("the row that stands");
                let change = ClaimChange { seat: SEAT, was: *was, becomes: *becomes };
                let changed = super::claim(&connection, SHOW, &change);
                assert_eq!(changed.is_ok(), stands == was, "{stands:?} {change:?}: {changed:?}");
                let left = rows::claims(&connection, SHOW).expect("the row that is left");
                let expected = if stands == was { becomes } else { stands };
                assert_eq!(left, expected.map(|claim| (SEAT, claim)).into_iter().collect::<Vec<_>>(), "{change:?}");
            }
        }
    }
}
