//! Which rules of a price list fire for a show at a moment, and why the others do not.

use crate::booking::Channel;
use crate::money::Money;
use crate::prices::{Card, Moment, ResolvedFee, ResolvedPrices, ShowFacts, Surcharge, Unmet};

/// Every rule of the show's price list with how it came out.
pub(super) struct Rules<'a> {
    pub(super) prices: &'a ResolvedPrices,
    pub(super) cards: Vec<(&'a Card, Verdict)>,
    pub(super) surcharges: Vec<(&'a Surcharge, Verdict)>,
    pub(super) fees: Vec<(&'a ResolvedFee, Verdict)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    Fires,
    /// A condition does not hold.
    Unmet(Unmet),
    /// A card before it matched.
    Later,
    /// The fee is not for this channel.
    OtherChannel(Channel),
}

impl<'a> Rules<'a> {
    pub(super) fn of(prices: &'a ResolvedPrices, show: &ShowFacts<'_>, moment: &Moment, channel: Channel) -> Self {
        let mut matched = false;
        let mut card = |card: &'a Card| {
            let verdict = match card.when.unmet(show, moment) {
                _ if matched => Verdict::Later,
                Some(unmet) => Verdict::Unmet(unmet),
                None => Verdict::Fires,
            };
            matched |= verdict == Verdict::Fires;
            (card, verdict)
        };
        let surcharge = |surcharge: &'a Surcharge| {
            let unmet = surcharge.when.unmet(show, moment);
            (surcharge, unmet.map_or(Verdict::Fires, Verdict::Unmet))
        };
        let fee = |fee: &'a ResolvedFee| {
            let applies = fee.channels.is_empty() || fee.channels.contains(&channel);
            (fee, if applies { Verdict::Fires } else { Verdict::OtherChannel(channel) })
        };
        Self {
            prices,
            cards: prices.list.cards.iter().map(&mut card).collect(),
            surcharges: prices.list.surcharges.iter().map(surcharge).collect(),
            fees: prices.fees.iter().map(fee).collect(),
        }
    }

    pub(super) fn card(&self) -> Option<&'a Card> {
        fired(&self.cards).next()
    }

    pub(super) fn surcharges(&self) -> impl Iterator<Item = &'a Surcharge> {
        fired(&self.surcharges)
    }

    pub(super) fn fees(&self) -> impl Iterator<Item = &'a ResolvedFee> {
        fired(&self.fees)
    }

    /// What list or card say of a ticket, and then each surcharge that fired, as they are written.
    /// `None`: there is no such ticket.
    pub(super) fn written(&self, category: &str, ticket_type: &str) -> Option<Vec<Money>> {
        let base = self.prices.list.prices.get(category, ticket_type)?;
        let card = self.card().and_then(|card| card.prices.get(category, ticket_type));
        Some(std::iter::once(card.unwrap_or(base)).chain(self.surcharges().map(|s| s.amount)).collect())
    }
}

fn fired<'a, T>(rules: &[(&'a T, Verdict)]) -> impl Iterator<Item = &'a T> {
    rules.iter().filter(|(_, verdict)| *verdict == Verdict::Fires).map(|(rule, _)| *rule)
}
