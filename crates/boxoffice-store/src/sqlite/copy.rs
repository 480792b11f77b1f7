//! A copy of a store in one file: made beside a running server for a backup, or from a backup for a store to go on with.
//! It has its name only when it is whole, and never takes the name of another file.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boxoffice::clock::Clock;
use boxoffice::store::Store as _;
use boxoffice::time::Timestamp;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use super::place::Place;
use super::schema::Found;
use super::{OpenError, SqliteStore, sales, schema, serving};

/// Pages in one piece. Between two of them others get at the disk.
const PIECE: i32 = 512;

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error("{} is there already and is not overwritten; {advice}", .path.display())]
    There { path: PathBuf, advice: &'static str },
    #[error("cannot write {}: {error}; check its folder and the space on its disk", .path.display())]
    File { path: PathBuf, error: std::io::Error },
    #[error("{} is no backup of Boxoffice: {what}", .path.display())]
    NotOurs { path: PathBuf, what: String },
    #[error("{} is damaged: {what}; take another backup", .path.display())]
    Damaged { path: PathBuf, what: String },
    #[error("{0}")]
    Open(#[from] OpenError),
    #[error("the copy cannot be made: {0}; check the disks and the space on them")]
    Sqlite(#[from] rusqlite::Error),
}

/// How far a copy has come, in pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub done: u64,
    pub of: u64,
}

/// What a copy holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holds {
    pub bytes: u64,
    pub shows: u64,
    pub bookings: u64,
    /// Everything that was answered before this instant is in it.
    pub as_of: Timestamp,
}

/// A copy under a name for the time being. Dropped before it is published, it is deleted.
#[derive(Debug)]
pub struct Copy {
    partial: PathBuf,
    target: PathBuf,
    as_of: Timestamp,
}

impl SqliteStore {
    /// Copies the store as it stands at one moment; it goes on selling. What it writes meanwhile stays in its log, which
    /// grows until the copy is made.
    ///
    /// # Errors
    /// The target is there already or cannot be written, or the copy is damaged.
    pub fn copy_to(&self, target: &Path, told: impl FnMut(Progress)) -> Result<Copy, CopyError> {
        let advice = "name another file";
        let source = self.place.reader()?;
        // Asked first: what was answered before it is in the copy.
        let as_of = self.now();
        // One transaction, so that all pieces are of one moment. Its first read begins it.
        source.execute_batch("BEGIN; SELECT one FROM meta")?;
        let copy = Copy::reserve(target, as_of, advice)?;
        copy.fill(&source, told)?;
        copy.check_file()?;
        Ok(copy)
    }
}

impl Copy {
    /// Makes a store from a backup, which is only read. Its sales are closed.
    ///
    /// # Errors
    /// The backup is not one of Boxoffice, is damaged, or was written by a newer program; or the target is there already.
    pub fn of_backup(backup: &Path, target: &Path, clock: Arc<dyn Clock>) -> Result<Self, CopyError> {
        serving::check_free(target)?;
        let source = open_backup(backup)?;
        let advice = "a restore makes a new store: name another with --store, or move the old one away";
        let copy = Self::reserve(target, clock.now(), advice)?;
        copy.fill(&source, |_| ())?;
        copy.check_file()?;
        // Opened once, its tables are those of this program.
        let now = SqliteStore::open(&copy.partial, clock)?.now();
        let mut connection = Place::new(&copy.partial).writer()?;
        sales::close_restored(&mut connection, now)?;
        Ok(copy)
    }

    /// Opens the copy as a store, to prove its books before it gets its name.
    ///
    /// # Errors
    /// As for every store.
    pub fn open(&self, clock: Arc<dyn Clock>) -> Result<SqliteStore, CopyError> {
        Ok(SqliteStore::open(&self.partial, clock)?)
    }

