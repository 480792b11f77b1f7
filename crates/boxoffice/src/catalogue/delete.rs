//! Deleting a thing of the catalogue: only what nothing refers to goes. A booking keeps its show for good, and the
//! show its film, hall and cinema, so that old orders, tickets and reports stay whole. Pure, so that every store
//! decides the same.

use super::Catalogue;
use crate::booking::{Booking, BookingStatus};
use crate::id::CatalogueId;
use crate::prices::PriceList;
use crate::promo;
use crate::refusal::Refusal;
use crate::show::Show;
use crate::time::Timestamp;

/// The tables of a catalogue file whose things are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Theatres,
    Layouts,
    Screens,
    Movies,
    TicketTypes,
    Taxes,
    Fees,
    PriceLists,
    PromoCodes,
    RefundPolicies,
    Shows,
}

impl Kind {
    pub const ALL: [Self; 11] = [
        Self::Theatres,
        Self::Layouts,
        Self::Screens,
        Self::Movies,
        Self::TicketTypes,
        Self::Taxes,
        Self::Fees,
        Self::PriceLists,
        Self::PromoCodes,
        Self::RefundPolicies,
        Self::Shows,
    ];

    /// The table's name in a catalogue file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Theatres => "theatres",
            Self::Layouts => "layouts",
            Self::Screens => "screens",
            Self::Movies => "movies",
            Self::TicketTypes => "ticket_types",
            Self::Taxes => "taxes",
            Self::Fees => "fees",
            Self::PriceLists => "price_lists",
            Self::PromoCodes => "promo_codes",
            Self::RefundPolicies => "refund_policies",
            Self::Shows => "shows",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// One of them, in words.
    fn one(self) -> &'static str {
        match self {
            Self::Theatres => "theatre",
            Self::Layouts => "layout",
            Self::Screens => "screen",
            Self::Movies => "movie",
            Self::TicketTypes => "ticket type",
            Self::Taxes => "tax",
            Self::Fees => "fee",
            Self::PriceLists => "price list",
            Self::PromoCodes => "promo code",
            Self::RefundPolicies => "refund policy",
            Self::Shows => "show",
        }
    }
}

/// One thing of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thing {
    pub kind: Kind,
    /// A promo code's is its key.
    pub id: CatalogueId,
}

impl Thing {
    /// The thing that a manager names. `None`: nothing can have this id.
    #[must_use]
    pub fn named(kind: Kind, id: &str) -> Option<Self> {
        let id = if kind == Kind::PromoCodes { promo::normalised(id) } else { CatalogueId::new(id).ok() };
        Some(Self { kind, id: id? })
    }

    /// The refusal that the catalogue does not have it.
    #[must_use]
    pub fn missing(kind: Kind) -> Refusal {
        Refusal::NotFound(kind.one())
    }

    /// Whether the show could not be played or sold without it.
    #[must_use]
    pub fn is_used_by(&self, show: &Show) -> bool {
        let id = &self.id;
        match self.kind {
            Kind::Theatres => show.theatre.id == *id,
            Kind::Layouts => show.layout.id() == id,
            Kind::Screens => show.spec.screen == *id,
            Kind::Movies => show.spec.movie == *id,
            Kind::PriceLists => show.spec.price_list == *id,
            Kind::RefundPolicies => show.spec.refund_policy == *id,
            Kind::Shows => show.spec.id == *id,
            // Price lists come between, and the code is the buyer's choice.
            Kind::TicketTypes | Kind::Taxes | Kind::Fees | Kind::PromoCodes => false,
        }
    }

    /// Whether the booking, now, names it itself: its tickets or its living hold are of the type, or its use of the
    /// code counts.
    #[must_use]
    pub fn is_named_by(&self, booking: &Booking, now: Timestamp) -> bool {
        match self.kind {
            Kind::TicketTypes => {
                let holds = booking.status_at(now) == BookingStatus::PendingPayment;
                let held = booking.seats.iter().filter(|_| holds).map(|seat| &seat.ticket_type);
                held.chain(booking.tickets.iter().map(|ticket| &ticket.ticket_type)).any(|id| id == self.id.as_str())
            }
            Kind::PromoCodes => booking.promo_row().is_some_and(|row| row.code == self.id && row.counts(now)),
            Kind::Theatres
            | Kind::Layouts
            | Kind::Screens
            | Kind::Movies
            | Kind::Taxes
            | Kind::Fees
            | Kind::PriceLists
            | Kind::RefundPolicies
            | Kind::Shows => false,
        }
    }
}

