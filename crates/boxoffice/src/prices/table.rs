//! Prices by category and ticket type.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::STANDARD;
use crate::id::CatalogueId;
use crate::money::Money;

/// By the category's name, then by ticket type.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PriceTable(BTreeMap<String, ByType>);

/// The first version kept one amount per category: the price of a standard ticket.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Kept")]
struct ByType(BTreeMap<CatalogueId, Money>);

#[derive(Deserialize)]
#[serde(untagged)]
enum Kept {
    Standard(Money),
    ByType(BTreeMap<CatalogueId, Money>),
}

impl From<Kept> for ByType {
    fn from(kept: Kept) -> Self {
        match kept {
            Kept::Standard(money) => Self(BTreeMap::from([(standard(), money)])),
            Kept::ByType(by_type) => Self(by_type),
        }
    }
}

fn standard() -> CatalogueId {
    #[expect(clippy::expect_used, reason = "the word is a constant and fit to be an id")]
    CatalogueId::new(STANDARD).expect("an id")
}

impl PriceTable {
    /// Prices of standard tickets by category.
    #[must_use]
    pub fn of_standard(prices: impl IntoIterator<Item = (String, Money)>) -> Self {
        Self(prices.into_iter().map(|(name, price)| (name, Kept::Standard(price).into())).collect())
    }

    pub fn set(&mut self, category: &str, ticket_type: CatalogueId, price: Money) {
        self.0.entry(category.to_owned()).or_default().0.insert(ticket_type, price);
    }

    #[must_use]
    pub fn get(&self, category: &str, ticket_type: &str) -> Option<Money> {
        self.0.get(category)?.0.get(ticket_type).copied()
    }

    #[must_use]
    pub fn has_category(&self, category: &str) -> bool {
        self.0.contains_key(category)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn categories(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Every price: category, ticket type, amount.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &CatalogueId, Money)> {
        self.0.iter().flat_map(|(category, by_type)| by_type.0.iter().map(|(t, price)| (category.as_str(), t, *price)))
    }
}
