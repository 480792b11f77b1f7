//! Keys of the staff: `bo_live_ID_SECRET`. The store keeps only a hash of the secret, so that a
//! copy of the store opens nothing; the key itself is shown once, when it is made. An account of a
//! person, who signs in to the pages with a password, is kept as a key without a secret.

use boxoffice::id::{ScreenId, TheatreId};
use boxoffice::service::Entropy;
use boxoffice::show::Show;
use boxoffice::store::{Document, Store, StoreError};
use boxoffice::time::Timestamp;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

pub(super) const KIND: &str = "staff";
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

/// How somebody proves to be the one that a key was made for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Proof {
    /// SHA-256 of the key's secret, in hexadecimal digits.
    Secret {
        secret_hash: String,
    },
    Password(Password),
}

/// What an account signs in with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Password {
    pub login: String,
    /// Argon2id, in the format of password hashing competitions.
    pub(super) password_hash: String,
    /// Sessions that began before have ended.
    pub(super) set_at: Timestamp,
}

impl Password {
    /// Whether a session that began then is one of this password's.
    #[must_use]
    pub fn lets_in(&self, session_began_at: Timestamp) -> bool {
        session_began_at >= self.set_at
    }
}

/// What the store keeps of a key or an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaffKey {
    pub id: String,
    pub name: String,
    pub role: Role,
    #[serde(flatten)]
    pub(super) proof: Proof,
    pub made_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
    /// It is out of force from then on.
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
    /// It works for this screen's shows only.
    #[serde(default)]
    pub screen: Option<ScreenId>,
    /// It works for this theatre's shows only.
    #[serde(default)]
    pub theatre: Option<TheatreId>,
}

impl StaffKey {
    /// Whether it works for this show, as to place.
    #[must_use]
    pub fn covers(&self, show: &Show) -> bool {
        self.screen.as_ref().is_none_or(|screen| *screen == show.spec.screen)
            && self.theatre.as_ref().is_none_or(|theatre| *theatre == show.theatre.id)
    }

    /// Whether it works for every place.
    #[must_use]
    pub fn covers_all(&self) -> bool {
        self.screen.is_none() && self.theatre.is_none()
    }

    /// What its account signs in with; `None` for a key.
    #[must_use]
    pub fn password(&self) -> Option<&Password> {
        match &self.proof {
            Proof::Secret { .. } => None,
            Proof::Password(password) => Some(password),
        }
    }

    #[must_use]
    pub fn is_in_force(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now.is_before(end))
    }
}

/// Who a new key or account is for, where it works and until when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    pub name: String,
    pub role: Role,
    pub screen: Option<ScreenId>,
    pub theatre: Option<TheatreId>,
    pub expires_at: Option<Timestamp>,
}

impl NewKey {
    pub(super) fn kept(self, id: String, proof: Proof, now: Timestamp) -> StaffKey {
        StaffKey {
            id,
            name: self.name,
            role: self.role,
            proof,
            made_at: now,
            revoked_at: None,
            expires_at: self.expires_at,
            screen: self.screen,
            theatre: self.theatre,
        }
    }
}

/// Makes a key and answers its id and, this once, the key itself.
///
/// # Errors
/// The store cannot answer.
pub async fn add(store: &dyn Store, entropy: &dyn Entropy, new: NewKey) -> Result<(String, String), StoreError> {
    let mut secret = [0; 32];
    entropy.fill(&mut secret);
    let (id, secret) = (new_id(entropy), HEXLOWER.encode(&secret));
    let proof = Proof::Secret { secret_hash: hash(&secret) };
    put_new(store, &new.kept(id.clone(), proof, store.now())).await?;
    Ok((id.clone(), format!("{PREFIX}{id}_{secret}")))
}

pub(super) fn new_id(entropy: &dyn Entropy) -> String {
    let mut id = [0; 6];
    entropy.fill(&mut id);
    HEXLOWER.encode(&id)
}

/// # Errors
/// The store cannot answer, or has this id already.
pub(super) async fn put_new(store: &dyn Store, key: &StaffKey) -> Result<(), StoreError> {
    if store.put_document(KIND, key.id.clone(), 0, written(key)?).await? {
        return Ok(());
    }
    Err(StoreError::Fault("a key with this id exists already; try again".to_owned()))
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
    let same = match &kept.proof {
        Proof::Secret { secret_hash } => bool::from(hash(secret).as_bytes().ct_eq(secret_hash.as_bytes())),
        Proof::Password(_) => false,
    };
    Ok((same && kept.is_in_force(store.now())).then_some(kept))
}

/// The key of this id, if it is in force: for who has proved to have it before.
///
/// # Errors
/// The store cannot answer, or the document is damaged.
pub async fn in_force(store: &dyn Store, id: &str) -> Result<Option<StaffKey>, StoreError> {
    let document = store.document(KIND, id.to_owned()).await?;
    let key = document.as_ref().map(read).transpose()?;
    Ok(key.filter(|key| key.is_in_force(store.now())))
}

fn hash(secret: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(secret.as_bytes()))
}

pub(super) fn read(document: &Document) -> Result<StaffKey, StoreError> {
    serde_json::from_str(&document.body).map_err(|e| StoreError::Bug(format!("a staff document is damaged: {e}")))
}

pub(super) fn written(key: &StaffKey) -> Result<String, StoreError> {
    serde_json::to_string(key).map_err(|e| StoreError::Bug(format!("a staff document cannot be written: {e}")))
}
