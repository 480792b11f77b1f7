//! The core's own stores, as the contract suite gets at them.

use std::sync::Arc;

use super::UnguardedStore;
use super::contract::Subject;
use crate::clock::Clock;
use crate::memory::MemoryStore;
use crate::store::Store;

/// The memory store.
#[derive(Debug, Clone, Copy, Default)]
pub struct Memory;

impl Subject for Memory {
    fn open(&self, clock: Arc<dyn Clock>) -> Arc<dyn Store> {
        Arc::new(MemoryStore::new(clock))
    }
}

/// The memory store with its guard off: the control of race checks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unguarded;

impl Subject for Unguarded {
    fn open(&self, clock: Arc<dyn Clock>) -> Arc<dyn Store> {
        Arc::new(UnguardedStore::new(clock))
    }
}
