//! Stores that earlier versions left, one dump per released schema in `tests/dumps`: the newest program opens each,
//! keeps every order, seat and sum, and goes on, wherever an upgrade before was killed.
//!
//! The dumps were made by the programs of their time: two shows on an odd zone and in a currency of three decimals, one
//! of them free; bookings that are sold, held, being paid, declined, lapsed, cancelled and given back, from 0002 on also
//! in parts and as goodwill; answers under idempotency keys. Documents, which hold keys, were left out. Those of 0005
//! and 0007 are the one before each after its steps.

use std::path::Path;
use std::sync::Arc;

use boxoffice::audit::audit;
use boxoffice::booking::BookingStatus;
use boxoffice::command::{Command, Idempotency};
use boxoffice::store::{BookingFilter, Store};
use boxoffice::testkit::TestClock;
use boxoffice_store::SqliteStore;
use pollster::block_on;
use rusqlite::fallible_iterator::FallibleIterator as _;
use rusqlite::{Batch, Connection};

use crate::sale::{execute, file};

/// By the number of the last step that its program had.
const DUMPS: [(usize, &str); 4] = [
    (1, include_str!("../dumps/0001.sql")),
    (4, include_str!("../dumps/0004.sql")),
    (5, include_str!("../dumps/0005.sql")),
    (7, include_str!("../dumps/0007.sql")),
];

/// The steps as they are released, in order.
fn steps() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/sqlite/migrations");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("the steps").map(|e| e.expect("a file").path()).collect();
    files.sort();
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), std::fs::read_to_string(path).expect("a step"))).collect()
}

fn load(dump: &str, path: &Path) {
    let connection = Connection::open(path).expect("a file");
    connection.execute_batch("PRAGMA journal_mode = WAL").expect("a log");
    // Its tables stand in the order of their names.
    connection.execute_batch("PRAGMA foreign_keys = OFF").expect("a setting");
    connection.execute_batch(dump).expect("a dump");
}

fn open(path: &Path) -> SqliteStore {
    // The time is the dump's own: its test clock stands still.
    SqliteStore::open(path, Arc::new(TestClock::at(boxoffice::testkit::hall::opening()))).expect("it opens")
}

/// Orders, seats and money, by columns that every version has.
fn sums(path: &Path) -> Vec<String> {
    let connection = Connection::open(path).expect("the file");
    let sums = [
        "SELECT hex(id), reference, status, channel, created_at_ms, expires_at_ms FROM bookings ORDER BY id",
        "SELECT show_no, seat_no, state, hex(booking), until_ms FROM claims ORDER BY show_no, seat_no",
        "SELECT hex(booking), no, status, amount, currency, captured FROM payments ORDER BY booking, no",
        "SELECT hex(booking), no, status, amount, currency, reason FROM refunds ORDER BY booking, no",
        "SELECT hex(booking), no, label, status, serial FROM tickets ORDER BY booking, no",
        "SELECT show_no, seq, kind, at_ms FROM events ORDER BY show_no, seq",
    ];
    let row = |row: &rusqlite::Row<'_>, columns: usize| -> rusqlite::Result<String> {
        let cells = (0..columns).map(|n| row.get::<_, rusqlite::types::Value>(n).map(|value| format!("{value:?}")));
        Ok(cells.collect::<Result<Vec<_>, _>>()?.join("|"))
    };
    let of = |sql: &&str| {
        let mut statement = connection.prepare(sql).expect("a query");
        let columns = statement.column_count();
        let rows = statement.query_map([], |found| row(found, columns)).expect("rows");
        rows.collect::<Result<Vec<_>, _>>().expect("rows").join("\n")
    };
    sums.iter().map(of).collect()
}

fn clean(store: &SqliteStore) {
    let report = block_on(audit(store)).expect("an audit");
    assert!(report.is_clean(), "{report:?}");
}

