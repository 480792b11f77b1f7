//! Scans that nothing here knows the ticket of. They are kept, so that whoever was let in by them
//! can be looked for.

use boxoffice::store::{Store, StoreError};
use boxoffice::time::Timestamp;
use serde::{Deserialize, Serialize};

const KIND: &str = "unchecked_scan";

/// A code is kept this far: longer ones are none of ours.
const CODE_MAX: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Unchecked {
    pub(super) nonce: String,
    pub(super) code: String,
    /// The device's time set right by its offset.
    pub(super) at: Timestamp,
    pub(super) gate: Option<String>,
    pub(super) device: String,
    pub(super) clock_offset_ms: i64,
    pub(super) received_at: Timestamp,
    /// The id of the staff key.
    pub(super) by: String,
}

/// Keeps a scan. False: it was here already.
pub(super) async fn keep(store: &dyn Store, mut scan: Unchecked) -> Result<bool, StoreError> {
    scan.code.truncate(scan.code.floor_char_boundary(CODE_MAX));
    let body = serde_json::to_string(&scan).map_err(|e| StoreError::Bug(format!("a scan cannot be written: {e}")))?;
    store.put_document(KIND, format!("{}/{}", scan.device, scan.nonce), 0, body).await
}

/// All of them, by instant.
pub(super) async fn list(store: &dyn Store) -> Result<Vec<Unchecked>, StoreError> {
    let documents = store.documents(KIND).await?;
    let read = documents.iter().map(|(_, document)| serde_json::from_str(&document.body));
    let read: Result<Vec<Unchecked>, _> = read.collect();
    let mut scans = read.map_err(|e| StoreError::Bug(format!("a scan in the store is damaged: {e}")))?;
    scans.sort_by(|a, b| (a.at, &a.nonce).cmp(&(b.at, &b.nonce)));
    Ok(scans)
}
