//! The one place that knows status codes: every "no" becomes a problem of RFC 9457 here. A layer
//! writes the body, because only it knows the request's id and whether a person or a program reads.

use std::sync::Arc;

use axum::Json;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use boxoffice::booking::ShowStamp;
use boxoffice::gateway::BadWebhook;
use boxoffice::refusal::{FieldError, Refusal, Retry};
use boxoffice::service::WebhookError;
use boxoffice::store::StoreError;
use boxoffice::time::Span;
use serde_json::{Map, Value, json};

use super::extract::BODY_MAX_BYTES;
use super::request_id::RequestId;
use crate::app::AppState;
use crate::pages;

/// A "no" to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    Refused(Refusal),
    /// A show is not cancelled without a word about the money: what it would come to.
    ChoiceNeeded(Box<Value>),
    /// The path leads nowhere.
    NoSuchAddress,
    /// The key is missing, unknown or revoked.
    Unauthorized,
    /// The key is known, but not for this.
    Forbidden,
    /// A form of a page was sent from another site.
    ForeignForm,
    MethodNotAllowed,
    PayloadTooLarge {
        limit_bytes: usize,
    },
    /// Too many wrong guesses: not before `wait` is over.
    TooManyRequests {
        wait: Span,
    },
    /// Something we need does not answer now.
    Fault(String),
    /// A broken invariant: never the caller's doing.
    Bug(String),
}

impl Problem {
    /// A refusal of the request's shape.
    #[must_use]
    pub fn invalid(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::Refused(Refusal::InvalidRequest(vec![FieldError::new(pointer, detail)]))
    }

