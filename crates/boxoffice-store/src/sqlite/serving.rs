//! One server at a time serves from a store: it holds a lock on a file beside the store's.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use super::OpenError;

/// While it lives, no other process serves from this store's file.
#[derive(Debug)]
#[must_use = "the lock ends when it is dropped"]
pub struct ServingLock {
    _file: File,
}

/// Takes the lock of the store at `path`, which must be there.
pub(super) fn lock(path: &Path) -> Result<ServingLock, OpenError> {
    // One file has one lock, whatever symbolic links lead to it.
    let real = path.canonicalize().map_err(|error| OpenError::File { path: path.to_owned(), error })?;
    let lock = beside(&real);
    let file = File::options().create(true).append(true).open(&lock);
    let file = file.map_err(|error| OpenError::File { path: lock.clone(), error })?;
    match file.try_lock() {
        Ok(()) => Ok(ServingLock { _file: file }),
        Err(TryLockError::WouldBlock) => Err(OpenError::Served(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(OpenError::File { path: lock, error }),
    }
}

/// Refuses if a server serves from the store at `path`, whether its file is still there or not.
pub(super) fn check_free(path: &Path) -> Result<(), OpenError> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let Ok(file) = File::open(beside(&real)) else { return Ok(()) };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(OpenError::Served(path.to_owned())),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(".lock");
    path.into()
}
