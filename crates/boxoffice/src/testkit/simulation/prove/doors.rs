//! Whoever was let in had a good ticket, at the right time, and nobody came in on it a second time.

use std::collections::BTreeMap;

use pollster::block_on;

use super::super::witness::LetIn;
use super::super::world::World;
use super::disputes::Known;
use crate::booking::{Booking, Ticket, TicketStatus, VoidReason};
use crate::id::BookingId;
use crate::show::Show;
use crate::store::Store as _;
use crate::time::Span;

pub(super) fn wrongs(world: &World, bookings: &[&Booking], known: &Known) -> Vec<String> {
    let bookings: BTreeMap<BookingId, &Booking> = bookings.iter().map(|booking| (booking.id, *booking)).collect();
    let mut wrongs = Vec::new();
    for (id, let_in) in world.witness.all_let_in() {
        let show = block_on(world.memory.show_by_no(id.booking.show())).ok().flatten();
        let ticket = bookings.get(&id.booking).and_then(|booking| Some((*booking, booking.ticket(id.no)?)));
        let what = match (show, ticket, let_in.as_slice()) {
            (Some(show), Some((booking, ticket)), [once]) => wrong(&show, booking, ticket, once, known),
            (Some(_), Some(_), _) => Some("it was let in more than once"),
            (None, _, _) | (_, None, _) => Some("it was let in, and there is no such ticket"),
        };
        wrongs.extend(what.map(|what| format!("ticket {id}: {what}")));
    }
    wrongs
}

fn wrong(show: &Show, booking: &Booking, ticket: &Ticket, let_in: &LetIn, known: &Known) -> Option<&'static str> {
    if let_in.serial != ticket.serial {
        return Some("it was let in with another code than its last");
    }
    if let_in.at.is_before(show.entry_opens_at()) || !let_in.at.is_before(show.entry_closes_at()) {
        return Some("it was let in while the doors were closed");
    }
    let names = |tickets: &[u16]| tickets.is_empty() || tickets.contains(&ticket.id.no);
    if booking.cancellations.iter().any(|c| names(&c.tickets) && c.at < let_in.at) {
        return Some("it was let in after it had been given back");
    }
    let paid_by = booking.paid_by.and_then(|no| booking.attempt(no));
    if paid_by.is_some_and(|attempt| known.disputed(attempt.id, let_in.at, Span::from_ms(0))) {
        return Some("it was let in while its payment was in dispute");
    }
    match (ticket.status, ticket.void_reason) {
        (TicketStatus::Admitted, _) => None,
        // Who sits in the hall when the show is cancelled gets the money back, too.
        (TicketStatus::Void, Some(VoidReason::Cancelled)) if show.spec.cancelled => None,
        (TicketStatus::Void, _) => Some("it was let in and is void"),
        (TicketStatus::Valid, _) => Some("it was let in and does not say so"),
    }
}
