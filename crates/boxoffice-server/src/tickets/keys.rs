//! The keys that sign ticket codes: made at the first start, kept in the store, numbered, so that
//! a new one can take over while tickets signed with the old ones stay good.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use boxoffice::booking::{Booking, Ticket};
use boxoffice::service::Entropy;
use boxoffice::store::Store;
use data_encoding::HEXLOWER;
use ed25519_dalek::{SigningKey, VerifyingKey};

use super::code::{self, BadCode, TicketClaims};

/// The kind of document that the keys are kept as, by number.
const KIND: &str = "ticket_key";

/// Cheap to clone: everything in it is shared.
#[derive(Clone)]
pub struct TicketKeys {
    keys: Arc<BTreeMap<u8, SigningKey>>,
    /// The one that signs: the highest number.
    current: (u8, SigningKey),
}

impl std::fmt::Debug for TicketKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TicketKeys").field("numbers", &self.keys.keys()).finish_non_exhaustive()
    }
}

impl TicketKeys {
    /// The store's keys; the first is made now if there is none.
    ///
    /// # Errors
    /// The store cannot answer, or a key in it is damaged.
    pub async fn load(store: &dyn Store, entropy: &dyn Entropy) -> anyhow::Result<Self> {
        let mut fresh = [0; 32];
        entropy.fill(&mut fresh);
        // Refused unless it is the first key ever: of several processes that start at once, one wins.
        store.put_document(KIND, "1".to_owned(), 0, HEXLOWER.encode(&fresh)).await?;
        let rows = store.documents(KIND).await?;
        Self::read(rows.iter().map(|(number, document)| (number.as_str(), document.body.as_str())))
    }

    fn read<'a>(rows: impl Iterator<Item = (&'a str, &'a str)>) -> anyhow::Result<Self> {
        let mut keys = BTreeMap::new();
        for (number, body) in rows {
            let damaged = || format!("the ticket key `{number}` in the store is damaged; restore the store");
            let seed = HEXLOWER.decode(body.as_bytes()).with_context(damaged)?;
            let seed: [u8; 32] = seed.try_into().map_err(|_| anyhow!(damaged()))?;
            keys.insert(number.parse().with_context(damaged)?, SigningKey::from_bytes(&seed));
        }
        let current = keys.last_key_value().ok_or_else(|| anyhow!("the store has no ticket key"))?;
        Ok(Self { current: (*current.0, current.1.clone()), keys: Arc::new(keys) })
    }

    /// The code that is printed on the ticket and shown as QR.
    #[must_use]
    pub fn code(&self, booking: &Booking, ticket: &Ticket) -> String {
        let (number, key) = &self.current;
        code::sign(&code::claims(booking, ticket), *number, key)
    }

    /// What a code says, if one of these keys signed it. Whether the ticket was cancelled since is
    /// not in the code.
    ///
    /// # Errors
    /// [`BadCode`].
    pub fn verify(&self, text: &str) -> Result<TicketClaims, BadCode> {
        code::verify(text, |number| self.public(number))
    }

    /// The public keys by number, as a door without a network needs them.
    pub fn public_keys(&self) -> impl Iterator<Item = (u8, [u8; 32])> {
        self.keys.iter().map(|(number, key)| (*number, key.verifying_key().to_bytes()))
    }

    fn public(&self, number: u8) -> Option<VerifyingKey> {
        self.keys.get(&number).map(SigningKey::verifying_key)
    }
}
