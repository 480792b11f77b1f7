//! What a fee comes to for a booking, and each seat's share of it.

use super::bill::{Bill, count};
use super::ticket::{self, weights};
use crate::money::{Money, MoneyError, Percent};
use crate::prices::{FeePer, ResolvedFee, ResolvedRate};

/// Adds a fee to the bill. Its tax rate is that of the fee for one ticket, or for the booking, before
/// any cap. A percentage is of the faces before any discount.
pub(super) fn charge<'a>(bill: &mut Bill<'a>, fee: &'a ResolvedFee) -> Result<(), MoneyError> {
    let faces: Vec<Money> = bill.tickets.iter().map(|ticket| ticket.face).collect();
    if faces.is_empty() {
        return Ok(());
    }
    let weights = match (fee.per, fee.rate) {
        (FeePer::Booking, ResolvedRate::Percent(_)) => weights(&faces),
        (FeePer::Ticket | FeePer::Booking, _) => vec![1; faces.len()],
    };
    let written = match (fee.per, fee.rate) {
        (FeePer::Ticket, ResolvedRate::Amount(amount)) => vec![amount; faces.len()],
        (FeePer::Ticket, ResolvedRate::Percent(percent)) => {
            faces.iter().map(|face| percent.of(*face)).collect::<Result<_, _>>()?
        }
        (FeePer::Booking, ResolvedRate::Amount(amount)) => amount.split(&weights),
        (FeePer::Booking, ResolvedRate::Percent(percent)) => {
            percent.of(Money::sum(bill.currency(), faces.iter().copied())?)?.split(&weights)
        }
    };
    let full = Money::sum(bill.currency(), written.iter().copied())?;
    let rates = match fee.per {
        FeePer::Ticket => written.iter().map(|amount| rate(bill, fee, *amount)).collect::<Result<Vec<_>, _>>()?,
        FeePer::Booking => vec![rate(bill, fee, full)?; written.len()],
    };
    let capped = fee.cap_per_booking.filter(|cap| cap.minor() < full.minor());
    let shares = match (capped, fee.per) {
        (Some(cap), _) => together(fee, cap, &ticket::weights(&written), &rates)?,
        (None, FeePer::Booking) => together(fee, full, &weights, &rates)?,
        (None, FeePer::Ticket) => each(fee, &written, &rates)?,
    };
    let quantity = match fee.per {
        FeePer::Ticket => count(faces.len()),
        FeePer::Booking => 1,
    };
    bill.fee_line(fee, quantity, &shares.into_iter().zip(rates).collect::<Vec<_>>());
    Ok(())
}

fn rate(bill: &Bill<'_>, fee: &ResolvedFee, amount: Money) -> Result<Percent, MoneyError> {
    let day = bill.show.business_day;
    let no_rate = || MoneyError::NoTaxRate { tax: fee.tax.id().clone(), price: amount, day };
    fee.tax.rate_or_next(day, amount).ok_or_else(no_rate)
}

/// Shares of a whole, with the tax if it comes on top: rounded once, or per share where the shares
/// have rates of their own.
fn together(fee: &ResolvedFee, whole: Money, weights: &[u64], rates: &[Percent]) -> Result<Vec<Money>, MoneyError> {
    match rates {
        [rate, others @ ..] if others.iter().all(|other| other == rate) => {
            Ok(fee.tax.gross(whole, *rate)?.split(weights))
        }
        _ => each(fee, &whole.split(weights), rates),
    }
}

fn each(fee: &ResolvedFee, written: &[Money], rates: &[Percent]) -> Result<Vec<Money>, MoneyError> {
    written.iter().zip(rates).map(|(amount, percent)| fee.tax.gross(*amount, *percent)).collect()
}
