//! Copies of a store: a backup made while it sells, and a store made from one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use boxoffice::audit::audit;
use boxoffice::booking::BookingStatus;
use boxoffice::command::{Command, PaymentNews, Settle};
use boxoffice::id::BookingId;
use boxoffice::sales::{Sales, SalesState};
use boxoffice::store::Store;
use boxoffice::testkit::{TestClock, hall};
use boxoffice::time::Span;
use boxoffice_store::{Copy, CopyError, Holds, SqliteStore};
use pollster::block_on;

use crate::sale::{booking, cinema, execute, hold, open};

fn clock() -> Arc<TestClock> {
    Arc::new(TestClock::at(hall::opening() + Span::from_mins(60)))
}

fn back_up(store: &SqliteStore, path: &std::path::Path) -> Result<Holds, CopyError> {
    store.copy_to(path, |_| ())?.publish()
}

fn restore(backup: &std::path::Path, path: &std::path::Path) -> Result<Holds, CopyError> {
    Copy::of_backup(backup, path, clock())?.publish()
}

fn clean(store: &SqliteStore) {
    let report = block_on(audit(store)).expect("an audit");
    assert!(report.is_clean(), "{report:?}");
}

fn start(store: &SqliteStore, booking: BookingId) {
    execute(store, Command::StartPayment { booking, gateway: "sandbox".into(), return_url: String::new() })
        .expect("a payment begins");
}

fn settle(store: &SqliteStore, booking: BookingId, news: PaymentNews) {
    let settle =
        Settle { booking, gateway: "sandbox".into(), attempt: 1, payment_id: Some(format!("p-{booking}")), news };
    execute(store, Command::Settle(settle)).expect("news of a payment");
}

/// Sixty-four callers hold and pay while copies are made one after the other: each is whole by itself, and has all that
/// was answered before it was begun.
#[test]
fn a_backup_under_load_has_every_sale_that_was_answered_before_it() {
    let (folder, _path, store) = cinema(9);
    let store = Arc::new(store);
    let answered = AtomicU32::new(0);
    std::thread::scope(|threads| {
        for caller in 0..64_u32 {
            let (store, answered) = (&store, &answered);
            threads.spawn(move || {
                // Each has five seats of its own.
                for seat in caller * 5..caller * 5 + 5 {
                    let (show, seat) = (1 + seat / 36, u8::try_from(seat % 36).expect("a seat"));
                    let number = seat + 1;
                    if execute(store, hold(show, u16::from(seat), number)).is_ok() {
                        start(store, booking(show, number));
                        let amount = block_on(store.booking(booking(show, number))).expect("a read").expect("held");
                        settle(store, booking(show, number), PaymentNews::Captured(amount.price.total));
                        answered.fetch_add(1, Ordering::SeqCst);
                    }
                }
            });
        }
        for n in 0..4 {
            let before = answered.load(Ordering::SeqCst);
            let (backup, restored) = (folder.path().join(format!("{n}.backup")), folder.path().join(format!("{n}.db")));
            let holds = back_up(&store, &backup).expect("a backup");
            assert!(holds.bookings >= u64::from(before), "{} of {before}", holds.bookings);
            assert_eq!(restore(&backup, &restored).expect("a restore").bookings, holds.bookings);
            let restored = open(&restored).expect("the restored store");
            clean(&restored);
            assert!(!block_on(restored.sales()).expect("an answer").sales.are_open());
            let mut sold = 0;
            for show in 1..=9 {
                let filter =
                    boxoffice::store::BookingFilter { show: Some(boxoffice::id::ShowNo(show)), ..Default::default() };
                let all = block_on(restored.bookings(filter)).expect("bookings");
                sold += all.iter().filter(|b| b.status == BookingStatus::Confirmed).count();
            }
            assert!(sold >= usize::try_from(before).expect("a count"), "{sold} of {before}");
        }
    });
    assert!(answered.load(Ordering::SeqCst) > 60, "there was load");
    clean(&store);
}

