//! The simulated world: its cinema, its clock, the processes that serve it, the mail on its way,
//! and the requests in flight. One thread does everything, in an order that the seed chooses.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use pollster::block_on;

use super::Plant;
use super::buyer::{Buyer, Heard, Wish};
use super::chance::Chance;
use super::mailman::Mailman;
use super::provider::{self, Provider};
use super::shaky::{Log, ShakyStore};
use crate::booking::{Attempt, AttemptStatus, Booking, BookingStatus};
use crate::catalogue::Import;
use crate::courier::Courier;
use crate::gateway::{Gateway, Webhook};
use crate::jobs::{Jobs, TickReport};
use crate::memory::MemoryStore;
use crate::postman::{PostReport, Postman};
use crate::refusal::Refusal;
use crate::service::{BoxOffice, WebhookError};
use crate::show::LatePayment;
use crate::store::{Done, Store, StoreError};
use crate::testkit::{TestClock, hall};
use crate::time::{Span, Timestamp};

/// A show every three hours, from a day after the opening.
const SHOW_EVERY: Span = Span::from_mins(180);
const ROWS: [&str; 8] = ["A", "B", "C", "D", "E", "F", "G", "H"];
/// A buyer looks at so many of the next shows.
const SHOWS_AHEAD: usize = 16;
/// So many processes serve from the store.
const HOUSES: usize = 2;
/// A provider delivers so often before it gives up.
const DELIVERIES_MAX: u32 = 6;

/// About so many requests are in flight at the same time.
const IN_FLIGHT: usize = 12;

/// One process: all that dies with it.
#[derive(Debug, Clone)]
struct House {
    office: BoxOffice,
    jobs: Arc<Jobs>,
    postman: Arc<Postman>,
}

/// Something that happens at its time.
#[derive(Debug, Clone, Copy)]
enum Happening {
    BuyerComes,
    BuyerActs(usize),
    Delivery(Delivery),
    Tick,
    HouseDies,
    StrayMoney,
}

#[derive(Debug, Clone, Copy)]
struct Delivery {
    event: usize,
    tries: u32,
}

/// Who waits for a request that is in flight.
#[derive(Debug, Clone, Copy)]
enum Asker {
    Buyer(usize),
    Provider(Delivery),
    Nobody,
}

enum Answer {
    Done(Result<Done, StoreError>),
    Booking(Result<Booking, StoreError>),
    Webhook(Result<(), WebhookError>),
    Tick(Result<TickReport, StoreError>),
    Post(Result<PostReport, StoreError>),
}

struct InFlight {
    asker: Asker,
    house: usize,
    request: Pin<Box<dyn Future<Output = Answer> + Send>>,
}

pub(super) struct World {
    pub(super) memory: Arc<MemoryStore>,
    pub(super) provider: Arc<Provider>,
    pub(super) courier: Arc<Mailman>,
    pub(super) log: Arc<Log>,
    pub(super) counts: BTreeMap<&'static str, usize>,
    store: Arc<ShakyStore>,
    clock: Arc<TestClock>,
    chance: Arc<Chance>,
    houses: Vec<House>,
    buyers: Vec<Buyer>,
    in_flight: Vec<InFlight>,
    agenda: BTreeMap<(Timestamp, u64), Happening>,
    happenings: u64,
    /// So many holds are to be made.
    wanted: usize,
}

impl World {
    pub(super) fn new(seed: u64, wanted: usize, plant: Option<Plant>) -> Result<Self, StoreError> {
        let chance = Arc::new(Chance::new(seed));
        let clock = Arc::new(TestClock::at(hall::opening()));
        let log = Arc::new(Log::default());
        let memory = Arc::new(MemoryStore::new(clock.clone()));
        let shows = u16::try_from(wanted / 60 + 30).unwrap_or(u16::MAX);
        block_on(memory.import(cinema(shows), false))?;
        let (forgets, silent) = (plant == Some(Plant::ForgetsRefunds), plant == Some(Plant::NeverAsks));
        let provider = Arc::new(Provider::new(chance.clone(), forgets, silent));
        let courier = Arc::new(Mailman::new(chance.clone()));
        let store = Arc::new(ShakyStore::over(memory.clone(), chance.clone(), log.clone(), plant));
        let mut world = Self {
            memory,
            provider,
            courier,
            log,
            counts: BTreeMap::new(),
            store,
            clock,
            chance,
            houses: Vec::new(),
            buyers: Vec::new(),
            in_flight: Vec::new(),
            agenda: BTreeMap::new(),
            happenings: 0,
            wanted,
        };
        world.houses = (0..HOUSES).map(|_| world.house()).collect();
        for first in [Happening::BuyerComes, Happening::Tick, Happening::HouseDies, Happening::StrayMoney] {
            world.soon(Span::from_secs(1), first);
        }
        Ok(world)
    }

