//! Promo codes.

use super::fields::{Fields, Read};
use super::taxes::price;
use super::tree::Node;
use super::{Known, values};
use crate::id::CatalogueId;
use crate::money::{Currency, Money};
use crate::promo::{Off, OffPer, PromoCode, normalised};

pub(super) fn promo_code(fields: &mut Fields<'_>, known: &Known) -> Read<PromoCode> {
    let code = fields.required("id", code);
    let currency = fields.optional("currency", values::currency);
    let percent = fields.optional("percent", values::percent);
    let amount = money(fields, "amount", &currency);
    let budget = money(fields, "budget", &currency);
    let per =
        fields.required("per", |node| values::word(node, &[("ticket", OffPer::Ticket), ("booking", OffPer::Booking)]));
    let max_uses = fields.optional("max_uses", |node| values::integer(node, 1..=u32::MAX));
    let max_per_customer = fields.optional("max_per_customer", |node| values::integer(node, 1..=u32::MAX));
    let valid_from = fields.optional("valid_from", values::date);
    let valid_until = fields.optional("valid_until", values::date);
    let shows = fields.list("shows", values::id);
    let categories = fields.list("categories", values::text);
    if let Ok(categories) = &categories {
        categories.iter().filter(|name| !is_of_a_hall(name, known)).for_each(|name| unknown_category(fields, name));
    }
    let off = match (percent?, amount?) {
        (Some(percent), None) => Off::Percent(percent),
        (None, Some(amount)) => Off::Amount(amount),
        (None, None) => return Err(fields.error("percent", "is missing; give a `percent` or an `amount`")),
        (Some(_), Some(_)) => return Err(fields.error("percent", "stands beside `amount`; give one of the two")),
    };
    let (id, key) = code?;
    if let Some(other) = known.stored.promo_codes.get(&key).filter(|other| other.id != id) {
        let detail =
            format!("is the code `{}` of the store in another spelling; case and blanks do not count", other.id);
        return Err(fields.error("id", detail));
    }
    let (valid_from, valid_until) = (valid_from?, valid_until?);
    if valid_from.zip(valid_until).is_some_and(|(first, last)| last < first) {
        return Err(fields.error("valid_until", "is before `valid_from`"));
    }
    Ok(PromoCode {
        id,
        key,
        off,
        per: per?,
        max_uses: max_uses?,
        max_per_customer: max_per_customer?,
        budget: budget?,
        valid_from,
        valid_until,
        shows: shows?,
        categories: categories?,
    })
}

/// As written, and as it is compared.
fn code(node: &Node) -> Result<(String, CatalogueId), String> {
    const LONGEST: usize = 64;
    let text = values::text(node)?;
    let key = normalised(&text).filter(|_| text.chars().count() <= LONGEST);
    let key = key.ok_or_else(|| format!("is no code; write at most {LONGEST} printable characters"))?;
    Ok((text.trim().to_owned(), key))
}

fn is_of_a_hall(name: &str, known: &Known) -> bool {
    let mut halls = known.catalogue.layouts.values().filter_map(|versions| versions.last());
    halls.any(|hall| hall.categories().iter().any(|category| category.name == name))
}

/// No error, since a hall may be rebuilt without a category for which there is a code.
fn unknown_category(fields: &mut Fields<'_>, name: &str) {
    let place = fields.place_of("categories");
    let detail = format!(
        "no hall has the category `{name}`, neither in the files nor in the store; the code is for no seat of it"
    );
    fields.warning_at(&place, detail);
}

fn money(fields: &mut Fields<'_>, name: &'static str, currency: &Read<Option<Currency>>) -> Read<Option<Money>> {
    let currency = *currency;
    fields
        .optional(name, |node| match currency {
            Ok(Some(currency)) => price(values::decimal(node)?, currency).map(Some).map_err(|e| e.to_string()),
            Ok(None) => Err("needs a `currency` beside it".into()),
            Err(_) => Ok(None),
        })
        .map(Option::flatten)
}
