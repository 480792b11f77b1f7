//! What a store must do, and nothing more: run a business step atomically, and answer reads.
//!
//! # The contract
//!
//! - [`Store::execute`] takes the show's lock, reads now *under* it, loads what the command needs,
//!   calls [`decide`](crate::decide::decide), and writes claims, booking, events, the ledger's
//!   [`posting`](crate::ledger::posting) and idempotency record in one transaction. It answers only when that is durable. A refusal writes nothing.
//! - Per show and seat there is one claim row with a key that holds even if every lock is off.
//!   A claim change is guarded by the claim that was seen; a miss is a [`StoreError::Bug`].
//! - Now never runs backwards within a show.
//! - A promo code's uses are counted in the transaction that adds one, under a lock or in the only writer.
//! - A thing is deleted in one transaction with the count of what refers to it: of a deletion and a hold that meet, one
//!   is refused. A deleted show's number is never given again, since ids of bookings carry it.
//! - Lock order, the same everywhere: show numbers ascending, booking, idempotency key, promo code.
//! - A [`StoreError::Fault`] means: nothing was written, or it is not known; the same step may be
//!   sent again because every step is idempotent by the ids it carries.

use std::sync::Arc;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::action::{Action, ActionFilter, Deed};
use crate::booking::{Booking, Notice, NoticeStatus};
use crate::catalogue::delete::Thing;
use crate::catalogue::{Catalogue, Import, ImportReport};
use crate::claim::{Claim, Occupancy, ShowSeats};
use crate::clock::ClockSetting;
use crate::command::{Idempotency, Outcome, Step};
pub use crate::gateway::BoxFuture;
use crate::id::{AttemptId, BookingId, MovieId, NoticeId, ScreenId, SeatNo, ShowId, ShowNo, TheatreId};
use crate::ledger::Line;
use crate::money::Money;
use crate::promo::uses::{PromoAsk, PromoUses};
use crate::refusal::Refusal;
use crate::sales::{Sales, SalesState};
use crate::show::Show;
use crate::time::{Span, Timestamp};

/// A store of bookings. See the module's text for what each promises.
pub trait Store: Send + Sync + std::fmt::Debug {
    /// Runs one business step: all of it, durably, or nothing.
    fn execute(&self, step: Step) -> BoxFuture<'_, Result<Done, StoreError>>;

    /// The answer kept under an idempotency key. Refused if the key belongs to another request.
    fn answer(&self, key: Idempotency) -> BoxFuture<'_, Result<Option<Done>, StoreError>>;

    /// The store's time: the machine's clock as test mode has set it.
    fn now(&self) -> Timestamp;

    /// Sets the test clock for all processes on this store. Backwards:
    /// [`Refusal::ClockBackwards`].
    fn set_clock(&self, change: ClockChange) -> BoxFuture<'_, Result<Timestamp, StoreError>>;

    /// Where the sales of the whole store stand.
    fn sales(&self) -> BoxFuture<'_, Result<SalesState, StoreError>>;

    /// Whether a step could be written now: reads and writes, and changes nothing.
    fn probe(&self) -> BoxFuture<'_, Result<(), StoreError>>;

    /// What waits to be done, counted.
    fn backlog(&self) -> BoxFuture<'_, Result<Backlog, StoreError>>;

    /// Opens or closes the sales of the whole store. No step that was decided before the answer sells after it.
    fn set_sales(&self, sales: Sales) -> BoxFuture<'_, Result<(), StoreError>>;

    /// Writes a catalogue import, all or nothing, and says what it changed. A dry run writes nothing.
    fn import(&self, import: Import, dry_run: bool) -> BoxFuture<'_, Result<ImportReport, StoreError>>;

    /// Deletes a thing of the catalogue if nothing refers to it, as
    /// [`delete`](crate::catalogue::delete::delete) decides. [`Refusal::NotFound`]: it is not there.
    fn delete(&self, thing: Thing) -> BoxFuture<'_, Result<(), StoreError>>;

    /// Theatres, layouts, movies, prices: everything but the shows.
    fn catalogue(&self) -> BoxFuture<'_, Result<Arc<Catalogue>, StoreError>>;

    fn show(&self, id: ShowId) -> BoxFuture<'_, Result<Option<Arc<Show>>, StoreError>>;

    fn show_by_no(&self, no: ShowNo) -> BoxFuture<'_, Result<Option<Arc<Show>>, StoreError>>;

    /// Shows by start and id, with the seats left now.
    fn shows(&self, filter: ShowFilter) -> BoxFuture<'_, Result<Vec<ShowRow>, StoreError>>;

    /// All claims of a show at one moment.
    fn seats(&self, show: ShowNo) -> BoxFuture<'_, Result<SeatsRead, StoreError>>;

