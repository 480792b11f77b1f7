//! Money has come, or has not: the one rule for every road the news can take. A payment is known
//! by the provider's own id; ranks never go back; a sale needs a live hold or a reclaim, nothing
//! else; every captured payment ends in a ticket or a refund.

use super::{Changes, Draft, State, Stop, cancel, dispute, exchange, follow, notice, payment, promo, refund};
use crate::booking::{
    Attempt, AttemptStatus, Booking, BookingStatus, DisputeStatus, NoticeKind, RefundReason, Ticket, TicketStatus,
};
use crate::claim::{Claim, ClaimChange};
use crate::command::{Effect, PaymentNews, Settle, Settled};
use crate::event::EventKind;
use crate::gateway::COUNTER;
use crate::id::PartId;
use crate::money::Money;
use crate::refusal::Refusal;
use crate::show::LatePayment;
use crate::time::{Span, Timestamp};

/// How long after a booking's end a provider is still asked about money that came late.
const ASK_FOR: Span = Span::from_mins(24 * 60);

pub(super) fn settle(state: State<'_>, settle: &Settle, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    let at = find_attempt(&mut draft, settle)?;
    let settled = match &settle.news {
        PaymentNews::Pending => noted(&mut draft, at, settle),
        PaymentNews::Silent => silent(&mut draft, at),
        PaymentNews::Declined => ended(&mut draft, at, settle, AttemptStatus::Declined),
        PaymentNews::Ended => ended(&mut draft, at, settle, AttemptStatus::Abandoned),
        // A capture of nothing is no capture, whatever a provider calls it.
        PaymentNews::Captured(amount) if amount.minor() <= 0 => noted(&mut draft, at, settle),
        PaymentNews::Captured(amount) if draft.booking.attempts[at].status == AttemptStatus::Succeeded => {
            known(&mut draft, at, *amount)
        }
        PaymentNews::Captured(amount) => captured(state, &mut draft, at, settle, *amount)?,
        PaymentNews::Dispute(status) => dispute::told(state, &mut draft, at, settle, *status)?,
    };
    Ok(draft.done(Effect::Settled(settled)))
}

/// The attempt that this payment is: the one that carries its id, else the one it names if that
/// has no payment yet, else, for money only, a new row for a second payment on the same page.
fn find_attempt(draft: &mut Draft, settle: &Settle) -> Result<usize, Stop> {
    let attempts = &draft.booking.attempts;
    let known = |a: &Attempt| a.gateway == settle.gateway && a.payment_id == settle.payment_id;
    if settle.payment_id.is_some()
        && let Some(at) = attempts.iter().position(known)
    {
        return Ok(at);
    }
    let named = |a: &Attempt| a.gateway == settle.gateway && a.id.no == settle.attempt;
    let at = attempts.iter().position(named).ok_or(Refusal::NotFound("payment"))?;
    let is_money = matches!(settle.news, PaymentNews::Captured(amount) if amount.minor() > 0);
    if !is_money || settle.payment_id.is_none() || attempts[at].payment_id.is_none() {
        return Ok(at);
    }
    let page_ends_at = attempts[at].checkout_ends_at;
    let mut second = payment::new_attempt(&draft.booking, &settle.gateway, page_ends_at, draft.now)?;
    second.amount = attempts[at].amount;
    second.second_on = Some(attempts[at].id.no);
    draft.booking.attempts.push(second);
    Ok(draft.booking.attempts.len() - 1)
}

/// The same payment by another road changes nothing. Another sum for it is the provider
/// contradicting itself: the first stands, and staff can see it.
fn known(draft: &mut Draft, at: usize, amount: Money) -> Settled {
    let attempt = &draft.booking.attempts[at];
    if attempt.captured != Some(amount) {
        draft.event(EventKind::CaptureContradicted { attempt: attempt.id.no });
    }
    Settled::Unchanged
}

fn learn_id(attempt: &mut Attempt, settle: &Settle) {
    if attempt.payment_id.is_none() {
        attempt.payment_id.clone_from(&settle.payment_id);
    }
}

/// News that change nothing of a payment that was made move the next look on only if it was due.
fn watched(attempt: &mut Attempt, now: Timestamp) -> Settled {
    if attempt.ask_at.is_some_and(|at| at <= now) {
        attempt.ask_at = next_look(attempt, now);
    }
    Settled::Unchanged
}

/// A payment that was made is asked about for the sake of a second one on its page, and of disputes.
pub(super) fn next_look(attempt: &Attempt, now: Timestamp) -> Option<Timestamp> {
    if attempt.moved_from.is_some() {
        // The provider knows moved money by the booking it came from, which is asked and passes on.
        return None;
    }
    let of_dispute = match attempt.dispute.map(|dispute| dispute.status) {
        // The bank's last word.
        Some(DisputeStatus::Lost) => None,
        Some(DisputeStatus::Open) => dispute::next_ask(attempt.started_at, true, now),
        Some(DisputeStatus::Won) | None => dispute::next_ask(attempt.started_at, false, now),
    };
    look_again(attempt, now).into_iter().chain(of_dispute).min()
}

