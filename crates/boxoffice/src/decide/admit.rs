//! Whether a ticket that is shown at a door lets its holder in. It does once.

use super::{Changes, Draft, State, Stop};
use crate::admission::Admit;
use crate::booking::{Booking, DisputeStatus, Scan, Ticket, TicketStatus, VoidReason};
use crate::command::Effect;
use crate::event::EventKind;
use crate::refusal::{Refusal, RightDoor};
use crate::show::Show;
use crate::time::Timestamp;

/// The order of the refusals is part of the rules: a void ticket says so wherever it is shown, and
/// whoever stands at the wrong door is told the right one before anything else.
pub(super) fn admit(state: State<'_>, admit: &Admit, now: Timestamp) -> Result<Changes, Stop> {
    let booking = state.booking.ok_or(Refusal::UnknownTicket)?;
    let ticket = booking.ticket(admit.ticket.no).ok_or(Refusal::UnknownTicket)?;
    check_serial(ticket, admit.serial)?;
    check_place(state.show, admit)?;
    check_money(booking)?;
    if let Some(known) = admit.nonce.as_deref().and_then(|nonce| ticket.scan(nonce)) {
        let effect = admitted(ticket, known);
        return Ok(Draft::new(booking.clone(), now).done(effect));
    }
    if let Some(first) = ticket.admission() {
        return Err(already(first).into());
    }
    check_time(state.show, now)?;
    let scan = Scan {
        at: now,
        nonce: admit.nonce.clone(),
        gate: admit.gate.clone(),
        by: admit.by.clone(),
        serial: admit.serial,
        elsewhere: false,
        offline: None,
    };
    let effect = admitted(ticket, &scan);
    let mut draft = Draft::new(booking.clone(), now);
    for ticket in draft.booking.tickets.iter_mut().filter(|t| t.id == admit.ticket) {
        ticket.keep(scan.clone());
    }
    draft.event(EventKind::Admitted { ticket: admit.ticket.no });
    Ok(draft.done(effect))
}

fn admitted(ticket: &Ticket, scan: &Scan) -> Effect {
    Effect::Admitted { ticket: ticket.id.no, at: scan.at, gate: scan.gate.clone() }
}

pub(super) fn already(first: &Scan) -> Refusal {
    Refusal::AlreadyAdmitted { at: first.at, gate: first.gate.clone() }
}

fn check_serial(ticket: &Ticket, serial: u16) -> Result<(), Refusal> {
    if serial > ticket.serial {
        // Signed by us, but not known here: such a code was made after the store's copy was.
        return Err(Refusal::UnknownTicket);
    }
    if serial < ticket.serial {
        return Err(Refusal::TicketVoid { reason: VoidReason::Reissued });
    }
    match ticket.status {
        TicketStatus::Void => Err(Refusal::TicketVoid { reason: ticket.void_reason.unwrap_or(VoidReason::Cancelled) }),
        TicketStatus::Valid | TicketStatus::Admitted => Ok(()),
    }
}

fn check_place(show: &Show, admit: &Admit) -> Result<(), Refusal> {
    if show.spec.cancelled {
        return Err(Refusal::ShowCancelled);
    }
    if admit.door.leads_to(show) { Ok(()) } else { Err(Refusal::WrongShow(Box::new(right_door(show)))) }
}

fn check_money(booking: &Booking) -> Result<(), Refusal> {
    let dispute = booking.paid_by.and_then(|no| booking.attempt(no)).and_then(|attempt| attempt.dispute);
    match dispute.map(|dispute| dispute.status) {
        Some(DisputeStatus::Open | DisputeStatus::Lost) => Err(Refusal::PaymentDisputed),
        Some(DisputeStatus::Won) | None => Ok(()),
    }
}

/// After the end there is no right door any more; the answer says what the ticket was for.
fn check_time(show: &Show, now: Timestamp) -> Result<(), Refusal> {
    let opens_at = show.entry_opens_at();
    if now.is_before(opens_at) {
        return Err(Refusal::TooEarly { opens_at });
    }
    if now.is_before(show.entry_closes_at()) { Ok(()) } else { Err(Refusal::WrongShow(Box::new(right_door(show)))) }
}

fn right_door(show: &Show) -> RightDoor {
    RightDoor {
        show: show.id().clone(),
        movie: show.movie.title.english().to_owned(),
        theatre: show.theatre.name.english().to_owned(),
        screen: show.screen.name.english().to_owned(),
        local: show.local_start().strftime("%Y-%m-%d %H:%M").to_string(),
        starts_at: show.spec.starts_at,
    }
}
