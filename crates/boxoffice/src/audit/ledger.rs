//! The ledger: it balances posting by posting, agrees with each booking and each show, and as a
//! whole.

use std::collections::BTreeMap;

use super::AuditCheck;
use crate::booking::{Booking, RefundStatus};
use crate::id::BookingId;
use crate::ledger::{Account, Balances, Line, balances};
use crate::money::{Money, MoneyError};
use crate::store::ShowBooks;

pub(super) fn unbalanced_postings(check: &mut AuditCheck, books: &ShowBooks) {
    let mut postings: BTreeMap<(BookingId, u64), Vec<&Line>> = BTreeMap::new();
    for line in &books.ledger {
        postings.entry((line.booking, line.seq)).or_default().push(line);
    }
    for ((booking, seq), lines) in postings {
        let off = sums_of(lines).and_then(|sums| sums.off_by());
        check.note(problem(off, |off| format!("booking {booking}: its posting {seq} is off by {off:?}")));
    }
}

/// Each booking's lines add up to what it means for the accounts, and no line is of another.
pub(super) fn strange_lines(check: &mut AuditCheck, books: &ShowBooks) {
    let mut lines: BTreeMap<BookingId, Vec<&Line>> = BTreeMap::new();
    for line in &books.ledger {
        lines.entry(line.booking).or_default().push(line);
    }
    for booking in &books.bookings {
        let own = lines.remove(&booking.id).unwrap_or_default();
        check.note(differs(booking, own));
    }
    for booking in lines.into_keys() {
        check.note(Some(format!("booking {booking}: the ledger has lines of it, but it is not there")));
    }
}

fn differs(booking: &Booking, lines: Vec<&Line>) -> Option<String> {
    let id = booking.id;
    match (sums_of(lines), balances(booking)) {
        (Ok(posted), Ok(stands)) if posted == stands => None,
        (Ok(posted), Ok(stands)) => Some(format!("booking {id}: posted is {posted}, it stands at {stands}")),
        (Err(error), _) | (_, Err(error)) => Some(format!("booking {id}: its balances: {error}")),
    }
}

/// In each currency of a show, what the ledger owes is the refunds that are not made.
pub(super) fn owed(check: &mut AuditCheck, books: &ShowBooks) {
    let posted = sums_of(books.ledger.iter().filter(|line| line.account == Account::RefundsPayable).collect());
    let mut open = Balances::default();
    let refunds = books.bookings.iter().flat_map(|b| &b.refunds).filter(|r| r.status != RefundStatus::Succeeded);
    let added = refunds
        .map(|r| r.amount)
        .try_for_each(|amount| open.add(Account::RefundsPayable, amount.currency().zero().minus(amount)?));
    let show = books.show.0;
    check.note(match (posted, added) {
        (Ok(posted), Ok(())) if posted == open => None,
        (Ok(posted), Ok(())) => Some(format!("show number {show}: posted is {posted}, owed is {open}")),
        (Err(error), _) | (_, Err(error)) => Some(format!("show number {show}: its refunds: {error}")),
    });
}

/// Adds a show to the whole, and notes whether it balances in each currency by itself.
pub(super) fn unbalanced_show(check: &mut AuditCheck, books: &ShowBooks, whole: &mut Balances) {
    let show = books.show.0;
    let off = sums_of(books.ledger.iter().collect()).and_then(|sums| sums.off_by());
    check.note(problem(off, |off| format!("show number {show}: its lines are off by {off:?}")));
    if let Err(error) = whole.add_all(&books.ledger) {
        check.note(Some(format!("show number {show}: the sums of the whole ledger: {error}")));
    }
}

/// The whole ledger in each of its currencies.
pub(super) fn unbalanced(check: &mut AuditCheck, whole: &Balances) {
    let currencies: BTreeMap<&str, Money> = whole.iter().map(|(_, m)| (m.currency().code(), m)).collect();
    for (code, money) in currencies {
        let of_it = whole.iter().map(|(_, m)| m).filter(|m| m.currency() == money.currency());
        let off = Money::sum(money.currency(), of_it).map(|sum| if sum.is_zero() { Vec::new() } else { vec![sum] });
        check.note(problem(off, |off| format!("{code}: the ledger is off by {off:?}")));
    }
}

fn sums_of(lines: Vec<&Line>) -> Result<Balances, MoneyError> {
    let mut sums = Balances::default();
    sums.add_all(lines)?;
    Ok(sums)
}

fn problem(off: Result<Vec<Money>, MoneyError>, words: impl FnOnce(Vec<Money>) -> String) -> Option<String> {
    match off {
        Ok(off) if off.is_empty() => None,
        Ok(off) => Some(words(off)),
        Err(error) => Some(format!("a sum of the ledger: {error}")),
    }
}
