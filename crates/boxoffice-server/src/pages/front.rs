//! The front page, and a city's programme by day.

use std::collections::BTreeMap;

use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use boxoffice::catalogue::Catalogue;
use boxoffice::id::TheatreId;
use serde::Deserialize;

use super::programme::{self, FilmCard, Programme};
use super::shell::{self, Shell};
use super::{link, text};
use crate::app::AppState;
use crate::http::Problem;
use crate::http::api::cities;
use crate::http::extract::PathId;

/// Films on the front page.
const FILMS_MAX: usize = 12;

pub fn router() -> Router<AppState> {
    Router::new().route("/", get(front)).route("/cities/{slug}", get(city))
}

#[derive(Template)]
#[template(path = "front.html")]
struct Front {
    shell: Shell,
    cities: Vec<City>,
    films: Vec<FilmCard>,
}

struct City {
    name: String,
    link: String,
    theatres: String,
}

#[derive(Template)]
#[template(path = "city.html")]
struct CityPage {
    shell: Shell,
    /// The city, or the one theatre there is.
    title: String,
    subtitle: String,
    /// Leads back to all cities, where there are several.
    other_cities: bool,
    here: String,
    programme: Programme,
}

#[derive(Debug, Deserialize)]
struct Day {
    /// A business day; one that cannot be read is no choice.
    date: Option<String>,
}

async fn front(State(state): State<AppState>, Query(day): Query<Day>) -> Result<Response, Problem> {
    let catalogue = state.store().catalogue().await?;
    let theatres: Vec<TheatreId> = catalogue.theatres.keys().cloned().collect();
    if theatres.len() == 1 {
        return programme_page(&state, &catalogue, theatres, "/".to_owned(), &day).await;
    }
    let rows = programme::upcoming(&state, None, None).await?;
    let mut films: Vec<FilmCard> = Vec::new();
    for row in &rows {
        if films.len() < FILMS_MAX && films.iter().all(|film| film.id != row.show.movie.id.as_str()) {
            films.push(programme::card(&row.show));
        }
    }
    shell::page(&Front { shell: Shell::new(&state), cities: all_cities(&catalogue), films })
}

fn all_cities(catalogue: &Catalogue) -> Vec<City> {
    let mut theatres: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for theatre in catalogue.theatres.values() {
        theatres.entry(cities::slug(&theatre.city)).or_default().push(theatre.name.english());
    }
    let city = |city: cities::CityView| City {
        link: link::city(&city.slug),
        theatres: theatres.get(&city.slug).map(|names| text::list(names)).unwrap_or_default(),
        name: city.name,
    };
    cities::all(catalogue).into_iter().map(city).collect()
}

async fn city(
    State(state): State<AppState>,
    PathId(slug): PathId,
    Query(day): Query<Day>,
) -> Result<Response, Problem> {
    let catalogue = state.store().catalogue().await?;
    let theatres = cities::theatres_in(&catalogue, &slug);
    if theatres.is_empty() {
        return Err(Problem::not_found("city"));
    }
    programme_page(&state, &catalogue, theatres, link::city(&slug), &day).await
}

async fn programme_page(
    state: &AppState,
    catalogue: &Catalogue,
    theatres: Vec<TheatreId>,
    here: String,
    day: &Day,
) -> Result<Response, Problem> {
    let known: Vec<_> = theatres.iter().filter_map(|id| catalogue.theatres.get(id)).collect();
    let names: Vec<&str> = known.iter().map(|t| t.name.english()).collect();
    let city = known.first().map(|t| t.city.clone()).unwrap_or_default();
    let (title, subtitle) = match names.as_slice() {
        [one] => ((*one).to_owned(), city),
        several => (city, text::list(several)),
    };
    let date = day.date.as_deref().and_then(|text| text.parse().ok());
    let programme = programme::of(state, theatres, date).await?;
    let other_cities = catalogue.theatres.len() > 1;
    shell::page(&CityPage { shell: Shell::new(state), title, subtitle, other_cities, here, programme })
}