fn noted(draft: &mut Draft, at: usize, settle: &Settle) -> Settled {
    let now = draft.now;
    let ask_again = ask_again(&draft.booking, &draft.booking.attempts[at], now);
    let attempt = &mut draft.booking.attempts[at];
    learn_id(attempt, settle);
    if attempt.status == AttemptStatus::Succeeded {
        return watched(attempt, now);
    }
    attempt.ask_at = ask_again;
    Settled::Noted
}

/// No answer is no news: whoever did not answer the last question is asked again, once a day.
fn silent(draft: &mut Draft, at: usize) -> Settled {
    let now = draft.now;
    let ask_again = ask_again(&draft.booking, &draft.booking.attempts[at], now);
    let attempt = &mut draft.booking.attempts[at];
    if attempt.status == AttemptStatus::Succeeded {
        return watched(attempt, now);
    }
    attempt.ask_at = ask_again.or(Some(now + ASK_FOR));
    Settled::Noted
}

/// News of a failure: it counts only for an attempt that nothing better is known of.
fn ended(draft: &mut Draft, at: usize, settle: &Settle, status: AttemptStatus) -> Settled {
    let no = draft.booking.attempts[at].id.no;
    let now = draft.now;
    let ask_again = ask_again(&draft.booking, &draft.booking.attempts[at], now);
    let attempt = &mut draft.booking.attempts[at];
    learn_id(attempt, settle);
    if attempt.status == AttemptStatus::Succeeded {
        return watched(attempt, now);
    }
    attempt.closed |= status == AttemptStatus::Abandoned;
    attempt.ask_at = ask_again;
    if attempt.status.rank() >= status.rank() {
        return Settled::Noted;
    }
    attempt.status = status;
    draft.event(match status {
        AttemptStatus::Declined => EventKind::PaymentDeclined { attempt: no },
        AttemptStatus::Started | AttemptStatus::Abandoned | AttemptStatus::Succeeded => {
            EventKind::PaymentAbandoned { attempt: no }
        }
    });
    Settled::Noted
}

/// When to ask about an attempt again: often while its page is open and just after, then ever
/// more seldom, and not at all a day after its page has ended.
fn ask_again(booking: &Booking, attempt: &Attempt, now: Timestamp) -> Option<Timestamp> {
    let over = booking.status_at(now) != BookingStatus::PendingPayment;
    let since = (now - attempt.checkout_ends_at).as_ms().max(0);
    if since > ASK_FOR.as_ms() {
        return None;
    }
    let wait =
        if over || since > 0 { Span::from_ms((since / 4).clamp(60_000, 3_600_000)) } else { Span::from_secs(30) };
    Some(now + wait)
}

/// When to look again at a page that was paid: a provider may take money on it a second time, and
/// the webhook that tells of it may be lost. Seldom, and for the last time a day after its end.
fn look_again(attempt: &Attempt, now: Timestamp) -> Option<Timestamp> {
    let ended = attempt.checkout_ends_at;
    let last = ended + ASK_FOR;
    if attempt.second_on.is_some() || last.is_before(now) {
        return None;
    }
    if now.is_before(ended) {
        return Some(ended + Span::from_secs(60));
    }
    let wait = Span::from_ms((now - ended).as_ms().saturating_mul(3).max(900_000));
    Some((now + wait).min(last + Span::from_ms(1)))
}

