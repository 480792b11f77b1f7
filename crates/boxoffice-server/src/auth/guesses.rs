//! Counts wrong guesses by network address, so that nobody tries keys or codes for long.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use boxoffice::time::{Span, Timestamp};
use parking_lot::Mutex;

const WINDOW: Span = Span::from_mins(1);

/// Addresses that are remembered; beyond them the ones whose window is over are forgotten.
const ADDRESSES_MAX: usize = 10_000;

/// Cheap to clone: everything in it is shared.
#[derive(Debug, Clone, Default)]
pub struct Guesses(Arc<Mutex<HashMap<IpAddr, Count>>>);

#[derive(Debug, Clone, Copy)]
struct Count {
    since: Timestamp,
    wrong: u32,
}

impl Guesses {
    /// How long this address has to wait before it may guess again: until a minute is over in which
    /// it guessed wrong `max` times. `None`: not at all.
    #[must_use]
    pub fn wait(&self, address: IpAddr, max: u32, now: Timestamp) -> Option<Span> {
        let counts = self.0.lock();
        let count = counts.get(&network(address)).filter(|count| count.wrong >= max)?;
        let until = count.since + WINDOW;
        now.is_before(until).then(|| until - now)
    }

    pub fn note_wrong(&self, address: IpAddr, now: Timestamp) {
        let mut counts = self.0.lock();
        let is_old = |count: &Count| !now.is_before(count.since + WINDOW);
        if counts.len() >= ADDRESSES_MAX {
            counts.retain(|_, count| !is_old(count));
        }
        let count = counts.entry(network(address)).or_insert(Count { since: now, wrong: 0 });
        if is_old(count) {
            *count = Count { since: now, wrong: 0 };
        }
        count.wrong = count.wrong.saturating_add(1);
    }
}

/// Whoever has an IPv6 address has 64 bits of them.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6((v6.to_bits() & !u128::from(u64::MAX)).into()),
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_wrong_guesses_in_a_minute_are_enough() {
        let guesses = Guesses::default();
        let [one, other, near]: [IpAddr; 3] = ["2001:db8::1", "192.0.2.7", "2001:db8::2"].map(|a| a.parse().unwrap());
        let at = Timestamp::from_ms;
        for n in 0..20 {
            assert_eq!(guesses.wait(one, 20, at(n)), None);
            guesses.note_wrong(one, at(n));
        }
        assert_eq!(guesses.wait(near, 20, at(59_000)), Some(Span::from_secs(1)), "of the same network");
        assert_eq!(guesses.wait(other, 20, at(59_000)), None);
        assert_eq!(guesses.wait(one, 20, at(60_000)), None);
        guesses.note_wrong(one, at(60_000));
        assert_eq!(guesses.wait(one, 20, at(60_000)), None, "a new window");
    }
}
