//! The bugs that are planted between the service and the store, and what they make of a step.

use std::sync::atomic::Ordering;

use super::super::Plant;
use super::ShakyStore;
use crate::command::{ChangeSeats, Command, Effect, Outcome, PromoChange, Step};
use crate::id::CatalogueId;
use crate::promo::uses::contact;
use crate::refusal::Refusal;
use crate::store::{Done, StoreError};

impl ShakyStore {
    /// With a bug planted: what it makes of a step before the store gets it.
    pub(super) fn asks_for(&self, step: &mut Step) -> Result<(), Refusal> {
        match (self.plant, &mut step.command) {
            (Some(Plant::ForgetsPayments), Command::Settle(settle)) => {
                let seen = self.payments_seen.fetch_add(1, Ordering::SeqCst);
                settle.payment_id = settle.payment_id.take().map(|id| format!("{id}#{seen}"));
                Ok(())
            }
            (Some(Plant::KeepsUses), command) => {
                let code = code_named(command).map(|(code, _)| code);
                let refused = code.is_some_and(|code| self.witness.was_used_up(code));
                if refused { Err(Refusal::PromoCodeUsedUp) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    /// With a bug planted: what it makes of the store's answer.
    pub(super) fn answers(&self, command: &Command, done: &mut Result<Done, StoreError>) {
        match (self.plant, command, &mut *done) {
            (Some(Plant::RefundsInDispute), Command::Expire { .. }, Ok(done)) => {
                let attempts = done.outcome.booking.iter_mut().flat_map(|booking| &mut booking.attempts);
                attempts.for_each(|attempt| attempt.dispute = None);
            }
            (
                Some(Plant::LetsInTwice),
                Command::Admit(admit),
                Err(StoreError::Refused(Refusal::AlreadyAdmitted { .. })),
            ) => {
                let at = self.inner.now();
                let effect = Effect::Admitted { ticket: admit.ticket.no, at, gate: None };
                *done = Ok(Done { outcome: Outcome { at, booking: None, effect }, replayed: false });
            }
            _ => {}
        }
    }
}

/// The promo code that a command names, and for whom.
pub(super) fn code_named(command: &Command) -> Option<(&CatalogueId, Option<String>)> {
    if let Command::Hold(hold) = command {
        return Some((hold.promo.as_ref()?, contact(&hold.customer)));
    }
    if let Command::ChangeSeats(ChangeSeats { promo: PromoChange::Use(code), customer, .. }) = command {
        return Some((code, customer.as_ref().and_then(contact)));
    }
    None
}
