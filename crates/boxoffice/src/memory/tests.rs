//! What only the memory store can show of itself: its guard and its events.

use std::sync::Arc;

use super::MemoryStore;
use crate::claim::{Claim, ClaimChange};
use crate::clock::Clock;
use crate::command::{Effect, Outcome};
use crate::decide::Changes;
use crate::event::EventKind;
use crate::id::{SeatNo, ShowNo};
use crate::store::{Store, StoreError};
use crate::testkit::contract::Subject;
use crate::testkit::{World, hall};

/// Opens the one store that it was given.
struct This(Arc<MemoryStore>);

impl Subject for This {
    fn open(&self, _clock: Arc<dyn Clock>) -> Arc<dyn Store> {
        self.0.clone()
    }
}

#[test]
fn a_claim_change_whose_guard_misses_is_a_bug() {
    let store = MemoryStore::new(Arc::new(crate::testkit::TestClock::at(hall::opening())));
    pollster::block_on(store.import(hall::import(1), false)).unwrap();
    let books = store.books_of(ShowNo(1)).unwrap();
    let change = |was, seat| Changes {
        replaced: None,
        show: None,
        claims: vec![
            ClaimChange { seat: SeatNo(0), was: None, becomes: Some(Claim::Blocked { until: None }) },
            ClaimChange { seat: SeatNo(seat), was, becomes: Some(Claim::Blocked { until: None }) },
        ],
        events: Vec::new(),
        outcome: Outcome { at: store.now(), booking: None, effect: Effect::BlocksChanged },
    };
    for (was, seat) in [(Some(Claim::Blocked { until: None }), 1), (None, 36)] {
        let written = books.lock().write(change(was, seat), store.now());
        assert!(matches!(written, Err(StoreError::Bug(_))), "{written:?}");
        assert_eq!(books.lock().seats().claim(SeatNo(0)), None, "nothing of it was written");
    }
    books.lock().write(change(None, 1), store.now()).unwrap();
}

#[test]
fn events_are_numbered_without_gaps_and_the_last_is_the_version() {
    let store = Arc::new(MemoryStore::new(Arc::new(crate::testkit::TestClock::at(hall::opening()))));
    let this = This(store.clone());
    let world = World::open(&this).unwrap();
    let booking = world.hold(1, &["A1"]).unwrap();
    world.hold(1, &["A1"]).unwrap_err();
    world.pay(booking.id).unwrap();
    world.cancel(booking.id).unwrap();
    let show = world.show(1).unwrap().no;
    let events = store.events(show);
    let numbers: Vec<u64> = events.iter().map(|(no, _, _)| *no).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    assert_eq!(numbers.last(), Some(&world.seats(1).unwrap().seats.version));
    let kinds: Vec<&str> = events.iter().map(|(_, _, e)| EventKind::as_str(&e.kind)).collect();
    let told = ["held", "payment_started", "payment_succeeded", "confirmed", "cancelled", "refund_requested"];
    assert_eq!(kinds, told);
}

/// The road that a race hardly ever takes: a hold has found the show, and waits for its lock while it is deleted.
#[test]
fn case_097_who_waited_for_a_show_that_was_deleted_finds_nothing() {
    let store = Arc::new(MemoryStore::new(Arc::new(crate::testkit::TestClock::at(hall::opening()))));
    let this = This(store.clone());
    let world = World::open(&this).unwrap();
    let (show, hold) = (world.show(1).unwrap(), world.hold_command(1, &["A1"]).unwrap());
    let books = store.books_of(show.no).unwrap();
    std::thread::scope(|scope| {
        let mut locked = books.lock();
        let held = scope.spawn(|| world.run(hold));
        while Arc::strong_count(&books) < 3 {
            std::thread::yield_now();
        }
        locked.delete();
        drop(locked);
        assert_eq!(crate::testkit::world::code(&held.join().unwrap()), "not-found");
    });
    assert_eq!(books.lock().bookings().count(), 0);
}
