//! What whoever writes a store or a gateway needs to test it: a clock to set, seeded randomness, a
//! small hall, and the suite of checks that every store must pass.
//!
//! A store is tested in a few lines:
//!
//! ```
//! use std::sync::Arc;
//! use boxoffice::clock::Clock;
//! use boxoffice::memory::MemoryStore;
//! use boxoffice::store::Store;
//! use boxoffice::testkit::contract::{self, Subject};
//!
//! struct Memory;
//!
//! impl Subject for Memory {
//!     fn open(&self, clock: Arc<dyn Clock>) -> Arc<dyn Store> {
//!         Arc::new(MemoryStore::new(clock))
//!     }
//! }
//!
//! contract::run_named(&Memory, "lifecycle").assert_passed();
//! ```

mod clock;
pub mod contract;
mod courier;
pub mod duplicates;
mod entropy;
mod gateway;
pub mod hall;
pub mod simulation;
mod subjects;
pub mod world;

pub use crate::memory::unguarded::UnguardedStore;
pub use clock::TestClock;
pub use courier::{Arrived, PostMishap, ScriptedCourier};
pub use entropy::SeededEntropy;
pub use gateway::{Mishap, ScriptedGateway, ScriptedWebhook};
pub use subjects::{Memory, Unguarded};
pub use world::{Failure, World};
