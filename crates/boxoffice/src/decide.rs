//! The selling rules: one pure, total function from what is known, a command and now to what
//! changes, or a refusal. No clock, no randomness, no I/O; every store calls it under its lock.

use crate::booking::Booking;
use crate::claim::{ClaimChange, ShowSeats};
use crate::command::{Command, Effect, Outcome};
use crate::event::{Event, EventKind};
use crate::promo::uses::PromoState;
use crate::refusal::Refusal;
use crate::sales::Sales;
use crate::show::{Show, ShowSpec};
use crate::time::Timestamp;

mod admit;
mod blocks;
mod cancel;
mod dispute;
#[cfg(test)]
mod door_tests;
mod erase;
mod exchange;
mod expire;
mod follow;
mod give_back;
mod hold;
mod notice;
mod payment;
mod promo;
#[cfg(test)]
mod properties;
mod refund;
mod reissue;
mod scans;
mod settle;
mod shows;
mod staff_refund;
#[cfg(test)]
mod table;

/// What a store loads for a command: the show with all its seats, and the booking if the command
/// names one.
#[derive(Debug, Clone, Copy)]
pub struct State<'a> {
    pub show: &'a Show,
    pub seats: &'a ShowSeats,
    /// Whether the whole store sells.
    pub sales: Sales,
    pub booking: Option<&'a Booking>,
    /// The promo code that [`promo::uses::asked`](crate::promo::uses::asked) asks for, if there is one.
    pub promo: Option<&'a PromoState>,
    /// The booking that [`Command::replaced`] names, if there is one.
    pub replaced: Option<Replaced<'a>>,
}

/// A booking whose tickets are exchanged, with its show, which may be the same.
#[derive(Debug, Clone, Copy)]
pub struct Replaced<'a> {
    pub show: &'a Show,
    pub seats: &'a ShowSeats,
    pub booking: &'a Booking,
}

/// Why a command has no changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    Refused(Refusal),
    /// A broken invariant: what was loaded contradicts itself.
    Bug(String),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<crate::money::MoneyError> for Stop {
    fn from(error: crate::money::MoneyError) -> Self {
        Self::Bug(error.to_string())
    }
}

/// What a command changes. A store writes all of it in one transaction, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// What changes of the booking that is replaced. It is written first: its seats may be among those
    /// that are taken.
    pub replaced: Option<Box<Changes>>,
    /// The show itself, where the step changes it.
    pub show: Option<ShowSpec>,
    pub claims: Vec<ClaimChange>,
    pub events: Vec<Event>,
    pub outcome: Outcome,
}

impl Changes {
    /// Nothing to write over the booking as it was loaded: the store answers without a commit.
    #[must_use]
    pub fn is_empty(&self, before: Option<&Booking>) -> bool {
        self.replaced.is_none()
            && self.show.is_none()
            && self.claims.is_empty()
            && self.events.is_empty()
            && self.outcome.booking.as_ref() == before
    }
}

/// Decides a command.
///
/// # Errors
/// [`Stop::Refused`] for an expected "no", [`Stop::Bug`] if the loaded state breaks an invariant.
pub fn decide(state: State<'_>, command: &Command, now: Timestamp) -> Result<Changes, Stop> {
    match command {
        Command::Hold(hold) => hold::hold(state, hold, now),
        Command::ChangeSeats(change) => hold::change_seats(state, change, now),
        Command::ChangeCustomer { customer, .. } => hold::change_customer(state, customer, now),
        Command::StartPayment { gateway, return_url, .. } => payment::start(state, gateway, return_url, now),
        Command::PayAtCounter { .. } => payment::pay_at_counter(state, now),
        Command::BuyerReturned { .. } => payment::returned(state, now),
        Command::OpenCheckout(open) => payment::open_checkout(state, open, now),
        Command::Settle(settle) => settle::settle(state, settle, now),
        Command::AcceptChanges { customer, .. } => hold::accept_changes(state, customer.as_ref(), now),
        Command::Cancel { tickets, reason, .. } => cancel::cancel(state, tickets.as_deref(), reason.as_deref(), now),
        Command::Exchange(asked) => exchange::exchange(state, asked, now),
        Command::Refund(asked) => staff_refund::refund(state, asked, now),
        Command::CancelShow { refunds, note, .. } => shows::cancel(state, *refunds, note, now),
        Command::Follow { .. } => follow::follow(state, now),
        Command::Expire { .. } => expire::expire(state, now),
        Command::RefundAnswered(answered) => refund::answered(state, answered, now),
        Command::DisputePassedOn { refund, status, .. } => dispute::passed_on(state, *refund, *status, now),
        Command::NoticeAnswered(answered) => notice::answered(state, answered, now),
        Command::ResendNotice { notice } => notice::resend(state, *notice, now),
        Command::Erase { .. } => erase::erase(state, now),
        Command::Block(block) => blocks::block(state, block, now),
        Command::Unblock(block) => blocks::unblock(state, block, now),
        Command::Admit(admit) => admit::admit(state, admit, now),
        Command::RecordScans(record) => scans::record(state, record, now),
        Command::Reissue(reissue) => reissue::reissue(state, reissue, now),
    }
}

/// A decision being put together: the booking as it will be, and what else changes.
#[derive(Debug)]
struct Draft {
    booking: Booking,
    replaced: Option<Box<Changes>>,
    claims: Vec<ClaimChange>,
    events: Vec<Event>,
    now: Timestamp,
}

impl Draft {
    fn new(booking: Booking, now: Timestamp) -> Self {
        Self { booking, replaced: None, claims: Vec::new(), events: Vec::new(), now }
    }

    fn of(state: State<'_>, now: Timestamp) -> Result<Self, Stop> {
        let booking = state.booking.ok_or(Refusal::NotFound("booking"))?;
        Ok(Self::new(booking.clone(), now))
    }

    fn event(&mut self, kind: EventKind) {
        self.events.push(Event { booking: Some(self.booking.id), kind });
    }

    fn done(self, effect: Effect) -> Changes {
        let outcome = Outcome { at: self.now, booking: Some(self.booking), effect };
        Changes { replaced: self.replaced, show: None, claims: self.claims, events: self.events, outcome }
    }
}

/// The number of a booking's next attempt, refund, ticket or notice.
fn next_no(taken: impl Iterator<Item = u16>) -> Result<u16, Stop> {
    let last = taken.max().unwrap_or(0);
    last.checked_add(1).ok_or_else(|| Stop::Bug("a booking has more parts than there are numbers".into()))
}
