//! A store with the small cinema in it, and short ways to say what buyers and providers do.

use std::collections::BTreeMap;
use std::fmt::{Debug, Display};
use std::sync::{Arc, Barrier};

use parking_lot::Mutex;
use pollster::block_on;

use super::contract::Subject;
use super::{SeededEntropy, TestClock, hall};
use crate::booking::{Attempt, Booking, Channel, Customer};
use crate::catalogue::Import;
use crate::claim::SeatStatus;
use crate::command::{Command, Effect, Hold, PaymentNews, SeatPick, Seats, Settle, Settled, Step};
use crate::id::{BookingId, SeatNo, ShowId, reference};
use crate::prices::STANDARD;
use crate::refusal::Refusal;
use crate::service::Entropy;
use crate::show::Show;
use crate::store::{Done, SeatsRead, Store, StoreError};
use crate::time::{Span, Timestamp};

/// The gateway that the checks say they pay with.
pub const GATEWAY: &str = "sandbox";

/// What a check found wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure(pub String);

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self(format!("the store answered: {error}"))
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Fails with these words unless it holds.
///
/// # Errors
/// The failure.
pub fn ensure(holds: bool, what: &str) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(Failure(what.to_owned())) }
}

/// Fails unless both are the same.
///
/// # Errors
/// The failure, with both values.
pub fn same<T: PartialEq + Debug>(what: &str, got: T, want: T) -> Result<(), Failure> {
    if got == want { Ok(()) } else { Err(Failure(format!("{what}: got {got:?}, wanted {want:?}"))) }
}

/// The refusal's code, `fault`, `bug`, or `ok`.
#[must_use]
pub fn code<T>(result: &Result<T, StoreError>) -> &'static str {
    match result {
        Ok(_) => "ok",
        Err(StoreError::Refused(refusal)) => refusal.code(),
        Err(StoreError::Fault(_)) => "fault",
        Err(StoreError::Bug(_)) => "bug",
    }
}

/// A store of the subject with nine shows, a clock, and names for the parts of a check.
pub struct World<'a> {
    pub store: Arc<dyn Store>,
    pub clock: Arc<TestClock>,
    subject: &'a dyn Subject,
    entropy: SeededEntropy,
    parts: Arc<Mutex<Vec<Part>>>,
}

