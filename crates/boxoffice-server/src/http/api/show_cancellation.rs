//! `POST /admin/shows/{id}/cancel`, and how far the bookings have followed it.

use axum::Router;
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

use super::bookings::answer;
use super::cancel::reason;
use crate::app::AppState;
use crate::http::caller::Caller;
use crate::http::extract::{PathId, Sent};
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    let one = |tail: &str| {
        [format!("/admin/shows/{{id}}/{tail}"), format!("/admin/shows/{{programme}}/{{date}}/{{time}}/{tail}")]
    };
    let router = one("cancel").iter().fold(Router::new(), |router, path| router.route(path, post(cancel)));
    one("cancellation").iter().fold(router, |router, path| router.route(path, get(read)))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `refund` and perhaps `dry_run` and `reason`")]
struct CancelShow {
    /// `all`, `later` or `none`: never guessed.
    refund: Option<RefundChoice>,
    /// Only say what it would mean.
    #[serde(default)]
    dry_run: bool,
    reason: Option<String>,
}

#[derive(Debug, Serialize)]
struct View {
    show: String,
    /// Null while the show is not cancelled.
    refund: Option<RefundChoice>,
    /// Holds that live: nobody has paid for them.
    holds: usize,
    /// What the bookings with tickets are worth with their fees, by currency.
    totals: Vec<TotalsView>,
    progress: Progress,
}

#[derive(Debug, Serialize)]
struct TotalsView {
    bookings: usize,
    tickets: usize,
    amount: Money,
}

#[derive(Debug, Serialize)]
struct Progress {
    bookings: usize,
    /// Those for which everything has been arranged.
    done: usize,
}

async fn cancel(
    State(state): State<AppState>,
    id: PathId,
    Sent { caller, body, key }: Sent<CancelShow>,
) -> Result<Response, Problem> {
    let by = caller.must_manage()?.id.clone();
    let id = id.catalogue_id("show")?;
    let reason = reason(body.reason.unwrap_or_default())?;
    if body.dry_run {
        return Ok(answer(StatusCode::OK, found(&state, id).await?, false));
    }
    let Some(refunds) = body.refund else {
        let totals = serde_json::to_value(found(&state, id).await?).map_err(|e| Problem::Bug(e.to_string()))?;
        return Err(Problem::ChoiceNeeded(Box::new(totals)));
    };
    let done = state.office.cancel_show(id.clone(), refunds, StaffNote { reason, by }, key).await?;
    Ok(answer(StatusCode::OK, found(&state, id).await?, done.replayed))
}

async fn read(State(state): State<AppState>, caller: Caller, id: PathId) -> Result<Response, Problem> {
    caller.must_manage()?;
    Ok(answer(StatusCode::OK, found(&state, id.catalogue_id("show")?).await?, false))
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
