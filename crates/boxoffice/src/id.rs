//! Typed ids. Catalogue things carry the id their file gives them; what the program makes itself
//! hangs off one [`BookingId`], so that an attempt, refund or ticket names its booking and show.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use data_encoding::{Encoding, Specification};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::time::Timestamp;

/// A string did not have the form of the id it was read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a {0} id")]
pub struct BadId(pub &'static str);

/// The id a catalogue file gives to a thing: non-empty, printable, no blanks, at most 128 bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CatalogueId(Arc<str>);

pub type TheatreId = CatalogueId;
pub type ScreenId = CatalogueId;
pub type LayoutId = CatalogueId;
pub type MovieId = CatalogueId;
pub type ShowId = CatalogueId;

impl CatalogueId {
    /// # Errors
    /// [`BadId`] if the text is empty, longer than 128 bytes, or holds blanks or control characters.
    pub fn new(text: &str) -> Result<Self, BadId> {
        let fits = !text.is_empty() && text.len() <= 128;
        let printable = text.chars().all(|c| !c.is_whitespace() && !c.is_control());
        if fits && printable { Ok(Self(Arc::from(text))) } else { Err(BadId("catalogue")) }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// So that maps by id can be asked with a text.
impl std::borrow::Borrow<str> for CatalogueId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CatalogueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for CatalogueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", &*self.0)
    }
}

impl Serialize for CatalogueId {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for CatalogueId {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(d)?;
        Self::new(&text).map_err(serde::de::Error::custom)
    }
}

/// The store's own number of a show. It leads every key, so that a store can be split by show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ShowNo(pub u32);

/// A seat's place in its layout version's list of seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeatNo(pub u16);

impl SeatNo {
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A booking: its show's number, the millisecond it was made in, and 48 random bits. Within a
/// show the ids rise with time, so that a store appends rather than scatters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BookingId([u8; 16]);

fn base32() -> Encoding {
    let mut spec = Specification::new();
    spec.symbols.push_str("0123456789abcdefghjkmnpqrstvwxyz");
    spec.translate.from.push_str("ABCDEFGHJKMNPQRSTVWXYZ");
    spec.translate.to.push_str("abcdefghjkmnpqrstvwxyz");
    #[expect(clippy::expect_used, reason = "the alphabet above is a constant of 32 symbols")]
    spec.encoding().expect("a base-32 alphabet")
}

static BASE32: std::sync::LazyLock<Encoding> = std::sync::LazyLock::new(base32);

impl BookingId {
    #[must_use]
    pub fn new(show: ShowNo, made_at: Timestamp, random: [u8; 6]) -> Self {
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&show.0.to_be_bytes());
        bytes[4..10].copy_from_slice(&made_at.as_ms().to_be_bytes()[2..]);
        bytes[10..].copy_from_slice(&random);
        Self(bytes)
    }

    #[must_use]
    pub fn show(self) -> ShowNo {
        ShowNo(u32::from_be_bytes([self.0[0], self.0[1], self.0[2], self.0[3]]))
    }

    #[must_use]
    pub fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for BookingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE32.encode(&self.0))
    }
}

impl fmt::Debug for BookingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for BookingId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        let bytes = BASE32.decode(text.as_bytes()).map_err(|_| BadId("booking"))?;
        bytes.try_into().map(Self).map_err(|_| BadId("booking"))
    }
}

impl Serialize for BookingId {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BookingId {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(d)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The n-th thing of one kind that belongs to a booking, counted from 1: printed `BOOKING-1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId {
    pub booking: BookingId,
    pub no: u16,
}

/// A payment attempt. It is also the provider's idempotency key for creating the payment.
pub type AttemptId = PartId;
/// A refund. It is also the provider's idempotency key for the refund.
pub type RefundId = PartId;
pub type TicketId = PartId;
pub type NoticeId = PartId;

impl fmt::Display for PartId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.booking, self.no)
    }
}

impl fmt::Debug for PartId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for PartId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        let (booking, no) = text.split_once('-').ok_or(BadId("part"))?;
        let canonical = !no.starts_with(['0', '+']);
        let no = no.parse().ok().filter(|_| canonical).ok_or(BadId("part"))?;
        Ok(Self { booking: booking.parse()?, no })
    }
}

impl Serialize for PartId {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PartId {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(d)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The short name of a booking that a person can read out: nine letters and digits, without
/// I, L, O and U, from 45 random bits. It opens nothing by itself.
#[must_use]
pub fn reference(random: [u8; 6]) -> String {
    let mut padded = [0; 10];
    padded[..6].copy_from_slice(&random);
    let mut text = BASE32.encode(&padded).to_ascii_uppercase();
    text.truncate(9);
    text
}
