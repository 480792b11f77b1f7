//! Style sheets, scripts and the icon, inside the program. A file's address carries a hash of its
//! content, so that browsers may keep it for ever.

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
const DOOR_CSS: &str = include_str!("../../static/door.css");
const DOOR_SCRIPT: &str = include_str!("../../static/door.js");
/// Served by the scanner's page, at an address of its own.
pub const DOOR_WORKER: &str = include_str!("../../static/door-worker.js");

static CSS_NAME: LazyLock<String> = LazyLock::new(|| hashed("boxoffice", "css", CSS));
static ICON_NAME: LazyLock<String> = LazyLock::new(|| hashed("icon", "svg", ICON));
static DOOR_CSS_NAME: LazyLock<String> = LazyLock::new(|| hashed("door", "css", DOOR_CSS));
static DOOR_SCRIPT_NAME: LazyLock<String> = LazyLock::new(|| hashed("door", "js", DOOR_SCRIPT));

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

/// What the scanner's page has beside the style sheet of all pages.
#[must_use]
pub fn door_css_path() -> String {
    format!("/static/{}", *DOOR_CSS_NAME)
}

#[must_use]
pub fn door_script_path() -> String {
    format!("/static/{}", *DOOR_SCRIPT_NAME)
}

pub fn router() -> Router<AppState> {
    Router::new().route("/static/{name}", get(file))
}

async fn file(PathId(name): PathId) -> Response {
    let (kind, content) = if name == *CSS_NAME {
        ("text/css; charset=utf-8", CSS)
    } else if name == *ICON_NAME {
        ("image/svg+xml", ICON)
    } else if name == *DOOR_CSS_NAME {
        ("text/css; charset=utf-8", DOOR_CSS)
    } else if name == *DOOR_SCRIPT_NAME {
        ("text/javascript; charset=utf-8", DOOR_SCRIPT)
    } else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
    (headers, content).into_response()
}
