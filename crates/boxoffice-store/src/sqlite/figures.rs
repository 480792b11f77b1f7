//! What the writer counts of its own work. Whoever serves reads it.

use boxoffice::command::{Effect, Settled};
use boxoffice::store::Done;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;

/// Cheap to clone: every clone counts the same.
#[derive(Debug, Clone)]
pub struct Figures {
    /// Commands that wait for the writer.
    pub queue_depth: Gauge,
    /// Commands that shared a commit.
    pub batch_commands: Histogram,
    /// From a transaction's begin to the end of its commit.
    pub commit_seconds: Histogram,
    /// Transactions that were given up because the store could not be written.
    pub faults: Counter,
    /// Holds that were made.
    pub holds: Counter,
    /// News of payments, by what came of them.
    pub settlements: Family<[(&'static str, &'static str); 1], Counter>,
}

impl Default for Figures {
    fn default() -> Self {
        Self {
            queue_depth: Gauge::default(),
            batch_commands: Histogram::new([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0]),
            commit_seconds: Histogram::new([0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0]),
            faults: Counter::default(),
            holds: Counter::default(),
            settlements: Family::default(),
        }
    }
}

/// What is counted of a step, once it is durable.
#[derive(Debug, Clone, Copy)]
pub(super) enum Counted {
    Hold,
    Settlement(&'static str),
}

impl Counted {
    /// A repeat is no second hold.
    pub(super) fn of(done: &Done) -> Option<Self> {
        if done.replayed {
            return None;
        }
        let effect = &done.outcome.effect;
        if let Effect::Settled(settled) = effect {
            return Some(Self::Settlement(match settled {
                Settled::Unchanged => "unchanged",
                Settled::Noted => "noted",
                Settled::Confirmed => "confirmed",
                Settled::Reclaimed => "reclaimed",
                Settled::Refunded => "refunded",
            }));
        }
        matches!(effect, Effect::Held | Effect::ExchangeHeld { .. }).then_some(Self::Hold)
    }
}

impl Figures {
    pub(super) fn count(&self, counted: Counted) {
        match counted {
            Counted::Hold => drop(self.holds.inc()),
            Counted::Settlement(outcome) => drop(self.settlements.get_or_create(&[("outcome", outcome)]).inc()),
        }
    }
}
