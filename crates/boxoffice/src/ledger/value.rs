//! What one ticket is worth in the books: what it brought while it stands, what is left of it
//! after it was cancelled. The ledger and the sales report both add these up, so that they agree.

use super::{Account, Balances, negative};
use crate::booking::{BookedSeat, Booking, Cancellation, SeatFee, TaxPart, Ticket, TicketStatus, VoidReason};
use crate::money::{Money, MoneyError};

/// One ticket in the books.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TicketValue {
    /// The face and the fees that the cinema has from it.
    pub parts: Vec<Part>,
    /// What was kept of the face when it was cancelled, with whatever tax is in that.
    pub charges: Money,
    /// What was given back on it while it stands.
    pub goodwill: Money,
}

/// An amount with the tax that is contained in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    pub kind: PartKind,
    pub gross: Money,
    /// `None` in bookings of an earlier version, which kept no tax of single tickets.
    pub tax: Option<TaxPart>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    Face,
    Fee,
}

impl Part {
    /// The tax in it, of whatever rate.
    #[must_use]
    pub fn tax_amount(&self) -> Money {
        self.tax.map_or(self.gross.currency().zero(), |tax| tax.amount)
    }
}

impl TicketValue {
    pub(super) fn add_to(&self, sums: &mut Balances) -> Result<(), MoneyError> {
        for part in &self.parts {
            let account = match part.kind {
                PartKind::Face => Account::Tickets,
                PartKind::Fee => Account::Fees,
            };
            sums.add(account, part.tax_amount().minus(part.gross)?)?;
            if let Some(tax) = part.tax {
                sums.add(Account::Tax(tax.percent), negative(tax.amount)?)?;
            }
        }
        sums.add(Account::CancellationCharges, negative(self.charges)?)?;
        sums.add(Account::Goodwill, self.goodwill)
    }
}

/// What a ticket is worth in the books.
///
/// # Errors
/// [`MoneyError`] if amounts that belong together do not add up.
pub fn ticket_value(booking: &Booking, ticket: &Ticket) -> Result<TicketValue, MoneyError> {
    let zero = booking.price.total.currency().zero();
    let Some(seat) = booking.seats.iter().find(|seat| seat.no == ticket.seat) else {
        return Ok(TicketValue { parts: Vec::new(), charges: zero, goodwill: zero });
    };
    if stands(ticket) {
        let goodwill = given_back(booking, ticket, zero)?;
        return Ok(TicketValue { parts: all_parts(seat)?, charges: zero, goodwill });
    }
    kept_parts(seat, kept(booking, ticket)?)
}

/// A ticket that was lost to a dispute stands in the books as sold, against the loss.
fn stands(ticket: &Ticket) -> bool {
    match ticket.status {
        TicketStatus::Valid | TicketStatus::Admitted => true,
        TicketStatus::Void => ticket.void_reason == Some(VoidReason::DisputeLost),
    }
}

fn given_back(booking: &Booking, ticket: &Ticket, zero: Money) -> Result<Money, MoneyError> {
    let shares = booking.refunds.iter().flat_map(|refund| &refund.shares);
    let of_ticket = shares.filter(|share| share.ticket == ticket.id.no).map(|share| share.amount);
    Money::sum(zero.currency(), of_ticket)
}

fn all_parts(seat: &BookedSeat) -> Result<Vec<Part>, MoneyError> {
    let mut parts = vec![Part { kind: PartKind::Face, gross: seat.face, tax: seat.tax }];
    if seat.fees.is_empty() {
        parts.push(Part { kind: PartKind::Fee, gross: seat.total.minus(seat.face)?, tax: None });
    }
    let fee = |fee: &SeatFee| Part { kind: PartKind::Fee, gross: fee.amount, tax: Some(fee.tax) };
    parts.extend(seat.fees.iter().map(fee));
    Ok(parts)
}

/// What was kept is first of all the fees that do not go back, with their tax; the rest is the
/// charge for cancelling.
fn kept_parts(seat: &BookedSeat, kept: Money) -> Result<TicketValue, MoneyError> {
    let mut charges = kept;
    let mut parts = Vec::new();
    for fee in seat.fees.iter().filter(|fee| !fee.refundable) {
        let gross = if charges.minor() < fee.amount.minor() { charges } else { fee.amount };
        let whole = gross == fee.amount;
        let amount = if whole { fee.tax.amount } else { fee.tax.percent.contained_in(gross)? };
        charges = charges.minus(gross)?;
        parts.push(Part { kind: PartKind::Fee, gross, tax: Some(TaxPart { amount, ..fee.tax }) });
    }
    Ok(TicketValue { parts, charges, goodwill: kept.currency().zero() })
}

/// A ticket's part of what its cancellation kept: what was left of each, where the refunds say so;
/// a cancellation of an earlier version is shared by what the tickets cost.
fn kept(booking: &Booking, ticket: &Ticket) -> Result<Money, MoneyError> {
    let zero = booking.price.total.currency().zero();
    let Some(cancellation) = cancellation_of(booking, ticket.id.no) else {
        return Ok(zero);
    };
    let together: Vec<&Ticket> = booking
        .tickets
        .iter()
        .filter(|t| !stands(t) && cancellation_of(booking, t.id.no) == Some(cancellation))
        .collect();
    let left = together.iter().map(|t| left_of(booking, t, zero)).collect::<Result<Vec<u64>, _>>()?;
    let shares = cancellation.kept.split(&left);
    let place = together.iter().position(|t| t.id == ticket.id);
    Ok(place.and_then(|at| shares.get(at).copied()).unwrap_or(zero))
}

/// The cancellation that named the ticket, else the one of the whole booking.
fn cancellation_of(booking: &Booking, ticket: u16) -> Option<&Cancellation> {
    let names = |c: &&Cancellation| c.tickets.contains(&ticket);
    let whole = || booking.cancellations.iter().rfind(|c| c.tickets.is_empty());
    booking.cancellations.iter().find(names).or_else(whole)
}

/// What a ticket cost, less what went back on it, in minor units.
fn left_of(booking: &Booking, ticket: &Ticket, zero: Money) -> Result<u64, MoneyError> {
    let total = booking.seats.iter().find(|seat| seat.no == ticket.seat).map_or(zero, |seat| seat.total);
    let left = total.minus(given_back(booking, ticket, zero)?)?;
    Ok(u64::try_from(left.minor()).unwrap_or(0))
}
