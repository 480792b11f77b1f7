//! Several handles on one file, as several processes have them: each sees what the other wrote,
//! and time never runs backwards over any of them.

use boxoffice::command::{Idempotency, Step};
use boxoffice::id::ShowNo;
use boxoffice::refusal::Refusal;
use boxoffice::store::{ClockChange, Store, StoreError};
use boxoffice::testkit::hall;
use boxoffice::time::Span;
use pollster::block_on;

use crate::sale::{cinema, execute, hold, open, open_at};

#[test]
fn one_handle_sees_what_another_imports() {
    let (_folder, path, first) = cinema(1);
    execute(&first, hold(1, 0, 1)).expect("a hold, so that the writer has the show in hand");
    assert!(block_on(first.show(hall::show_id(2))).expect("a read").is_none());
    let second = open(&path).expect("a second handle");
    let mut import = hall::import(2);
    import.shows[0].cancelled = true;
    block_on(second.import(import, false)).expect("an import");
    assert!(block_on(first.show(hall::show_id(2))).expect("a read").is_some());
    let refused = execute(&first, hold(1, 1, 2)).expect_err("the show is off");
    assert_eq!(refused, StoreError::Refused(Refusal::ShowCancelled));
}

#[test]
fn one_handle_sees_what_another_sells() {
    let (_folder, path, first) = cinema(1);
    let second = open(&path).expect("a second handle");
    for (n, (store, seat)) in (1..).zip([(&first, 0), (&second, 1), (&first, 2), (&second, 3)]) {
        execute(store, hold(1, seat, n)).expect("a free seat");
        for other in [&first, &second] {
            let again = execute(other, hold(1, seat, 100 + n));
            assert!(matches!(again, Err(StoreError::Refused(Refusal::SeatsUnavailable(_)))), "{again:?}");
        }
    }
    let seats = block_on(first.seats(ShowNo(1))).expect("a read").seats;
    assert_eq!((seats.version, seats.seats_left(hall::opening())), (4, 32));
}

#[test]
fn a_clock_set_by_one_handle_is_every_handles() {
    let (_folder, path, first) = cinema(1);
    let second = open(&path).expect("a second handle");
    let later = hall::opening() + Span::from_mins(90);
    block_on(second.set_clock(ClockChange::Set { to: later, freeze: true })).expect("forwards");
    assert_eq!(first.now(), later);
    let back = block_on(first.set_clock(ClockChange::Set { to: hall::opening(), freeze: true }));
    assert_eq!(back, Err(StoreError::Refused(Refusal::ClockBackwards { now: later })));
    assert_eq!(execute(&first, hold(1, 0, 1)).expect("a hold").outcome.at, later);
}

#[test]
fn time_goes_on_from_the_last_step_after_a_restart() {
    let (_folder, path, store) = cinema(1);
    execute(&store, hold(1, 0, 1)).expect("a hold");
    drop(store);
    let behind = open_at(&path, hall::opening() - Span::from_mins(60)).expect("a machine whose clock is behind");
    assert_eq!(behind.now(), hall::opening());
}

#[test]
fn kept_answers_are_swept_after_their_time() {
    let (_folder, path, store) = cinema(1);
    let step = |n: u8| Step {
        command: hold(1, u16::from(n), n),
        idempotency: Some(Idempotency { scope: "a".into(), key: n.to_string(), fingerprint: [n; 32], keep: true }),
        by: None,
    };
    for n in 1..=3 {
        block_on(store.execute(step(n))).expect("a hold");
    }
    block_on(store.set_clock(ClockChange::Advance { by_ms: 25 * 3_600_000, freeze: false })).expect("forwards");
    block_on(store.execute(step(4))).expect("a hold");
    drop(store);
    let raw = rusqlite::Connection::open(path).expect("the file");
    let kept: String = raw.query_row("SELECT group_concat(key) FROM idempotency", [], |row| row.get(0)).expect("keys");
    assert_eq!(kept, "4");
}
