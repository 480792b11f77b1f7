//! Which other sites may use the API from a browser: those of the configuration, and no other.

use std::time::Duration;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, Method, header};
use tower_http::cors::CorsLayer;

use super::{Problem, idempotency, request_id};
use crate::app::AppState;

/// How long a browser need not ask again.
const ASKED_FOR: Duration = Duration::from_secs(600);

/// The routes, for these sites too. Cookies are never taken from there: the API knows none.
pub fn around(routes: Router<AppState>, origins: &[HeaderValue]) -> Router<AppState> {
    if origins.is_empty() {
        return routes;
    }
    let sent =
        [header::AUTHORIZATION, header::CONTENT_TYPE, header::IF_NONE_MATCH, idempotency::KEY, request_id::HEADER];
    let read: [HeaderName; 5] =
        [header::ETAG, header::LOCATION, header::RETRY_AFTER, idempotency::REPLAYED, request_id::HEADER];
    let layer = CorsLayer::new()
        .allow_origin(origins.to_vec())
        .allow_methods([Method::GET, Method::POST, Method::PATCH, Method::DELETE])
        .allow_headers(sent)
        .expose_headers(read)
        .max_age(ASKED_FOR);
    // Asked beforehand with a method that no route has; the layer has to stand before that answer.
    routes.method_not_allowed_fallback(async || Problem::MethodNotAllowed).layer(layer)
}
