//! The configuration: one struct, read from a file and overlaid by the command line, checked
//! before anything starts.

use std::net::SocketAddr;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use axum::http::Uri;
use serde::{Deserialize, Serialize};

use crate::cli::{Global, ServeArgs};
use crate::logging;
use crate::mail::MailConfig;

mod limits;
mod privacy;
#[cfg(test)]
mod tests;

pub use limits::{CorsConfig, Limits, LimitsConfig};
pub use privacy::PrivacyConfig;

/// Everything that can be configured. Written out, it shows no secret.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// `sqlite:PATH` or `memory:`.
    pub store: String,
    pub listen: SocketAddr,
    /// Where metrics are read; none: nowhere. Nobody but the cinema's own monitoring should reach it.
    pub metrics_listen: Option<SocketAddr>,
    /// What links begin with; none: the address that the server listens on.
    pub public_url: Option<String>,
    /// Threads that answer requests; none: one per processor.
    pub workers: Option<u16>,
    pub log: Log,
    pub mail: MailConfig,
    pub limits: LimitsConfig,
    pub cors: CorsConfig,
    pub privacy: PrivacyConfig,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Log {
    pub format: logging::Format,
    /// A filter such as `info` or `warn,boxoffice_server=debug`.
    pub level: String,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            store: "sqlite:boxoffice.db".to_owned(),
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            metrics_listen: None,
            public_url: None,
            workers: None,
            log: Log::default(),
            mail: MailConfig::default(),
            limits: LimitsConfig::default(),
            cors: CorsConfig::default(),
            privacy: PrivacyConfig::default(),
        }
    }
}

impl Default for Log {
    fn default() -> Self {
        Self { format: logging::Format::default(), level: "info".to_owned() }
    }
}

impl Config {
    /// # Errors
    /// The file cannot be read, or something in it is wrong: file, line and key are named.
    pub fn load(file: Option<&Path>) -> anyhow::Result<Self> {
        let Some(file) = file else { return Ok(Self::default()) };
        let name = file.display();
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {name}; check the path given with --config"))?;
        let config = Self::parse(&name.to_string(), &text)?;
        config.check().with_context(|| name.to_string())?;
        Ok(config)
    }

    fn parse(name: &str, text: &str) -> anyhow::Result<Self> {
        let at = |error: &toml::de::Error, key: &str| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            let key = if key == "." { String::new() } else { format!(" {key}:") };
            anyhow!("{name}:{line}:{key} {}", error.message().replace('\n', " "))
        };
        let document = toml::Deserializer::parse(text).map_err(|error| at(&error, "."))?;
        serde_path_to_error::deserialize(document).map_err(|error| at(error.inner(), &error.path().to_string()))
    }

    fn check(&self) -> anyhow::Result<()> {
        if self.workers == Some(0) {
            bail!("workers: at least 1 thread must answer; leave the key out for one per processor");
        }
        if let Some(url) = &self.public_url {
            check_public_url(url)?;
        }
        self.mail.check()?;
        self.limits.check(false)?;
        self.cors.check()?;
        self.privacy.check()?;
        logging::check_filter(&self.log.level)
    }

    /// The configuration with what the command line and the environment say for every command.
    #[must_use]
    pub fn with(mut self, global: &Global) -> Self {
        overlay(&mut self.store, &global.store);
        overlay(&mut self.log.format, &global.log_format);
        overlay(&mut self.log.level, &global.log_level);
        self
    }

    /// The configuration with what they say for `serve`.
    #[must_use]
    pub fn with_serve(mut self, args: &ServeArgs) -> Self {
        overlay(&mut self.listen, &args.listen);
        self.metrics_listen = args.metrics_listen.or(self.metrics_listen);
        self.public_url = args.public_url.clone().or(self.public_url);
        self.workers = args.workers.or(self.workers);
        self.mail.smtp = args.smtp.clone().or(self.mail.smtp);
        self.mail.from = args.mail_from.clone().or(self.mail.from);
        self.mail.reply_to = args.mail_reply_to.clone().or(self.mail.reply_to);
        self
    }
}

fn overlay<T: Clone>(value: &mut T, over: &Option<T>) {
    if let Some(over) = over {
        value.clone_from(over);
    }
}

/// # Errors
/// The text is not the beginning of a web address, or ends in a slash.
pub fn check_public_url(url: &str) -> anyhow::Result<()> {
    let uri: Option<Uri> = url.parse().ok();
    let good = uri.is_some_and(|u| matches!(u.scheme_str(), Some("http" | "https")) && u.query().is_none());
    if good && !url.ends_with('/') {
        return Ok(());
    }
    bail!("public_url: `{url}` is not what links can begin with; write one such as https://tickets.example.org")
}
