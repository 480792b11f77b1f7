//! Tickets for other seats, of the same show or another: all of it or nothing. Where the tickets are
//! worth enough their money moves to the new booking, and what it does not take goes back by the policy
//! of the hold. Where they are not, the new booking is paid as any other, and the step that confirms it
//! gives the tickets back in full. Either way every booking has one payment.

use super::give_back::{self, Return, Why};
use super::{Changes, Draft, Replaced, State, Stop, cancel, follow, hold, payment, refund, settle};
use crate::booking::{
    AttemptStatus, Booking, BookingStatus, Cancellation, RefundReason, Replaces, Ticket, TicketShare, VoidReason,
};
use crate::claim::ShowSeats;
use crate::command::{Effect, Exchange};
use crate::event::EventKind;
use crate::gateway::NO_GATEWAY;
use crate::money::{Money, MoneyError, Percent};
use crate::refusal::{FieldError, Refusal};
use crate::sales::Sales;
use crate::time::Timestamp;

pub(super) fn exchange(state: State<'_>, asked: &Exchange, now: Timestamp) -> Result<Changes, Stop> {
    let old = state.replaced.ok_or(Refusal::NotFound("booking"))?;
    if let Some(made) = state.booking {
        // The same step sent again, because its first answer was lost.
        let effect = how_it_came_out(made, old.booking)?;
        return Ok(Draft::new(made.clone(), now).done(effect));
    }
    let numbers = numbers(old.booking, asked.tickets.as_deref(), now)?;
    let terms = terms(old, &numbers, now)?;
    let freed = without(old, &numbers);
    let to_pay = state;
    let state = if state.show.no == old.show.no { State { seats: &freed, ..state } } else { state };
    let new = drafted(state, old.booking, asked, &numbers, terms, now)?;
    let worth = worth(old.booking, &numbers)?;
    if new.booking.price.total.currency() != worth.currency() {
        let detail =
            format!("The tickets were paid in {}; the new seats are sold in another currency.", worth.currency());
        return Err(Refusal::InvalidRequest(vec![FieldError::new("/show", detail)]).into());
    }
    if new.booking.price.total.minor() <= worth.minor() {
        return swap(state, old, new, &numbers, terms);
    }
    // Until they are paid, the old seats stay the old booking's.
    let mut new = drafted(to_pay, old.booking, asked, &numbers, terms, now)?;
    hold::claim(to_pay, &mut new);
    Ok(new.done(Effect::ExchangeHeld { back: worth }))
}

/// What goes back of the tickets' money that the new seats do not take: the policy's percentage of it,
/// and never more than cancelling would give back. Of a show that was moved all of it.
#[derive(Clone, Copy)]
enum Terms {
    Moved,
    Policy(Percent),
}

impl Terms {
    fn percent(self) -> Percent {
        match self {
            Self::Moved => Percent::from(100),
            Self::Policy(percent) => percent,
        }
    }

    fn back(self, booking: &Booking, ticket: &Ticket) -> Result<Return, MoneyError> {
        match self {
            Self::Moved => Return::whole(booking, ticket),
            Self::Policy(percent) => {
                let of_rest = percent.of(booking.worth(ticket)?)?;
                let by_cancelling = cancel::by_policy(booking, ticket, Some(percent))?;
                let least = if of_rest.minor() < by_cancelling.minor() { of_rest } else { by_cancelling };
                Return::of(booking, ticket, least)
            }
        }
    }
}

/// The tickets' numbers in order; without any named, all that are live.
fn numbers(booking: &Booking, asked: Option<&[u16]>, now: Timestamp) -> Result<Vec<u16>, Refusal> {
    match booking.status_at(now) {
        BookingStatus::Confirmed => {}
        BookingStatus::PendingPayment => {
            return Err(Refusal::NotCancellable("it is not paid yet; change its seats instead"));
        }
        BookingStatus::Cancelled => return Err(Refusal::NotCancellable("its tickets are void")),
        BookingStatus::Expired => return Err(Refusal::NotCancellable("its hold has ended, the seats are free")),
    }
    match asked {
        None => Ok(booking.live_tickets().map(|t| t.id.no).collect()),
        Some([]) => Err(Refusal::InvalidRequest(vec![FieldError::new("/tickets", "Name at least one ticket.")])),
        Some(numbers) => cancel::known(booking, numbers),
    }
}

