//! Signing and checking events in the manner of Standard Webhooks: an HMAC-SHA256 over id, time
//! and the raw bytes. Nothing of a body is read before its signature was found right.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use boxoffice::gateway::{BadWebhook, Webhook};
use boxoffice::time::Timestamp;
use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// How far an event's time may lie from the server's clock, on either side.
pub(super) const TOLERANCE_S: i64 = 300;

/// The secret that the sandbox and the seller share. It never leaves the store.
pub(super) struct Secret([u8; 32]);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// The three headers of a signed event.
pub(super) struct Signed {
    pub(super) id: String,
    pub(super) timestamp: String,
    pub(super) signature: String,
}

impl Secret {
    pub(super) fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The payment that an attempt has, always the same and not to be guessed.
    pub(super) fn payment_id(&self, attempt: &str) -> String {
        format!("pay_{}", self.name_of("payment", attempt))
    }

    pub(super) fn refund_id(&self, refund: &str) -> String {
        format!("re_{}", self.name_of("refund", refund))
    }

    fn name_of(&self, kind: &str, key: &str) -> String {
        let digest = self.mac(&[kind.as_bytes(), key.as_bytes()]);
        BASE32_NOPAD.encode(digest.get(..15).unwrap_or(&digest)).to_ascii_lowercase()
    }

    pub(super) fn sign(&self, id: &str, body: &str, now: Timestamp) -> Signed {
        let timestamp = now.as_ms().div_euclid(1_000).to_string();
        let digest = self.mac(&[id.as_bytes(), timestamp.as_bytes(), body.as_bytes()]);
        Signed { id: id.to_owned(), timestamp, signature: format!("v1,{}", BASE64.encode(digest)) }
    }

    /// Checks a webhook's headers over its raw bytes. The signature comes first: an event that
    /// was not signed is told nothing of the clock.
    pub(super) fn check(&self, webhook: &Webhook<'_>) -> Result<(), BadWebhook> {
        let header = |name: &str| webhook.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
        let (Some(id), Some(timestamp), Some(signatures)) =
            (header("webhook-id"), header("webhook-timestamp"), header("webhook-signature"))
        else {
            return Err(BadWebhook::Signature);
        };
        let one_fits = signatures
            .split(' ')
            .filter_map(|signature| signature.strip_prefix("v1,"))
            .filter_map(|encoded| BASE64.decode(encoded).ok())
            .any(|given| self.keyed(&[id.as_bytes(), timestamp.as_bytes(), webhook.body]).verify_slice(&given).is_ok());
        if !one_fits {
            return Err(BadWebhook::Signature);
        }
        let seconds: i64 = timestamp.parse().map_err(|_| BadWebhook::Signature)?;
        let off_s = seconds.saturating_sub(webhook.now.as_ms().div_euclid(1_000));
        if off_s.unsigned_abs() > TOLERANCE_S.unsigned_abs() {
            return Err(BadWebhook::Stale { off_s, tolerance_s: TOLERANCE_S });
        }
        Ok(())
    }

    fn mac(&self, parts: &[&[u8]]) -> Vec<u8> {
        self.keyed(parts).finalize().into_bytes().to_vec()
    }

    /// The parts joined by points, under the key.
    fn keyed(&self, parts: &[&[u8]]) -> Hmac<Sha256> {
        #[expect(clippy::expect_used, reason = "HMAC takes keys of every length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key of any length");
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                mac.update(b".");
            }
            mac.update(part);
        }
        mac
    }
}
