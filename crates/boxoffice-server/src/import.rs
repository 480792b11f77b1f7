//! Imports catalogue files into a store: for the command line, the API and the demo alike.

use std::collections::BTreeSet;

use boxoffice::catalogue::file::{self, SourceFile};
use boxoffice::catalogue::{Catalogue, Import, ImportReport, timetable};
use boxoffice::id::ShowId;
use boxoffice::layout::Layout;
use boxoffice::show::ShowSpec;
use boxoffice::store::{ShowFilter, Store, StoreError};

/// How an import came out. With errors, nothing was written.
#[derive(Debug, Clone, Default)]
pub struct Imported {
    pub report: ImportReport,
    /// Each with its place.
    pub errors: Vec<String>,
    pub warnings: Vec<String>,
    /// The halls that are new, or other than they were.
    pub layouts: Vec<Layout>,
}

/// Reads the files over the store's catalogue and writes them, unless something is wrong.
///
/// # Errors
/// The store cannot answer.
pub async fn run(store: &dyn Store, files: &[SourceFile], dry_run: bool) -> Result<Imported, StoreError> {
    let catalogue = store.catalogue().await?;
    let (import, warnings) = match file::read(files, &catalogue) {
        Ok(read) => read,
        Err(errors) => return Ok(Imported { errors: lines(&errors), ..Imported::default() }),
    };
    let warnings = lines(&warnings);
    let errors = clashes(store, &catalogue, &import).await?;
    if !errors.is_empty() {
        return Ok(Imported { errors, warnings, ..Imported::default() });
    }
    let is_new = |layout: &&Layout| {
        let current = catalogue.layout(layout.id());
        current.is_none_or(|current| current.parts() != layout.with_version(current.version()).parts())
    };
    let layouts = import.layouts.iter().filter(is_new).cloned().collect();
    let report = store.import(import, dry_run).await?;
    Ok(Imported { errors: report.conflicts.clone(), report, warnings, layouts })
}

/// What stands against the import among the store's shows that it does not name.
async fn clashes(store: &dyn Store, catalogue: &Catalogue, import: &Import) -> Result<Vec<String>, StoreError> {
    let to_come = ShowFilter { from: Some(store.now()), ..ShowFilter::default() };
    let named: BTreeSet<&ShowId> = import.shows.iter().map(|show| &show.id).collect();
    let rows = store.shows(to_come).await?;
    let others: Vec<ShowSpec> =
        rows.into_iter().map(|row| row.show.spec.clone()).filter(|spec| !named.contains(&spec.id)).collect();
    Ok(timetable::conflicts(&catalogue.with(import), import, &others))
}

fn lines(things: &[impl ToString]) -> Vec<String> {
    things.iter().map(ToString::to_string).collect()
}
