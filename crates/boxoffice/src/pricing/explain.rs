//! Why seats cost what they cost: every rule of the price list with whether it fired and what it
//! did, told from the same reckoning that makes the quote.

use super::bill::Bill;
use super::rules::{Rules, Verdict};
use super::ticket::Ticket;
use super::{PriceAsk, Priced, reckon};
use crate::booking::Channel;
use crate::command::SeatPick;
use crate::money::{Money, MoneyError};
use crate::prices::{ResolvedTax, Unmet};
use crate::show::Zone;

/// One rule and how it came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub kind: RuleKind,
    pub id: String,
    pub fired: bool,
    /// What it did, or why it did not.
    pub detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleKind {
    Price,
    Card,
    Surcharge,
    Tax,
    Fee,
    Discount,
}

impl RuleKind {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Price => "price",
            Self::Card => "card",
            Self::Surcharge => "surcharge",
            Self::Tax => "tax",
            Self::Fee => "fee",
            Self::Discount => "discount",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    pub rules: Vec<Said>,
    pub priced: Priced,
}

/// Explains the price of one seat.
///
/// # Errors
/// [`MoneyError`] as for [`quote`](super::quote).
pub fn explain(ask: &PriceAsk<'_>, pick: &SeatPick) -> Result<Explanation, MoneyError> {
    let rules = ask.rules();
    let picks = std::slice::from_ref(pick);
    let bill = reckon(ask, &rules, picks)?;
    let mut said = Vec::new();
    if let Some(ticket) = bill.tickets.first() {
        said.extend(of_list(&rules, ticket));
        said.extend(cards(ask, &rules, ticket));
        said.extend(surcharges(ask, &rules));
        said.extend(taxes(ask, &rules, ticket)?);
    }
    said.extend(fees(&rules, &bill));
    said.extend(discount(ask, &bill));
    Ok(Explanation { rules: said, priced: bill.into_priced(picks)? })
}

fn said(kind: RuleKind, id: impl ToString, verdict: Result<String, String>) -> Said {
    let (fired, detail) = match verdict {
        Ok(did) => (true, did),
        Err(why) => (false, why),
    };
    Said { kind, id: id.to_string(), fired, detail }
}

fn of_list(rules: &Rules<'_>, ticket: &Ticket<'_>) -> Option<Said> {
    let list = &rules.prices.list;
    let price = list.prices.get(ticket.category, &ticket.ticket_type)?;
    let card = rules.card().filter(|card| card.prices.get(ticket.category, &ticket.ticket_type).is_some());
    let what = format!("{}, {}: {price}", ticket.category, ticket.ticket_type);
    let verdict = match card {
        None => Ok(what),
        Some(card) => Err(format!("{what}; the card {} replaces it", card.id)),
    };
    Some(said(RuleKind::Price, &list.id, verdict))
}

fn cards(ask: &PriceAsk<'_>, rules: &Rules<'_>, ticket: &Ticket<'_>) -> Vec<Said> {
    let one = |(card, verdict): &(&crate::prices::Card, Verdict)| {
        let fires = || match card.prices.get(ticket.category, &ticket.ticket_type) {
            Some(price) => format!("{}, {}: {price}", ticket.category, ticket.ticket_type),
            None => format!("matches, and names no price for {}, {}", ticket.category, ticket.ticket_type),
        };
        said(RuleKind::Card, &card.id, told(verdict, fires, &ask.show.theatre.timezone))
    };
    rules.cards.iter().map(one).collect()
}

fn surcharges(ask: &PriceAsk<'_>, rules: &Rules<'_>) -> Vec<Said> {
    let one = |(surcharge, verdict): &(&crate::prices::Surcharge, Verdict)| {
        let fires = || format!("+{}", surcharge.amount);
        said(RuleKind::Surcharge, &surcharge.id, told(verdict, fires, &ask.show.theatre.timezone))
    };
    rules.surcharges.iter().map(one).collect()
}

