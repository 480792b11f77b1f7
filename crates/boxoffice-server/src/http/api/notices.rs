//! `GET /admin/notices` and `POST /admin/notices/{id}/resend`: what customers were told, what
//! never reached them, and one more try.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use boxoffice::booking::{Booking, Notice, NoticeStatus};
use boxoffice::command::{Command, Step};
use boxoffice::id::{NoticeId, PartId};
use boxoffice::store::NoticeFilter;
use serde::{Deserialize, Serialize};

use super::bookings::answer;
use crate::app::AppState;
use crate::http::caller::Caller;
use crate::http::extract::{Params, PathId, Sent};
use crate::http::paging::{self, Page};
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    Router::new().route("/admin/notices", get(list)).route("/admin/notices/{id}/resend", post(resend))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListParams {
    status: Option<NoticeStatus>,
    limit: Option<usize>,
    cursor: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an empty object")]
struct Nothing {}

#[derive(Debug, Serialize)]
struct NoticeView {
    id: PartId,
    booking: String,
    reference: String,
    kind: &'static str,
    status: &'static str,
    /// Where it goes; `null`: the customer has no address.
    to: Option<String>,
    /// How often it was tried since it was made or last sent again.
    tries: u32,
    /// Attachments were refused.
    links_only: bool,
    last_error: Option<String>,
    made_at: String,
    next_try_at: Option<String>,
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

async fn list(
    State(state): State<AppState>,
    caller: Caller,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<NoticeView>>, Problem> {
    caller.must_open_bookings()?;
    let limit = paging::limit(params.limit)?;
    let after = params.cursor.as_deref().map(|cursor| paging::key(cursor)?.parse().map_err(|_| paging::bad_cursor()));
    let filter = NoticeFilter { status: params.status, after: after.transpose()?, limit: limit + 1 };
    let found = state.store().notices(filter).await?;
    let page = Page::cut(found, limit, |notice: &Notice| notice.id.to_string());
    let mut items = Vec::with_capacity(page.items.len());
    for notice in &page.items {
        items.push(view(&state.office.booking(notice.id.booking).await?, notice));
    }
    Ok(Json(Page { items, next_cursor: page.next_cursor }))
}

async fn resend(
    State(state): State<AppState>,
    id: PathId,
    Sent { caller, body: Nothing {}, key }: Sent<Nothing>,
) -> Result<Response, Problem> {
    caller.must_manage()?;
    let notice: NoticeId = id.0.parse().map_err(|_| Problem::not_found("notice"))?;
    let step = Step { command: Command::ResendNotice { notice }, idempotency: key };
    let done = state.store().execute(step).await?;
    let booking = done.outcome.booking.as_ref();
    let resent = booking.and_then(|booking| Some(view(booking, booking.notice(notice.no)?)));
    let resent = resent.ok_or_else(|| Problem::Bug("a resend answered no notice".into()))?;
    Ok(answer(StatusCode::OK, resent, done.replayed))
}
