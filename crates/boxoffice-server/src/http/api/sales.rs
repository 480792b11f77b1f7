//! `/admin/sales`: whether anything is sold, and selling again after a restore.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use boxoffice::money::Money;
use boxoffice::sales::{Sales, SalesState, reopen};
use boxoffice::store::Orphan;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::bookings::answer;
use crate::app::AppState;
use crate::http::caller::Caller;
use crate::http::extract::Sent;
use crate::http::openapi::params::IdempotencyKey;
use crate::http::openapi::words;
use crate::http::problem::Problem;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(read)).routes(routes!(open))
}

/// Whether the store sells at all. A show has its own times beside this.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SalesState)]
struct View {
    status: Status,
    /// When sales were closed by a restore; null while they are open.
    #[schema(format = DateTime)]
    closed_since: Option<String>,
    /// Payments that were open at the restore, and that no provider has answered for since.
    unanswered: u64,
    /// Money that came in for a payment which no booking has; somebody has to look at each.
    orphans: Vec<OrphanView>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SalesStateStatus)]
#[serde(rename_all = "snake_case")]
enum Status {
    Open,
    Closed,
}

/// Money that belongs to no booking.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OrphanPayment)]
struct OrphanView {
    gateway: String,
    /// The provider's id of the payment.
    payment_id: String,
    #[schema(value_type = words::Money)]
    amount: Money,
    #[schema(format = DateTime)]
    seen_at: String,
}

/// How to open sales.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ReopenSales)]
#[serde(deny_unknown_fields, expecting = "an object, perhaps with `force`")]
struct Reopen {
    /// Although payments that were open at the restore have not been answered for.
    #[serde(default)]
    force: bool,
}

/// Whether anything is sold
///
/// After a restore nothing is, until staff reopen sales.
#[utoipa::path(
    get,
    path = "/admin/sales",
    operation_id = "read_sales",
    tag = "staff: reports",
    security(("staff_key" = [])),
    responses((status = 200, description = "How sales stand.", body = View)),
    extensions(("x-problems" = json!(["forbidden"])))
)]
async fn read(State(state): State<AppState>, caller: Caller) -> Result<Response, Problem> {
    caller.must_manage_all()?;
    Ok(answer(StatusCode::OK, found(&state).await?, false))
}

/// Sells again after a restore
///
/// Refused as `sales-closed` while payments that were open at the restore have not been answered for by their
/// provider: the running server asks about them. Sales that are open stay so, so that no idempotency key is needed.
#[utoipa::path(
    post,
    path = "/admin/sales/reopen",
    operation_id = "reopen_sales",
    tag = "staff: reports",
    security(("staff_key" = [])),
    params(IdempotencyKey),
    request_body(content = Reopen, examples(
        ("When every payment is answered for" = (value = json!({}))),
        ("By force" = (value = json!({ "force": true }))),
    )),
    responses((status = 200, description = "Sales are open.", body = View)),
    extensions(("x-problems" = json!(["forbidden", "sales-closed"])))
)]
async fn open(State(state): State<AppState>, Sent { caller, body, key: _ }: Sent<Reopen>) -> Result<Response, Problem> {
    let by = caller.must_manage_all()?.id.clone();
    reopen(state.store(), body.force, &by).await?;
    Ok(answer(StatusCode::OK, found(&state).await?, false))
}

async fn found(state: &AppState) -> Result<View, Problem> {
    let SalesState { sales, unanswered } = state.store().sales().await?;
    let orphans = state.store().orphans().await?;
    let (status, closed_since) = match sales {
        Sales::Open => (Status::Open, None),
        Sales::Closed { since } => (Status::Closed, Some(since.to_string())),
    };
    Ok(View { status, closed_since, unanswered, orphans: orphans.into_iter().map(orphan).collect() })
}

fn orphan(orphan: Orphan) -> OrphanView {
    OrphanView {
        gateway: orphan.gateway,
        payment_id: orphan.payment_id,
        amount: orphan.amount,
        seen_at: orphan.seen_at.to_string(),
    }
}
