//! The tables, as numbered steps that are never edited once released. Each is applied in a
//! transaction of its own and noted with its checksum; a store that has gone further than this
//! program knows is not touched.

use boxoffice::time::Timestamp;
use rusqlite::{Connection, ErrorCode, OptionalExtension, TransactionBehavior, params};
use sha2::{Digest, Sha256};

use super::OpenError;

struct Migration {
    name: &'static str,
    sql: &'static str,
}

/// In order; the n-th has the number n, from 1.
const MIGRATIONS: [Migration; 8] = [
    Migration { name: "start", sql: include_str!("migrations/0001_start.sql") },
    Migration { name: "money_back_and_the_door", sql: include_str!("migrations/0002_money_back_and_the_door.sql") },
    Migration { name: "exchanges", sql: include_str!("migrations/0003_exchanges.sql") },
    Migration { name: "deleting", sql: include_str!("migrations/0004_deleting.sql") },
    Migration { name: "newest", sql: include_str!("migrations/0005_newest.sql") },
    Migration { name: "staff_and_persons", sql: include_str!("migrations/0006_staff_and_persons.sql") },
    Migration { name: "closed_sales", sql: include_str!("migrations/0007_closed_sales.sql") },
    Migration { name: "references", sql: include_str!("migrations/0008_references.sql") },
];

/// What a file holds, before anything is written to it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    Nothing,
    Ours,
    /// Something of another program, in words.
    Foreign(String),
}

/// The note of the steps: a table of this name and these columns is ours.
const NOTE: [&str; 4] = ["no", "name", "checksum", "applied_at_ms"];
/// Tables of another program that are named.
const NAMED: usize = 3;

/// Looks what a file is and writes nothing.
///
/// # Errors
/// It is a store that this program must not touch, or it cannot be read.
pub(super) fn look(connection: &Connection) -> Result<Found, OpenError> {
    let tables = match names(connection, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name")
    {
        Ok(tables) => tables,
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
            return Ok(Found::Foreign("it is no SQLite database".into()));
        }
        Err(error) => return Err(error.into()),
    };
    if tables.is_empty() {
        return Ok(Found::Nothing);
    }
    if names(connection, "SELECT name FROM pragma_table_info('migrations') ORDER BY cid")? != NOTE {
        let more = if tables.len() > NAMED { ", …" } else { "" };
        let named = tables[..tables.len().min(NAMED)].join(", ");
        return Ok(Found::Foreign(format!("it holds tables of another program ({named}{more})")));
    }
    check(connection)?;
    Ok(Found::Ours)
}

fn names(connection: &Connection, sql: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(sql)?;
    statement.query_map([], |row| row.get(0))?.collect()
}

/// Brings the tables of a file that was looked at up to date. `now` dates what is applied, and numbers a new store's epoch.
pub(super) fn migrate(connection: &mut Connection, now: Timestamp) -> Result<(), OpenError> {
    connection.execute_batch(
        "CREATE TABLE IF NOT EXISTS migrations (
            no INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at_ms INTEGER NOT NULL
        ) STRICT",
    )?;
    check(connection)?;
    let is_new = connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM migrations)", [], |row| row.get(0))?;
    for (no, migration) in (1_i64..).zip(&MIGRATIONS) {
        apply(connection, no, migration, (now, is_new))?;
    }
    Ok(())
}

/// Refuses tables that a newer program has made.
pub(super) fn check(connection: &Connection) -> Result<(), OpenError> {
    let last: i64 = connection.query_row("SELECT coalesce(max(no), 0) FROM migrations", [], |row| row.get(0))?;
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    if last > known { Err(OpenError::Newer { found: last, known }) } else { Ok(()) }
}

/// Two processes may start at once: what is done is asked under the lock.
fn apply(
    connection: &mut Connection,
    no: i64,
    migration: &Migration,
    (now, is_new): (Timestamp, bool),
) -> Result<(), OpenError> {
    let checksum = checksum(migration.sql);
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done: Option<String> =
        tx.query_row("SELECT checksum FROM migrations WHERE no = ?1", [no], |row| row.get(0)).optional()?;
    if let Some(done) = done {
        return if done == checksum { Ok(()) } else { Err(OpenError::Edited { no, name: migration.name }) };
    }
    if !is_new {
        tracing::info!(
            no,
            name = migration.name,
            "the store's tables are brought up to date; a large one takes a while"
        );
    }
    tx.execute_batch(migration.sql)?;
    tx.execute(
        "INSERT INTO migrations (no, name, checksum, applied_at_ms) VALUES (?1, ?2, ?3, ?4)",
        params![no, migration.name, checksum, now.as_ms()],
    )?;
    if no == 1 {
        tx.execute("INSERT INTO meta VALUES (1, ?1, 0, 0, 0, NULL)", [now.as_ms()])?;
    }
    tx.commit()?;
    Ok(())
}

fn checksum(sql: &str) -> String {
    Sha256::digest(sql.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
