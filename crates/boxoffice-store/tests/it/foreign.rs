//! A file that is no store of this program is refused in one line, and every byte beside and in it stays as it was.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use boxoffice::clock::SystemClock;
use boxoffice_store::{Copy, SqliteStore};
use rusqlite::Connection;

use crate::sale::{file, open};

/// Every file of a folder with its bytes. The index of a log is left out: it is made anew by whoever opens the file.
fn all(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let entries = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let entries = entries.filter(|path| !path.to_string_lossy().ends_with("-shm"));
    entries.map(|path| (path.clone(), std::fs::read(path).ok())).collect()
}

fn database(path: &Path, sql: &str) {
    Connection::open(path).expect("a file").execute_batch(sql).expect("its tables");
}

/// As a program leaves it that died: what it wrote last is in the log beside the file.
fn in_the_log(path: &Path) {
    let living = path.with_extension("living");
    let writer = Connection::open(&living).expect("a file");
    writer.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE songs (title TEXT)").expect("its tables");
    for end in ["", "-wal"] {
        let from = format!("{}{end}", living.display());
        std::fs::copy(from, format!("{}{end}", path.display())).expect("a copy");
    }
    drop(writer);
    std::fs::remove_file(living).expect("it goes");
}

/// A store of a version to come, as a backup leaves it: one file without a log.
fn newer(path: &Path) {
    drop(open(path).expect("a store"));
    database(path, "PRAGMA journal_mode = DELETE; INSERT INTO migrations VALUES (99, 'later', '', 0)");
}

#[test]
fn a_file_of_another_program_is_refused_and_left_as_it_is() {
    type Make = fn(&Path);
    let made: [(&str, Make, &str); 13] = [
        ("one byte", |path| std::fs::write(path, "x").expect("a file"), "no SQLite database"),
        ("almost a page", |path| std::fs::write(path, [b'x'; 511]).expect("a file"), "no SQLite database"),
        ("a line", |path| std::fs::write(path, "milk, eggs\n").expect("a file"), "no SQLite database"),
        ("a long text", |path| std::fs::write(path, "milk, eggs\n".repeat(900)).expect("a file"), "no SQLite database"),
        ("zeros", |path| std::fs::write(path, [0; 8192]).expect("a file"), "no SQLite database"),
        ("a folder", |path| std::fs::create_dir(path).expect("a folder"), "it is a folder"),
        (
            "tables",
            |path| database(path, "CREATE TABLE a (x); CREATE TABLE b (x); CREATE TABLE c (x); CREATE TABLE d (x)"),
            "tables of another program (a, b, c, …)",
        ),
        (
            "a log",
            |path| database(path, "PRAGMA journal_mode = WAL; CREATE TABLE songs (title TEXT)"),
            "another program (songs)",
        ),
        ("a log that was left", in_the_log, "another program (songs)"),
        ("a view", |path| database(path, "CREATE VIEW songs AS SELECT 1"), "another program (songs)"),
        (
            "other steps",
            |path| database(path, "CREATE TABLE migrations (version TEXT); INSERT INTO migrations VALUES ('7')"),
            "another program (migrations)",
        ),
        (
            "steps with one column more",
            |path| database(path, "CREATE TABLE migrations (no, name, checksum, applied_at_ms, dirty)"),
            "another program (migrations)",
        ),
        ("a newer store", newer, "newer program (its schema is 99"),
    ];
    for (name, make, says) in made {
        let (folder, path) = file();
        make(&path);
        let before = all(folder.path());
        for _ in 0..2 {
            let refused = open(&path).expect_err(name).to_string();
            assert!(refused.contains(says) && !refused.contains('\n'), "{name}: {refused}");
            assert!(all(folder.path()) == before, "{name}: not a byte of it changed");
        }
        let target = folder.path().join("restored.db");
        let refused = Copy::of_backup(&path, &target, std::sync::Arc::new(SystemClock)).expect_err(name).to_string();
        assert!(!refused.contains('\n') && !target.exists(), "{name}: {refused}");
    }
}

/// Another program has it open and is in the middle of writing.
#[test]
fn a_database_that_is_being_written_is_refused_too() {
    let (folder, path) = file();
    database(&path, "CREATE TABLE songs (title TEXT)");
    let before = std::fs::read(&path).expect("its bytes");
    let writer = Connection::open(&path).expect("the other program");
    writer.execute_batch("BEGIN IMMEDIATE; INSERT INTO songs VALUES ('Aria')").expect("it writes");
    let refused = open(&path).expect_err("refused").to_string();
    assert!(refused.contains("another program (songs)"), "{refused}");
    assert_eq!(std::fs::read(&path).expect("its bytes"), before);
    writer.execute_batch("COMMIT").expect("it ends undisturbed");
    drop(folder);
}

#[test]
fn an_empty_file_and_a_link_to_nothing_become_stores() {
    type Make = fn(&Path);
    let made: [(&str, Make); 4] = [
        ("nothing", |_| ()),
        ("an empty file", |path| std::fs::write(path, "").expect("a file")),
        ("a database without a table", |path| database(path, "PRAGMA journal_mode = WAL; VACUUM")),
        ("a link", |path| std::os::unix::fs::symlink("elsewhere.db", path).expect("a link")),
    ];
    for (name, make) in made {
        let (_folder, path) = file();
        make(&path);
        drop(open(&path).expect(name));
        let store: SqliteStore = open(&path).expect(name);
        drop(store);
    }
}
