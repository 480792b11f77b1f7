//! Check, wait a millisecond, then act: the pause stands for a database call between the two. Now
//! nearly every round sells the seats twice.

use std::time::Duration;

use anyhow::Result;

use super::open_seats::OpenSeats;
use super::{Look, Strategy};

const PAUSE: Duration = Duration::from_millis(1);

#[derive(Debug, Default)]
pub(super) struct NaivePause(OpenSeats);

impl Strategy for NaivePause {
    fn reset(&self) -> Result<()> {
        self.0.clear();
        Ok(())
    }

    #[expect(clippy::disallowed_methods, reason = "the pause is the experiment: it stands for a database call")]
    fn take(&self, buyer: u32) -> Result<bool> {
        let free = self.0.both_free();
        if free {
            std::thread::sleep(PAUSE);
            self.0.write(buyer);
        }
        Ok(free)
    }

    fn look(&self) -> Result<Look> {
        Ok(self.0.look())
    }

    fn audit(&self) -> Result<()> {
        Ok(())
    }
}
