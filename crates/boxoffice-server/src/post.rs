//! The loop that takes notices to the mail server. It is apart from the jobs, and each letter is a
//! task of its own: a mail server that does not answer holds up nothing else.

use std::sync::Arc;
use std::time::Duration;

use boxoffice::courier::Courier;
use boxoffice::postman::{PostReport, Postman};
use tokio::sync::oneshot;
use tokio::task::{JoinError, JoinHandle, JoinSet};

use crate::app::AppState;
use crate::mail::SmtpCourier;

const AT_LEAST_EVERY: Duration = Duration::from_millis(250);

/// Letters under way at the same time.
const AT_ONCE: usize = 16;

/// At the end, letters under way may arrive for so long, so that they are not sent twice.
const LAST_LETTERS: Duration = Duration::from_secs(10);

/// The running loop.
#[derive(Debug)]
pub struct Post {
    stop: oneshot::Sender<()>,
    running: JoinHandle<()>,
}

impl Post {
    #[must_use]
    pub fn start(state: &AppState, courier: Option<SmtpCourier>) -> Self {
        match &courier {
            None => tracing::warn!("no mail server is set up: customers get no mail; set one under [mail] smtp"),
            Some(courier) => {
                let courier = courier.clone();
                tokio::spawn(async move { courier.try_out().await });
            }
        }
        let courier = courier.map(|courier| Arc::new(courier) as Arc<dyn Courier>);
        let postman = Arc::new(Postman::new(state.office.clone(), courier));
        let (stop, stopped) = oneshot::channel();
        Self { stop, running: tokio::spawn(run(postman, stopped)) }
    }

    /// Takes no more letters, and waits a little for those under way.
    pub async fn end(self) {
        drop(self.stop);
        let handle = self.running.abort_handle();
        if tokio::time::timeout(LAST_LETTERS, self.running).await.is_err() {
            handle.abort();
            tracing::warn!("letters were under way at the end; they are sent again");
        }
    }
}

async fn run(postman: Arc<Postman>, mut stopped: oneshot::Receiver<()>) {
    let mut working = JoinSet::new();
    loop {
        let due = postman.take(AT_ONCE - working.len()).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "notices could not be looked for; they come again");
            Vec::new()
        });
        for id in due {
            let postman = Arc::clone(&postman);
            working.spawn(async move { postman.work(id).await });
        }
        tokio::select! {
            _ = &mut stopped => break,
            Some(done) = working.join_next() => note(done),
            () = tokio::time::sleep(AT_LEAST_EVERY) => {}
        }
    }
    while let Some(done) = working.join_next().await {
        note(done);
    }
}

fn note(done: Result<PostReport, JoinError>) {
    match done {
        Ok(report) if report.faults > 0 => tracing::warn!(?report, "a notice could not be noted; it comes again"),
        Ok(report) => tracing::debug!(?report, "a notice was worked on"),
        Err(error) => tracing::error!(%error, "bug: a notice's work broke"),
    }
}
