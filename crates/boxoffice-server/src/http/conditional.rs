//! Answers of the API that a client has already: whoever sends the tag of what they have is told so
//! in a few bytes. A tag here is the hash of an answer, marked as weak, because the same answer may
//! go out compressed. What has a tag of its own, or must not be kept, is left as it is.

use axum::body::{Body, HttpBody as _};
use axum::extract::Request;
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use data_encoding::HEXLOWER;
use http_body_util::BodyExt as _;
use sha2::{Digest as _, Sha256};

use super::Problem;

/// Longer answers are not gathered to be hashed.
const HASHED_MAX_BYTES: u64 = 4 * 1024 * 1024;

/// A layer: tags what anybody may get, and answers 304 to whoever has it.
///
/// # Errors
/// [`Problem::Bug`], if an answer that was made in memory cannot be read.
pub async fn tag(request: Request, next: Next) -> Result<Response, Problem> {
    if request.method() != Method::GET || request.headers().contains_key(AUTHORIZATION) {
        return Ok(next.run(request).await);
    }
    let mut asked = HeaderMap::new();
    for known in request.headers().get_all(IF_NONE_MATCH) {
        asked.append(IF_NONE_MATCH, known.clone());
    }
    let response = next.run(request).await;
    if !is_tagged_here(&response) {
        return Ok(response);
    }
    let (mut parts, body) = response.into_parts();
    let bytes = body.collect().await.map_err(|error| Problem::Bug(format!("an answer broke off: {error}")))?.to_bytes();
    let digest = Sha256::digest(&bytes);
    let tag = format!("W/\"{}\"", HEXLOWER.encode(digest.get(..16).unwrap_or(&digest)));
    parts.headers.insert(ETAG, HeaderValue::from_str(&tag).map_err(|error| Problem::Bug(error.to_string()))?);
    if is_known(&asked, tag.as_bytes()) {
        parts.status = StatusCode::NOT_MODIFIED;
        parts.headers.remove(CONTENT_TYPE);
        parts.headers.remove(CONTENT_LENGTH);
        return Ok(Response::from_parts(parts, Body::empty()));
    }
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

fn is_tagged_here(response: &Response) -> bool {
    let headers = response.headers();
    let is_json = headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    let short = response.body().size_hint().exact().is_some_and(|bytes| bytes <= HASHED_MAX_BYTES);
    let may_be_kept = !headers.contains_key(CACHE_CONTROL) && !headers.contains_key(ETAG);
    response.status() == StatusCode::OK && is_json && short && may_be_kept
}

/// Whether the client has what this tag stands for. `If-None-Match` compares weakly.
#[must_use]
pub fn is_known(headers: &HeaderMap, tag: &[u8]) -> bool {
    let bare = |tag: &[u8]| -> usize { if tag.starts_with(b"W/") { 2 } else { 0 } };
    let is_tag = |known: &[u8]| known[bare(known)..] == tag[bare(tag)..];
    let sent = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    sent.flat_map(|value| value.split(',')).map(str::trim).any(|known| known == "*" || is_tag(known.as_bytes()))
}