/// Every slab of the tax on the show's business day.
fn taxes(ask: &PriceAsk<'_>, rules: &Rules<'_>, ticket: &Ticket<'_>) -> Result<Vec<Said>, MoneyError> {
    let tax = &rules.prices.tax;
    let written = rules.written(ticket.category, &ticket.ticket_type).unwrap_or_default();
    let price = Money::sum(ask.show.currency(), written)?;
    let slabs = tax.slabs(ask.show.business_day);
    let mut found = false;
    let one = |slab: &crate::prices::Slab| {
        let bound = slab.up_to.map_or_else(|| "no upper bound".into(), |bound| format!("net up to {bound}"));
        let fires = slab.percent == ticket.percent && !found;
        found |= fires;
        let did = format!("{}, {bound}", in_price(tax, price));
        said(RuleKind::Tax, format!("{} {}%", tax.id(), slab.percent), if fires { Ok(did) } else { Err(bound) })
    };
    Ok(slabs.iter().map(one).collect())
}

fn in_price(tax: &ResolvedTax, price: Money) -> String {
    if tax.included() { format!("contained in {price}") } else { format!("on top of {price}") }
}

fn fees(rules: &Rules<'_>, bill: &Bill<'_>) -> Vec<Said> {
    let one = |(fee, verdict): &(&crate::prices::ResolvedFee, Verdict)| {
        let parts = bill.parts.iter().filter(|part| {
            bill.lines.get(part.line).and_then(|line| line.fee).is_some_and(|of_line| of_line.id == fee.id)
        });
        let fires = || {
            let shares: Vec<String> =
                parts.map(|part| format!("+{}, {}% tax in it", part.amount, part.percent)).collect();
            if shares.is_empty() { "comes to nothing".to_owned() } else { shares.join(", ") }
        };
        said(RuleKind::Fee, &fee.id, told(verdict, fires, &bill.show.theatre.timezone))
    };
    rules.fees.iter().map(one).collect()
}

fn discount(ask: &PriceAsk<'_>, bill: &Bill<'_>) -> Option<Said> {
    let promo = ask.promo?;
    let verdict = match &bill.discount {
        Some(_) => {
            let off: i64 = bill.parts.iter().map(|part| part.amount.minor() - part.paid.minor()).sum();
            Ok(Money::from_minor(-off, ask.show.currency()).to_string())
        }
        None if !promo.covers(ask.show) => Err("the code is not for this show, or not in its currency".into()),
        None => Err("the code takes nothing off this ticket".into()),
    };
    Some(said(RuleKind::Discount, &promo.id, verdict))
}

fn told(verdict: &Verdict, fires: impl FnOnce() -> String, zone: &Zone) -> Result<String, String> {
    match verdict {
        Verdict::Fires => Ok(fires()),
        Verdict::Unmet(unmet) => Err(why(unmet, zone)),
        Verdict::Later => Err("a card before it matched".into()),
        Verdict::OtherChannel(Channel::Web) => Err("not for the web".into()),
        Verdict::OtherChannel(Channel::Counter) => Err("not for the counter".into()),
    }
}

fn why(unmet: &Unmet, zone: &Zone) -> String {
    match unmet {
        Unmet::Days(day) => format!("`days`: the business day is a {}", day.as_str()),
        Unmet::Dates(day) => format!("`dates`: the business day is {day}"),
        Unmet::Clock(time) => format!("`from`/`until`: it starts at {time}"),
        Unmet::Format(Some(format)) => format!("`format`: the show is in {format}"),
        Unmet::Format(None) => "`format`: the show has none".into(),
        Unmet::Runtime(min) => format!("`runtime_from_min`: the film runs {min} min"),
        Unmet::Sold(occupancy) => {
            format!("`sold_from_percent`: {} of {} seats are sold", occupancy.sold, occupancy.sellable)
        }
        Unmet::Bought { ended_at } => format!("`bought_before`: ended at {}", ended_at.with_offset(zone.tz())),
    }
}
