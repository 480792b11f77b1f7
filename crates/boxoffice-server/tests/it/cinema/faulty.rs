//! A store that can be told to fail its steps, as one does whose disk is full. Reads, documents
//! and the clock go on.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use boxoffice::action::{Action, ActionFilter, Deed};
use boxoffice::booking::{Booking, Notice};
use boxoffice::catalogue::delete::Thing;
use boxoffice::catalogue::{Catalogue, Import, ImportReport};
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
use parking_lot::Mutex;

#[derive(Debug)]
pub struct FaultyStore {
    inner: Arc<dyn Store>,
    pub broken: AtomicBool,
    /// Every show's seats stand for ever where they were first looked for.
    pub stuck: AtomicBool,
    marks: Mutex<BTreeMap<ShowId, SeatsMark>>,
}

impl FaultyStore {
    pub fn over(inner: Arc<dyn Store>) -> Self {
        Self { inner, broken: AtomicBool::new(false), stuck: AtomicBool::new(false), marks: Mutex::default() }
    }
}

impl Store for FaultyStore {
    fn execute(&self, step: Step) -> BoxFuture<'_, Result<Done, StoreError>> {
        if self.broken.load(Ordering::SeqCst) {
            return Box::pin(async { Err(StoreError::Fault("told to fail".into())) });
        }
        self.inner.execute(step)
    }

    fn answer(&self, key: Idempotency) -> BoxFuture<'_, Result<Option<Done>, StoreError>> {
        self.inner.answer(key)
    }

    fn now(&self) -> Timestamp {
        self.inner.now()
    }

    fn set_clock(&self, change: ClockChange) -> BoxFuture<'_, Result<Timestamp, StoreError>> {
        self.inner.set_clock(change)
    }

    fn sales(&self) -> BoxFuture<'_, Result<SalesState, StoreError>> {
        self.inner.sales()
    }

    fn probe(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        if self.broken.load(Ordering::SeqCst) {
            return Box::pin(async { Err(StoreError::Fault("told to fail".into())) });
        }
        self.inner.probe()
    }

    fn backlog(&self) -> BoxFuture<'_, Result<Backlog, StoreError>> {
        self.inner.backlog()
    }

    fn set_sales(&self, sales: Sales) -> BoxFuture<'_, Result<(), StoreError>> {
        self.inner.set_sales(sales)
    }

    fn import(&self, import: Import, dry_run: bool) -> BoxFuture<'_, Result<ImportReport, StoreError>> {
        self.inner.import(import, dry_run)
    }

    fn delete(&self, thing: Thing) -> BoxFuture<'_, Result<(), StoreError>> {
        self.inner.delete(thing)
    }

    fn catalogue(&self) -> BoxFuture<'_, Result<Arc<Catalogue>, StoreError>> {
        self.inner.catalogue()
    }

    fn show(&self, id: ShowId) -> BoxFuture<'_, Result<Option<Arc<Show>>, StoreError>> {
        self.inner.show(id)
    }

    fn show_by_no(&self, no: ShowNo) -> BoxFuture<'_, Result<Option<Arc<Show>>, StoreError>> {
        self.inner.show_by_no(no)
    }

    fn shows(&self, filter: ShowFilter) -> BoxFuture<'_, Result<Vec<ShowRow>, StoreError>> {
        self.inner.shows(filter)
    }

    fn seats(&self, show: ShowNo) -> BoxFuture<'_, Result<SeatsRead, StoreError>> {
        self.inner.seats(show)
    }

    fn seats_mark<'a>(&'a self, show: &'a ShowId) -> BoxFuture<'a, Result<Option<SeatsMark>, StoreError>> {
        Box::pin(async move {
            let mark = self.inner.seats_mark(show).await?;
            let mut marks = self.marks.lock();
            let kept = marks.get(show).copied().filter(|_| self.stuck.load(Ordering::SeqCst));
            marks.extend(mark.map(|mark| (show.clone(), kept.unwrap_or(mark))));
            Ok(kept.or(mark))
        })
    }

    fn booking(&self, id: BookingId) -> BoxFuture<'_, Result<Option<Booking>, StoreError>> {
        self.inner.booking(id)
    }

    fn bookings(&self, filter: BookingFilter) -> BoxFuture<'_, Result<Vec<Booking>, StoreError>> {
        self.inner.bookings(filter)
    }

    fn notices(&self, filter: NoticeFilter) -> BoxFuture<'_, Result<Vec<Notice>, StoreError>> {
        self.inner.notices(filter)
    }

    fn shows_to_follow(&self, limit: usize) -> BoxFuture<'_, Result<Vec<ShowChange>, StoreError>> {
        self.inner.shows_to_follow(limit)
    }

    fn show_followed(&self, change: ShowChange) -> BoxFuture<'_, Result<(), StoreError>> {
        self.inner.show_followed(change)
    }

    fn promo_uses(&self, ask: PromoAsk) -> BoxFuture<'_, Result<PromoUses, StoreError>> {
        self.inner.promo_uses(ask)
    }

    fn payment(&self, gateway: String, payment_id: String) -> BoxFuture<'_, Result<Option<AttemptId>, StoreError>> {
        self.inner.payment(gateway, payment_id)
    }

    fn due(&self, limit: usize) -> BoxFuture<'_, Result<Vec<BookingId>, StoreError>> {
        self.inner.due(limit)
    }

    fn notices_due(&self, limit: usize) -> BoxFuture<'_, Result<Vec<NoticeId>, StoreError>> {
        self.inner.notices_due(limit)
    }

    fn of_persons(
        &self,
        before: Timestamp,
        after: Option<BookingId>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<BookingId>, StoreError>> {
        self.inner.of_persons(before, after, limit)
    }

    fn note(&self, deed: Deed) -> BoxFuture<'_, Result<(), StoreError>> {
        self.inner.note(deed)
    }

    fn actions(&self, filter: ActionFilter) -> BoxFuture<'_, Result<Vec<Action>, StoreError>> {
        self.inner.actions(filter)
    }

    fn record_orphan(&self, orphan: Orphan) -> BoxFuture<'_, Result<(), StoreError>> {
        self.inner.record_orphan(orphan)
    }

    fn orphans(&self) -> BoxFuture<'_, Result<Vec<Orphan>, StoreError>> {
        self.inner.orphans()
    }

    fn books(&self, after: Option<ShowNo>) -> BoxFuture<'_, Result<Option<ShowBooks>, StoreError>> {
        self.inner.books(after)
    }

    fn ledger(
        &self,
        theatre: TheatreId,
        from: Timestamp,
        to: Timestamp,
    ) -> BoxFuture<'_, Result<Vec<Line>, StoreError>> {
        self.inner.ledger(theatre, from, to)
    }

    fn document(&self, kind: &'static str, key: String) -> BoxFuture<'_, Result<Option<Document>, StoreError>> {
        self.inner.document(kind, key)
    }

    fn put_document(
        &self,
        kind: &'static str,
        key: String,
        expected: u64,
        body: String,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        self.inner.put_document(kind, key, expected, body)
    }

    fn documents(&self, kind: &'static str) -> BoxFuture<'_, Result<Vec<(String, Document)>, StoreError>> {
        self.inner.documents(kind)
    }
}
