//! The seat map that is kept is never another than the one that would be made now: after each step
//! of every kind, by this process and by another, and after the bare passing of time.

use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::to_bytes;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use boxoffice::booking::StaffNote;
use boxoffice::catalogue::Import;
use boxoffice::clock::Clock;
use boxoffice::command::{Block, Command};
use boxoffice::id::{BookingId, SeatNo};
use boxoffice::store::{ClockChange, Store};
use boxoffice::testkit::contract::Subject;
use boxoffice::testkit::{Memory, TestClock, World, hall};
use boxoffice::time::{Span, Timestamp};
use boxoffice_server::http::seat_maps::SeatMaps;
use boxoffice_store::SqliteStore;
use pollster::block_on;
use proptest::prelude::*;
use serde_json::Value;

use crate::cinema::faulty::FaultyStore;

/// What happens to the first show, or to the clock. Whatever is refused changes nothing, which the
/// map must say, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Hold,
    Release,
    Confirm,
    /// One millisecond before the first deadline of all.
    AlmostLapse,
    /// To the very instant of that deadline, and no job runs.
    Lapse,
    /// The job that tidies lapsed holds.
    Expire,
    Block,
    BlockUntil,
    Unblock,
    /// Another version of the hall, which a show without claims takes.
    Relayout,
    SetClock,
    CancelShow,
    /// Another process on the same file, if the store has one.
    OtherHolds,
    OtherSetsClock,
    OtherRelayouts,
    OtherShow,
}

const STEPS: [Step; 16] = [
    Step::Hold,
    Step::Release,
    Step::Confirm,
    Step::AlmostLapse,
    Step::Lapse,
    Step::Expire,
    Step::Block,
    Step::BlockUntil,
    Step::Unblock,
    Step::Relayout,
    Step::SetClock,
    Step::CancelShow,
    Step::OtherHolds,
    Step::OtherSetsClock,
    Step::OtherRelayouts,
    Step::OtherShow,
];

struct Sqlite(tempfile::TempDir);

impl Sqlite {
    fn path(&self) -> PathBuf {
        self.0.path().join("maps.db")
    }
}

impl Subject for Sqlite {
    fn open(&self, clock: Arc<dyn Clock>) -> Arc<dyn Store> {
        Arc::new(SqliteStore::open(&self.path(), clock).expect("a store"))
    }
}

/// A cinema, whoever keeps its maps, and perhaps another process on its store.
struct Scene<'a> {
    world: World<'a>,
    maps: SeatMaps,
    /// What the maps are read from.
    read: Arc<FaultyStore>,
    other: Option<Arc<dyn Store>>,
    bookings: Vec<BookingId>,
    steps: usize,
}

impl<'a> Scene<'a> {
    fn on(subject: &'a dyn Subject, other: impl FnOnce(Arc<dyn Clock>) -> Option<Arc<dyn Store>>) -> Self {
        let world = World::open(subject).expect("a world");
        let other = other(world.clock.clone());
        let read = Arc::new(FaultyStore::over(world.store.clone()));
        Self { world, maps: SeatMaps::default(), read, other, bookings: Vec::new(), steps: 0 }
    }

    fn layout(&self) -> Import {
        let mut import = hall::import(0);
        let rows = ["A", "B", "C", "D", "E", "F"];
        import.layouts = vec![hall::layout(&rows[..3 + self.steps % 3], 12)];
        import
    }

    fn hold(&mut self, store: &Arc<dyn Store>) {
        let row = ["A", "B", "C"][self.steps % 3];
        let labels = [1, 2].map(|n| format!("{row}{}", (self.steps * 2 + n) % 12 + 1));
        let hold = self.world.hold_command(1, &[labels[0].as_str(), labels[1].as_str()]).expect("a hold");
        if let Ok(done) = block_on(store.execute(hold.into())) {
            self.bookings.extend(done.outcome.booking.map(|booking| booking.id));
        }
    }

