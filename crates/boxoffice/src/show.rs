//! The catalogue's things as the selling rules see them, references resolved.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::id::{CatalogueId, MovieId, ScreenId, ShowId, ShowNo, TheatreId};
use crate::layout::Layout;
use crate::money::{Currency, Percent};
use crate::prices::{ResolvedPrices, ShowFacts};
use crate::time::{Span, Timestamp};

/// A public text: one string, or one per language with the first as the fallback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Text {
    Plain(String),
    ByLanguage(BTreeMap<String, String>),
}

impl Text {
    /// The text in `language`, else in English, else in the first language given.
    #[must_use]
    pub fn in_language(&self, language: &str) -> &str {
        match self {
            Self::Plain(text) => text,
            Self::ByLanguage(texts) => texts
                .get(language)
                .or_else(|| texts.get("en"))
                .or_else(|| texts.values().next())
                .map_or("", String::as_str),
        }
    }

    #[must_use]
    pub fn english(&self) -> &str {
        self.in_language("en")
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Theatre {
    pub id: TheatreId,
    pub name: Text,
    pub city: String,
    /// ISO 3166-1 alpha-2.
    pub country: String,
    pub timezone: Zone,
    pub currency: Currency,
    pub address: Option<Text>,
    /// Local time at which a new business day begins; a night show before it belongs to the day before.
    pub business_day_starts: jiff::civil::Time,
    pub cleaning: Span,
    pub trailers: Span,
}

/// An IANA time zone from the bundled database, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone(TimeZone);

impl Zone {
    /// The zone of this name in the bundled database, whatever the machine has.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        static BUNDLED: std::sync::LazyLock<jiff::tz::TimeZoneDatabase> =
            std::sync::LazyLock::new(jiff::tz::TimeZoneDatabase::bundled);
        BUNDLED.get(name).ok().map(Self)
    }

    #[must_use]
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    #[must_use]
    pub fn tz(&self) -> &TimeZone {
        &self.0
    }
}

impl Serialize for Zone {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Zone {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let name = std::borrow::Cow::<'de, str>::deserialize(d)?;
        Self::named(&name).ok_or_else(|| serde::de::Error::custom(format!("unknown time zone `{name}`")))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Screen {
    pub id: ScreenId,
    pub theatre: TheatreId,
    pub name: Text,
    pub layout: CatalogueId,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Movie {
    pub id: MovieId,
    pub title: Text,
    /// BCP 47.
    pub language: String,
    pub runtime_min: u32,
    /// By country.
    pub certificates: BTreeMap<String, Certificate>,
    pub ids: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    pub label: String,
    pub min_age: Option<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundPolicy {
    pub id: CatalogueId,
    /// Highest first: cancelling at or before `before` the start returns `percent` of the face price.
    pub tiers: Vec<RefundTier>,
}

impl RefundPolicy {
    /// The same tiers, none of which returns more than this.
    #[must_use]
    pub fn at_most(&self, percent: Percent) -> Self {
        let tiers = self.tiers.iter().map(|tier| RefundTier { percent: tier.percent.min(percent), ..*tier });
        Self { id: self.id.clone(), tiers: tiers.collect() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundTier {
    pub before: Span,
    pub percent: Percent,
}

/// What happens with money that arrives after the hold has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LatePayment {
    /// The same seats again if nobody has them, else the money back.
    Reclaim,
    Refund,
}

/// Half an hour before the start.
pub const ENTRY_OPENS: Span = Span::from_mins(-30);

fn entry_opens() -> Span {
    ENTRY_OPENS
}

/// A show as the store keeps it: references by id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShowSpec {
    pub id: ShowId,
    pub movie: MovieId,
    pub screen: ScreenId,
    pub starts_at: Timestamp,
    pub price_list: CatalogueId,
    pub refund_policy: CatalogueId,
    pub format: Option<String>,
    pub audio: Option<String>,
    pub subtitles: Option<String>,
    pub hold: Span,
    pub max_seats: u16,
    /// Not before this instant; `None`: at once.
    pub sales_open: Option<Timestamp>,
    /// Relative to the start; `0` closes the web's sales at the start.
    pub web_closes: Span,
    pub late_payment: LatePayment,
    /// When guests are let in, relative to the start.
    #[serde(default = "entry_opens")]
    pub entry_opens: Span,
    /// When no more are let in, relative to the start; `None`: at the end of the film.
    #[serde(default)]
    pub entry_closes: Option<Span>,
    pub cancelled: bool,
    /// What was chosen for the bookings when the show was cancelled.
    #[serde(default)]
    pub refunds: Option<RefundChoice>,
}

/// What becomes of the money when a cinema cancels a show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundChoice {
    /// Every booking is refunded in full, fees too, now.
    All,
    /// The bookings stay as they are until staff choose again.
    Later,
    /// Nothing is refunded by itself.
    None,
}

/// A show with everything a decision about it needs.
#[derive(Debug, Clone)]
pub struct Show {
    pub no: ShowNo,
    pub spec: ShowSpec,
    pub movie: Arc<Movie>,
    pub screen: Arc<Screen>,
    pub theatre: Arc<Theatre>,
    pub layout: Arc<Layout>,
    pub prices: Arc<ResolvedPrices>,
    pub refund_policy: Arc<RefundPolicy>,
    pub business_day: Date,
}

impl Show {
    #[must_use]
    pub fn id(&self) -> &ShowId {
        &self.spec.id
    }

    /// What conditions of prices ask of it.
    #[must_use]
    pub fn facts(&self) -> ShowFacts<'_> {
        ShowFacts {
            business_day: self.business_day,
            starts_at: self.spec.starts_at,
            zone: &self.theatre.timezone,
            day_starts: self.theatre.business_day_starts,
            format: self.spec.format.as_deref(),
            runtime_min: self.movie.runtime_min,
        }
    }

    /// Trailers and film.
    #[must_use]
    pub fn ends_at(&self) -> Timestamp {
        self.spec.starts_at + self.theatre.trailers + Span::from_mins(i64::from(self.movie.runtime_min))
    }

    /// From this instant on guests are let in.
    #[must_use]
    pub fn entry_opens_at(&self) -> Timestamp {
        self.spec.starts_at + self.spec.entry_opens
    }

    /// From this instant on nobody is let in any more.
    #[must_use]
    pub fn entry_closes_at(&self) -> Timestamp {
        self.spec.entry_closes.map_or_else(|| self.ends_at(), |closes| self.spec.starts_at + closes)
    }

    /// The instant at which sales on the web end; a hold that lives then lives out its time.
    #[must_use]
    pub fn web_closes_at(&self) -> Timestamp {
        self.spec.starts_at + self.spec.web_closes
    }

    #[must_use]
    pub fn currency(&self) -> Currency {
        self.prices.list.currency
    }

    /// `starts_at` on the theatre's clock.
    #[must_use]
    pub fn local_start(&self) -> jiff::ZonedDateTime {
        self.spec.starts_at.to_jiff().to_zoned_datetime(self.theatre.timezone.tz().clone())
    }
}

/// The day a show belongs to: its local date, or the day before for a start earlier than the
/// theatre's `business_day_starts`.
#[must_use]
pub fn business_day(theatre: &Theatre, starts_at: Timestamp) -> Date {
    let local = starts_at.to_jiff().to_zoned_datetime(theatre.timezone.tz().clone());
    if local.time() < theatre.business_day_starts {
        local.date().yesterday().unwrap_or(local.date())
    } else {
        local.date()
    }
}
