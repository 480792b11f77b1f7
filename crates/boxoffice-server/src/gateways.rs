//! The payment providers that this server may use, each behind the core's `Gateway`.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use boxoffice::gateway::Gateway;
use boxoffice::service::Entropy;
use boxoffice::store::Store;

use crate::app::{AppState, Site};

pub mod sandbox;

use sandbox::{Sandbox, SandboxConfig, SandboxGateway};

/// How often our own providers look for events to send again.
const DELIVER_EVERY: Duration = Duration::from_millis(250);

/// The gateways that are allowed here. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Gateways {
    sandbox: Option<Arc<Sandbox>>,
}

impl Gateways {
    /// # Errors
    /// The store cannot answer.
    pub async fn connect(store: &Arc<dyn Store>, entropy: &Arc<dyn Entropy>, site: &Site) -> anyhow::Result<Self> {
        if !site.allows_sandbox() {
            return Ok(Self::default());
        }
        let config = SandboxConfig {
            public_url: site.base_url.clone(),
            webhook_url: format!("{}/api/v1/webhooks/{}", site.local_url, sandbox::NAME),
        };
        let sandbox = Sandbox::open(Arc::clone(store), &**entropy, config).await?;
        Ok(Self { sandbox: Some(sandbox) })
    }

    #[must_use]
    pub fn all(&self) -> Vec<Arc<dyn Gateway>> {
        self.sandbox.iter().map(|s| Arc::new(SandboxGateway(Arc::clone(s))) as Arc<dyn Gateway>).collect()
    }

    #[must_use]
    pub fn sandbox(&self) -> Option<&Arc<Sandbox>> {
        self.sandbox.as_ref()
    }

    /// Sends the events of our own providers again while they are due. Runs until dropped.
    pub async fn deliver(self) {
        let Some(sandbox) = self.sandbox else { return };
        loop {
            sandbox.deliver_due().await;
            tokio::time::sleep(DELIVER_EVERY).await;
        }
    }
}

/// Pages and forms of the gateways themselves.
pub fn router() -> Router<AppState> {
    sandbox::page::router()
}
