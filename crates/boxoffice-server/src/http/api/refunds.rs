//! `POST /admin/bookings/{id}/refunds`: staff give money back, by ticket or as an amount.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use boxoffice::booking::StaffNote;
use boxoffice::command::{Effect, StaffRefund, ToRefund};
use boxoffice::money::Money;
use boxoffice::store::Done;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::booking_view::{self, CancellationView};
use super::bookings::{answer, booking_of};
use super::cancel::{self, GivenBack};
use crate::app::AppState;
use crate::http::extract::{PathId, Sent};
use crate::http::openapi::params::{BookingPath, IdempotencyKey};
use crate::http::openapi::words;
use crate::http::problem::Problem;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(refund))
}

/// What to give back: either `tickets` or `amount`.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = StaffRefund)]
#[serde(deny_unknown_fields, expecting = "an object with `reason`, and either `tickets` or `amount`")]
struct Refund {
    /// Their ids: void from then on, and their seats free.
    #[schema(min_items = 1, max_items = 1000)]
    tickets: Option<Vec<String>>,
    /// Goodwill: the tickets stay.
    #[schema(value_type = Option<words::Money>)]
    amount: Option<Money>,
    /// With `tickets`: only the face price goes back.
    #[serde(default)]
    keep_fees: bool,
    /// Why, for colleagues.
    #[schema(min_length = 1, max_length = 500, pattern = r"\S", required)]
    reason: Option<String>,
}

/// Gives money of a booking back
///
/// By ticket: it is void, its seat is free, and its price goes back with its share of the fees. As an amount: goodwill,
/// the tickets stay as they are.
#[utoipa::path(
    post,
    path = "/admin/bookings/{id}/refunds",
    operation_id = "refund_booking",
    tag = "staff: bookings",
    security(("staff_key" = [])),
    params(BookingPath, IdempotencyKey),
    request_body(content = Refund, examples(
        ("Goodwill" = (value = json!({ "amount": { "amount": 300, "currency": "EUR" }, "reason": "The heating failed." }))),
    )),
    responses((status = 201, description = "The booking, and what goes back.", body = GivenBack<CancellationView>, headers(
        ("Idempotency-Replayed" = String, description = "`true`: this answer was given before."),
    ))),
    extensions(("x-problems" = json!(["forbidden", "not-cancellable", "already-refunded", "payment-disputed"])))
)]
async fn refund(
    State(state): State<AppState>,
    id: PathId,
    Sent { caller, body, key }: Sent<Refund>,
) -> Result<Response, Problem> {
    let (staff, booking) = caller.must_manage_booking(&state, &id.0).await?;
    let by = staff.id.clone();
    let reason = cancel::reason(body.reason.unwrap_or_default())?;
    if reason.trim().is_empty() {
        return Err(Problem::invalid("/reason", "Say why, so that colleagues know."));
    }
    let what = match (body.tickets, body.amount) {
        (Some(tickets), None) => {
            ToRefund::Tickets { numbers: cancel::numbers(booking, &tickets)?, keep_fees: body.keep_fees }
        }
        (None, Some(_)) if body.keep_fees => {
            return Err(Problem::invalid(
                "/keep_fees",
                "`keep_fees` goes with `tickets`; an amount says all by itself.",
            ));
        }
        (None, Some(amount)) => ToRefund::Amount(amount),
        (Some(_), Some(_)) | (None, None) => {
            return Err(Problem::invalid("", "Say either `tickets` with their ids or an `amount`, and not both."));
        }
    };
    let refund = StaffRefund { booking, what, note: StaffNote { reason, by } };
    let done = state.office.on_behalf_of(caller.by()).refund(refund, key).await?;
    let view = GivenBack { booking: booking_view::view(booking_of(&done)?, done.outcome.at), refund: given(&done)? };
    Ok(answer(StatusCode::CREATED, view, done.replayed))
}

fn given(done: &Done) -> Result<CancellationView, Problem> {
    let booking = booking_of(done)?;
    let cancellation = done.outcome.cancellation().map(|c| booking_view::cancellation(booking, c));
    let goodwill =
        if let Effect::GoodwillGiven { refund } = done.outcome.effect { booking.refund(refund) } else { None };
    let goodwill = goodwill.map(booking_view::goodwill);
    cancellation.or(goodwill).ok_or_else(|| Problem::Bug("a refund that answered nothing".into()))
}