fn captured(state: State<'_>, draft: &mut Draft, at: usize, settle: &Settle, amount: Money) -> Result<Settled, Stop> {
    let now = draft.now;
    let no = draft.booking.attempts[at].id.no;
    let attempt = &mut draft.booking.attempts[at];
    learn_id(attempt, settle);
    attempt.status = AttemptStatus::Succeeded;
    attempt.captured = Some(amount);
    attempt.closed = true;
    attempt.ask_at = next_look(attempt, now);
    let asked = attempt.amount;
    draft.event(EventKind::PaymentSucceeded { attempt: no });
    let late = if state.show.spec.cancelled { RefundReason::ShowCancelled } else { RefundReason::Late };
    let exact = amount == asked && amount == draft.booking.price.total;
    match draft.booking.status_at(now) {
        BookingStatus::Confirmed => money_back(draft, no, amount, RefundReason::AlreadyPaid),
        BookingStatus::Cancelled if state.show.spec.cancelled => money_back(draft, no, amount, late),
        BookingStatus::Cancelled => money_back(draft, no, amount, RefundReason::BookingCancelled),
        BookingStatus::PendingPayment if !all_own(state, &draft.booking) || state.show.spec.cancelled => {
            money_back(draft, no, amount, late)
        }
        BookingStatus::PendingPayment if exact => {
            if exchange::give_old(state, draft)? {
                confirm(state, draft, no, EventKind::Confirmed { attempt: no })?;
                return Ok(Settled::Confirmed);
            }
            cancel::let_go(state, draft, None);
            money_back(draft, no, amount, RefundReason::ExchangeOff)
        }
        BookingStatus::PendingPayment => money_back(draft, no, amount, RefundReason::AmountMismatch),
        BookingStatus::Expired
            if exact && may_reclaim(state, &draft.booking, now) && exchange::give_old(state, draft)? =>
        {
            confirm(state, draft, no, EventKind::Reclaimed { attempt: no })?;
            Ok(Settled::Reclaimed)
        }
        BookingStatus::Expired => {
            super::expire::tidy(state, draft);
            money_back(draft, no, amount, if exact { late } else { RefundReason::AmountMismatch })
        }
    }
}

fn money_back(draft: &mut Draft, attempt: u16, amount: Money, reason: RefundReason) -> Result<Settled, Stop> {
    refund::request(draft, attempt, amount, refund::Of::stray(reason))?;
    Ok(Settled::Refunded)
}

/// The owner is asked before the deadline: a hold that somebody else has taken over is over.
fn all_own(state: State<'_>, booking: &Booking) -> bool {
    let own = |c: &Claim| c.booking() == Some(booking.id);
    booking.seats.iter().all(|s| state.seats.claim(s.no).is_some_and(own))
}

/// The same seats again: only if policy allows, the show stands as it stood at the hold, has not
/// started, and nobody has any of the seats.
fn may_reclaim(state: State<'_>, booking: &Booking, now: Timestamp) -> bool {
    let spec = &state.show.spec;
    let unchanged = spec.starts_at == booking.show.starts_at
        && spec.screen == booking.show.screen
        && state.show.layout.pin() == booking.show.layout;
    booking.late_payment == LatePayment::Reclaim
        && unchanged
        && !spec.cancelled
        && now.is_before(spec.starts_at)
        && booking.seats.iter().all(|s| state.seats.is_free(s.no, now))
        && promo::still_fits(state, booking)
}

/// Sells the seats and issues the tickets. Who paid on a page that was open while the show moved has
/// not heard of that yet.
pub(super) fn confirm(state: State<'_>, draft: &mut Draft, paid_by: u16, event: EventKind) -> Result<(), Stop> {
    let booking = &mut draft.booking;
    booking.paid_by = Some(paid_by);
    booking.status = BookingStatus::Confirmed;
    payment::close_pages_soon(booking, draft.now);
    let sold = Claim::Sold { booking: booking.id };
    draft.claims = booking
        .seats
        .iter()
        .map(|s| ClaimChange { seat: s.no, was: state.seats.claim(s.no).copied(), becomes: Some(sold) })
        .collect();
    booking.tickets = booking
        .seats
        .iter()
        .zip(1..)
        .map(|(seat, no)| Ticket {
            id: PartId { booking: booking.id, no },
            seat: seat.no,
            label: seat.label.clone(),
            ticket_type: seat.ticket_type.clone(),
            status: TicketStatus::Valid,
            void_reason: None,
            serial: 1,
            holder: None,
            scans: Vec::new(),
        })
        .collect();
    draft.event(event);
    notice::tell(draft, NoticeKind::Tickets)?;
    follow::tell_move(state, draft)
}

/// Nothing to pay, or paid by hand: the booking is confirmed at once, without a provider.
pub(super) fn confirm_at_once(state: State<'_>, mut draft: Draft, gateway: &str) -> Result<Changes, Stop> {
    if !all_own(state, &draft.booking) {
        return Err(Stop::Bug("a live booking without its claims".into()));
    }
    if !exchange::give_old(state, &mut draft)? {
        return Err(Refusal::NotCancellable("the tickets it replaces can no longer be exchanged").into());
    }
    let now = draft.now;
    let mut attempt = payment::new_attempt(&draft.booking, gateway, now, now)?;
    attempt.status = AttemptStatus::Succeeded;
    attempt.captured = Some(attempt.amount);
    attempt.closed = true;
    attempt.ask_at = None;
    if gateway == COUNTER {
        attempt.payment_id = Some(attempt.id.to_string());
    }
    let no = attempt.id.no;
    draft.booking.attempts.push(attempt);
    confirm(state, &mut draft, no, EventKind::Confirmed { attempt: no })?;
    Ok(draft.done(Effect::PaymentStarted { attempt: no }))
}
