//! The simulated world: its cinema, its clock, the processes that serve it, the mail on its way,
//! and the requests in flight. One thread does everything, in an order that the seed chooses.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use pollster::block_on;

use super::buyer::{Buyer, Heard};
use super::chance::Chance;
use super::clerk::Order;
use super::mailman::Mailman;
use super::provider::Provider;
use super::shaky::{Log, ShakyStore};
use super::witness::Witness;
use super::{Plant, cinema};
use crate::booking::Booking;
use crate::catalogue::Import;
use crate::courier::Courier;
use crate::gateway::Gateway;
use crate::id::BookingId;
use crate::jobs::{Jobs, TickReport};
use crate::memory::MemoryStore;
use crate::postman::{PostReport, Postman};
use crate::refusal::Refusal;
use crate::service::{BoxOffice, WebhookError};
use crate::store::{Done, Store, StoreError};
use crate::testkit::{TestClock, hall};
use crate::time::{Span, Timestamp};

mod buyers;
mod doors;
mod heal;
mod mail;
mod staff;

use buyers::heard;
use doors::Shown;

/// A buyer looks at so many of the next shows.
const SHOWS_AHEAD: usize = 16;
/// So many processes serve from the store.
const HOUSES: usize = 2;
/// About so many requests are in flight at the same time.
const IN_FLIGHT: usize = 12;

