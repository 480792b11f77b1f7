//! How long the configuration has persons kept.

use serde::{Deserialize, Serialize};

/// `[privacy]` of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct PrivacyConfig {
    /// Days after its show for which a booking names its customer; none: until somebody asks.
    pub keep_days: Option<u32>,
}

impl PrivacyConfig {
    /// # Errors
    /// The time is none.
    pub fn check(self) -> anyhow::Result<()> {
        match self.keep_days {
            Some(0) => anyhow::bail!("privacy.keep_days: at least 1 day; leave the key out to keep names until asked"),
            Some(days) if days > 36_500 => anyhow::bail!("privacy.keep_days: {days} days are longer than a century"),
            Some(_) | None => Ok(()),
        }
    }
}
