//! The books that one step locks: those of its show and, for an exchange, those of the show that the
//! old tickets are for. They are locked by the shows' numbers, ascending, so that no two steps wait for
//! each other.

use parking_lot::{Mutex, MutexGuard};

use super::SharedBooks;
use super::books::{At, Books};
use crate::booking::Booking;
use crate::command::{Command, Outcome};
use crate::decide::Changes;
use crate::id::ShowNo;
use crate::promo::uses::PromoState;
use crate::store::StoreError;

#[derive(Debug)]
pub(super) struct Both<'a> {
    pub(super) own: MutexGuard<'a, Books>,
    /// `None`: the replaced booking, if there is one, is of the same show.
    others: Option<MutexGuard<'a, Books>>,
}

impl<'a> Both<'a> {
    pub(super) fn lock(show: ShowNo, own: &'a Mutex<Books>, others: Option<&'a (ShowNo, SharedBooks)>) -> Self {
        match others {
            Some((other, books)) if *other < show => {
                let others = Some(books.lock());
                Self { own: own.lock(), others }
            }
            others => {
                let own = own.lock();
                Self { own, others: others.map(|(_, books)| books.lock()) }
            }
        }
    }

    /// The books of the replaced booking.
    pub(super) fn others(&self) -> &Books {
        self.others.as_deref().unwrap_or(&self.own)
    }

    /// Decides; nothing is written.
    pub(super) fn decide(&self, command: &Command, promo: Option<&PromoState>, at: At) -> Result<Changes, StoreError> {
        self.own.decide(self.others.as_deref(), command, promo, at)
    }

    /// Decides and writes: the outcome, and the replaced booking as it is now if it changed.
    pub(super) fn run(
        &mut self,
        command: &Command,
        promo: Option<&PromoState>,
        at: At,
    ) -> Result<(Outcome, Option<Booking>), StoreError> {
        let mut changes = self.decide(command, promo, at)?;
        let replaced = match changes.replaced.take() {
            Some(replaced) => self.others.as_deref_mut().unwrap_or(&mut self.own).write(*replaced, at.now)?.booking,
            None => None,
        };
        Ok((self.own.write(changes, at.now)?, replaced))
    }
}
