//! What a promo code takes off a bill. What is left to pay is shared out, so that the shares of
//! what a buyer pays, and gets back, are by largest remainder.

use super::bill::{Bill, DiscountLine, count};
use super::ticket::weights;
use crate::money::{Money, MoneyError};
use crate::promo::{Off, OffPer, PromoCode};

pub(super) fn take_off(bill: &mut Bill<'_>, promo: &PromoCode) -> Result<(), MoneyError> {
    let covered = |seat: &usize| bill.tickets.get(*seat).is_some_and(|ticket| promo.covers_category(ticket.category));
    let seats: Vec<usize> = (0..bill.tickets.len()).filter(covered).collect();
    let with_fees = match promo.per {
        OffPer::Ticket => false,
        OffPer::Booking => true,
    };
    let full = seats.iter().map(|seat| bill.full(*seat, with_fees)).collect::<Result<Vec<_>, _>>()?;
    let left: Vec<Money> = match promo.per {
        OffPer::Ticket => full.iter().map(|price| left(*price, promo.off)).collect::<Result<_, _>>()?,
        OffPer::Booking => left(Money::sum(bill.currency(), full.iter().copied())?, promo.off)?.split(&weights(&full)),
    };
    if left == full {
        return Ok(());
    }
    for (seat, left) in seats.iter().zip(&left) {
        pay(bill, *seat, with_fees, *left);
    }
    let quantity = match promo.per {
        OffPer::Ticket => count(full.iter().zip(&left).filter(|(full, left)| full != left).count()),
        OffPer::Booking => 1,
    };
    bill.discount = Some(DiscountLine { label: promo.id.clone(), quantity });
    Ok(())
}

/// Never below zero.
fn left(price: Money, off: Off) -> Result<Money, MoneyError> {
    let off = match off {
        Off::Percent(percent) => percent.of(price)?,
        Off::Amount(amount) => amount,
    };
    if off.minor() < price.minor() { price.minus(off) } else { Ok(price.currency().zero()) }
}

/// What is left of a seat's parts, in proportion to what they were.
fn pay(bill: &mut Bill<'_>, seat: usize, with_fees: bool, left: Money) {
    let is_cheaper = |index: &usize| {
        bill.parts.get(*index).is_some_and(|part| part.seat == seat && (with_fees || !bill.is_fee(part)))
    };
    let parts: Vec<usize> = (0..bill.parts.len()).filter(is_cheaper).collect();
    let amounts: Vec<Money> = parts.iter().map(|index| bill.parts[*index].amount).collect();
    for (index, share) in parts.into_iter().zip(left.split(&weights(&amounts))) {
        bill.parts[index].paid = share;
    }
}
