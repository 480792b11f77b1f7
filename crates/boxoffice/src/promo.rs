//! Promo codes: what a code takes off, of which tickets, and when. How often it was used is a
//! store's to count.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

use crate::id::{CatalogueId, ShowId};
use crate::money::{Money, Percent};
use crate::show::{Show, Zone};
use crate::time::Timestamp;

#[cfg(test)]
mod tests;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromoCode {
    /// As the cinema writes it.
    pub id: String,
    /// What codes are compared by: [`normalised`] from `id`.
    pub key: CatalogueId,
    pub off: Off,
    pub per: OffPer,
    /// Bookings; `None`: no limit.
    pub max_uses: Option<u32>,
    pub max_per_customer: Option<u32>,
    /// What all its uses together may take off.
    pub budget: Option<Money>,
    /// The first day on the theatre's calendar.
    pub valid_from: Option<Date>,
    /// The last day on the theatre's calendar, to its end.
    pub valid_until: Option<Date>,
    /// Empty: every show.
    pub shows: Vec<ShowId>,
    /// By name; empty: every category.
    pub categories: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Off {
    Percent(Percent),
    Amount(Money),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OffPer {
    /// Off the price of each ticket, not off its fees.
    Ticket,
    /// Once off the booking, with its fees.
    Booking,
}

/// The form in which codes are compared: without blanks and case, full-width letters as plain
/// ones. `None`: nothing is left, or more than an id holds.
#[must_use]
pub fn normalised(code: &str) -> Option<CatalogueId> {
    let folded: String = code.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect();
    let bare: String = folded.chars().filter(|c| !c.is_whitespace()).collect();
    CatalogueId::new(&bare).ok()
}

impl PromoCode {
    /// Whether the code can take anything off this show: named or all shows, and in its currency.
    #[must_use]
    pub fn covers(&self, show: &Show) -> bool {
        let amount = match self.off {
            Off::Amount(amount) => Some(amount),
            Off::Percent(_) => None,
        };
        let in_its_currency = |money: Money| money.currency() == show.currency();
        amount.into_iter().chain(self.budget).all(in_its_currency)
            && (self.shows.is_empty() || self.shows.contains(show.id()))
    }

    /// Whether tickets of the category are cheaper with it.
    #[must_use]
    pub fn covers_category(&self, category: &str) -> bool {
        self.categories.is_empty() || self.categories.iter().any(|name| name == category)
    }

    /// Whether it can be used at this instant, by the calendar of the theatre's zone.
    #[must_use]
    pub fn is_valid_at(&self, now: Timestamp, zone: &Zone) -> bool {
        let today = now.to_jiff().to_zoned_datetime(zone.tz().clone()).date();
        self.valid_from.is_none_or(|first| first <= today) && self.valid_until.is_none_or(|last| today <= last)
    }
}
