//! A clock that stands still until it is told to move.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::clock::Clock;
use crate::time::{Span, Timestamp};

#[derive(Debug)]
pub struct TestClock(AtomicI64);

impl TestClock {
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self(AtomicI64::new(now.as_ms()))
    }

    pub fn set(&self, now: Timestamp) {
        self.0.store(now.as_ms(), Ordering::SeqCst);
    }

    pub fn advance(&self, by: Span) {
        self.set(self.now() + by);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.0.load(Ordering::SeqCst))
    }
}
