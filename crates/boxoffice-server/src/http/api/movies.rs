//! `GET /movies` and `GET /movies/{id}`.

use std::collections::{BTreeMap, BTreeSet};

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use boxoffice::catalogue::Catalogue;
use boxoffice::id::MovieId;
use boxoffice::show::{Certificate, Movie, Text};
use boxoffice::store::ShowFilter;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::cities;
use crate::app::AppState;
use crate::http::extract::{self, Params, PathId};
use crate::http::paging::{self, Page};
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    Router::new().route("/movies", get(list)).route("/movies/{id}", get(read))
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct MovieView {
    id: String,
    title: Text,
    language: String,
    runtime_min: u32,
    certificates: BTreeMap<String, Certificate>,
    ids: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListParams {
    city: Option<String>,
    /// A business day.
    #[serde(default, deserialize_with = "extract::day")]
    date: Option<Date>,
    q: Option<String>,
    limit: Option<usize>,
    cursor: Option<String>,
}

async fn list(
    State(state): State<AppState>,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<MovieView>>, Problem> {
    let catalogue = state.store().catalogue().await?;
    let mut movies: Vec<&Movie> = catalogue.movies.values().map(|movie| &**movie).collect();
    if let Some(q) = &params.q {
        movies.retain(|movie| titled(movie, q));
    }
    if params.city.is_some() || params.date.is_some() {
        let shown = shown(&state, &catalogue, &params).await?;
        movies.retain(|movie| shown.contains(&movie.id));
    }
    let views = movies.into_iter().map(view).collect();
    Ok(Json(paging::sorted(views, params.limit, params.cursor.as_deref(), |movie| movie.id.clone())?))
}

async fn read(State(state): State<AppState>, id: PathId) -> Result<Json<MovieView>, Problem> {
    let id = id.catalogue_id("movie")?;
    let catalogue = state.store().catalogue().await?;
    let movie = catalogue.movies.get(&id).ok_or(Problem::not_found("movie"))?;
    Ok(Json(view(movie)))
}

/// The movies that are shown in the city and on the day that were asked for.
async fn shown(state: &AppState, catalogue: &Catalogue, params: &ListParams) -> Result<BTreeSet<MovieId>, Problem> {
    let filter = ShowFilter {
        theatres: params.city.as_deref().map(|city| cities::theatres_in(catalogue, city)),
        business_day: params.date,
        ..ShowFilter::default()
    };
    let rows = state.store().shows(filter).await?;
    Ok(rows.into_iter().map(|row| row.show.spec.movie.clone()).collect())
}

/// The movies whose title, in any language, holds this text.
#[must_use]
pub fn matching(catalogue: &Catalogue, q: &str) -> Vec<MovieId> {
    catalogue.movies.values().filter(|movie| titled(movie, q)).map(|movie| movie.id.clone()).collect()
}

fn titled(movie: &Movie, q: &str) -> bool {
    let q = q.trim().to_lowercase();
    let holds = |title: &String| title.to_lowercase().contains(&q);
    match &movie.title {
        Text::Plain(title) => holds(title),
        Text::ByLanguage(titles) => titles.values().any(holds),
    }
}

fn view(movie: &Movie) -> MovieView {
    MovieView {
        id: movie.id.to_string(),
        title: movie.title.clone(),
        language: movie.language.clone(),
        runtime_min: movie.runtime_min,
        certificates: movie.certificates.clone(),
        ids: movie.ids.clone(),
    }
}
