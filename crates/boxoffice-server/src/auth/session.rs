//! Sessions of the staff pages, `KEY.UNTIL.MAC`: which key signed in, and until when. Nothing is
//! stored; the key itself is looked up at each request, so that a revoked one is out at once.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use boxoffice::time::Timestamp;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

/// Makes and checks sessions. Cheap to clone.
#[derive(Clone)]
pub struct StaffSessions {
    mac: Hmac<Sha256>,
}

impl std::fmt::Debug for StaffSessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StaffSessions")
    }
}

impl StaffSessions {
    #[must_use]
    pub fn new(secret: [u8; 32]) -> Self {
        // HMAC fills a short key up with zeros to its block of 64 bytes.
        let mut key = [0; 64];
        key[..secret.len()].copy_from_slice(&secret);
        Self { mac: Hmac::new(&key.into()) }
    }

    /// A session of this key, by its id.
    #[must_use]
    pub fn start(&self, key: &str, until: Timestamp) -> String {
        let mac = URL_SAFE_NO_PAD.encode(self.mac_of(key, until.as_ms()));
        format!("{key}.{}.{mac}", until.as_ms())
    }

    /// The id of the key whose session this is; `None` for one that has ended or is none of ours.
    #[must_use]
    pub fn open<'a>(&self, session: &'a str, now: Timestamp) -> Option<&'a str> {
        let (key, rest) = session.split_once('.')?;
        let (until, mac) = rest.split_once('.')?;
        let until: i64 = until.parse().ok()?;
        let mac = URL_SAFE_NO_PAD.decode(mac).ok()?;
        let ours = bool::from(self.mac_of(key, until).ct_eq(&mac));
        (ours && now.is_before(Timestamp::from_ms(until))).then_some(key)
    }

    fn mac_of(&self, key: &str, until_ms: i64) -> [u8; 32] {
        let mut mac = self.mac.clone();
        mac.update(&until_ms.to_be_bytes());
        mac.update(key.as_bytes());
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_opens_until_its_end_and_only_as_it_was_made() {
        let sessions = StaffSessions::new([7; 32]);
        let until = Timestamp::from_ms(1_000);
        let session = sessions.start("abc123", until);
        assert_eq!(sessions.open(&session, Timestamp::from_ms(999)), Some("abc123"));
        assert_eq!(sessions.open(&session, until), None);
        let cut = &session[..session.len() - 1];
        let longer = session.replace(".1000.", ".2000.");
        let other = session.replace("abc123", "abc124");
        let foreign = StaffSessions::new([8; 32]).start("abc123", until);
        for bad in ["", ".", "..", "abc123", cut, &longer, &other, &foreign] {
            assert_eq!(sessions.open(bad, Timestamp::from_ms(0)), None, "{bad}");
        }
    }
}
