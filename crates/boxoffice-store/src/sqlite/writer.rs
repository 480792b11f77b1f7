//! The one thread that writes. What has gathered in its queue is decided in order and committed
//! as one transaction; answers follow the commit. No timer: a lone caller waits for one commit, a
//! crowd shares it. After a fault the connection and all that was remembered are given up, every
//! command of that transaction answers the fault, and the next transaction starts anew.

use std::collections::VecDeque;
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
use super::job::{DryRun, Job, Reply, Sender, reply};
use super::place::Place;
use super::rows;
use super::sales;
use super::schema;
use super::snapshot::Snapshots;
use super::steps::{Scene, whole};
use super::time::Time;
use super::trouble::{Result, Trouble};

/// Commands in one transaction at most.
const BATCH: usize = 256;
/// How often in a row the processor is left to callers that do not come.
const YIELDS: u32 = 4;
/// How often the processor is left to others before the thread sleeps: some tens of microseconds.
const LINGER_YIELDS: u32 = 100;
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
    pub(super) async fn ask<T>(&self, job: impl FnOnce(Sender<T>) -> Job) -> std::result::Result<T, StoreError> {
        let stopped = || StoreError::Fault("the store's writer was interrupted, send it again".into());
        let (to, answer) = oneshot::channel();
        let queue = self.queue.as_ref().ok_or_else(stopped)?;
        self.figures.queue_depth.inc();
        queue.try_send(job(to)).map_err(|refused| {
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

impl Desk {
    fn run(mut self, queue: &Receiver<Job>) {
        let mut held_back = None;
        let mut crowd = 0;
        while let Some(first) = held_back.take().or_else(|| next(queue)) {
            let mut batch = VecDeque::new();
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
    fn work(&mut self, mut batch: VecDeque<Job>) {
        let mut replies = Vec::with_capacity(batch.len());
        let committed = self.transact(&mut batch, &mut replies).map_err(StoreError::from);
        if let Err(fault) = &committed {
            self.figures.faults.inc();
            tracing::error!(%fault, "a transaction of the store was given up");
            batch.into_iter().for_each(|job| job.give_up(fault));
        }
        for reply in replies {
            reply(committed.as_ref().copied());
        }
    }

    /// One transaction. What it does not come to stays in `batch`; what it decided is in
    /// `replies`. An error leaves no hand, so that nothing remembered outlives what was rolled back.
    fn transact(&mut self, batch: &mut VecDeque<Job>, replies: &mut Vec<Reply>) -> Result<()> {
        let (began, commands) = (Instant::now(), batch.len());
        let mut counted = Vec::new();
        let mut hand = self.begin()?;
        let now = self.time.now();
        let snapshot = self.snapshots.at(&hand.connection, hand.catalogue_version)?;
        let mut alone = false;
        let changes_before = hand.connection.total_changes();
        while let Some(job) = batch.pop_front() {
            if job.is_abandoned() {
                continue;
            }
            alone |= job.is_alone();
            let scene =
                Scene { connection: &hand.connection, snapshot: &snapshot, time: &self.time, now, sales: hand.sales };
            let fault = match job {
                Job::Step(step, to) => {
                    let done = scene.execute(&mut hand.hot, &step);
                    counted.extend(done.as_ref().ok().and_then(Counted::of));
                    answer(to, done, replies)
                }
                Job::Orphan(orphan, to) => answer(to, scene.record_orphan(&orphan), replies),
                Job::Note(deed, to) => answer(to, actions::write(&hand.connection, &deed, now), replies),
                Job::Followed(change, to) => answer(to, scene.show_followed(change), replies),
                Job::Document(document, to) => answer(to, scene.put_document(&document), replies),
                Job::Clock(change, to) => answer(to, self.set_clock(&hand.connection, change), replies),
                Job::Import(it, dry_run, to) => answer(to, run_import(&scene, &it, dry_run), replies),
                Job::Delete(thing, to) => answer(to, run_delete(&scene, &thing), replies),
                Job::Probe(to) => answer(to, probe(&hand.connection), replies),
                Job::Sales(sales, to) => answer(to, sales::set(&hand.connection, sales), replies),
            };
            fault.map_or(Ok(()), |fault| Err(Trouble(fault)))?;
        }
        self.sweep(&hand.connection, now)?;
        if hand.connection.total_changes() != changes_before {
            let (_, newest) = self.time.setting();
            rows::note_newest(&hand.connection, newest)?;
        }
        hand.connection.prepare_cached("COMMIT")?.execute([])?;
        self.figures.commit_seconds.observe(began.elapsed().as_secs_f64());
        self.figures.batch_commands.observe(f64::from(u32::try_from(commands).unwrap_or(u32::MAX)));
        counted.into_iter().for_each(|counted| self.figures.count(counted));
        if alone {
            self.learn(&mut hand)?;
        }
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
fn gather(first: Job, queue: &Receiver<Job>, batch: &mut VecDeque<Job>, crowd: usize) -> Option<Job> {
    let alone = first.is_alone();
    batch.push_back(first);
    let mut in_vain = 0;
    while !alone && batch.len() < BATCH {
        match queue.try_recv() {
            Ok(job) if job.is_alone() => return Some(job),
            Ok(job) => {
                batch.push_back(job);
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

/// Lays an answer by until the commit. A fault comes back, since it ends the transaction.
fn answer<T: 'static>(to: Sender<T>, answer: Result<T>, replies: &mut Vec<Reply>) -> Option<StoreError> {
    let fault = match &answer {
        Ok(_) | Err(Trouble(StoreError::Refused(_))) => None,
        Err(Trouble(StoreError::Bug(text))) => {
            tracing::error!(%text, "bug: a command was given up");
            None
        }
        Err(Trouble(fault @ StoreError::Fault(_))) => Some(fault.clone()),
    };
    replies.push(reply(to, answer));
    fault
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
