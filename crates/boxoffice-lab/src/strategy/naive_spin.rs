//! Check, work a little, then act: the work stands for pricing, logging, anything that lies between.
//! The wider the gap, the more rounds sell the seats twice.

use anyhow::Result;
use boxoffice::testkit::SeededEntropy;

use super::open_seats::OpenSeats;
use super::{Look, Strategy};

/// Turns of busy work at most, some microseconds.
const TURNS: u64 = 2_000;

#[derive(Debug)]
pub(super) struct NaiveSpin {
    seats: OpenSeats,
    random: SeededEntropy,
}

impl NaiveSpin {
    pub(super) fn new(seed: u64) -> Self {
        Self { seats: OpenSeats::default(), random: SeededEntropy::new(seed) }
    }
}

impl Strategy for NaiveSpin {
    fn reset(&self) -> Result<()> {
        self.seats.clear();
        Ok(())
    }

    fn take(&self, buyer: u32) -> Result<bool> {
        let free = self.seats.both_free();
        if free {
            for _ in 0..self.random.next() % TURNS {
                std::hint::spin_loop();
            }
            self.seats.write(buyer);
        }
        Ok(free)
    }

    fn look(&self) -> Result<Look> {
        Ok(self.seats.look())
    }

    fn audit(&self) -> Result<()> {
        Ok(())
    }
}
