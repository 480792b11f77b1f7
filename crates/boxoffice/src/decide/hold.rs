//! Taking seats: for a new booking, or in place of the ones a pending booking has.

use super::{Changes, Draft, State, Stop, follow, promo};
use crate::booking::{Booking, BookingStatus, Channel, Customer, ShowStamp};
use crate::claim::{Claim, ClaimChange, SeatStatus};
use crate::command::{ChangeSeats, Effect, Hold, PromoChange, SeatPick, Seats};
use crate::event::EventKind;
use crate::id::{BookingId, SeatNo};
use crate::layout::LayoutPin;
use crate::money::{Money, MoneyError};
use crate::prices::STANDARD;
use crate::pricing::{self, PriceAsk, Priced};
use crate::promo::uses::PromoState;
use crate::refusal::{FieldError, HoldOver, NotOnSale, Refusal, TakenReason, TakenSeat};
use crate::seating;
use crate::time::Timestamp;

pub(super) fn hold(state: State<'_>, hold: &Hold, now: Timestamp) -> Result<Changes, Stop> {
    if let Some(made) = state.booking {
        // The same step sent again, because its first answer was lost.
        return Ok(Draft::new(made.clone(), now).done(Effect::Held));
    }
    let mut draft = drafted(state, hold, now)?;
    claim(state, &mut draft);
    Ok(draft.done(Effect::Held))
}

/// The booking that a hold makes, with nothing claimed yet.
pub(super) fn drafted(state: State<'_>, hold: &Hold, now: Timestamp) -> Result<Draft, Stop> {
    let show = state.show;
    on_sale(state, hold.channel, now)?;
    let picks = choose(state, &hold.seats, &hold.layout, &hold.mine, None, now)?;
    let promo = promo::named(state, hold.promo.as_ref(), &hold.customer, now)?;
    let quote = priced(state, &picks, hold.channel, promo, now)?;
    let used = promo::used(promo, &quote.price)?;
    as_expected(hold.expected_total, quote.price.total)?;
    let expires_at = now + show.spec.hold;
    let booking = Booking {
        id: hold.booking,
        reference: hold.reference.clone(),
        status: BookingStatus::PendingPayment,
        channel: hold.channel,
        show: stamp(state),
        seats: quote.seats,
        price: quote.price,
        refund_policy: crate::show::RefundPolicy::clone(&show.refund_policy),
        late_payment: show.spec.late_payment,
        customer: hold.customer.clone(),
        metadata: hold.metadata.clone(),
        created_at: now,
        first_deadline: expires_at,
        expires_at,
        extended: false,
        paid_by: None,
        attempts: Vec::new(),
        refunds: Vec::new(),
        tickets: Vec::new(),
        cancellations: Vec::new(),
        notices: Vec::new(),
        promo: used,
        told: None,
        replaces: None,
        erase_at: None,
    };
    let mut draft = Draft::new(booking, now);
    draft.event(EventKind::Held);
    Ok(draft)
}

/// Holds the seats of a booking that was drafted.
pub(super) fn claim(state: State<'_>, draft: &mut Draft) {
    let booking = &draft.booking;
    let held = Claim::Held { booking: booking.id, until: booking.expires_at };
    draft.claims = take(state, booking.seats.iter().map(|seat| seat.no), held);
}

