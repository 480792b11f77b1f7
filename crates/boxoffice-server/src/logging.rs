//! The log: one line per event on standard error, as text or JSON. What goes into it is chosen
//! where it is written: never a name, an address, a token, a key or a query. The crates that this
//! program is made with do not know of that, so that only their warnings go in.

use anyhow::{Context as _, anyhow};
use serde::{Deserialize, Serialize};
use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    #[default]
    Text,
    Json,
}

/// # Errors
/// The text is no filter.
pub fn check_filter(filter: &str) -> anyhow::Result<()> {
    read_filter(filter).map(|_| ())
}

/// Sends the log to standard error from now on.
///
/// # Errors
/// The filter cannot be read, or the log goes somewhere already.
pub fn start(format: Format, filter: &str) -> anyhow::Result<()> {
    tracing::subscriber::set_global_default(subscriber(format, filter, std::io::stderr)?)
        .context("the log is written already")
}

/// What writes the log to `writer`.
///
/// # Errors
/// The filter cannot be read.
pub fn subscriber<W>(format: Format, filter: &str, writer: W) -> anyhow::Result<Box<dyn Subscriber + Send + Sync>>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt().with_env_filter(read_filter(filter)?).with_writer(writer).with_ansi(false);
    Ok(match format {
        Format::Text => Box::new(lines.finish().with(filter_fn(may_be_told))),
        Format::Json => Box::new(lines.json().finish().with(filter_fn(may_be_told))),
    })
}

/// Whatever filter an operator gives: some crates tell whole addresses below their warnings, and
/// a booking's token may stand in one.
fn may_be_told(event: &Metadata<'_>) -> bool {
    event.target().starts_with("boxoffice") || *event.level() <= Level::WARN
}

fn read_filter(filter: &str) -> anyhow::Result<EnvFilter> {
    EnvFilter::builder().parse(filter).map_err(|_| {
        anyhow!("log.level: `{filter}` is no filter; write one such as info or warn,boxoffice_server=debug")
    })
}
