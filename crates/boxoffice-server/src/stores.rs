//! Opens the store that a URL names.

use std::path::Path;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use boxoffice::clock::SystemClock;
use boxoffice::memory::MemoryStore;
use boxoffice::store::Store;
use boxoffice_store::{ServingLock, SqliteStore};

use crate::metrics::StoreFigures;

/// A store, and the sign that this process alone serves from it where a store needs that.
#[derive(Debug)]
pub struct Opened {
    pub store: Arc<dyn Store>,
    pub lock: Option<ServingLock>,
    pub figures: Option<StoreFigures>,
}

/// Opens a store for a command that works beside a running server. A missing one is made.
///
/// # Errors
/// The URL names no store that there is, or it cannot be opened.
pub fn open(url: &str) -> anyhow::Result<Arc<dyn Store>> {
    match scheme(url) {
        "memory" => Ok(Arc::new(MemoryStore::new(Arc::new(SystemClock)))),
        "sqlite" => Ok(Arc::new(SqliteStore::open_url(url, Arc::new(SystemClock))?)),
        _ => bail!("`{url}` names no store; write --store sqlite:PATH or --store memory:"),
    }
}

/// As [`open`], for a command that is about what a store holds already: a path that was mistyped
/// makes an empty store, and that is said on standard error.
///
/// # Errors
/// As for [`open`].
pub fn open_filled(url: &str) -> anyhow::Result<Arc<dyn Store>> {
    let missing = url.strip_prefix("sqlite:").filter(|path| !Path::new(path).exists());
    let store = open(url)?;
    if let Some(path) = missing {
        eprintln!("made a new, empty store at {path}");
    }
    Ok(store)
}

/// The file of a store that a command needs as a file.
///
/// # Errors
/// The URL names no store in a file.
pub fn sqlite_path<'a>(url: &'a str, done: &str) -> anyhow::Result<&'a Path> {
    let path = url.strip_prefix("sqlite:").filter(|path| !path.is_empty() && *path != ":memory:");
    path.map(Path::new).ok_or_else(|| anyhow!("only a store in a file is {done}; write --store sqlite:PATH"))
}

/// Says on standard error that what a command writes ends with it.
pub fn warn_if_not_kept(url: &str) {
    if scheme(url) == "memory" {
        eprintln!("warning: nothing is kept in memory: after this command; give --store sqlite:PATH");
    }
}

/// Opens a store to serve from.
///
/// # Errors
/// As for [`open`]; also if another server serves from it.
pub fn open_to_serve(url: &str) -> anyhow::Result<Opened> {
    if scheme(url) != "sqlite" {
        return Ok(Opened { store: open(url)?, lock: None, figures: None });
    }
    let store = SqliteStore::open_url(url, Arc::new(SystemClock))?;
    let lock = Some(store.lock_for_serving()?);
    let figures = Some(StoreFigures { figures: store.figures(), path: store.path().to_owned() });
    Ok(Opened { store: Arc::new(store), lock, figures })
}

fn scheme(url: &str) -> &str {
    url.split_once(':').map_or("", |(scheme, _)| scheme)
}
