//! The document that describes the API, generated from the routes themselves: each is registered together
//! with its description, so that none is without one. Served at `/openapi.json`.

use std::sync::LazyLock;

use axum::Router;
use axum::http::header::{CONTENT_TYPE, ETAG};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use data_encoding::HEXLOWER;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use utoipa::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;

use super::{api, conditional, health};
use crate::app::AppState;

pub mod params;
mod problems;
mod rules;
mod shape;
pub mod words;

/// The routes that are part of the document.
pub fn documented() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(About::openapi()).merge(health::router()).merge(api::router())
}

pub fn router() -> Router<AppState> {
    Router::new().route("/openapi.json", get(read))
}

#[derive(Debug, OpenApi)]
#[openapi(
    info(
        title = "Boxoffice",
        version = env!("CARGO_PKG_VERSION"),
        description = include_str!("openapi/about.md"),
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    tags(
        (name = "catalogue", description = "Where which films are shown, and what seats cost."),
        (name = "bookings", description = "From chosen seats to a ticket, and back."),
        (name = "doors", description = "Letting people in, with a network or without one."),
        (name = "staff: bookings", description = "What staff find, give back and send again."),
        (name = "staff: shows", description = "Seats off sale, shows that do not take place."),
        (name = "staff: catalogue", description = "What is played where, from a file."),
        (name = "staff: reports", description = "What was sold, and the close of a day."),
        (name = "machines", description = "For payment providers, proxies and supervisors."),
    ),
    modifiers(&Keys)
)]
struct About;

/// The two things that are sent as `Authorization: Bearer …`.
struct Keys;

impl utoipa::Modify for Keys {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let bearer = |text: &str| {
            let mut http = Http::new(HttpAuthScheme::Bearer);
            http.description = Some(text.to_owned());
            SecurityScheme::Http(http)
        };
        let components = openapi.components.get_or_insert_default();
        let token = "The `token` that making a booking answered. It opens that booking and nothing else.";
        components.add_security_scheme("booking_token", bearer(token));
        let key = "A key that `boxoffice staff add` printed. What it may do is its role's.";
        components.add_security_scheme("staff_key", bearer(key));
    }
}

/// The document as it is sent and shown.
#[derive(Debug)]
pub struct Document {
    pub json: Value,
    text: Bytes,
    etag: String,
}

/// The one document of this program.
pub static DOCUMENT: LazyLock<Document> = LazyLock::new(|| {
    let generated = serde_json::to_value(documented().into_openapi()).unwrap_or_default();
    Document::of(generated)
});

impl Document {
    fn of(generated: Value) -> Self {
        let json = shape::exact(problems::told(generated));
        let text = json.to_string();
        let hash = HEXLOWER.encode(&Sha256::digest(&text)[..16]);
        Self { json, text: text.into(), etag: format!("W/\"{hash}\"") }
    }
}

async fn read(headers: HeaderMap) -> Response {
    let document = &*DOCUMENT;
    if conditional::is_known(&headers, document.etag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, [(ETAG, document.etag.as_str())]).into_response();
    }
    let kind = (CONTENT_TYPE, "application/json");
    ([kind, (ETAG, document.etag.as_str())], document.text.clone()).into_response()
}
