//! Accepts connections. Not `axum::serve`, because that sets no timer: a client that opens a
//! connection and sends nothing, or its header byte by byte, would keep it for ever. HTTP/1 alone,
//! because a server that waits for the first bytes to tell versions apart starts no timer before.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use prometheus_client::metrics::gauge::Gauge;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

use super::lingering::Lingering;
use crate::app::Patience;

/// Requests that run at the stop may take this long to end.
const STOP_WITHIN: Duration = Duration::from_secs(15);
/// Beyond these, connections wait in the listener's queue.
const CONNECTIONS_MAX: usize = 8_192;
/// Room for the header of a request, and for what is read of a body at a time.
const HEADER_MAX_BYTES: usize = 32 * 1024;
/// After a failed accept, which mostly means too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The address that a request came from: the client's, or that of a proxy before us. It is in the
/// request's extensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

impl Default for Peer {
    fn default() -> Self {
        Self(Ipv4Addr::UNSPECIFIED.into())
    }
}

/// Serves until `stop` is ready, then waits for the requests that run. A header must have come
/// whole within the patience for it from a connection's start; so must the next one on a kept
/// connection. A client that takes nothing of an answer for too long is cut off.
/// `open` counts connections.
///
/// # Errors
/// Some still ran when [`STOP_WITHIN`] was over.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    patience: Patience,
    open: Gauge,
    stop: impl Future<Output = ()> + Send,
) -> anyhow::Result<()> {
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(patience.header).max_buf_size(HEADER_MAX_BYTES);
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = async {
            let permit = room.clone().acquire_owned().await;
            (listener.accept().await, permit)
        };
        let (accepted, permit) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok((stream, address)) => (stream, Peer(address.ip())),
            Err(error) => {
                tracing::warn!(%error, "could not accept a connection");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let answers = TowerToHyperService::new(router.clone());
        let service = service_fn(move |request: Request<Incoming>| {
            let (parts, body) = request.into_parts();
            let (body, lingers) = Lingering::new(body);
            let mut request = Request::from_parts(parts, body);
            request.extensions_mut().insert(peer);
            request.extensions_mut().insert(lingers);
            answers.call(request)
        });
        let connection = builder.serve_connection(io(stream, patience.answer), service);
        let connection = graceful.watch(connection);
        open.inc();
        let open = open.clone();
        tokio::spawn(async move {
            // A connection that breaks is the client's affair.
            let _ = connection.await;
            open.dec();
            drop(permit);
        });
    }
    drop(listener);
    if tokio::time::timeout(STOP_WITHIN, graceful.shutdown()).await.is_err() {
        bail!("some requests did not end within {} s of the stop; they were cut off", STOP_WITHIN.as_secs());
    }
    Ok(())
}

fn io(stream: TcpStream, answer_within: Duration) -> TokioIo<Pin<Box<TimeoutStream<TcpStream>>>> {
    // Answers are small and whole: nothing is gained by waiting for more to send.
    let _: Result<(), std::io::Error> = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(answer_within));
    TokioIo::new(Box::pin(stream))
}
