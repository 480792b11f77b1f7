//! `POST /admin/erasures`: a customer asks to be forgotten.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::bookings::answer;
use crate::app::AppState;
use crate::http::extract::Sent;
use crate::http::openapi::params::IdempotencyKey;
use crate::http::problem::Problem;
use crate::privacy::{self, Erasure, Whose};

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(erase))
}

/// Either of the two.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with either `email` or `booking`")]
#[schema(as = Erase, example = json!({ "email": "ada@example.org" }))]
struct Erase {
    /// All bookings with this address, compared without regard to case.
    email: Option<String>,
    /// The id of one booking.
    booking: Option<String>,
}

/// What became of the request.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Erasure)]
struct ErasureView {
    /// Bookings in which nobody is named any more.
    erased: usize,
    /// Those whose customer is still needed; they are forgotten as soon as that is over.
    later: Vec<LaterView>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ErasedLater)]
struct LaterView {
    booking: String,
    /// When it is looked at again.
    #[schema(format = DateTime)]
    at: String,
}

/// Forgets a customer who asks for it
///
/// Name, address, phone, notes and holders of tickets go; seats, prices, payments and tickets stay. Whoever
/// is still needed, for a show to come or money that is owed, is forgotten as soon as that is over. Asking
/// again finds nothing more to forget, so that no idempotency key is needed.
#[utoipa::path(
    post,
    path = "/admin/erasures",
    operation_id = "erase_customer",
    tag = "staff: bookings",
    security(("staff_key" = [])),
    params(IdempotencyKey),
    request_body(content = Erase, examples(
        ("All bookings of a customer" = (value = json!({ "email": "ada@example.org" }))),
    )),
    responses((status = 200, description = "What was forgotten, and what is later.", body = ErasureView)),
    extensions(("x-problems" = json!(["forbidden", "not-found"])))
)]
async fn erase(State(state): State<AppState>, Sent { caller, body, key: _ }: Sent<Erase>) -> Result<Response, Problem> {
    let by = caller.must_manage_all()?.id.clone();
    let whose = match (body.email, body.booking) {
        (Some(email), None) if !email.trim().is_empty() => Whose::Email(email.trim().to_owned()),
        (None, Some(id)) => {
            let id = id.parse().map_err(|_| Problem::not_found("booking"))?;
            Whose::Booking(state.office.booking(id).await?.id)
        }
        (Some(_), _) | (None, None) => {
            return Err(Problem::invalid("", "Say either the customer's `email` or the id of one `booking`."));
        }
    };
    Ok(answer(StatusCode::OK, view(&privacy::erase(state.store(), whose, &by).await?), false))
}

fn view(erasure: &Erasure) -> ErasureView {
    let later = |later: &privacy::Later| LaterView { booking: later.booking.to_string(), at: later.at.to_string() };
    ErasureView { erased: erasure.erased, later: erasure.later.iter().map(later).collect() }
}
