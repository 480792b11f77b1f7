//! The file: its name, its tables brought up to date, its mode, its lock.

use std::sync::Arc;

use boxoffice::clock::SystemClock;
use boxoffice_store::SqliteStore;

use crate::sale::{file, open};

#[test]
fn a_url_names_a_file() {
    let (folder, _) = file();
    for (url, opens) in [
        (format!("sqlite:{}/a.db", folder.path().display()), true),
        ("sqlite:".to_owned(), false),
        ("sqlite::memory:".to_owned(), false),
        ("postgres://here".to_owned(), false),
        (format!("sqlite:{}/missing/a.db", folder.path().display()), false),
    ] {
        let opened = SqliteStore::open_url(&url, Arc::new(SystemClock));
        assert_eq!(opened.is_ok(), opens, "{url}: {opened:?}");
    }
}

#[test]
fn migrations_run_once_and_a_newer_schema_is_refused() {
    let (_folder, path) = file();
    drop(open(&path).expect("a fresh store"));
    drop(open(&path).expect("the same store again"));
    let raw = rusqlite::Connection::open(&path).expect("the file");
    let applied: i64 = raw.query_row("SELECT count(*) FROM migrations", [], |row| row.get(0)).expect("a count");
    let steps = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/sqlite/migrations")).expect("the steps");
    assert_eq!(usize::try_from(applied), Ok(steps.count()));
    let newer = "INSERT INTO migrations VALUES (99, 'later', '', 0)";
    let edited = "UPDATE migrations SET checksum = 'other' WHERE no = 1";
    for (harm, says) in [(newer, "newer program"), (edited, "schema step 1")] {
        raw.execute_batch("SAVEPOINT whole").expect("a savepoint");
        raw.execute_batch(harm).expect("the harm");
        raw.execute_batch("RELEASE whole").expect("written");
        let refused = open(&path).expect_err("refused").to_string();
        assert!(refused.contains(says), "{refused}");
        raw.execute_batch("DELETE FROM migrations WHERE no = 99").expect("mended");
    }
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, path) = file();
    let store = open(&path).expect("a store");
    for entry in std::fs::read_dir(folder.path()).expect("the folder") {
        let entry = entry.expect("an entry");
        let mode = entry.metadata().expect("its mode").permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{:?}", entry.file_name());
    }
    drop(store);
}

#[test]
fn one_server_at_a_time() {
    let (_folder, path) = file();
    let store = open(&path).expect("a store");
    let lock = store.lock_for_serving().expect("the first server");
    let other = open(&path).expect("another command works beside it");
    let refused = other.lock_for_serving().expect_err("a second server").to_string();
    assert!(refused.contains("boxoffice.db"), "{refused}");
    drop(lock);
    let _lock = other.lock_for_serving().expect("after the first has ended");
    let (symbolic, hard) = (path.with_extension("symbolic"), path.with_extension("hard"));
    std::os::unix::fs::symlink(&path, &symbolic).expect("a symbolic link");
    let same = open(&symbolic).expect("the same store by another way");
    let refused = same.lock_for_serving().expect_err("a second server").to_string();
    assert!(refused.contains("boxoffice.symbolic"), "{refused}");
    std::fs::hard_link(&path, &hard).expect("a hard link");
    for name in [&path, &hard] {
        let refused = open(name).expect_err("a store with two names").to_string();
        assert!(refused.contains("more than one name"), "{refused}");
    }
}
