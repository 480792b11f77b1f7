//! A memory store with its guard off: it checks, lets others in, then acts. Race checks must fail
//! on it, or they prove nothing. Nothing that sells can reach it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::action::{Action, ActionFilter, Deed};
use crate::booking::{Booking, Notice};
use crate::catalogue::delete::Thing;
use crate::catalogue::{Catalogue, Import, ImportReport};
use crate::clock::Clock;
use crate::command::{Idempotency, Outcome, Step};
use crate::id::{AttemptId, BookingId, NoticeId, ShowId, ShowNo, TheatreId};
use crate::ledger::Line;
use crate::promo::uses::{PromoAsk, PromoUses, asked};
use crate::refusal::Refusal;
use crate::sales::{Sales, SalesState};
use crate::show::Show;
use crate::store::{
    Backlog, BookingFilter, BoxFuture, ClockChange, Document, Done, NoticeFilter, Orphan, SeatsMark, SeatsRead,
    ShowBooks, ShowChange, ShowFilter, ShowRow, Store, StoreError,
};
use crate::time::Timestamp;

use super::books::At;
use super::both::Both;
use super::{MemoryStore, ready};

#[derive(Debug)]
pub struct UnguardedStore {
    store: MemoryStore,
    /// Callers between their check and their act.
    between: AtomicUsize,
}

impl UnguardedStore {
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { store: MemoryStore::new(clock), between: AtomicUsize::new(0) }
    }

    /// Waits a while between check and act for somebody else to check, too.
    fn let_others_in(&self) {
        let mut met = self.between.fetch_add(1, Ordering::SeqCst) > 0;
        for _ in 0..200 {
            met |= self.between.load(Ordering::SeqCst) > 1;
            if met {
                break;
            }
            std::thread::yield_now();
        }
        self.between.fetch_sub(1, Ordering::SeqCst);
    }

    fn run(&self, step: &Step) -> Result<Done, StoreError> {
        let kept = match &step.idempotency {
            Some(key) => self.store.answers.lock().find(key, self.store.time.now())?,
            None => None,
        };
        if let Some(outcome) = kept {
            return Ok(Done { outcome, replayed: true });
        }
        let outcome = self.check_then_act(step)?;
        self.store.list_payments(&outcome);
        if let Some(key) = &step.idempotency {
            self.store.answers.lock().keep(key, &outcome, outcome.at);
        }
        Ok(Done { outcome, replayed: false })
    }

    fn check_then_act(&self, step: &Step) -> Result<Outcome, StoreError> {
        let books = self.store.books_of(step.command.show()).ok_or(Refusal::NotFound("show"))?;
        let others = self.store.others(&step.command, &books)?;
        let now = self.store.time.now();
        let was;
        let mut changes = {
            let both = Both::lock(step.command.show(), &books, others.as_ref());
            let booking = step.command.booking().and_then(|id| both.own.booking(id));
            let ask = asked(&step.command, booking);
            let promo = ask.and_then(|ask| {
                let uses = self.store.promos.lock().uses(&ask, now);
                self.store.promo_state(&ask, uses)
            });
            was = booking.and_then(Booking::promo_row);
            both.decide(&step.command, promo.as_ref(), At { now, sales: *self.store.sales.read() })
        }?;
        self.let_others_in();
        if let Some(replaced) = changes.replaced.take() {
            others.as_ref().map_or(&books, |(_, others)| others).lock().write_unguarded(*replaced, now)?;
        }
        for change in &changes.claims {
            books.lock().put_claim(change);
            std::thread::yield_now();
        }
        if let Some(booking) = &changes.outcome.booking {
            self.store.promos.lock().keep(was.as_ref(), booking);
        }
        if let Some(by) = step.by.as_ref().filter(|_| !changes.events.is_empty()) {
            let deed = step.command.deed(by.clone(), books.lock().show().id());
            self.store.write_action(deed, now);
        }
        books.lock().write_unguarded(changes, now)
    }
}

