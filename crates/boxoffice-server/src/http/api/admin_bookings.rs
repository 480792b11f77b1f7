//! `GET /admin/bookings`: staff find a booking by its reference, its customer's e-mail or its show.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use boxoffice::booking::Booking;
use boxoffice::id::{BookingId, ShowId};
use boxoffice::store::BookingFilter;
use boxoffice::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::booking_view::{self, BookingView};
use super::bookings::answer;
use crate::app::AppState;
use crate::http::caller::{Caller, covers};
use crate::http::extract::Params;
use crate::http::paging::{self, List, Page};
use crate::http::problem::Problem;

const BOOKINGS: List = List("bookings");

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct Find {
    /// As it is on the ticket; without regard to case.
    reference: Option<String>,
    /// The customer's whole address.
    email: Option<String>,
    /// The show's id.
    show: Option<String>,
    /// How many things at most; 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 100)]
    limit: Option<usize>,
    /// The `next_cursor` of the page before.
    cursor: Option<String>,
}

/// A booking with what only staff read.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StaffBooking)]
struct StaffView {
    #[serde(flatten)]
    booking: BookingView,
    staff_notes: Vec<NoteView>,
}

/// Why staff gave money back.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StaffNote)]
struct NoteView {
    /// The refund's id.
    refund: String,
    reason: String,
    /// The id of the staff key.
    by: String,
}

/// Finds bookings
///
/// By id. All that is named must fit.
#[utoipa::path(
    get,
    path = "/admin/bookings",
    operation_id = "find_bookings",
    tag = "staff: bookings",
    security(("staff_key" = [])),
    params(Find),
    responses((status = 200, description = "A page of bookings.", body = Page<StaffView>)),
    extensions(("x-problems" = json!(["forbidden", "not-found"])))
)]
async fn list(State(state): State<AppState>, caller: Caller, Params(find): Params<Find>) -> Result<Response, Problem> {
    let staff = caller.must_open_bookings()?;
    let limit = paging::limit(find.limit)?;
    let after = find.cursor.as_deref().map(|cursor| BOOKINGS.key(cursor)).transpose()?;
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
    let page = BOOKINGS.cut(bookings, limit, |booking| booking.id.to_string());
    let mut items = Vec::with_capacity(page.items.len());
    for booking in &page.items {
        if covers(&state, staff, booking.id.show()).await? {
            items.push(view(booking, now));
        }
    }
    Ok(answer(StatusCode::OK, Page { items, next_cursor: page.next_cursor }, false))
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
