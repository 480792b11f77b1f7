//! The commands of the program, one file each.

use std::future::Future;

use anyhow::Context as _;

pub mod audit;
pub mod backup;
pub mod catalogue;
pub mod config;
pub mod day;
pub mod export;
pub mod import;
pub mod price;
pub mod privacy;
pub mod reopening;
pub mod report;
pub mod serve;
pub mod staff;
pub mod ticket;

/// Runs a short command to its end on this thread.
fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start a thread")?.block_on(work)
}
