//! Reads a whole store and proves that the books are right, each claim with a count of what was
//! looked at. It changes nothing and works beside a running server: a show is read at one moment.

use crate::id::ShowNo;
use crate::store::{Orphan, ShowBooks, Store, StoreError};

mod claims;
mod money;
#[cfg(test)]
mod tests;

/// What was proved, and what was found broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditReport {
    pub checks: Vec<AuditCheck>,
    /// Money that names no attempt of ours. It is for staff to look at and breaks nothing.
    pub orphans: Vec<Orphan>,
}

impl AuditReport {
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.checks.iter().all(|check| check.broken.is_empty())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditCheck {
    /// What is proved, as a sentence without its full stop.
    pub name: &'static str,
    /// How many things it was proved for.
    pub count: usize,
    /// One line for each thing it is not true for.
    pub broken: Vec<String>,
}

impl AuditCheck {
    fn new(name: &'static str) -> Self {
        Self { name, count: 0, broken: Vec::new() }
    }

    /// Looked at one more thing; `problem` says what is wrong with it.
    fn note(&mut self, problem: Option<String>) {
        self.count += 1;
        self.broken.extend(problem);
    }
}

/// Audits the store, show by show.
///
/// # Errors
/// As the store has them; what is broken in the books is in the report.
pub async fn audit(store: &dyn Store) -> Result<AuditReport, StoreError> {
    let mut audit = Audit::new();
    let mut after: Option<ShowNo> = None;
    while let Some(books) = store.books(after).await? {
        audit.examine(&books);
        after = Some(books.show);
    }
    Ok(AuditReport { checks: audit.into_checks(), orphans: store.orphans().await? })
}

/// The checks while they are at work.
#[derive(Debug)]
struct Audit {
    one_claim: AuditCheck,
    claims_have_bookings: AuditCheck,
    bookings_have_claims: AuditCheck,
    tickets: AuditCheck,
    equation: AuditCheck,
    refunds: AuditCheck,
    captures: AuditCheck,
}

impl Audit {
    fn new() -> Self {
        Self {
            one_claim: AuditCheck::new("a seat has one claim"),
            claims_have_bookings: AuditCheck::new("a claim belongs to a booking that has the seat"),
            bookings_have_claims: AuditCheck::new("a live booking has all its seats"),
            tickets: AuditCheck::new("a sold seat has one ticket, other seats have none that lets in"),
            equation: AuditCheck::new("money taken is tickets, fees and charges kept, and refunds, to the cent"),
            refunds: AuditCheck::new("a payment is not given back more than once"),
            captures: AuditCheck::new("money taken has a ticket or a refund within 15 minutes"),
        }
    }

    fn examine(&mut self, books: &ShowBooks) {
        claims::one_claim_per_seat(&mut self.one_claim, books);
        claims::claims_have_bookings(&mut self.claims_have_bookings, books);
        for booking in &books.bookings {
            self.bookings_have_claims.note(claims::lacks_claims(booking, books));
            self.tickets.note(claims::wrong_tickets(booking));
            self.equation.note(money::does_not_add_up(booking));
            money::over_refunded(&mut self.refunds, booking);
            money::uncovered(&mut self.captures, booking, books.now);
        }
    }

    fn into_checks(self) -> Vec<AuditCheck> {
        vec![
            self.one_claim,
            self.claims_have_bookings,
            self.bookings_have_claims,
            self.tickets,
            self.equation,
            self.refunds,
            self.captures,
        ]
    }
}
