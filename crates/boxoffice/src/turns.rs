//! Who works on what: a thing that is due is taken once at a time, and one whose work failed waits,
//! ever longer, so that others need not wait behind it.

use std::collections::BTreeMap;

use crate::time::{Span, Timestamp};

/// The longest wait after failures; the first is two seconds, and each next one is doubled.
const POSTPONED_MAX: Span = Span::from_mins(10);

#[derive(Debug)]
pub(crate) struct Turns<K> {
    taken: BTreeMap<K, Taken>,
}

/// Why a due thing is left alone for now.
#[derive(Debug, Clone, Copy)]
enum Taken {
    Working { failures: u32 },
    Postponed { failures: u32, until: Timestamp },
}

impl<K> Default for Turns<K> {
    fn default() -> Self {
        Self { taken: BTreeMap::new() }
    }
}

impl<K: Ord + Copy> Turns<K> {
    /// How many of the things that are due may have to be passed over.
    pub(crate) fn passed_over(&self) -> usize {
        self.taken.len()
    }

    /// Takes the first `limit` of these that may be worked on now.
    pub(crate) fn take(&mut self, due: Vec<K>, limit: usize, now: Timestamp) -> Vec<K> {
        due.into_iter().filter(|key| self.take_one(*key, now)).take(limit).collect()
    }

    fn take_one(&mut self, key: K, now: Timestamp) -> bool {
        let failures = match self.taken.get(&key) {
            None => 0,
            Some(Taken::Postponed { failures, until }) if *until <= now => *failures,
            Some(Taken::Postponed { .. } | Taken::Working { .. }) => return false,
        };
        self.taken.insert(key, Taken::Working { failures });
        true
    }

    pub(crate) fn put_back(&mut self, key: K, failed: bool, now: Timestamp) {
        let failures = match self.taken.remove(&key) {
            Some(Taken::Working { failures } | Taken::Postponed { failures, .. }) => failures + 1,
            None => 1,
        };
        if failed {
            let wait = Span::from_secs(1 << failures.min(10)).min(POSTPONED_MAX);
            self.taken.insert(key, Taken::Postponed { failures, until: now + wait });
        }
    }
}