    fn block(&self, until: Option<Timestamp>, make: fn(Block) -> Command) {
        let show = self.world.show(1).expect("the show");
        let seat = SeatNo(u16::try_from(self.steps % 36).expect("a seat"));
        let note = Some(StaffNote { reason: "broken".into(), by: "key".into() });
        let block = Block { show: show.no, seats: vec![seat], layout: show.layout.pin(), until, note };
        drop(self.world.run(make(block)));
    }

    fn lapse(&self) -> Option<Timestamp> {
        let read = self.world.seats(1).expect("seats");
        read.seats.next_lapse(read.now)
    }

    /// Does a step; one that has nothing to work on does nothing.
    fn take(&mut self, step: Step) {
        self.steps += 1;
        let last = self.bookings.last().copied();
        let own = self.world.store.clone();
        let advance = ClockChange::Advance { by_ms: 70_000, freeze: false };
        match step {
            Step::Hold => self.hold(&own),
            Step::Release => drop(last.map(|id| self.world.cancel(id))),
            Step::Confirm => drop(last.map(|id| self.world.pay(id))),
            Step::AlmostLapse => drop(self.lapse().map(|at| self.move_clock_to(at - Span::from_ms(1)))),
            Step::Lapse => drop(self.lapse().map(|at| self.move_clock_to(at))),
            Step::Expire => self.bookings.iter().for_each(|id| drop(self.world.run(Command::Expire { booking: *id }))),
            Step::Block => self.block(None, Command::Block),
            Step::BlockUntil => self.block(Some(self.world.now() + Span::from_secs(90)), Command::Block),
            Step::Unblock => self.block(None, Command::Unblock),
            Step::Relayout => drop(self.world.import(self.layout())),
            Step::SetClock => drop(block_on(own.set_clock(advance))),
            Step::CancelShow => {
                let show = self.world.show(1).expect("the show").no;
                drop(self.world.run(cancel_show(show)));
            }
            Step::OtherHolds => drop(self.other.clone().map(|other| self.hold(&other))),
            Step::OtherSetsClock => drop(self.other.clone().map(|other| block_on(other.set_clock(advance)))),
            Step::OtherRelayouts => {
                drop(self.other.clone().map(|other| block_on(other.import(self.layout(), false))));
            }
            Step::OtherShow => drop(self.world.hold(2, &["A1"])),
        }
    }

    /// The machine's clock goes on; the store's is ahead of it where it was set.
    fn move_clock_to(&self, at: Timestamp) {
        self.world.clock.advance(at - self.world.now());
    }

    /// What the kept map says, if it is another than the seats read now.
    fn difference(&self) -> Option<String> {
        let id = hall::show_id(1);
        let map = block_on(self.maps.now(&*self.read, &id)).expect("a map");
        let answer = map.answer(&HeaderMap::new()).expect("an answer");
        let body = block_on(to_bytes(answer.into_body(), usize::MAX)).expect("a body");
        let said: Value = serde_json::from_slice(&body).expect("JSON");
        let read = block_on(self.world.store.seats(self.world.show(1).expect("the show").no)).expect("seats");
        let seats = said["seats"].as_array().expect("seats");
        let statuses: Vec<&str> = seats.iter().map(|seat| seat["status"].as_str().expect("a status")).collect();
        let now: Vec<&str> = (0..seats.len()).map(|n| read.seats.status(SeatNo(n as u16), read.now).as_str()).collect();
        let layout = (seats.len(), said["layout_version"].as_u64(), said["version"].as_u64());
        let is = (read.show.layout.seats().len(), Some(read.show.layout.version().into()), Some(read.seats.version));
        let fresh = block_on(SeatMaps::default().now(&*self.world.store, &id)).expect("a map");
        let tags = [map, fresh].map(|map| map.answer(&HeaderMap::new()).expect("an answer").headers()[ETAG].clone());
        let differs = statuses != now || layout != is || tags[0] != tags[1];
        differs.then(|| format!("{layout:?} {tags:?} {statuses:?}\nis\n{is:?} {now:?}"))
    }
}

