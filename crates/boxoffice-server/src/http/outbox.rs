//! `GET /test/outbox`: every notice as its mail reads, whether or not a mail server is set up.

use axum::Json;
use axum::extract::State;
use boxoffice::courier::Letter;
use boxoffice::store::NoticeFilter;
use serde::Serialize;

use super::Problem;
use super::paging::Page;
use crate::app::AppState;
use crate::pages::booking::show_of;

#[derive(Debug, Serialize)]
pub struct OutboxView {
    id: String,
    booking: String,
    kind: &'static str,
    status: &'static str,
    to: Option<String>,
    subject: String,
    text: String,
    html: String,
    /// The names of the files that go with it.
    attachments: Vec<String>,
    tries: u32,
    sent_at: Option<String>,
    made_at: String,
}

pub async fn list(State(state): State<AppState>) -> Result<Json<Page<OutboxView>>, Problem> {
    let mut items = Vec::new();
    for notice in state.store().notices(NoticeFilter::default()).await? {
        let booking = state.office.booking(notice.id.booking).await?;
        let show = show_of(&state, &booking).await?;
        let letter = Letter { notice, booking, show };
        let written = state.letters.write(&letter).map_err(|e| Problem::Bug(format!("a letter: {e}")))?;
        let notice = letter.notice;
        items.push(OutboxView {
            id: notice.id.to_string(),
            booking: notice.id.booking.to_string(),
            kind: notice.kind.as_str(),
            status: notice.status.as_str(),
            to: letter.booking.customer.email,
            subject: written.subject,
            text: written.text,
            html: written.html,
            attachments: written.files,
            tries: notice.tries,
            sent_at: notice.sent_at.map(|at| at.to_string()),
            made_at: notice.made_at.to_string(),
        });
    }
    Ok(Json(Page { items, next_cursor: None }))
}
