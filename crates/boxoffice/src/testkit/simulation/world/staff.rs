//! What staff do: give money back, cancel shows, move them.

use pollster::block_on;

use super::super::clerk::Order;
use super::super::{cinema, clerk};
use super::{Answer, Asker, Happening, SHOWS_AHEAD, World};
use crate::catalogue::Import;
use crate::id::ShowId;
use crate::show::RefundChoice;
use crate::store::Store as _;
use crate::time::Span;

/// Staff look at one of so many bookings that were sold last.
const KNOWN: usize = 300;
/// At most so many buyers are between their coming and the start of their show.
const BUYERS_AT_A_TIME: usize = 6_000;
/// A show that starts before this stays where it is.
const NO_MOVE_BEFORE: Span = Span::from_mins(4 * 60);

impl World {
    /// A guest asks at the counter for money.
    pub(super) fn guest_complains(&mut self) {
        let newest = self.known.len();
        if newest == 0 {
            return;
        }
        let id = self.known[newest - 1 - self.chance.index(newest.min(KNOWN))];
        let booking = block_on(self.memory.booking(id)).ok().flatten();
        if let Some(order) = booking.and_then(|booking| clerk::refund(&booking, &self.chance)) {
            self.order(order);
        }
    }

    pub(super) fn show_is_cancelled(&mut self) {
        let (show, choice) = (self.show_ahead(SHOWS_AHEAD), clerk::choice(&self.chance));
        self.cancel_show(show, choice);
    }

    fn cancel_show(&mut self, show: ShowId, choice: RefundChoice) {
        self.count(match choice {
            RefundChoice::All => "staff cancel a show: all",
            RefundChoice::Later => "staff cancel a show: later",
            RefundChoice::None => "staff cancel a show: none",
        });
        self.order(Order::CancelShow(show, choice));
        let order = self.orders.len() - 1;
        if choice != RefundChoice::All && self.chance.permille(600) {
            self.soon(self.chance.seconds_below(2 * 86_400), Happening::RefundsAfterAll(order));
        }
    }

    /// Staff choose again: everybody gets all money back.
    pub(super) fn refunds_after_all(&mut self, order: usize) {
        if let Order::CancelShow(show, _) = &self.orders[order] {
            let show = show.clone();
            self.cancel_show(show, RefundChoice::All);
        }
    }

    fn order(&mut self, order: Order) {
        self.orders.push(order);
        self.carry_out(self.orders.len() - 1);
    }

    pub(super) fn carry_out(&mut self, order: usize) {
        let key = Some(clerk::key(order));
        match self.orders[order].clone() {
            Order::Refund(refund) => {
                self.ask(Asker::Staff(order), async move |house| Answer::Done(house.office.refund(refund, key).await))
            }
            Order::CancelShow(show, choice) => self.ask(Asker::Staff(order), async move |house| {
                Answer::Done(house.office.cancel_show(show, choice, clerk::note("the projector"), key).await)
            }),
        }
    }

    /// Nobody knows whether it was done: most ask again.
    pub(super) fn order_again(&mut self, order: usize) {
        if self.chance.permille(800) {
            self.soon(self.chance.seconds_below(60), Happening::OrderAgain(order));
        }
    }

    /// To another time or to the other hall, and now and then back again.
    pub(super) fn show_moves(&mut self) {
        let Ok(Some(show)) = block_on(self.memory.show(self.show_ahead(SHOWS_AHEAD))) else { return };
        let mut spec = show.spec.clone();
        if spec.starts_at.is_before(self.now() + NO_MOVE_BEFORE) {
            return;
        }
        match self.chance.below(10) {
            0..=3 => spec.starts_at = spec.starts_at + Span::from_mins(20),
            4..=7 => spec.starts_at = spec.starts_at - Span::from_mins(25),
            _ => spec.screen = cinema::other_screen(&spec.screen).unwrap_or(spec.screen),
        }
        let back = Import { shows: vec![show.spec.clone()], ..Import::default() };
        self.move_show(Import { shows: vec![spec], ..Import::default() });
        if self.chance.permille(200) {
            self.imports.push(back);
            let back = self.imports.len() - 1;
            self.soon(self.chance.seconds_below(3_600), Happening::MovesBack(back));
        }
    }

    pub(super) fn moves_back(&mut self, import: usize) {
        let import = self.imports[import].clone();
        let cancelled = import.shows.iter().any(|spec| {
            let show = block_on(self.memory.show(spec.id.clone())).ok().flatten();
            show.is_none_or(|show| show.spec.cancelled)
        });
        // An import would put a cancelled show on again.
        if !cancelled {
            self.move_show(import);
        }
    }

    fn move_show(&mut self, import: Import) {
        let shows: Vec<ShowId> = import.shows.iter().map(|spec| spec.id.clone()).collect();
        let done = block_on(self.memory.import(import, false));
        if done.is_ok_and(|report| report.conflicts.is_empty()) {
            self.count("shows moved");
            let oldest = self.buyers.len().saturating_sub(BUYERS_AT_A_TIME);
            for buyer in oldest..self.buyers.len() {
                if shows.contains(self.buyers[buyer].show()) {
                    self.soon(self.chance.seconds_below(4 * 3_600), Happening::HearsOfAMove(buyer));
                }
            }
        } else {
            self.count("moves refused");
        }
    }
}
