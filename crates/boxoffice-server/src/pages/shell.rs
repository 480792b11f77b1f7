//! What all pages share: the frame around the content, and how private ones are kept so.

use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use super::assets;
use crate::app::AppState;
use crate::http::Problem;

/// What the frame of every page needs.
#[derive(Debug, Clone)]
pub struct Shell {
    pub css: String,
    pub icon: String,
    /// Says that nothing here is real.
    pub demo: bool,
}

impl Shell {
    #[must_use]
    pub fn new(state: &AppState) -> Self {
        Self { css: assets::css_path(), icon: assets::icon_path(), demo: state.site.allows_sandbox() }
    }
}

/// Renders a page.
///
/// # Errors
/// [`Problem::Bug`] if the template cannot be filled.
pub fn page(template: &impl Template) -> Result<Response, Problem> {
    page_with(StatusCode::OK, template)
}

/// Renders a page with another status than 200.
///
/// # Errors
/// [`Problem::Bug`] if the template cannot be filled.
pub fn page_with(status: StatusCode, template: &impl Template) -> Result<Response, Problem> {
    let html = template.render().map_err(|e| Problem::Bug(format!("a page cannot be rendered: {e}")))?;
    Ok((status, Html(html)).into_response())
}

/// Marks an answer as private: not kept by any cache, not found by any search.
#[must_use]
pub fn private(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex, nofollow"));
    response
}
