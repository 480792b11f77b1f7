//! A buyer gives a booking back, whole or by ticket: a pending one for nothing, a confirmed one by the
//! policy that was frozen at the hold. Of a show that was moved everything goes back.

use super::give_back::{self, Return, Why};
use super::{Changes, Draft, State, Stop, follow, hold, payment};
use crate::booking::{Booking, BookingStatus, Cancellation, RefundReason, Ticket, TicketStatus, VoidReason};
use crate::command::Effect;
use crate::event::EventKind;
use crate::id::SeatNo;
use crate::money::{Money, MoneyError, Percent};
use crate::refusal::Refusal;
use crate::show::RefundPolicy;
use crate::time::Timestamp;

/// `tickets`: by number; `None`: the whole booking, or what is left of it.
pub(super) fn cancel(
    state: State<'_>,
    tickets: Option<&[u16]>,
    reason: Option<&str>,
    now: Timestamp,
) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    if let Some(numbers) = tickets {
        let numbers = known(&draft.booking, numbers)?;
        if let Some(cancellation) = give_back::given_before(&draft.booking, &numbers) {
            return Ok(draft.done(Effect::Cancelled { cancellation }));
        }
        return give(state, draft, &numbers, reason);
    }
    match draft.booking.status_at(now) {
        BookingStatus::Cancelled => match draft.booking.cancellations.len().checked_sub(1) {
            Some(cancellation) => Ok(draft.done(Effect::Cancelled { cancellation })),
            None => Err(Refusal::NotCancellable("its tickets are void").into()),
        },
        BookingStatus::Expired => Err(Refusal::NotCancellable("its hold has ended, the seats are free").into()),
        BookingStatus::PendingPayment => {
            let cancellation = let_go(state, &mut draft, reason);
            Ok(draft.done(Effect::Cancelled { cancellation }))
        }
        BookingStatus::Confirmed => {
            let live: Vec<u16> = draft.booking.live_tickets().map(|t| t.id.no).collect();
            give(state, draft, &live, reason)
        }
    }
}

/// The numbers in order, each once.
///
/// # Errors
/// [`Refusal::NotFound`] if the booking has no such ticket.
pub(super) fn known(booking: &Booking, numbers: &[u16]) -> Result<Vec<u16>, Refusal> {
    if numbers.iter().any(|no| booking.ticket(*no).is_none()) {
        return Err(Refusal::NotFound("ticket"));
    }
    let sorted: std::collections::BTreeSet<u16> = numbers.iter().copied().collect();
    Ok(sorted.into_iter().collect())
}

/// The seats of a pending booking go back on sale; nothing was paid.
pub(super) fn let_go(state: State<'_>, draft: &mut Draft, reason: Option<&str>) -> usize {
    let booking = &mut draft.booking;
    let nothing = booking.price.total.currency().zero();
    let seats: Vec<SeatNo> = booking.seats.iter().map(|s| s.no).collect();
    draft.claims = hold::release(state, &seats, booking.id);
    booking.status = BookingStatus::Cancelled;
    payment::close_pages_soon(booking, draft.now);
    booking.cancellations.push(Cancellation {
        at: draft.now,
        reason: reason.map(str::to_owned),
        amount: nothing,
        kept: nothing,
        refund: None,
        tickets: Vec::new(),
        exchanged_for: None,
    });
    let cancellation = booking.cancellations.len() - 1;
    draft.event(EventKind::Cancelled);
    cancellation
}

fn give(state: State<'_>, mut draft: Draft, numbers: &[u16], reason: Option<&str>) -> Result<Changes, Stop> {
    let booking = &draft.booking;
    let tickets: Vec<&Ticket> = booking.tickets.iter().filter(|t| numbers.contains(&t.id.no)).collect();
    may_cancel(state, booking, &tickets, draft.now)?;
    let moved = follow::is_moved(state, booking);
    let percent = tier(&booking.refund_policy, state.show.spec.starts_at, draft.now);
    let returns = tickets.into_iter().map(|ticket| match moved {
        true => Return::whole(booking, ticket),
        false => Return::of(booking, ticket, by_policy(booking, ticket, percent)?),
    });
    let returns = returns.collect::<Result<Vec<_>, _>>()?;
    let why = Why {
        refund: if moved { RefundReason::ShowMoved } else { RefundReason::Cancelled },
        void: VoidReason::Cancelled,
        words: reason.map(str::to_owned),
        by_staff: None,
    };
    let cancellation = give_back::give_back(state, &mut draft, &returns, why)?;
    Ok(draft.done(Effect::Cancelled { cancellation }))
}

pub(super) fn may_cancel(
    state: State<'_>,
    booking: &Booking,
    tickets: &[&Ticket],
    now: Timestamp,
) -> Result<(), Refusal> {
    if tickets.iter().any(|t| t.status == TicketStatus::Void) {
        return Err(Refusal::NotCancellable("one of these tickets is void already"));
    }
    if tickets.iter().any(|t| t.status == TicketStatus::Admitted) {
        return Err(Refusal::NotCancellable("one of its tickets has been admitted"));
    }
    if state.show.spec.cancelled {
        // The cinema says what becomes of the money; a buyer's tier would give too little of it.
        return Err(Refusal::ShowCancelled);
    }
    if !now.is_before(state.show.spec.starts_at) {
        return Err(Refusal::NotCancellable("the show has started"));
    }
    if booking.is_disputed() { Err(Refusal::PaymentDisputed) } else { Ok(()) }
}

/// What the frozen policy gives back for a ticket: a percentage of its face price, rounded, and its
/// refundable fees wherever any of the face comes back.
pub(super) fn by_policy(booking: &Booking, ticket: &Ticket, percent: Option<Percent>) -> Result<Money, MoneyError> {
    let nothing = booking.price.total.currency().zero();
    match (booking.seat_of(ticket), percent.filter(|percent| *percent > Percent::from(0))) {
        (Some(seat), Some(percent)) => percent.of(seat.face)?.plus(booking.refundable_fees(seat)),
        (Some(_) | None, Some(_) | None) => Ok(nothing),
    }
}

/// The first tier whose stated instant has not passed; that instant still counts.
pub(super) fn tier(policy: &RefundPolicy, starts_at: Timestamp, now: Timestamp) -> Option<Percent> {
    policy.tiers.iter().find(|tier| now <= starts_at - tier.before).map(|tier| tier.percent)
}
