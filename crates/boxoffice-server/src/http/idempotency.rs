//! Reads `Idempotency-Key`. A key belongs to whoever sent it and to one request: the same key
//! from another caller is another key, and with another body or path it is refused by the store.
//! A caller is who was proved, however the proof was spelled; what proves nothing tells nobody apart.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::response::Response;
use boxoffice::command::Idempotency;
use sha2::{Digest as _, Sha256};

use super::Problem;
use super::caller::Caller;

pub const KEY: HeaderName = HeaderName::from_static("idempotency-key");
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The longest key that is taken, in characters.
const KEY_MAX: usize = 255;
/// The shortest key of a caller who proves nothing that tells callers apart: only a key that
/// nobody else thinks of keeps their answers apart.
const ANONYMOUS_KEY_MIN: usize = 16;

/// The key of a request, or `None` if it has none.
///
/// # Errors
/// An invalid request, if the key is empty, too long, not printable ASCII, or too easily guessed.
pub fn key(
    headers: &HeaderMap,
    caller: &Caller,
    method: &Method,
    path: &str,
    body: &[u8],
) -> Result<Option<Idempotency>, Problem> {
    let mut sent = headers.get_all(KEY).iter();
    let Some(value) = sent.next() else { return Ok(None) };
    let wrong = |why: &str| Problem::invalid("", format!("The header Idempotency-Key {why}."));
    if sent.next().is_some() {
        return Err(wrong("was sent more than once"));
    }
    let printable = |text: &&str| text.bytes().all(|b| b.is_ascii_graphic() || b == b' ');
    let key = value.to_str().ok().map(str::trim).filter(printable).ok_or_else(|| wrong("is not printable ASCII"))?;
    if key.is_empty() || key.len() > KEY_MAX {
        return Err(wrong("has to have 1 to 255 characters"));
    }
    let scope = match caller {
        Caller::Staff(key) => format!("staff:{}", key.id),
        Caller::Buyer(booking) => format!("booking:{booking}"),
        Caller::Nobody | Caller::Unknown if key.len() >= ANONYMOUS_KEY_MIN => "anonymous".to_owned(),
        Caller::Nobody | Caller::Unknown => {
            return Err(wrong("has to have at least 16 random characters when nothing else tells callers apart"));
        }
    };
    Ok(Some(Idempotency { scope, key: key.to_owned(), fingerprint: fingerprint(method, path, body), keep: true }))
}

/// Each part is led by its length, so that no two requests run together to the same bytes.
fn fingerprint(method: &Method, path: &str, body: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in [method.as_str().as_bytes(), path.as_bytes(), body] {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// Marks an answer that was given before.
#[must_use]
pub fn mark(mut response: Response, replayed: bool) -> Response {
    if replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    response
}
