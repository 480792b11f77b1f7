//! `GET /shows/{id}/seats`: the seat map, with a strong ETag.

use axum::extract::State;
use axum::http::header::{ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use boxoffice::id::SeatNo;
use boxoffice::layout::Seat;
use boxoffice::show::Show;
use boxoffice::store::SeatsRead;
use serde::Serialize;

use crate::app::AppState;
use crate::http::extract::PathId;
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    Router::new().route("/shows/{id}/seats", get(read)).route("/shows/{programme}/{date}/{time}/seats", get(read))
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct SeatsView {
    show: String,
    version: u64,
    layout_version: u32,
    seats: Vec<SeatView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct SeatView {
    id: String,
    label: String,
    row: String,
    number: String,
    x: u16,
    y: u16,
    category: String,
    status: &'static str,
    features: Vec<&'static str>,
}

async fn read(State(state): State<AppState>, id: PathId, headers: HeaderMap) -> Result<Response, Problem> {
    let show = state.store().show(id.catalogue_id("show")?).await?.ok_or(Problem::not_found("show"))?;
    let read = state.store().seats(show.no).await?;
    let etag = etag(&read);
    if is_known(&headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, [(ETAG, etag)]).into_response());
    }
    Ok(([(ETAG, etag)], Json(view(&show, &read))).into_response())
}

/// Strong: between two changes the map alters only by holds that lapse, and their count is part
/// of it. The epoch tells a restored store from the one before.
fn etag(read: &SeatsRead) -> String {
    format!("\"{:x}-{:x}-{:x}\"", read.epoch, read.seats.version, read.seats.lapsed(read.now))
}

fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    let sent = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    sent.flat_map(|value| value.split(',')).map(str::trim).any(|known| {
        // If-None-Match compares weakly: a proxy may have marked our tag so.
        known == "*" || known.strip_prefix("W/").unwrap_or(known) == etag
    })
}

fn view(show: &Show, read: &SeatsRead) -> SeatsView {
    let seats = show.layout.seats().iter().zip((0..).map(SeatNo)).map(|(seat, no)| SeatView {
        id: seat.id.clone(),
        label: seat.label.clone(),
        row: seat.row.clone(),
        number: seat.number.clone(),
        x: seat.x,
        y: seat.y,
        category: show.layout.category_of(seat).name.clone(),
        status: read.seats.status(no, read.now).as_str(),
        features: features(seat),
    });
    SeatsView {
        show: show.id().to_string(),
        version: read.seats.version,
        layout_version: show.layout.version(),
        seats: seats.collect(),
    }
}

fn features(seat: &Seat) -> Vec<&'static str> {
    let has = [
        (seat.wheelchair, "wheelchair"),
        (seat.companion_of.is_some(), "companion"),
        (seat.group.is_some(), "love-seat"),
    ];
    has.into_iter().filter(|(has, _)| *has).map(|(_, name)| name).collect()
}
