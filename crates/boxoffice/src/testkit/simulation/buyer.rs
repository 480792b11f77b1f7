//! Buyers: what each wants, what it asks next, and what it makes of the answers. A buyer outlives
//! the processes that serve it.

use std::collections::BTreeMap;

use super::chance::Chance;
use super::provider::AtThePage;
use crate::booking::{Booking, Channel, Customer};
use crate::command::Idempotency;
use crate::id::{AttemptId, BookingId, ShowId};
use crate::layout::SeatAsk;
use crate::service::{AskedSeat, ChangeRequest, HoldRequest, SeatsAsked};
use crate::time::Span;

/// What a buyer asks of the box office, or does at its payment page.
#[derive(Debug, Clone)]
pub(super) enum Wish {
    Hold(Box<HoldRequest>, Idempotency),
    Change(BookingId, Box<ChangeRequest>),
    Start(BookingId),
    Visit(AttemptId, AtThePage),
    /// Comes back from the payment page.
    Return(BookingId),
    Cancel(BookingId, Idempotency),
    /// Goes away for good.
    Leave,
}

/// What became of a request.
#[derive(Debug)]
pub(super) enum Heard {
    Booking(Box<Booking>),
    Refused,
    /// A fault, or the process died: it may be done or not.
    Nothing,
}

#[derive(Debug)]
pub(super) struct Buyer {
    no: usize,
    show: ShowId,
    /// Every request with a key of its own gets the next number.
    keys: u32,
    last: Option<Wish>,
    booking: Option<BookingId>,
    attempt: Option<AttemptId>,
    /// How much more it will do.
    patience: u64,
}

impl Buyer {
    pub(super) fn new(no: usize, show: ShowId, chance: &Chance) -> Self {
        Self { no, show, keys: 0, last: None, booking: None, attempt: None, patience: 3 + chance.below(8) }
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
            (Some(booking), None) => self.with_a_hold(booking, chance),
            (Some(booking), Some(attempt)) => self.at_the_page(booking, attempt, chance),
        };
        self.last = Some(wish.clone());
        wish
    }

    fn with_a_hold(&mut self, booking: BookingId, chance: &Chance) -> Wish {
        match chance.below(100) {
            0..=9 => Wish::Change(booking, Box::new(self.other_seats(chance))),
            10..=14 => {
                let customer = Some(self.customer());
                Wish::Change(booking, Box::new(ChangeRequest { customer, ..ChangeRequest::default() }))
            }
            15..=19 => self.cancel(booking),
            20..=26 => Wish::Leave,
            _ => Wish::Start(booking),
        }
    }

    fn at_the_page(&mut self, booking: BookingId, attempt: AttemptId, chance: &Chance) -> Wish {
        match chance.below(100) {
            0..=44 => Wish::Visit(attempt, AtThePage::Pays),
            45..=49 => Wish::Visit(attempt, AtThePage::PaysSlowly),
            50..=52 => Wish::Visit(attempt, AtThePage::PaysWrongly),
            53..=60 => Wish::Visit(attempt, AtThePage::IsDeclined),
            61..=75 => Wish::Return(booking),
            76..=83 => Wish::Start(booking),
            84..=85 => Wish::Change(booking, Box::new(self.other_seats(chance))),
            86..=92 => self.cancel(booking),
            _ => Wish::Leave,
        }
    }

    fn hold(&mut self, chance: &Chance) -> Wish {
        let (show, seats, customer) = (self.show.clone(), seats(chance), self.customer());
        let request = HoldRequest {
            show,
            seats,
            layout_version: None,
            channel: Channel::Web,
            customer,
            metadata: BTreeMap::new(),
            mine: Vec::new(),
            expected_total: None,
            promo_code: None,
        };
        Wish::Hold(Box::new(request), self.key())
    }

    fn cancel(&mut self, booking: BookingId) -> Wish {
        Wish::Cancel(booking, self.key())
    }

    fn other_seats(&self, chance: &Chance) -> ChangeRequest {
        ChangeRequest { seats: Some(seats(chance)), ..ChangeRequest::default() }
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
                None
            }
            Heard::Refused => None,
            Heard::Nothing => self.last.clone().filter(|_| chance.permille(700)),
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
