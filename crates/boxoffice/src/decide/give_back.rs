//! Tickets that are given back, whoever asks: they are void and their seats free in the same step,
//! and what goes back for them is one refund row, shared out by ticket.

use super::{Draft, State, Stop, hold, notice, payment, refund};
use crate::booking::{
    Booking, BookingStatus, Cancellation, NoticeKind, RefundReason, StaffNote, Ticket, TicketShare, TicketStatus,
    VoidReason,
};
use crate::event::EventKind;
use crate::id::SeatNo;
use crate::money::{Money, MoneyError};

/// One ticket with what goes back for it; the rest of its worth is kept.
pub(super) struct Return {
    pub(super) ticket: u16,
    pub(super) amount: Money,
    pub(super) kept: Money,
}

impl Return {
    /// `asked` goes back, but never more than the ticket is still worth.
    pub(super) fn of(booking: &Booking, ticket: &Ticket, asked: Money) -> Result<Self, MoneyError> {
        let worth = booking.worth(ticket)?;
        let minor = asked.minor().clamp(0, worth.minor().max(0));
        let amount = Money::from_minor(minor, worth.currency());
        Ok(Self { ticket: ticket.id.no, amount, kept: worth.minus(amount)? })
    }

    /// All that the ticket is still worth goes back.
    pub(super) fn whole(booking: &Booking, ticket: &Ticket) -> Result<Self, MoneyError> {
        Self::of(booking, ticket, booking.worth(ticket)?)
    }
}

/// Why tickets come back.
pub(super) struct Why {
    pub(super) refund: RefundReason,
    pub(super) void: VoidReason,
    /// In the words of whoever asked.
    pub(super) words: Option<String>,
    pub(super) by_staff: Option<StaffNote>,
}

/// Gives tickets of a confirmed booking back, and answers the place of the cancellation that says so.
pub(super) fn give_back(state: State<'_>, draft: &mut Draft, returns: &[Return], why: Why) -> Result<usize, Stop> {
    let currency = draft.booking.price.total.currency();
    let amount = Money::sum(currency, returns.iter().map(|r| r.amount))?;
    let kept = Money::sum(currency, returns.iter().map(|r| r.kept))?;
    let shares = returns.iter().map(|r| TicketShare { ticket: r.ticket, amount: r.amount });
    let shares: Vec<TicketShare> = shares.filter(|share| !share.amount.is_zero()).collect();
    let numbers: Vec<u16> = returns.iter().map(|r| r.ticket).collect();
    let whole = numbers.len() == draft.booking.tickets.len();
    let seats = void(&mut draft.booking, &numbers, why.void);
    draft.claims.extend(hold::release(state, &seats, draft.booking.id));
    if draft.booking.live_tickets().next().is_none() {
        draft.booking.status = BookingStatus::Cancelled;
        payment::close_pages_soon(&mut draft.booking, draft.now);
        draft.event(EventKind::Cancelled);
    } else {
        draft.event(EventKind::TicketsCancelled { tickets: numbers.clone() });
    }
    let refund = if amount.is_zero() {
        if let Some(kind) = nothing_back(why.refund) {
            notice::tell(draft, kind)?;
        }
        None
    } else {
        Some(refund::request(
            draft,
            paid_by(&draft.booking)?,
            amount,
            refund::Of { reason: why.refund, shares, by_staff: why.by_staff },
        )?)
    };
    draft.booking.cancellations.push(Cancellation {
        at: draft.now,
        reason: why.words,
        amount,
        kept,
        refund,
        tickets: if whole { Vec::new() } else { numbers },
        exchanged_for: None,
    });
    Ok(draft.booking.cancellations.len() - 1)
}

/// What is told of tickets for which nothing goes back. The new tickets of an exchange speak for it.
fn nothing_back(reason: RefundReason) -> Option<NoticeKind> {
    match reason {
        RefundReason::Exchanged => None,
        RefundReason::ShowCancelled => Some(NoticeKind::ShowCancelled),
        RefundReason::Cancelled
        | RefundReason::ShowMoved
        | RefundReason::Staff
        | RefundReason::Goodwill
        | RefundReason::Late
        | RefundReason::BookingCancelled
        | RefundReason::AlreadyPaid
        | RefundReason::AmountMismatch
        | RefundReason::ExchangeOff => Some(NoticeKind::Cancelled),
    }
}

/// The payment whose money stands for the tickets.
pub(super) fn paid_by(booking: &Booking) -> Result<u16, Stop> {
    booking.paid_by.ok_or_else(|| Stop::Bug("a confirmed booking without the payment that paid it".into()))
}

/// Makes the live ones among these tickets void, and answers their seats.
pub(super) fn void(booking: &mut Booking, numbers: &[u16], reason: VoidReason) -> Vec<SeatNo> {
    let mut seats = Vec::new();
    for ticket in booking.tickets.iter_mut().filter(|t| t.is_live() && numbers.contains(&t.id.no)) {
        ticket.status = TicketStatus::Void;
        ticket.void_reason = Some(reason);
        seats.push(ticket.seat);
    }
    seats
}

/// The place of the cancellation that gave back exactly these tickets before.
pub(super) fn given_before(booking: &Booking, numbers: &[u16]) -> Option<usize> {
    let all: Vec<u16> = booking.tickets.iter().map(|t| t.id.no).collect();
    let same = |c: &Cancellation| if c.tickets.is_empty() { all == numbers } else { c.tickets == numbers };
    booking.cancellations.iter().position(same).filter(|_| !numbers.is_empty())
}