#[test]
fn case_115_every_released_store_opens_with_its_orders_seats_and_money() {
    for (version, dump) in DUMPS {
        let (_folder, path) = file();
        load(dump, &path);
        let before = sums(&path);
        assert!(before.iter().all(|part| !part.is_empty()), "{version}: the dump has something of everything");
        let store = open(&path);
        assert_eq!(sums(&path), before, "{version}");
        clean(&store);
        replay(&store, &path);
        let all = block_on(store.bookings(BookingFilter::default())).expect("all bookings");
        assert_eq!(all.len(), 11, "{version}");
        let free = all.iter().any(|b| b.price.total.is_zero() && b.status == BookingStatus::Confirmed);
        assert!(free, "{version}: one was free");
        let is_sold = |b: &&boxoffice::booking::Booking| {
            b.status == BookingStatus::Confirmed && b.refunds.is_empty() && b.price.total.currency().code() == "KWD"
        };
        let sold = all.iter().filter(|b| !b.price.total.is_zero()).find(is_sold).expect("a sold booking");
        let cancel = Command::Cancel { booking: sold.id, tickets: None, reason: None };
        let done = execute(&store, cancel).expect("an old booking is cancelled");
        let refund = done.outcome.booking.expect("the booking").refunds.pop().expect("its refund");
        assert_eq!(refund.amount, sold.price.total, "{version}: two days before its show");
        clean(&store);
    }
}

/// A kept answer is given again.
fn replay(store: &SqliteStore, path: &Path) {
    let connection = Connection::open(path).expect("the file");
    let mut statement = connection
        .prepare("SELECT scope, key, fingerprint FROM idempotency WHERE outcome IS NOT NULL")
        .expect("a query");
    let keys = statement.query_map([], |row| {
        Ok(Idempotency { scope: row.get(0)?, key: row.get(1)?, fingerprint: row.get(2)?, keep: true })
    });
    let keys: Vec<Idempotency> = keys.expect("rows").collect::<Result<_, _>>().expect("keys");
    assert_eq!(keys.len(), 2);
    for key in keys {
        let done = block_on(store.answer(key)).expect("an answer").expect("it is kept");
        assert!(done.replayed && done.outcome.booking.is_some());
    }
}

/// A process that dies leaves the file and its log as they are. Each step is one transaction, so that there is no half of
/// one to be found: wherever it died, the next start begins the step anew and finishes.
#[test]
fn case_115_an_upgrade_that_is_killed_anywhere_is_finished_by_the_next_start() {
    let steps = steps();
    for (version, dump) in DUMPS {
        let (folder, path) = file();
        load(dump, &path);
        let before = sums(&path);
        let mut kills = 0;
        for (name, sql) in steps.iter().skip(version) {
            let mut done = 0;
            loop {
                let killed = folder.path().join("killed.db");
                let more = die_after(&path, sql, done, &killed);
                let store = open(&killed);
                assert_eq!(sums(&killed), before, "{version}, {name} after {done} statements");
                clean(&store);
                drop(store);
                std::fs::remove_file(&killed).expect("the copy goes");
                kills += 1;
                done += 1;
                if !more {
                    break;
                }
            }
            apply(&path, name, sql);
        }
        assert!(kills > 3, "{version}: {kills}");
        open(&path);
        assert_eq!(sums(&path), before, "{version}, step by step");
    }
}

/// Copies the file and its log as they are after so many statements of the step; false: there were no more.
fn die_after(path: &Path, sql: &str, statements: usize, to: &Path) -> bool {
    let connection = Connection::open(path).expect("the file");
    // What is not committed is on the disk, too.
    connection.execute_batch("PRAGMA cache_size = 1; BEGIN IMMEDIATE").expect("a transaction");
    let mut batch = Batch::new(&connection, sql);
    let mut more = true;
    for _ in 0..statements {
        match batch.next().expect("a statement") {
            Some(mut statement) => drop(statement.raw_execute().expect("it runs")),
            None => more = false,
        }
    }
    let log = |path: &Path| path.with_extension("db-wal");
    std::fs::copy(path, to).expect("the file");
    std::fs::copy(log(path), log(to)).expect("its log");
    connection.execute_batch("ROLLBACK").expect("and back");
    more
}

/// The step as the program applies it, so that the next one can be killed.
fn apply(path: &Path, name: &str, sql: &str) {
    use sha2::Digest as _;
    let connection = Connection::open(path).expect("the file");
    let (no, name) = name.trim_end_matches(".sql").split_once('_').expect("a number and a name");
    let no: i64 = no.parse().expect("a number");
    let checksum: String = sha2::Sha256::digest(sql).iter().map(|byte| format!("{byte:02x}")).collect();
    connection.execute_batch(&format!("BEGIN; {sql}")).expect("the step");
    let note = "INSERT INTO migrations (no, name, checksum, applied_at_ms) VALUES (?1, ?2, ?3, 0)";
    connection.execute(note, rusqlite::params![no, name, checksum]).expect("its note");
    connection.execute_batch("COMMIT").expect("done");
}
