//! The doors: whoever left with tickets comes to the show, and shows every code it ever had. A door that
//! gets no answer asks again about the same scan.

use super::super::witness::LetIn;
use super::{Answer, Asker, Happening, SHOWS_AHEAD, World};
use crate::admission::{Admit, Door};
use crate::command::{Command, Effect};
use crate::id::TicketId;
use crate::store::Store as _;
use crate::time::{Span, Timestamp};
use pollster::block_on;

/// A ticket is shown at a door.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    buyer: usize,
    ticket: TicketId,
    serial: u16,
    nonce: u64,
    /// At the door of some other show.
    lost: bool,
}

impl World {
    pub(super) fn go_to_the_show(&mut self, buyer: usize) {
        let codes = self.buyers[buyer].codes();
        if codes.is_empty() || self.chance.permille(150) {
            return;
        }
        let Ok(Some(show)) = block_on(self.memory.show(self.buyers[buyer].show().clone())) else { return };
        // From before the doors open until after they close.
        let comes = show.spec.starts_at - Span::from_mins(40) + self.chance.seconds_below(150 * 60);
        for (ticket, serial) in codes {
            let again = self.chance.permille(150);
            for _ in 0..=u64::from(again) {
                let lost = self.chance.permille(60);
                let nonce = self.chance.below(u64::MAX);
                let shown = Shown { buyer, ticket, serial, nonce, lost };
                self.at(comes + self.chance.seconds_below(120), Happening::Shows(shown));
            }
        }
    }

    fn at(&mut self, at: Timestamp, happening: Happening) {
        let now = self.now();
        let wait = if now.is_before(at) { at - now } else { Span::from_ms(0) };
        self.soon(wait, happening);
    }

    pub(super) fn shows(&mut self, shown: Shown) {
        let show = if shown.lost { self.show_ahead(SHOWS_AHEAD) } else { self.buyers[shown.buyer].show().clone() };
        let command = Command::Admit(Box::new(Admit {
            ticket: shown.ticket,
            serial: shown.serial,
            door: Door { show: Some(show), ..Door::default() },
            nonce: Some(shown.nonce.to_string()),
            gate: None,
            by: "scanner-key".to_owned(),
        }));
        self.ask(Asker::Door(shown), async move |house| {
            Answer::Done(house.office.store().execute(command.into()).await)
        });
    }

    pub(super) fn shows_again(&mut self, shown: Shown) {
        self.count("scans unanswered");
        if self.chance.permille(900) {
            self.soon(self.chance.seconds_below(10), Happening::Shows(shown));
        }
    }

    pub(super) fn door_hears(&mut self, shown: Shown, effect: &Effect) {
        if let Effect::Admitted { at, .. } = effect {
            self.count("let in");
            self.witness.let_in(shown.ticket, LetIn { nonce: shown.nonce, serial: shown.serial, at: *at });
        }
    }
}
