//! `GET /problems/{code}`: what a problem's code means, from the pages in `docs/problems`.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;

use super::extract::PathId;
use super::problem::Problem;
use crate::app::AppState;
use crate::pages::shell::{self, Shell};

#[cfg(test)]
mod tests;

pub fn router() -> Router<AppState> {
    Router::new().route("/problems/{code}", get(read))
}

/// Each code with its status and its page, by code.
const PAGES: [(&str, u16, &str); 38] = [
    ("already-admitted", 409, include_str!("../../../../docs/problems/already-admitted.md")),
    ("already-paid", 409, include_str!("../../../../docs/problems/already-paid.md")),
    ("already-refunded", 409, include_str!("../../../../docs/problems/already-refunded.md")),
    ("ambiguous-seats", 422, include_str!("../../../../docs/problems/ambiguous-seats.md")),
    ("busy", 503, include_str!("../../../../docs/problems/busy.md")),
    ("clock-backwards", 409, include_str!("../../../../docs/problems/clock-backwards.md")),
    ("duplicate-seats", 422, include_str!("../../../../docs/problems/duplicate-seats.md")),
    ("forbidden", 403, include_str!("../../../../docs/problems/forbidden.md")),
    ("hold-expired", 409, include_str!("../../../../docs/problems/hold-expired.md")),
    ("idempotency-key-reused", 422, include_str!("../../../../docs/problems/idempotency-key-reused.md")),
    ("in-use", 409, include_str!("../../../../docs/problems/in-use.md")),
    ("internal-error", 500, include_str!("../../../../docs/problems/internal-error.md")),
    ("invalid-request", 400, include_str!("../../../../docs/problems/invalid-request.md")),
    ("layout-changed", 409, include_str!("../../../../docs/problems/layout-changed.md")),
    ("method-not-allowed", 405, include_str!("../../../../docs/problems/method-not-allowed.md")),
    ("no-seats", 422, include_str!("../../../../docs/problems/no-seats.md")),
    ("not-a-ticket", 422, include_str!("../../../../docs/problems/not-a-ticket.md")),
    ("not-cancellable", 409, include_str!("../../../../docs/problems/not-cancellable.md")),
    ("not-found", 404, include_str!("../../../../docs/problems/not-found.md")),
    ("payload-too-large", 413, include_str!("../../../../docs/problems/payload-too-large.md")),
    ("payment-disputed", 409, include_str!("../../../../docs/problems/payment-disputed.md")),
    ("payment-in-progress", 409, include_str!("../../../../docs/problems/payment-in-progress.md")),
    ("price-changed", 409, include_str!("../../../../docs/problems/price-changed.md")),
    ("promo-code-invalid", 422, include_str!("../../../../docs/problems/promo-code-invalid.md")),
    ("promo-code-used-up", 422, include_str!("../../../../docs/problems/promo-code-used-up.md")),
    ("request-in-progress", 409, include_str!("../../../../docs/problems/request-in-progress.md")),
    ("sales-closed", 409, include_str!("../../../../docs/problems/sales-closed.md")),
    ("seats-unavailable", 409, include_str!("../../../../docs/problems/seats-unavailable.md")),
    ("show-cancelled", 409, include_str!("../../../../docs/problems/show-cancelled.md")),
    ("show-moved", 409, include_str!("../../../../docs/problems/show-moved.md")),
    ("ticket-void", 409, include_str!("../../../../docs/problems/ticket-void.md")),
    ("too-early", 409, include_str!("../../../../docs/problems/too-early.md")),
    ("too-many-requests", 429, include_str!("../../../../docs/problems/too-many-requests.md")),
    ("too-many-seats", 422, include_str!("../../../../docs/problems/too-many-seats.md")),
    ("unauthorized", 401, include_str!("../../../../docs/problems/unauthorized.md")),
    ("unknown-seats", 422, include_str!("../../../../docs/problems/unknown-seats.md")),
    ("unknown-ticket", 422, include_str!("../../../../docs/problems/unknown-ticket.md")),
    ("wrong-show", 409, include_str!("../../../../docs/problems/wrong-show.md")),
];

/// Every code that a problem can have, with its status.
pub fn codes() -> impl Iterator<Item = (&'static str, u16)> {
    PAGES.iter().map(|(code, status, _)| (*code, *status))
}

#[derive(Template)]
#[template(path = "problem_doc.html")]
struct Page {
    shell: Shell,
    title: String,
    blocks: Vec<Block>,
}

/// A heading or a paragraph. The pages use nothing else, and a template escapes what it is given.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Block {
    /// Its element: `h1`, `h2` or `p`.
    tag: &'static str,
    words: Vec<Words>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Words {
    text: String,
    code: bool,
}

async fn read(State(state): State<AppState>, code: PathId) -> Result<Response, Problem> {
    let page = PAGES.iter().find(|(known, ..)| *known == code.0);
    let (.., markdown) = page.ok_or(Problem::not_found("problem"))?;
    let blocks = blocks(markdown);
    shell::page(&Page { shell: Shell::new(&state), title: title(&blocks), blocks })
}

/// The headings and paragraphs of a page: they stand between empty lines, with code in backticks.
fn blocks(markdown: &str) -> Vec<Block> {
    let block = |text: &str| {
        let headings = [("## ", "h2"), ("# ", "h1")];
        let heading = headings.iter().find_map(|(mark, tag)| Some((*tag, text.strip_prefix(mark)?)));
        let (tag, text) = heading.unwrap_or(("p", text));
        let pieces = text.split('`').zip([false, true].into_iter().cycle());
        Block { tag, words: pieces.map(|(text, code)| Words { text: text.to_owned(), code }).collect() }
    };
    markdown.split("\n\n").map(str::trim).filter(|text| !text.is_empty()).map(block).collect()
}

/// The text of the first heading.
fn title(blocks: &[Block]) -> String {
    let heading = blocks.iter().find(|block| block.tag == "h1");
    heading.map(|block| block.words.iter().map(|words| words.text.as_str()).collect()).unwrap_or_default()
}