/// What refers to a thing among that which only a store knows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Uses {
    /// Shows that use it. A show uses itself: none means that there is no such show.
    pub shows: usize,
    /// Of these, the cancelled ones.
    pub cancelled_shows: usize,
    confirmed: usize,
    held: usize,
    lapsed: usize,
    cancelled: usize,
}

impl Uses {
    /// Counts a show that uses the thing.
    pub fn count_show(&mut self, cancelled: bool) {
        self.shows += 1;
        self.cancelled_shows += usize::from(cancelled);
    }

    /// Counts bookings that use the thing, by how they stand now.
    pub fn count_bookings(&mut self, status: BookingStatus, bookings: usize) {
        let sum = match status {
            BookingStatus::Confirmed => &mut self.confirmed,
            BookingStatus::PendingPayment => &mut self.held,
            BookingStatus::Expired => &mut self.lapsed,
            BookingStatus::Cancelled => &mut self.cancelled,
        };
        *sum += bookings;
    }

    fn bookings(&self) -> [(&'static str, usize); 4] {
        [
            ("confirmed_bookings", self.confirmed),
            ("live_holds", self.held),
            ("lapsed_holds", self.lapsed),
            ("cancelled_bookings", self.cancelled),
        ]
    }
}

/// Why a thing stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InUse {
    /// The kind of the thing, in words.
    pub what: &'static str,
    pub id: CatalogueId,
    /// What refers to it and how often: tables of a catalogue file, and bookings by how they stand.
    pub counts: Vec<(&'static str, usize)>,
    /// What to do instead.
    pub hint: &'static str,
}

impl InUse {
    /// `confirmed bookings: 2, live holds: 1`.
    #[must_use]
    pub fn words(&self) -> String {
        let words = self.counts.iter().map(|(what, count)| format!("{}: {count}", what.replace('_', " ")));
        words.collect::<Vec<_>>().join(", ")
    }
}

/// The catalogue without the thing.
///
/// # Errors
/// [`Refusal::NotFound`], or [`Refusal::InUse`].
pub fn delete(current: &Catalogue, thing: &Thing, uses: &Uses) -> Result<Catalogue, Refusal> {
    let is_show = thing.kind == Kind::Shows;
    if !(current.has(thing) || is_show && uses.shows > 0) {
        return Err(Thing::missing(thing.kind));
    }
    let mut counts = current.users(thing);
    counts.push(("shows", if is_show { 0 } else { uses.shows }));
    counts.extend(uses.bookings());
    counts.retain(|(_, count)| *count > 0);
    if counts.is_empty() {
        return Ok(current.without(thing));
    }
    let hint = hint(thing.kind, uses);
    Err(Refusal::InUse(Box::new(InUse { what: thing.kind.one(), id: thing.id.clone(), counts, hint })))
}

fn hint(kind: Kind, uses: &Uses) -> &'static str {
    match kind {
        Kind::Shows if uses.bookings().iter().all(|(_, count)| *count == 0) => {
            "take it out of the promo codes that name it first"
        }
        Kind::Shows if uses.cancelled_shows > 0 => "it is cancelled already, and stays for its bookings",
        Kind::Shows => "cancel it instead (`POST /api/v1/admin/shows/{id}/cancel`); it stays for its bookings",
        Kind::Theatres | Kind::Layouts if uses.shows == 0 => {
            "delete its screens first, or import them with another one"
        }
        Kind::Theatres | Kind::Layouts | Kind::Screens | Kind::Movies => {
            "cancel its shows instead if they are not to be played; it can go when no screen and no show needs it, and \
             a show that was ever booked stays"
        }
        Kind::PriceLists | Kind::RefundPolicies => "import its shows with another one first",
        Kind::TicketTypes | Kind::Taxes | Kind::Fees => {
            "import the price lists and fees without it first; tickets and holds that have it keep it"
        }
        Kind::PromoCodes => "import it with a `valid_until` that has passed instead, and nobody can use it any more",
    }
}

