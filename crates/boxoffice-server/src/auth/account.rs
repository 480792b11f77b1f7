//! Accounts of persons: a login and a password, for the staff's pages. A password is kept as its
//! Argon2id hash, which is dear to reckon on purpose, so that only few are reckoned at a time.

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher as _, PasswordVerifier as _};
use boxoffice::service::Entropy;
use boxoffice::store::{Store, StoreError};
use boxoffice::time::Timestamp;
use data_encoding::BASE32_NOPAD;
use tokio::sync::Semaphore;

use super::staff::{self, NewKey, Password, Proof, StaffKey};

/// Logins, each with the id of its account.
const KIND: &str = "staff_login";

pub const PASSWORD_MIN: usize = 10;
/// Longer ones would cost time before they are refused.
pub const PASSWORD_MAX: usize = 200;
const LOGIN_MAX: usize = 40;

/// Hashes that are reckoned at the same time: each takes 19 MiB and a good part of a processor.
static ROOM: Semaphore = Semaphore::const_new(2);

/// Why an account was not made, or its password not set.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    #[error("a login is 1 to {LOGIN_MAX} small letters, digits, `.`, `-` or `_`, such as ada")]
    Login,
    #[error("the login `{0}` is taken; choose another, or revoke its account first")]
    Taken(String),
    #[error("there is no account `{0}` in force; `boxoffice staff list` shows all")]
    Unknown(String),
    #[error("a password has {PASSWORD_MIN} to {PASSWORD_MAX} characters")]
    Password,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A password that nobody has to think of: 100 random bits.
#[must_use]
pub fn new_password(entropy: &dyn Entropy) -> String {
    let mut bytes = [0; 13];
    entropy.fill(&mut bytes);
    let text = BASE32_NOPAD.encode(&bytes).to_ascii_lowercase();
    let groups: Vec<&str> = (0..20).step_by(5).filter_map(|at| text.get(at..at + 5)).collect();
    groups.join("-")
}

/// Makes an account and answers its id.
///
/// # Errors
/// [`AccountError`]; nothing was made then.
pub async fn add(
    store: &dyn Store,
    entropy: &dyn Entropy,
    new: NewKey,
    login: &str,
    password: &str,
) -> Result<String, AccountError> {
    let fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-' | '_');
    if login.is_empty() || login.len() > LOGIN_MAX || !login.chars().all(fine) {
        return Err(AccountError::Login);
    }
    let (id, now) = (staff::new_id(entropy), store.now());
    let password = hashed(entropy, login, password, now).await?;
    let taken = store.document(KIND, login.to_owned()).await?;
    if let Some(taken) = &taken
        && staff::in_force(store, &taken.body).await?.is_some()
    {
        return Err(AccountError::Taken(login.to_owned()));
    }
    staff::put_new(store, &new.kept(id.clone(), Proof::Password(password), now)).await?;
    let version = taken.map_or(0, |taken| taken.version);
    if !store.put_document(KIND, login.to_owned(), version, id.clone()).await? {
        staff::revoke(store, &id).await?;
        return Err(AccountError::Taken(login.to_owned()));
    }
    Ok(id)
}

/// Sets an account's password; all its sessions end.
///
/// # Errors
/// [`AccountError`]; nothing was changed then.
pub async fn set_password(
    store: &dyn Store,
    entropy: &dyn Entropy,
    login: &str,
    password: &str,
) -> Result<String, AccountError> {
    let password = hashed(entropy, login, password, store.now()).await?;
    loop {
        let unknown = || AccountError::Unknown(login.to_owned());
        let kept = store.document(KIND, login.to_owned()).await?.ok_or_else(unknown)?;
        let document = store.document(staff::KIND, kept.body.clone()).await?.ok_or_else(unknown)?;
        let mut account = staff::read(&document)?;
        if !account.is_in_force(store.now()) {
            return Err(unknown());
        }
        account.proof = Proof::Password(password.clone());
        if store.put_document(staff::KIND, kept.body.clone(), document.version, staff::written(&account)?).await? {
            return Ok(kept.body);
        }
    }
}

/// The account that signs in, if its password is right and it is in force. A login that nobody has
/// costs as much time as a wrong password.
///
/// # Errors
/// The store cannot answer, or a document is damaged.
pub async fn check(store: &dyn Store, login: &str, password: &str) -> Result<Option<StaffKey>, StoreError> {
    let login = login.trim().to_ascii_lowercase();
    if login.is_empty() || login.len() > LOGIN_MAX || password.chars().count() > PASSWORD_MAX {
        return Ok(None);
    }
    let id = store.document(KIND, login).await?.map(|document| document.body);
    let account = match id {
        Some(id) => staff::in_force(store, &id).await?,
        None => None,
    };
    let hash = account.as_ref().and_then(StaffKey::password).map(|password| password.password_hash.clone());
    let fits = verify(password.to_owned(), hash.unwrap_or_else(|| NOBODYS.to_owned())).await?;
    Ok(account.filter(|_| fits))
}

/// Of a random text that was thrown away.
const NOBODYS: &str = "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5cy1zYWx0LTAx$3ZfW2T1oT2mWq4c1yZJkq5oY4rYwA0m0vV2l5xq4o2E";

async fn hashed(entropy: &dyn Entropy, login: &str, password: &str, now: Timestamp) -> Result<Password, AccountError> {
    if !(PASSWORD_MIN..=PASSWORD_MAX).contains(&password.chars().count()) {
        return Err(AccountError::Password);
    }
    let mut salt = [0; 16];
    entropy.fill(&mut salt);
    let password = password.to_owned();
    let password_hash = reckon(move || {
        let hash = Argon2::default().hash_password_with_salt(password.as_bytes(), &salt);
        hash.map(|hash| hash.to_string()).map_err(|error| StoreError::Bug(format!("a password's hash: {error}")))
    })
    .await??;
    Ok(Password { login: login.to_owned(), password_hash, set_at: now })
}

async fn verify(password: String, hash: String) -> Result<bool, StoreError> {
    reckon(move || {
        let hash = PasswordHash::new(&hash)
            .map_err(|error| StoreError::Bug(format!("a password's hash is damaged: {error}")))?;
        Ok(Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
    })
    .await?
}

/// Off the threads that answer requests.
async fn reckon<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, StoreError> {
    let gone = |_| StoreError::Fault("the server is stopping".to_owned());
    let _room = ROOM.acquire().await.map_err(|_| StoreError::Fault("the server is stopping".to_owned()))?;
    tokio::task::spawn_blocking(work).await.map_err(gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn nobodys_hash_can_be_reckoned() {
        assert_eq!(verify("guess".to_owned(), NOBODYS.to_owned()).await, Ok(false));
    }
}
