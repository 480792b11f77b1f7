//! Why a statement came to nothing, sorted at once into the store's three kinds of "no". SQLite's
//! own words go to the log's reader behind a plain sentence that says what to do.

use boxoffice::decide::Stop;
use boxoffice::refusal::Refusal;
use boxoffice::store::StoreError;
use rusqlite::ErrorCode;

/// A [`StoreError`] on its way out, with the conversions that `?` needs.
#[derive(Debug)]
pub(super) struct Trouble(pub(super) StoreError);

pub(super) type Result<T> = std::result::Result<T, Trouble>;

impl Trouble {
    pub(super) fn bug(text: impl Into<String>) -> Self {
        Self(StoreError::Bug(text.into()))
    }

    /// Whether the connection is of no more use: what it has in hand must be given up.
    pub(super) fn is_fault(&self) -> bool {
        matches!(self.0, StoreError::Fault(_))
    }
}

impl From<Trouble> for StoreError {
    fn from(trouble: Trouble) -> Self {
        trouble.0
    }
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        Self(StoreError::Refused(refusal))
    }
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Refused(refusal) => refusal.into(),
            Stop::Bug(text) => Self::bug(text),
        }
    }
}

impl From<serde_json::Error> for Trouble {
    fn from(error: serde_json::Error) -> Self {
        Self::bug(format!("a stored document is not what it should be: {error}"))
    }
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        let Some(code) = error.sqlite_error_code() else {
            return Self::bug(format!("a row is not what it should be: {error}"));
        };
        if OURS.contains(&code) {
            return Self::bug(format!("a statement that must not fail failed: {error}"));
        }
        let advice = ADVICE.iter().find(|(of, _)| *of == code).map_or("see the log of the machine", |(_, text)| text);
        Self(StoreError::Fault(format!("{advice} ({error})")))
    }
}

/// What only a mistake of this program, or a hand in its tables, can cause.
const OURS: [ErrorCode; 5] = [
    ErrorCode::ConstraintViolation,
    ErrorCode::TypeMismatch,
    ErrorCode::ApiMisuse,
    ErrorCode::ParameterOutOfRange,
    ErrorCode::Unknown,
];

const ADVICE: [(ErrorCode, &str); 9] = [
    (ErrorCode::DiskFull, "the disk is full, free some space"),
    (ErrorCode::ReadOnly, "the store's file cannot be written, check its owner and mode"),
    (ErrorCode::PermissionDenied, "the store's file cannot be opened, check its owner and mode"),
    (ErrorCode::CannotOpen, "the store's file cannot be opened, check that its folder is there and writable"),
    (ErrorCode::SystemIoFailure, "the disk does not read or write, check it and the space on it"),
    (ErrorCode::DatabaseBusy, "another process is writing, try again"),
    (ErrorCode::DatabaseLocked, "another process is writing, try again"),
    (ErrorCode::DatabaseCorrupt, "the store's file is damaged, stop and restore a backup"),
    (ErrorCode::NotADatabase, "the store's file is not a SQLite database, name another one"),
];
