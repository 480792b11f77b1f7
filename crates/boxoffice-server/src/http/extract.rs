//! Reads requests: path, query and body, each answering a problem where it does not fit.

use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::header::CONTENT_LENGTH;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use boxoffice::command::Idempotency;
use boxoffice::id::CatalogueId;
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use jiff::civil::Date;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize as _, Deserializer};

use super::caller::Caller;
use super::{Problem, idempotency, json};
use crate::app::AppState;
use crate::serve::Lingers;

/// Room for any request but a catalogue.
pub const BODY_MAX_BYTES: usize = 64 * 1024;

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
    Problem::NoSuchAddress
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
    format!("The query cannot be read: {}.", json::plain(&text))
}

/// A day in a query.
///
/// # Errors
/// The text is no day.
pub fn day<'de, D: Deserializer<'de>>(text: D) -> Result<Option<Date>, D::Error> {
    let text = String::deserialize(text)?;
    text.parse().map(Some).map_err(|_| D::Error::custom("write a day such as 2027-06-12"))
}

/// The bytes of a posted form.
#[derive(Debug, Clone)]
pub struct Whole(pub Bytes);

impl FromRequest<AppState> for Whole {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        read_body(state, request, BODY_MAX_BYTES).await.map(Self)
    }
}

/// A request that changes something: who sent it, its body, and the caller's idempotency key if
/// one was sent.
#[derive(Debug, Clone)]
pub struct Sent<T> {
    pub caller: Caller,
    pub body: T,
    pub key: Option<Idempotency>,
}

impl<T: DeserializeOwned> FromRequest<AppState> for Sent<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let caller = Caller::from_request_parts(&mut parts, state).await?;
        may_send(&caller, parts.uri.path())?;
        let head = Head::of(&parts);
        let bytes = read_body(state, Request::from_parts(parts, body), BODY_MAX_BYTES).await?;
        let key = head.map_or(Ok(None), |head| head.key(&caller, &bytes))?;
        Ok(Self { caller, body: json::read(&bytes)?, key })
    }
}

/// Who may not send it at all is told so before anything that they sent is read.
fn may_send(caller: &Caller, path: &str) -> Result<(), Problem> {
    let proved = match caller {
        Caller::Buyer(_) | Caller::Staff(_) => true,
        Caller::Nobody | Caller::Unknown => false,
    };
    if path.starts_with("/admin/") || path.starts_with("/admissions") {
        return caller.must_be_staff().map(|_| ());
    }
    if path.starts_with("/bookings/") && !proved { Err(Problem::not_found("booking")) } else { Ok(()) }
}

/// What the idempotency key is bound to, beside the body.
struct Head {
    method: Method,
    path: String,
    headers: HeaderMap,
}

impl Head {
    /// `None`: the request has no key. PATCH and the like repeat harmlessly by themselves; the key is
    /// for POST.
    fn of(parts: &Parts) -> Option<Self> {
        if parts.method != Method::POST || !parts.headers.contains_key(idempotency::KEY) {
            return None;
        }
        let path = parts.uri.path_and_query().map_or("/", |p| p.as_str()).to_owned();
        Some(Self { method: parts.method.clone(), path, headers: parts.headers.clone() })
    }

    fn key(&self, caller: &Caller, body: &[u8]) -> Result<Option<Idempotency>, Problem> {
        idempotency::key(&self.headers, caller, &self.method, &self.path, body)
    }
}

/// The whole body, if it is not longer than `max_bytes` and comes within the site's patience, of which
/// there is more for what may be large.
///
/// # Errors
/// [`Problem::PayloadTooLarge`], or an invalid request if the connection broke.
pub async fn read_body(state: &AppState, request: Request, max_bytes: usize) -> Result<Bytes, Problem> {
    let late = || Problem::invalid("", "The body did not arrive whole in time; send it again.");
    let too_large = || Problem::PayloadTooLarge { limit_bytes: max_bytes };
    let announced = request.headers().get(CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > max_bytes) {
        return Err(too_large());
    }
    let lingers = request.extensions().get::<Lingers>().cloned();
    let patience = state.site.patience;
    let within = if max_bytes > BODY_MAX_BYTES { patience.large_body } else { patience.body };
    let body = Limited::new(request.into_body(), max_bytes).collect();
    match tokio::time::timeout(within, body).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(e)) if e.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err(late()),
        Err(_) => {
            lingers.inspect(Lingers::no_more);
            Err(late())
        }
    }
}
