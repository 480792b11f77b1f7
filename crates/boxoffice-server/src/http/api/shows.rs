//! `GET /shows` and `GET /shows/{id}`.

use axum::Json;
use axum::extract::State;
use axum::routing::get;
use boxoffice::booking::Channel;
use boxoffice::catalogue::Catalogue;
use boxoffice::id::{CatalogueId, ShowId, TheatreId};
use boxoffice::money::Money;
use boxoffice::pricing::{self, PriceAsk};
use boxoffice::sales::Sales;
use boxoffice::show::{Show, Text};
use boxoffice::store::{ShowFilter, ShowRow, StoreError};
use boxoffice::time::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{asked_date, cities, movies};
use crate::app::AppState;
use crate::http::extract::{self, Params, PathId};
use crate::http::openapi::params::ShowPath;
use crate::http::openapi::words;
use crate::http::paging::{self, List, Page};
use crate::http::problem::Problem;

const SHOWS: List = List("shows");

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(read))
        // The id of a show of a programme, its slashes as they are.
        .route("/shows/{programme}/{date}/{time}", get(read))
}

/// A film in a hall at a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Show)]
pub struct ShowView {
    #[schema(example = "show-1")]
    id: String,
    #[schema(value_type = words::ShowStatus)]
    status: &'static str,
    /// The film's id.
    movie: String,
    #[schema(value_type = words::Text)]
    movie_title: Text,
    /// The theatre's id.
    theatre: String,
    /// The screen's id.
    screen: String,
    #[schema(value_type = words::Text)]
    screen_name: Text,
    /// Such as `IMAX`.
    format: Option<String>,
    audio: Option<String>,
    subtitles: Option<String>,
    /// The day that the show belongs to: one after midnight belongs to the evening before.
    #[schema(value_type = String, format = Date)]
    business_day: Date,
    /// `night of Sat to Sun` for a show after midnight that belongs to the evening before.
    night: Option<String>,
    #[schema(format = DateTime)]
    starts_at: String,
    /// The start on the theatre's clock, without an offset.
    #[schema(example = "2027-06-12T20:00:00")]
    local: String,
    /// The theatre's time zone.
    #[schema(example = "Europe/Berlin")]
    zone: String,
    #[schema(format = DateTime)]
    ends_at: String,
    sales: SalesView,
    /// How many seats one booking may have.
    max_seats: u16,
    /// The version of the hall's plan; see `layout_version` of a booking.
    layout_version: u32,
    /// What a seat costs on the web now, by category and ticket type.
    prices: Vec<PriceView>,
    seats_left: usize,
}

/// When the show is on sale on the web.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Sales)]
struct SalesView {
    /// Null: at once.
    #[schema(format = DateTime)]
    opens_at: Option<String>,
    #[schema(format = DateTime)]
    closes_at: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SeatPrice)]
struct PriceView {
    #[schema(example = "Standard")]
    category: String,
    #[schema(example = "standard")]
    ticket_type: String,
    /// The ticket alone.
    #[schema(value_type = words::Money)]
    face: Money,
    /// With its fees.
    #[schema(value_type = words::Money)]
    total: Money,
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct ListParams {
    /// Only those in the city of this slug.
    #[param(example = "berlin")]
    city: Option<String>,
    /// The theatre's id.
    theatre: Option<String>,
    /// The screen's id.
    screen: Option<String>,
    /// The film's id.
    movie: Option<String>,
    /// Only those of this business day.
    #[serde(default, deserialize_with = "extract::day")]
    #[param(value_type = Option<String>, format = Date, example = "2027-06-12")]
    date: Option<Date>,
    /// Only those that start at or after this instant.
    #[param(format = DateTime, example = "2027-06-12T00:00:00+02:00")]
    from: Option<String>,
    /// Only those that start before this instant.
    #[param(format = DateTime, example = "2027-06-13T00:00:00+02:00")]
    to: Option<String>,
    /// A part of a film's title; where no film is called so, a date as people write it, such as `13 June`.
    #[param(example = "train")]
    q: Option<String>,
    /// How many things at most; 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 100)]
    limit: Option<usize>,
    /// The `next_cursor` of the page before.
    cursor: Option<String>,
}

/// The shows
///
/// By their start, then by id.
#[utoipa::path(
    get,
    path = "/shows",
    operation_id = "list_shows",
    tag = "catalogue",
    params(ListParams),
    responses((status = 200, description = "A page of shows.", body = Page<ShowView>))
)]
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
    let page = SHOWS.cut(rows, limit, |row| cursor_key(&row.show));
    let items = page.items.iter().map(|row| view(row, now)).collect::<Result<_, _>>()?;
    Ok(Json(Page { items, next_cursor: page.next_cursor }))
}

/// One show
#[utoipa::path(
    get,
    path = "/shows/{id}",
    operation_id = "read_show",
    tag = "catalogue",
    params(ShowPath),
    responses((status = 200, description = "The show.", body = ShowView))
)]
async fn read(State(state): State<AppState>, id: PathId) -> Result<Json<ShowView>, Problem> {
    let show = state.store().show(id.catalogue_id("show")?).await?.ok_or(Problem::not_found("show"))?;
    let read = state.store().seats(show.no).await?;
    let row = ShowRow {
        show,
        seats_left: read.seats.seats_left(read.now),
        occupancy: read.seats.occupancy(read.now),
        sales: read.sales,
    };
    Ok(Json(view(&row, read.now)?))
}

/// What the parameters ask for; `None`: nothing can match.
fn filter(catalogue: &Catalogue, params: &ListParams, now: Timestamp) -> Result<Option<ShowFilter>, Problem> {
    // What cannot be read is said before what cannot be found.
    let (from, to) = (instant("/from", params.from.as_deref())?, instant("/to", params.to.as_deref())?);
    let after = params.cursor.as_deref().map(position).transpose()?;
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
        from,
        to,
        after,
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
    let key = SHOWS.key(cursor)?;
    let (ms, id) = key.split_once(' ').ok_or_else(paging::bad_cursor)?;
    let ms = ms.parse().map_err(|_| paging::bad_cursor())?;
    Ok((Timestamp::from_ms(ms), ShowId::new(id).map_err(|_| paging::bad_cursor())?))
}

/// Whether and why seats of a show can be bought on the web now.
#[must_use]
pub fn status(show: &Show, seats_left: usize, (now, sales): (Timestamp, Sales)) -> &'static str {
    let opened = show.spec.sales_open.is_none_or(|opens| !now.is_before(opens));
    if show.spec.cancelled {
        "cancelled"
    } else if !sales.are_open() || !opened || !now.is_before(show.web_closes_at()) {
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
        status: status(show, row.seats_left, (now, row.sales)),
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