/// # Errors
/// As for a cancellation of these tickets.
fn terms(old: Replaced<'_>, numbers: &[u16], now: Timestamp) -> Result<Terms, Refusal> {
    let state = own_state(old);
    cancel::may_cancel(state, old.booking, &tickets(old.booking, numbers), now)?;
    if follow::is_moved(state, old.booking) {
        return Ok(Terms::Moved);
    }
    let percent = cancel::tier(&old.booking.refund_policy, old.show.spec.starts_at, now);
    Ok(Terms::Policy(percent.unwrap_or(Percent::from(0))))
}

/// The replaced booking as a step of its own would see it. It gives back, which closed sales do not hinder.
fn own_state(old: Replaced<'_>) -> State<'_> {
    State {
        show: old.show,
        seats: old.seats,
        sales: Sales::Open,
        booking: Some(old.booking),
        promo: None,
        replaced: None,
    }
}

fn tickets<'a>(booking: &'a Booking, numbers: &[u16]) -> Vec<&'a Ticket> {
    booking.tickets.iter().filter(|t| numbers.contains(&t.id.no)).collect()
}

fn worth(booking: &Booking, numbers: &[u16]) -> Result<Money, MoneyError> {
    let worth = tickets(booking, numbers).into_iter().map(|t| booking.worth(t)).collect::<Result<Vec<_>, _>>()?;
    Money::sum(booking.price.total.currency(), worth)
}

/// The old show's seats as they are once these tickets are void.
fn without(old: Replaced<'_>, numbers: &[u16]) -> ShowSeats {
    let mut seats = old.seats.clone();
    for ticket in tickets(old.booking, numbers) {
        if let Some(claim) = seats.claims.get_mut(ticket.seat.index())
            && claim.is_some_and(|c| c.booking() == Some(old.booking.id))
        {
            *claim = None;
        }
    }
    seats
}

/// The new booking, for the same customer, with nothing claimed yet.
fn drafted(
    state: State<'_>,
    old: &Booking,
    asked: &Exchange,
    numbers: &[u16],
    terms: Terms,
    now: Timestamp,
) -> Result<Draft, Stop> {
    let mut new = hold::drafted(state, &asked.hold, now)?;
    new.booking.customer = old.customer.clone();
    new.booking.metadata = old.metadata.clone();
    new.booking.refund_policy = new.booking.refund_policy.at_most(terms.percent());
    new.booking.replaces = Some(Replaces { booking: old.id, tickets: numbers.to_vec() });
    Ok(new)
}

/// Both bookings at once: the old tickets are void and their seats free, the new ones are issued.
fn swap(state: State<'_>, old: Replaced<'_>, mut new: Draft, numbers: &[u16], terms: Terms) -> Result<Changes, Stop> {
    let mut from = Draft::new(old.booking.clone(), new.now);
    let moved = new.booking.price.total;
    pay(&mut from, &mut new, numbers)?;
    let rest = |ticket: &Ticket| terms.back(&from.booking, ticket);
    let returns = tickets(&from.booking, numbers).into_iter().map(rest).collect::<Result<Vec<_>, _>>()?;
    let given = give_up(old, &mut from, &new, &returns)?;
    let paid = new.booking.attempts.last().map_or(0, |attempt| attempt.id.no);
    new.event(EventKind::PaymentSucceeded { attempt: paid });
    settle::confirm(state, &mut new, paid, EventKind::Confirmed { attempt: paid })?;
    let cancellation = from.booking.cancellations.len() - 1;
    new.replaced = Some(Box::new(from.done(Effect::Cancelled { cancellation })));
    Ok(new.done(Effect::Exchanged { given, moved }))
}