    fn house(&self) -> House {
        let gateways: Vec<Arc<dyn Gateway>> = vec![self.provider.clone()];
        let office = BoxOffice::new(self.store.clone(), gateways, self.chance.clone());
        let courier: Arc<dyn Courier> = self.courier.clone();
        let postman = Arc::new(Postman::new(office.clone(), Some(courier)));
        House { jobs: Arc::new(Jobs::new(office.clone())), postman, office }
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    pub(super) fn now(&self) -> Timestamp {
        self.memory.now()
    }

    fn soon(&mut self, wait: Span, happening: Happening) {
        self.happenings += 1;
        self.agenda.insert((self.now() + wait, self.happenings), happening);
    }

    /// With faults, until all holds that are wanted were made.
    pub(super) fn trade(&mut self) {
        while self.store.holds() < self.wanted {
            if self.in_flight.len() > self.chance.index(IN_FLIGHT) {
                self.poll_one();
            } else {
                self.next_happening();
            }
        }
        self.counts.insert("buyers", self.buyers.len());
    }

    /// One look at one request; time may go by, and whoever asked may hang up.
    fn poll_one(&mut self) {
        let at = self.chance.index(self.in_flight.len());
        if self.chance.permille(300) {
            self.clock.advance(self.chance.seconds_below(2));
        }
        if self.chance.permille(5) {
            let gone = self.in_flight.swap_remove(at);
            self.count("requests dropped");
            // The jobs of a house that lives are never dropped: they have no caller who hangs up.
            match gone.asker {
                Asker::Nobody => self.in_flight.push(gone),
                Asker::Buyer(_) | Asker::Provider(_) => self.unanswered(gone.asker),
            }
            return;
        }
        let mut context = Context::from_waker(Waker::noop());
        if let Poll::Ready(answer) = self.in_flight[at].request.as_mut().poll(&mut context) {
            let done = self.in_flight.swap_remove(at);
            self.answered(done.asker, answer);
        }
    }

    fn next_happening(&mut self) {
        let Some(((at, _), happening)) = self.agenda.pop_first() else { return };
        self.clock.set(at.max(self.now()));
        match happening {
            Happening::BuyerComes => self.buyer_comes(),
            Happening::BuyerActs(buyer) => self.buyer_acts(buyer),
            Happening::Delivery(delivery) => self.deliver(delivery),
            Happening::Tick => {
                self.tick();
                self.soon(self.chance.seconds_below(600), Happening::Tick);
            }
            Happening::HouseDies => {
                self.house_dies(self.chance.index(HOUSES));
                self.soon(self.chance.seconds_below(3_600), Happening::HouseDies);
            }
            Happening::StrayMoney => {
                // Nothing of ours leads to it: only the provider can tell.
                let event = self.provider.stray(hall::euros(1_000));
                self.soon(self.chance.seconds_below(3_600), Happening::Delivery(Delivery { event, tries: 0 }));
                self.soon(self.chance.seconds_below(86_400), Happening::StrayMoney);
            }
        }
    }

    /// Everything in flight there ends wherever it is.
    fn house_dies(&mut self, house: usize) {
        self.count("processes killed");
        self.houses[house] = self.house();
        let (dead, alive) = std::mem::take(&mut self.in_flight).into_iter().partition(|r| r.house == house);
        self.in_flight = alive;
        let dead: Vec<InFlight> = dead;
        for gone in dead {
            self.count("requests killed");
            self.unanswered(gone.asker);
        }
    }

    fn unanswered(&mut self, asker: Asker) {
        match asker {
            Asker::Buyer(buyer) => self.buyer_hears(buyer, Heard::Nothing),
            Asker::Provider(delivery) => self.deliver_again(delivery),
            Asker::Nobody => {}
        }
    }

    fn ask<F: Future<Output = Answer> + Send + 'static>(&mut self, asker: Asker, request: impl FnOnce(House) -> F) {
        let house = self.chance.index(HOUSES);
        let request = Box::pin(request(self.houses[house].clone()));
        self.in_flight.push(InFlight { asker, house, request });
    }

