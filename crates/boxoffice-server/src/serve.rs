//! Runs a server: listens, answers, works in the background, and stops gracefully.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use axum::http::HeaderValue;
use boxoffice::clock::{Clock, SystemClock};
use boxoffice::sales::Sales;
use boxoffice::store::Store;
use boxoffice::time::Span;
use prometheus_client::metrics::gauge::Gauge;
use tokio::net::TcpListener;

use crate::app::{AppState, Patience, Site};
use crate::config::Limits;
use crate::entropy::OsEntropy;
use crate::mail::{MailSetup, SmtpCourier};
use crate::metrics::{Metrics, StoreFigures};
use crate::{demo, http, metrics, post, privacy, work};

pub mod connections;
mod lingering;

pub use connections::Peer;
pub use lingering::Lingers;

/// What a server is started with.
#[derive(Debug, Clone)]
pub struct Settings {
    pub listen: SocketAddr,
    /// What links begin with; `None`: the address that it listens on.
    pub base_url: Option<String>,
    pub demo: bool,
    pub test_clock: bool,
    pub patience: Patience,
    /// `None`: notices are withheld.
    pub mail: Option<MailSetup>,
    pub limits: Limits,
    /// Sites whose scripts may use the API from a browser.
    pub cors: Vec<HeaderValue>,
    /// Days after a show for which its bookings name their customers; `None`: until somebody asks.
    pub keep_days: Option<u32>,
    /// Where metrics are read; `None`: nowhere.
    pub metrics_listen: Option<SocketAddr>,
    /// What the store counts, if it does.
    pub figures: Option<StoreFigures>,
}

impl Settings {
    /// A server at this address with everything else as it is unless it is said.
    #[must_use]
    pub fn at(listen: SocketAddr) -> Self {
        Self {
            listen,
            base_url: None,
            demo: false,
            test_clock: false,
            patience: Patience::default(),
            mail: None,
            limits: Limits::default(),
            cors: Vec::new(),
            keep_days: None,
            metrics_listen: None,
            figures: None,
        }
    }

    /// # Errors
    /// Whoever reaches the test routes can set the clock and see payments: only this machine may.
    pub fn check(&self) -> anyhow::Result<()> {
        if self.test_clock && !self.listen.ip().is_loopback() {
            bail!("--test-clock works only on a loopback address; use --listen 127.0.0.1:{}", self.listen.port());
        }
        Ok(())
    }
}

/// A server that has its address and its state, and waits to be run.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    metrics: Option<TcpListener>,
    address: SocketAddr,
    state: AppState,
    courier: Option<SmtpCourier>,
    keep_days: Option<u32>,
}

impl Server {
    /// # Errors
    /// The settings contradict each other, the address is taken, or the store cannot answer.
    pub async fn bind(store: Arc<dyn Store>, settings: &Settings) -> anyhow::Result<Self> {
        settings.check()?;
        if !settings.test_clock {
            check_clock(&*store)?;
        }
        let listen = settings.listen;
        let listener = bind(listen, "--listen").await?;
        let metrics = match settings.metrics_listen {
            Some(listen) => Some(bind(listen, "--metrics-listen").await?),
            None => None,
        };
        let address = listener.local_addr()?;
        if settings.demo {
            demo::fill(&*store).await?;
        }
        if let Sales::Closed { since } = store.sales().await?.sales {
            tracing::warn!(%since, "sales are closed after a restore; `boxoffice staff reopen-sales` opens them");
        }
        let base_url = settings.base_url.clone().unwrap_or_else(|| format!("http://{address}"));
        let local_url = format!("http://{}", reachable(address));
        let site = Site {
            base_url,
            local_url,
            demo: settings.demo,
            test_clock: settings.test_clock,
            patience: settings.patience,
            limits: settings.limits.clone(),
            cors: settings.cors.clone(),
        };
        let counted = Metrics::new(settings.figures.as_ref());
        let state = AppState::counting(store, Arc::new(OsEntropy), site, counted).await?;
        let courier = settings.mail.as_ref().map(|mail| SmtpCourier::new(mail, state.letters.clone())).transpose()?;
        Ok(Self { listener, metrics, address, state, courier, keep_days: settings.keep_days })
    }

    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where metrics are read.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref()?.local_addr().ok()
    }

    #[must_use]
    pub fn state(&self) -> &AppState {
        &self.state
    }

    /// Answers until `stop` is ready; then lets requests that run come to their end.
    ///
    /// # Errors
    /// Requests were still running when the time for that was over.
    pub async fn run(self, stop: impl Future<Output = ()> + Send) -> anyhow::Result<()> {
        let jobs = tokio::spawn(work::run(self.state.clone()));
        let post = post::Post::start(&self.state, self.courier);
        let deliveries = tokio::spawn(self.state.gateways.clone().deliver());
        let days = self.state.site.demo.then(|| tokio::spawn(demo::keep_rolling(self.state.clone())));
        let forgetting = self.keep_days.map(|days| tokio::spawn(privacy::keep_time(self.state.clone(), days)));
        let patience = self.state.site.patience;
        let metrics = self.metrics.map(|listener| {
            let router = metrics::router(self.state.clone());
            tokio::spawn(connections::serve(listener, router, patience, Gauge::default(), std::future::pending()))
        });
        let (state, open) = (self.state.clone(), self.state.metrics.connections.clone());
        let stop = async move {
            stop.await;
            state.health.stop();
        };
        let served = connections::serve(self.listener, http::router(self.state), patience, open, stop).await;
        jobs.abort();
        deliveries.abort();
        post.end().await;
        days.into_iter().chain(forgetting).for_each(|task| task.abort());
        metrics.into_iter().for_each(|task| task.abort());
        served
    }
}

async fn bind(listen: SocketAddr, flag: &str) -> anyhow::Result<TcpListener> {
    let advice = || format!("cannot listen on {listen}; stop what uses it or choose another with {flag}");
    TcpListener::bind(listen).await.with_context(advice)
}

/// A store's clock runs with the machine's, give or take this, unless test mode has set it.
const CLOCK_SLACK: Span = Span::from_ms(5_000);

/// # Errors
/// The store's clock was set or frozen: holds would end, and shows begin, at times that are not.
fn check_clock(store: &dyn Store) -> anyhow::Result<()> {
    let (there, here) = (store.now(), SystemClock.now());
    if (there - here).as_ms().abs() > CLOCK_SLACK.as_ms() {
        bail!(
            "the store's clock says {there}, this machine's {here}: test mode has set it; start with --test-clock, \
             or choose another store with --store"
        );
    }
    Ok(())
}

/// An address to connect to: one that listens everywhere is reached on this machine itself.
fn reachable(listening: SocketAddr) -> SocketAddr {
    match listening.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), listening.port()),
        IpAddr::V6(ip) if ip.is_unspecified() => SocketAddr::new(Ipv6Addr::LOCALHOST.into(), listening.port()),
        IpAddr::V4(_) | IpAddr::V6(_) => listening,
    }
}
