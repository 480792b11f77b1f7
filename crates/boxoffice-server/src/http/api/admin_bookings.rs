//! `GET /admin/bookings`: staff find a booking by its reference, its customer's e-mail or its show.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use boxoffice::booking::Booking;
use boxoffice::id::{BookingId, ShowId};
use boxoffice::store::BookingFilter;
use boxoffice::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::booking_view::{self, BookingView};
use super::bookings::answer;
use crate::app::AppState;
use crate::http::caller::Caller;
use crate::http::extract::Params;
use crate::http::paging::{self, Page};
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    Router::new().route("/admin/bookings", get(list))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Find {
    reference: Option<String>,
    email: Option<String>,
    show: Option<String>,
    limit: Option<usize>,
    cursor: Option<String>,
}

/// A booking with what only staff read.
#[derive(Debug, Serialize)]
struct StaffView {
    #[serde(flatten)]
    booking: BookingView,
    staff_notes: Vec<NoteView>,
}

/// Why staff gave money back.
#[derive(Debug, Serialize)]
struct NoteView {
    refund: String,
    reason: String,
    /// The id of the staff key.
    by: String,
}

async fn list(State(state): State<AppState>, caller: Caller, Params(find): Params<Find>) -> Result<Response, Problem> {
    caller.must_open_bookings()?;
    let limit = paging::limit(find.limit)?;
    let after = find.cursor.as_deref().map(paging::key).transpose()?;
    let after: Option<BookingId> = after.map(|id| id.parse().map_err(|_| paging::bad_cursor())).transpose()?;
    let show = match find.show.as_deref() {
        None => None,
        Some(id) => {
            let id = ShowId::new(id).map_err(|_| Problem::not_found("show"))?;
            Some(state.store().show(id).await?.ok_or_else(|| Problem::not_found("show"))?.no)
        }
    };
    let filter = BookingFilter {
        show,
        reference: find.reference.map(|reference| reference.trim().to_ascii_uppercase()),
        email: find.email.map(|email| email.trim().to_owned()),
        after,
        limit: limit + 1,
    };
    let bookings = state.store().bookings(filter).await?;
    let now = state.store().now();
    let page = Page::cut(bookings, limit, |booking| booking.id.to_string()).map(|booking| view(&booking, now));
    Ok(answer(StatusCode::OK, page, false))
}

fn view(booking: &Booking, now: Timestamp) -> StaffView {
    let note = |refund: &boxoffice::booking::Refund| {
        let note = refund.by_staff.clone()?;
        Some(NoteView { refund: refund.id.to_string(), reason: note.reason, by: note.by })
    };
    StaffView {
        booking: booking_view::view(booking, now),
        staff_notes: booking.refunds.iter().filter_map(note).collect(),
    }
}
