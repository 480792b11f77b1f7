//! The one thread that writes. What has gathered in its queue is decided in order and committed
//! as one transaction; answers follow the commit. No timer: a lone caller waits for one commit, a
//! crowd shares it. Steps are trusted not to break halfway; when one does, the transaction is taken back and decided again, each
//! step behind a savepoint. After a fault the connection and all that was remembered are given up, every
//! command of that transaction answers the fault, and the next transaction starts anew.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::Instant;

use boxoffice::catalogue::delete::Thing;
use boxoffice::catalogue::{Import, ImportReport};
use boxoffice::refusal::Refusal;
use boxoffice::sales::Sales;
use boxoffice::store::{ANSWERS_KEPT, ClockChange, StoreError};
use boxoffice::time::{Span, Timestamp};
use futures_channel::oneshot;
use rusqlite::{Connection, params};

use super::actions;
use super::delete::delete;
use super::figures::{Counted, Figures};
use super::hot::HotShows;
use super::import::import;
use super::job::{Ask, DryRun, Job};
use super::place::Place;
use super::rows;
use super::sales;
use super::schema;
use super::snapshot::Snapshots;
use super::steps::{Care, Scene, whole};
use super::time::Time;
use super::trouble::{Result, Trouble};

/// Commands in one transaction at most.
const BATCH: usize = 256;
/// How often in a row the processor is left to callers that do not come.
const YIELDS: u32 = 4;
/// How often the processor is left to others before the thread sleeps: about a tenth of a millisecond,
/// in which a caller who was asleep itself comes back.
const LINGER_YIELDS: u32 = 400;
/// Commands that may wait; past it a caller is told to come back.
const QUEUE: usize = 8_192;
/// How often answers that have had their time are swept, and how many at a time.
const SWEEP_EVERY: Span = Span::from_secs(30);
const SWEEP_ROWS: u32 = 500;

/// The callers' end.
#[derive(Debug)]
pub(super) struct Writer {
    queue: Option<SyncSender<Job>>,
    figures: Figures,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start(place: Place, time: Arc<Time>, snapshots: Arc<Snapshots>) -> std::io::Result<Self> {
        let (queue, jobs) = sync_channel(QUEUE);
        let figures = Figures::default();
        let desk =
            Desk { place, time, snapshots, figures: figures.clone(), hand: None, swept_at: Timestamp::from_ms(0) };
        let thread = std::thread::Builder::new().name("sqlite-writer".into()).spawn(move || desk.run(&jobs))?;
        Ok(Self { queue: Some(queue), figures, thread: Some(thread) })
    }

    /// Queues a job and waits for its answer.
    pub(super) async fn ask<T>(&self, job: impl FnOnce(Ask<T>) -> Job) -> std::result::Result<T, StoreError> {
        let stopped = || StoreError::Fault("the store's writer was interrupted, send it again".into());
        let (to, answer) = oneshot::channel();
        let queue = self.queue.as_ref().ok_or_else(stopped)?;
        self.figures.queue_depth.inc();
        queue.try_send(job(Ask::new(to))).map_err(|refused| {
            self.figures.queue_depth.dec();
            match refused {
                TrySendError::Full(_) => StoreError::Fault("the store is busy, send it again in a moment".into()),
                TrySendError::Disconnected(_) => stopped(),
            }
        })?;
        answer.await.map_err(|oneshot::Canceled| stopped())?
    }
}

impl Writer {
    pub(super) fn figures(&self) -> Figures {
        self.figures.clone()
    }
}

impl Drop for Writer {
    /// Waits until what is queued is written and the file is closed.
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// The thread's end.
struct Desk {
    place: Place,
    time: Arc<Time>,
    snapshots: Arc<Snapshots>,
    figures: Figures,
    hand: Option<Hand>,
    swept_at: Timestamp,
}

/// A connection and what is remembered of the rows behind it.
struct Hand {
    connection: Connection,
    hot: HotShows,
    catalogue_version: i64,
    sales: Sales,
    /// SQLite's own sign that another connection has committed. `None`: not looked yet.
    data_version: Option<i64>,
}

/// A batch that waits for its commit.
struct Decided {
    hand: Hand,
    now: Timestamp,
    counted: Vec<Counted>,
    /// It changed what is remembered beside the shows.
    alone: bool,
    has_changes: bool,
}

impl Desk {
    fn run(mut self, queue: &Receiver<Job>) {
        let mut held_back = None;
        let mut crowd = 0;
        while let Some(first) = held_back.take().or_else(|| next(queue)) {
            let mut batch = Vec::new();
            held_back = gather(first, queue, &mut batch, crowd);
            crowd = batch.len();
            self.figures.queue_depth.dec_by(i64::try_from(crowd).unwrap_or(i64::MAX));
            if catch_unwind(AssertUnwindSafe(|| self.work(batch))).is_err() {
                // The channels of the batch's callers are closed, which they read as a fault.
                tracing::error!("bug: a command broke the store's writer, which goes on with the next");
                self.hand = None;
            }
        }
    }

