//! The long bars. Each only starts what another crate has: the measuring and judging is done there.

use std::path::Path;

use anyhow::Result;

use crate::stage::{cargo, succeed};

/// The power-loss test of the SQLite store with this many kills.
///
/// # Errors
/// If the test fails.
pub(crate) fn power_loss(root: &Path, kills: u32) -> Result<()> {
    let mut test = cargo(root);
    // Not `--test it` alone: the child that is killed is an example of the crate.
    test.args(["test", "--package", "boxoffice-store", "power_loss", "--", "--nocapture"]);
    succeed(test.env("BOXOFFICE_KILLS", kills.to_string()))
}

/// The benchmarks of the store and of the server over HTTP.
///
/// # Errors
/// If it cannot be built or fails.
pub(crate) fn bench(root: &Path) -> Result<()> {
    succeed(cargo(root).args(["bench", "--package", "boxoffice-store"]))?;
    succeed(cargo(root).args(["bench", "--package", "boxoffice-server", "--bench", "http"]))
}
