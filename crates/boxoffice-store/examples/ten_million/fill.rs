//! Copies the rows of the first show under other numbers, straight into the tables: the same rows
//! as of real bookings, in hours less.

use std::path::Path;

use rusqlite::Connection;

/// Rows that belong to a show, in the order of what refers to what.
const TABLES: [&str; 8] = ["shows", "claims", "bookings", "payments", "tickets", "notices", "events", "ledger"];
const SHOWS_PER_COMMIT: u32 = 500;

fn open(path: &Path) -> Connection {
    let connection = Connection::open(path).expect("the file");
    for (name, value) in [("journal_mode", "DELETE"), ("synchronous", "OFF"), ("foreign_keys", "OFF")] {
        connection.pragma_update(None, name, value).expect("a setting");
    }
    connection.pragma_update(None, "journal_mode", "MEMORY").expect("a setting");
    connection.pragma_update(None, "cache_size", -600_000).expect("a setting");
    connection
}

/// What a column of a copy holds; ?1 is the show's number.
fn value(table: &str, column: &str) -> String {
    let id = |column: &str| format!("unhex(printf('%08X', ?1) || substr(hex({column}), 9))");
    match (table, column) {
        ("shows", "no") | (_, "show_no") => "?1".to_owned(),
        ("shows", "id") => "'show-' || ?1".to_owned(),
        ("shows", "starts_at_ms") => "starts_at_ms + ?1 * 60000".to_owned(),
        ("shows", "body") => "replace(body, '\"show-1\"', '\"show-' || ?1 || '\"')".to_owned(),
        // Read with one booking at a time, and most of the file: cut off, so that ten million take 12 GB.
        ("bookings", "terms") => "substr(terms, 1, 300)".to_owned(),
        ("bookings", "no") => "NULL".to_owned(),
        ("bookings", "id") | (_, "booking") => id(column),
        ("bookings", "reference") => "hex(randomblob(4))".to_owned(),
        ("bookings", "due_at_ms") => "due_at_ms + ?1 * 1000".to_owned(),
        ("payments", "payment_id") => "payment_id || '-' || ?1".to_owned(),
        // They were sent long ago.
        ("notices", "status") => "'sent'".to_owned(),
        ("notices", "next_try_at_ms") => "NULL".to_owned(),
        _ => column.to_owned(),
    }
}

fn copies(connection: &Connection) -> Vec<String> {
    let copy = |table: &&str| {
        let mut columns = connection.prepare("SELECT name FROM pragma_table_info(?1)").expect("a statement");
        let columns = columns.query_map([table], |row| row.get::<_, String>(0)).expect("columns");
        let columns: Vec<String> = columns.collect::<rusqlite::Result<_>>().expect("their names");
        let values: Vec<String> = columns.iter().map(|column| value(table, column)).collect();
        let of_the_first = match *table {
            "shows" => "no = 1",
            "bookings" => "id < x'00000002'",
            "claims" | "events" | "ledger" => "show_no = 1",
            _ => "booking < x'00000002'",
        };
        format!(
            "INSERT INTO {table} ({}) SELECT {} FROM {table} WHERE {of_the_first}",
            columns.join(", "),
            values.join(", ")
        )
    };
    TABLES.iter().map(copy).collect()
}

/// Copies the first show until there are this many bookings. Answers how many shows there are.
pub(crate) fn multiply(path: &Path, bookings: u64) -> u32 {
    let mut connection = open(path);
    // The small cinema's other shows make room.
    connection.execute("DELETE FROM shows WHERE no > 1", []).expect("they are not booked");
    let each: u32 = connection.query_row("SELECT count(*) FROM bookings", [], |row| row.get(0)).expect("a count");
    let shows = u32::try_from(bookings.div_ceil(each.into())).expect("a number of shows");
    let copies = copies(&connection);
    let mut next = 2;
    while next <= shows {
        let tx = connection.transaction().expect("a transaction");
        for show in (next..=shows).take(SHOWS_PER_COMMIT as usize) {
            for copy in &copies {
                tx.prepare_cached(copy).expect("a copy").execute([show]).expect("rows");
            }
            next = show + 1;
        }
        tx.commit().expect("a commit");
    }
    shows
}

/// The same programme, and nothing sold.
pub(crate) fn copy_without_bookings(full: &Path, empty: &Path) {
    let source = Connection::open(full).expect("the file");
    let target = open(empty);
    let mut schema =
        source.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid").expect("its tables");
    let schema = schema.query_map([], |row| row.get::<_, String>(0)).expect("tables");
    for sql in schema.collect::<rusqlite::Result<Vec<_>>>().expect("their words") {
        if !sql.contains("sqlite_") {
            target.execute_batch(&sql).expect("a table");
        }
    }
    target.execute("ATTACH ?1 AS full", [full.to_string_lossy()]).expect("both files");
    for table in ["migrations", "meta", "catalogue", "layouts", "deleted_layouts", "documents", "shows"] {
        target.execute(&format!("INSERT INTO main.{table} SELECT * FROM full.{table}"), []).expect("rows");
    }
}
