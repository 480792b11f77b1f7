//! Reads a whole store and proves that the books are right, each claim with a count of what was
//! looked at. It changes nothing and works beside a running server: a show is read at one moment.

use crate::id::ShowNo;
use crate::ledger::Balances;
use crate::store::{Orphan, ShowBooks, Store, StoreError};

use exchanges::Moves;

mod admissions;
mod claims;
mod exchanges;
mod ledger;
mod money;
#[cfg(test)]
mod tests;

/// What was proved, and what was found broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditReport {
    pub checks: Vec<AuditCheck>,
    /// Money that names no attempt of ours. It is for staff to look at and breaks nothing.
    pub orphans: Vec<Orphan>,
    /// Where the ledger's accounts stand, over all shows. Orphans are not in it.
    pub balances: Balances,
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
    for id in audit.moves.halves() {
        if let Some(booking) = store.booking(id).await? {
            audit.moves.see(&booking);
        }
    }
    audit.examine_whole();
    let (checks, balances) = audit.into_parts();
    Ok(AuditReport { checks, orphans: store.orphans().await?, balances })
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
    shares: AuditCheck,
    captures: AuditCheck,
    admissions: AuditCheck,
    exchanges: AuditCheck,
    moves: Moves,
    postings: AuditCheck,
    lines: AuditCheck,
    owed: AuditCheck,
    shows_balance: AuditCheck,
    whole_balances: AuditCheck,
    balances: Balances,
}

impl Audit {
    fn new() -> Self {
        Self {
            one_claim: AuditCheck::new("a seat has one claim"),
            claims_have_bookings: AuditCheck::new("a claim belongs to a booking that has the seat"),
            bookings_have_claims: AuditCheck::new("a live booking has all its seats"),
            tickets: AuditCheck::new("a sold seat has one ticket, other seats have none that lets in"),
            equation: AuditCheck::new(
                "money taken is tickets, fees and charges kept, refunds and lost disputes, to the cent",
            ),
            refunds: AuditCheck::new("a payment is not given back more than once"),
            shares: AuditCheck::new("no more goes back for a booking's tickets than they cost"),
            captures: AuditCheck::new("money taken has a ticket or a refund within 15 minutes"),
            admissions: AuditCheck::new("one ticket, one admission"),
            exchanges: AuditCheck::new("money that an exchange moved on has arrived, once"),
            moves: Moves::default(),
            postings: AuditCheck::new("a posting of the ledger sums to nothing"),
            lines: AuditCheck::new("the ledger's lines of a booking are its balances"),
            owed: AuditCheck::new("the ledger of a show owes the refunds that are not made"),
            shows_balance: AuditCheck::new("the ledger of a show sums to nothing"),
            whole_balances: AuditCheck::new("the ledger sums to nothing in each currency"),
            balances: Balances::default(),
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
            self.shares.note(money::overdrawn(booking));
            money::uncovered(&mut self.captures, booking, books.now);
            admissions::more_than_one(&mut self.admissions, booking);
            self.moves.see(booking);
        }
        ledger::unbalanced_postings(&mut self.postings, books);
        ledger::strange_lines(&mut self.lines, books);
        ledger::owed(&mut self.owed, books);
        ledger::unbalanced_show(&mut self.shows_balance, books, &mut self.balances);
    }

    /// What can be said when all shows have been seen.
    fn examine_whole(&mut self) {
        self.moves.prove(&mut self.exchanges);
        ledger::unbalanced(&mut self.whole_balances, &self.balances);
    }

    fn into_parts(self) -> (Vec<AuditCheck>, Balances) {
        let checks = vec![
            self.one_claim,
            self.claims_have_bookings,
            self.bookings_have_claims,
            self.tickets,
            self.equation,
            self.refunds,
            self.shares,
            self.captures,
            self.admissions,
            self.exchanges,
            self.postings,
            self.lines,
            self.owed,
            self.shows_balance,
            self.whole_balances,
        ];
        (checks, self.balances)
    }
}
