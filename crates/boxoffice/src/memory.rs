//! A store in memory: one mutex per show, no durability. For tests, demonstrations, the laboratory,
//! and as the model that other stores are compared with.
//!
//! Lock order: shows by number, then whether the store sells, the idempotency keys, the promo codes, the payments. The catalogue, the clock and the
//! documents have locks of their own that are never held while another is taken.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use parking_lot::{Mutex, RwLock};

use crate::action::{Action, ActionFilter, Deed};
use crate::booking::{Booking, Notice, RefundStatus};
use crate::catalogue::delete::Thing;
use crate::catalogue::{Catalogue, Import, ImportReport};
use crate::clock::{Clock, ClockSetting};
use crate::command::{Command, Idempotency, Outcome, Step};
use crate::event::Event;
use crate::id::{AttemptId, BookingId, NoticeId, ShowId, ShowNo, TheatreId};
use crate::ledger::Line;
use crate::promo::uses::{PromoAsk, PromoState, PromoUses, asked};
use crate::refusal::Refusal;
use crate::sales::{Sales, SalesState};
use crate::show::Show;
use crate::store::{
    Backlog, BookingFilter, BoxFuture, ClockChange, Document, Done, NoticeFilter, Orphan, SeatsMark, SeatsRead,
    ShowBooks, ShowChange, ShowFilter, ShowRow, Store, StoreError,
};
use crate::time::Timestamp;

mod answers;
mod books;
mod both;
mod import;
mod promos;
#[cfg(test)]
mod tests;
#[cfg(any(test, feature = "testkit"))]
pub(crate) mod unguarded;

use answers::Answers;
use books::{At, Books};
use both::Both;
use promos::Promos;

/// A store whose futures are ready at once.
#[derive(Debug)]
pub struct MemoryStore {
    time: Time,
    catalogue: RwLock<Arc<Catalogue>>,
    shows: RwLock<Shows>,
    /// One import at a time.
    importing: Mutex<()>,
    answers: Mutex<Answers>,
    promos: Mutex<Promos>,
    /// Attempts by gateway and the provider's own payment id.
    payments: Mutex<HashMap<(String, String), AttemptId>>,
    documents: Mutex<BTreeMap<(&'static str, String), Document>>,
    orphans: Mutex<Vec<Orphan>>,
    actions: Mutex<Vec<Action>>,
    /// Held for reading by every step, from its decision until it is written.
    sales: RwLock<Sales>,
}

/// Nothing is ever restored into it.
const EPOCH: u64 = 1;

type SharedBooks = Arc<Mutex<Books>>;

#[derive(Debug, Default)]
struct Shows {
    by_no: BTreeMap<ShowNo, SharedBooks>,
    by_id: HashMap<ShowId, ShowNo>,
    /// The highest number that was ever given.
    last: u32,
}

/// The machine's clock as test mode has set it, never running backwards.
#[derive(Debug)]
struct Time {
    clock: Arc<dyn Clock>,
    setting: RwLock<ClockSetting>,
    /// The latest instant that anybody was told, in milliseconds.
    last_read_ms: AtomicI64,
}

impl Time {
    fn now(&self) -> Timestamp {
        self.no_earlier(self.setting.read().apply(self.clock.now()))
    }

    fn no_earlier(&self, now: Timestamp) -> Timestamp {
        let before = self.last_read_ms.fetch_max(now.as_ms(), Ordering::SeqCst);
        now.max(Timestamp::from_ms(before))
    }

    fn set(&self, change: ClockChange) -> Result<Timestamp, StoreError> {
        let mut setting = self.setting.write();
        let machine = self.clock.now();
        let now = self.no_earlier(setting.apply(machine));
        *setting = change.apply(*setting, machine, now).ok_or(Refusal::ClockBackwards { now })?;
        Ok(self.no_earlier(setting.apply(machine)))
    }
}

impl MemoryStore {
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let last_read_ms = AtomicI64::new(i64::MIN);
        Self {
            time: Time { clock, setting: RwLock::default(), last_read_ms },
            catalogue: RwLock::default(),
            shows: RwLock::default(),
            importing: Mutex::default(),
            answers: Mutex::default(),
            promos: Mutex::default(),
            payments: Mutex::default(),
            documents: Mutex::default(),
            orphans: Mutex::default(),
            actions: Mutex::default(),
            sales: RwLock::default(),
        }
    }

