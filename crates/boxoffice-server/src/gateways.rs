//! The payment providers that this server may use.

use std::sync::Arc;

use axum::Router;
use boxoffice::gateway::Gateway;
use boxoffice::service::Entropy;
use boxoffice::store::Store;

use crate::app::{AppState, Site};

/// The gateways that are allowed here. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Gateways {
    all: Vec<Arc<dyn Gateway>>,
}

impl Gateways {
    /// # Errors
    /// The store cannot answer.
    pub async fn connect(store: &Arc<dyn Store>, entropy: &Arc<dyn Entropy>, site: &Site) -> anyhow::Result<Self> {
        let _ = (store, entropy, site);
        Ok(Self::default())
    }

    #[must_use]
    pub fn all(&self) -> Vec<Arc<dyn Gateway>> {
        self.all.clone()
    }
}

/// Pages and forms of the gateways themselves.
pub fn router() -> Router<AppState> {
    Router::new()
}
