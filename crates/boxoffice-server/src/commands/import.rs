//! `boxoffice import`: reads catalogue files into the store, all of them or nothing.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, bail};
use boxoffice::catalogue::file::{SourceFile, plan_files};
use boxoffice::layout::drawing;

use super::block_on;
use crate::cli::ImportArgs;
use crate::config::Config;
use crate::{import, stores};

/// # Errors
/// A file cannot be read, something in it is wrong, or what is sold stands against it.
pub fn run(config: &Config, args: &ImportArgs) -> anyhow::Result<()> {
    let files = with_plans(args.files.iter().map(|file| read(file)).collect::<anyhow::Result<Vec<_>>>()?)?;
    stores::warn_if_not_kept(&config.store);
    let store = stores::open(&config.store)?;
    let imported = block_on(async { Ok(import::run(&*store, &files, args.dry_run).await?) })?;
    for warning in &imported.warnings {
        eprintln!("warning: {warning}");
    }
    if !imported.errors.is_empty() {
        for error in &imported.errors {
            eprintln!("{error}");
        }
        bail!("nothing was imported: {} to mend first", count(imported.errors.len()));
    }
    if args.dry_run {
        for layout in &imported.layouts {
            println!("{}", drawing::draw(layout));
        }
    }
    let report = &imported.report;
    let done = if args.dry_run { "Would be" } else { "Imported:" };
    println!("{done} {} added, {} changed, {} unchanged.", report.added, report.changed, report.unchanged);
    Ok(())
}

/// Adds the seat plans that the files name.
fn with_plans(mut files: Vec<SourceFile>) -> anyhow::Result<Vec<SourceFile>> {
    for name in files.iter().flat_map(plan_files).collect::<BTreeSet<_>>() {
        if !files.iter().any(|file| file.name == name) {
            let plan = read(Path::new(&name)).context("a layout names it as its `file`")?;
            files.push(plan);
        }
    }
    Ok(files)
}

fn read(file: &Path) -> anyhow::Result<SourceFile> {
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("cannot read {name}; check the path, and that it is UTF-8 text"))?;
    Ok(SourceFile { name, text })
}

fn count(errors: usize) -> String {
    if errors == 1 { "1 thing".to_owned() } else { format!("{errors} things") }
}