fn cancel_show(show: boxoffice::id::ShowNo) -> Command {
    use boxoffice::show::RefundChoice;
    let note = StaffNote { reason: "no film".into(), by: "key".into() };
    Command::CancelShow { show, refunds: RefundChoice::Later, note }
}

/// After each step the map is right, asked for twice.
fn walk(scene: &mut Scene<'_>, steps: &[Step]) -> Result<(), String> {
    for (at, step) in steps.iter().enumerate() {
        scene.take(*step);
        for _ in 0..2 {
            if let Some(difference) = scene.difference() {
                return Err(format!("after {:?}: {difference}", &steps[..=at]));
            }
        }
    }
    Ok(())
}

fn on_sqlite(steps: &[Step]) -> Result<(), String> {
    let subject = Sqlite(tempfile::tempdir().expect("a folder"));
    let path = subject.path();
    let other = |clock| Some(Arc::new(SqliteStore::open(&path, clock).expect("a second handle")) as Arc<dyn Store>);
    walk(&mut Scene::on(&subject, other), steps)
}

fn in_memory(steps: &[Step]) -> Result<(), String> {
    walk(&mut Scene::on(&Memory, |_| None), steps)
}

/// Every step after every other, on one store: each pair in its order, with holds between them.
#[test]
fn a_kept_map_is_as_fresh_as_a_new_one_after_each_pair_of_steps() {
    let pairs = STEPS.iter().flat_map(|first| STEPS.iter().map(move |second| [Step::Hold, *first, *second]));
    for first in STEPS.chunks(4) {
        let of_these = pairs.clone().filter(|[_, one, _]| first.contains(one) && *one != Step::CancelShow);
        let steps: Vec<Step> = of_these.flatten().filter(|step| *step != Step::CancelShow).collect();
        on_sqlite(&steps).expect("the map of SQLite's store");
        in_memory(&steps).expect("the map of the store in memory");
    }
    on_sqlite(&[Step::Hold, Step::CancelShow, Step::Release, Step::Relayout]).expect("the map of a cancelled show");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn a_kept_map_is_as_fresh_as_a_new_one_after_a_random_walk(
        steps in proptest::collection::vec(proptest::sample::select(&STEPS[..]), 1..40)
    ) {
        prop_assert_eq!(on_sqlite(&steps), Ok(()));
        prop_assert_eq!(in_memory(&steps), Ok(()));
    }
}

/// The control: where the store is not asked whether the map still stands, each of these steps is missed.
#[test]
fn without_a_look_at_the_store_the_map_grows_stale() {
    let begun = [Step::Hold, Step::OtherShow];
    for missed in [Step::Hold, Step::Release, Step::Confirm, Step::Lapse, Step::Block, Step::OtherHolds] {
        let subject = Sqlite(tempfile::tempdir().expect("a folder"));
        let path = subject.path();
        let other = |clock| Some(Arc::new(SqliteStore::open(&path, clock).expect("a second handle")) as Arc<dyn Store>);
        let mut scene = Scene::on(&subject, other);
        walk(&mut scene, &begun).expect("the map before");
        scene.read.stuck.store(true, Ordering::SeqCst);
        assert_eq!(scene.difference(), None);
        assert!(walk(&mut scene, &[missed]).is_err(), "{missed:?} was seen without a look");
    }
}

/// A restore starts another epoch, as another store does that begins at another instant.
#[test]
fn a_store_of_another_epoch_has_other_tags() {
    let folder = tempfile::tempdir().expect("a folder");
    let maps = SeatMaps::default();
    let tags = [0, 1].map(|ms| {
        let clock = Arc::new(TestClock::at(hall::opening() + Span::from_ms(ms)));
        let store = SqliteStore::open(&folder.path().join(format!("{ms}.db")), clock).expect("a store");
        block_on(store.import(hall::import(1), false)).expect("an import");
        let map = block_on(maps.now(&store, &hall::show_id(1))).expect("a map");
        map.answer(&HeaderMap::new()).expect("an answer").headers()[ETAG].clone()
    });
    assert_ne!(tags[0], tags[1]);
}