/// Moves the new booking's price from the payment of the old one: there a refund that stays with the
/// provider, here a payment that the provider knows by the old one's name.
fn pay(from: &mut Draft, new: &mut Draft, numbers: &[u16]) -> Result<(), Stop> {
    let (now, price) = (new.now, new.booking.price.total);
    let mut attempt = payment::new_attempt(&new.booking, NO_GATEWAY, now, now)?;
    attempt.status = AttemptStatus::Succeeded;
    attempt.captured = Some(price);
    attempt.closed = true;
    attempt.ask_at = None;
    if !price.is_zero() {
        let paid_by = give_back::paid_by(&from.booking)?;
        let source = from.booking.attempt(paid_by).ok_or_else(|| Stop::Bug("no such payment".into()))?;
        attempt.gateway.clone_from(&source.gateway);
        attempt.payment_id.clone_from(&source.payment_id);
        let shares = shares(&from.booking, numbers, price)?;
        attempt.moved_from = Some(refund::move_on(from, paid_by, price, shares, attempt.id)?);
    }
    new.booking.attempts.push(attempt);
    Ok(())
}

/// What of an amount each ticket gives, by what it is worth and never more than that.
fn shares(booking: &Booking, numbers: &[u16], amount: Money) -> Result<Vec<TicketShare>, MoneyError> {
    let tickets = tickets(booking, numbers);
    let worth = tickets.iter().map(|t| booking.worth(t)).collect::<Result<Vec<_>, _>>()?;
    let weights: Vec<u64> = worth.iter().map(|w| w.minor().unsigned_abs()).collect();
    let shares = tickets.iter().zip(amount.split(&weights));
    let shares = shares.map(|(ticket, amount)| TicketShare { ticket: ticket.id.no, amount });
    Ok(shares.filter(|share| !share.amount.is_zero()).collect())
}

fn give_up(old: Replaced<'_>, from: &mut Draft, new: &Draft, returns: &[Return]) -> Result<Cancellation, Stop> {
    let why = Why { refund: RefundReason::Exchanged, void: VoidReason::Reissued, words: None, by_staff: None };
    let at = give_back::give_back(own_state(old), from, returns, why)?;
    let given = &mut from.booking.cancellations[at];
    given.exchanged_for = Some(new.booking.id);
    Ok(given.clone())
}

/// The new booking is about to be confirmed by money of its own: the tickets that it replaces go back
/// in full, in the same step. False: they cannot any more.
pub(super) fn give_old(state: State<'_>, draft: &mut Draft) -> Result<bool, Stop> {
    let Some(replaces) = &draft.booking.replaces else { return Ok(true) };
    let old = state.replaced.ok_or_else(|| Stop::Bug("a booking that replaces another came without it".into()))?;
    let tickets = tickets(old.booking, &replaces.tickets);
    if old.booking.status != BookingStatus::Confirmed
        || cancel::may_cancel(own_state(old), old.booking, &tickets, draft.now).is_err()
    {
        return Ok(false);
    }
    let returns = tickets.into_iter().map(|t| Return::whole(old.booking, t)).collect::<Result<Vec<_>, _>>()?;
    let mut from = Draft::new(old.booking.clone(), draft.now);
    give_up(old, &mut from, draft, &returns)?;
    let cancellation = from.booking.cancellations.len() - 1;
    draft.replaced = Some(Box::new(from.done(Effect::Cancelled { cancellation })));
    Ok(true)
}

fn how_it_came_out(new: &Booking, old: &Booking) -> Result<Effect, Stop> {
    let given = old.cancellations.iter().find(|c| c.exchanged_for == Some(new.id));
    let moved = new.attempts.iter().any(|a| a.moved_from.is_some() || a.gateway == NO_GATEWAY);
    match given.filter(|_| moved) {
        Some(given) => Ok(Effect::Exchanged { given: given.clone(), moved: new.price.total }),
        None => {
            let numbers = new.replaces.as_ref().map_or(&[][..], |replaces| &replaces.tickets);
            Ok(Effect::ExchangeHeld { back: worth(old, numbers)? })
        }
    }
}
