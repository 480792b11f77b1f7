//! Reads requests: path, query and body, each answering a problem where it does not fit.

use std::time::Duration;

use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::header::CONTENT_LENGTH;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use axum_extra::extract::CookieJar;
use boxoffice::command::Idempotency;
use boxoffice::id::CatalogueId;
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

use super::{Problem, idempotency};
use crate::app::AppState;
use crate::auth::SESSION_COOKIE;

/// Room for any request but a catalogue.
pub const BODY_MAX_BYTES: usize = 64 * 1024;

/// A body must have come whole after this time, so that nobody keeps a request open for ever.
const BODY_WITHIN: Duration = Duration::from_secs(30);

/// What a path names, its parameters joined by `/`: a show's id may hold slashes, which come as
/// they are or as `%2F`.
#[derive(Debug, Clone)]
pub struct PathId(pub String);

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let params = RawPathParams::from_request_parts(parts, state).await.map_err(|e| unreadable(&e))?;
        let values: Vec<&str> = params.iter().map(|(_, value)| value).collect();
        Ok(Self(values.join("/")))
    }
}

impl PathId {
    /// The id of a thing of the catalogue; a text that cannot be one names nothing.
    ///
    /// # Errors
    /// [`Problem`] not found.
    pub fn catalogue_id(&self, what: &'static str) -> Result<CatalogueId, Problem> {
        CatalogueId::new(&self.0).map_err(|_| Problem::not_found(what))
    }
}

fn unreadable(_: &RawPathParamsRejection) -> Problem {
    Problem::not_found("page")
}

/// The query, with unknown parameters refused by its type.
#[derive(Debug, Clone)]
pub struct Params<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let query = axum::extract::Query::<T>::try_from_uri(&parts.uri);
        query.map(|q| Self(q.0)).map_err(|e| Problem::invalid("", reason(&e)))
    }
}

fn reason(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        text = next.to_string();
        cause = next.source();
    }
    format!("The query cannot be read: {text}.")
}

/// A request that changes something: its body, and the caller's idempotency key if one was sent.
#[derive(Debug, Clone)]
pub struct Sent<T> {
    pub body: T,
    pub key: Option<Idempotency>,
}

impl<T: DeserializeOwned> FromRequest<AppState> for Sent<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &AppState) -> Result<Self, Problem> {
        let head = Head::of(&request);
        let bytes = read_body(request, BODY_MAX_BYTES).await?;
        let key = head.key(&bytes)?;
        Ok(Self { body: json(&bytes)?, key })
    }
}

/// What the idempotency key is bound to, beside the body.
struct Head {
    method: Method,
    path: String,
    headers: HeaderMap,
}

impl Head {
    fn of(request: &Request) -> Self {
        let path = request.uri().path_and_query().map_or("/", |p| p.as_str()).to_owned();
        Self { method: request.method().clone(), path, headers: request.headers().clone() }
    }

    fn key(&self, body: &[u8]) -> Result<Option<Idempotency>, Problem> {
        // PATCH and the like repeat harmlessly by themselves; the key is for POST.
        if self.method != Method::POST {
            return Ok(None);
        }
        let jar = CookieJar::from_headers(&self.headers);
        let session = jar.get(SESSION_COOKIE).map(|cookie| cookie.value());
        idempotency::key(&self.headers, session, &self.method, &self.path, body)
    }
}

/// The whole body, if it is not longer than `max_bytes`.
///
/// # Errors
/// [`Problem::PayloadTooLarge`], or an invalid request if the connection broke.
pub async fn read_body(request: Request, max_bytes: usize) -> Result<Bytes, Problem> {
    let too_large = || Problem::PayloadTooLarge { limit_bytes: max_bytes };
    let announced = request.headers().get(CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > max_bytes) {
        return Err(too_large());
    }
    let body = Limited::new(request.into_body(), max_bytes).collect();
    match tokio::time::timeout(BODY_WITHIN, body).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(e)) if e.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) | Err(_) => Err(Problem::invalid("", "The body did not arrive whole in time; send it again.")),
    }
}

/// Reads a body as JSON, whatever `Content-Type` says: the API takes no cookie as proof of
/// anything, so that a foreign form gains nothing. No body reads as `{}`.
///
/// # Errors
/// An invalid request with a pointer to the member that does not fit.
pub fn json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let bytes = if bytes.trim_ascii().is_empty() { b"{}" } else { bytes };
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let pointer = pointer(error.path());
        Problem::invalid(pointer, format!("The body does not fit: {}.", error.inner()))
    })?;
    let rest = reader.end();
    rest.map(|()| value).map_err(|e| Problem::invalid("", format!("The body is not one JSON value: {e}.")))
}

fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let step = |segment: &Segment| match segment {
        Segment::Seq { index } => index.to_string(),
        Segment::Map { key } => key.replace('~', "~0").replace('/', "~1"),
        Segment::Enum { variant } => variant.clone(),
        Segment::Unknown => "?".to_owned(),
    };
    path.iter().map(|segment| format!("/{}", step(segment))).collect()
}
