//! Roads back to a booking: its own link, and the single-use path that a payment provider sends
//! the buyer to, in whatever browser that opens.

use axum::Router;
use axum::extract::State;
use axum::http::Method;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use boxoffice::id::BookingId;
use boxoffice::store::StoreError;
use data_encoding::{BASE32_NOPAD, HEXLOWER};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::visitor::Visitor;
use super::{link, shell};
use crate::app::AppState;
use crate::http::Problem;
use crate::http::extract::PathId;

/// The kind of document that return paths are kept as, by the hash of their code.
const KIND: &str = "return_path";

pub fn router() -> Router<AppState> {
    Router::new().route("/b/{token}", get(open)).route("/return/{code}", get(come_back))
}

#[derive(Debug, Serialize, Deserialize)]
struct ReturnPath {
    booking: BookingId,
    used: bool,
}

/// Opens a booking in this browser by its token, and takes the token out of the address.
async fn open(State(state): State<AppState>, visitor: Visitor, PathId(token): PathId) -> Result<Response, Problem> {
    let id = state.tokens.open(&token).ok_or_else(|| Problem::not_found("booking"))?;
    let response = Redirect::to(&link::booking(id)).into_response();
    Ok(shell::private(visitor.remember(&state, id, response)))
}

/// Makes a path that brings the buyer back to a booking once.
///
/// # Errors
/// A fault of the store.
pub async fn url(state: &AppState, booking: BookingId) -> Result<String, StoreError> {
    let mut random = [0; 20];
    state.entropy.fill(&mut random);
    let code = BASE32_NOPAD.encode(&random).to_ascii_lowercase();
    write(state, key(&code), 0, &ReturnPath { booking, used: false }).await?;
    Ok(format!("{}/return/{code}", state.site.base_url))
}

/// No code stands in the store, only its hash.
fn key(code: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(code))
}

async fn write(state: &AppState, key: String, version: u64, path: &ReturnPath) -> Result<bool, StoreError> {
    let body = serde_json::to_string(path).map_err(|e| StoreError::Bug(format!("a return path: {e}")))?;
    state.store().put_document(KIND, key, version, body).await
}

/// The buyer comes back from the provider: the provider is asked at once, and the booking shows
/// how it stands. A path that was used opens nothing more. HEAD, as programs send it that look at
/// links, is answered alike and uses nothing up.
async fn come_back(
    State(state): State<AppState>,
    method: Method,
    visitor: Visitor,
    PathId(code): PathId,
) -> Result<Response, Problem> {
    let missing = || Problem::NoSuchAddress;
    let document = state.store().document(KIND, key(&code)).await?.ok_or_else(missing)?;
    let path: ReturnPath =
        serde_json::from_str(&document.body).map_err(|e| Problem::Bug(format!("a return path: {e}")))?;
    let id = path.booking;
    let is_mine = visitor.bookings().contains(&id);
    let place = format!("{}?returned", link::booking(id));
    if method == Method::HEAD {
        let opens = !path.used || is_mine;
        return if opens { Ok(shell::private(Redirect::to(&place).into_response())) } else { Err(missing()) };
    }
    let used = ReturnPath { booking: id, used: true };
    let first = !path.used && write(&state, key(&code), document.version, &used).await?;
    if !first && !is_mine {
        return Err(missing());
    }
    state.office.ask_now(id).await?;
    let response = Redirect::to(&place).into_response();
    Ok(shell::private(visitor.remember(&state, id, response)))
}
