//! Taxes, fees, price lists with their cards, and refund policies.

use std::collections::BTreeMap;

use super::fields::{Fields, Place, Read, Reported};
use super::tree::{Node, Value};
use super::{Known, values};
use crate::booking::Channel;
use crate::money::{Currency, Money, MoneyError};
use crate::pricing::STANDARD;
use crate::show::{Card, Fee, FeePer, FeeRate, PriceList, RefundPolicy, RefundTier, Tax, Weekday, When};

pub(super) fn tax(fields: &mut Fields<'_>, _known: &Known) -> Read<Tax> {
    let id = fields.required("id", values::id);
    let percent = fields.required("percent", values::percent);
    let included = fields.optional("included", |node| match node.value.flag()? {
        true => Ok(()),
        false => Err("taxes are contained in the prices; write gross prices and leave this field out".into()),
    });
    included?;
    Ok(Tax { id: id?, percent: percent? })
}

pub(super) fn fee(fields: &mut Fields<'_>, known: &Known) -> Read<Fee> {
    let id = fields.required("id", values::id);
    let name = fields.required("name", values::public_text);
    let per =
        fields.required("per", |node| values::word(node, &[("ticket", FeePer::Ticket), ("booking", FeePer::Booking)]));
    let amount = fields.optional("amount", fee_amount);
    let percent = fields.optional("percent", values::percent);
    let tax = fields.reference("tax", "taxes", known, &known.catalogue.taxes);
    let refundable = fields.optional("refundable", |node| node.value.flag());
    let cap_per_booking = fields.optional("cap_per_booking", fee_amount);
    let channels =
        fields.list("channels", |node| values::word(node, &[("web", Channel::Web), ("counter", Channel::Counter)]));
    let rate = match (amount?, percent?) {
        (Some(amount), None) => FeeRate::Amount(amount),
        (None, Some(percent)) => FeeRate::Percent(percent),
        (None, None) => return Err(fields.error("amount", "is missing; give an `amount` or a `percent`")),
        (Some(_), Some(_)) => return Err(fields.error("percent", "stands beside `amount`; give one of the two")),
    };
    Ok(Fee {
        id: id?,
        name: name?,
        per: per?,
        rate,
        tax: tax?.0,
        refundable: refundable?.unwrap_or(false),
        cap_per_booking: cap_per_booking?,
        channels: channels?,
    })
}

/// An amount whose currency is not known yet: it may have more decimals than most currencies.
fn fee_amount(node: &Node) -> Result<String, String> {
    let text = values::decimal(node)?;
    match "EUR".parse().and_then(|any| price(text, any)) {
        Ok(_) | Err(MoneyError::TooFine { .. }) => Ok(text.to_owned()),
        Err(e) => Err(e.to_string()),
    }
}

/// Whether a fee's amounts can be read in a currency.
pub(super) fn fits(fee: &Fee, currency: Currency) -> Result<(), MoneyError> {
    let amount = match &fee.rate {
        FeeRate::Amount(text) => Some(text),
        FeeRate::Percent(_) => None,
    };
    amount.into_iter().chain(&fee.cap_per_booking).try_for_each(|text| price(text, currency).map(drop))
}

/// An amount of zero or more. The bound keeps every sum of a booking far from overflow.
fn price(text: &str, currency: Currency) -> Result<Money, MoneyError> {
    const HIGHEST: i64 = 1_000_000_000_000;
    let money = Money::parse(text, currency)?;
    match money.minor() {
        0..=HIGHEST => Ok(money),
        ..0 => Err(MoneyError::NotAnAmount(text.to_owned())),
        _ => Err(MoneyError::Overflow),
    }
}

pub(super) fn price_list(fields: &mut Fields<'_>, known: &Known) -> Read<PriceList> {
    let id = fields.required("id", values::id);
    let tax = fields.reference("tax", "taxes", known, &known.catalogue.taxes);
    let fees = fields.references("fees", "fees", known, &known.catalogue.fees);
    let currency = fields.required("currency", values::currency);
    // Without a currency no price can be read; the names are known all the same.
    let Ok(currency) = currency else {
        fields.knows("prices");
        fields.knows("cards");
        return Err(Reported);
    };
    let prices = prices(fields, currency);
    let base = prices.as_ref().ok();
    let cards = fields.tables("cards", |card| self::card(card, currency, base));
    let prices = prices?;
    if prices.is_empty() {
        return Err(
            fields.error("prices", "is missing; give a price for each category, such as { Standard = \"12.50\" }")
        );
    }
    Ok(PriceList { id: id?, currency, tax: tax?.0, prices, cards: cards?, fees: fees? })
}

/// By the category's name.
fn prices(fields: &mut Fields<'_>, currency: Currency) -> Read<BTreeMap<String, Money>> {
    let entries = fields.entries("prices")?;
    let read: Vec<Read<_>> = entries
        .into_iter()
        .map(|(category, place, node)| Ok((category.to_owned(), standard_price(fields, &place, node, currency)?)))
        .collect();
    read.into_iter().collect()
}

/// `"12.50"` or `{ standard = "12.50" }`.
fn standard_price(fields: &mut Fields<'_>, place: &Place, node: &Node, currency: Currency) -> Read<Money> {
    let read = |node: &Node| price(values::decimal(node)?, currency).map_err(|e| e.to_string());
    match &node.value {
        Value::Table(_) => fields.inner(place.clone(), node, |by_type| by_type.required(STANDARD, read)),
        Value::Text(_) | Value::Number(_) | Value::Bool(_) | Value::List(_) => {
            read(node).map_err(|detail| fields.error_at(place, detail))
        }
    }
}

/// A card replaces prices, so it can name only categories that have one.
fn card(fields: &mut Fields<'_>, currency: Currency, base: Option<&BTreeMap<String, Money>>) -> Read<Card> {
    let id = fields.required("id", values::id);
    let when = fields.table("when", |when| {
        let days = when.list("days", weekday)?;
        if days.is_empty() {
            Err(when.error("days", "is missing; name one day at least, such as [\"tue\"]"))
        } else {
            Ok(When { days })
        }
    });
    let prices = prices(fields, currency)?;
    let place = fields.place_of("prices");
    let unknown = prices.keys().filter(|name| base.is_some_and(|base| !base.contains_key(*name)));
    for name in unknown.collect::<Vec<_>>() {
        fields.error_at(&place, format!("`{name}` has no price in the list itself; add one there or correct the name"));
    }
    if prices.is_empty() {
        return Err(fields.error("prices", "is missing; a card replaces one price at least"));
    }
    Ok(Card { id: id?, when: when?, prices })
}

fn weekday(node: &Node) -> Result<Weekday, String> {
    use Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};
    let days = [("mon", Mon), ("tue", Tue), ("wed", Wed), ("thu", Thu), ("fri", Fri), ("sat", Sat), ("sun", Sun)];
    values::word(node, &days)
}

pub(super) fn refund_policy(fields: &mut Fields<'_>, _known: &Known) -> Read<RefundPolicy> {
    let id = fields.required("id", values::id);
    let tiers = fields.tables("tiers", |tier| {
        let before = tier.required("before", values::duration);
        let percent = tier.required("percent", values::percent);
        Ok(RefundTier { before: before?, percent: percent? })
    })?;
    if !tiers.is_sorted_by(|higher, lower| higher.before > lower.before) {
        return Err(fields.error("tiers", "are not in order; write the longest `before` first, each once"));
    }
    Ok(RefundPolicy { id: id?, tiers })
}
