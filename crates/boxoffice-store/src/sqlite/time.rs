//! The store's time: the machine's clock as test mode has set it, never running backwards. One
//! value per store handle, shared by the writer and all readers.

use std::sync::Arc;

use boxoffice::clock::{Clock, ClockSetting};
use boxoffice::time::Timestamp;
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
}

impl Time {
    /// `newest` is the instant of the last thing that happened in the store.
    pub(super) fn new(clock: Arc<dyn Clock>, meta: &Meta, newest: Timestamp) -> Self {
        let state = State { version: meta.clock_version, setting: meta.clock, mark: newest };
        Self { clock, state: Mutex::new(state) }
    }

    pub(super) fn now(&self) -> Timestamp {
        let mut state = self.state.lock();
        let now = state.setting.apply(self.clock.now()).max(state.mark);
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
