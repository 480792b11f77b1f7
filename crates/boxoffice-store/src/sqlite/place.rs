//! Where the store's file is and how connections to it are opened. Every connection of the store
//! is made here, so that none has other settings.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

/// How long a connection waits for another process that is writing.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Negative: KiB. Not more, since SQLite walks through all of its table at each commit of a store below 1 GiB that
/// has split a page.
const WRITER_CACHE: i64 = -16_384;
const STATEMENTS: usize = 128;
/// Pages in the log after which a commit copies it back into the file: 64 MiB, so that a burst is
/// not cut up by copying, and a page that many sales changed is copied once for all of them.
const CHECKPOINT_PAGES: i64 = 16_000;

/// Another file layer under SQLite, for the power-loss test. One connection holds the file
/// exclusively, since such a layer shares no memory with another, and nothing can be read beside it.
#[cfg(feature = "testkit")]
#[derive(Debug, Clone)]
pub struct FileLayer {
    /// The name it was registered under.
    pub vfs: String,
    /// False: `synchronous=OFF`, the control that must lose answers.
    pub synchronous: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) path: PathBuf,
    #[cfg(feature = "testkit")]
    pub(super) layer: Option<FileLayer>,
}

impl Place {
    pub(super) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            #[cfg(feature = "testkit")]
            layer: None,
        }
    }

    /// Makes the file, readable by its owner alone, if it is not there: SQLite would make it
    /// readable by everybody. Its log files get the file's mode. One that is there is not opened here, since closing it
    /// would end SQLite's locks on it that this process has.
    pub(super) fn create(&self) -> std::io::Result<()> {
        if self.path.exists() {
            return Ok(());
        }
        let mut options = std::fs::OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&self.path).map(drop)
    }

    /// A connection to look what the file is, which leaves it as it is: what another program left in a log is not copied
    /// back when it is closed.
    pub(super) fn looker(&self) -> rusqlite::Result<Connection> {
        let mut log = self.path.as_os_str().to_owned();
        log.push("-wal");
        let connection = self.open()?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, Path::new(&log).exists())?;
        Ok(connection)
    }

    /// The connection that writes: durable at each commit.
    pub(super) fn writer(&self) -> rusqlite::Result<Connection> {
        let connection = self.open()?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", self.synchronous())?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "cache_size", WRITER_CACHE)?;
        connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
        keep_statements(&connection)?;
        Ok(connection)
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        #[cfg(feature = "testkit")]
        let connection = match &self.layer {
            Some(layer) => {
                let connection = Connection::open_with_flags_and_vfs(&self.path, flags, layer.vfs.as_str())?;
                connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
                connection
            }
            None => Connection::open_with_flags(&self.path, flags)?,
        };
        #[cfg(not(feature = "testkit"))]
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        Ok(connection)
    }

    /// A connection that only reads, and never waits for the writer.
    pub(super) fn reader(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        keep_statements(&connection)?;
        Ok(connection)
    }

    /// Whether readers can open connections beside the writer's.
    pub(super) fn is_shared(&self) -> bool {
        #[cfg(feature = "testkit")]
        return self.layer.is_none();
        #[cfg(not(feature = "testkit"))]
        true
    }

    fn synchronous(&self) -> &'static str {
        #[cfg(feature = "testkit")]
        if self.layer.as_ref().is_some_and(|layer| !layer.synchronous) {
            return "OFF";
        }
        "FULL"
    }
}

/// Statements are prepared once. Without the second setting SQLite prepares many of them anew each
/// time a value is bound, in case another plan were better for it.
fn keep_statements(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}