    /// Runs a batch to its end and answers all of it.
    fn work(&mut self, mut batch: Vec<Job>) {
        let committed = self.transact(&mut batch).map_err(StoreError::from);
        if let Err(fault) = &committed {
            self.figures.faults.inc();
            tracing::error!(%fault, "a transaction of the store was given up");
        }
        for job in batch {
            job.send(committed.as_ref().copied());
        }
    }

    /// One transaction. An error leaves no hand, so that nothing remembered outlives what was rolled back.
    fn transact(&mut self, batch: &mut [Job]) -> Result<()> {
        let began = Instant::now();
        let decided = match self.decide_all(batch, Care::Trusting)? {
            Some(decided) => decided,
            None => {
                let left = || Trouble::bug("a step behind a savepoint left something when it broke");
                self.decide_all(batch, Care::Savepoints)?.ok_or_else(left)?
            }
        };
        let Decided { mut hand, now, counted, alone, has_changes } = decided;
        self.sweep(&hand.connection, now)?;
        if has_changes {
            let (_, newest) = self.time.setting();
            rows::note_newest(&hand.connection, newest)?;
        }
        hand.connection.prepare_cached("COMMIT")?.execute([])?;
        self.figures.commit_seconds.observe(began.elapsed().as_secs_f64());
        self.figures.batch_commands.observe(f64::from(u32::try_from(batch.len()).unwrap_or(u32::MAX)));
        counted.into_iter().for_each(|counted| self.figures.count(counted));
        if alone {
            self.learn(&mut hand)?;
        }
        self.hand = Some(hand);
        Ok(())
    }

    /// Decides every job in a transaction that it begins, and lays the answers by. `None`: a step that was trusted broke
    /// when it had written something, and the whole transaction was taken back.
    fn decide_all(&mut self, batch: &mut [Job], care: Care) -> Result<Option<Decided>> {
        let mut hand = self.begin()?;
        let now = self.time.now();
        let snapshot = self.snapshots.at(&hand.connection, hand.catalogue_version)?;
        let (mut counted, mut alone) = (Vec::new(), false);
        let before_all = hand.connection.total_changes();
        for job in batch.iter_mut().filter(|job| !job.is_abandoned()) {
            alone |= job.is_alone();
            let (time, sales, connection) = (&self.time, hand.sales, &hand.connection);
            let scene = Scene { connection, snapshot: &snapshot, time, now, sales, care };
            match job {
                Job::Step(step, ask) => {
                    let before = connection.total_changes();
                    let done = scene.execute(&mut hand.hot, step);
                    let broke = done.as_ref().is_err_and(|trouble| !trouble.is_fault());
                    if broke && care == Care::Trusting && connection.total_changes() != before {
                        self.take_back(hand)?;
                        return Ok(None);
                    }
                    counted.extend(done.as_ref().ok().and_then(Counted::of));
                    ask.answer(done)?;
                }
                Job::Orphan(orphan, ask) => ask.answer(scene.record_orphan(orphan))?,
                Job::Note(deed, ask) => ask.answer(actions::write(connection, deed, now))?,
                Job::Followed(change, ask) => ask.answer(scene.show_followed(*change))?,
                Job::Document(document, ask) => ask.answer(scene.put_document(document))?,
                Job::Clock(change, ask) => ask.answer(self.set_clock(connection, *change))?,
                Job::Import(it, dry_run, ask) => ask.answer(run_import(&scene, it, *dry_run))?,
                Job::Delete(thing, ask) => ask.answer(run_delete(&scene, thing))?,
                Job::Probe(ask) => ask.answer(probe(connection))?,
                Job::Sales(sales, ask) => ask.answer(sales::set(connection, *sales))?,
            }
        }
        let has_changes = hand.connection.total_changes() != before_all;
        Ok(Some(Decided { hand, now, counted, alone, has_changes }))
    }

    /// Ends a transaction as if it had never been.
    fn take_back(&mut self, mut hand: Hand) -> Result<()> {
        hand.connection.prepare_cached("ROLLBACK")?.execute([])?;
        hand.hot.clear();
        self.hand = Some(hand);
        Ok(())
    }

