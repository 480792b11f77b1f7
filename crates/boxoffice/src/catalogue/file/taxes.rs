//! Taxes with their dates and slabs, fees, and refund policies.

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::fields::{Fields, Read};
use super::tree::Node;
use super::{Known, values};
use crate::booking::Channel;
use crate::money::{Currency, Money, MoneyError};
use crate::prices::{Fee, FeePer, FeeRate, Tax, TaxRate};
use crate::show::{RefundPolicy, RefundTier};

pub(super) fn tax(fields: &mut Fields<'_>, _known: &Known) -> Read<Tax> {
    let id = fields.required("id", values::id);
    let percent = fields.optional("percent", values::percent);
    let rates = fields.tables("rates", tax_rate);
    let included = fields.optional("included", |node| node.value.flag());
    let (percent, rates) = (percent?, rates?);
    let rates = match percent {
        None if rates.is_empty() => return Err(fields.error("percent", "is missing; give a `percent` or `rates`")),
        None => complete(fields, rates)?,
        Some(_) if !rates.is_empty() => {
            return Err(fields.error("percent", "stands beside `rates`; give one of the two"));
        }
        Some(percent) => vec![TaxRate { from: None, up_to: None, percent }],
    };
    Ok(Tax { id: id?, included: included?.unwrap_or(true), rates })
}

fn tax_rate(rate: &mut Fields<'_>) -> Read<TaxRate> {
    let from = rate.optional("from", values::date);
    let up_to = rate.optional("up_to", any_amount);
    let percent = rate.required("percent", values::percent);
    Ok(TaxRate { from: from?, up_to: up_to?, percent: percent? })
}

/// The rates of one date are a whole table: each bound once, and one rate without a bound.
fn complete(fields: &mut Fields<'_>, rates: Vec<TaxRate>) -> Read<Vec<TaxRate>> {
    let mut dates: Vec<Option<Date>> = rates.iter().map(|rate| rate.from).collect();
    dates.sort_unstable();
    dates.dedup();
    for date in dates {
        let of_date = rates.iter().filter(|rate| rate.from == date);
        let mut bounds: Vec<Option<Decimal>> =
            of_date.map(|rate| rate.up_to.as_deref().and_then(|text| text.parse().ok())).collect();
        bounds.sort_unstable();
        let told = date.map_or_else(|| "without `from`".into(), |date| format!("from {date}"));
        if bounds.first() != Some(&None) {
            let detail = format!("have none without `up_to` among the rates {told}; say what the dearest tickets pay");
            return Err(fields.error("rates", detail));
        }
        if bounds.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(fields.error("rates", format!("have one bound twice among the rates {told}")));
        }
    }
    Ok(rates)
}

pub(super) fn fee(fields: &mut Fields<'_>, known: &Known) -> Read<Fee> {
    let id = fields.required("id", values::id);
    let name = fields.required("name", values::public_text);
    let per =
        fields.required("per", |node| values::word(node, &[("ticket", FeePer::Ticket), ("booking", FeePer::Booking)]));
    let amount = fields.optional("amount", any_amount);
    let percent = fields.optional("percent", values::percent);
    let tax = fields.reference("tax", "taxes", known, &known.catalogue.taxes);
    let refundable = fields.optional("refundable", |node| node.value.flag());
    let cap_per_booking = fields.optional("cap_per_booking", any_amount);
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
fn any_amount(node: &Node) -> Result<String, String> {
    let text = values::decimal(node)?;
    match "EUR".parse().and_then(|any| price(text, any)) {
        Ok(_) | Err(MoneyError::TooFine { .. }) => Ok(text.to_owned()),
        Err(e) => Err(e.to_string()),
    }
}

/// An amount of zero or more. The bound keeps every sum of a booking far from overflow.
pub(super) fn price(text: &str, currency: Currency) -> Result<Money, MoneyError> {
    const HIGHEST: i64 = 1_000_000_000_000;
    let money = Money::parse(text, currency)?;
    match money.minor() {
        0..=HIGHEST => Ok(money),
        ..0 => Err(MoneyError::NotAnAmount(text.to_owned())),
        _ => Err(MoneyError::Overflow),
    }
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
