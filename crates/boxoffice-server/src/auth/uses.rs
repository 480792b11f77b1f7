//! When each key was last used, to the hour: so that staff see which ones nobody needs any more.

use std::collections::HashMap;
use std::sync::Arc;

use boxoffice::store::{Store, StoreError};
use boxoffice::time::{Span, Timestamp};
use parking_lot::Mutex;

const KIND: &str = "staff_use";

/// A use is written down no more often than this: reads stay reads.
const EVERY: Span = Span::from_mins(60);

/// What this process has written down. Cheap to clone: everything in it is shared.
#[derive(Debug, Clone, Default)]
pub struct KeyUses(Arc<Mutex<HashMap<String, Timestamp>>>);

impl KeyUses {
    /// Notes that a key is used now. A store that cannot write it down holds up nothing.
    pub async fn note(&self, store: &dyn Store, key: &str, now: Timestamp) {
        if !self.is_news(key, now) {
            return;
        }
        if let Err(error) = write(store, key, now).await {
            tracing::debug!(%error, "a key's use was not written down");
            self.0.lock().remove(key);
        }
    }

    fn is_news(&self, key: &str, now: Timestamp) -> bool {
        let mut written = self.0.lock();
        if written.get(key).is_some_and(|at| now.is_before(*at + EVERY)) {
            return false;
        }
        written.insert(key.to_owned(), now);
        true
    }
}

async fn write(store: &dyn Store, key: &str, now: Timestamp) -> Result<(), StoreError> {
    let kept = store.document(KIND, key.to_owned()).await?;
    let version = kept.map_or(0, |kept| kept.version);
    // If another process was faster, it has just written the same.
    store.put_document(KIND, key.to_owned(), version, now.as_ms().to_string()).await?;
    Ok(())
}

/// When each key was used last.
///
/// # Errors
/// The store cannot answer.
pub async fn all(store: &dyn Store) -> Result<HashMap<String, Timestamp>, StoreError> {
    let uses = store.documents(KIND).await?;
    Ok(uses
        .into_iter()
        .filter_map(|(key, document)| Some((key, Timestamp::from_ms(document.body.parse().ok()?))))
        .collect())
}