    /// Where a show's seats stand now, after everything that anybody was answered: by it whoever keeps
    /// a read of them sees whether they still stand so. Asked at each look, so it has to be cheap.
    fn seats_mark<'a>(&'a self, show: &'a ShowId) -> BoxFuture<'a, Result<Option<SeatsMark>, StoreError>>;

    fn booking(&self, id: BookingId) -> BoxFuture<'_, Result<Option<Booking>, StoreError>>;

    /// The bookings that match, by id.
    fn bookings(&self, filter: BookingFilter) -> BoxFuture<'_, Result<Vec<Booking>, StoreError>>;

    /// What customers were or will be told, by booking and number.
    fn notices(&self, filter: NoticeFilter) -> BoxFuture<'_, Result<Vec<Notice>, StoreError>>;

    /// Shows that changed under their bookings, and which of their changes was the last. A job brings
    /// the bookings into line and then says so.
    fn shows_to_follow(&self, limit: usize) -> BoxFuture<'_, Result<Vec<ShowChange>, StoreError>>;

    /// Every booking of the show is in line with this change of it.
    fn show_followed(&self, change: ShowChange) -> BoxFuture<'_, Result<(), StoreError>>;

    /// Bookings whose customer is named and whose show starts before this, by id.
    fn of_persons(
        &self,
        before: Timestamp,
        after: Option<BookingId>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<BookingId>, StoreError>>;

    /// Writes down what staff did apart from any step: what a step changes is written with it.
    fn note(&self, deed: Deed) -> BoxFuture<'_, Result<(), StoreError>>;

    /// What staff did, oldest first.
    fn actions(&self, filter: ActionFilter) -> BoxFuture<'_, Result<Vec<Action>, StoreError>>;

    /// The uses of a promo code that count now: to quote by. A step counts them under its lock.
    fn promo_uses(&self, ask: PromoAsk) -> BoxFuture<'_, Result<PromoUses, StoreError>>;

    /// The attempt that has this payment, known by the provider's own id.
    fn payment(&self, gateway: String, payment_id: String) -> BoxFuture<'_, Result<Option<AttemptId>, StoreError>>;

    /// Bookings with work that is due now, longest due first.
    fn due(&self, limit: usize) -> BoxFuture<'_, Result<Vec<BookingId>, StoreError>>;

    /// Notices to be sent now, longest due first.
    fn notices_due(&self, limit: usize) -> BoxFuture<'_, Result<Vec<NoticeId>, StoreError>>;

    /// Records money that names no attempt of ours. A repeat changes nothing.
    fn record_orphan(&self, orphan: Orphan) -> BoxFuture<'_, Result<(), StoreError>>;

    fn orphans(&self) -> BoxFuture<'_, Result<Vec<Orphan>, StoreError>>;

    /// Claims and bookings of the first show after `after`, read at one moment: for the audit.
    fn books(&self, after: Option<ShowNo>) -> BoxFuture<'_, Result<Option<ShowBooks>, StoreError>>;

    /// The ledger's lines of a theatre's shows that were posted in this half-open time, in its order.
    fn ledger(
        &self,
        theatre: TheatreId,
        from: Timestamp,
        to: Timestamp,
    ) -> BoxFuture<'_, Result<Vec<Line>, StoreError>>;

    /// A small document by kind and key: keys, staff, the sandbox's own tables.
    fn document(&self, kind: &'static str, key: String) -> BoxFuture<'_, Result<Option<Document>, StoreError>>;

    /// Writes a document if it stands at `expected` (0: does not exist yet). False: it does not.
    fn put_document(
        &self,
        kind: &'static str,
        key: String,
        expected: u64,
        body: String,
    ) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// All documents of a kind by key.
    fn documents(&self, kind: &'static str) -> BoxFuture<'_, Result<Vec<(String, Document)>, StoreError>>;
}

/// How long an answer is kept under its idempotency key.
pub const ANSWERS_KEPT: Span = Span::from_mins(24 * 60);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    pub outcome: Outcome,
    /// The answer was given before, to the same request under the same idempotency key.
    pub replayed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store cannot do it now: gone, full, too busy. The same step may be sent again.
    #[error("the store cannot answer now: {0}")]
    Fault(String),
    /// A broken invariant. It is never the user's doing.
    #[error("bug: {0}")]
    Bug(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockChange {
    Set { to: Timestamp, freeze: bool },
    Advance { by_ms: i64, freeze: bool },
}

impl ClockChange {
    /// The new setting, or `None` if it would run the clock backwards.
    #[must_use]
    pub fn apply(self, setting: ClockSetting, machine: Timestamp, last_read: Timestamp) -> Option<ClockSetting> {
        let now = setting.apply(machine).max(last_read);
        let (target, freeze) = match self {
            Self::Set { to, freeze } => (to, freeze),
            Self::Advance { by_ms, freeze } => (now + Span::from_ms(by_ms), freeze),
        };
        (target >= now).then(|| ClockSetting::reading(target, machine, freeze))
    }
}

/// Work that waits for a provider or a mail server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Backlog {
    /// Refunds that have not arrived, whatever keeps them.
    pub refunds_open: u64,
    /// Since when the oldest letter that is still to be sent has been due.
    pub oldest_letter: Option<Timestamp>,
}

/// A show and how often it has changed under its bookings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShowChange {
    pub show: ShowNo,
    pub change: u64,
}

/// All that are given must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BookingFilter {
    pub show: Option<ShowNo>,
    pub reference: Option<String>,
    /// Compared without regard to the case of ASCII letters.
    pub email: Option<String>,
    /// Only bookings after this one.
    pub after: Option<BookingId>,
    /// 0: no limit.
    pub limit: usize,
}

impl BookingFilter {
    #[must_use]
    pub fn matches(&self, booking: &Booking) -> bool {
        let same_address =
            |email: &String| booking.customer.email.as_ref().is_some_and(|e| e.eq_ignore_ascii_case(email));
        self.show.is_none_or(|show| booking.id.show() == show)
            && self.reference.as_ref().is_none_or(|reference| booking.reference == *reference)
            && self.email.as_ref().is_none_or(same_address)
            && self.after.is_none_or(|after| booking.id > after)
    }
}

/// All that are given must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NoticeFilter {
    pub status: Option<NoticeStatus>,
    /// Only notices after this one.
    pub after: Option<NoticeId>,
    /// 0: no limit.
    pub limit: usize,
}

