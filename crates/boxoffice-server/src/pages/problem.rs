//! A "no" as a page: what happened, what it means for seats and money, and the one thing to do.

use askama::Template;
use axum::response::Response;
use boxoffice::refusal::Refusal;

use super::shell::{self, Shell};
use crate::app::AppState;
use crate::http::Problem;

#[derive(Template)]
#[template(path = "problem.html")]
struct Page<'a> {
    shell: Shell,
    title: &'a str,
    happened: String,
    means: &'a str,
    request_id: &'a str,
}

/// The page for a problem.
///
/// # Errors
/// [`Problem::Bug`] if the template cannot be filled.
pub fn page(state: &AppState, problem: &Problem, request_id: &str) -> Result<Response, Problem> {
    let page = Page {
        shell: Shell::new(state),
        title: title(problem),
        happened: happened(problem),
        means: means(problem),
        request_id,
    };
    shell::page_with(problem.status(), &page).map(shell::private)
}

fn is_missing(problem: &Problem) -> bool {
    matches!(problem, Problem::Refused(Refusal::NotFound(_)) | Problem::NoSuchAddress)
}

fn title(problem: &Problem) -> &str {
    if is_missing(problem) { "There is nothing here" } else { problem.title() }
}

fn happened(problem: &Problem) -> String {
    if is_missing(problem) {
        return "The address is wrong, or what it showed is gone. A booking opens only in the browser that made it, \
                or by its own link."
            .to_owned();
    }
    problem.detail()
}

fn means(problem: &Problem) -> &'static str {
    if problem.retryable() {
        "Nothing was charged and no seat was lost. Load this page again in a moment."
    } else {
        "Nothing was charged by this."
    }
}
