//! The SQLite store passes the suite that every store must.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use boxoffice::clock::Clock;
use boxoffice::store::Store;
use boxoffice::testkit::contract::{self, Subject};
use boxoffice_store::SqliteStore;

/// One file per check, in a folder that goes when the suite has run.
pub(crate) struct Sqlite {
    folder: tempfile::TempDir,
    opened: AtomicU32,
}

impl Sqlite {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder for the test"), opened: AtomicU32::new(0) }
    }

    fn path(&self, n: u32) -> PathBuf {
        self.folder.path().join(format!("{n}.db"))
    }
}

impl Subject for Sqlite {
    fn open(&self, clock: Arc<dyn Clock>) -> Arc<dyn Store> {
        let n = self.opened.fetch_add(1, Ordering::SeqCst) + 1;
        Arc::new(SqliteStore::open(&self.path(n), clock).expect("a new store"))
    }

    fn reopen(&self, store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Option<Arc<dyn Store>> {
        drop(store);
        let path = self.path(self.opened.load(Ordering::SeqCst));
        Some(Arc::new(SqliteStore::open(&path, clock).expect("the same store again")))
    }
}

#[test]
fn the_sqlite_store_passes_the_suite() {
    contract::run(&Sqlite::new()).assert_passed();
}
