//! Where a round's threads wait for each other.

use std::sync::atomic::{AtomicU32, Ordering};

/// A barrier that nobody sleeps at. One that wakes its sleepers lets them go one by one, further
/// apart than the race is long; here all are awake when the last arrives. Waiting threads yield,
/// so that more of them than cores still make progress.
#[derive(Debug)]
pub(super) struct StartingLine {
    parties: u32,
    arrived: AtomicU32,
    round: AtomicU32,
}

impl StartingLine {
    pub(super) fn new(parties: u32) -> Self {
        Self { parties, arrived: AtomicU32::new(0), round: AtomicU32::new(0) }
    }

    /// Returns when all parties have come here as often as this one.
    pub(super) fn wait(&self) {
        let round = self.round.load(Ordering::SeqCst);
        if self.arrived.fetch_add(1, Ordering::SeqCst) + 1 == self.parties {
            self.arrived.store(0, Ordering::SeqCst);
            self.round.fetch_add(1, Ordering::SeqCst);
        } else {
            while self.round.load(Ordering::SeqCst) == round {
                std::thread::yield_now();
            }
        }
    }
}
