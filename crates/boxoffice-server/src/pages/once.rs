//! The one-time keys of forms: a form that is sent twice does its work once.

use boxoffice::command::Idempotency;
use boxoffice::service::Entropy;
use data_encoding::{BASE32_NOPAD, HEXLOWER};
use sha2::{Digest as _, Sha256};

/// The hidden field that carries the key.
pub const FIELD: &str = "once";

/// A fresh key for a form.
#[must_use]
pub fn fresh(entropy: &dyn Entropy) -> String {
    let mut random = [0; 15];
    entropy.fill(&mut random);
    BASE32_NOPAD.encode(&random)
}

/// What makes a repeat of this form harmless. The key is random, so that it is its own scope.
/// What was sent is part of it: a buyer who goes back and chooses other seats asks for something
/// new. A form without a key is taken, but its repeat is a second wish.
#[must_use]
pub fn idempotency(once: Option<&str>, path: &str, body: &[u8]) -> Option<Idempotency> {
    let once = once.filter(|key| (16..=64).contains(&key.len()))?;
    let mut hash = Sha256::new();
    hash.update(path.as_bytes());
    hash.update([0]);
    hash.update(body);
    let fingerprint: [u8; 32] = hash.finalize().into();
    let scope = format!("form:{}", HEXLOWER.encode(&Sha256::digest(once)));
    Some(Idempotency { scope, key: HEXLOWER.encode(&fingerprint), fingerprint, keep: true })
}
