//! What this server signs for itself alone: a keyed hash, compared in constant time.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

/// Cheap to clone. It never shows its key.
#[derive(Clone)]
pub(super) struct OwnMac(Hmac<Sha256>);

impl std::fmt::Debug for OwnMac {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OwnMac")
    }
}

impl OwnMac {
    pub(super) fn new(secret: [u8; 32]) -> Self {
        // HMAC fills a short key up with zeros to its block of 64 bytes.
        let mut key = [0; 64];
        key[..secret.len()].copy_from_slice(&secret);
        Self(Hmac::new(&key.into()))
    }

    /// The hash as text that fits an address or a cookie.
    pub(super) fn sign(&self, bytes: &[u8]) -> String {
        URL_SAFE_NO_PAD.encode(self.of(bytes))
    }

    pub(super) fn is_of(&self, bytes: &[u8], signature: &str) -> bool {
        URL_SAFE_NO_PAD.decode(signature).is_ok_and(|given| bool::from(self.of(bytes).ct_eq(&given)))
    }

    fn of(&self, bytes: &[u8]) -> [u8; 32] {
        let mut mac = self.0.clone();
        mac.update(bytes);
        mac.finalize().into_bytes().into()
    }
}
