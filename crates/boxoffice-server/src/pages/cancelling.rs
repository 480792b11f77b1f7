//! Giving a booking back: first a page that says what comes back, then the form that does it.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use boxoffice::booking::{Booking, BookingStatus, Cancellation};
use boxoffice::command::Command;
use boxoffice::refusal::Refusal;
use boxoffice::store::StoreError;

use super::booking::{self, Summary};
use super::shell::{self, Shell};
use super::visitor::Visitor;
use super::{link, once, text};
use crate::app::AppState;
use crate::form::Fields;
use crate::http::Problem;
use crate::http::extract::{PathId, Whole};

pub fn router() -> Router<AppState> {
    Router::new().route("/bookings/{id}/cancel", get(ask).post(cancel))
}

#[derive(Template)]
#[template(path = "cancel.html")]
struct Page {
    shell: Shell,
    summary: Summary,
    once: String,
    paid: bool,
    back: String,
    kept: String,
    nothing_back: bool,
    /// Why it cannot be cancelled.
    refusal: String,
}

async fn ask(State(state): State<AppState>, visitor: Visitor, PathId(id): PathId) -> Result<Response, Problem> {
    let booking = visitor.open(&state, &id).await?;
    let status = booking.status_at(state.store().now());
    if matches!(status, BookingStatus::Cancelled | BookingStatus::Expired) {
        return Ok(shell::private(Redirect::to(&link::booking(booking.id)).into_response()));
    }
    let show = booking::show_of(&state, &booking).await?;
    let (outcome, refusal) = match preview(&state, &booking).await? {
        Ok(cancellation) => (Some(cancellation), String::new()),
        Err(refusal) => (None, Problem::from(refusal).detail()),
    };
    let zero = booking.price.total.currency().zero();
    let (back, kept) = outcome.map_or((zero, zero), |c| (c.amount, c.kept));
    let page = Page {
        shell: Shell::new(&state),
        summary: booking::summary(&booking, &show),
        once: once::fresh(&*state.entropy),
        paid: status == BookingStatus::Confirmed,
        back: text::money(back),
        kept: text::money(kept),
        nothing_back: back.is_zero(),
        refusal,
    };
    shell::page(&page).map(shell::private)
}

/// How a cancellation would come out now: the decision itself, not carried out.
async fn preview(state: &AppState, booking: &Booking) -> Result<Result<Cancellation, Refusal>, Problem> {
    match state.office.preview(&Command::Cancel { booking: booking.id, reason: None }).await {
        Ok(outcome) => {
            let cancellation = outcome.booking.and_then(|mut b| b.cancellations.pop());
            cancellation.map(Ok).ok_or_else(|| Problem::Bug("a cancellation without an outcome".into()))
        }
        Err(StoreError::Refused(refusal)) => Ok(Err(refusal)),
        Err(other) => Err(other.into()),
    }
}

async fn cancel(
    State(state): State<AppState>,
    visitor: Visitor,
    PathId(id): PathId,
    Whole(body): Whole,
) -> Result<Response, Problem> {
    let id = visitor.may_open(&id)?;
    let path = format!("{}/cancel", link::booking(id));
    let key = once::idempotency(Fields::read(&body).one(once::FIELD), &path, &body);
    match state.office.cancel(id, None, key).await {
        Ok(_) => {}
        // Its own page says why: it has ended already, or its cancel page tells what stands against it.
        Err(StoreError::Refused(Refusal::NotCancellable(_))) => {
            return Ok(shell::private(Redirect::to(&path).into_response()));
        }
        Err(other) => return Err(other.into()),
    }
    Ok(shell::private(Redirect::to(&link::booking(id)).into_response()))
}
