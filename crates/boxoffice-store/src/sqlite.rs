//! The store in one SQLite file. One thread writes, all that has gathered in one transaction and
//! durable before it is answered; readers have their own connections and never wait for it.
//! Several processes may open the file, though only one may serve from it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use boxoffice::action::{Action, ActionFilter, Deed};
use boxoffice::booking::{Booking, Notice};
use boxoffice::catalogue::delete::Thing;
use boxoffice::catalogue::{Catalogue, Import, ImportReport};
use boxoffice::clock::Clock;
use boxoffice::command::{Idempotency, Step};
use boxoffice::id::{AttemptId, BookingId, NoticeId, ShowId, ShowNo, TheatreId};
use boxoffice::ledger::Line;
use boxoffice::promo::uses::{PromoAsk, PromoUses};
use boxoffice::sales::{Sales, SalesState};
use boxoffice::show::Show;
use boxoffice::store::{
    Backlog, BookingFilter, BoxFuture, ClockChange, Document, Done, NoticeFilter, Orphan, SeatsMark, SeatsRead,
    ShowBooks, ShowChange, ShowFilter, ShowRow, Store, StoreError,
};
use boxoffice::time::Timestamp;
use rusqlite::{Connection, MAIN_DB};

mod actions;
mod copy;
mod delete;
mod figures;
mod hot;
mod import;
mod job;
mod ledger;
mod place;
mod promo;
mod readers;
mod reads;
mod rows;
mod sales;
mod schema;
mod serving;
mod snapshot;
mod steps;
mod time;
mod trouble;
mod watch;
mod words;
mod write;
mod writer;

pub use copy::{Copy, CopyError, Holds, Progress};
pub use figures::Figures;
#[cfg(feature = "testkit")]
pub use place::FileLayer;
pub use serving::ServingLock;

use job::{DryRun, Job, PutDocument};
use place::Place;
use readers::Readers;
use schema::Found;
use snapshot::{Snapshot, Snapshots};
use time::Time;
use watch::Watch;
use writer::Writer;

/// Older ones can damage the file when one connection copies the log back while another writes.
const SQLITE_MIN: i32 = 3_051_003;

/// The smallest database in bytes. SQLite takes a smaller file for an empty one and writes over it.
const SMALLEST: u64 = 512;

