//! Whoever stands beside it and counts on their own: how many bookings use a promo code at any time,
//! and whom the doors let in. The store's and the rules' own sums are not asked.

use std::collections::{BTreeMap, HashMap};

use parking_lot::Mutex;

use crate::booking::{Booking, BookingStatus};
use crate::id::{BookingId, CatalogueId, TicketId};
use crate::promo::PromoCode;
use crate::time::Timestamp;

/// A door let somebody in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LetIn {
    pub(super) nonce: u64,
    pub(super) serial: u16,
    pub(super) at: Timestamp,
}

#[derive(Debug)]
struct Use {
    /// `None`: the booking has tickets.
    until: Option<Timestamp>,
    customer: Option<String>,
    minor: i64,
}

#[derive(Debug, Default)]
struct Seen {
    codes: BTreeMap<CatalogueId, PromoCode>,
    uses: HashMap<CatalogueId, BTreeMap<BookingId, Use>>,
    /// The code that a booking used when it was last seen.
    of_booking: HashMap<BookingId, CatalogueId>,
    customers: HashMap<BookingId, Option<String>>,
    /// How many bookings ever took a code up.
    ever: HashMap<CatalogueId, u32>,
    let_in: BTreeMap<TicketId, Vec<LetIn>>,
    wrongs: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Witness(Mutex<Seen>);

impl Witness {
    pub(super) fn new(codes: &[PromoCode]) -> Self {
        let codes = codes.iter().map(|code| (code.key.clone(), code.clone())).collect();
        Self(Mutex::new(Seen { codes, ..Seen::default() }))
    }

    /// A step left the booking so.
    pub(super) fn saw(&self, booking: &Booking, at: Timestamp) {
        let seen = &mut *self.0.lock();
        if let Some(old) = seen.of_booking.remove(&booking.id)
            && let Some(uses) = seen.uses.get_mut(&old)
        {
            uses.remove(&booking.id);
        }
        seen.customers.insert(booking.id, booking.customer.email.clone());
        let (Some(used), Some(until)) = (&booking.promo, counts_until(booking)) else { return };
        let its = Use { until, customer: booking.customer.email.clone(), minor: used.discount.minor() };
        seen.of_booking.insert(booking.id, used.code.clone());
        if seen.uses.entry(used.code.clone()).or_default().insert(booking.id, its).is_none() {
            *seen.ever.entry(used.code.clone()).or_default() += 1;
        }
        if let Some(code) = seen.codes.get(&used.code) {
            let (uses, minor) = seen.live(&used.code, at, None);
            let over = code.max_uses.is_some_and(|max| uses > max) || code.budget.is_some_and(|b| minor > b.minor());
            if over {
                let wrong = format!("promo code {}: {uses} bookings use it, for {minor} in all", code.id);
                seen.wrongs.push(wrong);
            }
        }
    }

    /// A code was refused as used up, to a booking that may have a use of it already.
    pub(super) fn refused(&self, code: &CatalogueId, by: BookingId, customer: Option<&str>, at: Timestamp) {
        let seen = &mut *self.0.lock();
        // With a budget it depends on what the seats cost.
        let Some(known) = seen.codes.get(code).filter(|code| code.budget.is_none()) else { return };
        let (uses, _) = seen.live(code, at, Some(by));
        let customer = customer.or(seen.customers.get(&by).and_then(Option::as_deref));
        let own = seen.uses.get(code).into_iter().flatten().filter(|(id, _)| **id != by);
        let own = own.filter(|(_, its)| counts(its, at) && its.customer.as_deref() == customer).count();
        let fair = known.max_uses.is_some_and(|max| uses >= max) || own > 0;
        if !fair {
            let wrong = format!("promo code {}: refused as used up, and only {uses} bookings use it", known.id);
            seen.wrongs.push(wrong);
        }
    }

    /// Whether a code has no room left, as far as that can be told without the price.
    pub(super) fn is_full(&self, code: &CatalogueId, at: Timestamp, except: BookingId) -> bool {
        let seen = self.0.lock();
        let max = seen.codes.get(code).and_then(|code| code.max_uses);
        max.is_some_and(|max| seen.live(code, at, Some(except)).0 >= max)
    }

    /// Whether a code was ever taken up as often as it may be used at a time.
    pub(super) fn was_used_up(&self, code: &CatalogueId) -> bool {
        let seen = self.0.lock();
        let max = seen.codes.get(code).and_then(|code| code.max_uses);
        max.is_some_and(|max| seen.ever.get(code).is_some_and(|ever| *ever >= max))
    }

    pub(super) fn let_in(&self, ticket: TicketId, how: LetIn) {
        let seen = &mut *self.0.lock();
        let known = seen.let_in.entry(ticket).or_default();
        if !known.contains(&how) {
            known.push(how);
        }
    }

    pub(super) fn all_let_in(&self) -> BTreeMap<TicketId, Vec<LetIn>> {
        self.0.lock().let_in.clone()
    }

    pub(super) fn wrongs(&self) -> Vec<String> {
        self.0.lock().wrongs.clone()
    }
}

impl Seen {
    /// How many bookings use a code, and what it takes off them together.
    fn live(&self, code: &CatalogueId, at: Timestamp, except: Option<BookingId>) -> (u32, i64) {
        let uses = self.uses.get(code).into_iter().flatten();
        let live = uses.filter(|(id, its)| Some(**id) != except && counts(its, at));
        live.fold((0, 0), |(uses, minor), (_, its)| (uses + 1, minor + its.minor))
    }
}

fn counts(its: &Use, at: Timestamp) -> bool {
    its.until.is_none_or(|until| at.is_before(until))
}

/// A hold counts to its end, a sale while there are tickets, anything else not.
fn counts_until(booking: &Booking) -> Option<Option<Timestamp>> {
    match booking.status {
        BookingStatus::PendingPayment => Some(Some(booking.expires_at)),
        BookingStatus::Confirmed => booking.live_tickets().next().map(|_| None),
        BookingStatus::Cancelled | BookingStatus::Expired => None,
    }
}
