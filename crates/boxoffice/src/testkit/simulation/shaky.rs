//! A store that can be overtaken before and after each step, fails now and then with or without
//! having done it, and notes every step in the simulation's log. With a bug planted, it drops one
//! of the guards on purpose.

use std::hash::Hasher as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::Plant;
use super::chance::{Chance, pause};
use super::witness::Witness;
use crate::action::{Action, ActionFilter, Deed};
use crate::booking::{Booking, Notice, RefundReason};
use crate::catalogue::delete::Thing;
use crate::catalogue::{Catalogue, Import, ImportReport};
use crate::command::{Command, Effect, Idempotency, Settled, Step};
use crate::id::{AttemptId, BookingId, NoticeId, ShowId, ShowNo, TheatreId};
use crate::ledger::Line;
use crate::promo::uses::{PromoAsk, PromoUses};
use crate::refusal::Refusal;
use crate::sales::{Sales, SalesState};
use crate::show::{LatePayment, Show};
use crate::store::{
    Backlog, BookingFilter, BoxFuture, ClockChange, Document, Done, NoticeFilter, Orphan, SeatsMark, SeatsRead,
    ShowBooks, ShowChange, ShowFilter, ShowRow, Store, StoreError,
};
use crate::testkit::world::code;
use crate::time::Timestamp;

mod planted;

use planted::code_named;

/// What happened, as one number that differs if anything did.
#[derive(Debug, Default)]
pub(super) struct Log(Mutex<std::hash::DefaultHasher>);

impl Log {
    pub(super) fn note(&self, what: impl std::hash::Hash) {
        what.hash(&mut *self.0.lock());
    }

    pub(super) fn finish(&self) -> u64 {
        self.0.lock().finish()
    }
}

#[derive(Debug)]
pub(super) struct ShakyStore {
    inner: Arc<dyn Store>,
    chance: Arc<Chance>,
    log: Arc<Log>,
    witness: Arc<Witness>,
    shaky: AtomicBool,
    plant: Option<Plant>,
    payments_seen: AtomicU64,
    holds: AtomicUsize,
    used_up_late: AtomicUsize,
}

impl ShakyStore {
    pub(super) fn over(
        inner: Arc<dyn Store>,
        chance: Arc<Chance>,
        log: Arc<Log>,
        witness: Arc<Witness>,
        plant: Option<Plant>,
    ) -> Self {
        Self {
            inner,
            chance,
            log,
            witness,
            shaky: AtomicBool::new(true),
            plant,
            payments_seen: AtomicU64::new(0),
            holds: AtomicUsize::new(0),
            used_up_late: AtomicUsize::new(0),
        }
    }

    pub(super) fn heal(&self) {
        self.shaky.store(false, Ordering::SeqCst);
    }

    /// How many bookings were made.
    pub(super) fn holds(&self) -> usize {
        self.holds.load(Ordering::SeqCst)
    }

    /// How often late money came for a booking whose promo code others had used up.
    pub(super) fn used_up_late(&self) -> usize {
        self.used_up_late.load(Ordering::SeqCst)
    }

    /// Does a piece of work with what may go wrong around it.
    fn around<'a, T: Send + 'a>(
        &'a self,
        work: impl FnOnce(&'a dyn Store) -> BoxFuture<'a, Result<T, StoreError>> + Send + 'a,
    ) -> BoxFuture<'a, Result<T, StoreError>> {
        Box::pin(async move {
            let shaky = self.shaky.load(Ordering::SeqCst);
            if shaky {
                pause(self.chance.below(3)).await;
                if self.chance.permille(5) {
                    return Err(StoreError::Fault("the step was lost".to_owned()));
                }
            }
            let done = work(&*self.inner).await;
            if shaky {
                pause(self.chance.below(3)).await;
                if self.chance.permille(5) {
                    return Err(StoreError::Fault("the answer was lost".to_owned()));
                }
            }
            done
        })
    }

    fn note(&self, step: &Step, done: &Result<Done, StoreError>) {
        self.log.note(step.command.booking().map(BookingId::to_bytes));
        self.log.note(code(done));
        match done {
            Ok(done) => self.note_done(step, done),
            Err(StoreError::Refused(Refusal::PromoCodeUsedUp)) => {
                if let (Some((code, customer)), Some(booking)) = (code_named(&step.command), step.command.booking()) {
                    self.witness.refused(code, booking, customer.as_deref(), self.inner.now());
                }
            }
            Err(_) => {}
        }
    }

