//! One show with all its bookings, made by the store itself: half of them sold, the others lapsed or
//! given back. Every other show is a copy of its rows.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use boxoffice::clock::Clock;
use boxoffice::command::Command;
use boxoffice::layout::LayoutPin;
use boxoffice::store::Store;
use boxoffice::testkit::contract::Subject;
use boxoffice::testkit::{World, hall};
use boxoffice_store::SqliteStore;

const ROWS: u16 = 20;
const SEATS_PER_ROW: u16 = 20;
pub(crate) const SEATS: u16 = ROWS * SEATS_PER_ROW;

struct File(PathBuf);

impl Subject for File {
    fn open(&self, clock: Arc<dyn Clock>) -> Arc<dyn Store> {
        Arc::new(SqliteStore::open(&self.0, clock).expect("a store"))
    }
}

/// The hall as it stands after the import.
pub(crate) fn pin() -> LayoutPin {
    LayoutPin { version: 2, ..hall::pin() }
}

/// Makes the store with its first show, a booking for each of its seats.
pub(crate) fn make(path: &Path) {
    let file = File(path.to_owned());
    let world = World::open(&file).expect("a cinema");
    let names: Vec<String> = (0..ROWS).map(|n| format!("R{n}-")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut import = hall::import(1);
    import.layouts = vec![hall::layout(&names, SEATS_PER_ROW)];
    world.import(import).expect("the large hall");
    let labels = (0..ROWS).flat_map(|row| (1..=SEATS_PER_ROW).map(move |seat| format!("R{row}-{seat}")));
    let mut lapsing = Vec::new();
    for (n, label) in labels.enumerate() {
        let booking = world.hold(1, &[&label]).expect("a free seat");
        match n % 10 {
            0..5 => drop(world.pay(booking.id).expect("a payment")),
            5 => drop(world.cancel(booking.id).expect("a release")),
            _ => lapsing.push(booking),
        }
    }
    let last = lapsing.iter().map(|booking| booking.expires_at).max().expect("a hold");
    world.clock.set(last);
    for booking in lapsing {
        world.run(Command::Expire { booking: booking.id }).expect("it has lapsed");
    }
}
