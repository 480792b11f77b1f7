//! The price of one ticket before fees and discount.

use jiff::civil::Date;

use super::rules::Rules;
use crate::command::SeatPick;
use crate::id::SeatNo;
use crate::layout::Seat;
use crate::money::{Money, MoneyError, Percent};
use crate::prices::ResolvedPrices;
use crate::show::Show;

/// One ticket at its full price.
pub(super) struct Ticket<'a> {
    pub(super) no: SeatNo,
    pub(super) seat: &'a Seat,
    /// The category's name.
    pub(super) category: &'a str,
    pub(super) ticket_type: String,
    /// What the list or its card says, and then each surcharge that fired; with the tax.
    pub(super) parts: Vec<Money>,
    pub(super) percent: Percent,
    /// The parts together.
    pub(super) face: Money,
}

pub(super) fn price<'a>(show: &'a Show, rules: &Rules<'a>, pick: &SeatPick) -> Result<Ticket<'a>, MoneyError> {
    let no_price =
        |category: &str| MoneyError::NoPrice { category: category.to_owned(), ticket_type: pick.ticket_type.clone() };
    let seat = show.layout.seat(pick.seat).ok_or_else(|| no_price("(no such seat)"))?;
    let category = show.layout.category_of(seat).name.as_str();
    let written = rules.written(category, &pick.ticket_type).ok_or_else(|| no_price(category))?;
    let (percent, face) = with_tax(&show.prices, show.business_day, &written)?;
    let parts = if show.prices.tax.included() { written } else { face.split(&weights(&written)) };
    Ok(Ticket { no: pick.seat, seat, category, ticket_type: pick.ticket_type.clone(), parts, percent, face })
}

/// The tax rate of a ticket whose list writes these parts, and what the buyer pays for it.
pub(super) fn with_tax(prices: &ResolvedPrices, day: Date, written: &[Money]) -> Result<(Percent, Money), MoneyError> {
    let tax = &prices.tax;
    let price = Money::sum(prices.list.currency, written.iter().copied())?;
    let no_rate = || MoneyError::NoTaxRate { tax: tax.id().clone(), price, day };
    let percent = tax.rate(day, price).ok_or_else(no_rate)?;
    Ok((percent, tax.gross(price, percent)?))
}

pub(super) fn weights(parts: &[Money]) -> Vec<u64> {
    parts.iter().map(|part| part.minor().unsigned_abs()).collect()
}
