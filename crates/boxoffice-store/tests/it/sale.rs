//! A small cinema in a file, and short ways to sell its seats.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boxoffice::booking::{Channel, Customer};
use boxoffice::command::{Command, Hold, SeatPick, Seats};
use boxoffice::id::{BookingId, SeatNo, ShowNo, reference};
use boxoffice::store::{Done, Store, StoreError};
use boxoffice::testkit::{TestClock, hall};
use boxoffice::time::Timestamp;
use boxoffice_store::{OpenError, SqliteStore};
use pollster::block_on;

/// A file for a store, in a folder that goes with the first of the pair.
pub(crate) fn file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("boxoffice.db");
    (folder, path)
}

/// By a clock that stands at the opening.
pub(crate) fn open(path: &Path) -> Result<SqliteStore, OpenError> {
    open_at(path, hall::opening())
}

pub(crate) fn open_at(path: &Path, now: Timestamp) -> Result<SqliteStore, OpenError> {
    SqliteStore::open(path, Arc::new(TestClock::at(now)))
}

/// A store with the hall and so many shows.
pub(crate) fn cinema(shows: u16) -> (tempfile::TempDir, PathBuf, SqliteStore) {
    let (folder, path) = file();
    let store = open(&path).expect("a fresh store");
    let report = block_on(store.import(hall::import(shows), false)).expect("an import");
    assert_eq!(report.conflicts, Vec::<String>::new());
    (folder, path, store)
}

/// A hold of one seat. The same number makes the same booking.
pub(crate) fn hold(show: u32, seat: u16, number: u8) -> Command {
    Command::Hold(Box::new(Hold {
        booking: booking(show, number),
        reference: reference([number; 6]),
        seats: Seats::These(vec![SeatPick { seat: SeatNo(seat), ticket_type: "standard".into() }]),
        layout: hall::pin(),
        channel: Channel::Web,
        customer: Customer { email: Some("buyer@example.org".into()), ..Customer::default() },
        metadata: BTreeMap::new(),
        mine: Vec::new(),
        expected_total: None,
        promo: None,
    }))
}

pub(crate) fn booking(show: u32, number: u8) -> BookingId {
    BookingId::new(ShowNo(show), hall::opening(), [number; 6])
}

pub(crate) fn execute(store: &SqliteStore, command: Command) -> Result<Done, StoreError> {
    block_on(store.execute(command.into()))
}