    /// The events of a show with their sequence numbers and instants, oldest first.
    #[must_use]
    pub fn events(&self, show: ShowNo) -> Vec<(u64, Timestamp, Event)> {
        self.books_of(show).map_or_else(Vec::new, |books| books.lock().events().to_vec())
    }

    fn books_of(&self, show: ShowNo) -> Option<Arc<Mutex<Books>>> {
        self.shows.read().by_no.get(&show).cloned()
    }

    fn all_books(&self) -> Vec<Arc<Mutex<Books>>> {
        self.shows.read().by_no.values().cloned().collect()
    }

    fn run(&self, step: &Step) -> Result<Done, StoreError> {
        let books = self.books_of(step.command.show()).ok_or_else(|| step.command.missing())?;
        let others = self.others(&step.command, &books)?;
        let mut books = Both::lock(step.command.show(), &books, others.as_ref());
        if books.own.is_deleted() {
            return Err(step.command.missing().into());
        }
        let sales = self.sales.read();
        let now = self.time.now();
        let at = At { now, sales: *sales };
        let Some(key) = &step.idempotency else {
            let outcome = self.run_in(&mut books, step, at)?;
            self.list_payments(&outcome);
            return Ok(Done { outcome, replayed: false });
        };
        let mut answers = self.answers.lock();
        if let Some(outcome) = answers.find(key, now)? {
            return Ok(Done { outcome, replayed: true });
        }
        let outcome = self.run_in(&mut books, step, at)?;
        self.list_payments(&outcome);
        answers.keep(key, &outcome, now);
        Ok(Done { outcome, replayed: false })
    }

    /// The books of the show whose booking the step replaces, if they are not those of its own.
    fn others(&self, command: &Command, books: &Mutex<Books>) -> Result<Option<(ShowNo, SharedBooks)>, StoreError> {
        let replaced = {
            let books = books.lock();
            command.replaced(command.booking().and_then(|id| books.booking(id)))
        };
        let Some(show) = replaced.map(BookingId::show).filter(|show| *show != command.show()) else {
            return Ok(None);
        };
        Ok(Some((show, self.books_of(show).ok_or(Refusal::NotFound("booking"))?)))
    }

    /// Decides and writes, the uses of the step's promo code locked if it has one.
    fn run_in(&self, books: &mut Both<'_>, step: &Step, at: At) -> Result<Outcome, StoreError> {
        let before = books.own.seats().version;
        let outcome = self.decide_in(books, &step.command, at)?;
        if let Some(by) = step.by.as_ref().filter(|_| books.own.seats().version != before) {
            let deed = step.command.deed(by.clone(), books.own.show().id());
            self.write_action(deed, at.now);
        }
        Ok(outcome)
    }

    fn write_action(&self, deed: Deed, at: Timestamp) {
        let mut actions = self.actions.lock();
        let no = actions.len() as u64 + 1;
        actions.push(Action { no, at, deed });
    }

    fn decide_in(&self, books: &mut Both<'_>, command: &Command, at: At) -> Result<Outcome, StoreError> {
        let booking = command.booking().and_then(|id| books.own.booking(id));
        let replaced = command.replaced(booking).and_then(|id| books.others().booking(id));
        let ask = asked(command, booking);
        let was = [booking, replaced].map(|booking| booking.and_then(Booking::promo_row));
        if ask.is_none() && was.iter().all(Option::is_none) {
            return books.run(command, None, at).map(|(outcome, _)| outcome);
        }
        let mut promos = self.promos.lock();
        let promo = ask.and_then(|ask| self.promo_state(&ask, promos.uses(&ask, at.now)));
        let (outcome, replaced) = books.run(command, promo.as_ref(), at)?;
        for (booking, was) in [&outcome.booking, &replaced].into_iter().zip(&was) {
            if let Some(booking) = booking {
                promos.keep(was.as_ref(), booking);
            }
        }
        Ok(outcome)
    }

    fn promo_state(&self, ask: &PromoAsk, uses: PromoUses) -> Option<PromoState> {
        let code = self.catalogue.read().promo_codes.get(&ask.code)?.clone();
        Some(PromoState { code, uses })
    }

    fn list_payments(&self, outcome: &Outcome) {
        let attempts = outcome.booking.iter().flat_map(|booking| &booking.attempts);
        let attempts = attempts.filter(|attempt| attempt.moved_from.is_none());
        let mut payments = self.payments.lock();
        for attempt in attempts {
            if let Some(payment_id) = &attempt.payment_id {
                payments.entry((attempt.gateway.clone(), payment_id.clone())).or_insert(attempt.id);
            }
        }
    }