#[test]
fn a_restored_store_sells_nothing_until_its_open_payments_are_answered_for() {
    let (folder, _path, store) = cinema(1);
    for n in 1..=4 {
        execute(&store, hold(1, u16::from(n), n)).expect("a hold");
    }
    for n in 1..=3 {
        start(&store, booking(1, n));
    }
    let total = block_on(store.booking(booking(1, 3))).expect("a read").expect("it is there").price.total;
    settle(&store, booking(1, 3), PaymentNews::Captured(total));
    let epoch = block_on(store.seats(boxoffice::id::ShowNo(1))).expect("seats").epoch;
    let (backup, path) = (folder.path().join("backup"), folder.path().join("restored.db"));
    back_up(&store, &backup).expect("a backup");
    restore(&backup, &path).expect("a restore");
    let store = SqliteStore::open(&path, clock()).expect("the restored store");
    let seats = block_on(store.seats(boxoffice::id::ShowNo(1))).expect("seats");
    assert!(seats.epoch > epoch, "what was seen before the restore is of another epoch");
    assert!(!seats.sales.are_open());
    let due = block_on(store.due(100)).expect("what is due");
    for n in 1..=3 {
        assert!(due.contains(&booking(1, n)), "its payments are asked about: {n}");
    }
    let unanswered = || block_on(store.sales()).expect("an answer").unanswered;
    assert_eq!(unanswered(), 2, "the third is paid, the fourth has none");
    settle(&store, booking(1, 1), PaymentNews::Silent);
    assert_eq!(unanswered(), 2, "no answer is none");
    settle(&store, booking(1, 1), PaymentNews::Ended);
    settle(&store, booking(1, 2), PaymentNews::Captured(total));
    assert_eq!(unanswered(), 0);
    assert_eq!(block_on(store.booking(booking(1, 2))).expect("a read").expect("it").status, BookingStatus::Confirmed);
    assert!(execute(&store, hold(1, 20, 20)).is_err(), "sales are closed");
    block_on(store.set_sales(Sales::Open)).expect("they open");
    assert_eq!(block_on(store.sales()), Ok(SalesState::default()));
    execute(&store, hold(1, 20, 20)).expect("and it sells");
    clean(&store);
}

#[test]
fn a_copy_takes_nobodys_name_and_leaves_nothing_when_it_fails() {
    let (folder, path, store) = cinema(1);
    let at = |name: &str| folder.path().join(name);
    back_up(&store, &at("backup")).expect("a backup");
    std::fs::write(at("rubbish"), "this is no database").expect("a file");
    rusqlite::Connection::open(at("other.db")).expect("a file").execute_batch("CREATE TABLE t (x)").expect("a table");
    std::fs::copy(at("backup"), at("newer")).expect("a copy");
    let newer = rusqlite::Connection::open(at("newer")).expect("the copy");
    newer.execute_batch("INSERT INTO migrations VALUES (99, 'later', '', 0)").expect("the harm");
    drop(newer);
    let mut bytes = std::fs::read(at("backup")).expect("the backup");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 9_000].fill(0x5a);
    std::fs::write(at("damaged"), &bytes).expect("a file");
    std::fs::write(at("half"), &bytes[..middle / 4096 * 4096]).expect("a file");
    let lock = store.lock_for_serving().expect("a server");
    let new = at("new.db");
    let refused = |result: Result<Holds, CopyError>, says: &str| {
        let refused = result.expect_err(says).to_string();
        assert!(refused.contains(says), "{refused}");
    };
    refused(back_up(&store, &at("backup")), "is there already");
    refused(back_up(&store, &at("missing/backup")), "check its folder");
    refused(restore(&at("backup"), &at("other.db")), "a restore makes a new store");
    refused(restore(&at("backup"), &path), "stop it first");
    refused(restore(&at("nothing"), &new), "is no backup");
    refused(restore(&at("rubbish"), &new), "is no backup");
    refused(restore(&at("other.db"), &new), "is no backup");
    refused(restore(&at("newer"), &new), "newer program");
    for name in ["damaged", "half"] {
        let refused = restore(&at(name), &new).expect_err(name).to_string();
        assert!(refused.contains("damaged") || refused.contains("no backup"), "{refused}");
    }
    drop(lock);
    let left: Vec<String> = std::fs::read_dir(folder.path())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.contains("partial") || name.starts_with("new"))
        .collect();
    assert_eq!(left, ["newer"], "nothing is left of what failed");
    restore(&at("backup"), &new).expect("and a good one does it");
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_a_copy() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, _path, store) = cinema(1);
    let (backup, restored) = (folder.path().join("backup"), folder.path().join("restored.db"));
    back_up(&store, &backup).expect("a backup");
    restore(&backup, &restored).expect("a restore");
    for path in [backup, restored] {
        let mode = path.metadata().expect("its mode").permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", path.display());
    }
}
