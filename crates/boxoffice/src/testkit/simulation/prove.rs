//! What must be true of the world when it has come to rest, whatever happened in it.

use std::collections::BTreeMap;

use pollster::block_on;

mod disputes;
mod doors;
mod shows;

use super::provider::{self, Made};
use super::world::World;
use crate::audit::audit;
use crate::booking::{
    Attempt, Booking, BookingStatus, DisputeStatus, NoticeStatus, Refund, RefundStatus, TicketStatus,
};
use crate::claim::Claim;
use crate::id::{AttemptId, RefundId};
use crate::ledger::{Account, Balances};
use crate::money::Money;
use crate::store::{ShowBooks, Store as _};

/// Everything that is wrong, in words.
pub(super) fn wrongs(world: &World) -> Vec<String> {
    let mut wrongs = world.provider.complaints();
    let books = match all_books(world) {
        Ok(books) => books,
        Err(error) => return vec![error],
    };
    let bookings: Vec<&Booking> = books.iter().flat_map(|books| &books.bookings).collect();
    for booking in &bookings {
        wrongs.extend(booking.attempts.iter().filter_map(|attempt| uncovered(booking, attempt)));
    }
    wrongs.extend(not_as_captured(world, &bookings));
    wrongs.extend(not_as_refunded(world, &bookings));
    wrongs.extend(books.iter().flat_map(seats_held_or_lost));
    wrongs.extend(not_as_told(world, &bookings));
    for books in &books {
        match block_on(world.memory.show_by_no(books.show)) {
            Ok(Some(show)) => wrongs.extend(books.bookings.iter().filter_map(|b| shows::not_in_line(&show, b))),
            Ok(None) | Err(_) => wrongs.push(format!("show {}: it cannot be read", books.show.0)),
        }
    }
    let known = disputes::Known::of(world, &bookings);
    wrongs.extend(disputes::wrongs(world, &bookings, &known));
    wrongs.extend(doors::wrongs(world, &bookings, &known));
    wrongs.extend(world.witness.wrongs());
    wrongs.extend(audited(world, &bookings));
    wrongs
}

fn all_books(world: &World) -> Result<Vec<ShowBooks>, String> {
    let mut all: Vec<ShowBooks> = Vec::new();
    while let Some(books) =
        block_on(world.memory.books(all.last().map(|books| books.show))).map_err(|error| error.to_string())?
    {
        all.push(books);
    }
    Ok(all)
}

/// Each payment stands for its tickets, or went back, never neither and never both.
fn uncovered(booking: &Booking, attempt: &Attempt) -> Option<String> {
    let captured = attempt.captured.filter(|captured| !captured.is_zero())?;
    let refunds = booking.refunds.iter().filter(|refund| refund.attempt == attempt.id.no);
    let back: i64 = refunds.map(|refund| refund.amount.minor()).sum();
    let lost = attempt.dispute.filter(|d| d.status == DisputeStatus::Lost).and_then(|d| d.lost);
    let pays = booking.paid_by == Some(attempt.id.no) && lost.is_none();
    let stands: i64 = if pays { worth(booking) } else { 0 };
    let accounted = back + stands + lost.map_or(0, Money::minor);
    (accounted != captured.minor()).then(|| {
        format!("payment {}: {captured} taken, {back} went back, {stands} stands for tickets and charges", attempt.id)
    })
}

/// What the payment of a booking stands for: its live tickets, less what went back on them, and
/// what was kept.
fn worth(booking: &Booking) -> i64 {
    let live = booking.tickets.iter().filter(|ticket| ticket.status != TicketStatus::Void);
    let value = |ticket: &crate::booking::Ticket| {
        let seat = booking.seats.iter().find(|seat| seat.no == ticket.seat).map_or(0, |seat| seat.total.minor());
        let shares = booking.refunds.iter().flat_map(|refund| &refund.shares);
        seat - shares.filter(|share| share.ticket == ticket.id.no).map(|share| share.amount.minor()).sum::<i64>()
    };
    live.map(value).sum::<i64>() + booking.cancellations.iter().map(|c| c.kept.minor()).sum::<i64>()
}

/// Every payment that the provider took is known, with its amount, or is an orphan.
fn not_as_captured(world: &World, bookings: &[&Booking]) -> Vec<String> {
    let attempts = bookings.iter().flat_map(|booking| &booking.attempts);
    let mut known: BTreeMap<&str, &Attempt> = BTreeMap::new();
    for attempt in attempts.filter(|a| a.captured.is_some() && a.gateway == provider::NAME) {
        known.extend(attempt.payment_id.as_deref().map(|id| (id, attempt)));
    }
    let orphans = block_on(world.memory.orphans()).unwrap_or_default();
    let missing = |(id, attempt, amount): (String, Option<AttemptId>, Money)| {
        let is_known = match attempt {
            Some(_) => known.get(id.as_str()).is_some_and(|known| known.captured == Some(amount)),
            None => orphans.iter().any(|orphan| orphan.payment_id == id && orphan.amount == amount),
        };
        (!is_known).then(|| format!("payment {id}: the provider took {amount}, which is not in our books"))
    };
    let known_to_nobody = known.len().saturating_sub(world.provider.taken().len());
    let mut wrongs: Vec<String> = world.provider.taken().into_iter().filter_map(missing).collect();
    if known_to_nobody > 0 {
        wrongs.push(format!("{known_to_nobody} more payments in our books than the provider took"));
    }
    wrongs
}

