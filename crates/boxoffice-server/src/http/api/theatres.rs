//! `GET /theatres` and `GET /theatres/{id}`, the latter with its screens.

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use boxoffice::show::{Text, Theatre};
use serde::{Deserialize, Serialize};

use super::cities;
use crate::app::AppState;
use crate::http::extract::{Params, PathId};
use crate::http::paging::{self, Page};
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    Router::new().route("/theatres", get(list)).route("/theatres/{id}", get(read))
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct TheatreView {
    id: String,
    name: Text,
    city: String,
    /// The city's slug.
    city_slug: String,
    country: String,
    timezone: String,
    currency: String,
    address: Option<Text>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct TheatreWithScreens {
    #[serde(flatten)]
    theatre: TheatreView,
    screens: Vec<ScreenView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ScreenView {
    id: String,
    name: Text,
    seats: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListParams {
    city: Option<String>,
    limit: Option<usize>,
    cursor: Option<String>,
}

async fn list(
    State(state): State<AppState>,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<TheatreView>>, Problem> {
    let catalogue = state.store().catalogue().await?;
    let wanted = |theatre: &&std::sync::Arc<Theatre>| {
        params.city.as_ref().is_none_or(|city| cities::slug(&theatre.city) == *city)
    };
    let theatres = catalogue.theatres.values().filter(wanted).map(|t| view(t)).collect();
    Ok(Json(paging::sorted(theatres, params.limit, params.cursor.as_deref(), |t| t.id.clone())?))
}

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
