//! Conditions of cards and surcharges: on a show, and on the moment of buying.

use jiff::civil::{Date, DateTime, Time};
use serde::{Deserialize, Serialize};

use crate::claim::Occupancy;
use crate::money::Percent;
use crate::show::Zone;
use crate::time::{Span, Timestamp};

/// All conditions that are given must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct When {
    /// Business days; empty: every day.
    pub days: Vec<Weekday>,
    /// Business days by date; empty: every date.
    pub dates: Vec<Date>,
    /// The show starts at or after this local time. An open end reaches to the edge of the business day.
    pub from: Option<Time>,
    /// The show starts before this local time; earlier than `from`: after midnight.
    pub until: Option<Time>,
    pub format: Option<String>,
    pub runtime_from_min: Option<u32>,
    /// At least so much of the seats that are not blocked is sold; holds do not count.
    pub sold_from_percent: Option<Percent>,
    pub bought_before: Option<BoughtBefore>,
}

/// At this instant the condition holds no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoughtBefore {
    /// On the theatre's clocks. A time that occurs twice is the first; one that is skipped, an hour later.
    Local(DateTime),
    /// So long before the start.
    Start(Span),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weekday {
    Mon,
    Tue,
    Wed,
    Thu,
    Fri,
    Sat,
    Sun,
}

impl Weekday {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mon => "mon",
            Self::Tue => "tue",
            Self::Wed => "wed",
            Self::Thu => "thu",
            Self::Fri => "fri",
            Self::Sat => "sat",
            Self::Sun => "sun",
        }
    }
}

impl From<jiff::civil::Weekday> for Weekday {
    fn from(day: jiff::civil::Weekday) -> Self {
        match day {
            jiff::civil::Weekday::Monday => Self::Mon,
            jiff::civil::Weekday::Tuesday => Self::Tue,
            jiff::civil::Weekday::Wednesday => Self::Wed,
            jiff::civil::Weekday::Thursday => Self::Thu,
            jiff::civil::Weekday::Friday => Self::Fri,
            jiff::civil::Weekday::Saturday => Self::Sat,
            jiff::civil::Weekday::Sunday => Self::Sun,
        }
    }
}

/// What conditions ask of a show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShowFacts<'a> {
    pub business_day: Date,
    pub starts_at: Timestamp,
    pub zone: &'a Zone,
    /// When the theatre's business day begins.
    pub day_starts: Time,
    pub format: Option<&'a str>,
    pub runtime_min: u32,
}

impl ShowFacts<'_> {
    #[must_use]
    pub fn local_time(&self) -> Time {
        self.starts_at.to_jiff().to_zoned_datetime(self.zone.tz().clone()).time()
    }
}

/// What conditions ask of the moment of buying.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub bought_at: Timestamp,
    pub occupancy: Occupancy,
}

/// The first condition that does not hold, with what is there instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unmet {
    Days(Weekday),
    Dates(Date),
    Clock(Time),
    Format(Option<String>),
    Runtime(u32),
    Sold(Occupancy),
    Bought { ended_at: Timestamp },
}

impl When {
    /// Whether no condition is given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// `None`: all conditions hold.
    #[must_use]
    pub fn unmet(&self, show: &ShowFacts<'_>, moment: &Moment) -> Option<Unmet> {
        self.unmet_by_show(show).or_else(|| self.unmet_at(show, moment))
    }

    /// The conditions that are settled with the show.
    #[must_use]
    pub fn unmet_by_show(&self, show: &ShowFacts<'_>) -> Option<Unmet> {
        let weekday = Weekday::from(show.business_day.weekday());
        if !self.days.is_empty() && !self.days.contains(&weekday) {
            return Some(Unmet::Days(weekday));
        }
        if !self.dates.is_empty() && !self.dates.contains(&show.business_day) {
            return Some(Unmet::Dates(show.business_day));
        }
        if (self.from.is_some() || self.until.is_some()) && !self.has_clock(show) {
            return Some(Unmet::Clock(show.local_time()));
        }
        if self.format.is_some() && self.format.as_deref() != show.format {
            return Some(Unmet::Format(show.format.map(str::to_owned)));
        }
        self.runtime_from_min.filter(|least| show.runtime_min < *least).map(|_| Unmet::Runtime(show.runtime_min))
    }

    /// The conditions that change with the moment.
    #[must_use]
    pub fn unmet_at(&self, show: &ShowFacts<'_>, moment: &Moment) -> Option<Unmet> {
        if self.sold_from_percent.is_some_and(|percent| !moment.occupancy.reaches(percent)) {
            return Some(Unmet::Sold(moment.occupancy));
        }
        let ended_at = self.bought_before.map(|before| before.instant(show));
        ended_at.filter(|end| !moment.bought_at.is_before(*end)).map(|ended_at| Unmet::Bought { ended_at })
    }

    fn has_clock(&self, show: &ShowFacts<'_>) -> bool {
        let from = self.from.unwrap_or(show.day_starts);
        let until = self.until.unwrap_or(show.day_starts);
        let local = show.local_time();
        if from < until { from <= local && local < until } else { from <= local || local < until }
    }
}

impl BoughtBefore {
    /// The first instant at which the condition does not hold.
    #[must_use]
    pub fn instant(self, show: &ShowFacts<'_>) -> Timestamp {
        match self {
            Self::Start(span) => show.starts_at - span,
            Self::Local(local) => {
                let instant = show.zone.tz().to_ambiguous_timestamp(local).compatible();
                // Only dates at the far end of the calendar have no instant.
                instant.map_or(show.starts_at, |instant| Timestamp::from_ms(instant.as_millisecond()))
            }
        }
    }
}