/// Why a store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("`{0}` is not the URL of a SQLite store: write sqlite:PATH, such as sqlite:boxoffice.db")]
    Url(String),
    #[error("SQLite {0} is too old: build with the bundled one, 3.51.3 or later")]
    TooOld(&'static str),
    #[error("cannot open {}: {error}; check that its folder is there and writable", .path.display())]
    File { path: PathBuf, error: std::io::Error },
    #[error("{} can only be read; check its owner and mode, and that its disk can be written", .0.display())]
    ReadOnly(PathBuf),
    #[error("{} is not a Boxoffice store and was left as it is: {what}; give another file (a new name makes a new store)",
        .path.display())]
    Foreign { path: PathBuf, what: String },
    #[error("the store was written by a newer program (its schema is {found}, this one knows {known}): upgrade")]
    Newer { found: i64, known: i64 },
    #[error("the store's schema step {no} ({name}) is not the one this program has: use the program that made it")]
    Edited { no: i64, name: &'static str },
    #[error("another server is serving from {}: stop it first, or give this one another store", .0.display())]
    Served(PathBuf),
    #[error("{} has more than one name (a hard link), and each would get a log of its own: remove the others", .0.display())]
    SeveralNames(PathBuf),
    #[error("the store's file does not open: {0}; check that it is a Boxoffice store and writable")]
    Sqlite(#[from] rusqlite::Error),
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// A store in one SQLite file. Dropping it finishes what is queued and closes the file.
#[derive(Debug)]
pub struct SqliteStore {
    place: Place,
    time: Arc<Time>,
    snapshots: Arc<Snapshots>,
    readers: Readers,
    watch: Watch,
    writer: Writer,
}

impl SqliteStore {
    /// Opens the store that `sqlite:PATH` names; makes it, and brings its tables up to date, if
    /// need be.
    ///
    /// # Errors
    /// [`OpenError`], each with what to do about it.
    pub fn open_url(url: &str, clock: Arc<dyn Clock>) -> Result<Self, OpenError> {
        let path = url.strip_prefix("sqlite:").filter(|path| !path.is_empty() && *path != ":memory:");
        Self::open(Path::new(path.ok_or_else(|| OpenError::Url(url.to_owned()))?), clock)
    }

    /// Opens the store in the file at `path`.
    ///
    /// # Errors
    /// As for [`SqliteStore::open_url`].
    pub fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<Self, OpenError> {
        Self::open_place(Place::new(path), clock)
    }

    /// Opens the store over another file layer. It can be written and not read.
    ///
    /// # Errors
    /// As for [`SqliteStore::open_url`].
    #[cfg(feature = "testkit")]
    pub fn open_over(path: &Path, layer: FileLayer, clock: Arc<dyn Clock>) -> Result<Self, OpenError> {
        Self::open_place(Place { layer: Some(layer), ..Place::new(path) }, clock)
    }

    fn open_place(place: Place, clock: Arc<dyn Clock>) -> Result<Self, OpenError> {
        if rusqlite::version_number() < SQLITE_MIN {
            return Err(OpenError::TooOld(rusqlite::version()));
        }
        let file_error = |error| OpenError::File { path: place.path.clone(), error };
        place.create().map_err(file_error)?;
        look(&place)?;
        let mut connection = place.writer()?;
        schema::migrate(&mut connection, clock.now())?;
        ledger::open(&mut connection, clock.now())?;
        let time = Arc::new(Time::new(clock, &rows::meta(&connection)?, rows::newest_of_all(&connection)?));
        drop(connection);
        let snapshots = Arc::new(Snapshots::default());
        let writer = Writer::start(place.clone(), time.clone(), snapshots.clone()).map_err(file_error)?;
        let watch = Watch::new(place.clone(), snapshots.clone());
        Ok(Self { readers: Readers::new(place.clone()), watch, place, time, snapshots, writer })
    }

    /// Makes sure that one server at a time serves from this file. Other commands need not ask.
    ///
    /// # Errors
    /// [`OpenError::Served`] if another process has the lock.
    pub fn lock_for_serving(&self) -> Result<ServingLock, OpenError> {
        serving::lock(&self.place.path)
    }

    /// What is counted of the store's work.
    #[must_use]
    pub fn figures(&self) -> Figures {
        self.writer.figures()
    }

    /// The file, for its size.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.place.path
    }

    /// Reads at one moment, by the clock and the catalogue of that moment. A read takes
    /// microseconds and waits for nobody, so it runs in the caller's own thread.
    fn read<T: Send>(
        &self,
        read: impl FnOnce(&Connection, &Moment) -> trouble::Result<T> + Send,
    ) -> Result<T, StoreError> {
        let found = self.readers.read(|connection, meta| {
            self.time.adopt(meta);
            let snapshot = self.snapshots.at(connection, meta.catalogue_version)?;
            read(connection, &Moment { now: self.time.now(), epoch: meta.epoch, sales: meta.sales, snapshot })
        });
        Ok(found?)
    }
}

/// Refuses a file that is no store of ours before anything is written to it.
fn look(place: &Place) -> Result<(), OpenError> {
    let path = place.path.clone();
    let kind = path.metadata().map_err(|error| OpenError::File { path: path.clone(), error })?;
    if let Some(what) = foreign(&kind) {
        return Err(OpenError::Foreign { path, what: what.into() });
    }
    if names_of(&kind) > 1 {
        return Err(OpenError::SeveralNames(path));
    }
    let connection = place.looker()?;
    if connection.is_readonly(MAIN_DB)? {
        return Err(OpenError::ReadOnly(path));
    }
    match schema::look(&connection)? {
        Found::Nothing | Found::Ours => Ok(()),
        Found::Foreign(what) => Err(OpenError::Foreign { path, what }),
    }
}

/// What is seen without opening it.
fn foreign(kind: &std::fs::Metadata) -> Option<&'static str> {
    if kind.is_dir() {
        Some("it is a folder")
    } else if !kind.is_file() {
        Some("it is no regular file")
    } else if (1..SMALLEST).contains(&kind.len()) {
        Some("it is no SQLite database")
    } else {
        None
    }
}

