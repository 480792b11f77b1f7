//! A hold of four seats with its whole booking, beside a bare loop that inserts the same rows into
//! the same tables. Both sides take turns in one run, and only their ratio counts: one disk syncs
//! ten times as fast as another, and a busy machine ten times as slowly as an idle one.
//!
//! `cargo bench -p boxoffice-store --bench hold`. It fails if a bar is missed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use boxoffice::booking::{Channel, Customer};
use boxoffice::command::{Command, Hold, SeatPick, Seats};
use boxoffice::id::{BookingId, SeatNo, ShowNo, reference};
use boxoffice::service::Entropy;
use boxoffice::store::{Store, StoreError};
use boxoffice::testkit::{SeededEntropy, TestClock, hall};
use boxoffice_store::SqliteStore;
use futures_util::future::join_all;
use pollster::block_on;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

const SHOWS: u16 = 500;
const ROWS: u16 = 20;
const SEATS_PER_ROW: u16 = 20;
const PARTY: u16 = 4;
const CALLERS: usize = 64;
const PAIRS: usize = 7;
const HOLDS_EACH: usize = 60;
/// A lone caller's holds are timed a few at a time, so that both sides have the same weather.
const LONE_TURNS: usize = 20;
const LONE_HOLDS: usize = 20;

fn main() -> ExitCode {
    let folder = tempfile::tempdir().expect("a folder for the files");
    let mut ours = Ours::open(&folder.path().join("ours.db"));
    let mut bare = Bare::open(&folder.path().join("bare.db"));
    println!("{SHOWS} shows of {} seats, a hold of {PARTY}, {PAIRS} pairs in turn", ROWS * SEATS_PER_ROW);

    let crowd = (0..PAIRS).map(|_| {
        let (holds, took) = ours.crowd();
        let rate = holds as f64 / took.as_secs_f64();
        let (rows, took) = bare.insert(&ours.written(), CALLERS);
        let bare_rate = rows as f64 / took.as_secs_f64();
        println!("  {CALLERS} callers: {rate:>7.0} holds/s, bare loop {bare_rate:>7.0}, {CALLERS} per commit");
        (rate, bare_rate)
    });
    let crowd = median(crowd.map(|(ours, bare)| ours / bare).collect());
    let lone = (0..PAIRS).map(|_| {
        let (mut latency, mut bare_latency) = (Vec::new(), Vec::new());
        for _ in 0..LONE_TURNS {
            latency.extend(ours.lone());
            bare_latency.extend(bare.lone(&ours.written()));
        }
        let (latency, bare_latency) = (median(latency), median(bare_latency));
        println!("  one caller: {latency:>7.1} us, bare commit {bare_latency:>7.1} us");
        (latency, bare_latency)
    });
    let lone = median(lone.map(|(ours, bare)| ours / bare).collect());

    let refused = 100.0 * ours.refused as f64 / ours.asked as f64;
    println!("refused: {refused:.2} % of {}", ours.asked);
    let bars = [
        report(&format!("{CALLERS} callers, rate against the bare loop"), crowd, crowd >= 0.6, "at least 0.6"),
        report("one caller, latency against one bare commit", lone, lone <= 1.5, "at most 1.5"),
        refused < 5.0,
    ];
    if bars.iter().all(|met| *met) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn report(what: &str, ratio: f64, met: bool, bar: &str) -> bool {
    println!("{what}: {ratio:.2}, median of {PAIRS} pairs (bar: {bar}, {})", if met { "met" } else { "MISSED" });
    met
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn micros(took: Duration) -> f64 {
    took.as_secs_f64() * 1e6
}

/// A store with the shows imported, closed again.
fn prepare(path: &Path) {
    let names: Vec<String> = (0..ROWS).map(|n| format!("R{n}-")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut import = hall::import(SHOWS);
    import.layouts = vec![hall::layout(&names, SEATS_PER_ROW)];
    let store = open(path);
    let report = block_on(store.import(import, false)).expect("an import");
    assert_eq!(report.conflicts, Vec::<String>::new());
}

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, Arc::new(TestClock::at(hall::opening()))).expect("a store")
}

struct Ours {
    store: SqliteStore,
    path: PathBuf,
    entropy: SeededEntropy,
    /// Parties' seats that nobody has had yet, in no order.
    free: Vec<(ShowNo, u16)>,
    asked: usize,
    refused: usize,
    read_up_to: i64,
}

impl Ours {
    fn open(path: &Path) -> Self {
        prepare(path);
        let entropy = SeededEntropy::new(3);
        let parties = ROWS * SEATS_PER_ROW / PARTY;
        let party = |show| (0..parties).map(move |n| (ShowNo(show), n * PARTY));
        let mut free: Vec<(ShowNo, u16)> = (1..=u32::from(SHOWS)).flat_map(party).collect();
        for n in (1..free.len()).rev() {
            free.swap(n, usize::try_from(entropy.next() % (n as u64 + 1)).unwrap_or(0));
        }
        Self { store: open(path), path: path.to_owned(), entropy, free, asked: 0, refused: 0, read_up_to: 0 }
    }

    fn next(&mut self) -> Command {
        let (show, first) = self.free.pop().expect("seats for the whole run");
        let pick = |no| SeatPick { seat: SeatNo(no), ticket_type: "standard".into() };
        let mut random = [0; 12];
        self.entropy.fill(&mut random);
        let [a, b, c, d, e, f, rest @ ..] = random;
        Command::Hold(Box::new(Hold {
            booking: BookingId::new(show, hall::opening(), [a, b, c, d, e, f]),
            reference: reference(rest),
            seats: Seats::These((first..first + PARTY).map(pick).collect()),
            layout: hall::pin(),
            channel: Channel::Web,
            customer: Customer { email: Some("buyer@example.org".into()), ..Customer::default() },
            metadata: BTreeMap::new(),
            mine: Vec::new(),
            expected_total: None,
            promo: None,
        }))
    }

    /// All callers at once, each with one hold after the other. Successes and the time they took.
    fn crowd(&mut self) -> (usize, Duration) {
        let batches: Vec<Vec<Command>> = (0..CALLERS).map(|_| (0..HOLDS_EACH).map(|_| self.next()).collect()).collect();
        let store = &self.store;
        let caller = |holds: Vec<Command>| async move {
            let mut held = 0;
            for hold in holds {
                held += usize::from(succeeded(store.execute(hold.into()).await));
            }
            held
        };
        let start = Instant::now();
        let held: usize = block_on(join_all(batches.into_iter().map(caller))).into_iter().sum();
        let took = start.elapsed();
        self.asked += CALLERS * HOLDS_EACH;
        self.refused += CALLERS * HOLDS_EACH - held;
        (held, took)
    }

    /// The latencies of a few holds, one after the other, in microseconds.
    fn lone(&mut self) -> Vec<f64> {
        let latencies = (0..LONE_HOLDS).filter_map(|_| {
            let hold = self.next();
            let start = Instant::now();
            let held = succeeded(block_on(self.store.execute(hold.into())));
            let took = start.elapsed();
            self.asked += 1;
            self.refused += usize::from(!held);
            held.then(|| micros(took))
        });
        latencies.collect()
    }

    /// The rows of every hold since the last call, as they stand in the file.
    fn written(&mut self) -> Vec<Rows> {
        let connection = Connection::open(&self.path).expect("the file");
        let bookings =
            select(&connection, "SELECT * FROM bookings WHERE no > ?1 ORDER BY no", &[self.read_up_to.into()]);
        self.read_up_to += i64::try_from(bookings.len()).unwrap_or(0);
        let rows_of = |mut booking: Vec<Value>| {
            let (id, show) = (booking[1].clone(), booking[2].clone());
            booking[0] = Value::Null;
            let by = [show, id];
            let claims = "SELECT * FROM claims WHERE show_no = ?1 AND booking = ?2";
            let events = "SELECT * FROM events WHERE show_no = ?1 AND booking = ?2";
            Rows { claims: select(&connection, claims, &by), booking, events: select(&connection, events, &by) }
        };
        bookings.into_iter().map(rows_of).collect()
    }
}

fn succeeded<T>(answer: Result<T, StoreError>) -> bool {
    match answer {
        Ok(_) => true,
        Err(StoreError::Refused(_)) => false,
        Err(error) => panic!("{error}"),
    }
}

/// What one hold writes.
struct Rows {
    claims: Vec<Vec<Value>>,
    booking: Vec<Value>,
    events: Vec<Vec<Value>>,
}

fn select(connection: &Connection, sql: &str, by: &[Value]) -> Vec<Vec<Value>> {
    let mut statement = connection.prepare_cached(sql).expect("a statement");
    let columns = statement.column_count();
    let row = |row: &rusqlite::Row<'_>| (0..columns).map(|n| row.get(n)).collect::<rusqlite::Result<Vec<Value>>>();
    let rows = statement.query_map(params_from_iter(by), row).expect("rows");
    rows.collect::<rusqlite::Result<_>>().expect("their values")
}

/// The bare loop: the same tables and the same settings, nothing decided and nothing looked up.
struct Bare {
    connection: Connection,
}

impl Bare {
    fn open(path: &Path) -> Self {
        prepare(path);
        let connection = Connection::open(path).expect("the file");
        for (name, value) in [("journal_mode", "WAL"), ("synchronous", "FULL")] {
            connection.pragma_update(None, name, value).expect("a setting");
        }
        connection.pragma_update(None, "cache_size", -65_536).expect("a setting");
        connection.pragma_update(None, "wal_autocheckpoint", 4_000).expect("a setting");
        Self { connection }
    }

    fn insert(&mut self, rows: &[Rows], per_commit: usize) -> (usize, Duration) {
        let start = Instant::now();
        for batch in rows.chunks(per_commit) {
            self.commit(batch);
        }
        (rows.len(), start.elapsed())
    }

    /// The times of commits of one hold's rows each, in microseconds.
    fn lone(&mut self, rows: &[Rows]) -> Vec<f64> {
        let latencies = rows.chunks(1).map(|one| {
            let start = Instant::now();
            self.commit(one);
            micros(start.elapsed())
        });
        latencies.collect()
    }

    fn commit(&self, batch: &[Rows]) {
        let run = |sql: &str, values: &[Value]| {
            let mut statement = self.connection.prepare_cached(sql).expect("a statement");
            statement.execute(params_from_iter(values)).expect("it runs");
        };
        run("BEGIN IMMEDIATE", &[]);
        for rows in batch {
            rows.claims.iter().for_each(|claim| run("INSERT INTO claims VALUES (?1, ?2, ?3, ?4, ?5)", claim));
            run(
                "INSERT INTO bookings VALUES
                 (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
                &rows.booking,
            );
            rows.events.iter().for_each(|event| run("INSERT INTO events VALUES (?1, ?2, ?3, ?4, ?5, ?6)", event));
        }
        run("COMMIT", &[]);
    }
}
