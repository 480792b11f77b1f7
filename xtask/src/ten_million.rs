//! `cargo xtask ten-million`: whether a store that has taken ten million bookings sells as fast and
//! starts as soon as one with the same programme and none.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::program::Program;
use crate::stage::{cargo, succeed};

const STARTS: usize = 9;
const START_BAR: f64 = 3.0;

/// Fills the stores below `folder`, or below one that is deleted afterwards, and measures.
///
/// # Errors
/// If a bar is missed, or the program does not run.
pub(crate) fn run(root: &Path, bookings: u64, folder: Option<&Path>) -> Result<()> {
    let kept = folder.map(Path::to_path_buf);
    let temporary = kept.is_none().then(tempfile::tempdir).transpose().context("cannot make a folder")?;
    let folder = kept.or_else(|| temporary.as_ref().map(|t| t.path().to_path_buf())).context("no folder")?;
    let [full, empty] = ["full", "empty"].map(|name| folder.join(name));
    for folder in [&full, &empty] {
        std::fs::create_dir_all(folder).context("cannot make a folder for the store")?;
    }
    let mut measure = cargo(root);
    measure.args(["run", "--release", "--package", "boxoffice-store", "--example", "ten_million", "--"]);
    let measured = succeed(measure.arg(&folder).arg(bookings.to_string()));
    let started = starts(root, &full, &empty);
    measured.and(started)
}

fn starts(root: &Path, full: &Path, empty: &Path) -> Result<()> {
    let [full, empty] = [full, empty].map(|folder| Program::build(root, folder, true));
    let (full, empty) = (full?, empty?);
    let mut times = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        times.0.push(full.serve(&["--test-clock"])?.ready_after);
        times.1.push(empty.serve(&["--test-clock"])?.ready_after);
    }
    let (full, empty) = (median(times.0), median(times.1));
    let ratio = full.as_secs_f64() / empty.as_secs_f64();
    println!("from the start to `listening`: {full:.1?} and {empty:.1?}, ratio {ratio:.2} (bar: below {START_BAR})");
    ensure!(ratio < START_BAR, "a full store starts too slowly");
    Ok(())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
