//! Power loss: a child process sells over a file layer that loses what was not synced, is killed at
//! a random moment, and the file is opened again. Every answer it had given must still hold, and
//! the audit must find nothing broken. The hall's clock stands still, so no hold ends by itself. With `synchronous=OFF` the same must lose some, or it proves nothing.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use boxoffice::audit::audit;
use boxoffice::booking::{Booking, BookingStatus};
use boxoffice::id::BookingId;
use boxoffice::store::Store;
use boxoffice::testkit::SeededEntropy;
use boxoffice_store::SqliteStore;
use pollster::block_on;

use crate::sale::{cinema, open};

/// How often, if not 100 times.
const KILLS: &str = "BOXOFFICE_KILLS";
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
    let kills = std::env::var(KILLS).ok().map_or(100, |n| n.parse().expect("a number of kills"));
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
        let (_folder, path, store) = cinema(SHOWS);
        drop(store);
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
        // Its temporary files are left behind at the kill, and go with the test's folder.
        .env("TMPDIR", path.parent().expect("the folder"))
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
/// not hold and everything that the audit finds broken.
fn lost(path: &Path, told: &BTreeMap<BookingId, Told>) -> Vec<String> {
    open(path).map_err(|error| error.to_string()).and_then(|store| compare(&store, told)).unwrap_or_else(|e| vec![e])
}

fn compare(store: &SqliteStore, told: &BTreeMap<BookingId, Told>) -> Result<Vec<String>, String> {
    let mut lost = Vec::new();
    for (id, told) in told {
        let booking = block_on(store.booking(*id)).map_err(|error| error.to_string())?;
        if !booking.as_ref().is_some_and(|booking| holds(booking, *told)) {
            lost.push(format!("{told:?} {id}: {:?}", booking.map(|b| b.status)));
        }
    }
    let audit = block_on(audit(store)).map_err(|error| error.to_string())?;
    lost.extend(audit.checks.into_iter().flat_map(|check| check.broken));
    Ok(lost)
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
