//! Seat maps as they are sent. One is made when a show's seats change, or the next hold on them
//! lapses, and kept for as long as neither happens; the store is asked at each look whether it
//! still stands. The bytes are made when they are first sent, plain and compressed each.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Arc, OnceLock};

use axum::body::Body;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use boxoffice::id::{SeatNo, ShowId};
use boxoffice::layout::Seat;
use boxoffice::store::{SeatsMark, SeatsRead, Store};
use boxoffice::time::Timestamp;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use parking_lot::RwLock;
use serde::Serialize;
use utoipa::ToSchema;

use super::Problem;
use super::conditional::is_known;
use super::openapi::words;

/// Maps kept at most; past it all are forgotten.
const MAPS: usize = 1_024;

/// The maps that were asked for, by show.
#[derive(Debug, Default)]
pub struct SeatMaps(RwLock<HashMap<ShowId, Arc<SeatMap>>>);

impl SeatMaps {
    /// The map of a show as it stands now.
    ///
    /// # Errors
    /// There is no such show, or the store cannot answer.
    pub async fn now(&self, store: &dyn Store, show: &ShowId) -> Result<Arc<SeatMap>, Problem> {
        let mark = store.seats_mark(show).await?.ok_or_else(|| Problem::not_found("show"))?;
        if let Some(map) = self.0.read().get(show).filter(|map| map.stands(mark)) {
            return Ok(map.clone());
        }
        let map = Arc::new(SeatMap::of(store.seats(mark.show).await?)?);
        let mut maps = self.0.write();
        if maps.len() >= MAPS && !maps.contains_key(show) {
            maps.clear();
        }
        maps.insert(show.clone(), map.clone());
        Ok(map)
    }
}

/// One state of a show's seats.
#[derive(Debug)]
pub struct SeatMap {
    read: SeatsRead,
    /// When a seat turns free by itself.
    until: Option<Timestamp>,
    plain: Coded,
    gzip: Coded,
}

/// A map's bytes in one content coding, and the tag of exactly these.
#[derive(Debug)]
struct Coded {
    etag: HeaderValue,
    bytes: OnceLock<Bytes>,
}

impl SeatMap {
    fn of(read: SeatsRead) -> Result<Self, Problem> {
        let coded = |coding| {
            let etag = HeaderValue::from_str(&etag(&read, coding)).map_err(|error| Problem::Bug(error.to_string()))?;
            Ok::<_, Problem>(Coded { etag, bytes: OnceLock::new() })
        };
        let (plain, gzip) = (coded("")?, coded("-gzip")?);
        Ok(Self { until: read.seats.next_lapse(read.now), read, plain, gzip })
    }

    fn stands(&self, mark: SeatsMark) -> bool {
        let same_seats = SeatsMark { now: self.read.now, ..mark } == self.read.mark();
        same_seats && self.read.now <= mark.now && self.until.is_none_or(|until| mark.now.is_before(until))
    }

    /// Answers whoever asks with these headers: the map in a coding that they take, or that they
    /// have it already.
    ///
    /// # Errors
    /// [`Problem::Bug`], if it cannot be written as JSON.
    pub fn answer(&self, asked: &HeaderMap) -> Result<Response, Problem> {
        let gzip = takes_gzip(asked);
        let coded = if gzip { &self.gzip } else { &self.plain };
        let mut response = Response::new(Body::empty());
        if is_known(asked, coded.etag.as_bytes()) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else {
            *response.body_mut() = Body::from(self.bytes(gzip)?);
            response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            if gzip {
                response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            }
        }
        let headers = response.headers_mut();
        headers.insert(ETAG, coded.etag.clone());
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        Ok(response)
    }

    fn bytes(&self, gzip: bool) -> Result<Bytes, Problem> {
        let coded = if gzip { &self.gzip } else { &self.plain };
        if let Some(bytes) = coded.bytes.get() {
            return Ok(bytes.clone());
        }
        let unwritable = |error: std::io::Error| Problem::Bug(format!("a seat map cannot be written: {error}"));
        let made = if gzip {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&self.bytes(false)?).map_err(unwritable)?;
            encoder.finish().map_err(unwritable)?
        } else {
            serde_json::to_vec(&view(&self.read)).map_err(|error| unwritable(error.into()))?
        };
        Ok(coded.bytes.get_or_init(|| Bytes::from(made)).clone())
    }
}

/// Strong: between two changes the map alters only by holds that lapse, and their count is part
/// of it. The epoch tells a restored store from the one before, the show's number a show from one of
/// the same id that was deleted.
fn etag(read: &SeatsRead, coding: &str) -> String {
    let (mark, lapsed) = (read.mark(), read.seats.lapsed(read.now));
    format!("\"{:x}-{:x}-{:x}-{lapsed:x}{coding}\"", mark.epoch, mark.show.0, mark.version)
}

/// Whether `Accept-Encoding` names gzip, and not with a weight of nothing.
fn takes_gzip(asked: &HeaderMap) -> bool {
    let sent = asked.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    sent.flat_map(|value| value.split(',')).any(|coding| {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = parameters.trim().strip_prefix("q=").map_or(Ok(1.0), str::parse::<f32>);
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_ok_and(|weight| weight > 0.0)
    })
}

/// The seats of a show at one instant.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SeatMap)]
pub struct SeatsView<'a> {
    /// The show's id.
    show: &'a str,
    /// Rises with every change.
    version: u64,
    /// The version of the hall's plan.
    layout_version: u32,
    /// From the screen backwards, left to right.
    seats: Vec<SeatView<'a>>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Seat, example = json!({
    "id": "F7", "label": "F7", "row": "F", "number": "7", "x": 7, "y": 5,
    "category": "Standard", "status": "available", "features": []
}))]
struct SeatView<'a> {
    id: &'a str,
    /// As it is printed; the same as `id` unless two zones share a label.
    label: &'a str,
    row: &'a str,
    number: &'a str,
    /// The place in the hall's plan, from its left edge.
    x: u16,
    /// The place in the hall's plan, from the screen.
    y: u16,
    /// The category's name, as in the show's `prices`.
    category: &'a str,
    #[schema(value_type = words::SeatStatus)]
    status: &'static str,
    #[schema(value_type = Vec<words::SeatFeature>)]
    features: Vec<&'static str>,
}

fn view(read: &SeatsRead) -> SeatsView<'_> {
    let layout = &read.show.layout;
    let seats = layout.seats().iter().zip((0..).map(SeatNo)).map(|(seat, no)| SeatView {
        id: &seat.id,
        label: &seat.label,
        row: &seat.row,
        number: &seat.number,
        x: seat.x,
        y: seat.y,
        category: &layout.category_of(seat).name,
        status: read.seats.status(no, read.now).as_str(),
        features: features(seat),
    });
    SeatsView {
        show: read.show.id().as_str(),
        version: read.seats.version,
        layout_version: layout.version(),
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
