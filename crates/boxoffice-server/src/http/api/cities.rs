//! `GET /cities`: where there are theatres.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use boxoffice::catalogue::Catalogue;
use boxoffice::id::TheatreId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::AppState;
use crate::http::extract::Params;
use crate::http::paging::{List, Page};
use crate::http::problem::Problem;

const CITIES: List = List("cities");

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list))
}

/// A city that has a theatre.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = City, example = json!({ "slug": "berlin", "name": "Berlin" }))]
pub struct CityView {
    /// Its name as it stands in addresses and filters.
    pub slug: String,
    pub name: String,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct ListParams {
    /// How many things at most; 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 100)]
    limit: Option<usize>,
    /// The `next_cursor` of the page before.
    cursor: Option<String>,
}

/// The cities that have a theatre
///
/// By slug.
#[utoipa::path(
    get,
    path = "/cities",
    operation_id = "list_cities",
    tag = "catalogue",
    params(ListParams),
    responses((status = 200, description = "A page of cities.", body = Page<CityView>))
)]
async fn list(
    State(state): State<AppState>,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<CityView>>, Problem> {
    let cities = all(&*state.store().catalogue().await?);
    Ok(Json(CITIES.sorted(cities, params.limit, params.cursor.as_deref(), |city| city.slug.clone())?))
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
