//! `boxoffice import`: reads catalogue files into the store, all of them or nothing.

use anyhow::bail;

use crate::cli::ImportArgs;
use crate::config::Config;

/// # Errors
/// Not built yet.
pub fn run(_: &Config, _: &ImportArgs) -> anyhow::Result<()> {
    bail!("not built yet")
}
