//! What managers do to the catalogue: import a file, delete what nothing refers to.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::routing::delete;
use boxoffice::action::Deed;
use boxoffice::catalogue::delete::{Kind, Thing};
use boxoffice::catalogue::file::SourceFile;
use boxoffice::refusal::{FieldError, Refusal};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::AppState;
use crate::http::caller::Caller;
use crate::http::extract::{Params, PathId, read_body};
use crate::http::problem::Problem;
use crate::import;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(import_catalogue))
        .routes(routes!(remove))
        .route("/admin/catalogue/{kind}/{programme}/{date}/{time}", delete(remove))
}

/// Room for the catalogue of a large chain.
const CATALOGUE_MAX_BYTES: usize = 16 * 1024 * 1024;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct ImportParams {
    /// Only say what would change.
    #[serde(default)]
    dry_run: bool,
}

/// What an import changed, or would change.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportReport)]
struct ImportView {
    added: usize,
    changed: usize,
    unchanged: usize,
    /// What may be meant so, such as little time for cleaning.
    warnings: Vec<String>,
}

/// Imports a catalogue file
///
/// The body is the file, TOML or JSON, up to 16 MiB: all or nothing, by id; what is not in it stays. Sending it again
/// changes nothing, so that no idempotency key is needed.
#[utoipa::path(
    post,
    path = "/admin/catalogue",
    operation_id = "import_catalogue",
    tag = "staff: catalogue",
    security(("staff_key" = [])),
    params(ImportParams),
    request_body(content = String, content_type = "text/plain", examples(
        ("A film" = (value = json!("[[movies]]\nid = \"tide\"\ntitle = \"Tide\"\nlanguage = \"en\"\nruntime_min = 95\n"))),
    )),
    responses((status = 200, description = "What changed.", body = ImportView)),
    extensions(("x-problems" = json!(["forbidden"])))
)]
async fn import_catalogue(
    State(state): State<AppState>,
    caller: Caller,
    Params(params): Params<ImportParams>,
    request: Request,
) -> Result<Json<ImportView>, Problem> {
    let by = caller.must_manage_all()?.id.clone();
    let body = read_body(&state, request, CATALOGUE_MAX_BYTES).await?;
    let text = std::str::from_utf8(&body).map_err(|_| Problem::invalid("", "The catalogue is not UTF-8 text."))?;
    let file = SourceFile { name: "body".to_owned(), text: text.to_owned() };
    let imported = import::run(state.store(), &[file], params.dry_run).await?;
    if !imported.errors.is_empty() {
        let errors = imported.errors.into_iter().map(|line| FieldError::new("", line)).collect();
        return Err(Refusal::InvalidRequest(errors).into());
    }
    let report = imported.report;
    if !params.dry_run && report.added + report.changed > 0 {
        note(&state, by, "import", "catalogue").await?;
    }
    Ok(Json(ImportView {
        added: report.added,
        changed: report.changed,
        unchanged: report.unchanged,
        warnings: imported.warnings,
    }))
}

/// Deletes a thing that nothing refers to
///
/// Sending it again finds nothing, so that no idempotency key is needed.
#[utoipa::path(
    delete,
    path = "/admin/catalogue/{kind}/{id}",
    operation_id = "delete_from_catalogue",
    tag = "staff: catalogue",
    security(("staff_key" = [])),
    params(
        ("kind" = String, Path, description = "Its table's name in a catalogue file.", example = "movies"),
        ("id" = String, Path, description = "Its id; that of a show may have slashes in it, as they are or as `%2F`.",
            example = "night-train"),
    ),
    responses((status = 204, description = "It is gone.")),
    extensions(("x-problems" = json!(["forbidden", "in-use", "invalid-request"])))
)]
async fn remove(State(state): State<AppState>, caller: Caller, path: PathId) -> Result<StatusCode, Problem> {
    let by = caller.must_manage_all()?.id.clone();
    let (table, id) = path.0.split_once('/').unwrap_or((&path.0, ""));
    let kind = Kind::named(table).ok_or_else(|| no_kind(table))?;
    let thing = Thing::named(kind, id).ok_or_else(|| Thing::missing(kind))?;
    state.store().delete(thing).await?;
    note(&state, by, "delete", &path.0).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Writes down what a manager did to the catalogue, once it is done.
async fn note(state: &AppState, by: String, what: &str, subject: &str) -> Result<(), Problem> {
    let deed = Deed { by, what: what.to_owned(), booking: None, subject: subject.to_owned() };
    Ok(state.store().note(deed).await?)
}

/// A programme is a way to write shows.
fn no_kind(table: &str) -> Problem {
    if table == "programmes" {
        return Problem::invalid("", "A programme is kept as its shows; delete those, as `shows/PROGRAMME/DATE/TIME`.");
    }
    Problem::not_found("table of the catalogue")
}
