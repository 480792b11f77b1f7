//! The door: admissions are kept, and many doors on one ticket let one person in.

use super::Check;
use crate::booking::TicketStatus;
use crate::command::{Command, Effect, Recorded, Reissue};
use crate::refusal::Refusal;
use crate::store::StoreError;
use crate::testkit::hall;
use crate::testkit::world::{Failure, World, code, race, same};

pub(super) const CHECKS: &[Check] = &[
    Check::new("admission_scans_and_serial_are_kept", admission_is_kept),
    Check::new("ticket_of_no_booking_is_unknown", unknown_ticket),
    Check::race("case_78_fifty_doors_on_one_ticket", fifty_doors),
];

fn admission_is_kept(w: World<'_>) -> Result<(), Failure> {
    let booking = w.hold(1, &["A1", "A2"])?.id;
    w.pay(booking)?;
    w.run(Command::Reissue(Reissue { booking, ticket: 2, holder: Some("Grace".into()) }))?;
    w.clock.set(hall::starts_at(1));
    let effect = w.run(w.admit_command(booking, 1, "n1"))?.outcome.effect;
    let at = hall::starts_at(1);
    same("the answer", effect, Effect::Admitted { ticket: 1, at, gate: Some("north".into()) })?;
    let effect = w.run(w.scan_command(booking, 2, "n2"))?.outcome.effect;
    same("a scan of the old code", effect, Effect::ScansRecorded(vec![Recorded::New]))?;
    let before = w.booking(booking)?;
    same("the first ticket", before.tickets[0].status, TicketStatus::Admitted)?;
    same("the second ticket", (before.tickets[1].status, before.tickets[1].serial), (TicketStatus::Valid, 2))?;
    let Some(w) = w.reopen() else { return Ok(()) };
    same("the booking as it was kept", w.booking(booking)?, before)?;
    let again = w.run(w.admit_command(booking, 1, "n3"));
    same("another door", again.map(drop), Err(Refusal::AlreadyAdmitted { at, gate: Some("north".into()) }.into()))
}

fn unknown_ticket(w: World<'_>) -> Result<(), Failure> {
    let held = w.hold(1, &["A1"])?.id;
    w.clock.set(hall::starts_at(1));
    same("a booking that is not paid", code(&w.run(w.admit_command(held, 1, "n"))), "unknown-ticket")?;
    let mut other = held.to_bytes();
    other[15] ^= 1;
    let other = crate::id::BookingId::from_bytes(other);
    same("no booking", code(&w.run(w.admit_command(other, 1, "n"))), "unknown-ticket")
}

/// Ticket after ticket, fifty doors each: one lets in, the others say that it was used.
fn fifty_doors(w: World<'_>) -> Result<(), Failure> {
    let labels: Vec<String> = (1..=8).map(|n| format!("A{n}")).collect();
    let booking = w.hold(1, &labels.iter().map(String::as_str).collect::<Vec<_>>())?.id;
    w.pay(booking)?;
    w.clock.set(hall::starts_at(1));
    let rounds = race(50, labels.len(), |round, thread| {
        let ticket = u16::try_from(round + 1).unwrap_or(u16::MAX);
        w.run(w.admit_command(booking, ticket, &format!("door {thread}")))
    });
    for answers in &rounds {
        let used = |a: &&Result<_, StoreError>| code(a) == "already-admitted";
        let let_in = answers.iter().filter(|answer| answer.is_ok()).count();
        same("let in, and told that it was used", (let_in, answers.iter().filter(used).count()), (1, 49))?;
    }
    let scans: Vec<usize> = w.booking(booking)?.tickets.iter().map(|ticket| ticket.scans.len()).collect();
    same("scans of each ticket", scans, vec![1; labels.len()])
}
