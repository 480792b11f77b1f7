//! Moments and spans in whole milliseconds. Intervals are half-open everywhere: a thing with a
//! deadline is alive while `now < deadline`, decided by [`Timestamp::is_before`] alone.

use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;

use jiff::tz::TimeZone;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An instant: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// A text was not an instant in RFC 3339 with an offset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a time in RFC 3339 with an offset, such as 2027-06-12T18:00:00Z")]
pub struct BadTime;

/// The years 1 to 9999, which every printed form can carry.
const MS_MIN: i64 = -62_135_596_800_000;
const MS_MAX: i64 = 253_402_207_200_000;

impl Timestamp {
    /// Clamped to the years 1 to 9999.
    #[must_use]
    pub fn from_ms(ms: i64) -> Self {
        Self(ms.clamp(MS_MIN, MS_MAX))
    }

    #[must_use]
    pub fn as_ms(self) -> i64 {
        self.0
    }

    /// Whether something with this deadline is still alive: strictly before it.
    #[must_use]
    pub fn is_before(self, deadline: Self) -> bool {
        self < deadline
    }

    #[must_use]
    pub fn to_jiff(self) -> jiff::Timestamp {
        jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
    }

    /// The instant with the offset that `zone` has then, such as `2027-06-12T20:00:00+02:00`.
    #[must_use]
    pub fn with_offset(self, zone: &TimeZone) -> String {
        let zoned = self.to_jiff().to_zoned_datetime(zone.clone());
        self.to_jiff().display_with_offset(zoned.offset()).to_string()
    }
}

/// A span in milliseconds; negative where it says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Span(i64);

impl Span {
    #[must_use]
    pub const fn from_ms(ms: i64) -> Self {
        Self(ms)
    }

    #[must_use]
    pub const fn from_secs(secs: i64) -> Self {
        Self(secs.saturating_mul(1_000))
    }

    #[must_use]
    pub const fn from_mins(mins: i64) -> Self {
        Self::from_secs(mins.saturating_mul(60))
    }

    #[must_use]
    pub const fn as_ms(self) -> i64 {
        self.0
    }
}

impl Add<Span> for Timestamp {
    type Output = Self;

    fn add(self, span: Span) -> Self {
        Self::from_ms(self.0.saturating_add(span.0))
    }
}

impl Sub<Span> for Timestamp {
    type Output = Self;

    fn sub(self, span: Span) -> Self {
        Self::from_ms(self.0.saturating_sub(span.0))
    }
}

impl Sub for Timestamp {
    type Output = Span;

    fn sub(self, earlier: Self) -> Span {
        Span(self.0 - earlier.0)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_jiff(), f)
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Timestamp {
    type Err = BadTime;

    fn from_str(text: &str) -> Result<Self, BadTime> {
        let instant: jiff::Timestamp = text.parse().map_err(|_| BadTime)?;
        let ms = instant.as_millisecond();
        if (MS_MIN..=MS_MAX).contains(&ms) { Ok(Self(ms)) } else { Err(BadTime) }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_i64(self.0)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        i64::deserialize(d).map(Self::from_ms)
    }
}
