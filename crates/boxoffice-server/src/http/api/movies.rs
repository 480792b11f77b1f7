//! `GET /movies` and `GET /movies/{id}`.

use std::collections::{BTreeMap, BTreeSet};

use axum::Json;
use axum::extract::State;
use boxoffice::catalogue::Catalogue;
use boxoffice::id::MovieId;
use boxoffice::show::{Certificate, Movie, Text};
use boxoffice::store::ShowFilter;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::cities;
use crate::app::AppState;
use crate::http::extract::{self, Params, PathId};
use crate::http::openapi::words;
use crate::http::paging::{List, Page};
use crate::http::problem::Problem;

const MOVIES: List = List("movies");

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(read))
}

/// A film.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Movie)]
struct MovieView {
    #[schema(example = "night-train")]
    id: String,
    #[schema(value_type = words::Text)]
    title: Text,
    /// The language it was made in, as a language tag.
    #[schema(example = "de")]
    language: String,
    /// Minutes.
    runtime_min: u32,
    /// From which age, by country.
    #[schema(value_type = BTreeMap<String, words::Certificate>)]
    certificates: BTreeMap<String, Certificate>,
    /// Its numbers elsewhere, such as `eidr`.
    ids: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct ListParams {
    /// Only those that are shown in the city of this slug.
    #[param(example = "berlin")]
    city: Option<String>,
    /// Only those that are shown on this business day.
    #[serde(default, deserialize_with = "extract::day")]
    #[param(value_type = Option<String>, format = Date, example = "2027-06-12")]
    date: Option<Date>,
    /// A part of the title, in any language.
    #[param(example = "train")]
    q: Option<String>,
    /// How many things at most; 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 100)]
    limit: Option<usize>,
    /// The `next_cursor` of the page before.
    cursor: Option<String>,
}

/// The films
///
/// By id.
#[utoipa::path(
    get,
    path = "/movies",
    operation_id = "list_movies",
    tag = "catalogue",
    params(ListParams),
    responses((status = 200, description = "A page of films.", body = Page<MovieView>))
)]
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
    Ok(Json(MOVIES.sorted(views, params.limit, params.cursor.as_deref(), |movie| movie.id.clone())?))
}

/// One film
#[utoipa::path(
    get,
    path = "/movies/{id}",
    operation_id = "read_movie",
    tag = "catalogue",
    params(("id" = String, Path, description = "The film's id.", example = "night-train")),
    responses((status = 200, description = "The film.", body = MovieView))
)]
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