/// Headers asked with, and what is answered: status, coding.
#[test]
fn each_coding_has_a_tag_of_its_own() {
    let world = World::open(&Memory).expect("a world");
    let map = block_on(SeatMaps::default().now(&*world.store, &hall::show_id(1))).expect("a map");
    let tag = |asked: &HeaderMap| map.answer(asked).expect("an answer").headers()[ETAG].clone();
    let with = |accepted: &str, known: Option<&HeaderValue>| {
        let mut asked = HeaderMap::new();
        asked.insert(ACCEPT_ENCODING, accepted.parse().expect("a value"));
        asked.extend(known.map(|tag| (IF_NONE_MATCH, tag.clone())));
        asked
    };
    let (plain, gzip) = (tag(&HeaderMap::new()), tag(&with("gzip", None)));
    assert_ne!(plain, gzip);
    let weak = HeaderValue::from_str(&format!("\"x\", W/{}", plain.to_str().expect("text"))).expect("a value");
    let star = HeaderValue::from_static("*");
    let cases = [
        ("", None, StatusCode::OK, None),
        ("br, deflate", None, StatusCode::OK, None),
        ("gzip", None, StatusCode::OK, Some("gzip")),
        ("br, GZIP;q=0.5", None, StatusCode::OK, Some("gzip")),
        ("gzip;q=0", None, StatusCode::OK, None),
        ("gzip; q=0.0, identity", None, StatusCode::OK, None),
        ("gzip;q=much", None, StatusCode::OK, None),
        ("", Some(&plain), StatusCode::NOT_MODIFIED, None),
        ("", Some(&weak), StatusCode::NOT_MODIFIED, None),
        ("", Some(&star), StatusCode::NOT_MODIFIED, None),
        ("gzip", Some(&gzip), StatusCode::NOT_MODIFIED, None),
        ("gzip", Some(&plain), StatusCode::OK, Some("gzip")),
        ("", Some(&gzip), StatusCode::OK, None),
    ];
    for (accepted, known, status, coding) in cases {
        let answer = map.answer(&with(accepted, known)).expect("an answer");
        let said = answer.headers().get(CONTENT_ENCODING).map(|value| value.to_str().expect("text"));
        assert_eq!((answer.status(), said), (status, coding), "{accepted} {known:?}");
        assert_eq!(answer.headers()[VARY], "accept-encoding");
    }
    let body = |asked: &HeaderMap| {
        let answer = map.answer(asked).expect("an answer");
        block_on(to_bytes(answer.into_body(), usize::MAX)).expect("a body")
    };
    let mut opened = Vec::new();
    flate2::read::GzDecoder::new(&*body(&with("gzip", None))).read_to_end(&mut opened).expect("gzip");
    assert_eq!(opened, body(&HeaderMap::new()));
}

#[test]
fn a_deleted_show_has_no_map() {
    use boxoffice::catalogue::delete::{Kind, Thing};
    let subject = Sqlite(tempfile::tempdir().expect("a folder"));
    for subject in [&Memory as &dyn Subject, &subject] {
        let world = World::open(subject).expect("a world");
        let (maps, id) = (SeatMaps::default(), hall::show_id(1));
        let tag = |world: &World<'_>| {
            let map = block_on(maps.now(&*world.store, &id)).ok()?;
            Some(map.answer(&HeaderMap::new()).expect("an answer").headers()[ETAG].clone())
        };
        let before = tag(&world).expect("a map");
        let thing = Thing::named(Kind::Shows, "show-1").expect("a show's name");
        block_on(world.store.delete(thing)).expect("it is deleted");
        assert_eq!(tag(&world), None, "the map of a deleted show");
        world.import(hall::import(1)).expect("it comes back");
        assert_ne!(tag(&world), Some(before), "another show of the same name has the same tag");
    }
}
