//! What every request handler shares: the service, the keys, and how this server is set up.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderValue;
use boxoffice::service::{BoxOffice, Entropy};
use boxoffice::store::Store;
use tokio::sync::Notify;

use crate::auth::{BookingTokens, Guesses, KeyUses, StaffSessions};
use crate::config::Limits;
use crate::gateways;
use crate::http::health::Health;
use crate::http::request_id::RequestIds;
use crate::http::seat_maps::SeatMaps;
use crate::mail;
use crate::metrics::Metrics;
use crate::secrets;
use crate::tickets::TicketKeys;

/// How long a client may take to send, so that nobody keeps a connection for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// From a connection's start, or the end of its last answer, until a header has come whole.
    pub header: Duration,
    /// Until a body has come whole.
    pub body: Duration,
    /// Until a body has come whole that may be large.
    pub large_body: Duration,
    /// How long a client may take none of an answer that is being sent.
    pub answer: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let [short, long] = [10, 60].map(Duration::from_secs);
        Self { header: short, body: short, large_body: long, answer: long }
    }
}

/// How a server is set up. Known once it has its address.
#[derive(Debug, Clone)]
pub struct Site {
    /// What links to this server begin with, such as `http://127.0.0.1:8080`; no slash at the end.
    pub base_url: String,
    /// Where this machine reaches this server, whatever stands before it for the world outside.
    pub local_url: String,
    /// Pages say that nothing here is real.
    pub demo: bool,
    /// The routes under `/test` exist, and the store's clock can be set.
    pub test_clock: bool,
    pub patience: Patience,
    pub limits: Limits,
    /// Sites whose scripts may use the API from a browser.
    pub cors: Vec<HeaderValue>,
}

impl Site {
    /// The sandbox takes no real money, so it is allowed only where nothing is really sold.
    #[must_use]
    pub fn allows_sandbox(&self) -> bool {
        self.demo || self.test_clock
    }
}

/// Cloned several times for each request: one pointer to all that is shared.
#[derive(Debug, Clone)]
pub struct AppState(Arc<App>);

#[derive(Debug)]
pub struct App {
    pub office: BoxOffice,
    pub tokens: BookingTokens,
    pub sessions: StaffSessions,
    /// Wrong keys, passwords and tokens, by network address.
    pub guesses: Guesses,
    pub key_uses: KeyUses,
    pub tickets: TicketKeys,
    pub gateways: gateways::Gateways,
    /// Writes what customers are told.
    pub letters: mail::Writer,
    pub site: Arc<Site>,
    /// Wakes the jobs after a request that changed something.
    pub nudge: Arc<Notify>,
    pub entropy: Arc<dyn Entropy>,
    pub request_ids: RequestIds,
    pub seat_maps: SeatMaps,
    pub metrics: Metrics,
    pub health: Health,
}

impl Deref for AppState {
    type Target = App;

    fn deref(&self) -> &App {
        &self.0
    }
}

impl AppState {
    /// Loads the keys from the store, or makes them, and connects the gateways.
    ///
    /// # Errors
    /// The store cannot answer, or a key in it is damaged.
    pub async fn new(store: Arc<dyn Store>, entropy: Arc<dyn Entropy>, site: Site) -> anyhow::Result<Self> {
        Self::counting(store, entropy, site, Metrics::new(None)).await
    }

    /// As [`AppState::new`], with what counts.
    ///
    /// # Errors
    /// As there.
    pub async fn counting(
        store: Arc<dyn Store>,
        entropy: Arc<dyn Entropy>,
        site: Site,
        metrics: Metrics,
    ) -> anyhow::Result<Self> {
        let tokens = BookingTokens::new(secrets::load_or_make(&*store, &*entropy, "booking-token").await?);
        let sessions = StaffSessions::new(secrets::load_or_make(&*store, &*entropy, "staff-session").await?);
        let tickets = TicketKeys::load(&*store, &*entropy).await?;
        let site = Arc::new(site);
        let letters = mail::Writer::new(tokens.clone(), tickets.clone(), &site.base_url);
        let gateways = gateways::Gateways::connect(&store, &entropy, &site).await?;
        let app = App {
            office: BoxOffice::new(store, gateways.all(), entropy.clone()),
            tokens,
            sessions,
            guesses: Guesses::default(),
            key_uses: KeyUses::default(),
            tickets,
            gateways,
            letters,
            site,
            nudge: Arc::new(Notify::new()),
            request_ids: RequestIds::new(&*entropy),
            entropy,
            seat_maps: SeatMaps::default(),
            metrics,
            health: Health::default(),
        };
        Ok(Self(Arc::new(app)))
    }

    #[must_use]
    pub fn store(&self) -> &dyn Store {
        self.office.store()
    }
}