impl NoticeFilter {
    #[must_use]
    pub fn matches(&self, notice: &Notice) -> bool {
        self.status.is_none_or(|status| status == notice.status) && self.after.is_none_or(|after| notice.id > after)
    }
}

/// All that are given must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShowFilter {
    /// `None`: every theatre.
    pub theatres: Option<Vec<TheatreId>>,
    pub screen: Option<ScreenId>,
    /// `None`: every movie.
    pub movies: Option<Vec<MovieId>>,
    pub business_day: Option<Date>,
    /// The business day, or the date on the theatre's calendar.
    pub on_date: Option<Date>,
    /// Starts at or after.
    pub from: Option<Timestamp>,
    /// Starts before.
    pub to: Option<Timestamp>,
    /// Only shows after this start and id, in that order.
    pub after: Option<(Timestamp, ShowId)>,
    /// 0: no limit.
    pub limit: usize,
}

impl ShowFilter {
    #[must_use]
    pub fn matches(&self, show: &Show) -> bool {
        let starts_at = show.spec.starts_at;
        self.theatres.as_ref().is_none_or(|t| t.contains(&show.theatre.id))
            && self.screen.as_ref().is_none_or(|s| *s == show.spec.screen)
            && self.movies.as_ref().is_none_or(|m| m.contains(&show.spec.movie))
            && self.business_day.is_none_or(|d| d == show.business_day)
            && self.on_date.is_none_or(|d| d == show.business_day || d == show.local_start().date())
            && self.from.is_none_or(|from| starts_at >= from)
            && self.to.is_none_or(|to| starts_at < to)
            && self.after.as_ref().is_none_or(|(at, id)| (starts_at, show.id()) > (*at, id))
    }
}

#[derive(Debug, Clone)]
pub struct ShowRow {
    pub show: Arc<Show>,
    pub seats_left: usize,
    pub occupancy: Occupancy,
    /// Whether the whole store sells.
    pub sales: Sales,
}

/// A show, its claims and the clock they were read by, all of one moment.
#[derive(Debug, Clone)]
pub struct SeatsRead {
    /// A restore starts a new one.
    pub epoch: u64,
    pub now: Timestamp,
    pub show: Arc<Show>,
    /// Whether the whole store sells.
    pub sales: Sales,
    pub seats: ShowSeats,
}

impl SeatsRead {
    #[must_use]
    pub fn mark(&self) -> SeatsMark {
        SeatsMark { epoch: self.epoch, show: self.seats.show, version: self.seats.version, now: self.now }
    }
}

/// Where the seats of a show stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeatsMark {
    pub epoch: u64,
    pub show: ShowNo,
    pub version: u64,
    pub now: Timestamp,
}

/// Captured money that names no attempt of ours: for staff, never touched by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Orphan {
    pub gateway: String,
    pub payment_id: String,
    pub amount: Money,
    pub seen_at: Timestamp,
}

/// Everything the store has on one show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShowBooks {
    pub show: ShowNo,
    pub now: Timestamp,
    /// Every claim row, as asked of the store itself.
    pub claims: Vec<(SeatNo, Claim)>,
    pub bookings: Vec<Booking>,
    /// The ledger's lines of the show, in the order in which they were posted.
    pub ledger: Vec<Line>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Rises by one with each write, from 1.
    pub version: u64,
    pub body: String,
}