    fn note_done(&self, step: &Step, done: &Done) {
        let is_new = done.outcome.effect == Effect::Held && !done.replayed;
        self.holds.fetch_add(usize::from(is_new), Ordering::SeqCst);
        self.log.note((done.outcome.at.as_ms(), format!("{:?}", done.outcome.effect)));
        if let Some(booking) = done.outcome.booking.as_ref().filter(|_| !done.replayed) {
            let late = done.outcome.effect == Effect::Settled(Settled::Refunded)
                && booking.refunds.last().is_some_and(|refund| refund.reason == RefundReason::Late)
                && booking.late_payment == LatePayment::Reclaim;
            let full = booking.promo.as_ref().is_some_and(|used| {
                matches!(step.command, Command::Settle(_))
                    && self.witness.is_full(&used.code, done.outcome.at, booking.id)
            });
            self.used_up_late.fetch_add(usize::from(late && full), Ordering::SeqCst);
            self.witness.saw(booking, done.outcome.at);
        }
    }
}

impl Store for ShakyStore {
    fn execute(&self, mut step: Step) -> BoxFuture<'_, Result<Done, StoreError>> {
        self.around(move |store| {
            Box::pin(async move {
                let mut done = match self.asks_for(&mut step) {
                    Ok(()) => store.execute(step.clone()).await,
                    Err(refusal) => Err(refusal.into()),
                };
                self.note(&step, &done);
                self.answers(&step.command, &mut done);
                done
            })
        })
    }

    fn answer(&self, key: Idempotency) -> BoxFuture<'_, Result<Option<Done>, StoreError>> {
        self.around(move |store| store.answer(key))
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
        self.around(move |store| store.show(id))
    }

    fn show_by_no(&self, no: ShowNo) -> BoxFuture<'_, Result<Option<Arc<Show>>, StoreError>> {
        self.around(move |store| store.show_by_no(no))
    }

    fn shows(&self, filter: ShowFilter) -> BoxFuture<'_, Result<Vec<ShowRow>, StoreError>> {
        self.around(move |store| store.shows(filter))
    }

    fn seats(&self, show: ShowNo) -> BoxFuture<'_, Result<SeatsRead, StoreError>> {
        self.around(move |store| store.seats(show))
    }

    fn seats_mark<'a>(&'a self, show: &'a ShowId) -> BoxFuture<'a, Result<Option<SeatsMark>, StoreError>> {
        self.inner.seats_mark(show)
    }

    fn booking(&self, id: BookingId) -> BoxFuture<'_, Result<Option<Booking>, StoreError>> {
        self.around(move |store| store.booking(id))
    }

    fn bookings(&self, filter: BookingFilter) -> BoxFuture<'_, Result<Vec<Booking>, StoreError>> {
        let forgets = self.plant == Some(Plant::ForgetsToFollow) && filter.show.is_some();
        self.around(move |store| {
            Box::pin(async move {
                let page = store.bookings(filter).await?;
                Ok(page.into_iter().skip(usize::from(forgets)).collect())
            })
        })
    }

    fn notices(&self, filter: NoticeFilter) -> BoxFuture<'_, Result<Vec<Notice>, StoreError>> {
        self.around(move |store| store.notices(filter))
    }

    fn shows_to_follow(&self, limit: usize) -> BoxFuture<'_, Result<Vec<ShowChange>, StoreError>> {
        self.around(move |store| store.shows_to_follow(limit))
    }

    fn show_followed(&self, change: ShowChange) -> BoxFuture<'_, Result<(), StoreError>> {
        self.around(move |store| store.show_followed(change))
    }

    fn promo_uses(&self, ask: PromoAsk) -> BoxFuture<'_, Result<PromoUses, StoreError>> {
        self.around(move |store| store.promo_uses(ask))
    }

    fn payment(&self, gateway: String, payment_id: String) -> BoxFuture<'_, Result<Option<AttemptId>, StoreError>> {
        self.around(move |store| store.payment(gateway, payment_id))
    }

    fn due(&self, limit: usize) -> BoxFuture<'_, Result<Vec<BookingId>, StoreError>> {
        self.around(move |store| store.due(limit))
    }

    fn notices_due(&self, limit: usize) -> BoxFuture<'_, Result<Vec<NoticeId>, StoreError>> {
        self.around(move |store| store.notices_due(limit))
    }

    fn of_persons(
        &self,
        before: Timestamp,
        after: Option<BookingId>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<BookingId>, StoreError>> {
        self.around(move |store| store.of_persons(before, after, limit))
    }

    fn note(&self, deed: Deed) -> BoxFuture<'_, Result<(), StoreError>> {
        self.around(move |store| store.note(deed))
    }

    fn actions(&self, filter: ActionFilter) -> BoxFuture<'_, Result<Vec<Action>, StoreError>> {
        self.around(move |store| store.actions(filter))
    }

    fn record_orphan(&self, orphan: Orphan) -> BoxFuture<'_, Result<(), StoreError>> {
        self.around(move |store| store.record_orphan(orphan))
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