/// A named part of a check and whether it held.
pub(super) type Part = (&'static str, bool);

impl<'a> World<'a> {
    /// Opens a store and imports the hall with nine shows.
    ///
    /// # Errors
    /// As the store has them.
    pub fn open(subject: &'a dyn Subject) -> Result<Self, Failure> {
        let clock = Arc::new(TestClock::at(hall::opening()));
        let store = subject.open(clock.clone());
        let world = Self { store, clock, subject, entropy: SeededEntropy::new(1), parts: Arc::default() };
        let report = world.import(hall::import(9))?;
        same("conflicts of the first import", report.conflicts, Vec::new())?;
        Ok(world)
    }

    /// Closes the store and opens it again on what it kept. `None`: it keeps nothing.
    #[must_use]
    pub fn reopen(self) -> Option<Self> {
        let Self { store, clock, subject, entropy, parts } = self;
        let store = subject.reopen(store, clock.clone())?;
        Some(Self { store, clock, subject, entropy, parts })
    }

    pub(super) fn parts(&self) -> Arc<Mutex<Vec<Part>>> {
        self.parts.clone()
    }

    /// Notes one named part of a check.
    pub fn part(&self, name: &'static str, holds: bool) {
        self.parts.lock().push((name, holds));
    }

    /// # Errors
    /// As the store has them.
    pub fn import(&self, import: Import) -> Result<crate::catalogue::ImportReport, StoreError> {
        block_on(self.store.import(import, false))
    }

    /// Imports the n-th show with a change.
    ///
    /// # Errors
    /// As the store has them, and any conflict.
    pub fn change_show(&self, n: u16, change: impl FnOnce(&mut crate::show::ShowSpec)) -> Result<(), Failure> {
        let mut spec = hall::show(n);
        change(&mut spec);
        let report = self.import(Import { shows: vec![spec], ..Import::default() })?;
        same("conflicts", report.conflicts, Vec::new())
    }

    /// Moves the clock to this much after the opening.
    pub fn at(&self, since_opening: Span) {
        self.clock.set(hall::opening() + since_opening);
    }

    /// # Errors
    /// As the store has them; a missing show.
    pub fn show(&self, n: u16) -> Result<Arc<Show>, StoreError> {
        let id: ShowId = hall::show_id(n);
        block_on(self.store.show(id))?.ok_or_else(|| Refusal::NotFound("show").into())
    }

    /// # Errors
    /// As the store has them.
    pub fn run(&self, command: Command) -> Result<Done, StoreError> {
        self.step(command.into())
    }

    /// # Errors
    /// As the store has them.
    pub fn step(&self, step: Step) -> Result<Done, StoreError> {
        block_on(self.store.execute(step))
    }

    /// A hold of these seats, given by label, with an id of its own.
    ///
    /// # Errors
    /// As the store has them; a label that the hall does not have.
    pub fn hold_command(&self, n: u16, labels: &[&str]) -> Result<Command, StoreError> {
        let show = self.show(n)?;
        let seat = |label: &&str| {
            let unknown = || Refusal::UnknownSeats(vec![(*label).to_owned()]);
            show.layout.by_id(label).ok_or_else(unknown)
        };
        let seats = labels.iter().map(seat).collect::<Result<Vec<SeatNo>, _>>()?;
        let pick = |seat| SeatPick { seat, ticket_type: STANDARD.to_owned() };
        Ok(self.hold_of(&show, Seats::These(seats.into_iter().map(pick).collect())))
    }

    /// A hold of these seats of a show, with an id of its own.
    #[must_use]
    pub fn hold_of(&self, show: &Show, seats: Seats) -> Command {
        Command::Hold(Box::new(Hold {
            booking: BookingId::new(show.no, self.store.now(), self.random()),
            reference: reference(self.random()),
            seats,
            layout: show.layout.pin(),
            channel: Channel::Web,
            customer: Customer { email: Some("buyer@example.org".into()), ..Customer::default() },
            metadata: BTreeMap::new(),
            mine: Vec::new(),
            expected_total: None,
        }))
    }

    fn random(&self) -> [u8; 6] {
        let mut bytes = [0; 6];
        self.entropy.fill(&mut bytes);
        bytes
    }

    /// # Errors
    /// As the store has them.
    pub fn hold(&self, n: u16, labels: &[&str]) -> Result<Booking, StoreError> {
        booking_of(self.run(self.hold_command(n, labels)?)?)
    }

    /// Starts paying and answers the attempt.
    ///
    /// # Errors
    /// As the store has them.
    pub fn start(&self, booking: BookingId) -> Result<Attempt, StoreError> {
        let done = self.run(Command::StartPayment { booking, gateway: GATEWAY.into(), return_url: String::new() })?;
        let Effect::PaymentStarted { attempt } = done.outcome.effect else {
            return Err(StoreError::Bug(format!("starting to pay answered {:?}", done.outcome.effect)));
        };
        let attempt = booking_of(done)?.attempt(attempt).cloned();
        attempt.ok_or_else(|| StoreError::Bug("the started attempt is not in the booking".into()))
    }

    /// News of a payment that names this attempt. Providers never use an id twice, so the payment's
    /// name is made one of its booking's own.
    ///
    /// # Errors
    /// As the store has them.
    pub fn news(&self, attempt: &Attempt, payment: &str, news: PaymentNews) -> Result<Settled, StoreError> {
        let settle = Settle {
            booking: attempt.id.booking,
            gateway: attempt.gateway.clone(),
            attempt: attempt.id.no,
            payment_id: Some(format!("{payment}-{}", attempt.id.booking)),
            news,
        };
        let effect = self.run(Command::Settle(settle))?.outcome.effect;
        let Effect::Settled(settled) = effect else {
            return Err(StoreError::Bug(format!("a settlement answered {effect:?}")));
        };
        Ok(settled)
    }

    /// The provider took what was asked.
    ///
    /// # Errors
    /// As the store has them.
    pub fn capture(&self, attempt: &Attempt, payment: &str) -> Result<Settled, StoreError> {
        self.news(attempt, payment, PaymentNews::Captured(attempt.amount))
    }

    /// Starts paying and pays.
    ///
    /// # Errors
    /// As the store has them.
    pub fn pay(&self, booking: BookingId) -> Result<Settled, StoreError> {
        let attempt = self.start(booking)?;
        self.capture(&attempt, &format!("pay-{}", attempt.id))
    }

    /// # Errors
    /// As the store has them.
    pub fn cancel(&self, booking: BookingId) -> Result<Booking, StoreError> {
        booking_of(self.run(Command::Cancel { booking, reason: None })?)
    }

    /// # Errors
    /// As the store has them; a missing booking.
    pub fn booking(&self, id: BookingId) -> Result<Booking, StoreError> {
        block_on(self.store.booking(id))?.ok_or_else(|| Refusal::NotFound("booking").into())
    }

    /// # Errors
    /// As the store has them.
    pub fn seats(&self, n: u16) -> Result<SeatsRead, StoreError> {
        block_on(self.store.seats(self.show(n)?.no))
    }

    /// What everybody sees of a seat now.
    ///
    /// # Errors
    /// As the store has them; a label that the hall does not have.
    pub fn status(&self, n: u16, label: &str) -> Result<SeatStatus, StoreError> {
        let show = self.show(n)?;
        let seat = show.layout.by_id(label).ok_or_else(|| Refusal::UnknownSeats(vec![label.to_owned()]))?;
        let read = block_on(self.store.seats(show.no))?;
        Ok(read.seats.status(seat, read.now))
    }

    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.store.now()
    }
}

impl Debug for World<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").field("store", &self.store).field("clock", &self.clock).finish_non_exhaustive()
    }
}

/// The booking of an answer.
///
/// # Errors
/// A bug, if it has none.
pub fn booking_of(done: Done) -> Result<Booking, StoreError> {
    done.outcome.booking.ok_or_else(|| StoreError::Bug("an answer without its booking".into()))
}

/// Runs `each(round, thread)` on all threads at once, round by round behind a barrier, and answers
/// the results of each round.
pub fn race<T: Send>(threads: usize, rounds: usize, each: impl Fn(usize, usize) -> T + Sync) -> Vec<Vec<T>> {
    let barrier = Barrier::new(threads);
    let results: Vec<Mutex<Vec<T>>> = (0..rounds).map(|_| Mutex::default()).collect();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (barrier, results, each) = (&barrier, &results, &each);
            scope.spawn(move || {
                for (round, results) in results.iter().enumerate() {
                    barrier.wait();
                    let result = each(round, thread);
                    results.lock().push(result);
                }
            });
        }
    });
    results.into_iter().map(Mutex::into_inner).collect()
}

/// One round of a [`race`] in which nobody may be refused.
///
/// # Errors
/// The first error of any thread.
pub fn race_ok<T: Send>(
    threads: usize,
    each: impl Fn(usize) -> Result<T, StoreError> + Sync,
) -> Result<Vec<T>, StoreError> {
    race(threads, 1, |_, thread| each(thread)).into_iter().flatten().collect()
}