    /// Gives the copy its name, durably, and says what it holds. No store on it may be open any more.
    ///
    /// # Errors
    /// It cannot be written, or another file has taken the name meanwhile.
    pub fn publish(self) -> Result<Holds, CopyError> {
        let connection = Place::new(&self.partial).writer()?;
        let count = |table: &str| {
            let count = connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0));
            count.map(i64::unsigned_abs)
        };
        let (shows, bookings) = (count("shows")?, count("bookings")?);
        // One file by itself: what is in its log goes into it, and there is none afterwards.
        connection.pragma_update(None, "journal_mode", "DELETE")?;
        drop(connection);
        let failed = |error| CopyError::File { path: self.target.clone(), error };
        let file = File::open(&self.partial).map_err(failed)?;
        file.sync_all().map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        self.name().map_err(|error| {
            let came = error.kind() == std::io::ErrorKind::AlreadyExists;
            if came { there(&self.target, "it came while the copy was made") } else { failed(error) }
        })?;
        Ok(Holds { bytes, shows, bookings, as_of: self.as_of })
    }

    /// A link never takes the place of a file, as a renaming would. Where a file system has no links, what is there is
    /// looked for first.
    fn name(&self) -> std::io::Result<()> {
        match std::fs::hard_link(&self.partial, &self.target) {
            Ok(()) => std::fs::remove_file(&self.partial)?,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists || self.target.exists() => {
                return Err(error);
            }
            Err(_) => std::fs::rename(&self.partial, &self.target)?,
        }
        File::open(folder(&self.target))?.sync_all()
    }

    fn reserve(target: &Path, as_of: Timestamp, advice: &'static str) -> Result<Self, CopyError> {
        if target.symlink_metadata().is_ok() {
            return Err(there(target, advice));
        }
        let mut partial = target.as_os_str().to_owned();
        partial.push(format!(".{}.partial", std::process::id()));
        let copy = Self { partial: partial.into(), target: target.to_owned(), as_of };
        let failed = |error| CopyError::File { path: copy.partial.clone(), error };
        Place::new(&copy.partial).create().map_err(failed)?;
        Ok(copy)
    }

    fn fill(&self, source: &Connection, mut told: impl FnMut(Progress)) -> Result<(), CopyError> {
        let mut target = Connection::open(&self.partial)?;
        // It is made durable as a whole.
        target.pragma_update(None, "synchronous", "OFF")?;
        let backup = Backup::new(source, &mut target)?;
        loop {
            let step = backup.step(PIECE)?;
            let pages = backup.progress();
            let count = |pages: i32| u64::from(pages.unsigned_abs());
            told(Progress { done: count(pages.pagecount - pages.remaining), of: count(pages.pagecount) });
            if step == StepResult::Done {
                return Ok(());
            }
            // Nobody else writes the copy, and the source is read at one moment: neither is waited for.
            std::thread::yield_now();
        }
    }

    fn check_file(&self) -> Result<(), CopyError> {
        check_whole(&Connection::open(&self.partial)?, &self.target)
    }
}

impl Drop for Copy {
    /// What was published has this name no more.
    fn drop(&mut self) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let mut path = self.partial.as_os_str().to_owned();
            path.push(suffix);
            drop(std::fs::remove_file(path));
        }
    }
}

fn there(path: &Path, advice: &'static str) -> CopyError {
    CopyError::There { path: path.to_owned(), advice }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn open_backup(path: &Path) -> Result<Connection, CopyError> {
    let not_ours = |what: String| CopyError::NotOurs { path: path.to_owned(), what };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|error| not_ours(error.to_string()))?;
    // What cannot be read at all is damaged; a foreign file is found to be one.
    let found = match schema::look(&connection) {
        Err(OpenError::Sqlite(error)) => return Err(damaged(path, error.to_string())),
        found => found?,
    };
    match found {
        Found::Ours => {}
        Found::Nothing => return Err(not_ours("it has no tables".into())),
        Found::Foreign(what) => return Err(not_ours(what)),
    }
    check_whole(&connection, path)?;
    Ok(connection)
}

fn damaged(path: &Path, what: String) -> CopyError {
    CopyError::Damaged { path: path.to_owned(), what }
}

fn check_whole(connection: &Connection, path: &Path) -> Result<(), CopyError> {
    let said = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0));
    match said {
        Ok(said) if said == "ok" => Ok(()),
        Ok(said) => Err(damaged(path, said)),
        Err(error) => Err(damaged(path, error.to_string())),
    }
}