    fn find_shows(&self, filter: &ShowFilter) -> Vec<ShowRow> {
        let (now, sales) = (self.time.now(), *self.sales.read());
        let row = |books: &Arc<Mutex<Books>>| {
            let books = books.lock();
            let show = books.show();
            let seats = books.seats();
            let row = || ShowRow {
                show: show.clone(),
                seats_left: seats.seats_left(now),
                occupancy: seats.occupancy(now),
                sales,
            };
            filter.matches(show).then(row)
        };
        let mut rows: Vec<ShowRow> = self.all_books().iter().filter_map(row).collect();
        rows.sort_by(|a, b| (a.show.spec.starts_at, a.show.id()).cmp(&(b.show.spec.starts_at, b.show.id())));
        if filter.limit > 0 {
            rows.truncate(filter.limit);
        }
        rows
    }

    fn read_seats(&self, show: ShowNo) -> Result<SeatsRead, StoreError> {
        let books = self.books_of(show).ok_or(Refusal::NotFound("show"))?;
        let books = books.lock();
        let sales = *self.sales.read();
        Ok(SeatsRead {
            epoch: EPOCH,
            now: self.time.now(),
            sales,
            show: books.show().clone(),
            seats: books.seats().clone(),
        })
    }

    fn mark_of(&self, show: &ShowId) -> Option<SeatsMark> {
        let no = self.shows.read().by_id.get(show).copied()?;
        let books = self.books_of(no)?;
        let books = books.lock();
        Some(SeatsMark { epoch: EPOCH, show: no, version: books.seats().version, now: self.time.now() })
    }

    fn read_books(&self, after: Option<ShowNo>) -> Option<ShowBooks> {
        let next = |shows: &Shows| {
            let mut rest = shows.by_no.iter().filter(|(no, _)| after.is_none_or(|after| **no > after));
            rest.next().map(|(_, books)| books.clone())
        };
        let books = next(&self.shows.read())?;
        let books = books.lock();
        Some(books.copy(self.time.now()))
    }

    fn find_booking(&self, id: BookingId) -> Option<Booking> {
        self.books_of(id.show()).and_then(|books| books.lock().booking(id).cloned())
    }

    fn find_bookings(&self, filter: &BookingFilter) -> Vec<Booking> {
        let of_show = |books: &Arc<Mutex<Books>>| {
            let books = books.lock();
            books.bookings().filter(|b| filter.matches(b)).cloned().collect::<Vec<_>>()
        };
        let limit = if filter.limit == 0 { usize::MAX } else { filter.limit };
        self.all_books().iter().flat_map(of_show).take(limit).collect()
    }

    fn find_notices(&self, filter: &NoticeFilter) -> Vec<Notice> {
        let of_show = |books: &Arc<Mutex<Books>>| {
            let books = books.lock();
            books.bookings().flat_map(|b| &b.notices).filter(|n| filter.matches(n)).cloned().collect::<Vec<_>>()
        };
        let limit = if filter.limit == 0 { usize::MAX } else { filter.limit };
        self.all_books().iter().flat_map(of_show).take(limit).collect()
    }

    fn find_lines(&self, theatre: &TheatreId, from: Timestamp, to: Timestamp) -> Vec<Line> {
        let of_show = |books: &Arc<Mutex<Books>>| {
            let books = books.lock();
            let lines = if books.show().theatre.id == *theatre { books.ledger() } else { &[] };
            lines.iter().filter(|line| from <= line.at && line.at.is_before(to)).cloned().collect::<Vec<_>>()
        };
        let mut lines: Vec<Line> = self.all_books().iter().flat_map(of_show).collect();
        lines.sort_by_key(|line| line.at);
        lines
    }

    fn count_backlog(&self) -> Backlog {
        let mut backlog = Backlog::default();
        for books in self.all_books() {
            for booking in books.lock().bookings() {
                let open = booking.refunds.iter().filter(|refund| refund.status != RefundStatus::Succeeded);
                backlog.refunds_open += open.count() as u64;
                let due = booking.notices.iter().filter(|n| n.next_try_at.is_some()).map(|n| n.due_since);
                backlog.oldest_letter = backlog.oldest_letter.into_iter().chain(due).min();
            }
        }
        backlog
    }

