//! What stands around every route, in one layer, since each layer is cloned and boxed for every
//! request: the request's id and its log lines, the guards of every answer, problems in words,
//! panics caught, and the jobs woken.

use std::convert::Infallible;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::response::Response;
use axum::routing::Route;
use futures_util::FutureExt as _;
use tower::Service;
use tracing::Instrument as _;

use super::problem::{self, Reader};
use super::request_id::{self, RequestId};
use crate::app::AppState;

/// What every answer tells the browser: load nothing from elsewhere, stand in no other site's
/// frame, guess no types, tell no other site where the visitor came from, and use no camera.
const GUARDS: [(HeaderName, HeaderValue); 5] = [
    (
        HeaderName::from_static("content-security-policy"),
        HeaderValue::from_static(
            "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; script-src 'self'; \
             connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        ),
    ),
    (HeaderName::from_static("x-content-type-options"), HeaderValue::from_static("nosniff")),
    (HeaderName::from_static("referrer-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("x-frame-options"), HeaderValue::from_static("DENY")),
    (HeaderName::from_static("permissions-policy"), HeaderValue::from_static("camera=()")),
];

#[derive(Debug, Clone)]
pub struct Layer(pub AppState);

impl tower::Layer<Route> for Layer {
    type Service = Around;

    fn layer(&self, route: Route) -> Around {
        Around { state: self.0.clone(), route }
    }
}

/// A route and what stands around it.
#[derive(Debug, Clone)]
pub struct Around {
    state: AppState,
    route: Route,
}

impl Service<Request> for Around {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Service::<Request>::poll_ready(&mut self.route, context)
    }

    /// Neither path parameters nor the query are logged: they may name a booking or a person.
    fn call(&mut self, mut request: Request) -> Self::Future {
        let id = RequestId::of(&request, &self.state.request_ids);
        request.extensions_mut().insert(id.clone());
        let route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str);
        let span = tracing::info_span!("request", id = id.as_str(), method = %request.method(), route);
        let asked = Asked {
            state: self.state.clone(),
            id,
            reader: Reader::of(&request),
            reads: reads(&request),
            route: request.extensions().get::<MatchedPath>().cloned(),
            method: request.method().clone(),
            since: Instant::now(),
        };
        let answer = AssertUnwindSafe(self.route.call(request)).catch_unwind();
        let answered = async move {
            let response = match answer.await {
                Ok(Ok(response)) => response,
                Err(panic) => problem::of_panic(panic),
            };
            Ok(asked.finish(response))
        };
        if span.is_disabled() { Box::pin(answered) } else { Box::pin(answered.instrument(span)) }
    }
}

/// Whether a request changes nothing.
fn reads(request: &Request) -> bool {
    matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS)
}

/// What of a request its answer depends on, whatever the route.
struct Asked {
    state: AppState,
    id: RequestId,
    reader: Reader,
    reads: bool,
    route: Option<MatchedPath>,
    method: Method,
    since: Instant,
}

impl Asked {
    fn finish(self, response: Response) -> Response {
        if !self.reads && !response.status().is_client_error() {
            self.state.nudge.notify_one();
        }
        let mut response = problem::in_words(&self.state, &self.id, self.reader, response);
        let headers = response.headers_mut();
        headers.reserve(GUARDS.len() + 1);
        for (name, value) in GUARDS {
            headers.entry(name).or_insert(value);
        }
        if let Ok(value) = HeaderValue::from_str(self.id.as_str()) {
            headers.insert(request_id::HEADER, value);
        }
        let route = self.route.as_ref().map_or("none", MatchedPath::as_str);
        self.state.metrics.answered(route, &self.method, response.status(), self.since.elapsed());
        tracing::info!(status = response.status().as_u16(), "answered");
        response
    }
}
