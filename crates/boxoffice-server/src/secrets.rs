//! Secrets that the program makes for itself at its first start and keeps in its store, so that
//! every process on the store, and every later start, has the same ones.

use anyhow::{Context as _, anyhow};
use boxoffice::service::Entropy;
use boxoffice::store::Store;
use data_encoding::HEXLOWER;

/// The kind of document that secrets are kept as.
const KIND: &str = "secret";

/// The secret of this name; made now if the store has none. Of two processes that make it at
/// once one wins, and both use the winner's.
///
/// # Errors
/// The store cannot answer, or holds something else under this name.
pub async fn load_or_make(store: &dyn Store, entropy: &dyn Entropy, name: &str) -> anyhow::Result<[u8; 32]> {
    let mut fresh = [0; 32];
    entropy.fill(&mut fresh);
    if store.put_document(KIND, name.to_owned(), 0, HEXLOWER.encode(&fresh)).await? {
        return Ok(fresh);
    }
    let kept = store.document(KIND, name.to_owned()).await?.ok_or_else(|| anyhow!("the secret `{name}` is gone"))?;
    let bytes = HEXLOWER.decode(kept.body.as_bytes()).with_context(|| format!("the secret `{name}` is damaged"))?;
    bytes.try_into().map_err(|_| anyhow!("the secret `{name}` is damaged"))
}