/// How many hard links a file has. SQLite keeps its log beside the name by which the file was
/// opened, so that each name would have a log of its own.
#[cfg(unix)]
fn names_of(kind: &std::fs::Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    kind.nlink()
}

#[cfg(not(unix))]
fn names_of(_kind: &std::fs::Metadata) -> u64 {
    1
}

/// What a read is read by.
struct Moment {
    now: Timestamp,
    epoch: u64,
    sales: Sales,
    snapshot: Arc<Snapshot>,
}

impl Store for SqliteStore {
    fn answer(&self, key: Idempotency) -> BoxFuture<'_, Result<Option<Done>, StoreError>> {
        Box::pin(async move {
            let kept = self.read(|connection, at| steps::kept(connection, &key, at.now))?;
            Ok(kept.map(|outcome| Done { outcome, replayed: true }))
        })
    }

    fn execute(&self, step: Step) -> BoxFuture<'_, Result<Done, StoreError>> {
        Box::pin(self.writer.ask(move |to| Job::Step(step, to)))
    }

    /// Looks at the setting each time, since another process may have changed it. If that fails, the
    /// setting known last stands.
    fn now(&self) -> Timestamp {
        if self.place.is_shared() {
            match self.watch.meta() {
                Ok(meta) => self.time.adopt(&meta),
                Err(trouble) => {
                    tracing::warn!(error = %StoreError::from(trouble), "the clock's setting cannot be read")
                }
            }
        }
        self.time.now()
    }

    fn set_clock(&self, change: ClockChange) -> BoxFuture<'_, Result<Timestamp, StoreError>> {
        Box::pin(self.writer.ask(move |to| Job::Clock(change, to)))
    }

    fn sales(&self) -> BoxFuture<'_, Result<SalesState, StoreError>> {
        Box::pin(async move { self.read(|connection, at| sales::state(connection, at.sales)) })
    }

    fn probe(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(self.writer.ask(Job::Probe))
    }

    fn backlog(&self) -> BoxFuture<'_, Result<Backlog, StoreError>> {
        Box::pin(async move { self.read(|connection, _| reads::backlog(connection)) })
    }

    fn set_sales(&self, sales: Sales) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(self.writer.ask(move |to| Job::Sales(sales, to)))
    }

    fn import(&self, import: Import, dry_run: bool) -> BoxFuture<'_, Result<ImportReport, StoreError>> {
        Box::pin(self.writer.ask(move |to| Job::Import(Box::new(import), DryRun(dry_run), to)))
    }

    /// A refusal may have much to count, which a reader does first, so that it holds up no sale. The writer counts
    /// again where it decides.
    fn delete(&self, thing: Thing) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            self.read(|connection, at| delete::check(connection, &at.snapshot.catalogue, &thing, at.now))?;
            self.writer.ask(move |to| Job::Delete(thing, to)).await
        })
    }

    fn catalogue(&self) -> BoxFuture<'_, Result<Arc<Catalogue>, StoreError>> {
        Box::pin(async move { self.read(|_, at| Ok(at.snapshot.catalogue.clone())) })
    }

    fn show(&self, id: ShowId) -> BoxFuture<'_, Result<Option<Arc<Show>>, StoreError>> {
        Box::pin(async move { Ok(self.watch.show(&id)?) })
    }

    fn show_by_no(&self, no: ShowNo) -> BoxFuture<'_, Result<Option<Arc<Show>>, StoreError>> {
        Box::pin(async move { self.read(|connection, at| at.snapshot.show(connection, no)) })
    }

    fn shows(&self, filter: ShowFilter) -> BoxFuture<'_, Result<Vec<ShowRow>, StoreError>> {
        Box::pin(async move {
            self.read(|connection, at| reads::shows(connection, &at.snapshot, &filter, (at.now, at.sales)))
        })
    }

    fn seats(&self, show: ShowNo) -> BoxFuture<'_, Result<SeatsRead, StoreError>> {
        Box::pin(async move { self.read(|connection, at| reads::seats(connection, show, at)) })
    }

    fn seats_mark<'a>(&'a self, show: &'a ShowId) -> BoxFuture<'a, Result<Option<SeatsMark>, StoreError>> {
        Box::pin(async move {
            let Some((meta, show, version)) = self.watch.mark(show)? else { return Ok(None) };
            self.time.adopt(&meta);
            Ok(Some(SeatsMark { epoch: meta.epoch, show, version, now: self.time.now() }))
        })
    }

    fn booking(&self, id: BookingId) -> BoxFuture<'_, Result<Option<Booking>, StoreError>> {
        Box::pin(async move { self.read(|connection, _| rows::booking(connection, id)) })
    }

    fn bookings(&self, filter: BookingFilter) -> BoxFuture<'_, Result<Vec<Booking>, StoreError>> {
        Box::pin(async move { self.read(|connection, _| rows::bookings(connection, &filter)) })
    }

    fn notices(&self, filter: NoticeFilter) -> BoxFuture<'_, Result<Vec<Notice>, StoreError>> {
        Box::pin(async move { self.read(|connection, _| reads::notices(connection, &filter)) })
    }

    fn shows_to_follow(&self, limit: usize) -> BoxFuture<'_, Result<Vec<ShowChange>, StoreError>> {
        Box::pin(async move { self.read(|connection, _| reads::shows_to_follow(connection, limit)) })
    }

    fn show_followed(&self, change: ShowChange) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(self.writer.ask(move |to| Job::Followed(change, to)))
    }

    fn promo_uses(&self, ask: PromoAsk) -> BoxFuture<'_, Result<PromoUses, StoreError>> {
        Box::pin(async move { self.read(|connection, at| promo::uses(connection, &ask, at.now)) })
    }

    fn payment(&self, gateway: String, payment_id: String) -> BoxFuture<'_, Result<Option<AttemptId>, StoreError>> {
        Box::pin(async move { self.read(|connection, _| reads::payment(connection, &gateway, &payment_id)) })
    }

    fn due(&self, limit: usize) -> BoxFuture<'_, Result<Vec<BookingId>, StoreError>> {
        Box::pin(async move { self.read(|connection, at| reads::due(connection, at.now, limit)) })
    }

    fn notices_due(&self, limit: usize) -> BoxFuture<'_, Result<Vec<NoticeId>, StoreError>> {
        Box::pin(async move { self.read(|connection, at| reads::notices_due(connection, at.now, limit)) })
    }

    fn of_persons(
        &self,
        before: Timestamp,
        after: Option<BookingId>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<BookingId>, StoreError>> {
        Box::pin(async move { self.read(|connection, _| reads::of_persons(connection, before, after, limit)) })
    }

    fn note(&self, deed: Deed) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(self.writer.ask(move |to| Job::Note(deed, to)))
    }

    fn actions(&self, filter: ActionFilter) -> BoxFuture<'_, Result<Vec<Action>, StoreError>> {
        Box::pin(async move { self.read(|connection, _| actions::read(connection, &filter)) })
    }

    fn record_orphan(&self, orphan: Orphan) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(self.writer.ask(move |to| Job::Orphan(orphan, to)))
    }

    fn orphans(&self) -> BoxFuture<'_, Result<Vec<Orphan>, StoreError>> {
        Box::pin(async move { self.read(|connection, _| reads::orphans(connection)) })
    }

    fn books(&self, after: Option<ShowNo>) -> BoxFuture<'_, Result<Option<ShowBooks>, StoreError>> {
        Box::pin(async move { self.read(|connection, at| reads::books(connection, after, at.now)) })
    }

    fn ledger(
        &self,
        theatre: TheatreId,
        from: Timestamp,
        to: Timestamp,
    ) -> BoxFuture<'_, Result<Vec<Line>, StoreError>> {
        Box::pin(async move { self.read(|connection, _| ledger::of_time(connection, &theatre, from, to)) })
    }

    fn document(&self, kind: &'static str, key: String) -> BoxFuture<'_, Result<Option<Document>, StoreError>> {
        Box::pin(async move { self.read(|connection, _| reads::document(connection, kind, &key)) })
    }

    fn put_document(
        &self,
        kind: &'static str,
        key: String,
        expected: u64,
        body: String,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        let document = PutDocument { kind, key, expected, body };
        Box::pin(self.writer.ask(move |to| Job::Document(document, to)))
    }

    fn documents(&self, kind: &'static str) -> BoxFuture<'_, Result<Vec<(String, Document)>, StoreError>> {
        Box::pin(async move { self.read(|connection, _| reads::documents(connection, kind)) })
    }
}
