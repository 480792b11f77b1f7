//! Tidy checks: what reviewers would otherwise have to say again and again. They run as a stage
//! of `cargo xtask test`, and as tests of this crate.

mod layers;
mod links;
mod problems;
mod words;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// A text file of the project, by its path from the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    pub(crate) fn has_ending(&self, ending: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|found| found == ending)
    }
}

/// Runs every check and prints each finding.
///
/// # Errors
/// If anything was found, or the project cannot be read.
pub(crate) fn run(root: &Path) -> Result<()> {
    let found = findings(root)?;
    for line in &found {
        println!("{line}");
    }
    if !found.is_empty() {
        bail!("{} tidy findings; each line above names the file and what to change", found.len());
    }
    Ok(())
}

fn findings(root: &Path) -> Result<Vec<String>> {
    let sources = sources(root)?;
    let mut found = words::check(&sources);
    found.extend(links::check(root, &sources));
    found.extend(problems::check(&sources));
    found.extend(layers::check(&layers::edges(root)?));
    Ok(found)
}

const TEXTS: [&str; 8] = ["rs", "md", "toml", "html", "css", "js", "sql", "txt"];
/// Folders; `corpus` and `artifacts` hold what a fuzzer made.
const SKIPPED: [&str; 4] = ["target", ".git", "corpus", "artifacts"];

/// All text files of the project but what is built or made up.
fn sources(root: &Path) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let kind = entry.file_type()?;
            if kind.is_dir() && !SKIPPED.iter().any(|skipped| name == *skipped) {
                folders.push(entry.path());
            } else if kind.is_file() && is_text(&entry.path()) {
                let path = entry.path();
                let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
                sources.push(Source { path: from_root(root, &path), text });
            }
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(sources)
}

fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|found| TEXTS.iter().any(|ending| found == *ending))
}

fn from_root(root: &Path, path: &Path) -> String {
    let parts: PathBuf = path.strip_prefix(root).unwrap_or(path).to_path_buf();
    parts.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_is_tidy() {
        let found = findings(&crate::root()).expect("the project can be read");
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}
