//! What seats cost: the price of a list or of the first card that matches, every surcharge that
//! matches, fees with their cap, a promo code's discount, and the tax that is contained. One quote
//! at the hold, frozen into the booking.
//!
//! Where things are rounded, always half away from zero to the minor unit: the tax on a net price
//! per ticket, and a fee by percent per ticket on each ticket, so that eight tickets cost eight
//! times one; a percentage per booking once; the tax that is contained once per line and rate, on
//! what is paid of the line. Shares of a whole are by largest remainder, the first first.

use crate::booking::{BookedSeat, Channel, Quote};
use crate::claim::Occupancy;
use crate::command::SeatPick;
use crate::id::CatalogueId;
use crate::money::{Money, MoneyError};
use crate::prices::Moment;
use crate::promo::PromoCode;
use crate::show::Show;
use crate::time::Timestamp;

mod bill;
mod discount;
pub mod explain;
mod fees;
mod rules;
pub mod states;
#[cfg(test)]
pub(crate) mod tests;
mod ticket;

use bill::Bill;
use rules::Rules;

/// All that a price depends on but the seats.
#[derive(Debug, Clone, Copy)]
pub struct PriceAsk<'a> {
    pub show: &'a Show,
    pub channel: Channel,
    pub bought_at: Timestamp,
    pub occupancy: Occupancy,
    /// A code that is valid now and has uses left; one that does not cover the show changes nothing.
    pub promo: Option<&'a PromoCode>,
}

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
    pub ticket_type: CatalogueId,
    /// What people read of the type: `Child`.
    pub type_name: String,
    /// The ticket alone.
    pub face: Money,
    /// With its fees.
    pub total: Money,
}

/// Prices these seats. Ticket, fee and discount lines add up to the total, and so do the seats'
/// totals; tax lines only say what of it is tax, and the seats' taxes add up to them.
///
/// # Errors
/// [`MoneyError`] if an amount does not fit, a seat's category has no price for its ticket type, or
/// no rate of the tax fits its price.
pub fn quote(ask: &PriceAsk<'_>, picks: &[SeatPick]) -> Result<Priced, MoneyError> {
    reckon(ask, &ask.rules(), picks)?.into_priced(picks)
}

/// What a ticket of each category of the show's layout costs, in the layout's order, of each type
/// that has a price there, `standard` first. A category without a price is not for sale and is
/// left out.
///
/// # Errors
/// [`MoneyError`] as for [`quote`].
pub fn ticket_prices(ask: &PriceAsk<'_>) -> Result<Vec<TicketPrice>, MoneyError> {
    let show = ask.show;
    let rules = ask.rules();
    let mut prices = Vec::new();
    for (category, index) in show.layout.categories().iter().zip(0_u16..) {
        let mut seats = (0..).map(crate::id::SeatNo).zip(show.layout.seats());
        let Some((seat, _)) = seats.find(|(_, seat)| seat.category == index) else { continue };
        for sold in &show.prices.types {
            if show.prices.list.prices.get(&category.name, sold.id.as_str()).is_none() {
                continue;
            }
            let pick = [SeatPick { seat, ticket_type: sold.id.as_str().to_owned() }];
            let alone = reckon(ask, &rules, &pick)?.into_priced(&pick)?;
            let face = alone.seats.first().map_or(show.currency().zero(), |seat| seat.face);
            prices.push(TicketPrice {
                category: category.name.clone(),
                ticket_type: sold.id.clone(),
                type_name: sold.name().to_owned(),
                face,
                total: alone.price.total,
            });
        }
    }
    Ok(prices)
}

fn reckon<'a>(ask: &PriceAsk<'a>, rules: &Rules<'a>, picks: &[SeatPick]) -> Result<Bill<'a>, MoneyError> {
    let tickets = picks.iter().map(|pick| ticket::price(ask.show, rules, pick)).collect::<Result<Vec<_>, _>>()?;
    let mut bill = Bill::of_tickets(ask.show, rules, tickets)?;
    for fee in rules.fees() {
        fees::charge(&mut bill, fee)?;
    }
    if let Some(promo) = ask.promo.filter(|promo| promo.covers(ask.show)) {
        discount::take_off(&mut bill, promo)?;
    }
    Ok(bill)
}

impl<'a> PriceAsk<'a> {
    fn rules(&self) -> Rules<'a> {
        let moment = Moment { bought_at: self.bought_at, occupancy: self.occupancy };
        Rules::of(&self.show.prices, &self.show.facts(), &moment, self.channel)
    }
}
