//! The last line of defence: the file itself takes no second claim on a seat.

use rusqlite::Connection;

use crate::sale::{booking, cinema, execute, hold};

#[test]
fn case_1_a_second_claim_row_is_refused_by_the_key() {
    let (_folder, path, store) = cinema(1);
    execute(&store, hold(1, 7, 1)).expect("a hold");
    let raw = Connection::open(&path).expect("the file");
    let other = booking(1, 2).to_bytes();
    for state in ["held", "sold", "blocked"] {
        let second = raw.execute(
            "INSERT INTO claims (show_no, seat_no, state, booking, until_ms) VALUES (1, 7, ?1, ?2, NULL)",
            rusqlite::params![state, other],
        );
        let refused = second.expect_err("a second claim").to_string();
        assert!(refused.contains("UNIQUE constraint failed: claims.show_no, claims.seat_no"), "{refused}");
    }
    let claims: i64 = raw.query_row("SELECT count(*) FROM claims", [], |row| row.get(0)).expect("a count");
    assert_eq!(claims, 1);
}
