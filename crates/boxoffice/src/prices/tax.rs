//! Taxes by date and by slab of the net price.
//!
//! The rates with the newest `from` on or before the business day count, as one table. Of that
//! table the rate is the one of the slab in which the net price lies, upper bound included. For a
//! price that contains its tax, the net price follows from the rate: the rate is one whose own net
//! lies in its own slab; where two fit, the lowest slab; where none does, the price has no rate.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::id::CatalogueId;
use crate::money::{Money, MoneyError, Percent};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Kept")]
pub struct Tax {
    pub id: CatalogueId,
    /// Whether prices contain it already.
    pub included: bool,
    pub rates: Vec<TaxRate>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaxRate {
    /// The first business day on which it counts; `None`: ever since.
    pub from: Option<Date>,
    /// The highest net price, as written, in the currency of the price list; `None`: no bound.
    pub up_to: Option<String>,
    pub percent: Percent,
}

/// The first version knew one rate per tax, always contained.
#[derive(Deserialize)]
#[serde(untagged)]
enum Kept {
    OneRate { id: CatalogueId, percent: Percent },
    Tax { id: CatalogueId, included: bool, rates: Vec<TaxRate> },
}

impl From<Kept> for Tax {
    fn from(kept: Kept) -> Self {
        match kept {
            Kept::OneRate { id, percent } => Self::contained(id, percent),
            Kept::Tax { id, included, rates } => Self { id, included, rates },
        }
    }
}

impl Tax {
    /// One rate at all times and for all prices, contained in them.
    #[must_use]
    pub fn contained(id: CatalogueId, percent: Percent) -> Self {
        Self { id, included: true, rates: vec![TaxRate { from: None, up_to: None, percent }] }
    }
}

/// A tax with its bounds read in a currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedTax {
    id: CatalogueId,
    included: bool,
    /// By the day from which they count, newest first; slabs from the lowest up.
    tables: Vec<(Option<Date>, Vec<Slab>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slab {
    /// The highest net price; `None`: no bound.
    pub up_to: Option<Money>,
    pub percent: Percent,
}

impl ResolvedTax {
    /// # Errors
    /// [`MoneyError`] if a bound is no amount of this currency.
    pub fn new(tax: &Tax, currency: crate::money::Currency) -> Result<Self, MoneyError> {
        let mut tables: Vec<(Option<Date>, Vec<Slab>)> = Vec::new();
        for rate in &tax.rates {
            let up_to = rate.up_to.as_deref().map(|text| Money::parse(text, currency)).transpose()?;
            let slab = Slab { up_to, percent: rate.percent };
            match tables.iter_mut().find(|(from, _)| *from == rate.from) {
                Some((_, slabs)) => slabs.push(slab),
                None => tables.push((rate.from, vec![slab])),
            }
        }
        tables.sort_by_key(|(from, _)| std::cmp::Reverse(*from));
        for (_, slabs) in &mut tables {
            slabs.sort_by_key(|slab| (slab.up_to.is_none(), slab.up_to.map(Money::minor)));
        }
        Ok(Self { id: tax.id.clone(), included: tax.included, tables })
    }

    #[must_use]
    pub fn id(&self) -> &CatalogueId {
        &self.id
    }

    #[must_use]
    pub fn included(&self) -> bool {
        self.included
    }

    /// Whether every price of a day has the same rate.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        self.tables.iter().all(|(_, slabs)| matches!(slabs.as_slice(), [only] if only.up_to.is_none()))
    }

    /// The days on which its rates change.
    pub fn days(&self) -> impl Iterator<Item = Option<Date>> {
        self.tables.iter().map(|(from, _)| *from)
    }

    /// The slabs that count on a business day; none before the first `from`.
    #[must_use]
    pub fn slabs(&self, day: Date) -> &[Slab] {
        let of_day = self.tables.iter().find(|(from, _)| from.is_none_or(|from| from <= day));
        of_day.map_or(&[], |(_, slabs)| slabs)
    }

    /// The rate of a price as its list writes it, net or with the tax. `None`: no slab fits.
    #[must_use]
    pub fn rate(&self, day: Date, price: Money) -> Option<Percent> {
        let slabs = self.slabs(day);
        let mut below: Option<Money> = None;
        for slab in slabs {
            let above_the_last = below.is_none_or(|bound| !self.within(slab.percent, price, bound));
            if above_the_last && slab.up_to.is_none_or(|bound| self.within(slab.percent, price, bound)) {
                return Some(slab.percent);
            }
            below = slab.up_to;
        }
        None
    }

    /// As [`rate`](Self::rate), for an amount that follows from others and so may fall between two
    /// slabs: then the upper one counts.
    #[must_use]
    pub fn rate_or_next(&self, day: Date, price: Money) -> Option<Percent> {
        let reaches = |slab: &&Slab| slab.up_to.is_none_or(|bound| self.within(slab.percent, price, bound));
        self.rate(day, price).or_else(|| self.slabs(day).iter().find(reaches).map(|slab| slab.percent))
    }

    /// What the buyer pays for a price as its list writes it.
    ///
    /// # Errors
    /// [`MoneyError::Overflow`] if it does not fit.
    pub fn gross(&self, price: Money, percent: Percent) -> Result<Money, MoneyError> {
        if self.included { Ok(price) } else { price.plus(percent.of(price)?) }
    }

    fn within(&self, percent: Percent, price: Money, bound: Money) -> bool {
        if self.included { percent.net_is_within(price, bound) } else { price.minor() <= bound.minor() }
    }
}
