//! `GET /theatres` and `GET /theatres/{id}`, the latter with its screens.

use axum::Json;
use axum::extract::State;
use boxoffice::show::{Text, Theatre};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::cities;
use crate::app::AppState;
use crate::http::extract::{Params, PathId};
use crate::http::openapi::words;
use crate::http::paging::{List, Page};
use crate::http::problem::Problem;

const THEATRES: List = List("theatres");

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(read))
}

/// A house with screens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Theatre)]
struct TheatreView {
    #[schema(example = "kino-am-markt")]
    id: String,
    #[schema(value_type = words::Text)]
    name: Text,
    city: String,
    /// The city's slug.
    city_slug: String,
    /// ISO 3166, two letters.
    #[schema(example = "DE")]
    country: String,
    #[schema(example = "Europe/Berlin")]
    timezone: String,
    /// ISO 4217.
    #[schema(example = "EUR")]
    currency: String,
    #[schema(value_type = Option<words::Text>)]
    address: Option<Text>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct TheatreWithScreens {
    #[serde(flatten)]
    theatre: TheatreView,
    screens: Vec<ScreenView>,
}

/// A hall of a theatre.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Screen)]
struct ScreenView {
    #[schema(example = "markt-1")]
    id: String,
    #[schema(value_type = words::Text)]
    name: Text,
    /// How many it has.
    seats: usize,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct ListParams {
    /// Only those in the city of this slug.
    #[param(example = "berlin")]
    city: Option<String>,
    /// How many things at most; 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 100)]
    limit: Option<usize>,
    /// The `next_cursor` of the page before.
    cursor: Option<String>,
}

/// The theatres
///
/// By id.
#[utoipa::path(
    get,
    path = "/theatres",
    operation_id = "list_theatres",
    tag = "catalogue",
    params(ListParams),
    responses((status = 200, description = "A page of theatres.", body = Page<TheatreView>))
)]
async fn list(
    State(state): State<AppState>,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<TheatreView>>, Problem> {
    let catalogue = state.store().catalogue().await?;
    let wanted = |theatre: &&std::sync::Arc<Theatre>| {
        params.city.as_ref().is_none_or(|city| cities::slug(&theatre.city) == *city)
    };
    let theatres = catalogue.theatres.values().filter(wanted).map(|t| view(t)).collect();
    Ok(Json(THEATRES.sorted(theatres, params.limit, params.cursor.as_deref(), |t| t.id.clone())?))
}

/// One theatre, with its screens
#[utoipa::path(
    get,
    path = "/theatres/{id}",
    operation_id = "read_theatre",
    tag = "catalogue",
    params(("id" = String, Path, description = "The theatre's id.", example = "kino-am-markt")),
    responses((status = 200, description = "The theatre.", body = TheatreWithScreens))
)]
async fn read(State(state): State<AppState>, id: PathId) -> Result<Json<TheatreWithScreens>, Problem> {
    let id = id.catalogue_id("theatre")?;
    let catalogue = state.store().catalogue().await?;
    let theatre = catalogue.theatres.get(&id).ok_or(Problem::not_found("theatre"))?;
    let here = catalogue.screens.values().filter(|screen| screen.theatre == id);
    let screens = here.map(|screen| ScreenView {
        id: screen.id.to_string(),
        name: screen.name.clone(),
        seats: catalogue.layout(&screen.layout).map_or(0, |layout| layout.seats().len()),
    });
    Ok(Json(TheatreWithScreens { theatre: view(theatre), screens: screens.collect() }))
}

fn view(theatre: &Theatre) -> TheatreView {
    TheatreView {
        id: theatre.id.to_string(),
        name: theatre.name.clone(),
        city: theatre.city.clone(),
        city_slug: cities::slug(&theatre.city),
        country: theatre.country.clone(),
        timezone: theatre.timezone.name().to_owned(),
        currency: theatre.currency.code().to_owned(),
        address: theatre.address.clone(),
    }
}
