//! `GET /cities`: where there are theatres.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use boxoffice::catalogue::Catalogue;
use boxoffice::id::TheatreId;
use serde::{Deserialize, Serialize};

use crate::app::AppState;
use crate::http::extract::Params;
use crate::http::paging::{self, Page};
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    Router::new().route("/cities", get(list))
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CityView {
    pub slug: String,
    pub name: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListParams {
    limit: Option<usize>,
    cursor: Option<String>,
}

async fn list(
    State(state): State<AppState>,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<CityView>>, Problem> {
    let cities = all(&*state.store().catalogue().await?);
    Ok(Json(paging::sorted(cities, params.limit, params.cursor.as_deref(), |city| city.slug.clone())?))
}

/// The cities that have a theatre, by slug.
#[must_use]
pub fn all(catalogue: &Catalogue) -> Vec<CityView> {
    let named: BTreeMap<String, &str> = catalogue.theatres.values().map(|t| (slug(&t.city), t.city.as_str())).collect();
    named.into_iter().map(|(slug, name)| CityView { slug, name: name.to_owned() }).collect()
}

/// The theatres of a city, by id; none if there is no such city.
#[must_use]
pub fn theatres_in(catalogue: &Catalogue, city_slug: &str) -> Vec<TheatreId> {
    catalogue.theatres.values().filter(|t| slug(&t.city) == city_slug).map(|t| t.id.clone()).collect()
}

/// A city's name as it stands in addresses: lower case, letters and digits, hyphens between.
#[must_use]
pub fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for c in name.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            slug.push(c);
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}
