//! Buyers come, ask, and hear.

use super::super::buyer::{Buyer, Heard, Wish};
use super::super::cinema;
use super::{Answer, Asker, Happening, SHOWS_AHEAD, World};
use crate::booking::Booking;
use crate::command::{Command, Reissue};
use crate::time::Span;

impl World {
    pub(super) fn buyer_comes(&mut self) {
        let no = self.buyers.len();
        let show = self.show_ahead(SHOWS_AHEAD);
        self.buyers.push(Buyer::new(no, show, &self.chance));
        self.soon(Span::from_ms(1), Happening::BuyerActs(no));
        self.soon(self.chance.seconds_below(100), Happening::BuyerComes);
    }

    pub(super) fn buyer_acts(&mut self, buyer: usize) {
        let wish = self.buyers[buyer].next(&self.chance);
        self.grant(buyer, wish);
    }

    pub(super) fn hears_of_a_move(&mut self, buyer: usize) {
        if let Some(wish) = self.buyers[buyer].hears_of_a_move(&self.chance) {
            self.grant(buyer, wish);
        }
    }

    fn grant(&mut self, buyer: usize, wish: Wish) {
        let asker = Asker::Buyer(buyer);
        match wish {
            Wish::Hold(request, key) => {
                self.ask(asker, async move |house| Answer::Done(house.office.hold(*request, Some(key)).await));
            }
            Wish::Change(id, change) => {
                self.ask(asker, async move |house| Answer::Done(house.office.change(id, *change, None).await));
            }
            Wish::Start(id) => self.ask(asker, async move |house| {
                Answer::Done(house.office.start_payment(id, None, "https://cinema.example/back", None).await)
            }),
            Wish::PayAtCounter(id, key) => {
                self.ask(asker, async move |house| Answer::Done(house.office.pay_at_counter(id, Some(key)).await));
            }
            Wish::Return(id) => {
                self.ask(asker, async move |house| Answer::Booking(house.office.ask_now(id).await));
            }
            Wish::Cancel(id, tickets, key) => self
                .ask(asker, async move |house| Answer::Done(house.office.cancel(id, tickets, None, Some(key)).await)),
            Wish::HandOn(ticket) => {
                let holder = Some("a friend".to_owned());
                let command = Command::Reissue(Reissue { booking: ticket.booking, ticket: ticket.no, holder });
                self.ask(asker, async move |house| Answer::Done(house.office.store().execute(command.into()).await));
            }
            Wish::Visit(attempt, does) => {
                let told = self.provider.visit(attempt, does, self.now());
                told.into_iter().for_each(|event| self.post(event));
                self.soon(Buyer::thinks(&self.chance), Happening::BuyerActs(buyer));
            }
            Wish::Dispute(attempt) => {
                self.dispute(attempt);
                self.soon(Buyer::thinks(&self.chance), Happening::BuyerActs(buyer));
            }
            Wish::Leave => self.go_to_the_show(buyer),
        }
    }

    pub(super) fn buyer_hears(&mut self, buyer: usize, heard: Heard) {
        if let Heard::Booking(booking) = &heard {
            self.log.note(booking.id.to_bytes());
            if !booking.tickets.is_empty() && self.known.last() != Some(&booking.id) {
                self.known.push(booking.id);
            }
        }
        match self.buyers[buyer].hears(heard, &self.chance) {
            Some(again) => self.grant(buyer, again),
            None => self.soon(Buyer::thinks(&self.chance), Happening::BuyerActs(buyer)),
        }
    }

    /// One of the next shows, as the timetable was at first.
    pub(super) fn show_ahead(&self, ahead: usize) -> crate::id::ShowId {
        let ahead = u16::try_from(self.chance.index(ahead)).unwrap_or(0);
        let last = cinema::shows(self.wanted);
        crate::testkit::hall::show_id((cinema::next_show(self.now()) + ahead).min(last))
    }
}

pub(super) fn heard(booking: Option<Booking>) -> Heard {
    booking.map_or(Heard::Nothing, |booking| Heard::Booking(Box::new(booking)))
}