    fn find_due(&self, limit: usize) -> Vec<BookingId> {
        let now = self.time.now();
        let mut due: Vec<(Timestamp, BookingId)> =
            self.all_books().iter().flat_map(|books| books.lock().due(now, limit)).collect();
        due.sort_unstable();
        due.truncate(limit);
        due.into_iter().map(|(_, id)| id).collect()
    }

    fn find_notices_due(&self, limit: usize) -> Vec<NoticeId> {
        let now = self.time.now();
        let mut due: Vec<(Timestamp, NoticeId)> =
            self.all_books().iter().flat_map(|books| books.lock().notices_due(now, limit)).collect();
        due.sort_unstable();
        due.truncate(limit);
        due.into_iter().map(|(_, id)| id).collect()
    }

    fn write_document(&self, kind: &'static str, key: String, expected: u64, body: String) -> bool {
        let mut documents = self.documents.lock();
        let key = (kind, key);
        let stands_at = documents.get(&key).map_or(0, |d| d.version);
        if stands_at == expected {
            documents.insert(key, Document { version: expected + 1, body });
        }
        stands_at == expected
    }
}

/// A future that is ready at once.
fn ready<'a, T: Send + 'a>(value: T) -> BoxFuture<'a, T> {
    Box::pin(std::future::ready(value))
}

