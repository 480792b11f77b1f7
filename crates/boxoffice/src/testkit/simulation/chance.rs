//! Everything that is left to chance in a simulation, from one seed.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::service::Entropy;
use crate::testkit::SeededEntropy;
use crate::time::Span;

#[derive(Debug)]
pub(super) struct Chance(SeededEntropy);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(SeededEntropy::new(seed))
    }

    /// A number below `bound`, which is not 0.
    pub(super) fn below(&self, bound: u64) -> u64 {
        self.0.next() % bound
    }

    pub(super) fn index(&self, bound: usize) -> usize {
        usize::try_from(self.below(u64::try_from(bound).unwrap_or(u64::MAX))).unwrap_or(0)
    }

    /// True so many times in a thousand.
    pub(super) fn permille(&self, chances: u64) -> bool {
        self.below(1_000) < chances
    }

    /// At least one of them, in their order; of none, none.
    pub(super) fn some_of<T: Copy>(&self, all: &[T]) -> Vec<T> {
        if all.is_empty() {
            return Vec::new();
        }
        let sure = self.index(all.len());
        let chosen = all.iter().enumerate().filter(|(at, _)| *at == sure || self.permille(300));
        chosen.map(|(_, one)| *one).collect()
    }

    /// A span below this many seconds, to the millisecond.
    pub(super) fn seconds_below(&self, bound_s: u64) -> Span {
        Span::from_ms(i64::try_from(self.below(bound_s * 1_000)).unwrap_or(i64::MAX))
    }
}

impl Entropy for Chance {
    fn fill(&self, bytes: &mut [u8]) {
        self.0.fill(bytes);
    }
}

/// Is not ready so many times: a place at which a task can be overtaken, or die.
pub(super) fn pause(times: u64) -> impl Future<Output = ()> + Send {
    Pause(times)
}

struct Pause(u64);

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0 == 0 {
            return Poll::Ready(());
        }
        self.0 -= 1;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}
