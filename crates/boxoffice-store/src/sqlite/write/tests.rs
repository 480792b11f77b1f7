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

/// Every hall of nine seats in which some are claimed, and every group of neighbours that is held there: all of it or nothing.
#[test]
fn new_claims_of_a_group_are_made_whole_or_fail() {
    let mut connection = Connection::open_in_memory().expect("a database");
    migrate(&mut connection, Timestamp::from_ms(0)).expect("its tables");
    let rows = every_row();
    let new = |seat: u16, of: usize| ClaimChange { seat: SeatNo(seat), was: None, becomes: rows[of] };
    for claimed in 0_u16..1 << 9 {
        for (from, to) in (0..9_u16).flat_map(|from| (from + 1..=9).map(move |to| (from, to))) {
            connection.execute("DELETE FROM claims", []).expect("a free hall");
            let others: Vec<ClaimChange> =
                (0..9).filter(|seat| claimed >> seat & 1 == 1).map(|seat| new(seat, 4)).collect();
            super::claims(&connection, SHOW, &others).expect("the others' seats");
            let group: Vec<ClaimChange> = (from..to).map(|seat| new(seat, 1)).collect();
            let free = (from..to).all(|seat| claimed >> seat & 1 == 0);
            assert_eq!(super::claims(&connection, SHOW, &group).is_ok(), free, "{claimed:b} {from}..{to}");
            if free {
                let left = rows::claims(&connection, SHOW).expect("the rows that are left");
                let own = left.iter().filter(|(_, claim)| Some(*claim) == rows[1]).map(|(seat, _)| seat.0);
                assert!(
                    own.eq(from..to) && left.len() == others.len() + group.len(),
                    "{claimed:b} {from}..{to}: {left:?}"
                );
            }
        }
    }
    // Groups of different kinds, changes and releases beside them.
    connection.execute("DELETE FROM claims", []).expect("a free hall");
    let old = new(0, 4);
    super::claims(&connection, SHOW, &[old]).expect("a sold seat");
    let released = ClaimChange { seat: SeatNo(0), was: rows[4], becomes: None };
    super::claims(&connection, SHOW, &[new(1, 1), new(2, 1), released, new(3, 4), new(4, 4)]).expect("all of it");
    let left = rows::claims(&connection, SHOW).expect("the rows that are left");
    let expected = [(1, 1), (2, 1), (3, 4), (4, 4)].map(|(seat, of)| (SeatNo(seat), rows[of].expect("a claim")));
    assert_eq!(left, expected);
}
