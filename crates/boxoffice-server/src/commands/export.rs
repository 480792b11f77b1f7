//! `boxoffice export`: writes the catalogue into a folder, as files that `import` reads back.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use boxoffice::catalogue::export::{Export, export};
use boxoffice::store::ShowFilter;
use serde_json::json;

use super::block_on;
use crate::config::Config;
use crate::stores;

/// # Errors
/// Something is in the folder already, it cannot be written, or the store cannot answer.
pub fn run(config: &Config, folder: &Path, as_json: bool) -> anyhow::Result<()> {
    if std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        bail!("there is something in {} already; name a folder that is empty or not there", folder.display());
    }
    let store = stores::open_filled(&config.store)?;
    let written = block_on(async {
        let catalogue = store.catalogue().await?;
        let rows = store.shows(ShowFilter::default()).await?;
        let shows: Vec<_> = rows.into_iter().map(|row| row.show).collect();
        export(&catalogue, &shows).map_err(|why| anyhow!("bug: the catalogue cannot be written as TOML: {why}"))
    })?;
    write(folder, &written)?;
    if as_json {
        let files: Vec<&str> = written.files.iter().map(|file| file.name.as_str()).collect();
        let counts: serde_json::Map<_, _> =
            written.counts.iter().map(|(table, count)| ((*table).to_owned(), json!(count))).collect();
        println!("{}", json!({ "files": files, "counts": counts, "cancelled_shows_left_out": written.cancelled }));
        return Ok(());
    }
    let counts: Vec<String> = written.counts.iter().map(|(table, count)| format!("{count} {}", words(table))).collect();
    println!("Exported {}.", counts.join(", "));
    if written.cancelled > 0 {
        println!("Left out: {} cancelled, which no catalogue file can say.", shows(written.cancelled));
    }
    println!("Read it back with: boxoffice import {}", folder.join("*.toml").display());
    Ok(())
}

fn words(table: &str) -> String {
    table.replace('_', " ")
}

fn shows(count: usize) -> String {
    if count == 1 { "1 show".to_owned() } else { format!("{count} shows") }
}

/// The folder is there with all of its files, or not at all.
fn write(folder: &Path, written: &Export) -> anyhow::Result<()> {
    let partial = beside(folder)?;
    let filled = fill(&partial, written).and_then(|()| {
        if folder.exists() {
            std::fs::remove_dir(folder)?;
        }
        std::fs::rename(&partial, folder)
    });
    filled.with_context(|| {
        // What was begun is of no use to anybody.
        let _ = std::fs::remove_dir_all(&partial);
        format!("cannot write {}; check that its folder is there, may be written and has room", folder.display())
    })
}

fn beside(folder: &Path) -> anyhow::Result<PathBuf> {
    let name = folder.file_name().with_context(|| format!("{} names no folder to make", folder.display()))?;
    let name = format!(".{}.partial-{}", name.to_string_lossy(), std::process::id());
    Ok(folder.with_file_name(name))
}

fn fill(folder: &Path, written: &Export) -> std::io::Result<()> {
    std::fs::create_dir(folder)?;
    written.files.iter().try_for_each(|file| std::fs::write(folder.join(&file.name), &file.text))
}
