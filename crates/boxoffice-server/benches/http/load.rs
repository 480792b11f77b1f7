//! The callers: each has one connection and asks again as soon as it was answered.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

pub(crate) const CALLERS: usize = 64;
pub(crate) const WINDOW: Duration = Duration::from_secs(2);

/// What one window did.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    /// Successes.
    pub(crate) per_second: f64,
    /// Answers with another status, which count for nothing.
    pub(crate) others: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct Ask {
    method: Method,
    path: &'static str,
    body: String,
    /// The tag of what the caller has already.
    known: Option<HeaderValue>,
}

impl Ask {
    pub(crate) fn get(path: &'static str) -> Self {
        Self { method: Method::GET, path, body: String::new(), known: None }
    }

    pub(crate) fn post(path: &'static str, body: String) -> Self {
        Self { method: Method::POST, path, body, known: None }
    }

    pub(crate) fn by_who_has(self, tag: HeaderValue) -> Self {
        Self { known: Some(tag), ..self }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

pub(crate) type Caller = SendRequest<Full<Bytes>>;

pub(crate) async fn connect(to: SocketAddr) -> anyhow::Result<Caller> {
    let stream = TcpStream::connect(to).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender)
}

pub(crate) async fn send(caller: &mut Caller, ask: &Ask) -> anyhow::Result<Answer> {
    let mut request = Request::builder().method(&ask.method).uri(ask.path).header(header::HOST, "bench");
    if !ask.body.is_empty() {
        request = request.header(header::CONTENT_TYPE, "application/json");
    }
    if let Some(known) = &ask.known {
        request = request.header(header::IF_NONE_MATCH, known);
    }
    caller.ready().await?;
    let answer = caller.send_request(request.body(Full::new(Bytes::from(ask.body.clone())))?).await?;
    let (parts, body) = answer.into_parts();
    Ok(Answer { status: parts.status, headers: parts.headers, body: body.collect().await?.to_bytes() })
}

/// All callers ask for one window's time. `next` numbers what is asked, from window to window.
pub(crate) async fn window(
    to: SocketAddr,
    success: StatusCode,
    next: &mut usize,
    ask: impl Fn(usize) -> Ask + Clone + Send + 'static,
) -> anyhow::Result<Window> {
    let numbers = Arc::new(AtomicUsize::new(*next));
    let mut callers = Vec::new();
    for _ in 0..CALLERS {
        callers.push(connect(to).await?);
    }
    let begun = Instant::now();
    let run = |mut caller: Caller| {
        let (numbers, ask) = (numbers.clone(), ask.clone());
        tokio::spawn(async move {
            let (mut successes, mut others) = (0_usize, 0);
            while begun.elapsed() < WINDOW {
                let n = numbers.fetch_add(1, Ordering::Relaxed);
                let answer = send(&mut caller, &ask(n)).await?;
                if answer.status == success { successes += 1 } else { others += 1 }
            }
            anyhow::Ok((successes, others))
        })
    };
    let (mut successes, mut others) = (0, 0);
    for task in callers.into_iter().map(run).collect::<Vec<_>>() {
        let (some, no) = task.await??;
        successes += some;
        others += no;
    }
    *next = numbers.load(Ordering::Relaxed);
    Ok(Window { per_second: successes as f64 / begun.elapsed().as_secs_f64(), others })
}
