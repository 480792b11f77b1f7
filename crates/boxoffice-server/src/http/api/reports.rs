//! `/admin/reports` and `/admin/days`: what was sold, and the close of a business day.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use boxoffice::id::{ShowId, TheatreId};
use boxoffice::money::Money;
use boxoffice::report::day::{self, DayClose};
use boxoffice::report::sales::{SalesQuery, SalesRow, sales};
use boxoffice::store::StoreError;
use futures_util::stream::{StreamExt as _, iter, try_unfold};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::AppState;
use crate::http::caller::Caller;
use crate::http::extract::{Params, PathId};
use crate::http::openapi::words;
use crate::http::problem::Problem;
use crate::report::bookings::{self, Cursor};
use crate::report::write_csv;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(sales_csv)).routes(routes!(bookings_csv)).routes(routes!(close, closed))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct SalesParams {
    /// The first business day.
    #[param(value_type = String, format = Date, example = "2027-06-01")]
    from: Date,
    /// The last business day.
    #[param(value_type = String, format = Date, example = "2027-06-30")]
    to: Date,
    /// The theatre's id; without one, all.
    theatre: Option<String>,
}

/// A business day of a theatre; only described, since a path is read as a whole.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "only described")]
struct DayPath {
    /// The theatre's id.
    #[param(example = "kino-am-markt")]
    theatre: String,
    /// The business day.
    #[param(format = Date, example = "2027-06-12")]
    date: String,
}

/// What was sold, as CSV
///
/// One row by business day, theatre, film, screen, ticket type and currency.
#[utoipa::path(
    get,
    path = "/admin/reports/sales.csv",
    operation_id = "report_sales",
    tag = "staff: reports",
    security(("staff_key" = [])),
    params(SalesParams),
    responses((status = 200, description = "The rows, after a row of names.", body = String, content_type = "text/csv")),
    extensions(("x-problems" = json!(["forbidden", "not-found"])))
)]
async fn sales_csv(
    State(state): State<AppState>,
    caller: Caller,
    Params(params): Params<SalesParams>,
) -> Result<Response, Problem> {
    caller.must_manage()?;
    let theatre = params.theatre.as_deref().map(theatre_id).transpose()?;
    caller.must_manage_theatre(theatre.as_ref())?;
    let query = SalesQuery { from: params.from, to: params.to, theatre };
    let rows = sales(state.store(), &query).await?;
    let mut body = Vec::new();
    write_csv(&rows, &mut body).map_err(|error| StoreError::Bug(error.to_string()))?;
    let name = format!("attachment; filename=\"sales-{}-{}.csv\"", query.from, query.to);
    Ok(([(CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()), (CONTENT_DISPOSITION, name)], body).into_response())
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct BookingsParams {
    /// The show's id; without it, all shows.
    show: Option<String>,
}

/// Bookings as CSV
///
/// One row each, by id, with what was paid and given back; no names. It is sent as it is read, whatever their number.
#[utoipa::path(
    get,
    path = "/admin/reports/bookings.csv",
    operation_id = "bookings_csv",
    tag = "staff: reports",
    security(("staff_key" = [])),
    params(BookingsParams),
    responses((status = 200, description = "The bookings.", body = String, content_type = "text/csv")),
    extensions(("x-problems" = json!(["forbidden", "not-found"])))
)]
async fn bookings_csv(
    State(state): State<AppState>,
    caller: Caller,
    Params(params): Params<BookingsParams>,
) -> Result<Response, Problem> {
    caller.must_manage()?;
    let show = match params.show.as_deref() {
        None => {
            caller.must_manage_all()?;
            None
        }
        Some(id) => {
            let id = ShowId::new(id).map_err(|_| Problem::not_found("show"))?;
            caller.must_manage_show(&state, &id).await?;
            Some(state.store().show(id).await?.ok_or_else(|| Problem::not_found("show"))?.no)
        }
    };
    // The first page is read before the answer begins, so that a store that cannot answer is a problem. A fault
    // later cuts the connection, and the file is seen to be short.
    let first = bookings::next(state.store(), show, Cursor::Start).await?;
    let rest = first.as_ref().map_or(Cursor::End, |(_, cursor)| *cursor);
    let rest = try_unfold((state, rest), move |(state, cursor)| async move {
        let next = bookings::next(state.store(), show, cursor).await?;
        Ok::<_, StoreError>(next.map(|(bytes, cursor)| (bytes, (state, cursor))))
    });
    let first = first.map(|(bytes, _)| Ok(bytes));
    let body = Body::from_stream(iter(first).chain(rest));
    let name = "attachment; filename=\"bookings.csv\"";
    Ok(([(CONTENT_TYPE, "text/csv; charset=utf-8"), (CONTENT_DISPOSITION, name)], body).into_response())
}

/// Closes a business day that has ended
///
/// Once; sent again, the same close is answered.
#[utoipa::path(
    post,
    path = "/admin/days/{theatre}/{date}/close",
    operation_id = "close_day",
    tag = "staff: reports",
    security(("staff_key" = [])),
    params(DayPath),
    responses((status = 200, description = "The close.", body = DayView)),
    extensions(("x-problems" = json!(["forbidden", "invalid-request"])))
)]
async fn close(State(state): State<AppState>, caller: Caller, path: PathId) -> Result<Json<DayView>, Problem> {
    caller.must_manage()?;
    let (theatre, date) = named(&path)?;
    caller.must_manage_theatre(Some(&theatre))?;
    Ok(Json(view(&day::close(state.store(), &theatre, date).await?)))
}

/// How a business day was closed
#[utoipa::path(
    get,
    path = "/admin/days/{theatre}/{date}/close",
    operation_id = "read_closed_day",
    tag = "staff: reports",
    security(("staff_key" = [])),
    params(DayPath),
    responses((status = 200, description = "The close.", body = DayView)),
    extensions(("x-problems" = json!(["forbidden"])))
)]
async fn closed(State(state): State<AppState>, caller: Caller, path: PathId) -> Result<Json<DayView>, Problem> {
    caller.must_manage()?;
    let (theatre, date) = named(&path)?;
    caller.must_manage_theatre(Some(&theatre))?;
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
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DayClose)]
pub struct DayView {
    /// The theatre's id.
    theatre: String,
    #[schema(value_type = String, format = Date)]
    date: Date,
    /// When the business day began.
    #[schema(format = DateTime)]
    from: String,
    /// When it ended.
    #[schema(format = DateTime)]
    to: String,
    #[schema(format = DateTime)]
    closed_at: String,
    /// What was posted in it; it sums to nothing in each currency.
    accounts: Vec<AccountView>,
    /// The shows of this business day, as they stood at the close.
    #[schema(value_type = Vec<words::SalesRow>)]
    sales: Vec<SalesRow>,
}

/// What was posted to an account.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AccountSum)]
struct AccountView {
    #[schema(example = "tickets")]
    account: String,
    /// A debit is positive, a credit negative.
    #[schema(value_type = words::Money)]
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
