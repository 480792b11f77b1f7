//! `GET /admin/notices` and `POST /admin/notices/{id}/resend`: what customers were told, what
//! never reached them, and one more try.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use boxoffice::booking::{Booking, Notice, NoticeStatus};
use boxoffice::command::{Command, Step};
use boxoffice::id::{NoticeId, PartId};
use boxoffice::store::NoticeFilter;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::bookings::answer;
use crate::app::AppState;
use crate::http::caller::{Caller, covers};
use crate::http::extract::{Params, PathId, Sent};
use crate::http::openapi::params::IdempotencyKey;
use crate::http::openapi::words;
use crate::http::paging::{self, List, Page};
use crate::http::problem::Problem;

const NOTICES: List = List("notices");

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(resend))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct ListParams {
    /// Only those that stand so.
    #[param(value_type = Option<words::NoticeStatus>)]
    status: Option<NoticeStatus>,
    /// How many things at most; 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 100)]
    limit: Option<usize>,
    /// The `next_cursor` of the page before.
    cursor: Option<String>,
}

/// An object without members.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an empty object")]
struct Nothing {}

/// What a customer is told by mail.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Notice)]
struct NoticeView {
    #[schema(value_type = String)]
    id: PartId,
    booking: String,
    reference: String,
    #[schema(value_type = words::NoticeKind)]
    kind: &'static str,
    #[schema(value_type = words::NoticeStatus)]
    status: &'static str,
    /// Where it goes; `null`: the customer has no address.
    to: Option<String>,
    /// How often it was tried since it was made or last sent again.
    tries: u32,
    /// Attachments were refused.
    links_only: bool,
    last_error: Option<String>,
    #[schema(format = DateTime)]
    made_at: String,
    #[schema(format = DateTime)]
    next_try_at: Option<String>,
    #[schema(format = DateTime)]
    sent_at: Option<String>,
}

fn view(booking: &Booking, notice: &Notice) -> NoticeView {
    NoticeView {
        id: notice.id,
        booking: booking.id.to_string(),
        reference: booking.reference.clone(),
        kind: notice.kind.as_str(),
        status: notice.status.as_str(),
        to: booking.customer.email.clone(),
        tries: notice.tries,
        links_only: notice.links_only,
        last_error: notice.last_error.clone(),
        made_at: notice.made_at.to_string(),
        next_try_at: notice.next_try_at.map(|at| at.to_string()),
        sent_at: notice.sent_at.map(|at| at.to_string()),
    }
}

/// What customers were told, and what never reached them
///
/// By id.
#[utoipa::path(
    get,
    path = "/admin/notices",
    operation_id = "list_notices",
    tag = "staff: bookings",
    security(("staff_key" = [])),
    params(ListParams),
    responses((status = 200, description = "A page of notices.", body = Page<NoticeView>)),
    extensions(("x-problems" = json!(["forbidden"])))
)]
async fn list(
    State(state): State<AppState>,
    caller: Caller,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<NoticeView>>, Problem> {
    let staff = caller.must_open_bookings()?;
    let limit = paging::limit(params.limit)?;
    let after = params.cursor.as_deref().map(|cursor| NOTICES.key(cursor)?.parse().map_err(|_| paging::bad_cursor()));
    let filter = NoticeFilter { status: params.status, after: after.transpose()?, limit: limit + 1 };
    let found = state.store().notices(filter).await?;
    let page = NOTICES.cut(found, limit, |notice: &Notice| notice.id.to_string());
    let mut items = Vec::with_capacity(page.items.len());
    for notice in &page.items {
        if !covers(&state, staff, notice.id.booking.show()).await? {
            continue;
        }
        items.push(view(&state.office.booking(notice.id.booking).await?, notice));
    }
    Ok(Json(Page { items, next_cursor: page.next_cursor }))
}

/// Sends a notice once more
#[utoipa::path(
    post,
    path = "/admin/notices/{id}/resend",
    operation_id = "resend_notice",
    tag = "staff: bookings",
    security(("staff_key" = [])),
    params(
        ("id" = String, Path, description = "The notice's id.", example = "00000081mr564680ks50tk0asc-1"),
        IdempotencyKey,
    ),
    request_body(content = Nothing, examples(("Again" = (value = json!({}))))),
    responses((status = 200, description = "The notice, due now.", body = NoticeView, headers(
        ("Idempotency-Replayed" = String, description = "`true`: this answer was given before."),
    ))),
    extensions(("x-problems" = json!(["forbidden"])))
)]
async fn resend(
    State(state): State<AppState>,
    id: PathId,
    Sent { caller, body: Nothing {}, key }: Sent<Nothing>,
) -> Result<Response, Problem> {
    let staff = caller.must_open_bookings()?;
    let notice: NoticeId = id.0.parse().map_err(|_| Problem::not_found("notice"))?;
    if !staff.role.manages() || !covers(&state, staff, notice.booking.show()).await? {
        return Err(Problem::Forbidden);
    }
    let step = Step { command: Command::ResendNotice { notice }, idempotency: key, by: caller.by() };
    let done = state.store().execute(step).await?;
    let booking = done.outcome.booking.as_ref();
    let resent = booking.and_then(|booking| Some(view(booking, booking.notice(notice.no)?)));
    let resent = resent.ok_or_else(|| Problem::Bug("a resend answered no notice".into()))?;
    Ok(answer(StatusCode::OK, resent, done.replayed))
}
