//! The one style sheet, inside the program. Its address carries a hash of its content, so that
//! browsers may keep it for ever.

use std::sync::LazyLock;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use crate::app::AppState;
use crate::http::extract::PathId;

const CSS: &str = include_str!("../../static/boxoffice.css");
const ICON: &str = include_str!("../../static/icon.svg");

static CSS_NAME: LazyLock<String> = LazyLock::new(|| hashed("boxoffice", "css", CSS));
static ICON_NAME: LazyLock<String> = LazyLock::new(|| hashed("icon", "svg", ICON));

fn hashed(stem: &str, ending: &str, content: &str) -> String {
    let digest = HEXLOWER.encode(&Sha256::digest(content));
    format!("{stem}.{}.{ending}", digest.get(..12).unwrap_or(&digest))
}

/// The style sheet's address on this server.
#[must_use]
pub fn css_path() -> String {
    format!("/static/{}", *CSS_NAME)
}

#[must_use]
pub fn icon_path() -> String {
    format!("/static/{}", *ICON_NAME)
}

pub fn router() -> Router<AppState> {
    Router::new().route("/static/{name}", get(file))
}

async fn file(PathId(name): PathId) -> Response {
    let (kind, content) = if name == *CSS_NAME {
        ("text/css; charset=utf-8", CSS)
    } else if name == *ICON_NAME {
        ("image/svg+xml", ICON)
    } else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
    (headers, content).into_response()
}