    #[must_use]
    pub fn not_found(what: &'static str) -> Self {
        Self::Refused(Refusal::NotFound(what))
    }

    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Refused(refusal) => refusal.code(),
            Self::ChoiceNeeded(_) => "invalid-request",
            Self::NoSuchAddress => "not-found",
            Self::Unauthorized => "unauthorized",
            Self::Forbidden | Self::ForeignForm => "forbidden",
            Self::MethodNotAllowed => "method-not-allowed",
            Self::PayloadTooLarge { .. } => "payload-too-large",
            Self::TooManyRequests { .. } => "too-many-requests",
            Self::Fault(_) => "busy",
            Self::Bug(_) => "internal-error",
        }
    }

    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Refused(refusal) => status_of(refusal),
            Self::ChoiceNeeded(_) => StatusCode::BAD_REQUEST,
            Self::NoSuchAddress => StatusCode::NOT_FOUND,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::Forbidden | Self::ForeignForm => StatusCode::FORBIDDEN,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::PayloadTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooManyRequests { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Fault(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Bug(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// A few words that are the same for every problem of this code.
    #[must_use]
    pub fn title(&self) -> &'static str {
        match self {
            Self::Refused(refusal) => title_of(refusal),
            Self::ChoiceNeeded(_) => "The request is not right",
            Self::NoSuchAddress => "Not found",
            Self::Unauthorized => "A key is needed",
            Self::Forbidden => "The key is not for this",
            Self::ForeignForm => "Sent from another site",
            Self::MethodNotAllowed => "Wrong method",
            Self::PayloadTooLarge { .. } => "The body is too large",
            Self::TooManyRequests { .. } => "Too many tries",
            Self::Fault(_) => "Busy",
            Self::Bug(_) => "An error of ours",
        }
    }

    /// What is wrong and what to do. What a fault or a bug says is for the log alone.
    #[must_use]
    pub fn detail(&self) -> String {
        match self {
            Self::Refused(refusal) => sentence(&refusal.to_string()),
            Self::ChoiceNeeded(_) => CHOICE.to_owned(),
            Self::NoSuchAddress => "There is nothing at this address.".to_owned(),
            Self::Unauthorized => "Send a key that is in force as `Authorization: Bearer KEY`.".to_owned(),
            Self::Forbidden => "This key's role does not allow this; use a key of the role that does.".to_owned(),
            Self::ForeignForm => {
                "The form came from another site and was not carried out; use the form here.".to_owned()
            }
            Self::MethodNotAllowed => "This address does not take this method; see the header Allow.".to_owned(),
            Self::PayloadTooLarge { limit_bytes } => format!("Send at most {limit_bytes} bytes."),
            Self::TooManyRequests { wait } => format!("Wait {} seconds, then try again.", whole_seconds(*wait)),
            Self::Fault(_) => "The server cannot do this now; send the same request again shortly.".to_owned(),
            Self::Bug(_) => "This is our error and it has been noted; tell us the request id.".to_owned(),
        }
    }

    /// Whether the same request, sent again, may do better.
    #[must_use]
    pub fn retryable(&self) -> bool {
        match self {
            Self::Refused(refusal) => match refusal.retry() {
                Retry::SameRequest => true,
                Retry::Never | Retry::AfterRefresh => false,
            },
            Self::Fault(_) | Self::TooManyRequests { .. } => true,
            Self::ChoiceNeeded(_)
            | Self::NoSuchAddress
            | Self::Unauthorized
            | Self::Forbidden
            | Self::ForeignForm
            | Self::MethodNotAllowed
            | Self::PayloadTooLarge { .. }
            | Self::Bug(_) => false,
        }
    }

    fn json(&self, request_id: &str) -> Value {
        let mut body = Map::new();
        body.insert("type".into(), format!("/problems/{}", self.code()).into());
        body.insert("code".into(), self.code().into());
        body.insert("title".into(), self.title().into());
        body.insert("status".into(), self.status().as_u16().into());
        body.insert("detail".into(), self.detail().into());
        body.insert("request_id".into(), request_id.into());
        body.insert("retryable".into(), self.retryable().into());
        match self {
            Self::Refused(refusal) => body.extend(members_of(refusal)),
            Self::ChoiceNeeded(totals) => {
                body.insert("errors".into(), json!([{ "pointer": "/refund", "detail": CHOICE }]));
                body.insert("cancellation".into(), Value::clone(totals));
            }
            Self::NoSuchAddress
            | Self::Unauthorized
            | Self::Forbidden
            | Self::ForeignForm
            | Self::MethodNotAllowed
            | Self::PayloadTooLarge { .. }
            | Self::TooManyRequests { .. }
            | Self::Fault(_)
            | Self::Bug(_) => {}
        }
        Value::Object(body)
    }
}

const CHOICE: &str = "Say what becomes of the money: `refund` is `all`, `later` or `none`.";

fn status_of(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::InvalidRequest(_) => StatusCode::BAD_REQUEST,
        Refusal::NotFound(_) => StatusCode::NOT_FOUND,
        Refusal::UnknownSeats(_)
        | Refusal::AmbiguousSeats(_)
        | Refusal::DuplicateSeats(_)
        | Refusal::TooManySeats { .. }
        | Refusal::NoSeats
        | Refusal::PromoCodeInvalid(_)
        | Refusal::PromoCodeUsedUp
        | Refusal::NotATicket
        | Refusal::UnknownTicket
        | Refusal::IdempotencyKeyReused => StatusCode::UNPROCESSABLE_ENTITY,
        Refusal::RequestInProgress
        | Refusal::SalesClosed(_)
        | Refusal::ShowCancelled
        | Refusal::ShowMoved(_)
        | Refusal::LayoutChanged { .. }
        | Refusal::PriceChanged { .. }
        | Refusal::SeatsUnavailable(_)
        | Refusal::NotEnoughSeats { .. }
        | Refusal::HoldExpired(_)
        | Refusal::PaymentInProgress
        | Refusal::AlreadyPaid
        | Refusal::NotCancellable(_)
        | Refusal::AlreadyRefunded { .. }
        | Refusal::PaymentDisputed
        | Refusal::TicketVoid { .. }
        | Refusal::WrongShow(_)
        | Refusal::AlreadyAdmitted { .. }
        | Refusal::TooEarly { .. }
        | Refusal::InUse(_)
        | Refusal::ClockBackwards { .. } => StatusCode::CONFLICT,
        Refusal::GatewayUnavailable { .. } | Refusal::NoGateway => StatusCode::SERVICE_UNAVAILABLE,
    }
}

fn title_of(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::InvalidRequest(_) => "The request is not right",
        Refusal::NotFound(_) => "Not found",
        Refusal::UnknownSeats(_) => "No such seat",
        Refusal::AmbiguousSeats(_) => "More than one such seat",
        Refusal::DuplicateSeats(_) => "A seat named twice",
        Refusal::TooManySeats { .. } => "Too many seats",
        Refusal::NoSeats => "No seats",
        Refusal::IdempotencyKeyReused => "The idempotency key was used before",
        Refusal::RequestInProgress => "The same request is running",
        Refusal::SalesClosed(_) => "Not on sale",
        Refusal::ShowCancelled => "The show is cancelled",
        Refusal::ShowMoved(_) => "The show has moved",
        Refusal::LayoutChanged { .. } => "The hall has changed",
        Refusal::PriceChanged { .. } => "The price has changed",
        Refusal::SeatsUnavailable(_) | Refusal::NotEnoughSeats { .. } => "Seats not available",
        Refusal::PromoCodeInvalid(_) => "The code cannot be used",
        Refusal::PromoCodeUsedUp => "The code is used up",
        Refusal::HoldExpired(_) => "The hold has ended",
        Refusal::PaymentInProgress => "A payment is under way",
        Refusal::AlreadyPaid => "Already paid",
        Refusal::NotCancellable(_) => "Cannot be cancelled",
        Refusal::AlreadyRefunded { .. } => "Given back already",
        Refusal::NotATicket => "Not a ticket",
        Refusal::UnknownTicket => "Unknown ticket",
        Refusal::TicketVoid { .. } => "The ticket is void",
        Refusal::WrongShow(_) => "For another show",
        Refusal::PaymentDisputed => "The payment is disputed",
        Refusal::AlreadyAdmitted { .. } => "Already used",
        Refusal::TooEarly { .. } => "Too early",
        Refusal::InUse(_) => "In use",
        Refusal::GatewayUnavailable { .. } | Refusal::NoGateway => "Busy",
        Refusal::ClockBackwards { .. } => "The clock never runs backwards",
    }
}

