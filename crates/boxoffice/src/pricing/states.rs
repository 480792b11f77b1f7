//! Every price that a show can come to, whenever it is bought and however full the hall is: to find
//! out before anything is sold that a price has no tax rate.

use std::collections::BTreeSet;

use super::rules::Rules;
use super::ticket::with_tax;
use crate::booking::Channel;
use crate::claim::Occupancy;
use crate::money::{MoneyError, Percent};
use crate::prices::{Moment, ResolvedPrices, ShowFacts, When};
use crate::time::{Span, Timestamp};

/// Whether every ticket of these categories has a tax rate at every moment.
///
/// # Errors
/// The first price that has none, or that does not fit.
pub fn check<'a>(
    prices: &ResolvedPrices,
    show: &ShowFacts<'_>,
    categories: impl Iterator<Item = &'a str> + Clone,
) -> Result<(), MoneyError> {
    for moment in moments(prices, show) {
        let rules = Rules::of(prices, show, &moment, Channel::Web);
        for category in categories.clone() {
            for written in prices.types.iter().filter_map(|t| rules.written(category, t.id.as_str())) {
                with_tax(prices, show.business_day, &written)?;
            }
        }
    }
    Ok(())
}

/// One moment for each set of conditions that can hold together.
fn moments(prices: &ResolvedPrices, show: &ShowFacts<'_>) -> Vec<Moment> {
    // Large enough that no two different percentages of a hall fall together.
    const SEATS: u32 = 10_000_000;
    let cards = prices.list.cards.iter().map(|card| &card.when);
    let whens = cards.chain(prices.list.surcharges.iter().map(|surcharge| &surcharge.when));
    let whens: Vec<&When> = whens.filter(|when| when.unmet_by_show(show).is_none()).collect();
    let sold_from: BTreeSet<Percent> = whens.iter().filter_map(|when| when.sold_from_percent).collect();
    let ends: BTreeSet<Timestamp> = whens.iter().filter_map(|when| Some(when.bought_before?.instant(show))).collect();
    let sold: BTreeSet<u32> = std::iter::once(0).chain(sold_from.iter().map(|p| p.least_of(SEATS))).collect();
    let before = ends.first().copied().unwrap_or(show.starts_at) - Span::from_ms(1);
    let times = std::iter::once(before).chain(ends.iter().copied());
    let at = |bought_at| {
        let occupancy = |sold| Occupancy { sold, sellable: SEATS };
        sold.iter().map(move |sold| Moment { bought_at, occupancy: occupancy(*sold) }).collect::<Vec<_>>()
    };
    times.flat_map(at).collect()
}
