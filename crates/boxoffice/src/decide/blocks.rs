//! Seats that staff take off sale: only available ones, all or none.

use std::collections::BTreeSet;

use super::{Changes, State, Stop};
use crate::claim::{Claim, ClaimChange, SeatStatus};
use crate::command::{Block, Effect, Outcome};
use crate::event::{Event, EventKind};
use crate::id::SeatNo;
use crate::refusal::{Refusal, TakenReason, TakenSeat};
use crate::time::Timestamp;

pub(super) fn block(state: State<'_>, block: &Block, now: Timestamp) -> Result<Changes, Stop> {
    let seats = named(state, block)?;
    let taken: Vec<TakenSeat> = seats.iter().filter_map(|seat| taken(state, *seat, now)).collect();
    if !taken.is_empty() {
        return Err(Refusal::SeatsUnavailable(taken).into());
    }
    let change = |seat: &SeatNo| ClaimChange {
        seat: *seat,
        was: state.seats.claim(*seat).copied(),
        becomes: Some(Claim::Blocked { until: block.until }),
    };
    let kind = EventKind::Blocked { seats: labels(state, &seats), until: block.until, note: block.note.clone() };
    Ok(changes(seats.iter().map(change).filter(|c| c.was != c.becomes).collect(), kind, now))
}

pub(super) fn unblock(state: State<'_>, block: &Block, now: Timestamp) -> Result<Changes, Stop> {
    let seats = named(state, block)?;
    let blocked = |seat: &&SeatNo| matches!(state.seats.claim(**seat), Some(Claim::Blocked { .. }));
    let change = |seat: &SeatNo| ClaimChange { seat: *seat, was: state.seats.claim(*seat).copied(), becomes: None };
    let kind = EventKind::Unblocked { seats: labels(state, &seats), note: block.note.clone() };
    Ok(changes(seats.iter().filter(blocked).map(change).collect(), kind, now))
}

/// The seats that the command names, each once.
fn named(state: State<'_>, block: &Block) -> Result<BTreeSet<SeatNo>, Refusal> {
    if block.layout != state.show.layout.pin() {
        return Err(Refusal::LayoutChanged { current: state.show.layout.version() });
    }
    Ok(block.seats.iter().copied().collect())
}

fn labels(state: State<'_>, seats: &BTreeSet<SeatNo>) -> Vec<String> {
    seats.iter().filter_map(|seat| Some(state.show.layout.seat(*seat)?.label.clone())).collect()
}

fn changes(claims: Vec<ClaimChange>, kind: EventKind, now: Timestamp) -> Changes {
    let events = if claims.is_empty() { Vec::new() } else { vec![Event { booking: None, kind }] };
    let outcome = Outcome { at: now, booking: None, effect: Effect::BlocksChanged };
    Changes { replaced: None, show: None, claims, events, outcome }
}

fn taken(state: State<'_>, seat: SeatNo, now: Timestamp) -> Option<TakenSeat> {
    let reason = match state.seats.status(seat, now) {
        SeatStatus::Available | SeatStatus::Blocked => return None,
        SeatStatus::Held => TakenReason::Held,
        SeatStatus::Booked => TakenReason::Booked,
    };
    let seat = state.show.layout.seat(seat)?;
    Some(TakenSeat { id: seat.id.clone(), label: seat.label.clone(), reason })
}
