//! `boxoffice config check`: whether a server could start with this configuration, and what is in force. The file's own
//! mistakes are found when it is loaded.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};

use crate::cli::ServeArgs;
use crate::config::{Config, check_public_url};
use crate::stores;

/// # Errors
/// The store could not be written, or a value cannot be used.
pub fn check(config: Config) -> anyhow::Result<()> {
    let config = config.with_serve(&ServeArgs::default());
    if let Some(url) = &config.public_url {
        check_public_url(url)?;
    }
    config.mail.check()?;
    config.limits.check(false)?;
    config.cors.check()?;
    config.privacy.check()?;
    if config.store != "memory:" {
        check_store(stores::sqlite_path(&config.store, "served from")?)?;
    }
    if config.metrics_listen == Some(config.listen) {
        bail!("metrics_listen: it is the same as listen; give metrics an address of their own");
    }
    for (key, address) in [("listen", Some(config.listen)), ("metrics_listen", config.metrics_listen)] {
        note_taken(key, address);
    }
    print!("{}", toml::to_string(&config).context("the configuration cannot be written out")?);
    Ok(())
}

fn check_store(path: &Path) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let shown = folder.display();
    if !folder.is_dir() {
        bail!("store: there is no folder {shown}; make it, owned by the user that the server runs as");
    }
    // The log is made beside the file, so that the folder itself must be writable.
    tempfile_in(folder)
        .map_err(|error| anyhow!("store: the folder {shown} cannot be written: {error}; check its owner"))?;
    if path.exists() {
        let opened = std::fs::File::options().read(true).append(true).open(path);
        opened.map_err(|error| anyhow!("store: {} cannot be written: {error}; check its owner", path.display()))?;
        note_mode(path);
    }
    Ok(())
}

fn tempfile_in(folder: &Path) -> std::io::Result<()> {
    let probe = folder.join(format!(".boxoffice-check-{}", std::process::id()));
    std::fs::File::create_new(&probe)?;
    std::fs::remove_file(&probe)
}

#[cfg(unix)]
fn note_mode(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = path.metadata().map_or(0, |metadata| metadata.permissions().mode());
    if mode & 0o077 != 0 {
        eprintln!("note: store: others can read {}, which has customers' addresses: chmod 600", path.display());
    }
}

#[cfg(not(unix))]
fn note_mode(_path: &Path) {}

/// It may be this very server that runs.
fn note_taken(key: &str, address: Option<SocketAddr>) {
    let Some(address) = address.filter(|address| address.port() != 0) else { return };
    if let Err(error) = TcpListener::bind(address) {
        eprintln!("note: {key}: {address} cannot be listened on now: {error}");
    }
}
