//! `boxoffice ticket`: checks a code as a door without a network would.

use anyhow::bail;

use crate::config::Config;

/// # Errors
/// The code is not one of ours.
pub fn verify(config: &Config, code: &str) -> anyhow::Result<()> {
    let _ = (config, code);
    bail!("tickets are not built yet")
}
