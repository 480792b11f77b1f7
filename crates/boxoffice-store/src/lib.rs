//! Durable stores for Boxoffice: SQLite, in one file beside the program.

mod sqlite;

#[cfg(feature = "testkit")]
pub use sqlite::FileLayer;
pub use sqlite::{Copy, CopyError, Figures, Holds, OpenError, Progress, ServingLock, SqliteStore};
