//! The suite that every store passes: named checks, all of them run, each failure told by name.

use std::sync::Arc;

use parking_lot::Mutex;

use super::world::{Failure, Part, World};
use crate::clock::Clock;
use crate::store::Store;

mod clock;
mod deleting;
mod documents;
mod door;
mod exchange;
mod give_back;
mod holds;
mod imports;
mod keys;
mod ledger;
mod money;
mod notices;
mod persons;
mod promo;
mod races;
mod reads;
mod sales;
mod seed;
mod shows;

/// A kind of store, as the suite gets at it.
pub trait Subject: Sync {
    /// A new, empty store that takes the time from this clock.
    fn open(&self, clock: Arc<dyn Clock>) -> Arc<dyn Store>;

    /// Closes the store and opens it again on what it has kept. `None`: it keeps nothing.
    fn reopen(&self, _store: Arc<dyn Store>, _clock: Arc<dyn Clock>) -> Option<Arc<dyn Store>> {
        None
    }
}

/// One check. It gets a world of its own: an empty store with the small hall imported.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    pub name: &'static str,
    /// It lets threads race, and must fail on a store whose guard is off.
    pub is_race: bool,
    run: fn(World<'_>) -> Result<(), Failure>,
}

impl Check {
    const fn new(name: &'static str, run: fn(World<'_>) -> Result<(), Failure>) -> Self {
        Self { name, is_race: false, run }
    }

    const fn race(name: &'static str, run: fn(World<'_>) -> Result<(), Failure>) -> Self {
        Self { name, is_race: true, run }
    }

    /// The check's rows: each named part of it, then the check itself.
    #[must_use]
    pub fn rows(&self, subject: &dyn Subject) -> Vec<Row> {
        let (result, parts) = match World::open(subject) {
            Ok(world) => {
                let parts = world.parts();
                ((self.run)(world), parts)
            }
            Err(failure) => (Err(failure), Arc::default()),
        };
        let part = |(name, holds): &Part| Row {
            name: format!("{}::{name}", self.name),
            failure: (!holds).then(|| "it does not hold".to_owned()),
        };
        let mut rows: Vec<Row> = Mutex::lock(&parts).iter().map(part).collect();
        rows.push(Row { name: self.name.to_owned(), failure: result.err().map(|f| f.0) });
        rows
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    /// `None`: it passed.
    pub failure: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub rows: Vec<Row>,
}

impl Report {
    pub fn failures(&self) -> impl Iterator<Item = (&str, &str)> {
        self.rows.iter().filter_map(|row| Some((row.name.as_str(), row.failure.as_deref()?)))
    }

    /// # Panics
    /// With the name and the words of each failure, if there is any.
    pub fn assert_passed(&self) {
        let failures: Vec<String> = self.failures().map(|(name, what)| format!("  {name}: {what}")).collect();
        assert!(failures.is_empty(), "{} of {} rows failed:\n{}", failures.len(), self.rows.len(), failures.join("\n"));
        assert!(!self.rows.is_empty(), "no check has this name");
    }
}

/// Every check of the suite.
#[must_use]
pub fn checks() -> Vec<Check> {
    [
        seed::CHECKS,
        holds::CHECKS,
        money::CHECKS,
        give_back::CHECKS,
        exchange::CHECKS,
        shows::CHECKS,
        notices::CHECKS,
        persons::CHECKS,
        promo::CHECKS,
        keys::CHECKS,
        ledger::CHECKS,
        races::CHECKS,
        reads::CHECKS,
        clock::CHECKS,
        documents::CHECKS,
        door::CHECKS,
        imports::CHECKS,
        deleting::CHECKS,
        sales::CHECKS,
    ]
    .concat()
}

/// Runs the whole suite on a kind of store.
#[must_use]
pub fn run(subject: &dyn Subject) -> Report {
    run_named(subject, "")
}

/// Runs the checks whose name contains `name`.
#[must_use]
pub fn run_named(subject: &dyn Subject, name: &str) -> Report {
    let chosen = checks().into_iter().filter(|check| check.name.contains(name));
    Report { rows: chosen.flat_map(|check| check.rows(subject)).collect() }
}
