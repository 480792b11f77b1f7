//! Staff give money back: by ticket, which is void from then on, or an amount for goodwill, with the
//! tickets as they are. Never more than the tickets are still worth; what is on its way counts.

use super::give_back::{self, Return, Why};
use super::{Changes, Draft, State, Stop, cancel, refund};
use crate::booking::{Booking, RefundReason, StaffNote, Ticket, TicketShare, TicketStatus, VoidReason};
use crate::command::{Effect, StaffRefund, ToRefund};
use crate::money::Money;
use crate::refusal::{FieldError, Refusal};
use crate::time::Timestamp;

pub(super) fn refund(state: State<'_>, asked: &StaffRefund, now: Timestamp) -> Result<Changes, Stop> {
    let draft = Draft::of(state, now)?;
    if draft.booking.paid_by.is_none() {
        return Err(Refusal::NotCancellable("nothing has been paid for its seats").into());
    }
    if draft.booking.is_disputed() {
        return Err(Refusal::PaymentDisputed.into());
    }
    match &asked.what {
        ToRefund::Tickets { numbers, keep_fees } => by_ticket(state, draft, numbers, *keep_fees, &asked.note),
        ToRefund::Amount(amount) => by_amount(draft, *amount, &asked.note),
    }
}

/// What the live tickets are still worth together.
fn remaining(booking: &Booking) -> Result<Money, Stop> {
    let worth = booking.live_tickets().map(|t| booking.worth(t)).collect::<Result<Vec<_>, _>>()?;
    Ok(Money::sum(booking.price.total.currency(), worth)?)
}

fn by_ticket(
    state: State<'_>,
    mut draft: Draft,
    numbers: &[u16],
    keep_fees: bool,
    note: &StaffNote,
) -> Result<Changes, Stop> {
    let booking = &draft.booking;
    let numbers = cancel::known(booking, numbers)?;
    let tickets: Vec<&Ticket> = booking.tickets.iter().filter(|t| numbers.contains(&t.id.no)).collect();
    if tickets.iter().any(|t| t.status == TicketStatus::Void) {
        return Err(Refusal::AlreadyRefunded { remaining: remaining(booking)? }.into());
    }
    if tickets.iter().any(|t| t.status == TicketStatus::Admitted) {
        return Err(Refusal::NotCancellable("one of these tickets has been admitted").into());
    }
    let price = |t: &Ticket| booking.seat_of(t).map(|seat| if keep_fees { seat.face } else { seat.total });
    let nothing = booking.price.total.currency().zero();
    let returns = tickets.into_iter().map(|t| Return::of(booking, t, price(t).unwrap_or(nothing)));
    let returns = returns.collect::<Result<Vec<_>, _>>()?;
    let why = Why {
        refund: RefundReason::Staff,
        void: VoidReason::Refunded,
        words: Some(note.reason.clone()),
        by_staff: Some(note.clone()),
    };
    let cancellation = give_back::give_back(state, &mut draft, &returns, why)?;
    Ok(draft.done(Effect::Cancelled { cancellation }))
}

fn by_amount(mut draft: Draft, amount: Money, note: &StaffNote) -> Result<Changes, Stop> {
    let booking = &draft.booking;
    let remaining = remaining(booking)?;
    if amount.currency() != remaining.currency() || amount.minor() <= 0 {
        let detail = format!("An amount is more than nothing, in {}.", remaining.currency());
        return Err(Refusal::InvalidRequest(vec![FieldError::new("/amount", detail)]).into());
    }
    if amount.minor() > remaining.minor() {
        return Err(Refusal::AlreadyRefunded { remaining }.into());
    }
    let worth = booking.live_tickets().map(|t| booking.worth(t)).collect::<Result<Vec<_>, _>>()?;
    let weights: Vec<u64> = worth.iter().map(|w| w.minor().unsigned_abs()).collect();
    let shares = booking.live_tickets().zip(amount.split(&weights));
    let shares = shares.map(|(ticket, amount)| TicketShare { ticket: ticket.id.no, amount });
    let shares: Vec<TicketShare> = shares.filter(|share| !share.amount.is_zero()).collect();
    let paid_by = give_back::paid_by(booking)?;
    let of = refund::Of { reason: RefundReason::Goodwill, shares, by_staff: Some(note.clone()) };
    let refund = refund::request(&mut draft, paid_by, amount, of)?;
    Ok(draft.done(Effect::GoodwillGiven { refund }))
}
