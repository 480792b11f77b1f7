//! What seats cost: base prices, the first card that matches, fees with their cap, and the tax
//! that is contained. One quote at the hold, frozen into the booking.
//!
//! Where things are rounded, always half away from zero to the minor unit: a fee by percent per
//! ticket on each ticket, so that eight tickets cost eight times one; a fee by percent per booking
//! once, on all faces together; the tax once per line, on that line's amount. Nothing else is
//! rounded: prices are gross and stored as they are, and a line is a sum of whole minor units.

use std::collections::BTreeMap;

use crate::booking::{BookedSeat, Channel, LineKind, PriceLine, Quote};
use crate::command::SeatPick;
use crate::money::{Money, MoneyError, Percent};
use crate::show::{FeePer, ResolvedFee, ResolvedPrices, ResolvedRate, Show, Weekday};

#[cfg(test)]
mod tests;

/// The ticket type that always exists.
pub const STANDARD: &str = "standard";

/// Priced seats and the quote they add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Priced {
    pub seats: Vec<BookedSeat>,
    pub price: Quote,
}

/// What one ticket of a category costs when it is bought alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TicketPrice {
    /// The category's name.
    pub category: String,
    pub ticket_type: String,
    /// The ticket alone.
    pub face: Money,
    /// With its fees.
    pub total: Money,
}

/// Prices these seats of a show for a channel. Ticket and fee lines add up to the total, and so do
/// the seats' totals; tax lines only say what of it is tax.
///
/// # Errors
/// [`MoneyError`] if an amount does not fit, or a seat's category has no price.
pub fn quote(show: &Show, picks: &[SeatPick], channel: Channel) -> Result<Priced, MoneyError> {
    let mut seats = picks.iter().map(|pick| seat_at_face(show, pick)).collect::<Result<Vec<_>, _>>()?;
    let faces: Vec<Money> = seats.iter().map(|seat| seat.face).collect();
    let mut sums = Sums::new(show);
    for (category, count, amount) in by_category(show, &seats)? {
        sums.add(LineKind::Ticket, category, count, amount, show.prices.tax)?;
    }
    for fee in show.prices.fees.iter().filter(|fee| applies(fee, channel)) {
        let charge = Charge::of(fee, &faces, show)?;
        for (seat, share) in seats.iter_mut().zip(charge.amount.split(&charge.weights)) {
            seat.total = seat.total.plus(share)?;
        }
        if fee.refundable {
            sums.refundable_fees = sums.refundable_fees.plus(charge.amount)?;
        }
        if !charge.amount.is_zero() {
            sums.add(LineKind::Fee, fee.name.english(), charge.count, charge.amount, fee.tax)?;
        }
    }
    Ok(Priced { seats, price: sums.into_quote()? })
}

/// What a ticket of each category of the show's layout costs, in the layout's order. A category
/// without a price is not for sale and is left out.
///
/// # Errors
/// [`MoneyError`] as for [`quote`].
pub fn ticket_prices(show: &Show, channel: Channel) -> Result<Vec<TicketPrice>, MoneyError> {
    let mut prices = Vec::new();
    for (category, index) in show.layout.categories().iter().zip(0_u16..) {
        let Some(seat) = (0..).map(crate::id::SeatNo).zip(show.layout.seats()).find(|(_, s)| s.category == index)
        else {
            continue;
        };
        let alone = match quote(show, &[SeatPick { seat: seat.0, ticket_type: STANDARD.to_owned() }], channel) {
            Err(MoneyError::NoPrice { .. }) => continue,
            alone => alone?,
        };
        let face = alone.seats.first().map_or(show.currency().zero(), |seat| seat.face);
        let (category, ticket_type) = (category.name.clone(), STANDARD.to_owned());
        prices.push(TicketPrice { category, ticket_type, face, total: alone.price.total });
    }
    Ok(prices)
}

/// The price of a category's ticket on a business day: the first card that matches replaces the
/// prices it names.
#[must_use]
pub fn face(prices: &ResolvedPrices, day: Weekday, category: &str) -> Option<Money> {
    let card = prices.list.cards.iter().find(|card| card.when.days.is_empty() || card.when.days.contains(&day));
    card.and_then(|card| card.prices.get(category)).or_else(|| prices.list.prices.get(category)).copied()
}

