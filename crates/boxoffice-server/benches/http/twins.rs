//! The other sides. Each sends the very headers and bytes that the server sent.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use boxoffice_server::app::{AppState, Patience};
use boxoffice_server::http::api::bookings::CreateBooking;
use boxoffice_server::http::extract::Sent;
use boxoffice_server::http::{Problem, dressed};
use boxoffice_server::serve::connections;
use prometheus_client::metrics::gauge::Gauge;
use tokio::net::TcpListener;

use super::load::Answer;

/// An answer without what the framework adds to each.
fn repeated(answer: &Answer) -> (StatusCode, HeaderMap, Bytes) {
    let mut headers = answer.headers.clone();
    headers.remove(header::DATE);
    headers.remove(header::CONTENT_LENGTH);
    (answer.status, headers, answer.body.clone())
}

/// The framework alone: the map from memory, or that the caller has it already.
pub(crate) async fn from_memory(path: &str, map: &Answer, unchanged: &Answer) -> anyhow::Result<SocketAddr> {
    let (map, unchanged) = (repeated(map), repeated(unchanged));
    let answer = async move |request: Request| {
        let has_it =
            request.headers().get(header::IF_NONE_MATCH).is_some_and(|tag| map.1.get(header::ETAG) == Some(tag));
        if has_it { unchanged } else { map }
    };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let router = Router::new().route(path, get(answer));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

/// The same server — its connections, its layers, its readers of requests — that answers a hold
/// once it has read it.
pub(crate) async fn that_stores_nothing(state: AppState, hold: &Answer) -> anyhow::Result<SocketAddr> {
    let (status, all, body) = repeated(hold);
    // The layers add the rest again.
    let own = [header::CONTENT_TYPE, header::CACHE_CONTROL, header::LOCATION];
    let headers: HeaderMap = own.into_iter().filter_map(|name| Some((name.clone(), all.get(name)?.clone()))).collect();
    let answer = async move |State(_): State<AppState>, sent: Sent<CreateBooking>| -> Result<Response, Problem> {
        sent.body.request(&sent.caller)?;
        Ok((status, headers, body).into_response())
    };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let router = dressed(Router::new().route("/api/v1/bookings", post(answer)), state);
    tokio::spawn(connections::serve(listener, router, Patience::default(), Gauge::default(), std::future::pending()));
    Ok(address)
}