impl Catalogue {
    /// Whether the thing is there. Shows are looked up one by one, elsewhere.
    fn has(&self, thing: &Thing) -> bool {
        let id = &thing.id;
        match thing.kind {
            Kind::Theatres => self.theatres.contains_key(id),
            Kind::Layouts => self.layouts.contains_key(id),
            Kind::Screens => self.screens.contains_key(id),
            Kind::Movies => self.movies.contains_key(id),
            Kind::TicketTypes => self.ticket_types.contains_key(id),
            Kind::Taxes => self.taxes.contains_key(id),
            Kind::Fees => self.fees.contains_key(id),
            Kind::PriceLists => self.price_lists.contains_key(id),
            Kind::PromoCodes => self.promo_codes.contains_key(id),
            Kind::RefundPolicies => self.refund_policies.contains_key(id),
            Kind::Shows => false,
        }
    }

    /// How many other things of the catalogue, shows apart, refer to it: by table.
    fn users(&self, thing: &Thing) -> Vec<(&'static str, usize)> {
        let id = &thing.id;
        let screens = |at: fn(&crate::show::Screen) -> &CatalogueId| {
            (Kind::Screens.as_str(), self.screens.values().filter(|screen| at(screen) == id).count())
        };
        let lists = |uses: &dyn Fn(&PriceList) -> bool| {
            (Kind::PriceLists.as_str(), self.price_lists.values().filter(|list| uses(list)).count())
        };
        match thing.kind {
            Kind::Theatres => vec![screens(|screen| &screen.theatre)],
            Kind::Layouts => vec![screens(|screen| &screen.layout)],
            Kind::TicketTypes => vec![lists(&|list| prices_name(list, id))],
            Kind::Taxes => {
                let fees = self.fees.values().filter(|fee| fee.tax == *id).count();
                vec![lists(&|list| list.tax == *id), (Kind::Fees.as_str(), fees)]
            }
            Kind::Fees => vec![lists(&|list| list.fees.contains(id))],
            Kind::Shows => {
                let codes = self.promo_codes.values().filter(|code| code.shows.contains(id)).count();
                vec![(Kind::PromoCodes.as_str(), codes)]
            }
            Kind::Screens | Kind::Movies | Kind::PriceLists | Kind::PromoCodes | Kind::RefundPolicies => Vec::new(),
        }
    }

    fn without(&self, thing: &Thing) -> Self {
        let mut next = self.clone();
        next.version += 1;
        let id = &thing.id;
        match thing.kind {
            Kind::Theatres => drop(next.theatres.remove(id)),
            Kind::Layouts => {
                let last = next.layouts.remove(id).and_then(|versions| Some(versions.last()?.version()));
                next.spent_versions.extend(last.map(|last| (id.clone(), last)));
            }
            Kind::Screens => drop(next.screens.remove(id)),
            Kind::Movies => drop(next.movies.remove(id)),
            Kind::TicketTypes => drop(next.ticket_types.remove(id)),
            Kind::Taxes => drop(next.taxes.remove(id)),
            Kind::Fees => drop(next.fees.remove(id)),
            Kind::PriceLists => drop(next.price_lists.remove(id)),
            Kind::PromoCodes => drop(next.promo_codes.remove(id)),
            Kind::RefundPolicies => drop(next.refund_policies.remove(id)),
            // Shows are no part of it.
            Kind::Shows => {}
        }
        next
    }
}

/// A price list names ticket types in its prices and in those of its cards.
fn prices_name(list: &PriceList, ticket_type: &CatalogueId) -> bool {
    let tables = std::iter::once(&list.prices).chain(list.cards.iter().map(|card| &card.prices));
    tables.flat_map(|table| table.iter()).any(|(_, id, _)| id == ticket_type)
}
