//! The ledger's rows: only added to, and opened once for a store that is older.

use boxoffice::audit::audit;
use boxoffice::command::{Command, PaymentNews, Settle};
use boxoffice::store::Store;
use boxoffice_store::SqliteStore;
use pollster::block_on;
use rusqlite::Connection;

use crate::sale::{booking, cinema, execute, hold, open};

/// Holds a seat and pays for it.
fn sell(store: &SqliteStore, seat: u16, number: u8) {
    let id = booking(1, number);
    execute(store, hold(1, seat, number)).expect("a hold");
    let start = Command::StartPayment { booking: id, gateway: "sandbox".into(), return_url: String::new() };
    let started = execute(store, start).expect("a start").outcome.booking.expect("its booking");
    let settle = Settle {
        booking: id,
        gateway: "sandbox".into(),
        attempt: 1,
        payment_id: Some(format!("p{number}")),
        news: PaymentNews::Captured(started.price.total),
    };
    execute(store, Command::Settle(settle)).expect("a sale");
}

fn count(raw: &Connection, sql: &str) -> i64 {
    raw.query_row(sql, [], |row| row.get(0)).expect("a count")
}

#[track_caller]
fn is_clean(store: &SqliteStore) {
    let report = block_on(audit(store)).expect("an audit");
    assert!(report.is_clean(), "{report:#?}");
}

#[test]
fn a_hold_posts_nothing_and_a_sale_what_it_took() {
    let (_folder, path, store) = cinema(1);
    execute(&store, hold(1, 1, 1)).expect("a hold");
    let raw = Connection::open(&path).expect("the file");
    assert_eq!(count(&raw, "SELECT count(*) FROM ledger"), 0);
    sell(&store, 2, 2);
    assert!(count(&raw, "SELECT count(*) FROM ledger") >= 3);
    assert_eq!(count(&raw, "SELECT sum(amount) FROM ledger"), 0);
    assert_eq!(count(&raw, "SELECT amount FROM ledger WHERE account = 'gateway:sandbox'"), 1_370);
    is_clean(&store);
}

#[test]
fn lines_are_never_changed() {
    let (_folder, path, store) = cinema(1);
    sell(&store, 2, 2);
    let raw = Connection::open(&path).expect("the file");
    for harm in ["UPDATE ledger SET amount = 1", "DELETE FROM ledger"] {
        let refused = raw.execute_batch(harm).expect_err(harm).to_string();
        assert!(refused.contains("only added to"), "{refused}");
    }
}

#[test]
fn bookings_of_an_older_store_are_opened_once() {
    let (_folder, path, store) = cinema(1);
    sell(&store, 1, 1);
    execute(&store, hold(1, 2, 2)).expect("a hold");
    drop(store);
    let raw = Connection::open(&path).expect("the file");
    raw.execute_batch("DROP TRIGGER ledger_is_not_deleted; DELETE FROM ledger; UPDATE meta SET ledger_opened = 0;")
        .expect("a store without a ledger");
    let lines = "SELECT count(*) FROM ledger WHERE seq = 0";
    for time in ["first", "second"] {
        let store = open(&path).expect(time);
        assert_eq!(count(&raw, lines), count(&raw, "SELECT count(*) FROM ledger"), "{time}");
        assert!(count(&raw, lines) >= 3, "{time}");
        is_clean(&store);
    }
    let store = open(&path).expect("the same store");
    execute(&store, Command::Cancel { booking: booking(1, 1), tickets: None, reason: None }).expect("given back");
    sell(&store, 3, 3);
    is_clean(&store);
    assert_eq!(block_on(store.books(None)).expect("books").map(|b| b.bookings.len()), Some(3));
}
