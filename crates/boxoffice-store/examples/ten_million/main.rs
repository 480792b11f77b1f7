//! Does a store grow slow? Fills one with many bookings and measures it beside one that has the same
//! shows and no booking: how long it takes to open, and what a hold costs, both sides in turn.
//!
//! `cargo xtask ten-million` runs it, and then starts the server on both. It fails if a bar is missed.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use boxoffice::booking::{Channel, Customer};
use boxoffice::clock::SystemClock;
use boxoffice::command::{Command, Hold, SeatPick, Seats};
use boxoffice::id::{BookingId, SeatNo, ShowNo, reference};
use boxoffice::service::Entropy;
use boxoffice::store::Store;
use boxoffice::testkit::SeededEntropy;
use boxoffice_store::SqliteStore;
use pollster::block_on;

mod fill;
mod template;

/// Shows that are on sale while it is measured, spread over all.
const ON_SALE: u32 = 500;
const PARTY: u16 = 4;
const PAIRS: usize = 9;
const HOLDS: usize = 400;
const HOLD_BAR: f64 = 1.2;
const OPEN_BAR: f64 = 3.0;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (folder, bookings) = (words.next(), words.next().and_then(|n| n.parse().ok()));
    let (Some(folder), Some(bookings)) = (folder, bookings) else {
        eprintln!("usage: ten_million FOLDER BOOKINGS");
        return ExitCode::FAILURE;
    };
    let [full, empty] = ["full", "empty"].map(|name| Path::new(&folder).join(name).join("boxoffice.db"));
    let begun = Instant::now();
    template::make(&full);
    let shows = fill::multiply(&full, bookings);
    fill::copy_without_bookings(&full, &empty);
    println!("{shows} shows of {} seats, {} filled in {:.0?}", template::SEATS, sizes(&full), begun.elapsed());
    if measure(&full, &empty, shows) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn sizes(path: &Path) -> String {
    let connection = rusqlite::Connection::open(path).expect("the file");
    let count = |table: &str| -> i64 {
        connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).expect("a count")
    };
    let tables = ["bookings", "claims", "payments", "tickets", "events", "ledger", "notices"];
    let counts: Vec<String> = tables.iter().map(|table| format!("{} {table}", count(table))).collect();
    let bytes = std::fs::metadata(path).expect("the file").len();
    format!("{} MB: {}", bytes / 1_000_000, counts.join(", "))
}

fn measure(full: &Path, empty: &Path, shows: u32) -> bool {
    let mut opened = (Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        opened.0.push(open(full).1);
        opened.1.push(open(empty).1);
    }
    let (full_opens, empty_opens) = (median(opened.0), median(opened.1));
    let opens = full_opens.as_secs_f64() / empty_opens.as_secs_f64();
    println!("to open: {full_opens:.2?} and {empty_opens:.2?}, ratio {opens:.2} (bar: below {OPEN_BAR})");

    let (mut full, mut empty) = (Seller::on(full, shows), Seller::on(empty, shows));
    // What both have to read for the first time is read before.
    full.hold(HOLDS);
    empty.hold(HOLDS);
    let pairs: Vec<(Duration, Duration)> = (0..PAIRS).map(|_| (full.hold(HOLDS), empty.hold(HOLDS))).collect();
    let ratio =
        median(pairs.iter().map(|(full, empty)| full.as_secs_f64() / empty.as_secs_f64()).map(Ratio).collect()).0;
    let (a, b) = (median(pairs.iter().map(|p| p.0).collect()), median(pairs.iter().map(|p| p.1).collect()));
    println!("a hold of {PARTY}, one after the other: {a:.1?} and {b:.1?}, ratio {ratio:.2} (bar: at most {HOLD_BAR})");
    opens < OPEN_BAR && ratio <= HOLD_BAR
}

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
struct Ratio(f64);

fn median<T: PartialOrd + Copy>(mut values: Vec<T>) -> T {
    values.sort_by(|a, b| a.partial_cmp(b).expect("figures"));
    values[values.len() / 2]
}

fn open(path: &Path) -> (SqliteStore, Duration) {
    let begun = Instant::now();
    let store = SqliteStore::open(path, Arc::new(SystemClock)).expect("a store");
    (store, begun.elapsed())
}

/// Holds seats that nobody has had, each show in its turn.
struct Seller {
    store: SqliteStore,
    entropy: SeededEntropy,
    parties: Vec<(ShowNo, Vec<SeatNo>)>,
}

impl Seller {
    fn on(path: &Path, shows: u32) -> Self {
        let store = open(path).0;
        let step = (shows / ON_SALE).max(1);
        let on_sale: Vec<ShowNo> = (1..=shows).rev().step_by(step as usize).map(ShowNo).collect();
        let free = |no: &ShowNo| {
            let read = block_on(store.seats(*no)).expect("seats");
            let free = (0..template::SEATS).map(SeatNo).filter(|seat| read.seats.is_free(*seat, read.now));
            free.collect::<Vec<_>>()
        };
        let free: Vec<(ShowNo, Vec<SeatNo>)> = on_sale.iter().map(|no| (*no, free(no))).collect();
        let party = |n: usize| {
            let chunk = |(no, free): &(ShowNo, Vec<SeatNo>)| {
                free.chunks_exact(usize::from(PARTY)).nth(n).map(|seats| (*no, seats.to_vec()))
            };
            free.iter().filter_map(chunk).collect::<Vec<_>>()
        };
        let parties = (0..20).flat_map(party).collect();
        Self { store, entropy: SeededEntropy::new(7), parties }
    }

    fn command(&mut self) -> Command {
        let (show, seats) = self.parties.pop().expect("seats for the whole run");
        let pick = |seat| SeatPick { seat, ticket_type: "standard".into() };
        let mut random = [0; 12];
        self.entropy.fill(&mut random);
        let [a, b, c, d, e, f, rest @ ..] = random;
        Command::Hold(Box::new(Hold {
            booking: BookingId::new(show, self.store.now(), [a, b, c, d, e, f]),
            reference: reference(rest),
            seats: Seats::These(seats.into_iter().map(pick).collect()),
            layout: template::pin(),
            channel: Channel::Web,
            customer: Customer { email: Some("buyer@example.org".into()), ..Customer::default() },
            metadata: std::collections::BTreeMap::new(),
            mine: Vec::new(),
            expected_total: None,
            promo: None,
        }))
    }

    /// The median of this many holds, each answered before the next.
    fn hold(&mut self, holds: usize) -> Duration {
        let times = (0..holds).map(|_| {
            let command = self.command();
            let begun = Instant::now();
            block_on(self.store.execute(command.into())).expect("a hold of free seats");
            begun.elapsed()
        });
        median(times.collect())
    }
}
