//! `boxoffice backup` and `restore`: a proven copy of the store in one file, and a store made from one.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use boxoffice::audit::audit;
use boxoffice::clock::SystemClock;
use boxoffice_store::{Copy, Holds, Progress, SqliteStore};
use serde_json::json;

use super::block_on;
use crate::config::Config;
use crate::stores;

/// # Errors
/// The file is there already or cannot be written, or the copy's books are not right.
pub fn back_up(config: &Config, file: &Path, as_json: bool) -> anyhow::Result<()> {
    let path = stores::sqlite_path(&config.store, "backed up")?;
    if !path.exists() {
        bail!("there is no store at {}; name one with --store", path.display());
    }
    let store = SqliteStore::open(path, Arc::new(SystemClock))?;
    let copy = store.copy_to(file, teller())?;
    drop(store);
    prove(&copy)?;
    let holds = copy.publish()?;
    if as_json {
        println!("{}", view(file, &holds));
    } else {
        println!("Backed up {} to {}: {}", path.display(), file.display(), words(&holds));
    }
    Ok(())
}

/// # Errors
/// The file is no backup or is damaged, there is a store already, or a server serves from it.
pub fn restore(config: &Config, file: &Path, as_json: bool) -> anyhow::Result<()> {
    let path = stores::sqlite_path(&config.store, "restored")?;
    let copy = Copy::of_backup(file, path, Arc::new(SystemClock))?;
    prove(&copy)?;
    let holds = copy.publish()?;
    if as_json {
        println!("{}", view(path, &holds));
        return Ok(());
    }
    println!("Restored {} from {}: {}", path.display(), file.display(), words(&holds));
    println!(
        "Its sales are closed: it does not know what was sold since. Start the server, let it ask about the payments \
         that were open, and then run `boxoffice staff reopen-sales`."
    );
    Ok(())
}

/// Proves the books of a copy that nobody uses yet.
fn prove(copy: &Copy) -> anyhow::Result<()> {
    let store = copy.open(Arc::new(SystemClock))?;
    let report = block_on(async { Ok(audit(&store).await?) })?;
    let broken: Vec<&str> = report.checks.iter().filter(|check| !check.broken.is_empty()).map(|c| c.name).collect();
    if !broken.is_empty() {
        bail!("the copy's books are not right ({}), and it is not kept; run `boxoffice audit`", broken.join(", "));
    }
    Ok(())
}

/// Says on standard error how far a long copy has come, at each tenth.
fn teller() -> impl FnMut(Progress) {
    /// Below this, in pages of 4 KiB, a copy is made before anybody asks.
    const LONG: u64 = 50_000;
    let mut told = 0;
    move |progress| {
        let tenths = (progress.done * 10).checked_div(progress.of).unwrap_or(10);
        if progress.of >= LONG && tenths > told {
            told = tenths;
            eprintln!("copied {} %", tenths * 10);
        }
    }
}

fn words(holds: &Holds) -> String {
    let Holds { bytes, shows, bookings, as_of } = holds;
    format!("{bytes} bytes, {shows} shows, {bookings} bookings, as of {as_of}.")
}

fn view(file: &Path, holds: &Holds) -> serde_json::Value {
    json!({
        "file": file.display().to_string(),
        "bytes": holds.bytes,
        "shows": holds.shows,
        "bookings": holds.bookings,
        "as_of": holds.as_of.to_string(),
    })
}