/// The members that belong to a code, beside those that all problems have.
fn members_of(refusal: &Refusal) -> Map<String, Value> {
    let members = match refusal {
        Refusal::InvalidRequest(errors) => {
            let errors: Vec<Value> =
                errors.iter().map(|e| json!({ "pointer": e.pointer, "detail": e.detail })).collect();
            json!({ "errors": errors })
        }
        Refusal::UnknownSeats(seats) | Refusal::DuplicateSeats(seats) => json!({ "seats": seats }),
        Refusal::AmbiguousSeats(ambiguous) => {
            json!({ "seats": [{ "label": ambiguous.label, "ids": ambiguous.ids }] })
        }
        Refusal::TooManySeats { max } => json!({ "max_seats": max }),
        Refusal::ShowMoved(change) => json!({ "old": stamp(&change.old), "new": stamp(&change.new) }),
        Refusal::AlreadyRefunded { remaining } => json!({ "remaining": remaining }),
        Refusal::LayoutChanged { current } => json!({ "layout_version": current }),
        Refusal::PriceChanged { old, new } => json!({ "old": old, "new": new }),
        Refusal::SeatsUnavailable(seats) => {
            let seats: Vec<Value> =
                seats.iter().map(|s| json!({ "label": s.label, "id": s.id, "reason": s.reason.as_str() })).collect();
            json!({ "seats": seats })
        }
        Refusal::NotEnoughSeats { .. } => json!({ "seats": [] }),
        Refusal::TicketVoid { reason } => json!({ "void_reason": reason.as_str() }),
        Refusal::WrongShow(right) => json!({
            "show": right.show.as_str(),
            "movie": right.movie,
            "theatre": right.theatre,
            "screen": right.screen,
            "starts_at": right.starts_at.to_string(),
            "local": right.local,
        }),
        Refusal::AlreadyAdmitted { at, gate } => json!({ "admitted_at": at.to_string(), "gate": gate }),
        Refusal::TooEarly { opens_at } => json!({ "opens_at": opens_at.to_string() }),
        Refusal::InUse(in_use) => {
            let counts: Map<String, Value> =
                in_use.counts.iter().map(|(what, count)| ((*what).to_owned(), json!(count))).collect();
            json!({ "counts": counts, "hint": sentence(in_use.hint) })
        }
        Refusal::ClockBackwards { now } => json!({ "now": now.to_string() }),
        Refusal::NotFound(_)
        | Refusal::NoSeats
        | Refusal::IdempotencyKeyReused
        | Refusal::RequestInProgress
        | Refusal::SalesClosed(_)
        | Refusal::ShowCancelled
        | Refusal::PromoCodeInvalid(_)
        | Refusal::PromoCodeUsedUp
        | Refusal::HoldExpired(_)
        | Refusal::PaymentInProgress
        | Refusal::AlreadyPaid
        | Refusal::NotCancellable(_)
        | Refusal::NotATicket
        | Refusal::UnknownTicket
        | Refusal::PaymentDisputed
        | Refusal::GatewayUnavailable { .. }
        | Refusal::NoGateway => return Map::new(),
    };
    match members {
        Value::Object(members) => members,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    }
}

fn stamp(stamp: &ShowStamp) -> Value {
    json!({ "starts_at": stamp.starts_at.to_string(), "screen": stamp.screen.as_str() })
}

/// Rounded up, so that whoever waits so long has waited long enough.
fn whole_seconds(wait: Span) -> i64 {
    (wait.as_ms() + 999) / 1_000
}

/// Makes a sentence of an error's text.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", chars.as_str())
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Refused(refusal) => Self::Refused(refusal),
            StoreError::Fault(what) => Self::Fault(what),
            StoreError::Bug(what) => Self::Bug(what),
        }
    }
}

