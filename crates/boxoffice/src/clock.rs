//! Where the time comes from. Only a store reads a clock, once per step, under its lock.

use serde::{Deserialize, Serialize};

use crate::time::{Span, Timestamp};

/// The wall clock of the machine, or a clock that a test sets.
pub trait Clock: Send + Sync + std::fmt::Debug {
    fn now(&self) -> Timestamp;
}

/// The machine's wall clock: the one place that reads it.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the place that the others must ask")]
    fn now(&self) -> Timestamp {
        Timestamp::from_ms(jiff::Timestamp::now().as_millisecond())
    }
}

/// What test mode did to the clock. It lives in the store, so that all processes share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ClockSetting {
    /// Added to the machine's clock.
    pub offset_ms: i64,
    /// The clock stands still here.
    pub frozen_at: Option<Timestamp>,
}

impl ClockSetting {
    #[must_use]
    pub fn apply(&self, machine: Timestamp) -> Timestamp {
        self.frozen_at.unwrap_or(machine + Span::from_ms(self.offset_ms))
    }

    /// The setting that makes the clock read `target` when the machine reads `machine`.
    #[must_use]
    pub fn reading(target: Timestamp, machine: Timestamp, freeze: bool) -> Self {
        Self { offset_ms: (target - machine).as_ms(), frozen_at: freeze.then_some(target) }
    }
}
