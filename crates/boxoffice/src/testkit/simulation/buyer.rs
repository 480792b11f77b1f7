//! Buyers: what each wants, what it asks next, and what it makes of the answers. A buyer outlives
//! the processes that serve it. Some stand at the counter.

use std::collections::{BTreeMap, BTreeSet};

use super::chance::Chance;
use super::cinema;
use super::provider::AtThePage;
use crate::booking::{Booking, Channel, Customer};
use crate::command::Idempotency;
use crate::id::{AttemptId, BookingId, ShowId, TicketId};
use crate::layout::SeatAsk;
use crate::service::{AskedSeat, ChangeRequest, HoldRequest, PromoAsked, SeatsAsked};
use crate::time::Span;

/// What a buyer asks of the box office, or does at its payment page.
#[derive(Debug, Clone)]
pub(super) enum Wish {
    Hold(Box<HoldRequest>, Idempotency),
    Change(BookingId, Box<ChangeRequest>),
    Start(BookingId),
    PayAtCounter(BookingId, Idempotency),
    Visit(AttemptId, AtThePage),
    /// Comes back from the payment page.
    Return(BookingId),
    /// These tickets, or all of it.
    Cancel(BookingId, Option<Vec<u16>>, Idempotency),
    /// A ticket with a new code, for somebody else.
    HandOn(TicketId),
    /// Asks its bank for the money back.
    Dispute(AttemptId),
    /// Goes away; with tickets, to the show.
    Leave,
}

/// What became of a request.
#[derive(Debug)]
pub(super) enum Heard {
    Booking(Box<Booking>),
    Refused,
    /// Refused, because the show has another time or hall now.
    Moved,
    /// A fault, or the process died: it may be done or not.
    Nothing,
}

#[derive(Debug)]
pub(super) struct Buyer {
    no: usize,
    show: ShowId,
    channel: Channel,
    /// Knows a promo code.
    has_code: bool,
    /// Every request with a key of its own gets the next number.
    keys: u32,
    last: Option<Wish>,
    booking: Option<BookingId>,
    attempt: Option<AttemptId>,
    /// Live ones, as last heard.
    tickets: Vec<TicketId>,
    /// Every code of a ticket that it ever had.
    codes: BTreeSet<(TicketId, u16)>,
    /// How much more it will do.
    patience: u64,
}

impl Buyer {
    pub(super) fn new(no: usize, show: ShowId, chance: &Chance) -> Self {
        let channel = if chance.permille(80) { Channel::Counter } else { Channel::Web };
        Self {
            no,
            show,
            channel,
            has_code: chance.permille(300),
            keys: 0,
            last: None,
            booking: None,
            attempt: None,
            tickets: Vec::new(),
            codes: BTreeSet::new(),
            patience: 3 + chance.below(8),
        }
    }

    pub(super) fn show(&self) -> &ShowId {
        &self.show
    }

    /// Hears that its show has been moved. Some who have tickets want their money for them.
    pub(super) fn hears_of_a_move(&mut self, chance: &Chance) -> Option<Wish> {
        let booking = self.booking?;
        if self.tickets.is_empty() || chance.permille(600) {
            return None;
        }
        let some = chance.permille(300);
        let tickets = some.then(|| chance.some_of(&self.tickets).iter().map(|ticket| ticket.no).collect());
        self.patience = self.patience.max(1);
        Some(self.cancel(booking, tickets))
    }

    /// Tickets with the serials of their codes, old ones too.
    pub(super) fn codes(&self) -> Vec<(TicketId, u16)> {
        self.codes.iter().copied().collect()
    }

    /// How long it thinks before it does something: some go for a walk.
    pub(super) fn thinks(chance: &Chance) -> Span {
        match chance.below(20) {
            0 => chance.seconds_below(1_800),
            1..=6 => chance.seconds_below(240),
            _ => chance.seconds_below(20),
        }
    }

    pub(super) fn next(&mut self, chance: &Chance) -> Wish {
        if self.patience == 0 {
            return Wish::Leave;
        }
        self.patience -= 1;
        let wish = match (self.booking, self.attempt) {
            (None, _) => self.hold(chance),
            (Some(booking), Some(attempt)) if !self.tickets.is_empty() => self.with_tickets(booking, attempt, chance),
            (Some(booking), None) => self.with_a_hold(booking, chance),
            (Some(booking), Some(attempt)) => self.at_the_page(booking, attempt, chance),
        };
        self.last = Some(wish.clone());
        wish
    }

    fn with_a_hold(&mut self, booking: BookingId, chance: &Chance) -> Wish {
        match chance.below(100) {
            0..=9 => Wish::Change(booking, Box::new(self.other_seats(chance))),
            10..=12 => {
                let customer = Some(self.customer());
                Wish::Change(booking, Box::new(ChangeRequest { customer, ..ChangeRequest::default() }))
            }
            13..=16 => Wish::Change(booking, Box::new(self.other_code(chance))),
            17..=20 => self.cancel(booking, None),
            21..=26 => Wish::Leave,
            _ => self.pay(booking),
        }
    }

    fn pay(&mut self, booking: BookingId) -> Wish {
        match self.channel {
            Channel::Counter => Wish::PayAtCounter(booking, self.key()),
            Channel::Web => Wish::Start(booking),
        }
    }

