//! Check and act under one lock that belongs to the show. No other buyer comes between the two,
//! an onlooker who takes the lock sees all of a group or nothing, and other shows never wait.

use anyhow::Result;
use parking_lot::Mutex;

use super::{Look, Strategy};

/// Who has F7 and who has F8.
#[derive(Debug, Default)]
pub(super) struct ShowLock(Mutex<[Option<u32>; 2]>);

impl Strategy for ShowLock {
    fn reset(&self) -> Result<()> {
        *self.0.lock() = [None, None];
        Ok(())
    }

    fn take(&self, buyer: u32) -> Result<bool> {
        let mut seats = self.0.lock();
        let free = seats.iter().all(Option::is_none);
        if free {
            *seats = [Some(buyer), Some(buyer)];
        }
        Ok(free)
    }

    fn look(&self) -> Result<Look> {
        Ok(self.0.lock().map(|seat| seat.is_some()))
    }

    fn audit(&self) -> Result<()> {
        Ok(())
    }
}
