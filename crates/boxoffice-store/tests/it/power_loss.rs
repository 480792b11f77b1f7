//! Power loss: a child process sells over a file layer that loses what was not synced, is killed at
//! a random moment, and the file is opened again. Every answer it had given must still hold, and
//! the books must agree. With `synchronous=OFF` the same must lose some, or it proves nothing.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use boxoffice::booking::{Booking, BookingStatus};
use boxoffice::claim::Claim;
use boxoffice::id::BookingId;
use boxoffice::store::{ShowBooks, Store};
use boxoffice::testkit::{SeededEntropy, TestClock, hall};
use boxoffice_store::{OpenError, SqliteStore};
use pollster::block_on;

/// As the child expects them.
const SHOWS: u16 = 300;
/// Kills before a fresh file, so that the halls do not fill up.
const KILLS_PER_FILE: u64 = 10;
/// The child is killed after so many answers at most.
const ANSWERS: u64 = 400;

/// The furthest that the child was told a booking had come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Told {
    Held,
    Confirmed,
    RefundRequested,
}

#[test]
fn no_answer_is_lost_with_the_power() {
    let kills = std::env::var("BOXOFFICE_KILLS").ok().map_or(100, |n| n.parse().expect("BOXOFFICE_KILLS is a number"));
    let tally = run(kills, "full");
    assert!(tally.told > kills * 10, "too little was under way: {tally:?}");
    assert_eq!(tally.lost, Vec::<String>::new(), "of {} answers", tally.told);
}

#[test]
fn the_control_without_sync_loses_answers() {
    let tally = run(5, "off");
    assert!(!tally.lost.is_empty(), "nothing was lost, so the layer keeps nothing back: {tally:?}");
}

#[derive(Debug, Default)]
struct Tally {
    told: u64,
    lost: Vec<String>,
}

fn run(kills: u64, synchronous: &str) -> Tally {
    let entropy = SeededEntropy::new(7);
    let mut tally = Tally::default();
    for first in (0..kills).step_by(KILLS_PER_FILE as usize) {
        let (_folder, path) = fresh();
        for seed in first..kills.min(first + KILLS_PER_FILE) {
            let told = sell_until_killed(&path, seed, synchronous, entropy.next() % ANSWERS);
            tally.told += told.len() as u64;
            let lost = lost(&path, &told);
            let damaged = !lost.is_empty();
            tally.lost.extend(lost.into_iter().map(|what| format!("kill {seed}: {what}")));
            if damaged {
                break;
            }
        }
    }
    tally
}

/// Runs the child, kills it once it has given so many answers, and says what it had told.
fn sell_until_killed(path: &Path, seed: u64, synchronous: &str, answers: u64) -> BTreeMap<BookingId, Told> {
    let mut child = Command::new(child())
        .args([path.as_os_str(), seed.to_string().as_ref(), synchronous.as_ref()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the child starts");
    let mut told = BTreeMap::new();
    let answered = BufReader::new(child.stdout.take().expect("its answers"));
    for (n, line) in (0_u64..).zip(answered.split(b'\n')) {
        if n == answers {
            child.kill().expect("the kill");
        }
        // What was still in the pipe at the kill was told, too; a line cut short is not.
        let line = line.expect("an answer");
        if let Some((booking, what)) = std::str::from_utf8(&line).ok().and_then(read) {
            let best = told.entry(booking).or_insert(what);
            *best = what.max(*best);
        }
    }
    let status = child.wait().expect("the end of the child");
    assert!(!status.success() && status.code().is_none(), "the child ended by itself: {status}");
    told
}

/// Built beside the tests.
fn child() -> PathBuf {
    let mut path = std::env::current_exe().expect("this test's path");
    path.pop();
    path.pop();
    let path = path.join("examples").join("power_loss");
    assert!(path.exists(), "{} is missing: cargo build -p boxoffice-store --examples", path.display());
    path
}

fn read(line: &str) -> Option<(BookingId, Told)> {
    let (what, booking) = line.split_once(' ')?;
    let told = match what {
        "held" => Told::Held,
        "confirmed" => Told::Confirmed,
        "refund" => Told::RefundRequested,
        other => panic!("the child printed `{other}`"),
    };
    Some((booking.parse().ok()?, told))
}

/// Opens the file as it was left, with SQLite's own file layer, and names every answer that does
/// not hold and everything in the books that does not agree.
fn lost(path: &Path, told: &BTreeMap<BookingId, Told>) -> Vec<String> {
    match open(path) {
        Ok(store) => all_books(&store).map_or_else(|error| vec![error], |books| compare(&books, told)),
        Err(error) => vec![error.to_string()],
    }
}

fn all_books(store: &SqliteStore) -> Result<Vec<ShowBooks>, String> {
    let mut all: Vec<ShowBooks> = Vec::new();
    while let Some(books) = block_on(store.books(all.last().map(|b| b.show))).map_err(|error| error.to_string())? {
        all.push(books);
    }
    Ok(all)
}

fn compare(books: &[ShowBooks], told: &BTreeMap<BookingId, Told>) -> Vec<String> {
    let bookings: BTreeMap<BookingId, &Booking> =
        books.iter().flat_map(|books| &books.bookings).map(|booking| (booking.id, booking)).collect();
    let broken = told.iter().filter(|(id, told)| !bookings.get(id).is_some_and(|booking| holds(booking, **told)));
    let broken = broken.map(|(id, told)| format!("{told:?} {id}: {:?}", bookings.get(id).map(|b| b.status)));
    broken.chain(books.iter().flat_map(disagreements)).collect()
}

/// A later step may have been committed and its answer not given.
fn holds(booking: &Booking, told: Told) -> bool {
    match booking.status {
        BookingStatus::PendingPayment => told == Told::Held,
        BookingStatus::Confirmed => told <= Told::Confirmed,
        BookingStatus::Cancelled => booking.refunds.len() == 1,
        BookingStatus::Expired => false,
    }
}

/// Claims and bookings must name each other.
fn disagreements(books: &ShowBooks) -> Vec<String> {
    let mut wrong = Vec::new();
    let claims: BTreeMap<_, _> = books.claims.iter().copied().collect();
    for booking in &books.bookings {
        let claim = match booking.status {
            BookingStatus::PendingPayment => Some(Claim::Held { booking: booking.id, until: booking.expires_at }),
            BookingStatus::Confirmed => Some(Claim::Sold { booking: booking.id }),
            BookingStatus::Cancelled | BookingStatus::Expired => None,
        };
        let agrees = |no| claim.is_none_or(|claim| claims.get(&no) == Some(&claim));
        if !booking.seats.iter().all(|seat| agrees(seat.no)) {
            wrong.push(format!("booking {} is {:?} without its seats", booking.id, booking.status));
        }
    }
    let lives = |b: &Booking| matches!(b.status, BookingStatus::PendingPayment | BookingStatus::Confirmed);
    let seats: usize = books.bookings.iter().filter(|b| lives(b)).map(|b| b.seats.len()).sum();
    if seats != claims.len() {
        wrong.push(format!("show {}: {} claims for {seats} seats of live bookings", books.show.0, claims.len()));
    }
    wrong
}

/// The hall's clock stands still, so no hold reaches its deadline.
fn open(path: &Path) -> Result<SqliteStore, OpenError> {
    SqliteStore::open(path, Arc::new(TestClock::at(hall::opening())))
}

fn fresh() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("boxoffice.db");
    let store = open(&path).expect("a fresh store");
    let report = block_on(store.import(hall::import(SHOWS), false)).expect("an import");
    assert_eq!(report.conflicts, Vec::<String>::new());
    (folder, path)
}