pub(super) fn change_seats(state: State<'_>, change: &ChangeSeats, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    let booking = &mut draft.booking;
    if let Some(refusal) = Refusal::for_status(booking.status_at(now)) {
        return Err(refusal.into());
    }
    if booking.replaces.is_some() {
        // Held as dearer than what they replace: made cheaper they would bring back more than the policy gives.
        let detail = "These seats are held in exchange for tickets. Let them go, and exchange for others.";
        return Err(Refusal::InvalidRequest(vec![FieldError::new("", detail)]).into());
    }
    let picks = match &change.seats {
        Some(seats) => {
            on_sale(state, booking.channel, now)?;
            choose(state, seats, &change.layout, &[], Some(booking.id), now)?
        }
        None if state.show.spec.cancelled => return Err(Refusal::ShowCancelled.into()),
        None => booking.seats.iter().map(|s| SeatPick { seat: s.no, ticket_type: s.ticket_type.clone() }).collect(),
    };
    let customer = change.customer.as_ref().unwrap_or(&booking.customer);
    let promo = match &change.promo {
        // Its use is counted already and its terms were those of the hold.
        PromoChange::Keep => state.promo,
        PromoChange::Use(code) => promo::named(state, Some(code), customer, now)?,
        PromoChange::Remove => None,
    };
    if change.promo == PromoChange::Keep {
        promo::for_customer(state, booking, customer)?;
    }
    let quote = priced(state, &picks, booking.channel, promo, now)?;
    if booking.open_attempt(now).is_some() && quote.price.total != booking.price.total {
        return Err(Refusal::PaymentInProgress.into());
    }
    booking.promo = promo::used(promo, &quote.price)?;
    let left: Vec<SeatNo> =
        booking.seats.iter().map(|s| s.no).filter(|no| picks.iter().all(|p| p.seat != *no)).collect();
    let held = Claim::Held { booking: booking.id, until: booking.expires_at };
    let new: Vec<SeatPick> = picks.iter().filter(|p| state.seats.claim(p.seat) != Some(&held)).cloned().collect();
    booking.seats = quote.seats;
    booking.price = quote.price;
    if change.seats.is_some() {
        booking.show = stamp(state);
    }
    if let Some(customer) = &change.customer {
        booking.customer = customer.clone();
    }
    draft.claims = release(state, &left, booking.id);
    draft.claims.extend(take(state, new.iter().map(|pick| pick.seat), held));
    draft.event(EventKind::SeatsChanged);
    Ok(draft.done(Effect::SeatsChanged))
}

pub(super) fn change_customer(state: State<'_>, customer: &Customer, now: Timestamp) -> Result<Changes, Stop> {
    Ok(customer_changed(state, Draft::of(state, now)?, customer)?.done(Effect::CustomerChanged))
}

fn customer_changed(state: State<'_>, mut draft: Draft, customer: &Customer) -> Result<Draft, Stop> {
    let now = draft.now;
    let needed = match draft.booking.status_at(now) {
        BookingStatus::PendingPayment => draft.booking.open_attempt(now).is_some(),
        BookingStatus::Confirmed => true,
        BookingStatus::Cancelled => return Err(Refusal::HoldExpired(HoldOver::Cancelled).into()),
        BookingStatus::Expired => return Err(Refusal::HoldExpired(HoldOver::Lapsed).into()),
    };
    if needed && !customer.can_be_reached() {
        return Err(Refusal::contact_needed().into());
    }
    promo::for_customer(state, &draft.booking, customer)?;
    draft.booking.customer = customer.clone();
    draft.event(EventKind::CustomerChanged);
    Ok(draft)
}

/// The holder of a pending booking takes the show as it stands now; prices and deadline stay.
pub(super) fn accept_changes(state: State<'_>, customer: Option<&Customer>, now: Timestamp) -> Result<Changes, Stop> {
    let mut draft = Draft::of(state, now)?;
    if let Some(refusal) = Refusal::for_status(draft.booking.status_at(now)) {
        return Err(refusal.into());
    }
    if state.show.spec.cancelled {
        return Err(Refusal::ShowCancelled.into());
    }
    if let Some(customer) = customer {
        draft = customer_changed(state, draft, customer)?;
    }
    if follow::is_moved(state, &draft.booking) {
        draft.booking.show = stamp(state);
        draft.event(EventKind::ChangesAccepted);
    }
    Ok(draft.done(Effect::ChangesAccepted))
}

/// Frees the seats that this booking still has a claim on; others' claims are not touched.
pub(super) fn release(state: State<'_>, seats: &[SeatNo], booking: BookingId) -> Vec<ClaimChange> {
    let own = |seat: &SeatNo| state.seats.claim(*seat).is_some_and(|c| c.booking() == Some(booking));
    let free = |seat: SeatNo| ClaimChange { seat, was: state.seats.claim(seat).copied(), becomes: None };
    seats.iter().copied().filter(own).map(free).collect()
}

/// Gives a claim on seats that were found free, guarded by what was seen there.
fn take(state: State<'_>, seats: impl Iterator<Item = SeatNo>, claim: Claim) -> Vec<ClaimChange> {
    seats.map(|seat| ClaimChange { seat, was: state.seats.claim(seat).copied(), becomes: Some(claim) }).collect()
}

/// The show as it stands now.
pub(super) fn stamp(state: State<'_>) -> ShowStamp {
    ShowStamp {
        id: state.show.id().clone(),
        starts_at: state.show.spec.starts_at,
        screen: state.show.spec.screen.clone(),
        layout: state.show.layout.pin(),
    }
}

