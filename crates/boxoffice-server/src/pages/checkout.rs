//! The forms of a booking that is to be paid: pay it, or hold the same seats again.

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::post;
use boxoffice::booking::{BookedSeat, Booking, BookingStatus, Channel, Customer};
use boxoffice::layout::SeatAsk;
use boxoffice::refusal::{FieldError, Refusal};
use boxoffice::service::{AskedSeat, ChangeRequest, HoldRequest, SeatsAsked};
use boxoffice::store::{Done, StoreError};

use super::booking::{self, Form};
use super::visitor::Visitor;
use super::{link, once, returning, seat_plan, shell, show};
use crate::app::AppState;
use crate::form::Fields;
use crate::http::Problem;
use crate::http::api::bookings::booking_of;
use crate::http::api::customer::CustomerInput;
use crate::http::extract::{PathId, Whole};

pub fn router() -> Router<AppState> {
    Router::new().route("/bookings/{id}/pay", post(pay)).route("/bookings/{id}/again", post(again))
}

async fn pay(
    State(state): State<AppState>,
    visitor: Visitor,
    PathId(id): PathId,
    Whole(body): Whole,
) -> Result<Response, Problem> {
    let booking = visitor.open(&state, &id).await?;
    let fields = Fields::read(&body);
    match try_to_pay(&state, &booking, &fields, &body).await {
        Ok(done) => Ok(shell::private(Redirect::to(&next_page(&done)?).into_response())),
        Err(Problem::Refused(Refusal::InvalidRequest(errors))) => {
            booking::checkout(&state, &booking, wrong(&fields, &errors), StatusCode::UNPROCESSABLE_ENTITY).await
        }
        Err(Problem::Refused(refusal @ Refusal::GatewayUnavailable { .. })) => {
            let error =
                "The payment provider did not answer. Nothing was charged and your seats are still held; try again.";
            let form = Form { error: error.to_owned(), ..wrong(&fields, &[]) };
            booking::checkout(&state, &booking, form, Problem::from(refusal).status()).await
        }
        Err(problem @ Problem::Refused(Refusal::NoGateway)) => {
            let form = Form { error: problem.detail(), ..wrong(&fields, &[]) };
            booking::checkout(&state, &booking, form, problem.status()).await
        }
        // The booking's own page says what has become of it.
        Err(Problem::Refused(
            Refusal::HoldExpired(_) | Refusal::AlreadyPaid | Refusal::ShowMoved(_) | Refusal::ShowCancelled,
        )) => Ok(shell::private(Redirect::to(&link::booking(booking.id)).into_response())),
        Err(problem) => Err(problem),
    }
}

async fn try_to_pay(state: &AppState, booking: &Booking, fields: &Fields, body: &[u8]) -> Result<Done, Problem> {
    let customer = customer(fields)?;
    if !customer.can_be_reached() {
        return Err(Problem::invalid("/customer/email", "Write an e-mail address or a phone number."));
    }
    if customer != booking.customer && booking.status_at(state.store().now()) == BookingStatus::PendingPayment {
        let change = ChangeRequest { customer: Some(customer), ..ChangeRequest::default() };
        state.office.change(booking.id, change, None).await?;
    }
    let return_url = returning::url(state, booking.id).await?;
    let path = format!("{}/pay", link::booking(booking.id));
    let key = once::idempotency(fields.one(once::FIELD), &path, body);
    Ok(state.office.start_payment(booking.id, None, &return_url, key).await?)
}

fn customer(fields: &Fields) -> Result<Customer, Problem> {
    let field = |name: &str| fields.one(name).map(str::to_owned);
    let input =
        CustomerInput { name: field("name"), email: field("email"), phone: field("phone"), locale: Some("en".into()) };
    input.checked("/customer")
}

/// The payment page; the booking's own page where there is nothing to pay.
fn next_page(done: &Done) -> Result<String, Problem> {
    let booking = booking_of(done)?;
    let page = booking.open_attempt(done.outcome.at).and_then(|a| a.checkout_url.clone());
    Ok(page.unwrap_or_else(|| link::booking(booking.id)))
}

/// The form as it was sent, with what is wrong beside each field.
fn wrong(fields: &Fields, errors: &[FieldError]) -> Form {
    let field = |name: &str| fields.one(name).unwrap_or_default().to_owned();
    let error =
        |pointer: &str| errors.iter().find(|e| e.pointer == pointer).map(|e| e.detail.clone()).unwrap_or_default();
    let known = ["/customer/name", "/customer/email", "/customer/phone"];
    let other = errors.iter().find(|e| !known.contains(&e.pointer.as_str()));
    Form {
        name: field("name"),
        email: field("email"),
        phone: field("phone"),
        name_error: error("/customer/name"),
        email_error: error("/customer/email"),
        phone_error: error("/customer/phone"),
        code: String::new(),
        code_error: String::new(),
        error: other.map(|e| e.detail.clone()).unwrap_or_default(),
    }
}

/// Holds the seats of a booking that has ended once more, if they are free.
async fn again(
    State(state): State<AppState>,
    visitor: Visitor,
    PathId(id): PathId,
    Whole(body): Whole,
) -> Result<Response, Problem> {
    let old = visitor.open(&state, &id).await?;
    let show = booking::show_of(&state, &old).await?;
    let fields = Fields::read(&body);
    let seat = |s: &BookedSeat| AskedSeat { seat: SeatAsk::Id(s.id.clone()), ticket_type: Some(s.ticket_type.clone()) };
    let request = HoldRequest {
        show: old.show.id.clone(),
        seats: SeatsAsked::These(old.seats.iter().map(seat).collect()),
        layout_version: None,
        channel: Channel::Web,
        customer: old.customer.clone(),
        metadata: BTreeMap::new(),
        mine: visitor.bookings().to_vec(),
        expected_total: None,
        promo_code: None,
    };
    let path = format!("{}/again", link::booking(old.id));
    let key = once::idempotency(fields.one(once::FIELD), &path, &body);
    match state.office.hold(request, key).await {
        Ok(done) => {
            let id = booking_of(&done)?.id;
            let response = Redirect::to(&link::booking(id)).into_response();
            Ok(shell::private(visitor.remember(&state, id, response)))
        }
        Err(StoreError::Refused(refusal)) => {
            let chosen = seat_plan::named(&show, old.seats.iter().map(|s| s.id.as_str()));
            show::refused(&state, &visitor, &show, &chosen, refusal).await
        }
        Err(other) => Err(other.into()),
    }
}
