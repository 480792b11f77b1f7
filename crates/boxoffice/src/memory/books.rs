//! One show's claims, bookings and events: what its lock guards.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::booking::Booking;
use crate::catalogue::delete::{Thing, Uses};
use crate::catalogue::plan::KeptShow;
use crate::claim::{Claim, ClaimChange, ShowSeats};
use crate::command::{Command, Outcome};
use crate::decide::{Changes, Replaced, State, Stop, decide};
use crate::event::Event;
use crate::id::{BookingId, NoticeId, SeatNo};
use crate::ledger::{self, Line};
use crate::promo::uses::PromoState;
use crate::sales::Sales;
use crate::show::Show;
use crate::store::{ShowBooks, ShowChange, StoreError};
use crate::time::Timestamp;

/// What a decision is made by beside the books.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    pub(super) now: Timestamp,
    pub(super) sales: Sales,
}

#[derive(Debug)]
pub(super) struct Books {
    show: Arc<Show>,
    seats: ShowSeats,
    bookings: BTreeMap<BookingId, Booking>,
    /// Bookings by the instant at which a job has something to do for them.
    due: BTreeSet<(Timestamp, BookingId)>,
    notices_due: BTreeSet<(Timestamp, NoticeId)>,
    events: Vec<(u64, Timestamp, Event)>,
    ledger: Vec<Line>,
    /// How often the show changed under its bookings, and with which of that they are in line.
    changes: u64,
    followed: u64,
    /// The show was deleted: whoever waited for its lock finds nothing.
    deleted: bool,
}

impl Books {
    pub(super) fn new(show: Arc<Show>) -> Self {
        let seats = ShowSeats::empty(show.no, show.layout.seats().len());
        Self {
            show,
            seats,
            bookings: BTreeMap::new(),
            due: BTreeSet::new(),
            notices_due: BTreeSet::new(),
            events: Vec::new(),
            ledger: Vec::new(),
            changes: 0,
            followed: 0,
            deleted: false,
        }
    }

    pub(super) fn show(&self) -> &Arc<Show> {
        &self.show
    }

    pub(super) fn seats(&self) -> &ShowSeats {
        &self.seats
    }

    pub(super) fn booking(&self, id: BookingId) -> Option<&Booking> {
        self.bookings.get(&id)
    }

    pub(super) fn events(&self) -> &[(u64, Timestamp, Event)] {
        &self.events
    }

    pub(super) fn ledger(&self) -> &[Line] {
        &self.ledger
    }

    /// Decides a command; nothing is written. `others` has the booking that is replaced, if these
    /// books have not.
    pub(super) fn decide(
        &self,
        others: Option<&Self>,
        command: &Command,
        promo: Option<&PromoState>,
        at: At,
    ) -> Result<Changes, StoreError> {
        let booking = command.booking().and_then(|id| self.bookings.get(&id));
        let replaced = command.replaced(booking).and_then(|id| others.unwrap_or(self).replaced(id));
        let state = State { show: &self.show, seats: &self.seats, sales: at.sales, booking, promo, replaced };
        decide(state, command, at.now).map_err(|stop| match stop {
            Stop::Refused(refusal) => StoreError::Refused(refusal),
            Stop::Bug(bug) => StoreError::Bug(bug),
        })
    }

