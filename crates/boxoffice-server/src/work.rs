//! The loop that does the work nobody waits for: it runs the jobs when a request nudges it, and
//! at least four times a second, so that a lapsed hold is announced within a second.

use std::time::Duration;

use boxoffice::jobs::{self, TickReport};

use crate::app::AppState;

const AT_LEAST_EVERY: Duration = Duration::from_millis(250);

/// Bookings looked at in one go, so that one tick stays short.
const BATCH: usize = 64;

/// Runs until the task is dropped.
pub async fn run(state: AppState) {
    loop {
        match jobs::tick(&state.office, BATCH).await {
            Ok(report) => note(report),
            Err(error) => tracing::warn!(%error, "the jobs could not run; they come again"),
        }
        let _ = tokio::time::timeout(AT_LEAST_EVERY, state.nudge.notified()).await;
    }
}

fn note(report: TickReport) {
    if report.faults > 0 {
        tracing::warn!(?report, "some jobs failed; they come again");
    } else if report.bookings > 0 {
        tracing::debug!(?report, "jobs done");
    }
}
