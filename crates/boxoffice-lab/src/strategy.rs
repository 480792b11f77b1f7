//! The ways to take seats that a race compares: twins that check and then act, and what stops the
//! race. Every buyer wants the same two seats, F7 and F8, and must get both or neither.

use std::fmt;

use anyhow::Result;
use clap::ValueEnum;

mod memory;
mod naive;
mod naive_pause;
mod naive_spin;
mod open_seats;
mod service;
mod show_lock;
mod sqlite;

/// The seats that everybody wants.
pub(crate) const WANTED: [&str; 2] = ["F7", "F8"];

/// Which of the two seats are taken.
pub type Look = [bool; 2];

/// A way to take the two seats for one of several buyers at once.
pub trait Strategy: Sync {
    /// Frees both seats for the next round, while nobody races.
    ///
    /// # Errors
    /// If a store fails.
    fn reset(&self) -> Result<()>;

    /// Asks for both seats. True: this buyer was told that they are his.
    ///
    /// # Errors
    /// If a store fails; a refusal is `false`.
    fn take(&self, buyer: u32) -> Result<bool>;

    /// What an onlooker's seat map shows.
    ///
    /// # Errors
    /// If a store fails.
    fn look(&self) -> Result<Look>;

    /// After the last round: whoever keeps books has them audited.
    ///
    /// # Errors
    /// If the books are broken or cannot be read.
    fn audit(&self) -> Result<()>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StrategyName {
    Naive,
    NaiveSpin,
    NaivePause,
    ShowLock,
    Memory,
    Sqlite,
}

impl StrategyName {
    pub const ALL: [Self; 6] =
        [Self::Naive, Self::NaiveSpin, Self::NaivePause, Self::ShowLock, Self::Memory, Self::Sqlite];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::NaiveSpin => "naive-spin",
            Self::NaivePause => "naive-pause",
            Self::ShowLock => "show-lock",
            Self::Memory => "memory",
            Self::Sqlite => "sqlite",
        }
    }

    /// What the strategy is, and what its race teaches.
    #[must_use]
    pub fn teaches(self) -> &'static str {
        match self {
            Self::Naive => "checks, then saves, with nothing between: rarely wrong, so a lone tester never sees it",
            Self::NaiveSpin => "checks, works a little, then saves: the wider the gap, the more seats are sold twice",
            Self::NaivePause => "checks, waits 1 ms as for a database, then saves: nearly every round sells twice",
            Self::ShowLock => "checks and saves under one lock per show: no other buyer comes between",
            Self::Memory => "the real service on the memory store: one decision under the show's lock",
            Self::Sqlite => "the real service on SQLite: one writer, and answers that follow the commit",
        }
    }

    /// Buyers and rounds unless the command says otherwise.
    #[must_use]
    pub fn defaults(self) -> (u32, u32) {
        match self {
            Self::Naive | Self::NaivePause | Self::Sqlite => (2, 2_000),
            Self::NaiveSpin => (8, 300),
            Self::ShowLock | Self::Memory => (2, 12_000),
        }
    }

    /// Makes the strategy; `seed` is where its randomness comes from.
    ///
    /// # Errors
    /// If a store cannot be made.
    pub fn open(self, seed: u64) -> Result<Box<dyn Strategy>> {
        Ok(match self {
            Self::Naive => Box::new(naive::Naive::default()),
            Self::NaiveSpin => Box::new(naive_spin::NaiveSpin::new(seed)),
            Self::NaivePause => Box::new(naive_pause::NaivePause::default()),
            Self::ShowLock => Box::new(show_lock::ShowLock::default()),
            Self::Memory => Box::new(memory::open(seed)?),
            Self::Sqlite => Box::new(sqlite::open(seed)?),
        })
    }
}

impl fmt::Display for StrategyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
