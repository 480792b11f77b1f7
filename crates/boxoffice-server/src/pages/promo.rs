//! The form on the checkout page that takes a promo code, or takes it off again.

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::post;
use boxoffice::refusal::Refusal;
use boxoffice::service::{ChangeRequest, PromoAsked};
use boxoffice::store::StoreError;

use super::booking::{self, Form};
use super::visitor::Visitor;
use super::{link, shell};
use crate::app::AppState;
use crate::form::Fields;
use crate::http::Problem;
use crate::http::extract::{PathId, Whole};

pub fn router() -> Router<AppState> {
    Router::new().route("/bookings/{id}/code", post(change))
}

async fn change(
    State(state): State<AppState>,
    visitor: Visitor,
    PathId(id): PathId,
    Whole(body): Whole,
) -> Result<Response, Problem> {
    let booking = visitor.open(&state, &id).await?;
    let written = Fields::read(&body).one("code").unwrap_or_default().trim().to_owned();
    let asked = if written.is_empty() { PromoAsked::Remove } else { PromoAsked::Use(written.clone()) };
    let change = ChangeRequest { promo_code: Some(asked), ..ChangeRequest::default() };
    match state.office.change(booking.id, change, None).await {
        Ok(_) => Ok(shell::private(Redirect::to(&link::booking(booking.id)).into_response())),
        Err(StoreError::Refused(
            refusal @ (Refusal::PromoCodeInvalid(_) | Refusal::PromoCodeUsedUp | Refusal::PaymentInProgress),
        )) => {
            let problem = Problem::from(refusal);
            let form = Form { code: written, code_error: problem.detail(), ..Form::of(&booking) };
            booking::checkout(&state, &booking, form, problem.status()).await
        }
        // The booking's own page says what has become of it.
        Err(StoreError::Refused(_)) => Ok(shell::private(Redirect::to(&link::booking(booking.id)).into_response())),
        Err(other) => Err(other.into()),
    }
}
