//! The books in double entry: what a booking means for each account, and the lines that a step
//! posts. A debit is positive, a credit negative, and every posting sums to nothing in each
//! currency. The chart is explained in `docs/books.md`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::booking::{Booking, RefundStatus};
use crate::id::BookingId;
use crate::money::{Money, MoneyError, Percent};
use crate::time::Timestamp;

#[cfg(test)]
mod tests;
mod value;

pub use value::{Part, PartKind, TicketValue, ticket_value};

/// Where money is, comes from, or is owed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// Money at a payment provider, or in the counter's drawer: taken and not yet given back.
    Gateway(String),
    /// Refunds that are owed and not yet made.
    RefundsPayable,
    /// Tickets, without the tax in them.
    Tickets,
    /// Fees, without the tax in them.
    Fees,
    /// Tax of this rate in tickets and fees.
    Tax(Percent),
    /// What was kept of a ticket's face when it was cancelled.
    CancellationCharges,
    /// What was given back on tickets that stand.
    Goodwill,
    /// What banks took back.
    DisputesLost,
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gateway(name) => write!(f, "gateway:{name}"),
            Self::Tax(percent) => write!(f, "tax:{percent}"),
            Self::RefundsPayable => f.write_str("refunds_payable"),
            Self::Tickets => f.write_str("tickets"),
            Self::Fees => f.write_str("fees"),
            Self::CancellationCharges => f.write_str("cancellation_charges"),
            Self::Goodwill => f.write_str("goodwill"),
            Self::DisputesLost => f.write_str("disputes_lost"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an account of the ledger")]
pub struct UnknownAccount(String);

impl FromStr for Account {
    type Err = UnknownAccount;

    fn from_str(text: &str) -> Result<Self, UnknownAccount> {
        let unknown = || UnknownAccount(text.to_owned());
        match (text, text.split_once(':')) {
            (_, Some(("gateway", name))) => Ok(Self::Gateway(name.to_owned())),
            (_, Some(("tax", percent))) => percent.parse().map(Self::Tax).map_err(|_| unknown()),
            ("refunds_payable", _) => Ok(Self::RefundsPayable),
            ("tickets", _) => Ok(Self::Tickets),
            ("fees", _) => Ok(Self::Fees),
            ("cancellation_charges", _) => Ok(Self::CancellationCharges),
            ("goodwill", _) => Ok(Self::Goodwill),
            ("disputes_lost", _) => Ok(Self::DisputesLost),
            _ => Err(unknown()),
        }
    }
}

impl Serialize for Account {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Account {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(d)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// One line of a posting. It is never changed and never deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The instant of the step that posted it.
    pub at: Timestamp,
    /// Its show is the booking's.
    pub booking: BookingId,
    /// The show's version after the step. Lines of one booking with one number are one posting;
    /// 0 is the opening of a booking that is older than the ledger.
    pub seq: u64,
    pub account: Account,
    /// A debit is positive, a credit negative; never nothing.
    pub amount: Money,
}

/// Sums by account and currency; an account that stands at nothing is left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Balances(BTreeMap<(Account, &'static str), Money>);

impl Balances {
    /// # Errors
    /// [`MoneyError::Overflow`] if a sum does not fit.
    pub fn add(&mut self, account: Account, amount: Money) -> Result<(), MoneyError> {
        if amount.is_zero() {
            return Ok(());
        }
        let key = (account, amount.currency().code());
        let sum = self.0.get(&key).map_or(Ok(amount), |sum| sum.plus(amount))?;
        if sum.is_zero() {
            self.0.remove(&key);
        } else {
            self.0.insert(key, sum);
        }
        Ok(())
    }

    /// # Errors
    /// As for [`Balances::add`].
    pub fn add_all<'a>(&mut self, lines: impl IntoIterator<Item = &'a Line>) -> Result<(), MoneyError> {
        lines.into_iter().try_for_each(|line| self.add(line.account.clone(), line.amount))
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Account, Money)> {
        self.0.iter().map(|((account, _), amount)| (account, *amount))
    }

    /// What all accounts add up to, by currency: nothing, if the books are right.
    ///
    /// # Errors
    /// As for [`Balances::add`].
    pub fn off_by(&self) -> Result<Vec<Money>, MoneyError> {
        let mut sums: BTreeMap<&'static str, Money> = BTreeMap::new();
        for amount in self.0.values() {
            let sum = sums.entry(amount.currency().code()).or_insert(amount.currency().zero());
            *sum = sum.plus(*amount)?;
        }
        Ok(sums.into_values().filter(|sum| !sum.is_zero()).collect())
    }
}

impl fmt::Display for Balances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.iter().map(|(account, amount)| format!("{account} {amount}")).collect();
        f.write_str(if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }.as_str())
    }
}

/// What a booking means for each account. They add up to nothing in each currency exactly if its
/// money is accounted for: what was taken stands for tickets, fees and charges, or goes back.
///
/// # Errors
/// [`MoneyError`] if amounts that belong together do not add up.
pub fn balances(booking: &Booking) -> Result<Balances, MoneyError> {
    let mut sums = Balances::default();
    for attempt in &booking.attempts {
        let at_the_provider = || Account::Gateway(attempt.gateway.clone());
        if let Some(captured) = attempt.captured {
            sums.add(at_the_provider(), captured)?;
        }
        if let Some(lost) = attempt.dispute.and_then(|dispute| dispute.lost) {
            sums.add(at_the_provider(), negative(lost)?)?;
            sums.add(Account::DisputesLost, lost)?;
        }
    }
    for refund in &booking.refunds {
        let account = match (refund.status, booking.attempt(refund.attempt)) {
            (RefundStatus::Succeeded, Some(attempt)) => Account::Gateway(attempt.gateway.clone()),
            (RefundStatus::Succeeded, None)
            | (RefundStatus::Requested | RefundStatus::Unknown | RefundStatus::Failed, _) => Account::RefundsPayable,
        };
        sums.add(account, negative(refund.amount)?)?;
    }
    for ticket in &booking.tickets {
        ticket_value(booking, ticket)?.add_to(&mut sums)?;
    }
    Ok(sums)
}

fn negative(amount: Money) -> Result<Money, MoneyError> {
    amount.currency().zero().minus(amount)
}

/// What a step posts: the difference it made to a booking. Most steps post nothing.
///
/// # Errors
/// As for [`balances`].
pub fn posting(before: Option<&Booking>, after: &Booking, seq: u64, at: Timestamp) -> Result<Vec<Line>, MoneyError> {
    if !has_money(after) {
        return Ok(Vec::new());
    }
    let mut change = balances(after)?;
    for (account, amount) in before.map(balances).transpose()?.unwrap_or_default().iter() {
        change.add(account.clone(), negative(amount)?)?;
    }
    Ok(lines(&change, after.id, seq, at))
}

/// The lines of a booking that is older than the ledger: all that it stands for.
///
/// # Errors
/// As for [`balances`].
pub fn opening(booking: &Booking, at: Timestamp) -> Result<Vec<Line>, MoneyError> {
    Ok(lines(&balances(booking)?, booking.id, 0, at))
}

fn lines(change: &Balances, booking: BookingId, seq: u64, at: Timestamp) -> Vec<Line> {
    change.iter().map(|(account, amount)| Line { at, booking, seq, account: account.clone(), amount }).collect()
}

/// Nothing of a booking is in the ledger before money was taken for it.
fn has_money(booking: &Booking) -> bool {
    booking.attempts.iter().any(|attempt| attempt.captured.is_some())
}
