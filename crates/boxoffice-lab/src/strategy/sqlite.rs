//! The real service on a SQLite file of its own, which is gone afterwards: one writer decides in
//! order, and an answer follows the commit that makes it durable.

use std::sync::Arc;

use anyhow::{Context, Result};
use boxoffice::testkit::{TestClock, hall};
use boxoffice_store::SqliteStore;
use tempfile::TempDir;

use super::service::Service;
use super::{Look, Strategy};

/// The fields' order matters: the store is closed before its folder goes.
#[derive(Debug)]
pub(super) struct OnDisk {
    service: Service,
    _folder: TempDir,
}

pub(super) fn open(seed: u64) -> Result<OnDisk> {
    let folder = tempfile::tempdir().context("cannot make a folder for the laboratory's SQLite file")?;
    let clock = Arc::new(TestClock::at(hall::opening()));
    let store = SqliteStore::open(&folder.path().join("lab.db"), clock.clone())?;
    Ok(OnDisk { service: Service::over(Arc::new(store), clock, seed)?, _folder: folder })
}

impl Strategy for OnDisk {
    fn reset(&self) -> Result<()> {
        self.service.reset()
    }

    fn take(&self, buyer: u32) -> Result<bool> {
        self.service.take(buyer)
    }

    fn look(&self) -> Result<Look> {
        self.service.look()
    }

    fn audit(&self) -> Result<()> {
        self.service.audit()
    }
}