    fn replaced(&self, id: BookingId) -> Option<Replaced<'_>> {
        let booking = self.bookings.get(&id)?;
        Some(Replaced { show: &self.show, seats: &self.seats, booking })
    }

    /// Writes changes, guarded by the claims that were seen.
    pub(super) fn write(&mut self, changes: Changes, now: Timestamp) -> Result<Outcome, StoreError> {
        if let Some(miss) = changes.claims.iter().find(|change| !self.stands_as_seen(change)) {
            let (show, seat) = (self.show.id(), miss.seat.0);
            return Err(StoreError::Bug(format!("show {show}: the claim on seat {seat} is not the one that was seen")));
        }
        self.write_unguarded(changes, now)
    }

    /// Writes changes, whatever stands there.
    pub(super) fn write_unguarded(&mut self, changes: Changes, now: Timestamp) -> Result<Outcome, StoreError> {
        let lines = self.posting(&changes)?;
        for change in &changes.claims {
            self.put_claim(change);
        }
        if let Some(spec) = changes.show {
            self.show = Arc::new(Show { spec, ..Show::clone(&self.show) });
            self.changes += 1;
        }
        if let Some(booking) = &changes.outcome.booking {
            self.put(booking.clone());
        }
        for event in changes.events {
            self.log(event, now);
        }
        self.ledger.extend(lines);
        Ok(changes.outcome)
    }

    fn posting(&self, changes: &Changes) -> Result<Vec<Line>, StoreError> {
        let Some(after) = &changes.outcome.booking else { return Ok(Vec::new()) };
        let seq = self.seats.version + u64::try_from(changes.events.len()).unwrap_or(u64::MAX);
        let lines = ledger::posting(self.bookings.get(&after.id), after, seq, changes.outcome.at);
        lines.map_err(|error| StoreError::Bug(error.to_string()))
    }

    pub(super) fn put_claim(&mut self, change: &ClaimChange) {
        if let Some(claim) = self.seats.claims.get_mut(change.seat.index()) {
            *claim = change.becomes;
        }
    }

    fn stands_as_seen(&self, change: &ClaimChange) -> bool {
        self.seats.claims.get(change.seat.index()).is_some_and(|claim| *claim == change.was)
    }

    fn put(&mut self, booking: Booking) {
        if let Some(at) = self.bookings.get(&booking.id).and_then(Booking::due_at) {
            self.due.remove(&(at, booking.id));
        }
        if let Some(at) = booking.due_at() {
            self.due.insert((at, booking.id));
        }
        for was in self.bookings.get(&booking.id).iter().flat_map(|was| dates(was)) {
            self.notices_due.remove(&was);
        }
        self.notices_due.extend(dates(&booking));
        self.bookings.insert(booking.id, booking);
    }

    fn log(&mut self, event: Event, now: Timestamp) {
        self.seats.version += 1;
        self.events.push((self.seats.version, now, event));
    }

    /// Bookings with work due at `now`, longest due first.
    pub(super) fn due(&self, now: Timestamp, limit: usize) -> Vec<(Timestamp, BookingId)> {
        self.due.iter().take_while(|(at, _)| *at <= now).take(limit).copied().collect()
    }

    /// Notices to send at `now`, longest due first.
    pub(super) fn notices_due(&self, now: Timestamp, limit: usize) -> Vec<(Timestamp, NoticeId)> {
        self.notices_due.iter().take_while(|(at, _)| *at <= now).take(limit).copied().collect()
    }

    /// The show as an import's plan wants to know it.
    pub(super) fn kept(&self, now: Timestamp) -> KeptShow {
        let claims = self.seats.claims.iter().zip(0..);
        let live = claims.filter(|(claim, _)| claim.is_some_and(|c| c.is_live(now)));
        KeptShow {
            no: self.show.no,
            spec: self.show.spec.clone(),
            layout: self.show.layout.id().clone(),
            layout_version: self.show.layout.version(),
            claimed: live.map(|(_, no)| SeatNo(no)).collect(),
        }
    }

    /// The show as an import has it now. With other seats, which happens only while none is
    /// claimed, the rows of lapsed holds go and the version rises.
    pub(super) fn replace_show(&mut self, show: Arc<Show>, moves: bool, changes: bool) {
        self.changes += u64::from(changes);
        if moves {
            self.seats.claims = vec![None; show.layout.seats().len()];
            self.seats.version += 1;
        }
        self.show = show;
    }

    pub(super) fn is_deleted(&self) -> bool {
        self.deleted
    }

    pub(super) fn delete(&mut self) {
        self.deleted = true;
    }

    /// Counts what of the show and its bookings refers to a thing of the catalogue.
    pub(super) fn count(&self, thing: &Thing, now: Timestamp, uses: &mut Uses) {
        let whole = thing.is_used_by(&self.show);
        if whole {
            uses.count_show(self.show.spec.cancelled);
        }
        for booking in self.bookings.values().filter(|booking| whole || thing.is_named_by(booking, now)) {
            uses.count_bookings(booking.status_at(now), 1);
        }
    }

    pub(super) fn to_follow(&self) -> Option<ShowChange> {
        (self.changes > self.followed).then_some(ShowChange { show: self.show.no, change: self.changes })
    }

    pub(super) fn followed(&mut self, change: u64) {
        self.followed = self.followed.max(change);
    }

    pub(super) fn bookings(&self) -> impl Iterator<Item = &Booking> {
        self.bookings.values()
    }

    pub(super) fn copy(&self, now: Timestamp) -> ShowBooks {
        let claims = self.seats.claims.iter().zip(0..);
        let claims = claims.filter_map(|(claim, no)| claim.map(|claim: Claim| (SeatNo(no), claim)));
        ShowBooks {
            show: self.show.no,
            now,
            claims: claims.collect(),
            bookings: self.bookings.values().cloned().collect(),
            ledger: self.ledger.clone(),
        }
    }
}

/// When which notice of a booking is to be sent.
fn dates(booking: &Booking) -> impl Iterator<Item = (Timestamp, NoticeId)> {
    booking.notices.iter().filter_map(|notice| Some((notice.next_try_at?, notice.id)))
}
