//! `GET /shows` and `GET /shows/{id}`.

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use boxoffice::booking::Channel;
use boxoffice::catalogue::Catalogue;
use boxoffice::id::{CatalogueId, ShowId, TheatreId};
use boxoffice::money::Money;
use boxoffice::pricing::{self, PriceAsk};
use boxoffice::show::{Show, Text};
use boxoffice::store::{ShowFilter, ShowRow, StoreError};
use boxoffice::time::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::{asked_date, cities, movies};
use crate::app::AppState;
use crate::http::extract::{self, Params, PathId};
use crate::http::paging::{self, Page};
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/shows", get(list))
        .route("/shows/{id}", get(read))
        .route("/shows/{programme}/{date}/{time}", get(read))
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShowView {
    id: String,
    status: &'static str,
    movie: String,
    movie_title: Text,
    theatre: String,
    screen: String,
    screen_name: Text,
    format: Option<String>,
    audio: Option<String>,
    subtitles: Option<String>,
    business_day: Date,
    /// `night of Sat to Sun` for a show after midnight that belongs to the evening before.
    night: Option<String>,
    starts_at: String,
    /// The start on the theatre's clock, without an offset.
    local: String,
    zone: String,
    ends_at: String,
    sales: SalesView,
    max_seats: u16,
    layout_version: u32,
    prices: Vec<PriceView>,
    seats_left: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct SalesView {
    /// Null: at once.
    opens_at: Option<String>,
    closes_at: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct PriceView {
    category: String,
    ticket_type: String,
    face: Money,
    total: Money,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListParams {
    city: Option<String>,
    theatre: Option<String>,
    screen: Option<String>,
    movie: Option<String>,
    /// A business day.
    #[serde(default, deserialize_with = "extract::day")]
    date: Option<Date>,
    /// Starts at or after.
    from: Option<String>,
    /// Starts before.
    to: Option<String>,
    q: Option<String>,
    limit: Option<usize>,
    cursor: Option<String>,
}

async fn list(
    State(state): State<AppState>,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<ShowView>>, Problem> {
    let limit = paging::limit(params.limit)?;
    let catalogue = state.store().catalogue().await?;
    let now = state.store().now();
    let Some(mut filter) = filter(&catalogue, &params, now)? else {
        return Ok(Json(Page { items: Vec::new(), next_cursor: None }));
    };
    filter.limit = limit + 1;
    let rows = state.store().shows(filter).await?;
    let now = state.store().now();
    let page = Page::cut(rows, limit, |row| cursor_key(&row.show));
    let items = page.items.iter().map(|row| view(row, now)).collect::<Result<_, _>>()?;
    Ok(Json(Page { items, next_cursor: page.next_cursor }))
}

async fn read(State(state): State<AppState>, id: PathId) -> Result<Json<ShowView>, Problem> {
    let show = state.store().show(id.catalogue_id("show")?).await?.ok_or(Problem::not_found("show"))?;
    let read = state.store().seats(show.no).await?;
    let row = ShowRow { show, seats_left: read.seats.seats_left(read.now), occupancy: read.seats.occupancy(read.now) };
    Ok(Json(view(&row, read.now)?))
}

/// What the parameters ask for; `None`: nothing can match.
fn filter(catalogue: &Catalogue, params: &ListParams, now: Timestamp) -> Result<Option<ShowFilter>, Problem> {
    let ids = |text: &Option<String>| text.as_deref().map(CatalogueId::new).transpose();
    let (Ok(theatre), Ok(screen), Ok(movie)) = (ids(&params.theatre), ids(&params.screen), ids(&params.movie)) else {
        return Ok(None);
    };
    let in_city = params.city.as_deref().map(|city| cities::theatres_in(catalogue, city));
    let mut titled = params.q.as_deref().map(|q| movies::matching(catalogue, q));
    // A date is looked for only if no film is called so.
    let is_date = titled.as_ref().is_some_and(Vec::is_empty);
    let on_date = params.q.as_deref().filter(|_| is_date).and_then(|q| asked_date::read(q, now));
    if on_date.is_some() {
        titled = None;
    }
    Ok(Some(ShowFilter {
        theatres: both(in_city, theatre),
        screen,
        movies: both(titled, movie),
        business_day: params.date,
        on_date,
        from: instant("/from", params.from.as_deref())?,
        to: instant("/to", params.to.as_deref())?,
        after: params.cursor.as_deref().map(position).transpose()?,
        limit: 0,
    }))
}

/// The things that both of two conditions leave; `None`: all.
fn both(many: Option<Vec<TheatreId>>, one: Option<TheatreId>) -> Option<Vec<TheatreId>> {
    match (many, one) {
        (None, None) => None,
        (Some(many), None) => Some(many),
        (None, Some(one)) => Some(vec![one]),
        (Some(many), Some(one)) => Some(many.into_iter().filter(|id| *id == one).collect()),
    }
}

fn instant(pointer: &str, text: Option<&str>) -> Result<Option<Timestamp>, Problem> {
    // A plus sign that was not escaped arrives as a blank.
    let parsed = text.map(|text| text.replace(' ', "+").parse()).transpose();
    parsed.map_err(|e: boxoffice::time::BadTime| Problem::invalid(pointer, format!("{}: {e}.", &pointer[1..])))
}

fn cursor_key(show: &Show) -> String {
    format!("{} {}", show.spec.starts_at.as_ms(), show.id())
}

fn position(cursor: &str) -> Result<(Timestamp, ShowId), Problem> {
    let key = paging::key(cursor)?;
    let (ms, id) = key.split_once(' ').ok_or_else(paging::bad_cursor)?;
    let ms = ms.parse().map_err(|_| paging::bad_cursor())?;
    Ok((Timestamp::from_ms(ms), ShowId::new(id).map_err(|_| paging::bad_cursor())?))
}

/// Whether and why seats of a show can be bought on the web now.
#[must_use]
pub fn status(show: &Show, seats_left: usize, now: Timestamp) -> &'static str {
    let opened = show.spec.sales_open.is_none_or(|opens| !now.is_before(opens));
    if show.spec.cancelled {
        "cancelled"
    } else if !opened || !now.is_before(show.web_closes_at()) {
        "closed"
    } else if seats_left == 0 {
        "sold_out"
    } else {
        "on_sale"
    }
}

/// `night of Sat to Sun` for a show after midnight that belongs to the evening before.
#[must_use]
pub fn night(show: &Show) -> Option<String> {
    let (day, date) = (show.business_day, show.local_start().date());
    (day != date).then(|| format!("night of {} to {}", day.strftime("%a"), date.strftime("%a")))
}

/// # Errors
/// [`StoreError::Bug`] if a price of the show cannot be reckoned, which no import lets through.
pub fn view(row: &ShowRow, now: Timestamp) -> Result<ShowView, StoreError> {
    let show = &*row.show;
    let spec = &show.spec;
    let zone = show.theatre.timezone.tz();
    let ask = PriceAsk { show, channel: Channel::Web, bought_at: now, occupancy: row.occupancy, promo: None };
    let prices = pricing::ticket_prices(&ask)
        .map_err(|e| StoreError::Bug(format!("the prices of show {} cannot be reckoned: {e}", spec.id)))?;
    let price = |p: pricing::TicketPrice| PriceView {
        category: p.category,
        ticket_type: p.ticket_type.to_string(),
        face: p.face,
        total: p.total,
    };
    Ok(ShowView {
        id: spec.id.to_string(),
        status: status(show, row.seats_left, now),
        movie: spec.movie.to_string(),
        movie_title: show.movie.title.clone(),
        theatre: show.theatre.id.to_string(),
        screen: spec.screen.to_string(),
        screen_name: show.screen.name.clone(),
        format: spec.format.clone(),
        audio: spec.audio.clone(),
        subtitles: spec.subtitles.clone(),
        business_day: show.business_day,
        night: night(show),
        starts_at: spec.starts_at.with_offset(zone),
        local: show.local_start().datetime().to_string(),
        zone: show.theatre.timezone.name().to_owned(),
        ends_at: show.ends_at().with_offset(zone),
        sales: SalesView {
            opens_at: spec.sales_open.map(|at| at.with_offset(zone)),
            closes_at: show.web_closes_at().with_offset(zone),
        },
        max_seats: spec.max_seats,
        layout_version: show.layout.version(),
        prices: prices.into_iter().map(price).collect(),
        seats_left: row.seats_left,
    })
}
