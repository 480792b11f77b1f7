//! Booking tokens, `ID.MAC`: whoever has one may see, pay and cancel that booking.

use boxoffice::id::BookingId;

use super::mac::OwnMac;

/// Makes and checks booking tokens, `ID.MAC`. Derived from the booking's id, not stored, so that
/// a repeated answer carries the same token. Cheap to clone.
#[derive(Debug, Clone)]
pub struct BookingTokens(OwnMac);

impl BookingTokens {
    #[must_use]
    pub fn new(secret: [u8; 32]) -> Self {
        Self(OwnMac::new(secret))
    }

    #[must_use]
    pub fn token(&self, booking: BookingId) -> String {
        format!("{booking}.{}", self.0.sign(&booking.to_bytes()))
    }

    /// The booking that this token opens; `None` for anything that is not a token of ours.
    #[must_use]
    pub fn open(&self, token: &str) -> Option<BookingId> {
        let (id, mac) = token.split_once('.')?;
        let booking: BookingId = id.parse().ok()?;
        self.0.is_of(&booking.to_bytes(), mac).then_some(booking)
    }
}
