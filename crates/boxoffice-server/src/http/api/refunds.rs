//! `POST /admin/bookings/{id}/refunds`: staff give money back, by ticket or as an amount.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::post;
use boxoffice::booking::StaffNote;
use boxoffice::command::{Effect, StaffRefund, ToRefund};
use boxoffice::id::BookingId;
use boxoffice::money::Money;
use boxoffice::store::Done;
use serde::Deserialize;

use super::booking_view::{self, CancellationView};
use super::bookings::{answer, booking_of};
use super::cancel::{self, GivenBack};
use crate::app::AppState;
use crate::http::extract::{PathId, Sent};
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    Router::new().route("/admin/bookings/{id}/refunds", post(refund))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `reason`, and either `tickets` or `amount`")]
struct Refund {
    /// Their ids: void from then on, and their seats free.
    tickets: Option<Vec<String>>,
    /// Goodwill: the tickets stay.
    amount: Option<Money>,
    /// With `tickets`: only the face price goes back.
    #[serde(default)]
    keep_fees: bool,
    reason: Option<String>,
}

async fn refund(
    State(state): State<AppState>,
    id: PathId,
    Sent { caller, body, key }: Sent<Refund>,
) -> Result<Response, Problem> {
    let by = caller.must_manage()?.id.clone();
    let booking: BookingId = id.0.parse().map_err(|_| Problem::not_found("booking"))?;
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
    let done = state.office.refund(refund, key).await?;
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
