//! The request's id: taken from the header `Request-Id` if it looks like one, else made here;
//! sent back, and written beside every log line of the request.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::Request;
use axum::http::HeaderName;
use boxoffice::service::Entropy;

pub const HEADER: HeaderName = HeaderName::from_static("request-id");

#[derive(Debug, Clone)]
pub struct RequestId(Arc<str>);

/// Makes ids that no other process makes: where it counts from is chance.
#[derive(Debug)]
pub struct RequestIds {
    process: u32,
    next: AtomicU64,
}

impl RequestIds {
    #[must_use]
    pub fn new(entropy: &dyn Entropy) -> Self {
        let mut random = [0; 12];
        entropy.fill(&mut random);
        let [a, b, c, d, rest @ ..] = random;
        Self { process: u32::from_be_bytes([a, b, c, d]), next: AtomicU64::new(u64::from_be_bytes(rest)) }
    }

    fn next(&self) -> RequestId {
        let no = self.next.fetch_add(1, Ordering::Relaxed);
        RequestId(Arc::from(format!("{:08x}{no:016x}", self.process)))
    }
}

impl RequestId {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn of(request: &Request, ids: &RequestIds) -> Self {
        Self::sent(request).unwrap_or_else(|| ids.next())
    }

    /// Letters, digits, `-`, `_` and `.`, at most 64: whatever a proxy sends, and nothing that
    /// could forge a log line.
    fn sent(request: &Request) -> Option<Self> {
        let text = request.headers().get(HEADER)?.to_str().ok()?;
        let fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        ((1..=64).contains(&text.len()) && text.chars().all(fine)).then(|| Self(Arc::from(text)))
    }
}
