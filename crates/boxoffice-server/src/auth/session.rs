//! Sessions of the staff pages, `KEY.UNTIL.MAC`: which key signed in, and until when. Nothing is
//! stored; the key itself is looked up at each request, so that a revoked one is out at once.

use boxoffice::time::Timestamp;

use super::mac::OwnMac;

/// Makes and checks sessions. Cheap to clone.
#[derive(Debug, Clone)]
pub struct StaffSessions(OwnMac);

impl StaffSessions {
    #[must_use]
    pub fn new(secret: [u8; 32]) -> Self {
        Self(OwnMac::new(secret))
    }

    /// A session of this key, by its id.
    #[must_use]
    pub fn start(&self, key: &str, until: Timestamp) -> String {
        let until_ms = until.as_ms();
        format!("{key}.{until_ms}.{}", self.0.sign(&signed(key, until_ms)))
    }

    /// The id of the key or account whose session this is, and when it ends; `None` for one that has
    /// ended or is none of ours.
    #[must_use]
    pub fn open<'a>(&self, session: &'a str, now: Timestamp) -> Option<(&'a str, Timestamp)> {
        let (key, rest) = session.split_once('.')?;
        let (until, mac) = rest.split_once('.')?;
        let until: i64 = until.parse().ok()?;
        let ours = self.0.is_of(&signed(key, until), mac);
        let ends_at = Timestamp::from_ms(until);
        (ours && now.is_before(ends_at)).then_some((key, ends_at))
    }
}

/// The number first, since it has a fixed length: no two sessions run together to the same bytes.
fn signed(key: &str, until_ms: i64) -> Vec<u8> {
    [&until_ms.to_be_bytes()[..], key.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_opens_until_its_end_and_only_as_it_was_made() {
        let sessions = StaffSessions::new([7; 32]);
        let until = Timestamp::from_ms(1_000);
        let session = sessions.start("abc123", until);
        assert_eq!(sessions.open(&session, Timestamp::from_ms(999)), Some(("abc123", until)));
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
