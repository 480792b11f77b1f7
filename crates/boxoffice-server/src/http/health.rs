//! `/healthz`: the process answers. `/readyz`: it can sell, since its store can be read and written, and it is not
//! stopping. If not, a word says why; the log has the rest.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use boxoffice::store::Store;
use tokio::sync::Mutex;
use tokio::time::Instant;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::AppState;

/// The store is tried at most so often, whoever asks.
const TRIED_EVERY: Duration = Duration::from_secs(1);

/// Whether this server can sell, as was found last.
#[derive(Debug, Default)]
pub struct Health {
    stopping: AtomicBool,
    found: Mutex<Option<(Instant, Result<(), Unready>)>>,
}

/// Why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unready {
    Stopping,
    StoreUnreadable,
    StoreUnwritable,
}

impl Unready {
    fn as_str(self) -> &'static str {
        match self {
            Self::Stopping => "stopping",
            Self::StoreUnreadable => "store-unreadable",
            Self::StoreUnwritable => "store-unwritable",
        }
    }
}

impl Health {
    /// From now on this server is not ready.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
    }

    async fn check(&self, store: &dyn Store) -> Result<(), Unready> {
        if self.stopping.load(Ordering::SeqCst) {
            return Err(Unready::Stopping);
        }
        let mut found = self.found.lock().await;
        if let Some((at, found)) = *found
            && at.elapsed() < TRIED_EVERY
        {
            return found;
        }
        let now = try_out(store).await;
        *found = Some((Instant::now(), now));
        now
    }
}

async fn try_out(store: &dyn Store) -> Result<(), Unready> {
    if let Err(error) = store.due(1).await {
        tracing::warn!(%error, "not ready: the store cannot be read");
        return Err(Unready::StoreUnreadable);
    }
    store.probe().await.map_err(|error| {
        tracing::warn!(%error, "not ready: the store cannot be written");
        Unready::StoreUnwritable
    })
}

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(alive)).routes(routes!(ready))
}

/// Whether the process answers
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "machines",
    responses((status = 200, description = "It does.", body = String, content_type = "text/plain"))
)]
async fn alive() -> &'static str {
    "ok\n"
}

/// Whether the server can sell: its store is read and written
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "machines",
    responses(
        (status = 200, description = "It can.", body = String, content_type = "text/plain"),
        (status = 503, description = "It cannot, and why: `stopping`, `store-unreadable` or `store-unwritable`.",
            body = String, content_type = "text/plain"),
    )
)]
async fn ready(State(state): State<AppState>) -> (StatusCode, String) {
    match state.health.check(state.store()).await {
        Ok(()) => (StatusCode::OK, "ready\n".to_owned()),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {}\n", why.as_str())),
    }
}