    fn at_the_page(&mut self, booking: BookingId, attempt: AttemptId, chance: &Chance) -> Wish {
        match chance.below(100) {
            0..=44 => Wish::Visit(attempt, AtThePage::Pays),
            45..=49 => Wish::Visit(attempt, AtThePage::PaysSlowly),
            50..=52 => Wish::Visit(attempt, AtThePage::PaysWrongly),
            53..=60 => Wish::Visit(attempt, AtThePage::IsDeclined),
            61..=75 => Wish::Return(booking),
            76..=83 => self.pay(booking),
            84..=85 => Wish::Change(booking, Box::new(self.other_seats(chance))),
            86..=91 => self.cancel(booking, None),
            92 => Wish::Dispute(attempt),
            _ => Wish::Leave,
        }
    }

    fn with_tickets(&mut self, booking: BookingId, attempt: AttemptId, chance: &Chance) -> Wish {
        match chance.below(100) {
            0..=11 => Wish::Visit(attempt, AtThePage::Pays),
            12..=15 => Wish::Return(booking),
            16..=25 => self.cancel(booking, Some(chance.some_of(&self.tickets).iter().map(|t| t.no).collect())),
            26..=30 => self.cancel(booking, None),
            31..=35 => Wish::HandOn(self.tickets[chance.index(self.tickets.len())]),
            36..=40 => Wish::Dispute(attempt),
            41..=42 => self.pay(booking),
            43..=44 => Wish::Change(booking, Box::new(self.other_seats(chance))),
            _ => Wish::Leave,
        }
    }

    fn hold(&mut self, chance: &Chance) -> Wish {
        let (show, seats, customer) = (self.show.clone(), seats(chance), self.customer());
        let request = HoldRequest {
            show,
            seats,
            layout_version: None,
            channel: self.channel,
            customer,
            metadata: BTreeMap::new(),
            mine: Vec::new(),
            expected_total: None,
            promo_code: self.has_code.then(|| cinema::code_for(&self.show)),
        };
        Wish::Hold(Box::new(request), self.key())
    }

    fn cancel(&mut self, booking: BookingId, tickets: Option<Vec<u16>>) -> Wish {
        Wish::Cancel(booking, tickets, self.key())
    }

    fn other_seats(&self, chance: &Chance) -> ChangeRequest {
        ChangeRequest { seats: Some(seats(chance)), ..ChangeRequest::default() }
    }

    fn other_code(&self, chance: &Chance) -> ChangeRequest {
        let asked =
            if chance.permille(700) { PromoAsked::Use(cinema::code_for(&self.show)) } else { PromoAsked::Remove };
        ChangeRequest { promo_code: Some(asked), ..ChangeRequest::default() }
    }

    fn customer(&self) -> Customer {
        Customer { email: Some(format!("buyer{}@example.org", self.no)), ..Customer::default() }
    }

    fn key(&mut self) -> Idempotency {
        self.keys += 1;
        let fingerprint = [u8::try_from(self.keys % 256).unwrap_or(0); 32];
        Idempotency { scope: format!("buyer-{}", self.no), key: self.keys.to_string(), fingerprint, keep: true }
    }

    /// Takes in an answer. Some repeat, word for word, what they got no answer to.
    pub(super) fn hears(&mut self, heard: Heard, chance: &Chance) -> Option<Wish> {
        match heard {
            Heard::Booking(booking) => {
                self.booking = Some(booking.id);
                self.attempt = booking.last_started().map(|attempt| attempt.id);
                self.tickets = booking.live_tickets().map(|ticket| ticket.id).collect();
                self.codes.extend(booking.tickets.iter().map(|ticket| (ticket.id, ticket.serial)));
                None
            }
            Heard::Refused => {
                // Without seats or with nothing left to do it loses heart sooner; a code that is
                // used up is not tried again.
                self.patience = self.patience.saturating_sub(1);
                self.has_code &= self.booking.is_some() || chance.permille(500);
                None
            }
            Heard::Moved => self.booking.and_then(|booking| self.of_a_moved_show(booking, chance)),
            Heard::Nothing => self.last.clone().filter(|_| chance.permille(700)),
        }
    }

    fn of_a_moved_show(&mut self, booking: BookingId, chance: &Chance) -> Option<Wish> {
        match chance.below(10) {
            0..=5 => {
                let accept = ChangeRequest { accept_changes: true, ..ChangeRequest::default() };
                Some(Wish::Change(booking, Box::new(accept)))
            }
            6 | 7 => Some(self.cancel(booking, None)),
            8 => Some(Wish::Change(booking, Box::new(self.other_seats(chance)))),
            _ => None,
        }
    }
}

/// The best ones, or some that many want.
fn seats(chance: &Chance) -> SeatsAsked {
    let count = 1 + chance.below(4);
    if chance.permille(500) {
        return SeatsAsked::Best { count: u16::try_from(count).unwrap_or(1), category: None };
    }
    let row = ["A", "B", "C", "D", "E", "F", "G", "H"][chance.index(8)];
    let first = 1 + chance.below(9);
    let ask = |n: u64| AskedSeat { seat: SeatAsk::Text(format!("{row}{n}")), ticket_type: None };
    SeatsAsked::These((first..first + count).map(ask).collect())
}