impl Store for UnguardedStore {
    fn execute(&self, step: Step) -> BoxFuture<'_, Result<Done, StoreError>> {
        ready(self.run(&step))
    }

    fn answer(&self, key: Idempotency) -> BoxFuture<'_, Result<Option<Done>, StoreError>> {
        self.store.answer(key)
    }

    fn now(&self) -> Timestamp {
        self.store.now()
    }

    fn set_clock(&self, change: ClockChange) -> BoxFuture<'_, Result<Timestamp, StoreError>> {
        self.store.set_clock(change)
    }

    fn sales(&self) -> BoxFuture<'_, Result<SalesState, StoreError>> {
        self.store.sales()
    }

    fn probe(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        self.store.probe()
    }

    fn backlog(&self) -> BoxFuture<'_, Result<Backlog, StoreError>> {
        self.store.backlog()
    }

    fn set_sales(&self, sales: Sales) -> BoxFuture<'_, Result<(), StoreError>> {
        self.store.set_sales(sales)
    }

    fn import(&self, import: Import, dry_run: bool) -> BoxFuture<'_, Result<ImportReport, StoreError>> {
        self.store.import(import, dry_run)
    }

    /// It looks whole, but a hold that has been decided does not look again.
    fn delete(&self, thing: Thing) -> BoxFuture<'_, Result<(), StoreError>> {
        self.let_others_in();
        self.store.delete(thing)
    }

    fn catalogue(&self) -> BoxFuture<'_, Result<Arc<Catalogue>, StoreError>> {
        self.store.catalogue()
    }

    fn show(&self, id: ShowId) -> BoxFuture<'_, Result<Option<Arc<Show>>, StoreError>> {
        self.store.show(id)
    }

    fn show_by_no(&self, no: ShowNo) -> BoxFuture<'_, Result<Option<Arc<Show>>, StoreError>> {
        self.store.show_by_no(no)
    }

    fn shows(&self, filter: ShowFilter) -> BoxFuture<'_, Result<Vec<ShowRow>, StoreError>> {
        self.store.shows(filter)
    }

    fn seats(&self, show: ShowNo) -> BoxFuture<'_, Result<SeatsRead, StoreError>> {
        self.store.seats(show)
    }

    fn seats_mark<'a>(&'a self, show: &'a ShowId) -> BoxFuture<'a, Result<Option<SeatsMark>, StoreError>> {
        self.store.seats_mark(show)
    }

    fn booking(&self, id: BookingId) -> BoxFuture<'_, Result<Option<Booking>, StoreError>> {
        self.store.booking(id)
    }

    fn bookings(&self, filter: BookingFilter) -> BoxFuture<'_, Result<Vec<Booking>, StoreError>> {
        self.store.bookings(filter)
    }

    fn notices(&self, filter: NoticeFilter) -> BoxFuture<'_, Result<Vec<Notice>, StoreError>> {
        self.store.notices(filter)
    }

    fn shows_to_follow(&self, limit: usize) -> BoxFuture<'_, Result<Vec<ShowChange>, StoreError>> {
        self.store.shows_to_follow(limit)
    }

    fn show_followed(&self, change: ShowChange) -> BoxFuture<'_, Result<(), StoreError>> {
        self.store.show_followed(change)
    }

    fn promo_uses(&self, ask: PromoAsk) -> BoxFuture<'_, Result<PromoUses, StoreError>> {
        self.store.promo_uses(ask)
    }

    fn payment(&self, gateway: String, payment_id: String) -> BoxFuture<'_, Result<Option<AttemptId>, StoreError>> {
        self.store.payment(gateway, payment_id)
    }

    fn due(&self, limit: usize) -> BoxFuture<'_, Result<Vec<BookingId>, StoreError>> {
        self.store.due(limit)
    }

    fn notices_due(&self, limit: usize) -> BoxFuture<'_, Result<Vec<NoticeId>, StoreError>> {
        self.store.notices_due(limit)
    }

    fn of_persons(
        &self,
        before: Timestamp,
        after: Option<BookingId>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<BookingId>, StoreError>> {
        self.store.of_persons(before, after, limit)
    }

    fn note(&self, deed: Deed) -> BoxFuture<'_, Result<(), StoreError>> {
        self.store.note(deed)
    }

    fn actions(&self, filter: ActionFilter) -> BoxFuture<'_, Result<Vec<Action>, StoreError>> {
        self.store.actions(filter)
    }

    fn record_orphan(&self, orphan: Orphan) -> BoxFuture<'_, Result<(), StoreError>> {
        self.store.record_orphan(orphan)
    }

    fn orphans(&self) -> BoxFuture<'_, Result<Vec<Orphan>, StoreError>> {
        self.store.orphans()
    }

    fn books(&self, after: Option<ShowNo>) -> BoxFuture<'_, Result<Option<ShowBooks>, StoreError>> {
        self.store.books(after)
    }

    fn ledger(
        &self,
        theatre: TheatreId,
        from: Timestamp,
        to: Timestamp,
    ) -> BoxFuture<'_, Result<Vec<Line>, StoreError>> {
        self.store.ledger(theatre, from, to)
    }

    fn document(&self, kind: &'static str, key: String) -> BoxFuture<'_, Result<Option<Document>, StoreError>> {
        self.store.document(kind, key)
    }

    fn put_document(
        &self,
        kind: &'static str,
        key: String,
        expected: u64,
        body: String,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        let stands_at = self.store.documents.lock().get(&(kind, key.clone())).map_or(0, |d| d.version);
        if stands_at != expected {
            return ready(Ok(false));
        }
        self.let_others_in();
        self.store.documents.lock().insert((kind, key), Document { version: expected + 1, body });
        ready(Ok(true))
    }

    fn documents(&self, kind: &'static str) -> BoxFuture<'_, Result<Vec<(String, Document)>, StoreError>> {
        self.store.documents(kind)
    }
}
