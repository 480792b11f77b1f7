//! A film's page: what it is, and where and when it is shown.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use boxoffice::show::Movie;

use super::poster::{self, Poster};
use super::programme::{self, Group};
use super::shell::{self, Shell};
use super::text;
use crate::app::AppState;
use crate::http::Problem;
use crate::http::extract::PathId;

/// Days shown per theatre; more stand on the programme.
const GROUPS_MAX: usize = 40;

pub fn router() -> Router<AppState> {
    Router::new().route("/movies/{id}", get(show))
}

#[derive(Template)]
#[template(path = "movie.html")]
struct Page {
    shell: Shell,
    title: String,
    facts: Vec<(&'static str, String)>,
    poster: Poster,
    groups: Vec<Group>,
}

async fn show(State(state): State<AppState>, id: PathId) -> Result<Response, Problem> {
    let catalogue = state.store().catalogue().await?;
    let id = id.catalogue_id("movie")?;
    let movie = catalogue.movies.get(&id).ok_or_else(|| Problem::not_found("movie"))?;
    let rows = programme::upcoming(&state, None, Some(vec![id])).await?;
    let now = state.store().now();
    let mut groups = Vec::new();
    for row in &rows {
        let theatre = row.show.theatre.name.english();
        let heading = format!("{}, {theatre}", text::long_date(row.show.business_day));
        programme::put(&mut groups, heading, programme::time(row, now));
    }
    groups.truncate(GROUPS_MAX);
    let country = rows.first().map(|row| row.show.theatre.country.clone());
    let country = country.or_else(|| movie.certificates.keys().next().cloned()).unwrap_or_default();
    shell::page(&Page {
        shell: Shell::new(&state),
        title: movie.title.english().to_owned(),
        facts: facts(movie, &country),
        poster: poster::draw(movie, &country),
        groups,
    })
}

fn facts(movie: &Movie, country: &str) -> Vec<(&'static str, String)> {
    let mut facts =
        vec![("Runtime", text::runtime(movie.runtime_min)), ("Language", text::language(&movie.language).to_owned())];
    if let Some(certificate) = movie.certificates.get(country) {
        let age = certificate.min_age.map(|age| format!(", from {age}")).unwrap_or_default();
        facts.push(("Certificate", format!("{}{age}", certificate.label)));
    }
    facts
}
