//! `POST /admin/shows/{id}/cancel`, and how far the bookings have followed it.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use boxoffice::booking::StaffNote;
use boxoffice::id::ShowId;
use boxoffice::money::Money;
use boxoffice::service::ShowCancellation;
use boxoffice::show::RefundChoice;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::bookings::answer;
use super::cancel::reason;
use crate::app::AppState;
use crate::http::caller::Caller;
use crate::http::extract::{PathId, Sent};
use crate::http::openapi::params::{IdempotencyKey, ShowPath};
use crate::http::openapi::words;
use crate::http::problem::Problem;

pub fn router() -> OpenApiRouter<AppState> {
    let by_programme = |tail: &str| format!("/admin/shows/{{programme}}/{{date}}/{{time}}/{tail}");
    OpenApiRouter::new()
        .routes(routes!(cancel))
        .routes(routes!(read))
        .route(&by_programme("cancel"), post(cancel))
        .route(&by_programme("cancellation"), get(read))
}

/// What becomes of the bookings of a show that does not take place.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with `refund` and perhaps `dry_run` and `reason`")]
struct CancelShow {
    /// `all`, `later` or `none`: never guessed.
    #[schema(value_type = Option<words::RefundChoice>)]
    refund: Option<RefundChoice>,
    /// Only say what it would mean.
    #[serde(default)]
    dry_run: bool,
    /// Why, for colleagues.
    #[schema(max_length = 500)]
    reason: Option<String>,
}

/// How a show's cancellation stands.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ShowCancellation)]
struct View {
    /// The show's id.
    show: String,
    /// Null while the show is not cancelled.
    #[schema(value_type = Option<words::RefundChoice>)]
    refund: Option<RefundChoice>,
    /// Holds that live: nobody has paid for them.
    holds: usize,
    /// What the bookings with tickets are worth with their fees, by currency.
    totals: Vec<TotalsView>,
    progress: Progress,
}

/// What bookings are worth, in one currency.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ShowTotals)]
struct TotalsView {
    bookings: usize,
    tickets: usize,
    #[schema(value_type = words::Money)]
    amount: Money,
}

/// How far the bookings have followed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CancellationProgress)]
struct Progress {
    bookings: usize,
    /// Those for which everything has been arranged.
    done: usize,
}

/// Cancels a show
///
/// Nobody guesses what becomes of the money: without `refund` the answer is a problem that says what is at stake
/// (`cancellation`), as `dry_run` does. Sent again with another `refund`, staff choose again.
#[utoipa::path(
    post,
    path = "/admin/shows/{id}/cancel",
    operation_id = "cancel_show",
    tag = "staff: shows",
    security(("staff_key" = [])),
    params(ShowPath, IdempotencyKey),
    request_body(content = CancelShow, examples(
        ("What it would mean" = (value = json!({ "dry_run": true }))),
        ("Everybody's money back" = (value = json!({ "refund": "all", "reason": "The projector is broken." }))),
    )),
    responses((status = 200, description = "How the cancellation stands.", body = View, headers(
        ("Idempotency-Replayed" = String, description = "`true`: this answer was given before."),
    ))),
    extensions(("x-problems" = json!(["forbidden", "show-cancelled", "not-cancellable"])))
)]
async fn cancel(
    State(state): State<AppState>,
    id: PathId,
    Sent { caller, body, key }: Sent<CancelShow>,
) -> Result<Response, Problem> {
    caller.must_manage()?;
    let id = id.catalogue_id("show")?;
    let by = caller.must_manage_show(&state, &id).await?.id.clone();
    let reason = reason(body.reason.unwrap_or_default())?;
    if body.dry_run {
        return Ok(answer(StatusCode::OK, found(&state, id).await?, false));
    }
    let Some(refunds) = body.refund else {
        let totals = serde_json::to_value(found(&state, id).await?).map_err(|e| Problem::Bug(e.to_string()))?;
        return Err(Problem::ChoiceNeeded(Box::new(totals)));
    };
    let done =
        state.office.on_behalf_of(caller.by()).cancel_show(id.clone(), refunds, StaffNote { reason, by }, key).await?;
    Ok(answer(StatusCode::OK, found(&state, id).await?, done.replayed))
}

/// How far the bookings have followed a cancellation
#[utoipa::path(
    get,
    path = "/admin/shows/{id}/cancellation",
    operation_id = "read_show_cancellation",
    tag = "staff: shows",
    security(("staff_key" = [])),
    params(ShowPath),
    responses((status = 200, description = "How the cancellation stands.", body = View)),
    extensions(("x-problems" = json!(["forbidden"])))
)]
async fn read(State(state): State<AppState>, caller: Caller, id: PathId) -> Result<Response, Problem> {
    caller.must_manage()?;
    let id = id.catalogue_id("show")?;
    caller.must_manage_show(&state, &id).await?;
    Ok(answer(StatusCode::OK, found(&state, id).await?, false))
}

async fn found(state: &AppState, id: ShowId) -> Result<View, Problem> {
    let show = id.to_string();
    let ShowCancellation { refunds, holds, bookings, done, totals } = state.office.show_cancellation(id).await?;
    let totals = totals.into_values();
    Ok(View {
        show,
        refund: refunds,
        holds,
        totals: totals.map(|t| TotalsView { bookings: t.bookings, tickets: t.tickets, amount: t.amount }).collect(),
        progress: Progress { bookings, done },
    })
}
