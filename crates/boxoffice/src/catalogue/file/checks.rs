//! What can be said only when everything has been read: things of different tables that do not go
//! together, wherever each of them stands.

use super::Known;
use super::fields::{Notes, Place};
use crate::catalogue::{Catalogue, resolved_fee, timetable};
use crate::id::CatalogueId;
use crate::prices::{PriceList, ResolvedTax, Tax};
use crate::show::ShowSpec;

/// Taxes and fees have no currency of their own: each must fit every price list that uses it, also
/// one that is not in the files. A price without a tax rate is refused; what surcharges make of it is
/// judged with the show.
pub(super) fn prices(known: &Known, notes: &mut Notes) {
    let catalogue = &known.catalogue;
    let place = |table, id: &CatalogueId| known.given.get(&(table, id.clone()));
    for list in catalogue.price_lists.values() {
        for fee in list.fees.iter().filter_map(|id| catalogue.fees.get(id)) {
            let Err(why) = resolved_fee(catalogue, fee, list) else { continue };
            let tax = place("taxes", &fee.tax);
            if let Some(place) = place("fees", &fee.id).or_else(|| place("price_lists", &list.id)).or(tax) {
                let detail = format!("the fee `{}` does not fit price list `{}`: {why}", fee.id, list.id);
                notes.error(place, detail);
            }
        }
        let Some(tax) = catalogue.taxes.get(&list.tax) else { continue };
        let at = place("price_lists", &list.id).or_else(|| place("taxes", &tax.id));
        if let (Some(at), Err(why)) = (at, taxed(list, tax)) {
            notes.error(at, why);
        }
    }
}

/// Whether every price of the list and its cards has a rate on some day.
fn taxed(list: &PriceList, tax: &Tax) -> Result<(), String> {
    let resolved = ResolvedTax::new(tax, list.currency)
        .map_err(|why| format!("the tax `{}` does not fit price list `{}`: {why}", tax.id, list.id))?;
    if resolved.is_flat() {
        return Ok(());
    }
    let prices = list.prices.iter().chain(list.cards.iter().flat_map(|card| card.prices.iter()));
    for (category, ticket_type, price) in prices {
        let has_rate = |day: Option<jiff::civil::Date>| resolved.rate(day.unwrap_or(jiff::civil::Date::MIN), price);
        if !resolved.days().any(|day| has_rate(day).is_some()) {
            return Err(format!(
                "`{category}` for `{ticket_type}` at {price} has no rate of the tax `{}`: with each rate its net price lies outside that rate's slab; change the price",
                tax.id
            ));
        }
    }
    Ok(())
}

pub(super) fn timetable(catalogue: &Catalogue, shows: &[ShowSpec], starts: &[Place], notes: &mut Notes) {
    for clash in timetable::clashes(catalogue, shows) {
        let Some(place) = starts.get(clash.later) else { continue };
        match clash.kind {
            timetable::ClashKind::Overlap => {
                notes.error(place, clash.detail);
            }
            timetable::ClashKind::ShortCleaning => notes.warning(place, clash.detail),
        }
    }
}
