//! The store's time: the machine's clock as test mode has set it, never running backwards. One
//! value per store handle, shared by the writer and all readers.

use std::sync::Arc;

use boxoffice::clock::{Clock, ClockSetting};
use boxoffice::time::{Span, Timestamp};
use parking_lot::Mutex;

use super::rows::Meta;

#[derive(Debug)]
pub(super) struct Time {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Counts the changes of the setting, so that an older read never undoes a newer one.
    version: i64,
    setting: ClockSetting,
    /// The latest instant that was ever read or found in the store.
    mark: Timestamp,
    /// The machine's clock was seen behind the mark, and that was told.
    behind: bool,
}

/// Behind the mark by more than this, the machine's clock was set back; less is the clocks of several processes.
const SET_BACK: Span = Span::from_ms(2_000);

impl State {
    /// How far the machine's clock was set back, the first time that it is seen so.
    fn seen_behind(&mut self, read: Timestamp) -> Option<Span> {
        let was = self.behind;
        self.behind = (read + SET_BACK).is_before(self.mark);
        (self.behind && !was).then(|| self.mark - read)
    }
}

impl Time {
    /// `newest` is the instant of the last thing that happened in the store.
    pub(super) fn new(clock: Arc<dyn Clock>, meta: &Meta, newest: Timestamp) -> Self {
        let state = State { version: meta.clock_version, setting: meta.clock, mark: newest, behind: false };
        Self { clock, state: Mutex::new(state) }
    }

    pub(super) fn now(&self) -> Timestamp {
        let mut state = self.state.lock();
        let read = state.setting.apply(self.clock.now());
        if let Some(by) = state.seen_behind(read) {
            let behind_ms = by.as_ms();
            tracing::warn!(
                behind_ms,
                "this machine's clock was set back; time stands still here until it has caught up"
            );
        }
        let now = read.max(state.mark);
        state.mark = now;
        now
    }

    /// What another process may have done to the clock, as a transaction has read it.
    pub(super) fn adopt(&self, meta: &Meta) {
        let mut state = self.state.lock();
        if meta.clock_version > state.version {
            state.version = meta.clock_version;
            state.setting = meta.clock;
        }
    }

    /// Now, and not before an instant that was found in the store.
    pub(super) fn no_earlier(&self, found: Timestamp) -> Timestamp {
        let mut state = self.state.lock();
        state.mark = state.mark.max(found);
        state.mark
    }

    pub(super) fn machine(&self) -> Timestamp {
        self.clock.now()
    }

    /// The setting in force and the latest instant read by it.
    pub(super) fn setting(&self) -> (ClockSetting, Timestamp) {
        let state = self.state.lock();
        (state.setting, state.mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_set_back_is_told_once_each_time() {
        let at = Timestamp::from_ms;
        let mut state = State { version: 0, setting: ClockSetting::default(), mark: at(100_000), behind: false };
        for (read, told) in [(99_000, None), (98_000, None), (97_999, Some(2_001)), (90_000, None), (100_000, None)] {
            assert_eq!(state.seen_behind(at(read)).map(Span::as_ms), told, "{read}");
        }
        assert_eq!(state.seen_behind(at(0)).map(Span::as_ms), Some(100_000), "set back again");
    }
}
