//! Giving a whole booking back: a pending one for nothing, a confirmed one by the policy that was
//! frozen at the hold.

use super::{Changes, Draft, State, Stop, hold, payment, refund};
use crate::booking::{Booking, BookingStatus, Cancellation, RefundReason, TicketStatus, VoidReason};
use crate::command::Effect;
use crate::event::EventKind;
use crate::id::SeatNo;
use crate::money::{Money, MoneyError, Percent};
use crate::refusal::Refusal;
use crate::show::RefundPolicy;
use crate::time::Timestamp;

pub(super) fn cancel(state: State<'_>, reason: Option<&str>, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    let back = match draft.booking.status_at(now) {
        BookingStatus::Cancelled => return Ok(draft.done(Effect::Cancelled)),
        BookingStatus::Expired => return Err(Refusal::NotCancellable("its hold has ended, the seats are free").into()),
        BookingStatus::PendingPayment => draft.booking.price.total.currency().zero(),
        BookingStatus::Confirmed => confirmed_refund(state, &draft.booking, now)?,
    };
    let was_paid = draft.booking.status == BookingStatus::Confirmed;
    let kept = if was_paid { draft.booking.price.total.minus(back)? } else { back };
    void_tickets(&mut draft.booking, VoidReason::Cancelled);
    let seats: Vec<SeatNo> = draft.booking.seats.iter().map(|s| s.no).collect();
    draft.claims = hold::release(state, &seats, draft.booking.id);
    draft.booking.status = BookingStatus::Cancelled;
    payment::close_pages_soon(&mut draft.booking, now);
    draft.event(EventKind::Cancelled);
    let refund = if back.is_zero() { None } else { Some(request_refund(&mut draft, back)?) };
    let reason = reason.map(str::to_owned);
    draft.booking.cancellations.push(Cancellation { at: now, reason, amount: back, kept, refund, tickets: Vec::new() });
    Ok(draft.done(Effect::Cancelled))
}

fn confirmed_refund(state: State<'_>, booking: &Booking, now: Timestamp) -> Result<Money, Stop> {
    if booking.tickets.iter().any(|t| t.status == TicketStatus::Admitted) {
        return Err(Refusal::NotCancellable("one of its tickets has been admitted").into());
    }
    if !now.is_before(state.show.spec.starts_at) {
        return Err(Refusal::NotCancellable("the show has started").into());
    }
    Ok(refund_amount(booking, state.show.spec.starts_at, now)?)
}

/// What the frozen policy gives back: a percentage of each face price, rounded per ticket, and
/// the fees that are refundable wherever any of the face is.
fn refund_amount(booking: &Booking, starts_at: Timestamp, now: Timestamp) -> Result<Money, MoneyError> {
    let currency = booking.price.total.currency();
    let Some(percent) = tier(&booking.refund_policy, starts_at, now) else {
        return Ok(currency.zero());
    };
    let faces = booking.seats.iter().map(|s| percent.of(s.face)).collect::<Result<Vec<_>, _>>()?;
    Money::sum(currency, faces)?.plus(booking.price.refundable_fees)
}

/// The first tier whose stated instant has not passed; that instant still counts.
fn tier(policy: &RefundPolicy, starts_at: Timestamp, now: Timestamp) -> Option<Percent> {
    policy.tiers.iter().find(|tier| now <= starts_at - tier.before).map(|tier| tier.percent)
}

pub(super) fn void_tickets(booking: &mut Booking, reason: VoidReason) {
    for ticket in &mut booking.tickets {
        if ticket.status == TicketStatus::Valid {
            ticket.status = TicketStatus::Void;
            ticket.void_reason = Some(reason);
        }
    }
}

fn request_refund(draft: &mut Draft, amount: Money) -> Result<u16, Stop> {
    let paid_by = draft.booking.paid_by;
    let attempt = paid_by.ok_or_else(|| Stop::Bug("a confirmed booking without the payment that paid it".into()))?;
    refund::request(draft, attempt, amount, RefundReason::Cancelled)
}
