//! What a price list says, as the catalogue keeps it and as it is with its references looked up.
//! What a seat costs by it is reckoned in [`pricing`](crate::pricing).

use serde::{Deserialize, Serialize};

use crate::booking::Channel;
use crate::id::CatalogueId;
use crate::money::{Currency, Money, Percent};
use crate::show::Text;

mod table;
mod tax;
#[cfg(test)]
mod tests;
mod when;

pub use table::PriceTable;
pub use tax::{ResolvedTax, Slab, Tax, TaxRate};
pub use when::{BoughtBefore, Moment, ShowFacts, Unmet, Weekday, When};

/// The ticket type that always exists.
pub const STANDARD: &str = "standard";

/// For whom a ticket is. `standard` exists without standing in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketType {
    pub id: CatalogueId,
    pub name: Text,
    /// What the guest has to show at the door, such as a student card.
    pub proof: Option<Text>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fee {
    pub id: CatalogueId,
    pub name: Text,
    pub per: FeePer,
    pub rate: FeeRate,
    pub tax: CatalogueId,
    /// Whether a buyer who cancels gets it back.
    pub refundable: bool,
    /// As written in the file, in the currency of the price list that uses it.
    pub cap_per_booking: Option<String>,
    /// Empty: every channel.
    pub channels: Vec<Channel>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeePer {
    Ticket,
    Booking,
}

/// Amounts are kept as written, since a fee has no currency of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeeRate {
    Amount(String),
    /// Of the face price before any discount.
    Percent(Percent),
}

/// A price list as the catalogue keeps it: references by id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceList {
    pub id: CatalogueId,
    pub currency: Currency,
    pub tax: CatalogueId,
    pub prices: PriceTable,
    /// The first card that matches replaces the prices it names.
    pub cards: Vec<Card>,
    /// Every surcharge that matches is added to each ticket.
    #[serde(default)]
    pub surcharges: Vec<Surcharge>,
    pub fees: Vec<CatalogueId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    pub id: CatalogueId,
    pub when: When,
    pub prices: PriceTable,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surcharge {
    pub id: CatalogueId,
    pub name: Text,
    pub when: When,
    /// Zero or more, taxed as the ticket.
    pub amount: Money,
}

/// A price list with its tax, fees and ticket types looked up and all amounts read in its currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedPrices {
    pub list: PriceList,
    pub tax: ResolvedTax,
    pub fees: Vec<ResolvedFee>,
    /// Names of the ticket types that have a price here; `standard` first, the others by id.
    pub types: Vec<SoldType>,
}

/// A ticket type that a price list has a price for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoldType {
    pub id: CatalogueId,
    /// As the catalogue has it; `standard` may have none there.
    pub named: Option<TicketType>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedFee {
    pub id: CatalogueId,
    pub name: Text,
    pub per: FeePer,
    pub rate: ResolvedRate,
    pub tax: ResolvedTax,
    pub refundable: bool,
    pub cap_per_booking: Option<Money>,
    pub channels: Vec<Channel>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResolvedRate {
    Amount(Money),
    Percent(Percent),
}

impl SoldType {
    /// What people read: `Child`.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.named {
            Some(named) => named.name.english(),
            None if self.id.as_str() == STANDARD => "Standard",
            None => self.id.as_str(),
        }
    }
}

impl ResolvedPrices {
    /// The type with this id, if the list has a price for it in any category.
    #[must_use]
    pub fn sold_type(&self, id: &str) -> Option<&SoldType> {
        self.types.iter().find(|t| t.id.as_str() == id)
    }
}
