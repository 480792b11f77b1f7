//! What tickets cost: types, taxes, fees, price lists, promo codes and refund policies.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::table::{clock, date_time, duration, list, public, table, word};
use crate::catalogue::Catalogue;
use crate::prices::{
    BoughtBefore, Card, Fee, FeeRate, PriceList, PriceTable, STANDARD, Surcharge, Tax, TaxRate, TicketType, When,
};
use crate::promo::{Off, PromoCode};
use crate::show::RefundPolicy;

pub(super) fn tables(catalogue: &Catalogue) -> [(&'static str, Vec<Value>); 6] {
    fn all<'a, T: 'a>(things: impl Iterator<Item = &'a Arc<T>>, write: fn(&T) -> Value) -> Vec<Value> {
        things.map(|thing| write(thing)).collect()
    }
    [
        ("ticket_types", all(catalogue.ticket_types.values(), ticket_type)),
        ("taxes", all(catalogue.taxes.values(), tax)),
        ("fees", all(catalogue.fees.values(), fee)),
        ("price_lists", all(catalogue.price_lists.values(), price_list)),
        ("promo_codes", all(catalogue.promo_codes.values(), promo_code)),
        ("refund_policies", all(catalogue.refund_policies.values(), refund_policy)),
    ]
}

fn ticket_type(it: &TicketType) -> Value {
    table([("id", json!(it.id)), ("name", public(&it.name)), ("proof", it.proof.as_ref().map_or(Value::Null, public))])
}

fn tax(it: &Tax) -> Value {
    let (percent, rates) = match it.rates.as_slice() {
        [TaxRate { from: None, up_to: None, percent }] => (json!(percent), Value::Null),
        rates => (Value::Null, list(rates.iter().map(tax_rate))),
    };
    table([("id", json!(it.id)), ("included", json!(it.included)), ("percent", percent), ("rates", rates)])
}

fn tax_rate(it: &TaxRate) -> Value {
    table([
        ("from", json!(it.from.map(|day| day.to_string()))),
        ("up_to", json!(it.up_to)),
        ("percent", json!(it.percent)),
    ])
}

fn fee(it: &Fee) -> Value {
    let (amount, percent) = match &it.rate {
        FeeRate::Amount(amount) => (json!(amount), Value::Null),
        FeeRate::Percent(percent) => (Value::Null, json!(percent)),
    };
    table([
        ("id", json!(it.id)),
        ("name", public(&it.name)),
        ("per", word(&it.per)),
        ("amount", amount),
        ("percent", percent),
        ("tax", json!(it.tax)),
        ("refundable", json!(it.refundable)),
        ("cap_per_booking", json!(it.cap_per_booking)),
        ("channels", list(it.channels.iter().map(word))),
    ])
}

fn price_list(it: &PriceList) -> Value {
    table([
        ("id", json!(it.id)),
        ("currency", json!(it.currency.code())),
        ("tax", json!(it.tax)),
        ("fees", list(it.fees.iter().map(|id| json!(id)))),
        ("prices", prices(&it.prices)),
        ("cards", list(it.cards.iter().map(card))),
        ("surcharges", list(it.surcharges.iter().map(surcharge))),
    ])
}

/// An amount for each category, or one for each ticket type of it.
fn prices(it: &PriceTable) -> Value {
    let mut categories: Map<String, Value> = Map::new();
    for (category, ticket_type, price) in it.iter() {
        let of_category = categories.entry(category).or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(by_type) = of_category {
            by_type.insert(ticket_type.to_string(), json!(price.digits()));
        }
    }
    for of_category in categories.values_mut() {
        if let Some(price) =
            of_category.get(STANDARD).filter(|_| of_category.as_object().is_some_and(|it| it.len() == 1))
        {
            *of_category = price.clone();
        }
    }
    Value::Object(categories)
}

fn card(it: &Card) -> Value {
    table([("id", json!(it.id)), ("when", when(&it.when)), ("prices", prices(&it.prices))])
}

fn surcharge(it: &Surcharge) -> Value {
    table([
        ("id", json!(it.id)),
        ("name", public(&it.name)),
        ("amount", json!(it.amount.digits())),
        ("when", when(&it.when)),
    ])
}

fn when(it: &When) -> Value {
    let bought_before = it.bought_before.as_ref().map(|before| match before {
        BoughtBefore::Local(at) => date_time(*at),
        BoughtBefore::Start(span) => duration(*span),
    });
    table([
        ("days", list(it.days.iter().map(|day| json!(day.as_str())))),
        ("dates", list(it.dates.iter().map(|day| json!(day.to_string())))),
        ("from", json!(it.from.map(clock))),
        ("until", json!(it.until.map(clock))),
        ("format", json!(it.format)),
        ("runtime_from_min", json!(it.runtime_from_min)),
        ("sold_from_percent", json!(it.sold_from_percent)),
        ("bought_before", json!(bought_before)),
    ])
}

fn promo_code(it: &PromoCode) -> Value {
    let (percent, amount) = match it.off {
        Off::Percent(percent) => (json!(percent), None),
        Off::Amount(amount) => (Value::Null, Some(amount)),
    };
    let currency = amount.or(it.budget).map(|money| money.currency().code());
    table([
        ("id", json!(it.id)),
        ("per", word(&it.per)),
        ("percent", percent),
        ("amount", json!(amount.map(|amount| amount.digits()))),
        ("currency", json!(currency)),
        ("max_uses", json!(it.max_uses)),
        ("max_per_customer", json!(it.max_per_customer)),
        ("budget", json!(it.budget.map(|budget| budget.digits()))),
        ("valid_from", json!(it.valid_from.map(|day| day.to_string()))),
        ("valid_until", json!(it.valid_until.map(|day| day.to_string()))),
        ("shows", list(it.shows.iter().map(|show| json!(show)))),
        ("categories", list(it.categories.iter().map(|name| json!(name)))),
    ])
}

fn refund_policy(it: &RefundPolicy) -> Value {
    let tier = |tier: &crate::show::RefundTier| {
        table([("before", json!(duration(tier.before))), ("percent", json!(tier.percent))])
    };
    table([("id", json!(it.id)), ("tiers", list(it.tiers.iter().map(tier)))])
}