impl From<WebhookError> for Problem {
    fn from(error: WebhookError) -> Self {
        match error {
            WebhookError::UnknownGateway => Self::not_found("gateway"),
            WebhookError::Bad(bad @ (BadWebhook::Signature | BadWebhook::Stale { .. } | BadWebhook::Body(_))) => {
                Self::invalid("", sentence(&bad.to_string()))
            }
            WebhookError::Store(error) => error.into(),
        }
    }
}

impl IntoResponse for Problem {
    /// Status and headers; [`in_words`] writes the body.
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        if self.status() == StatusCode::SERVICE_UNAVAILABLE && self.retryable() {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if let Self::TooManyRequests { wait } = self {
            response.headers_mut().insert(header::RETRY_AFTER, whole_seconds(wait).into());
        }
        if matches!(self, Self::PayloadTooLarge { .. }) {
            // The rest of the body is not read, so that the connection cannot be used again.
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if self == Self::Unauthorized {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

/// Who reads the answer to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    Person,
    Program,
}

impl Reader {
    #[must_use]
    pub fn of(request: &Request) -> Self {
        let is_page = is_page(request.uri().path()) && !pages::staff::wants_json(request.headers());
        if is_page { Self::Person } else { Self::Program }
    }
}

/// Writes the body of a problem, and notes faults and bugs in the log. Other answers stay as they are.
#[must_use]
pub fn in_words(state: &AppState, id: &RequestId, reader: Reader, response: Response) -> Response {
    let known = response.extensions().get::<Arc<Problem>>().cloned();
    let Some(problem) = known.or_else(|| of_rejection(&response).map(Arc::new)) else {
        return response;
    };
    state.metrics.refused(problem.code());
    match &*problem {
        Problem::Bug(what) => tracing::error!(alarm = true, what, "a broken invariant"),
        Problem::Fault(what) => tracing::warn!(what, "could not do it now"),
        Problem::Refused(_)
        | Problem::ChoiceNeeded(_)
        | Problem::NoSuchAddress
        | Problem::Unauthorized
        | Problem::Forbidden
        | Problem::ForeignForm
        | Problem::MethodNotAllowed
        | Problem::TooManyRequests { .. }
        | Problem::PayloadTooLarge { .. } => tracing::debug!(code = problem.code(), "refused"),
    }
    let (parts, _) = response.into_parts();
    let page = match reader {
        Reader::Person => pages::problem::page(state, &problem, id.as_str()).ok(),
        Reader::Program => None,
    };
    let mut written = page.unwrap_or_else(|| as_json(&problem, id.as_str()));
    for (name, value) in &parts.headers {
        if name != header::CONTENT_TYPE && name != header::CONTENT_LENGTH {
            written.headers_mut().insert(name, value.clone());
        }
    }
    *written.status_mut() = problem.status();
    if leaves_body_unread(&problem) {
        // The connection holds the rest of the body: the next request needs another one.
        written.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    written
}

/// Whether this is answered before the body has been read.
fn leaves_body_unread(problem: &Problem) -> bool {
    match problem {
        Problem::PayloadTooLarge { .. }
        | Problem::NoSuchAddress
        | Problem::Unauthorized
        | Problem::Forbidden
        | Problem::ForeignForm
        | Problem::MethodNotAllowed => true,
        Problem::Refused(_)
        | Problem::ChoiceNeeded(_)
        | Problem::TooManyRequests { .. }
        | Problem::Fault(_)
        | Problem::Bug(_) => false,
    }
}

/// What the framework answers by itself, in plain words, when it cannot read a path or a body.
fn of_rejection(response: &Response) -> Option<Problem> {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let is_plain = kind.is_none_or(|kind| kind.starts_with("text/plain"));
    if !is_plain || !response.status().is_client_error() {
        return None;
    }
    Some(match response.status() {
        StatusCode::NOT_FOUND => Problem::NoSuchAddress,
        StatusCode::METHOD_NOT_ALLOWED => Problem::MethodNotAllowed,
        StatusCode::PAYLOAD_TOO_LARGE => Problem::PayloadTooLarge { limit_bytes: BODY_MAX_BYTES },
        _ => Problem::invalid("", "The query cannot be read; check its names and escapes."),
    })
}

fn as_json(problem: &Problem, request_id: &str) -> Response {
    let mut response = Json(problem.json(request_id)).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    response
}

/// Whether a person reads the answers under this path.
fn is_page(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    !matches!(first, "api" | "test" | "healthz" | "readyz" | "metrics" | "openapi.json" | "static")
}

/// What a caught panic answers: our error, never the panic's text.
pub fn of_panic(panic: Box<dyn std::any::Any + Send + 'static>) -> Response {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
    Problem::Bug(format!("a handler panicked: {text}")).into_response()
}
