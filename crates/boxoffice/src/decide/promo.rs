//! Whether a booking may use a promo code, and what it then counts as.

use super::State;
use crate::booking::{Booking, Customer, LineKind, PromoUse, Quote};
use crate::id::CatalogueId;
use crate::money::{Money, MoneyError};
use crate::promo::uses::{PromoState, contact};
use crate::refusal::Refusal;
use crate::time::Timestamp;

/// The code that a buyer names, if it is one that can be used now, here, and by this customer.
pub(super) fn named<'a>(
    state: State<'a>,
    code: Option<&CatalogueId>,
    customer: &Customer,
    now: Timestamp,
) -> Result<Option<&'a PromoState>, Refusal> {
    if code.is_none() {
        return Ok(None);
    }
    let promo = state.promo.ok_or(Refusal::PromoCodeInvalid("there is no such code"))?;
    if !promo.code.is_valid_at(now, &state.show.theatre.timezone) {
        return Err(Refusal::PromoCodeInvalid("it is not valid today"));
    }
    if !promo.code.covers(state.show) {
        return Err(Refusal::PromoCodeInvalid("it is not for this show"));
    }
    promo.has_room(contact(customer).as_deref())?;
    Ok(Some(promo))
}

/// What the booking counts as with this quote. A code that takes nothing off is not used.
pub(super) fn used(promo: Option<&PromoState>, quote: &Quote) -> Result<Option<PromoUse>, Refusal> {
    let Some(promo) = promo else { return Ok(None) };
    let discount = taken_off(quote).unwrap_or(quote.total.currency().zero());
    if discount.is_zero() {
        return Err(Refusal::PromoCodeInvalid("it takes nothing off these seats"));
    }
    if !promo.affords(discount) {
        return Err(Refusal::PromoCodeUsedUp);
    }
    Ok(Some(PromoUse { code: promo.code.key.clone(), discount }))
}

fn taken_off(quote: &Quote) -> Result<Money, MoneyError> {
    let zero = quote.total.currency().zero();
    quote.lines.iter().filter(|line| line.kind == LineKind::Discount).try_fold(zero, |sum, line| sum.minus(line.amount))
}

/// Whether a use that had lapsed can count again: others may have used the code up since.
pub(super) fn still_fits(state: State<'_>, booking: &Booking) -> bool {
    let fits = |used: &PromoUse| {
        let room = |promo: &PromoState| promo.has_room(contact(&booking.customer).as_deref()).is_ok();
        state.promo.is_some_and(|promo| room(promo) && promo.affords(used.discount))
    };
    booking.promo.as_ref().is_none_or(fits)
}

/// Whether another customer may take over the booking's use of a code.
pub(super) fn for_customer(state: State<'_>, booking: &Booking, customer: &Customer) -> Result<(), Refusal> {
    let same = contact(customer) == contact(&booking.customer);
    match state.promo.filter(|_| booking.promo_row().is_some() && !same) {
        Some(promo) => promo.has_room(contact(customer).as_deref()),
        None => Ok(()),
    }
}