fn seat_at_face(show: &Show, pick: &SeatPick) -> Result<BookedSeat, MoneyError> {
    let no_price =
        |category: &str| MoneyError::NoPrice { category: category.to_owned(), ticket_type: pick.ticket_type.clone() };
    let seat = show.layout.seat(pick.seat).ok_or_else(|| no_price("(no such seat)"))?;
    let category = &show.layout.category_of(seat).name;
    if pick.ticket_type != STANDARD {
        return Err(no_price(category));
    }
    let day = Weekday::from(show.business_day.weekday());
    let face = face(&show.prices, day, category).ok_or_else(|| no_price(category))?;
    Ok(BookedSeat {
        no: pick.seat,
        id: seat.id.clone(),
        label: seat.label.clone(),
        category: category.clone(),
        ticket_type: pick.ticket_type.clone(),
        face,
        total: face,
        discount: None,
        tax: None,
        fees: Vec::new(),
    })
}

/// Name, count and sum of each category that was picked, in the layout's order.
fn by_category<'a>(show: &'a Show, seats: &[BookedSeat]) -> Result<Vec<(&'a str, u32, Money)>, MoneyError> {
    let mut lines: Vec<(&str, u32, Money)> = Vec::new();
    for category in show.layout.categories() {
        if lines.iter().any(|(name, ..)| *name == category.name) {
            continue;
        }
        let picked = seats.iter().filter(|seat| seat.category == category.name);
        let faces: Vec<Money> = picked.map(|seat| seat.face).collect();
        if !faces.is_empty() {
            lines.push((category.name.as_str(), count_of(&faces), Money::sum(show.currency(), faces)?));
        }
    }
    Ok(lines)
}

fn applies(fee: &ResolvedFee, channel: Channel) -> bool {
    fee.channels.is_empty() || fee.channels.contains(&channel)
}

/// One fee on one booking, and how it is spread over the seats.
struct Charge {
    amount: Money,
    /// Tickets for a fee per ticket, else 1.
    count: u32,
    weights: Vec<u64>,
}

impl Charge {
    fn of(fee: &ResolvedFee, faces: &[Money], show: &Show) -> Result<Self, MoneyError> {
        let parts = match (fee.per, fee.rate) {
            (FeePer::Ticket, ResolvedRate::Amount(amount)) => vec![amount; faces.len()],
            (FeePer::Ticket, ResolvedRate::Percent(percent)) => {
                faces.iter().map(|face| percent.of(*face)).collect::<Result<_, _>>()?
            }
            (FeePer::Booking, ResolvedRate::Amount(amount)) => amount.split(&vec![1; faces.len()]),
            (FeePer::Booking, ResolvedRate::Percent(percent)) => {
                let all = percent.of(Money::sum(show.currency(), faces.iter().copied())?)?;
                all.split(&weights(faces))
            }
        };
        let full = Money::sum(show.currency(), parts.iter().copied())?;
        let count = match fee.per {
            FeePer::Ticket => count_of(faces),
            FeePer::Booking => 1,
        };
        match fee.cap_per_booking {
            Some(cap) if cap.minor() < full.minor() => Ok(Self { amount: cap, count, weights: weights(&parts) }),
            Some(_) | None => Ok(Self { amount: full, count, weights: weights(&parts) }),
        }
    }
}

fn weights(parts: &[Money]) -> Vec<u64> {
    parts.iter().map(|part| part.minor().unsigned_abs()).collect()
}

fn count_of(faces: &[Money]) -> u32 {
    u32::try_from(faces.len()).unwrap_or(u32::MAX)
}

/// The lines of a quote as they come, with the tax of each.
struct Sums {
    lines: Vec<PriceLine>,
    total: Money,
    refundable_fees: Money,
    tax: BTreeMap<Percent, Money>,
}

impl Sums {
    fn new(show: &Show) -> Self {
        let zero = show.currency().zero();
        Self { lines: Vec::new(), total: zero, refundable_fees: zero, tax: BTreeMap::new() }
    }

    fn add(
        &mut self,
        kind: LineKind,
        label: &str,
        quantity: u32,
        amount: Money,
        tax: Percent,
    ) -> Result<(), MoneyError> {
        self.total = self.total.plus(amount)?;
        let contained = tax.contained_in(amount)?;
        let so_far = self.tax.entry(tax).or_insert(amount.currency().zero());
        *so_far = so_far.plus(contained)?;
        self.lines.push(PriceLine { kind, label: label.to_owned(), quantity, amount });
        Ok(())
    }

    fn into_quote(mut self) -> Result<Quote, MoneyError> {
        let tax = Money::sum(self.total.currency(), self.tax.values().copied())?;
        self.lines.extend(self.tax.into_iter().map(|(rate, amount)| PriceLine {
            kind: LineKind::Tax,
            label: format!("{rate}%"),
            quantity: 1,
            amount,
        }));
        Ok(Quote { lines: self.lines, total: self.total, tax, refundable_fees: self.refundable_fees })
    }
}
