//! The real service on the memory store: the same decision as in the program, under the show's lock.

use std::sync::Arc;

use anyhow::Result;
use boxoffice::memory::MemoryStore;
use boxoffice::testkit::{TestClock, hall};

use super::service::Service;

pub(super) fn open(seed: u64) -> Result<Service> {
    let clock = Arc::new(TestClock::at(hall::opening()));
    Service::over(Arc::new(MemoryStore::new(clock.clone())), clock, seed)
}
