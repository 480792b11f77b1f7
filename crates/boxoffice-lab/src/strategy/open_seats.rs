//! Two seats that anybody may read and write at any time, one step at a time: what the unsafe
//! twins share. Each step is atomic, so the memory is sound; only the steps do not belong together.

use std::sync::atomic::{AtomicU32, Ordering};

use super::Look;

const FREE: u32 = 0;

/// Who has F7 and who has F8: a buyer's number plus one.
#[derive(Debug, Default)]
pub(super) struct OpenSeats([AtomicU32; 2]);

impl OpenSeats {
    /// The check.
    pub(super) fn both_free(&self) -> bool {
        self.0.iter().all(|seat| seat.load(Ordering::SeqCst) == FREE)
    }

    /// The act: writes the buyer into both, whoever is there.
    pub(super) fn write(&self, buyer: u32) {
        for seat in &self.0 {
            seat.store(buyer + 1, Ordering::SeqCst);
        }
    }

    pub(super) fn clear(&self) {
        for seat in &self.0 {
            seat.store(FREE, Ordering::SeqCst);
        }
    }

    pub(super) fn look(&self) -> Look {
        let [f7, f8] = &self.0;
        [f7, f8].map(|seat| seat.load(Ordering::SeqCst) != FREE)
    }
}
