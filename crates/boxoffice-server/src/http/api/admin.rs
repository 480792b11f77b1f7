//! What managers do to the catalogue: import a file, delete what nothing refers to.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::routing::{delete, post};
use axum::{Json, Router};
use boxoffice::catalogue::delete::{Kind, Thing};
use boxoffice::catalogue::file::SourceFile;
use boxoffice::refusal::{FieldError, Refusal};
use serde::{Deserialize, Serialize};

use crate::app::AppState;
use crate::http::caller::Caller;
use crate::http::extract::{Params, PathId, read_body};
use crate::http::problem::Problem;
use crate::import;

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/admin/catalogue", post(import_catalogue))
        .route("/admin/catalogue/{kind}/{id}", delete(remove))
        .route("/admin/catalogue/{kind}/{programme}/{date}/{time}", delete(remove))
}

/// Room for the catalogue of a large chain.
const CATALOGUE_MAX_BYTES: usize = 16 * 1024 * 1024;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ImportParams {
    /// Only say what would change.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Debug, Serialize)]
struct ImportView {
    added: usize,
    changed: usize,
    unchanged: usize,
    warnings: Vec<String>,
}

/// Takes a catalogue file as the body, TOML or JSON. Sending it again changes nothing, so that
/// no idempotency key is needed.
async fn import_catalogue(
    State(state): State<AppState>,
    caller: Caller,
    Params(params): Params<ImportParams>,
    request: Request,
) -> Result<Json<ImportView>, Problem> {
    caller.must_manage()?;
    let body = read_body(&state, request, CATALOGUE_MAX_BYTES).await?;
    let text = std::str::from_utf8(&body).map_err(|_| Problem::invalid("", "The catalogue is not UTF-8 text."))?;
    let file = SourceFile { name: "body".to_owned(), text: text.to_owned() };
    let imported = import::run(state.store(), &[file], params.dry_run).await?;
    if !imported.errors.is_empty() {
        let errors = imported.errors.into_iter().map(|line| FieldError::new("", line)).collect();
        return Err(Refusal::InvalidRequest(errors).into());
    }
    let report = imported.report;
    Ok(Json(ImportView {
        added: report.added,
        changed: report.changed,
        unchanged: report.unchanged,
        warnings: imported.warnings,
    }))
}

/// Deletes one thing; its kind is its table's name in a catalogue file. Sending it again finds nothing, so that no
/// idempotency key is needed.
async fn remove(State(state): State<AppState>, caller: Caller, path: PathId) -> Result<StatusCode, Problem> {
    caller.must_manage()?;
    let (table, id) = path.0.split_once('/').unwrap_or((&path.0, ""));
    let kind = Kind::named(table).ok_or_else(|| no_kind(table))?;
    let thing = Thing::named(kind, id).ok_or_else(|| Thing::missing(kind))?;
    state.store().delete(thing).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A programme is a way to write shows.
fn no_kind(table: &str) -> Problem {
    if table == "programmes" {
        return Problem::invalid("", "A programme is kept as its shows; delete those, as `shows/PROGRAMME/DATE/TIME`.");
    }
    Problem::not_found("table of the catalogue")
}
