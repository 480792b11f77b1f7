//! What a show's changes mean for a booking, in words, and the form by which a holder who has not paid
//! yet takes them.

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::post;
use boxoffice::booking::{Booking, BookingStatus};
use boxoffice::refusal::Refusal;
use boxoffice::service::ChangeRequest;
use boxoffice::show::{RefundChoice, Show};
use boxoffice::store::StoreError;

use super::visitor::Visitor;
use super::{link, shell, text};
use crate::app::AppState;
use crate::http::Problem;
use crate::http::extract::PathId;

pub fn router() -> Router<AppState> {
    Router::new().route("/bookings/{id}/accept", post(accept))
}

async fn accept(State(state): State<AppState>, visitor: Visitor, PathId(id): PathId) -> Result<Response, Problem> {
    let id = visitor.may_open(&id)?;
    let change = ChangeRequest { accept_changes: true, ..ChangeRequest::default() };
    match state.office.change(id, change, None).await {
        // The booking's own page says what has become of it.
        Ok(_) | Err(StoreError::Refused(Refusal::HoldExpired(_) | Refusal::AlreadyPaid | Refusal::ShowCancelled)) => {
            Ok(shell::private(Redirect::to(&link::booking(id)).into_response()))
        }
        Err(other) => Err(other.into()),
    }
}

/// When the show was to play at the hold, where that has changed since; else empty.
#[must_use]
pub fn moved(booking: &Booking, show: &Show) -> String {
    let was = &booking.show;
    if (was.starts_at, &was.screen) == (show.spec.starts_at, &show.spec.screen) {
        return String::new();
    }
    let local = was.starts_at.to_jiff().to_zoned_datetime(show.theatre.timezone.tz().clone());
    let place = if was.screen == show.spec.screen { "" } else { " in another hall" };
    format!("{}, {}{place}", text::long_date(local.date()), text::clock(&local))
}

/// What else a holder of tickets has to know; empty: nothing.
#[must_use]
pub fn warning(booking: &Booking, show: &Show) -> &'static str {
    if booking.is_disputed() {
        return "The payment is disputed by the bank it came from. Until that is settled the tickets do not let in.";
    }
    if !show.spec.cancelled || booking.status != BookingStatus::Confirmed {
        return "";
    }
    match show.spec.refunds {
        Some(RefundChoice::All) => "The cinema has cancelled this show. Everything you paid is on its way back to you.",
        Some(RefundChoice::Later) => "The cinema has cancelled this show. It will tell you how your money comes back.",
        Some(RefundChoice::None) | None => "The cinema has cancelled this show. Please ask there about your money.",
    }
}
