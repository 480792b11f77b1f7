//! Runs a server: listens, answers, works in the background, and stops gracefully.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use boxoffice::clock::{Clock, SystemClock};
use boxoffice::store::Store;
use boxoffice::time::Span;
use tokio::net::TcpListener;

use crate::app::{AppState, Patience, Site};
use crate::entropy::OsEntropy;
use crate::mail::{MailSetup, SmtpCourier};
use crate::{demo, http, post, work};

pub mod connections;

pub use connections::Peer;

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
}

impl Settings {
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
    address: SocketAddr,
    state: AppState,
    courier: Option<SmtpCourier>,
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
        let listener = TcpListener::bind(listen)
            .await
            .with_context(|| format!("cannot listen on {listen}; stop what uses it or choose another with --listen"))?;
        let address = listener.local_addr()?;
        if settings.demo {
            demo::fill(&*store).await?;
        }
        let base_url = settings.base_url.clone().unwrap_or_else(|| format!("http://{address}"));
        let local_url = format!("http://{}", reachable(address));
        let site = Site {
            base_url,
            local_url,
            demo: settings.demo,
            test_clock: settings.test_clock,
            patience: settings.patience,
        };
        let state = AppState::new(store, Arc::new(OsEntropy), site).await?;
        let courier = settings.mail.as_ref().map(|mail| SmtpCourier::new(mail, state.letters.clone())).transpose()?;
        Ok(Self { listener, address, state, courier })
    }

    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
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
        let header_within = self.state.site.patience.header;
        let served = connections::serve(self.listener, http::router(self.state), header_within, stop).await;
        jobs.abort();
        deliveries.abort();
        post.end().await;
        if let Some(days) = days {
            days.abort();
        }
        served
    }
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