    fn answered(&mut self, asker: Asker, answer: Answer) {
        match (asker, answer) {
            (Asker::Buyer(buyer), Answer::Done(Ok(done))) => self.buyer_hears(buyer, heard(done.outcome.booking)),
            (Asker::Buyer(buyer), Answer::Booking(Ok(booking))) => self.buyer_hears(buyer, heard(Some(booking))),
            (
                Asker::Buyer(buyer),
                Answer::Done(Err(StoreError::Refused(refusal))) | Answer::Booking(Err(StoreError::Refused(refusal))),
            ) => {
                self.count(refusal.code());
                let lost = matches!(refusal, Refusal::GatewayUnavailable { .. });
                self.buyer_hears(buyer, if lost { Heard::Nothing } else { Heard::Refused });
            }
            (Asker::Buyer(buyer), _) => self.buyer_hears(buyer, Heard::Nothing),
            (Asker::Provider(delivery), Answer::Webhook(Err(_))) => self.deliver_again(delivery),
            (Asker::Provider(_), _) | (Asker::Nobody, _) => {}
        }
    }

    fn buyer_comes(&mut self) {
        let (from, limit) = (Some(self.now()), SHOWS_AHEAD);
        let filter = crate::store::ShowFilter { from, limit, ..crate::store::ShowFilter::default() };
        let shows = block_on(self.memory.shows(filter)).unwrap_or_default();
        if shows.is_empty() {
            return;
        }
        let show = shows[self.chance.index(shows.len())].show.id().clone();
        let no = self.buyers.len();
        self.buyers.push(Buyer::new(no, show, &self.chance));
        self.soon(Span::from_ms(1), Happening::BuyerActs(no));
        self.soon(self.chance.seconds_below(100), Happening::BuyerComes);
    }

    fn buyer_acts(&mut self, buyer: usize) {
        let wish = self.buyers[buyer].next(&self.chance);
        self.grant(buyer, wish);
    }

    fn grant(&mut self, buyer: usize, wish: Wish) {
        let asker = Asker::Buyer(buyer);
        match wish {
            Wish::Hold(request, key) => {
                self.ask(asker, async move |house| Answer::Done(house.office.hold(*request, Some(key)).await));
            }
            Wish::Change(id, change) => {
                self.ask(asker, async move |house| Answer::Done(house.office.change(id, *change, None).await));
            }
            Wish::Start(id) => self.ask(asker, async move |house| {
                Answer::Done(house.office.start_payment(id, None, "https://cinema.example/back", None).await)
            }),
            Wish::Return(id) => {
                self.ask(asker, async move |house| Answer::Booking(house.office.ask_now(id).await));
            }
            Wish::Cancel(id, key) => {
                self.ask(asker, async move |house| Answer::Done(house.office.cancel(id, None, None, Some(key)).await));
            }
            Wish::Visit(attempt, does) => {
                let told = self.provider.visit(attempt, does, self.now());
                told.into_iter().for_each(|event| self.post(event));
                self.soon(Buyer::thinks(&self.chance), Happening::BuyerActs(buyer));
            }
            Wish::Leave => {}
        }
    }

    fn buyer_hears(&mut self, buyer: usize, heard: Heard) {
        if let Heard::Booking(booking) = &heard {
            self.log.note(booking.id.to_bytes());
        }
        match self.buyers[buyer].hears(heard, &self.chance) {
            Some(again) => self.grant(buyer, again),
            None => self.soon(Buyer::thinks(&self.chance), Happening::BuyerActs(buyer)),
        }
    }

    /// An event goes on its way: at once or days later, once or more often, or never.
    fn post(&mut self, event: usize) {
        if self.chance.permille(100) {
            self.count("webhooks never delivered");
            return;
        }
        let copies = 1 + u64::from(self.chance.permille(250)) + u64::from(self.chance.permille(50));
        for _ in 0..copies {
            let wait = match self.chance.below(20) {
                0 => self.chance.seconds_below(5 * 86_400),
                1..=2 => self.chance.seconds_below(5 * 3_600),
                3..=7 => self.chance.seconds_below(1_800),
                _ => self.chance.seconds_below(20),
            };
            self.soon(wait, Happening::Delivery(Delivery { event, tries: 0 }));
        }
    }

    fn deliver(&mut self, delivery: Delivery) {
        self.count("webhooks delivered");
        let now = self.now();
        self.ask(Asker::Provider(delivery), async move |house| {
            let (headers, body) = Provider::letter(delivery.event);
            let webhook = Webhook { headers: &headers, body: &body, now };
            Answer::Webhook(house.office.webhook(provider::NAME, &webhook).await)
        });
    }

    fn deliver_again(&mut self, delivery: Delivery) {
        self.count("webhooks failed");
        if delivery.tries < DELIVERIES_MAX || self.provider.is_stray(delivery.event) {
            let again = Delivery { tries: delivery.tries + 1, ..delivery };
            self.soon(self.chance.seconds_below(3_600), Happening::Delivery(again));
        }
    }

