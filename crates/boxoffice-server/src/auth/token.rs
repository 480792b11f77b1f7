//! Booking tokens, `ID.MAC`: whoever has one may see, pay and cancel that booking.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use boxoffice::id::BookingId;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

/// Makes and checks booking tokens, `ID.MAC`. Derived from the booking's id, not stored, so that
/// a repeated answer carries the same token. Cheap to clone.
#[derive(Clone)]
pub struct BookingTokens {
    mac: Hmac<Sha256>,
}

impl std::fmt::Debug for BookingTokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("BookingTokens")
    }
}

impl BookingTokens {
    #[must_use]
    pub fn new(secret: [u8; 32]) -> Self {
        // HMAC fills a short key up with zeros to its block of 64 bytes.
        let mut key = [0; 64];
        key[..secret.len()].copy_from_slice(&secret);
        Self { mac: Hmac::new(&key.into()) }
    }

    #[must_use]
    pub fn token(&self, booking: BookingId) -> String {
        format!("{booking}.{}", URL_SAFE_NO_PAD.encode(self.mac_of(booking)))
    }

    /// The booking that this token opens; `None` for anything that is not a token of ours.
    #[must_use]
    pub fn open(&self, token: &str) -> Option<BookingId> {
        let (id, mac) = token.split_once('.')?;
        let booking: BookingId = id.parse().ok()?;
        let mac = URL_SAFE_NO_PAD.decode(mac).ok()?;
        bool::from(self.mac_of(booking).ct_eq(&mac)).then_some(booking)
    }

    fn mac_of(&self, booking: BookingId) -> [u8; 32] {
        let mut mac = self.mac.clone();
        mac.update(&booking.to_bytes());
        mac.finalize().into_bytes().into()
    }
}
