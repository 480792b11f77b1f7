//! The door: a ticket lets in once, and says so exactly if somebody was let in.

use super::AuditCheck;
use crate::admission::Verdict;
use crate::booking::{Booking, Scan, Ticket, TicketStatus};

pub(super) fn more_than_one(check: &mut AuditCheck, booking: &Booking) {
    for ticket in &booking.tickets {
        check.note(wrong(ticket).map(|what| format!("ticket {}: {what}", ticket.id)));
    }
}

fn wrong(ticket: &Ticket) -> Option<&'static str> {
    let asked = |scan: &&Scan| scan.offline.is_none();
    let let_in = |scan: &&Scan| matches!(ticket.verdict(scan), Verdict::Admission | Verdict::Again);
    if ticket.scans.iter().filter(asked).filter(let_in).count() > 1 {
        return Some("the server let it in more than once");
    }
    if !ticket.scans.is_sorted_by_key(|scan| scan.order()) {
        return Some("its scans do not stand in the order of their instants");
    }
    match (ticket.status, ticket.admission()) {
        (TicketStatus::Admitted, None) => Some("it counts as used, and no scan let it in"),
        (TicketStatus::Valid, Some(_)) => Some("a scan let it in, and it does not count as used"),
        (TicketStatus::Valid | TicketStatus::Void, _) | (TicketStatus::Admitted, Some(_)) => None,
    }
}
