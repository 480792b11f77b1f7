//! Bodies that nobody reads to their end. A connection that is closed while its client still sends is
//! reset, and the answer with it: the client would never read why it was refused. What is left of such
//! a body is read and thrown away for a while, so that the answer arrives.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::runtime::Handle;

/// How long the rest of a body is read, and how much of it.
const AT_MOST: Duration = Duration::from_secs(30);
const AT_MOST_BYTES: usize = 128 * 1024 * 1024;
/// A client that sends nothing for so long has read the answer, or will not.
const SILENCE: Duration = Duration::from_secs(2);

/// Whether the rest of a request's body is worth reading. In the request's extensions.
#[derive(Debug, Clone)]
pub struct Lingers(Arc<AtomicBool>);

impl Lingers {
    /// The client was too slow: what it still sends is not waited for.
    pub fn no_more(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// A body that is read to its end, by a handler or by nobody.
#[derive(Debug)]
pub(super) struct Lingering {
    body: Option<Incoming>,
    lingers: Lingers,
}

impl Lingering {
    pub(super) fn new(body: Incoming) -> (Self, Lingers) {
        let lingers = Lingers(Arc::new(AtomicBool::new(true)));
        (Self { body: Some(body), lingers: lingers.clone() }, lingers)
    }
}

impl Body for Lingering {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let polled = Pin::new(body).poll_frame(cx);
        if let Poll::Ready(None) = polled {
            self.body = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Incoming::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), Incoming::size_hint)
    }
}

impl Drop for Lingering {
    fn drop(&mut self) {
        let Some(body) = self.body.take().filter(|body| !body.is_end_stream()) else { return };
        if !self.lingers.0.load(Ordering::Relaxed) {
            return;
        }
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(tokio::time::timeout(AT_MOST, drain(body)));
        }
    }
}

async fn drain(mut body: Incoming) {
    let mut left = AT_MOST_BYTES;
    while let Ok(Some(Ok(frame))) = tokio::time::timeout(SILENCE, body.frame()).await {
        let bytes = frame.data_ref().map_or(0, Bytes::len);
        let Some(less) = left.checked_sub(bytes) else { return };
        left = less;
    }
}
