//! The demo chain: fills an empty store, and adds a day of shows whenever a day has passed.

use std::time::Duration;

use anyhow::{anyhow, bail};
use boxoffice::catalogue::demo::demo;
use boxoffice::store::Store;
use boxoffice::time::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::app::AppState;

/// The document that tells a store of the demo from a cinema's own.
const KIND: &str = "setting";
const KEY: &str = "demo";

/// How often is looked whether a day has passed.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Fills an empty store with the demo chain, or brings an earlier demo up to today.
///
/// # Errors
/// The store holds another catalogue, or cannot answer.
pub async fn fill(store: &dyn Store) -> anyhow::Result<()> {
    let is_empty = store.catalogue().await?.theatres.is_empty();
    if is_empty {
        store.put_document(KIND, KEY.to_owned(), 0, "{}".to_owned()).await?;
    }
    if store.document(KIND, KEY.to_owned()).await?.is_none() {
        bail!("this store holds a catalogue of its own; start without --demo, or give --store another file");
    }
    import(store, today(store.now())).await
}

/// Adds the shows of each new day. Runs until the task is dropped.
pub async fn keep_rolling(state: AppState) {
    let mut filled = today(state.store().now());
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let day = today(state.store().now());
        if day == filled {
            continue;
        }
        match import(state.store(), day).await {
            Ok(()) => filled = day,
            Err(error) => tracing::warn!(%error, "the demo's new day could not be added; it comes again"),
        }
    }
}

async fn import(store: &dyn Store, today: Date) -> anyhow::Result<()> {
    let import = demo(today).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        anyhow!("the demo's files are wrong: {}", lines.join("; "))
    })?;
    let report = store.import(import, false).await?;
    if report.conflicts.is_empty() {
        Ok(())
    } else {
        bail!("the demo cannot be added: {}", report.conflicts.join("; "))
    }
}

fn today(now: Timestamp) -> Date {
    now.to_jiff().to_zoned_datetime(TimeZone::UTC).date()
}
