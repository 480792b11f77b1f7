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
    let counts: Vec<String> = written.counts.iter().map(|(table, count)| words(table, *count)).collect();
    println!("Exported {}.", counts.join(", "));
    if written.cancelled > 0 {
        println!("Left out: {} cancelled, which no catalogue file can say.", words("shows", written.cancelled));
    }
    println!("Read it back with: boxoffice import {}", folder.join("*.toml").display());
    Ok(())
}

/// `1 ticket type`, `2 refund policies`.
fn words(table: &str, count: usize) -> String {
    let one = match table {
        "taxes" => "tax",
        "refund_policies" => "refund policy",
        other => other.strip_suffix('s').unwrap_or(other),
    };
    let name = if count == 1 { one } else { table };
    format!("{count} {}", name.replace('_', " "))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_said_as_one() {
        for (table, one) in [
            ("theatres", "1 theatre"),
            ("layouts", "1 layout"),
            ("movies", "1 movie"),
            ("ticket_types", "1 ticket type"),
            ("taxes", "1 tax"),
            ("fees", "1 fee"),
            ("refund_policies", "1 refund policy"),
        ] {
            assert_eq!(words(table, 1), one);
        }
        assert_eq!(words("refund_policies", 2), "2 refund policies");
    }
}
