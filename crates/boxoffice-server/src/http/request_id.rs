//! The request's id: taken from the header `Request-Id` if it looks like one, else made here;
//! sent back, and written beside every log line of the request.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use data_encoding::HEXLOWER;
use tracing::Instrument as _;

use crate::app::AppState;

pub const HEADER: HeaderName = HeaderName::from_static("request-id");

#[derive(Debug, Clone)]
pub struct RequestId(Arc<str>);

impl Default for RequestId {
    fn default() -> Self {
        Self(Arc::from("unknown"))
    }
}

impl RequestId {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Letters, digits, `-`, `_` and `.`, at most 64: whatever a proxy sends, and nothing that
    /// could forge a log line.
    fn sent(request: &Request) -> Option<Self> {
        let text = request.headers().get(HEADER)?.to_str().ok()?;
        let fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        ((1..=64).contains(&text.len()) && text.chars().all(fine)).then(|| Self(Arc::from(text)))
    }
}

/// A layer: gives the request its id and logs how it was answered. Neither path parameters nor
/// the query are logged: they may name a booking or a person.
pub async fn identify(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let id = RequestId::sent(&request).unwrap_or_else(|| {
        let mut random = [0; 12];
        state.entropy.fill(&mut random);
        RequestId(Arc::from(HEXLOWER.encode(&random)))
    });
    request.extensions_mut().insert(id.clone());
    let route = request.extensions().get::<MatchedPath>().map_or("none", |path| path.as_str());
    let span = tracing::info_span!("request", id = id.as_str(), method = %request.method(), route);
    async move {
        let mut response = next.run(request).await;
        tracing::info!(status = response.status().as_u16(), "answered");
        if let Ok(value) = HeaderValue::from_str(id.as_str()) {
            response.headers_mut().insert(HEADER, value);
        }
        response
    }
    .instrument(span)
    .await
}
