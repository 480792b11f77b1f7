//! The loop that does the work nobody waits for: it looks for due work soon after a request nudges it,
//! and at least four times a second, so that a lapsed hold is announced within a second. Each
//! booking is worked on in a task of its own: a provider that does not answer holds up no other.

use std::sync::Arc;
use std::time::Duration;

use boxoffice::jobs::{Jobs, TickReport};
use tokio::task::{JoinError, JoinSet};
use tokio::time::Instant;

use crate::app::AppState;

const AT_LEAST_EVERY: Duration = Duration::from_millis(250);
/// A crowd nudges thousands of times a second: a look follows the last by so much, and sees what all of them left.
const AT_MOST_EVERY: Duration = Duration::from_millis(20);

/// Bookings worked on at the same time.
const AT_ONCE: usize = 256;

/// Runs until the task is dropped, and drops its tasks then.
pub async fn run(state: AppState) {
    let jobs = Arc::new(Jobs::new(state.office.clone()));
    let mut working = JoinSet::new();
    let mut following = JoinSet::new();
    loop {
        let looked = Instant::now();
        if following.is_empty() {
            following.spawn(follow(jobs.clone()));
        }
        let room = AT_ONCE - working.len();
        let due = jobs.take(room).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the jobs could not run; they come again");
            Vec::new()
        });
        let more_may_be_due = due.len() == room;
        for id in due {
            let jobs = jobs.clone();
            working.spawn(async move { jobs.work(id).await });
        }
        if more_may_be_due {
            if let Some(done) = working.join_next().await {
                note(&state, done);
            }
        } else {
            let _ = tokio::time::timeout(AT_LEAST_EVERY, state.nudge.notified()).await;
            tokio::time::sleep_until(looked + AT_MOST_EVERY).await;
        }
        while let Some(done) = working.try_join_next().or_else(|| following.try_join_next()) {
            note(&state, done);
        }
    }
}

/// Brings bookings into line with shows that changed.
async fn follow(jobs: Arc<Jobs>) -> TickReport {
    jobs.follow().await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the bookings of a changed show cannot follow it now; it comes again");
        TickReport::default()
    })
}

fn note(state: &AppState, done: Result<TickReport, JoinError>) {
    match done {
        Ok(report) if report.faults > 0 => {
            state.metrics.job_faults.inc_by(report.faults as u64);
            tracing::warn!(?report, "some jobs failed; they come again");
        }
        Ok(report) => tracing::debug!(?report, "jobs done"),
        Err(error) => tracing::error!(%error, "bug: a job broke"),
    }
}
