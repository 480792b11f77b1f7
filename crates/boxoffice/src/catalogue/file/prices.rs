//! Ticket types, and price lists with their cards and surcharges.

use super::fields::{Fields, Place, Read, Reported};
use super::taxes::price;
use super::tree::{Node, Value};
use super::when::when;
use super::{Known, values};
use crate::id::CatalogueId;
use crate::money::{Currency, Money};
use crate::prices::{Card, PriceList, PriceTable, STANDARD, Surcharge, TicketType};

/// Every one of them is looked at for every price.
const CARDS_MAX: usize = 100;
const SURCHARGES_MAX: usize = 50;

pub(super) fn ticket_type(fields: &mut Fields<'_>, _known: &Known) -> Read<TicketType> {
    let id = fields.required("id", values::id);
    let name = fields.required("name", values::public_text);
    let proof = fields.optional("proof", values::public_text);
    Ok(TicketType { id: id?, name: name?, proof: proof? })
}

pub(super) fn price_list(fields: &mut Fields<'_>, known: &Known) -> Read<PriceList> {
    let id = fields.required("id", values::id);
    let tax = fields.reference("tax", "taxes", known, &known.catalogue.taxes);
    let fees = fields.references("fees", "fees", known, &known.catalogue.fees);
    let currency = fields.required("currency", values::currency);
    // Without a currency no price can be read; the names are known all the same.
    let Ok(currency) = currency else {
        for name in ["prices", "cards", "surcharges"] {
            fields.knows(name);
        }
        return Err(Reported);
    };
    let prices = base_prices(fields, known, currency);
    let base = prices.as_ref().ok();
    let cards = fields.tables("cards", |card| self::card(card, known, currency, base));
    let surcharges = fields.tables("surcharges", |surcharge| self::surcharge(surcharge, currency));
    let list = PriceList {
        id: id?,
        currency,
        tax: tax?.0,
        prices: prices?,
        cards: cards?,
        surcharges: surcharges?,
        fees: fees?,
    };
    if list.cards.len() > CARDS_MAX {
        return Err(fields.error("cards", format!("are too many; a list has at most {CARDS_MAX}")));
    }
    if list.surcharges.len() > SURCHARGES_MAX {
        return Err(fields.error("surcharges", format!("are too many; a list has at most {SURCHARGES_MAX}")));
    }
    Ok(list)
}

/// Every category that is sold has a standard price.
fn base_prices(fields: &mut Fields<'_>, known: &Known, currency: Currency) -> Read<PriceTable> {
    let prices = prices(fields, known, currency)?;
    let place = fields.place_of("prices");
    let without = prices.categories().find(|category| prices.get(category, STANDARD).is_none());
    if let Some(category) = without {
        let detail = format!("`{category}` has no `{STANDARD}` price; every category needs one");
        return Err(fields.error_at(&place, detail));
    }
    if prices.is_empty() {
        return Err(
            fields.error("prices", "is missing; give a price for each category, such as { Standard = \"12.50\" }")
        );
    }
    Ok(prices)
}

/// By the category's name: `"12.50"`, or `{ standard = "12.50", child = "9.00" }`.
fn prices(fields: &mut Fields<'_>, known: &Known, currency: Currency) -> Read<PriceTable> {
    let entries = fields.entries("prices")?;
    let mut table = PriceTable::default();
    let mut all_read = Ok(());
    for (category, place, node) in entries {
        match prices_of(fields, known, &place, node, currency) {
            Ok(by_type) => by_type.into_iter().for_each(|(id, price)| table.set(category, id, price)),
            Err(reported) => all_read = Err(reported),
        }
    }
    all_read.map(|()| table)
}

fn prices_of(
    fields: &mut Fields<'_>,
    known: &Known,
    place: &Place,
    node: &Node,
    currency: Currency,
) -> Read<Vec<(CatalogueId, Money)>> {
    let read = |node: &Node| price(values::decimal(node)?, currency).map_err(|e| e.to_string());
    match &node.value {
        Value::Table(by_type) if by_type.0.is_empty() => {
            Err(fields.error_at(place, "is empty; give one price at least"))
        }
        Value::Table(by_type) => {
            let each = by_type.0.iter().map(|(key, node)| {
                let place = place.field(key, node);
                let id = fields.ticket_type(&place, key, known)?;
                Ok((id, read(node).map_err(|detail| fields.error_at(&place, detail))?))
            });
            let each: Vec<Read<_>> = each.collect();
            each.into_iter().collect()
        }
        Value::Text(_) | Value::Number(_) | Value::Bool(_) | Value::List(_) => {
            let price = read(node).map_err(|detail| fields.error_at(place, detail))?;
            Ok(vec![(fields.ticket_type(place, STANDARD, known)?, price)])
        }
    }
}

/// A card replaces prices, so it can name only such as there are.
fn card(fields: &mut Fields<'_>, known: &Known, currency: Currency, base: Option<&PriceTable>) -> Read<Card> {
    let id = fields.required("id", values::id);
    let when = fields.table("when", when);
    let prices = prices(fields, known, currency)?;
    let place = fields.place_of("prices");
    let mut told = None;
    for (category, ticket_type, _) in prices.iter() {
        let Some(base) = base else { break };
        let instead = "has no price in the list itself; add one there or correct the name";
        if !base.has_category(category) && told != Some(category) {
            fields.error_at(&place, format!("`{category}` {instead}"));
            told = Some(category);
        } else if base.has_category(category) && base.get(category, ticket_type.as_str()).is_none() {
            fields.error_at(&place, format!("`{category}` for `{ticket_type}` {instead}"));
        }
    }
    if prices.is_empty() {
        return Err(fields.error("prices", "is missing; a card replaces one price at least"));
    }
    Ok(Card { id: id?, when: when?, prices })
}

fn surcharge(fields: &mut Fields<'_>, currency: Currency) -> Read<Surcharge> {
    let id = fields.required("id", values::id);
    let name = fields.required("name", values::public_text);
    let when = fields.table("when", when);
    let amount = fields.required("amount", |node| price(values::decimal(node)?, currency).map_err(|e| e.to_string()));
    Ok(Surcharge { id: id?, name: name?, when: when?, amount: amount? })
}
