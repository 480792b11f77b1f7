//! `POST /bookings/{id}/tickets/{ticket}/reissue`: a new code for a ticket that is handed on or was
//! lost. The old code is void from then on.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use boxoffice::command::{Command, Reissue, Step};
use boxoffice::id::{BookingId, TicketId};
use boxoffice::store::StoreError;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::bookings::answer;
use super::customer::CustomerInput;
use super::tickets;
use crate::app::AppState;
use crate::http::extract::{PathId, Sent};
use crate::http::openapi::params::{BookingPath, IdempotencyKey};
use crate::http::problem::Problem;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(reissue))
}

/// For whom.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object, perhaps with `name`")]
struct ReissueTicket {
    /// Whom the ticket is handed on to.
    #[schema(max_length = 200, pattern = r"^[^\u0000-\u001F\u007F-\u009F]*$")]
    name: Option<String>,
}

/// A new code for a ticket that is handed on or was lost
///
/// The old code lets nobody in from then on.
#[utoipa::path(
    post,
    path = "/bookings/{id}/tickets/{ticket}/reissue",
    operation_id = "reissue_ticket",
    tag = "bookings",
    security(("booking_token" = []), ("staff_key" = [])),
    params(
        BookingPath,
        ("ticket" = String, Path, description = "The ticket's id, or its number within the booking.", example = "1"),
        IdempotencyKey,
    ),
    request_body(content = ReissueTicket, examples(
        ("Handed on" = (value = json!({ "name": "Grace Hopper" }))),
    )),
    responses((status = 200, description = "The ticket with its new code.", body = tickets::TicketView, headers(
        ("Idempotency-Replayed" = String, description = "`true`: this answer was given before."),
    ))),
    extensions(("x-problems" = json!(["ticket-void", "already-admitted", "payment-disputed"])))
)]
async fn reissue(
    State(state): State<AppState>,
    path: PathId,
    Sent { caller, body, key }: Sent<ReissueTicket>,
) -> Result<Response, Problem> {
    let (id, ticket) = path.0.split_once('/').unwrap_or((&path.0, ""));
    let booking = caller.open(&state, id).await?;
    let ticket = ticket_no(booking, ticket).ok_or_else(|| Problem::not_found("ticket"))?;
    let holder = CustomerInput { name: body.name, ..CustomerInput::default() }.checked("")?.name;
    let command = Command::Reissue(Reissue { booking, ticket, holder });
    let done = state.store().execute(Step { command, idempotency: key, by: caller.by() }).await?;
    let booking = done.outcome.booking.ok_or_else(|| StoreError::Bug("a ticket without its booking".into()))?;
    let ticket = booking.ticket(ticket).ok_or_else(|| StoreError::Bug("a reissue without its ticket".into()))?;
    Ok(answer(StatusCode::OK, tickets::view(&state, &booking, ticket), done.replayed))
}

/// The ticket's number within the booking, from its id or the number alone.
fn ticket_no(booking: BookingId, text: &str) -> Option<u16> {
    let id: Option<TicketId> = text.parse().ok();
    match id {
        Some(id) => (id.booking == booking).then_some(id.no),
        None => text.parse().ok(),
    }
}
