//! A seeded simulation of a cinema that goes wrong: buyers, staff, doors, payments, jobs, a provider
//! and its banks over one store, with lost calls, lost answers, news that is late, repeated or out of order, and processes
//! that die between any two steps. Afterwards faults stop, the jobs work until nothing is due, and
//! every booking, payment, refund and line of the ledger is proved. One seed is one history.

use std::collections::BTreeMap;

mod buyer;
mod chance;
mod cinema;
mod clerk;
mod mailman;
mod prove;
mod provider;
mod shaky;
mod witness;
mod world;

use crate::store::StoreError;
use world::World;

/// What is to be simulated.
#[derive(Debug, Clone, Copy)]
pub struct Simulation {
    pub seed: u64,
    /// How many holds are made.
    pub bookings: usize,
    /// A guard that is dropped on purpose. The same simulation must find that.
    pub plant: Option<Plant>,
}

/// A bug to plant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plant {
    /// A payment is not recognised when its news comes again.
    ForgetsPayments,
    /// A refund is made again when it is asked for again.
    ForgetsRefunds,
    /// Nobody asks the provider about silent payments.
    NeverAsks,
    /// Refunds are sent while their payment is disputed.
    RefundsInDispute,
    /// Of the bookings of a show that changed, the first of each page is passed over.
    ForgetsToFollow,
    /// Nobody looks how often a promo code may be used.
    LimitsNoCodes,
    /// A use of a promo code is not given back when its hold lapses or its tickets go.
    KeepsUses,
    /// A door lets in whoever has been let in before.
    LetsInTwice,
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct History {
    /// The same for the same seed, and only then.
    pub hash: u64,
    /// How often which thing happened: what a simulation did not do, it did not prove.
    pub counts: BTreeMap<String, usize>,
    /// Empty: all is right.
    pub wrongs: Vec<String>,
}

impl Simulation {
    /// Runs it to its end.
    ///
    /// # Errors
    /// The store's, if its cinema cannot be set up.
    pub fn run(self) -> Result<History, StoreError> {
        let mut world = World::new(self.seed, self.bookings, self.plant)?;
        world.trade();
        let came_to_rest = world.heal();
        let mut wrongs = prove::wrongs(&world);
        wrongs.extend(came_to_rest.err());
        world.note_the_end();
        Ok(History { hash: world.log.finish(), counts: world.counts, wrongs })
    }
}
