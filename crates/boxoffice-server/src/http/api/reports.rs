//! `/admin/reports` and `/admin/days`: what was sold, and the close of a business day.

use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use boxoffice::id::TheatreId;
use boxoffice::money::Money;
use boxoffice::report::day::{self, DayClose};
use boxoffice::report::sales::{SalesQuery, SalesRow, sales};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::app::AppState;
use crate::http::caller::Caller;
use crate::http::extract::{Params, PathId};
use crate::http::problem::Problem;
use crate::report::write_csv;

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/admin/reports/sales.csv", get(sales_csv))
        .route("/admin/days/{theatre}/{date}/close", post(close).get(closed))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SalesParams {
    from: Date,
    to: Date,
    theatre: Option<String>,
}

async fn sales_csv(
    State(state): State<AppState>,
    caller: Caller,
    Params(params): Params<SalesParams>,
) -> Result<Response, Problem> {
    caller.must_manage()?;
    let theatre = params.theatre.as_deref().map(theatre_id).transpose()?;
    let query = SalesQuery { from: params.from, to: params.to, theatre };
    let rows = sales(state.store(), &query).await?;
    let mut body = Vec::new();
    write_csv(&rows, &mut body).map_err(|error| boxoffice::store::StoreError::Bug(error.to_string()))?;
    let name = format!("attachment; filename=\"sales-{}-{}.csv\"", query.from, query.to);
    Ok(([(CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()), (CONTENT_DISPOSITION, name)], body).into_response())
}

async fn close(State(state): State<AppState>, caller: Caller, path: PathId) -> Result<Json<DayView>, Problem> {
    caller.must_manage()?;
    let (theatre, date) = named(&path)?;
    Ok(Json(view(&day::close(state.store(), &theatre, date).await?)))
}

async fn closed(State(state): State<AppState>, caller: Caller, path: PathId) -> Result<Json<DayView>, Problem> {
    caller.must_manage()?;
    let (theatre, date) = named(&path)?;
    Ok(Json(view(&day::closed(state.store(), &theatre, date).await?)))
}

fn named(path: &PathId) -> Result<(TheatreId, Date), Problem> {
    let (theatre, date) = path.0.rsplit_once('/').ok_or_else(|| Problem::not_found("day"))?;
    let date = date.parse().map_err(|_| Problem::not_found("day"))?;
    Ok((theatre_id(theatre)?, date))
}

fn theatre_id(text: &str) -> Result<TheatreId, Problem> {
    TheatreId::new(text).map_err(|_| Problem::not_found("theatre"))
}

/// A day's close as the API and the command line tell it.
#[derive(Debug, Serialize)]
pub struct DayView {
    theatre: String,
    date: Date,
    from: String,
    to: String,
    closed_at: String,
    accounts: Vec<AccountView>,
    sales: Vec<SalesRow>,
}

#[derive(Debug, Serialize)]
struct AccountView {
    account: String,
    amount: Money,
}

#[must_use]
pub fn view(day: &DayClose) -> DayView {
    let account = |sum: &day::AccountSum| AccountView { account: sum.account.to_string(), amount: sum.amount };
    DayView {
        theatre: day.theatre.to_string(),
        date: day.date,
        from: day.from.to_string(),
        to: day.to.to_string(),
        closed_at: day.closed_at.to_string(),
        accounts: day.accounts.iter().map(account).collect(),
        sales: day.sales.clone(),
    }
}