impl Store for MemoryStore {
    fn execute(&self, step: Step) -> BoxFuture<'_, Result<Done, StoreError>> {
        ready(self.run(&step))
    }

    fn answer(&self, key: Idempotency) -> BoxFuture<'_, Result<Option<Done>, StoreError>> {
        let kept = self.answers.lock().find(&key, self.time.now());
        ready(kept.map(|kept| kept.map(|outcome| Done { outcome, replayed: true })).map_err(StoreError::from))
    }

    fn now(&self) -> Timestamp {
        self.time.now()
    }

    fn set_clock(&self, change: ClockChange) -> BoxFuture<'_, Result<Timestamp, StoreError>> {
        ready(self.time.set(change))
    }

    fn sales(&self) -> BoxFuture<'_, Result<SalesState, StoreError>> {
        ready(Ok(SalesState { sales: *self.sales.read(), unanswered: 0 }))
    }

    fn probe(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        ready(Ok(()))
    }

    fn backlog(&self) -> BoxFuture<'_, Result<Backlog, StoreError>> {
        ready(Ok(self.count_backlog()))
    }

    fn set_sales(&self, sales: Sales) -> BoxFuture<'_, Result<(), StoreError>> {
        *self.sales.write() = sales;
        ready(Ok(()))
    }

    fn import(&self, import: Import, dry_run: bool) -> BoxFuture<'_, Result<ImportReport, StoreError>> {
        ready(self.run_import(&import, dry_run))
    }

    fn delete(&self, thing: Thing) -> BoxFuture<'_, Result<(), StoreError>> {
        ready(self.run_delete(&thing))
    }

    fn catalogue(&self) -> BoxFuture<'_, Result<Arc<Catalogue>, StoreError>> {
        ready(Ok(self.catalogue.read().clone()))
    }

    fn show(&self, id: ShowId) -> BoxFuture<'_, Result<Option<Arc<Show>>, StoreError>> {
        let no = self.shows.read().by_id.get(&id).copied();
        ready(Ok(no.and_then(|no| self.books_of(no)).map(|books| books.lock().show().clone())))
    }

    fn show_by_no(&self, no: ShowNo) -> BoxFuture<'_, Result<Option<Arc<Show>>, StoreError>> {
        ready(Ok(self.books_of(no).map(|books| books.lock().show().clone())))
    }

    fn shows(&self, filter: ShowFilter) -> BoxFuture<'_, Result<Vec<ShowRow>, StoreError>> {
        ready(Ok(self.find_shows(&filter)))
    }

    fn seats(&self, show: ShowNo) -> BoxFuture<'_, Result<SeatsRead, StoreError>> {
        ready(self.read_seats(show))
    }

    fn seats_mark<'a>(&'a self, show: &'a ShowId) -> BoxFuture<'a, Result<Option<SeatsMark>, StoreError>> {
        ready(Ok(self.mark_of(show)))
    }

    fn booking(&self, id: BookingId) -> BoxFuture<'_, Result<Option<Booking>, StoreError>> {
        ready(Ok(self.find_booking(id)))
    }

    fn bookings(&self, filter: BookingFilter) -> BoxFuture<'_, Result<Vec<Booking>, StoreError>> {
        ready(Ok(self.find_bookings(&filter)))
    }

    fn notices(&self, filter: NoticeFilter) -> BoxFuture<'_, Result<Vec<Notice>, StoreError>> {
        ready(Ok(self.find_notices(&filter)))
    }

    fn shows_to_follow(&self, limit: usize) -> BoxFuture<'_, Result<Vec<ShowChange>, StoreError>> {
        let to_follow = self.all_books().into_iter().filter_map(|books| books.lock().to_follow());
        ready(Ok(to_follow.take(limit).collect()))
    }

    fn show_followed(&self, change: ShowChange) -> BoxFuture<'_, Result<(), StoreError>> {
        if let Some(books) = self.books_of(change.show) {
            books.lock().followed(change.change);
        }
        ready(Ok(()))
    }

    fn of_persons(
        &self,
        before: Timestamp,
        after: Option<BookingId>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<BookingId>, StoreError>> {
        let of_show = |books: &Arc<Mutex<Books>>| {
            let books = books.lock();
            let over = books.show().spec.starts_at.is_before(before);
            let wanted =
                books.bookings().filter(|b| over && b.customer.is_named() && after.is_none_or(|after| b.id > after));
            wanted.map(|b| b.id).collect::<Vec<_>>()
        };
        ready(Ok(self.all_books().iter().flat_map(of_show).take(limit).collect()))
    }

    fn note(&self, deed: Deed) -> BoxFuture<'_, Result<(), StoreError>> {
        self.write_action(deed, self.time.now());
        ready(Ok(()))
    }

    fn actions(&self, filter: ActionFilter) -> BoxFuture<'_, Result<Vec<Action>, StoreError>> {
        let limit = if filter.limit == 0 { usize::MAX } else { filter.limit };
        let actions = self.actions.lock();
        ready(Ok(actions.iter().filter(|action| filter.matches(action)).take(limit).cloned().collect()))
    }

    fn promo_uses(&self, ask: PromoAsk) -> BoxFuture<'_, Result<PromoUses, StoreError>> {
        let now = self.time.now();
        ready(Ok(self.promos.lock().uses(&ask, now)))
    }

    fn payment(&self, gateway: String, payment_id: String) -> BoxFuture<'_, Result<Option<AttemptId>, StoreError>> {
        ready(Ok(self.payments.lock().get(&(gateway, payment_id)).copied()))
    }

    fn due(&self, limit: usize) -> BoxFuture<'_, Result<Vec<BookingId>, StoreError>> {
        ready(Ok(self.find_due(limit)))
    }

    fn notices_due(&self, limit: usize) -> BoxFuture<'_, Result<Vec<NoticeId>, StoreError>> {
        ready(Ok(self.find_notices_due(limit)))
    }

    fn record_orphan(&self, orphan: Orphan) -> BoxFuture<'_, Result<(), StoreError>> {
        let mut orphans = self.orphans.lock();
        if !orphans.iter().any(|o| o.gateway == orphan.gateway && o.payment_id == orphan.payment_id) {
            orphans.push(orphan);
        }
        ready(Ok(()))
    }

    fn orphans(&self) -> BoxFuture<'_, Result<Vec<Orphan>, StoreError>> {
        ready(Ok(self.orphans.lock().clone()))
    }

    fn books(&self, after: Option<ShowNo>) -> BoxFuture<'_, Result<Option<ShowBooks>, StoreError>> {
        ready(Ok(self.read_books(after)))
    }

    fn ledger(
        &self,
        theatre: TheatreId,
        from: Timestamp,
        to: Timestamp,
    ) -> BoxFuture<'_, Result<Vec<Line>, StoreError>> {
        ready(Ok(self.find_lines(&theatre, from, to)))
    }

    fn document(&self, kind: &'static str, key: String) -> BoxFuture<'_, Result<Option<Document>, StoreError>> {
        ready(Ok(self.documents.lock().get(&(kind, key)).cloned()))
    }

    fn put_document(
        &self,
        kind: &'static str,
        key: String,
        expected: u64,
        body: String,
    ) -> BoxFuture<'_, Result<bool, StoreError>> {
        ready(Ok(self.write_document(kind, key, expected, body)))
    }

    fn documents(&self, kind: &'static str) -> BoxFuture<'_, Result<Vec<(String, Document)>, StoreError>> {
        let documents = self.documents.lock();
        let of_kind = documents.iter().filter(|((k, _), _)| *k == kind);
        ready(Ok(of_kind.map(|((_, key), document)| (key.clone(), document.clone())).collect()))
    }
}
