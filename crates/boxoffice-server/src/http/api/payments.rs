//! `POST /bookings/{id}/payments`: starts paying, or answers the page that is open already.

use axum::extract::State;
use axum::http::uri::Authority;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use boxoffice::booking::{Attempt, Channel};
use boxoffice::gateway::COUNTER;
use boxoffice::id::BookingId;
use boxoffice::store::{Done, StoreError};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::booking_view;
use super::bookings::{answer, booking_of};
use crate::app::AppState;
use crate::http::caller::Caller;
use crate::http::extract::{PathId, Sent};
use crate::http::openapi::params::{BookingPath, IdempotencyKey};
use crate::http::problem::Problem;
use crate::pages::returning;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(start))
}

/// How to pay.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object, perhaps with `gateway` and `return_url`")]
struct StartPayment {
    /// Default: the only one allowed here.
    #[schema(example = "sandbox")]
    gateway: Option<String>,
    /// Where the provider sends the buyer afterwards. Default: a path of ours that opens the booking once.
    #[schema(
        max_length = 2000,
        pattern = r"^[Hh][Tt][Tt][Pp][Ss]?://[A-Za-z0-9._-]+(:[1-9][0-9]{0,3})?(/[A-Za-z0-9._~/?=&%-]*)?$"
    )]
    return_url: Option<String>,
}

/// Starts paying, or answers the page that is open already
///
/// Send the buyer to `checkout_url`. A booking that costs nothing is confirmed at once. With a counter's key money that
/// was taken there is recorded (`gateway`: `counter`), and the booking is confirmed at once.
#[utoipa::path(
    post,
    path = "/bookings/{id}/payments",
    operation_id = "start_payment",
    tag = "bookings",
    security(("booking_token" = []), ("staff_key" = [])),
    params(BookingPath, IdempotencyKey),
    request_body(content = StartPayment, examples(
        ("By the only provider" = (value = json!({}))),
        ("Back to a shop" = (value = json!({ "return_url": "https://shop.example.org/thanks" }))),
    )),
    responses((status = 201, description = "The payment.", body = booking_view::PaymentView, headers(
        ("Idempotency-Replayed" = String, description = "`true`: this answer was given before."),
    ))),
    extensions(("x-problems" = json!([
        "hold-expired", "payment-in-progress", "already-paid", "show-moved", "show-cancelled", "sales-closed",
        "not-cancellable", "promo-code-used-up"
    ])))
)]
async fn start(
    State(state): State<AppState>,
    id: PathId,
    Sent { caller, body, key }: Sent<StartPayment>,
) -> Result<Response, Problem> {
    let id = caller.open(&state, &id.0).await?;
    if at_counter(&state, &caller, id, body.gateway.as_deref()).await? {
        let done = state.office.on_behalf_of(caller.by()).pay_at_counter(id, key).await?;
        let attempt = attempt_of(&done)?;
        return Ok(answer(StatusCode::CREATED, booking_view::payment(attempt, done.outcome.at), done.replayed));
    }
    let return_url = match body.return_url {
        Some(url) if is_web_address(&url) => url,
        Some(_) => return Err(Problem::invalid("/return_url", "Write a whole address that begins with https://.")),
        None => returning::url(&state, id).await?,
    };
    let done =
        state.office.on_behalf_of(caller.by()).start_payment(id, body.gateway.as_deref(), &return_url, key).await?;
    let attempt = attempt_of(&done)?;
    Ok(answer(StatusCode::CREATED, booking_view::payment(attempt, done.outcome.at), done.replayed))
}

/// Whether staff record money that they took themselves: they say so, or the booking was made at the counter.
async fn at_counter(state: &AppState, caller: &Caller, id: BookingId, gateway: Option<&str>) -> Result<bool, Problem> {
    match (gateway, caller) {
        (Some(COUNTER), Caller::Staff(_)) => Ok(true),
        (Some(COUNTER), Caller::Nobody | Caller::Buyer(_) | Caller::Unknown) => {
            Err(Problem::invalid("/gateway", "Only the counter's own key records money taken there."))
        }
        (None, Caller::Staff(_)) => Ok(state.office.booking(id).await?.channel == Channel::Counter),
        (Some(_) | None, _) => Ok(false),
    }
}

fn is_web_address(text: &str) -> bool {
    let uri: Option<Uri> = (text.len() <= 2_000).then(|| text.parse().ok()).flatten();
    let Some(uri) = uri.filter(|uri| matches!(uri.scheme_str(), Some("http" | "https"))) else { return false };
    uri.authority().is_some_and(is_place)
}

/// A host that a browser can go to, with a port or without; a name and password have no business there.
fn is_place(authority: &Authority) -> bool {
    let host = authority.host();
    let plain = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'.' | b'_');
    let named = !host.is_empty() && host.bytes().all(plain);
    let numbered = host.starts_with('[');
    let port = authority.as_str().strip_prefix(host);
    (named || numbered) && port.is_some_and(|port| port.is_empty() || authority.port_u16().is_some_and(|p| p > 0))
}

fn attempt_of(done: &Done) -> Result<&Attempt, StoreError> {
    let missing = || StoreError::Bug(format!("a payment start answered {:?}", done.outcome.effect));
    let no = done.outcome.effect.attempt().ok_or_else(missing)?;
    booking_of(done)?.attempt(no).ok_or_else(missing)
}
