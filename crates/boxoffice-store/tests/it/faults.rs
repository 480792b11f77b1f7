//! What a bad disk, a broken row or a caller that leaves can do: a fault answers a fault, leaves
//! nothing behind that was not told, and the store goes on by itself.

use std::sync::Arc;
use std::task::{Context, Waker};

use boxoffice::audit::audit;
use boxoffice::store::{Store, StoreError};
use boxoffice::testkit::{TestClock, hall};
use boxoffice_store::{FileLayer, SqliteStore};
use futures_util::future::join_all;
use pollster::block_on;

use crate::layer::{Fault, Layer};
use crate::sale::{booking, cinema, execute, hold, open};

#[test]
fn after_a_fault_of_the_disk_the_store_goes_on() {
    let layer = Layer::new(1);
    let fault = layer.fault();
    sqlite_vfs::register("faulty", layer, false).expect("the layer");
    for (broken, says) in [(Fault::Full, "the disk is full"), (Fault::Sync, "the disk does not")] {
        let (_folder, path, store) = cinema(1);
        drop(store);
        let layer = FileLayer { vfs: "faulty".into(), synchronous: true };
        let clock = Arc::new(TestClock::at(hall::opening()));
        let store = SqliteStore::open_over(&path, layer, clock).expect("the store over the layer");
        execute(&store, hold(1, 0, 1)).expect("a hold while all is well");
        fault.set(broken);
        let all = [2, 3, 4].map(|n| store.execute(hold(1, n, n as u8).into()));
        for answer in block_on(join_all(all)) {
            let Err(StoreError::Fault(text)) = answer else { panic!("{broken:?}: {answer:?}") };
            assert!(text.contains(says), "{text}");
        }
        fault.set(Fault::None);
        for n in [2, 3] {
            execute(&store, hold(1, n, n as u8)).expect("the same step again");
        }
        execute(&store, hold(1, 5, 5)).expect("and another one");
        drop(store);
        let store = open(&path).expect("the file by itself");
        for n in [1, 2, 3, 5] {
            assert!(block_on(store.booking(booking(1, n))).expect("a read").is_some(), "{broken:?}: booking {n}");
        }
        let report = block_on(audit(&store)).expect("an audit");
        assert!(report.is_clean(), "{report:?}");
    }
}

#[test]
fn an_unknown_word_is_a_bug_and_sinks_nobody_else() {
    for harm in [
        "INSERT INTO claims VALUES (2, 0, 'lent', NULL, NULL)",
        "INSERT INTO claims VALUES (2, 0, 'held', NULL, 5)",
        "INSERT INTO claims VALUES (2, 400, 'blocked', NULL, NULL)",
        "UPDATE bookings SET status = 'lost' WHERE show_no = 2",
        "UPDATE bookings SET terms = '{}' WHERE show_no = 2",
    ] {
        let (_folder, path, store) = cinema(2);
        execute(&store, hold(2, 7, 200)).expect("a hold");
        let raw = rusqlite::Connection::open(&path).expect("the file");
        raw.execute_batch(harm).expect("the harm");
        // The bad one stands in the midst of good ones; sent again it meets its own booking.
        let steps = (0..64_u16).map(|n| if n == 30 { hold(2, 7, 200) } else { hold(1, n % 36, n as u8) });
        let answers = block_on(join_all(steps.map(|step| store.execute(step.into()))));
        for (n, answer) in answers.into_iter().enumerate() {
            let as_expected = match answer {
                Ok(_) => n != 30 && n < 36,
                Err(StoreError::Refused(_)) => n >= 36,
                Err(StoreError::Bug(_)) => n == 30,
                Err(StoreError::Fault(_)) => false,
            };
            assert!(as_expected, "{harm}: {n}");
        }
    }
}

/// All of them in one transaction: another process writes until all have come.
#[test]
fn a_step_that_breaks_halfway_leaves_nothing_and_those_beside_it_stand() {
    for broken in [vec![0], vec![35], vec![10, 11, 20]] {
        let (_folder, path, store) = cinema(2);
        let other = rusqlite::Connection::open(&path).expect("another process");
        for n in &broken {
            // The last thing that a hold writes is its event.
            let hex: String = booking(1, *n).to_bytes().iter().map(|byte| format!("{byte:02X}")).collect();
            let breaks = format!(
                "CREATE TRIGGER breaks_{n} BEFORE INSERT ON events WHEN NEW.booking = X'{hex}'
                 BEGIN SELECT RAISE(ABORT, 'broken by hand'); END"
            );
            other.execute_batch(&breaks).expect("a trap");
        }
        execute(&store, hold(2, 0, 99)).expect("the writer is awake");
        other.execute_batch("BEGIN IMMEDIATE").expect("it writes, so the store's writer waits");
        let steps = (0..36_u8).map(|n| store.execute(hold(1, u16::from(n), n).into()));
        let mut all = Box::pin(join_all(steps));
        assert!(all.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        other.execute_batch("COMMIT").expect("it ends");
        for (n, answer) in (0..36_u8).zip(block_on(all)) {
            let is_broken = broken.contains(&n);
            assert_eq!(matches!(answer, Err(StoreError::Bug(_))), is_broken, "{broken:?}, {n}: {answer:?}");
            assert_eq!(answer.is_ok(), !is_broken, "{broken:?}, {n}: {answer:?}");
            let kept = block_on(store.booking(booking(1, n))).expect("a read");
            assert_eq!(kept.is_some(), !is_broken, "{broken:?}, {n}");
        }
        let claims: i64 =
            other.query_row("SELECT count(*) FROM claims WHERE show_no = 1", [], |row| row.get(0)).unwrap();
        assert_eq!(usize::try_from(claims), Ok(36 - broken.len()), "{broken:?}");
        assert!(block_on(audit(&store)).expect("an audit").is_clean());
        for n in broken {
            execute(&store, hold(1, u16::from(n), n + 100)).expect("the seat is free");
        }
    }
}

#[test]
fn a_caller_that_has_gone_before_the_decision_gets_nothing() {
    let (_folder, path, store) = cinema(1);
    let other = rusqlite::Connection::open(&path).expect("another process");
    other.execute_batch("BEGIN IMMEDIATE").expect("it writes, so the store's writer waits");
    let mut leaving = store.execute(hold(1, 0, 1).into());
    assert!(leaving.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop(leaving);
    other.execute_batch("COMMIT").expect("it ends");
    execute(&store, hold(1, 0, 2)).expect("the seat is free");
    assert_eq!(block_on(store.booking(booking(1, 1))), Ok(None));
}