/// Each refund was made at the provider exactly once and in its amount, or refused for good there.
fn not_as_refunded(world: &World, bookings: &[&Booking]) -> Vec<String> {
    let mut made: BTreeMap<RefundId, Vec<(Money, Made)>> = BTreeMap::new();
    for (id, amount, how) in world.provider.refunds() {
        made.entry(id).or_default().push((amount, how));
    }
    let mut wrongs = Vec::new();
    for refund in bookings.iter().flat_map(|booking| &booking.refunds) {
        let attempt = attempt_of(bookings, refund);
        if attempt.map(|attempt| attempt.gateway.as_str()) != Some(provider::NAME) {
            continue;
        }
        let there = made.remove(&refund.id).unwrap_or_default();
        // Of a payment that was lost nobody asks any more how far its refunds came.
        let left = attempt.is_some_and(|attempt| attempt.lost().is_some());
        let fits = match refund.status {
            RefundStatus::Succeeded => there == [(refund.amount, Made::Done)],
            RefundStatus::Failed => there == [(refund.amount, Made::Refused)],
            RefundStatus::Requested | RefundStatus::Unknown => left && there.len() <= 1,
        };
        if !fits {
            let status = refund.status.as_str();
            wrongs.push(format!("refund {}: {status} of {}, at the provider {there:?}", refund.id, refund.amount));
        }
    }
    wrongs.extend(made.into_keys().map(|id| format!("refund {id}: the provider made it, and it is not in our books")));
    wrongs
}

fn attempt_of<'a>(bookings: &[&'a Booking], refund: &Refund) -> Option<&'a Attempt> {
    let at = bookings.binary_search_by_key(&refund.id.booking, |booking| booking.id).ok()?;
    bookings[at].attempt(refund.attempt)
}

/// Each notice came to its end, and the courier carried those that are called sent.
fn not_as_told(world: &World, bookings: &[&Booking]) -> Vec<String> {
    let carried = world.courier.carried();
    let notices = bookings.iter().flat_map(|booking| &booking.notices);
    let wrong = |notice: &&crate::booking::Notice| match notice.status {
        NoticeStatus::Due => true,
        NoticeStatus::Sent => !carried.contains(&notice.id),
        NoticeStatus::Failed | NoticeStatus::Withheld => false,
    };
    notices.filter(wrong).map(|n| format!("notice {}: it is {} and was not carried", n.id, n.status.as_str())).collect()
}

/// At rest no seat is held, and each sold seat is a live booking's.
fn seats_held_or_lost(books: &ShowBooks) -> Vec<String> {
    let show = books.show.0;
    let wrong = |(seat, claim): &(crate::id::SeatNo, Claim)| match claim {
        Claim::Held { .. } => Some(format!("show {show}: seat {} is still held", seat.0)),
        Claim::Sold { booking } => {
            let owner = books.bookings.iter().find(|b| b.id == *booking);
            let has_ticket = owner.is_some_and(|b| {
                b.status == BookingStatus::Confirmed
                    && b.tickets.iter().any(|t| t.seat == *seat && t.status != TicketStatus::Void)
            });
            (!has_ticket).then(|| format!("show {show}: seat {} is sold to nobody", seat.0))
        }
        Claim::Blocked { .. } => None,
    };
    let live = books.bookings.iter().flat_map(|b| b.tickets.iter().filter(|t| t.status != TicketStatus::Void));
    let sold = books.claims.iter().filter(|(_, claim)| matches!(claim, Claim::Sold { .. })).count();
    let tickets = live.count();
    let mut wrongs: Vec<String> = books.claims.iter().filter_map(wrong).collect();
    if sold != tickets {
        wrongs.push(format!("show {show}: {sold} seats are sold and {tickets} tickets are live"));
    }
    wrongs
}

/// The audit finds nothing, and the ledger's money at the provider is the provider's own.
fn audited(world: &World, bookings: &[&Booking]) -> Vec<String> {
    let report = match block_on(audit(&*world.memory)) {
        Ok(report) => report,
        Err(error) => return vec![error.to_string()],
    };
    let mut wrongs: Vec<String> = report.checks.iter().flat_map(|check| &check.broken).cloned().collect();
    let mut theirs = Balances::default();
    let account = || Account::Gateway(provider::NAME.to_owned());
    let nothing = |money: Money| money.currency().zero();
    let taken = world.provider.taken().into_iter().filter(|(_, attempt, _)| attempt.is_some()).map(|(.., m)| Ok(m));
    let given = world.provider.refunds().into_iter().filter(|(.., made)| *made == Made::Done);
    let given = given.map(|(_, amount, _)| nothing(amount).minus(amount));
    let lost = world.provider.disputes().into_iter().filter_map(|dispute| dispute.taken_back);
    let lost = lost.map(|amount| nothing(amount).minus(amount));
    // A refund that was still open when its payment was lost stays in our books as it was.
    let owed = disputes::owed_of_lost(bookings).into_iter().map(Ok);
    let added = taken.chain(given).chain(lost).chain(owed).try_for_each(|amount| theirs.add(account(), amount?));
    let mut ours = Balances::default();
    let own = report.balances.iter().filter(|(is, _)| **is == account());
    let own = own.map(|(is, amount)| (is.clone(), amount)).try_for_each(|(is, amount)| ours.add(is, amount));
    if added.is_err() || own.is_err() || ours != theirs {
        wrongs.push(format!("the ledger has {ours} at the provider, and the provider {theirs}"));
    }
    wrongs
}
