//! What a server counts of itself, as Prometheus reads it. No label says anything of a person, a booking, a show or a
//! token: labels are the router's templates, codes and other closed sets. docs/operating.md has the list.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use boxoffice::store::{Store, StoreError};
use boxoffice_store::Figures;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::app::AppState;

/// What an answer is counted under.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    route: String,
    method: &'static str,
    status: &'static str,
}

/// What a store in a file counts, and where the file is.
#[derive(Debug, Clone)]
pub struct StoreFigures {
    pub figures: Figures,
    pub path: PathBuf,
}

/// Cheap to clone: every clone counts the same.
#[derive(Debug, Clone)]
pub struct Metrics {
    registry: Arc<Registry>,
    requests: Family<Answered, Histogram, fn() -> Histogram>,
    refusals: Family<[(&'static str, String); 1], Counter>,
    pub connections: Gauge,
    pub job_faults: Counter,
    refunds_open: Gauge,
    outbox_age: Gauge<f64, AtomicU64>,
    sales_closed: Gauge,
    store_bytes: Gauge,
    path: Option<PathBuf>,
}

impl Metrics {
    #[must_use]
    pub fn new(store: Option<&StoreFigures>) -> Self {
        let mut metrics = Self {
            registry: Arc::default(),
            requests: Family::new_with_constructor(request_buckets),
            refusals: Family::default(),
            connections: Gauge::default(),
            job_faults: Counter::default(),
            refunds_open: Gauge::default(),
            outbox_age: Gauge::default(),
            sales_closed: Gauge::default(),
            store_bytes: Gauge::default(),
            path: store.map(|store| store.path.clone()),
        };
        let mut registry = Registry::with_prefix("boxoffice");
        metrics.register(&mut registry);
        if let Some(store) = store {
            register_store(&mut registry, &store.figures);
        }
        metrics.registry = Arc::new(registry);
        metrics
    }

    fn register(&self, registry: &mut Registry) {
        let requests = "How long requests took, by route, method and class of status";
        registry.register_with_unit("request_duration", requests, Unit::Seconds, self.requests.clone());
        registry.register("refusals", "Requests that were refused, by problem code", self.refusals.clone());
        registry.register("connections_open", "Connections of clients", self.connections.clone());
        registry.register("job_faults", "Steps of jobs that failed and come again", self.job_faults.clone());
        registry.register("refunds_open", "Refunds that have not arrived", self.refunds_open.clone());
        let outbox = "How long the oldest letter that is still to be sent has waited";
        registry.register_with_unit("outbox_age", outbox, Unit::Seconds, self.outbox_age.clone());
        registry.register("sales_closed", "1 while nothing is sold after a restore", self.sales_closed.clone());
        let size = "The size of the store's file and its log";
        registry.register_with_unit("store", size, Unit::Bytes, self.store_bytes.clone());
    }

    pub fn answered(&self, route: &str, method: &Method, status: StatusCode, took: Duration) {
        let labels = Answered { route: route.to_owned(), method: method_word(method), status: class_word(status) };
        self.requests.get_or_create(&labels).observe(took.as_secs_f64());
    }

    pub fn refused(&self, code: &str) {
        self.refusals.get_or_create(&[("code", code.to_owned())]).inc();
    }

    /// Looks at what is not counted as it happens. What the store cannot say now keeps its last value.
    async fn look(&self, store: &dyn Store) -> Result<(), StoreError> {
        if let Some(path) = &self.path {
            self.store_bytes.set(size_of(path));
        }
        let backlog = store.backlog().await?;
        self.refunds_open.set(i64::try_from(backlog.refunds_open).unwrap_or(i64::MAX));
        let age_ms = backlog.oldest_letter.map_or(0, |since| (store.now() - since).as_ms().max(0));
        self.outbox_age.set(Duration::from_millis(age_ms.unsigned_abs()).as_secs_f64());
        self.sales_closed.set(i64::from(!store.sales().await?.sales.are_open()));
        Ok(())
    }
}

fn request_buckets() -> Histogram {
    Histogram::new([0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0])
}

fn register_store(registry: &mut Registry, figures: &Figures) {
    let Figures { queue_depth, batch_commands, commit_seconds, faults, holds, settlements } = figures.clone();
    registry.register("store_queue_depth", "Commands that wait for the store's writer", queue_depth);
    registry.register("store_batch_commands", "Commands that shared a commit", batch_commands);
    registry.register_with_unit("store_commit", "How long transactions took", Unit::Seconds, commit_seconds);
    registry.register("store_faults", "Transactions that could not be written", faults);
    registry.register("holds", "Holds that were made", holds);
    registry.register("settlements", "News of payments, by what came of them", settlements);
}

/// A method is whatever a client sends: only those that exist here are named.
fn method_word(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

fn class_word(status: StatusCode) -> &'static str {
    match status.as_u16() / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    }
}

/// The file and its log.
fn size_of(path: &Path) -> i64 {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let bytes = [path, Path::new(&log)].iter().filter_map(|path| path.metadata().ok()).map(|m| m.len()).sum::<u64>();
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// What the listener for metrics answers, and nothing else.
pub fn router(state: AppState) -> Router {
    Router::new().route("/metrics", get(text)).with_state(state)
}

async fn text(State(state): State<AppState>) -> Response {
    if let Err(error) = state.metrics.look(state.store()).await {
        tracing::warn!(%error, "the store could not be looked at for the metrics");
    }
    let mut text = String::new();
    match encode(&mut text, &state.metrics.registry) {
        Ok(()) => {
            ([(CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text).into_response()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