fn on_sale(state: State<'_>, channel: Channel, now: Timestamp) -> Result<(), Refusal> {
    let spec = &state.show.spec;
    state.sales.must_be_open()?;
    if spec.cancelled {
        return Err(Refusal::ShowCancelled);
    }
    if spec.sales_open.is_some_and(|opens| now.is_before(opens)) {
        return Err(Refusal::SalesClosed(NotOnSale::Early));
    }
    if channel == Channel::Web && !now.is_before(state.show.web_closes_at()) {
        return Err(Refusal::SalesClosed(NotOnSale::Over));
    }
    Ok(())
}

/// The seats to take, all of them free. `own` is the booking whose seats count as free to it.
fn choose(
    state: State<'_>,
    seats: &Seats,
    layout: &LayoutPin,
    mine: &[BookingId],
    own: Option<BookingId>,
    now: Timestamp,
) -> Result<Vec<SeatPick>, Refusal> {
    if *layout != state.show.layout.pin() {
        return Err(Refusal::LayoutChanged { current: state.show.layout.version() });
    }
    let max = state.show.spec.max_seats;
    if seats.count() > usize::from(max) {
        return Err(Refusal::TooManySeats { max });
    }
    let is_own = |seat: SeatNo| own.is_some() && state.seats.claim(seat).and_then(Claim::booking) == own;
    let is_free = |seat: SeatNo| state.seats.is_free(seat, now) || is_own(seat);
    match seats {
        Seats::Best { count, category } => {
            let best = seating::best(&state.show.layout, *count, *category, is_free);
            let pick = |seat| SeatPick { seat, ticket_type: STANDARD.to_owned() };
            best.map(|seats| seats.into_iter().map(pick).collect()).ok_or(Refusal::NotEnoughSeats { count: *count })
        }
        Seats::These(picks) => {
            let taken: Vec<TakenSeat> =
                picks.iter().filter(|p| !is_free(p.seat)).map(|p| taken(state, p.seat, mine, now)).collect();
            if taken.is_empty() { Ok(picks.clone()) } else { Err(Refusal::SeatsUnavailable(taken)) }
        }
    }
}

/// Nobody pays another price than they were told.
fn as_expected(expected: Option<Money>, total: Money) -> Result<(), Refusal> {
    match expected {
        Some(old) if old != total => Err(Refusal::PriceChanged { old, new: total }),
        Some(_) | None => Ok(()),
    }
}

/// What the seats cost. A seat whose category has no price is not for sale; a type that has none
/// there was not on offer.
fn priced(
    state: State<'_>,
    picks: &[SeatPick],
    channel: Channel,
    promo: Option<&PromoState>,
    now: Timestamp,
) -> Result<Priced, Stop> {
    let occupancy = state.seats.occupancy(now);
    let ask = PriceAsk { show: state.show, channel, bought_at: now, occupancy, promo: promo.map(|p| &*p.code) };
    match pricing::quote(&ask, picks) {
        Err(MoneyError::NoPrice { category, ticket_type }) if ticket_type == STANDARD => {
            let layout = &state.show.layout;
            let without =
                |pick: &&SeatPick| layout.seat(pick.seat).is_some_and(|s| layout.category_of(s).name == category);
            let blocked = |pick: &SeatPick| named(state, pick.seat, TakenReason::Blocked);
            Err(Refusal::SeatsUnavailable(picks.iter().filter(without).map(blocked).collect()).into())
        }
        Err(MoneyError::NoPrice { category, ticket_type }) => {
            let detail = format!("There are no `{ticket_type}` tickets in {category}.");
            Err(Refusal::InvalidRequest(vec![FieldError::new("/seats", detail)]).into())
        }
        quote => Ok(quote?),
    }
}

fn taken(state: State<'_>, seat: SeatNo, mine: &[BookingId], now: Timestamp) -> TakenSeat {
    let claim = state.seats.claim(seat);
    let owner = claim.and_then(Claim::booking);
    let reason = match state.seats.status(seat, now) {
        SeatStatus::Booked => TakenReason::Booked,
        SeatStatus::Blocked => TakenReason::Blocked,
        SeatStatus::Held | SeatStatus::Available if owner.is_some_and(|o| mine.contains(&o)) => TakenReason::HeldByYou,
        SeatStatus::Held | SeatStatus::Available => TakenReason::Held,
    };
    named(state, seat, reason)
}

fn named(state: State<'_>, seat: SeatNo, reason: TakenReason) -> TakenSeat {
    let (id, label) = state.show.layout.seat(seat).map(|s| (s.id.clone(), s.label.clone())).unwrap_or_default();
    TakenSeat { id, label, reason }
}
