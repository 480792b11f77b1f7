//! Keys of the staff: `bo_live_ID_SECRET`. The store keeps only a hash of the secret, so that a
//! copy of the store opens nothing; the key itself is shown once, when it is made.

use boxoffice::id::{ScreenId, TheatreId};
use boxoffice::service::Entropy;
use boxoffice::store::{Document, Store, StoreError};
use boxoffice::time::Timestamp;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

const KIND: &str = "staff";
/// Makes a leaked key findable.
pub const PREFIX: &str = "bo_live_";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Scanner,
    Counter,
    Manager,
    Admin,
}

impl Role {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Scanner => "scanner",
            Self::Counter => "counter",
            Self::Manager => "manager",
            Self::Admin => "admin",
        }
    }

    /// May see and change any booking.
    #[must_use]
    pub fn opens_bookings(self) -> bool {
        match self {
            Self::Counter | Self::Manager | Self::Admin => true,
            Self::Scanner => false,
        }
    }

    /// May change the catalogue and take seats off sale.
    #[must_use]
    pub fn manages(self) -> bool {
        match self {
            Self::Manager | Self::Admin => true,
            Self::Scanner | Self::Counter => false,
        }
    }
}

/// What the store keeps of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StaffKey {
    pub id: String,
    pub name: String,
    pub role: Role,
    /// SHA-256 of the secret, in hexadecimal digits.
    secret_hash: String,
    pub made_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
    /// The only screen at whose door it lets in.
    #[serde(default)]
    pub screen: Option<ScreenId>,
    /// The only theatre at whose doors it lets in.
    #[serde(default)]
    pub theatre: Option<TheatreId>,
}

/// Who a new key is for, and where it works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    pub name: String,
    pub role: Role,
    pub screen: Option<ScreenId>,
    pub theatre: Option<TheatreId>,
}

/// Makes a key and answers its id and, this once, the key itself.
///
/// # Errors
/// The store cannot answer.
pub async fn add(store: &dyn Store, entropy: &dyn Entropy, new: NewKey) -> Result<(String, String), StoreError> {
    let (mut id, mut secret) = ([0; 6], [0; 32]);
    entropy.fill(&mut id);
    entropy.fill(&mut secret);
    let (id, secret) = (HEXLOWER.encode(&id), HEXLOWER.encode(&secret));
    let key = StaffKey {
        id: id.clone(),
        name: new.name,
        role: new.role,
        secret_hash: hash(&secret),
        made_at: store.now(),
        revoked_at: None,
        screen: new.screen,
        theatre: new.theatre,
    };
    if !store.put_document(KIND, id.clone(), 0, written(&key)?).await? {
        return Err(StoreError::Fault("a key with this id exists already; try again".to_owned()));
    }
    Ok((id.clone(), format!("{PREFIX}{id}_{secret}")))
}

/// All keys, revoked ones too, by id.
///
/// # Errors
/// The store cannot answer, or a document is damaged.
pub async fn list(store: &dyn Store) -> Result<Vec<StaffKey>, StoreError> {
    store.documents(KIND).await?.iter().map(|(_, document)| read(document)).collect()
}

/// How a key came out of force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revoked {
    Now,
    /// It was out of force already; nothing changed.
    Before(Timestamp),
}

/// Takes a key out of force. `None`: there is none with this id. Revoking twice is revoking once.
///
/// # Errors
/// The store cannot answer, or the document is damaged.
pub async fn revoke(store: &dyn Store, id: &str) -> Result<Option<Revoked>, StoreError> {
    loop {
        let Some(document) = store.document(KIND, id.to_owned()).await? else { return Ok(None) };
        let mut key = read(&document)?;
        if let Some(at) = key.revoked_at {
            return Ok(Some(Revoked::Before(at)));
        }
        key.revoked_at = Some(store.now());
        if store.put_document(KIND, id.to_owned(), document.version, written(&key)?).await? {
            return Ok(Some(Revoked::Now));
        }
    }
}

/// The key that a caller sent, if it is one of ours and in force.
///
/// # Errors
/// The store cannot answer, or the document is damaged.
pub async fn check(store: &dyn Store, key: &str) -> Result<Option<StaffKey>, StoreError> {
    let Some((id, secret)) = key.strip_prefix(PREFIX).and_then(|rest| rest.split_once('_')) else {
        return Ok(None);
    };
    let Some(document) = store.document(KIND, id.to_owned()).await? else { return Ok(None) };
    let kept = read(&document)?;
    let same = bool::from(hash(secret).as_bytes().ct_eq(kept.secret_hash.as_bytes()));
    Ok((same && kept.revoked_at.is_none()).then_some(kept))
}

/// The key of this id, if it is in force: for who has proved to have it before.
///
/// # Errors
/// The store cannot answer, or the document is damaged.
pub async fn in_force(store: &dyn Store, id: &str) -> Result<Option<StaffKey>, StoreError> {
    let document = store.document(KIND, id.to_owned()).await?;
    let key = document.as_ref().map(read).transpose()?;
    Ok(key.filter(|key| key.revoked_at.is_none()))
}

fn hash(secret: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(secret.as_bytes()))
}

fn read(document: &Document) -> Result<StaffKey, StoreError> {
    serde_json::from_str(&document.body).map_err(|e| StoreError::Bug(format!("a staff document is damaged: {e}")))
}

fn written(key: &StaffKey) -> Result<String, StoreError> {
    serde_json::to_string(key).map_err(|e| StoreError::Bug(format!("a staff document cannot be written: {e}")))
}