    fn tick(&mut self) {
        self.ask(Asker::Nobody, async |house| Answer::Tick(house.jobs.tick(200).await));
        self.ask(Asker::Nobody, async |house| Answer::Post(house.postman.tick(200).await));
    }

    /// No new faults and no new buyers: what is in flight ends, mail arrives at its time, and the
    /// jobs work until nothing is due any more.
    ///
    /// # Errors
    /// Words, if it does not come to rest.
    pub(super) fn heal(&mut self) -> Result<(), String> {
        self.store.heal();
        self.provider.heal();
        self.courier.heal();
        self.finish_in_flight();
        self.houses = (0..HOUSES).map(|_| self.house()).collect();
        self.agenda.retain(|_, happening| matches!(happening, Happening::Delivery(_)));
        for round in 1..=MAX_ROUNDS {
            self.clock.advance(Span::from_mins(10));
            while let Some(first) = self.agenda.first_entry().filter(|first| first.key().0 <= self.memory.now()) {
                if let Happening::Delivery(delivery) = first.remove() {
                    self.deliver(delivery);
                    self.finish_in_flight();
                }
            }
            for _ in 0..1_000 {
                self.tick();
                if !self.finish_in_flight() {
                    break;
                }
            }
            if self.agenda.is_empty() && round % 24 == 0 && self.is_at_rest()? {
                return Ok(());
            }
        }
        Err("the jobs did not come to rest".to_owned())
    }

    /// Notes how all bookings ended: in the log as they are, and counted by what became of them.
    pub(super) fn note_the_end(&mut self) {
        let mut after = None;
        while let Ok(Some(books)) = block_on(self.memory.books(after)) {
            for booking in &books.bookings {
                self.log.note(format!("{booking:?}"));
                self.count(booking.status.as_str());
                booking.refunds.iter().for_each(|refund| self.count(refund.reason.as_str()));
            }
            for (_, _, event) in self.memory.events(books.show) {
                self.count(event.kind.as_str());
            }
            after = Some(books.show);
        }
    }

    /// Nothing will ever be due again, but for a look now and then whether a payment is disputed.
    fn is_at_rest(&self) -> Result<bool, String> {
        let mut after = None;
        if !block_on(self.memory.notices_due(1)).map_err(|e| e.to_string())?.is_empty() {
            return Ok(false);
        }
        while let Some(books) = block_on(self.memory.books(after)).map_err(|e| e.to_string())? {
            if books.bookings.iter().any(|booking| has_work(booking, books.now)) {
                return Ok(false);
            }
            after = Some(books.show);
        }
        Ok(true)
    }

    /// Whether a tick among them had work.
    fn finish_in_flight(&mut self) -> bool {
        let mut worked = false;
        while let Some(InFlight { asker, request, .. }) = self.in_flight.pop() {
            let answer = block_on(request);
            worked |= match &answer {
                Answer::Tick(report) => report.as_ref().is_ok_and(|report| report.bookings > 0),
                Answer::Post(report) => report.as_ref().is_ok_and(|report| report.notices > 0),
                Answer::Done(_) | Answer::Booking(_) | Answer::Webhook(_) => false,
            };
            if let Asker::Provider(_) = asker {
                self.answered(asker, answer);
            }
        }
        worked
    }
}

/// Longer than any delivery is late and anything is asked about.
const MAX_ROUNDS: usize = 10 * 24 * 6;

fn heard(booking: Option<Booking>) -> Heard {
    booking.map_or(Heard::Nothing, |booking| Heard::Booking(Box::new(booking)))
}

/// The small cinema with a larger hall and more shows, some of which refund late money.
fn cinema(shows: u16) -> Import {
    let mut import = hall::import(shows);
    import.layouts = vec![hall::layout(&ROWS, hall::SEATS_PER_ROW)];
    for (show, n) in import.shows.iter_mut().zip(0_i64..) {
        show.starts_at = hall::opening() + Span::from_mins(24 * 60) + Span::from_ms(SHOW_EVERY.as_ms() * n);
        show.late_payment = if n % 3 == 2 { LatePayment::Refund } else { LatePayment::Reclaim };
    }
    import
}

/// A day after its page's end a payment that was made is watched for disputes alone.
fn has_work(booking: &Booking, now: Timestamp) -> bool {
    let only_watched =
        |a: &Attempt| a.status == AttemptStatus::Succeeded && a.checkout_ends_at + Span::from_mins(25 * 60) < now;
    let asks = booking.attempts.iter().any(|a| a.ask_at.is_some() && !only_watched(a));
    let refunds = booking.refunds.iter().any(|r| r.next_try_at.is_some());
    booking.status == BookingStatus::PendingPayment || asks || refunds
}