/// What goes on from the first second.
const FIRST: [Happening; 7] = [
    Happening::BuyerComes,
    Happening::Tick,
    Happening::HouseDies,
    Happening::StrayMoney,
    Happening::GuestComplains,
    Happening::ShowIsCancelled,
    Happening::ShowMoves,
];

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
    /// About a payment, by its place at the provider.
    BankDecides(usize),
    GuestComplains,
    ShowIsCancelled,
    /// Of a show that was cancelled with this order.
    RefundsAfterAll(usize),
    OrderAgain(usize),
    ShowMoves,
    /// By this import.
    MovesBack(usize),
    /// A buyer.
    HearsOfAMove(usize),
    Shows(Shown),
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
    Staff(usize),
    Door(Shown),
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
    pub(super) witness: Arc<Witness>,
    pub(super) counts: BTreeMap<String, usize>,
    store: Arc<ShakyStore>,
    clock: Arc<TestClock>,
    chance: Arc<Chance>,
    houses: Vec<House>,
    buyers: Vec<Buyer>,
    /// Bookings with tickets, as their buyers heard of them.
    known: Vec<BookingId>,
    orders: Vec<Order>,
    /// By which shows move back.
    imports: Vec<Import>,
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
        let cinema = cinema::cinema(cinema::shows(wanted));
        block_on(memory.import(cinema::as_imported(&cinema, plant), false))?;
        let witness = Arc::new(Witness::new(&cinema.promo_codes));
        let provider = Arc::new(Provider::new(chance.clone(), clock.clone(), plant));
        let courier = Arc::new(Mailman::new(chance.clone()));
        let store = ShakyStore::over(memory.clone(), chance.clone(), log.clone(), witness.clone(), plant);
        let mut world = Self {
            memory,
            provider,
            courier,
            log,
            witness,
            counts: BTreeMap::new(),
            store: Arc::new(store),
            clock,
            chance,
            houses: Vec::new(),
            buyers: Vec::new(),
            known: Vec::new(),
            orders: Vec::new(),
            imports: Vec::new(),
            in_flight: Vec::new(),
            agenda: BTreeMap::new(),
            happenings: 0,
            wanted,
        };
        world.houses = (0..HOUSES).map(|_| world.house()).collect();
        for first in FIRST {
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

    fn count(&mut self, what: impl Into<String>) {
        *self.counts.entry(what.into()).or_default() += 1;
    }

    /// It happens again within so many seconds.
    fn again(&mut self, within_s: u64, happening: Happening) {
        self.soon(self.chance.seconds_below(within_s), happening);
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
        self.counts.insert("buyers".to_owned(), self.buyers.len());
        let late = self.store.used_up_late();
        self.counts.insert("late money on a used-up code".to_owned(), late);
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
                Asker::Buyer(_) | Asker::Provider(_) | Asker::Staff(_) | Asker::Door(_) => {
                    self.unanswered(gone.asker);
                }
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
            Happening::BankDecides(payment) => self.bank_decides(payment),
            Happening::RefundsAfterAll(order) => self.refunds_after_all(order),
            Happening::OrderAgain(order) => self.carry_out(order),
            Happening::MovesBack(import) => self.moves_back(import),
            Happening::HearsOfAMove(buyer) => self.hears_of_a_move(buyer),
            Happening::Shows(shown) => self.shows(shown),
            Happening::Tick => {
                self.tick();
                self.again(600, happening);
            }
            Happening::HouseDies => {
                self.house_dies(self.chance.index(HOUSES));
                self.again(3_600, happening);
            }
            Happening::StrayMoney => {
                // Nothing of ours leads to it: only the provider can tell.
                let event = self.provider.stray(hall::euros(1_000));
                self.again(3_600, Happening::Delivery(Delivery { event, tries: 0 }));
                self.again(86_400, happening);
            }
            Happening::GuestComplains => {
                self.guest_complains();
                self.again(2_400, happening);
            }
            Happening::ShowIsCancelled => {
                self.show_is_cancelled();
                self.again(24 * 3_600, happening);
            }
            Happening::ShowMoves => {
                self.show_moves();
                self.again(2 * 3_600, happening);
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
            Asker::Staff(order) => self.order_again(order),
            Asker::Door(shown) => self.shows_again(shown),
            Asker::Nobody => {}
        }
    }

    fn ask<F: Future<Output = Answer> + Send + 'static>(&mut self, asker: Asker, request: impl FnOnce(House) -> F) {
        let house = self.chance.index(HOUSES);
        let request = Box::pin(request(self.houses[house].clone()));
        self.in_flight.push(InFlight { asker, house, request });
    }

    fn answered(&mut self, asker: Asker, answer: Answer) {
        let refused = match &answer {
            Answer::Done(Err(StoreError::Refused(refusal))) | Answer::Booking(Err(StoreError::Refused(refusal))) => {
                self.count(format!("refused {}", refusal.code()));
                let unanswered = matches!(refusal, Refusal::GatewayUnavailable { .. });
                let moved = matches!(refusal, Refusal::ShowMoved(_));
                let otherwise = if moved { Heard::Moved } else { Heard::Refused };
                Some(if unanswered { Heard::Nothing } else { otherwise })
            }
            Answer::Done(_) | Answer::Booking(_) | Answer::Webhook(_) | Answer::Tick(_) | Answer::Post(_) => None,
        };
        match (asker, answer) {
            (Asker::Buyer(buyer), Answer::Done(Ok(done))) => self.buyer_hears(buyer, heard(done.outcome.booking)),
            (Asker::Buyer(buyer), Answer::Booking(Ok(booking))) => self.buyer_hears(buyer, heard(Some(booking))),
            (Asker::Buyer(buyer), _) => self.buyer_hears(buyer, refused.unwrap_or(Heard::Nothing)),
            (Asker::Provider(delivery), Answer::Webhook(Err(_))) => self.deliver_again(delivery),
            (Asker::Door(shown), Answer::Done(Ok(done))) => self.door_hears(shown, &done.outcome.effect),
            (Asker::Staff(_) | Asker::Door(_), _) if refused.is_some() => {}
            (Asker::Staff(order), Answer::Done(Err(_))) => self.order_again(order),
            (Asker::Door(shown), _) => self.shows_again(shown),
            (Asker::Staff(_) | Asker::Provider(_) | Asker::Nobody, _) => {}
        }
    }

    fn tick(&mut self) {
        self.ask(Asker::Nobody, async |house| Answer::Tick(house.jobs.tick(200).await));
        self.ask(Asker::Nobody, async |house| Answer::Post(house.postman.tick(200).await));
    }
}