    /// Takes the write lock, and learns what other processes wrote since the last time.
    fn begin(&mut self) -> Result<Hand> {
        let mut hand = match self.hand.take() {
            Some(hand) => hand,
            None => Hand {
                connection: self.place.writer()?,
                hot: HotShows::default(),
                catalogue_version: 0,
                sales: Sales::Open,
                data_version: None,
            },
        };
        hand.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        let seen = hand.connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
        if hand.data_version != Some(seen) {
            hand.data_version = Some(seen);
            self.learn(&mut hand)?;
        }
        Ok(hand)
    }

    /// Reads again what everything else is remembered by.
    fn learn(&self, hand: &mut Hand) -> Result<()> {
        let meta = rows::meta(&hand.connection)?;
        self.time.adopt(&meta);
        hand.hot.clear();
        hand.catalogue_version = meta.catalogue_version;
        hand.sales = meta.sales;
        Ok(())
    }

    fn set_clock(&self, connection: &Connection, change: ClockChange) -> Result<Timestamp> {
        let machine = self.time.machine();
        let (setting, last_read) = self.time.setting();
        let Some(next) = change.apply(setting, machine, last_read) else {
            return Err(Refusal::ClockBackwards { now: self.time.now() }.into());
        };
        connection.execute(
            "UPDATE meta SET clock_version = clock_version + 1, clock_offset_ms = ?1, clock_frozen_at_ms = ?2",
            params![next.offset_ms, next.frozen_at.map(Timestamp::as_ms)],
        )?;
        Ok(next.apply(machine))
    }

    /// A few of the oldest answers at a time, so that a sweep never holds up a sale.
    fn sweep(&mut self, connection: &Connection, now: Timestamp) -> Result<()> {
        if now < self.swept_at + SWEEP_EVERY {
            return Ok(());
        }
        self.swept_at = now;
        connection
            .prepare_cached(
                "DELETE FROM idempotency WHERE no IN (SELECT no FROM idempotency ORDER BY no LIMIT ?1) AND at_ms <= ?2",
            )?
            .execute(params![SWEEP_ROWS, (now - ANSWERS_KEPT).as_ms()])?;
        Ok(())
    }
}

/// The next job. A caller who goes on at once after an answer finds the thread awake, since waking
/// one costs a good part of a commit; when nobody comes soon it sleeps.
fn next(queue: &Receiver<Job>) -> Option<Job> {
    for _ in 0..LINGER_YIELDS {
        if let Ok(job) = queue.try_recv() {
            return Some(job);
        }
        std::thread::yield_now();
    }
    queue.recv().ok()
}

/// Takes what has gathered behind `first`. A job that must be alone ends the batch, and waits for
/// the next turn if it is not the first.
///
/// The callers of the last batch have just been answered and are about to ask again: while fewer
/// than that `crowd` have, the processor is left to them, as long as that brings some. Else a crowd
/// would split into halves that wait for each other's commits. A lone caller never waits for this.
fn gather(first: Job, queue: &Receiver<Job>, batch: &mut Vec<Job>, crowd: usize) -> Option<Job> {
    let alone = first.is_alone();
    batch.push(first);
    let mut in_vain = 0;
    while !alone && batch.len() < BATCH {
        match queue.try_recv() {
            Ok(job) if job.is_alone() => return Some(job),
            Ok(job) => {
                batch.push(job);
                in_vain = 0;
            }
            Err(_) if batch.len() < crowd && in_vain < YIELDS => {
                in_vain += 1;
                std::thread::yield_now();
            }
            Err(_) => break,
        }
    }
    None
}

fn run_import(scene: &Scene<'_>, it: &Import, dry_run: DryRun) -> Result<ImportReport> {
    let keeps = |report: &ImportReport| !dry_run.0 && report.conflicts.is_empty();
    whole(scene.connection, keeps, || import(scene.connection, &scene.snapshot.catalogue, it, scene.now))
}

fn run_delete(scene: &Scene<'_>, thing: &Thing) -> Result<()> {
    let (connection, catalogue) = (scene.connection, &scene.snapshot.catalogue);
    whole(connection, |()| true, || delete(connection, catalogue, thing, scene.now))
}

/// Writes a row as it is, so that the commit must reach the disk. A newer program may have changed the tables meanwhile.
fn probe(connection: &Connection) -> Result<()> {
    schema::check(connection).map_err(|error| Trouble(StoreError::Fault(error.to_string())))?;
    connection.prepare_cached("UPDATE meta SET one = 1")?.execute([])?;
    Ok(())
}
