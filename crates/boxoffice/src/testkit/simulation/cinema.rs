//! The cinema of a simulation: two halls, a show every three hours, and promo codes that are soon
//! used up.

use super::Plant;
use crate::catalogue::Import;
use crate::id::{CatalogueId, ShowId};
use crate::money::Percent;
use crate::promo::{Off, OffPer, PromoCode, normalised};
use crate::show::{LatePayment, Screen};
use crate::testkit::hall;
use crate::time::{Span, Timestamp};

const ROWS: [&str; 8] = ["A", "B", "C", "D", "E", "F", "G", "H"];
const SHOW_EVERY: Span = Span::from_mins(180);
/// From the opening to the first show.
const FIRST: Span = Span::from_mins(180);
/// So many shows, one after the other, share a promo code.
const SHOWS_PER_CODE: u16 = 4;
/// A code takes nothing more off after so many bookings, or so many cents.
const MAX_USES: u32 = 4;
const BUDGET: i64 = 1_200;

/// How many shows so many bookings need.
pub(super) fn shows(bookings: usize) -> u16 {
    u16::try_from(bookings / 60 + 30).unwrap_or(u16::MAX)
}

/// The number of the first show that starts after `now` by the first timetable, from 1.
pub(super) fn next_show(now: Timestamp) -> u16 {
    let since = (now - first_start()).as_ms();
    u16::try_from(since.div_euclid(SHOW_EVERY.as_ms()) + 2).unwrap_or(1).max(1)
}

fn first_start() -> Timestamp {
    hall::opening() + FIRST
}

/// The hall that a show moves to from this one.
pub(super) fn other_screen(screen: &CatalogueId) -> Option<CatalogueId> {
    CatalogueId::new(if screen.as_str() == "screen" { "screen-2" } else { "screen" }).ok()
}

/// A code that is meant for a show, as a buyer writes it.
pub(super) fn code_for(show: &ShowId) -> String {
    let no = show.as_str().trim_start_matches("show-").parse().unwrap_or(0_u16);
    format!("Night {}", no / SHOWS_PER_CODE)
}

/// The small cinema with larger halls and more shows, some of which refund late money.
pub(super) fn cinema(shows: u16) -> Import {
    let mut import = hall::import(shows);
    import.layouts = vec![hall::layout(&ROWS, hall::SEATS_PER_ROW)];
    let second: Vec<Screen> = import
        .screens
        .iter()
        .filter_map(|screen| Some(Screen { id: other_screen(&screen.id)?, ..screen.clone() }))
        .collect();
    import.screens.extend(second);
    import.promo_codes = (0..=shows / SHOWS_PER_CODE).filter_map(promo_code).collect();
    for (show, n) in import.shows.iter_mut().zip(0_i64..) {
        show.starts_at = first_start() + Span::from_ms(SHOW_EVERY.as_ms() * n);
        show.late_payment = if n % 3 == 2 { LatePayment::Refund } else { LatePayment::Reclaim };
    }
    import
}

/// By turns: something off the booking, something off each ticket, and the whole of it for nothing;
/// every third has a budget in place of a number of uses.
fn promo_code(no: u16) -> Option<PromoCode> {
    let id = format!("NIGHT {no}");
    let off = match no % 5 {
        0 | 2 => (Off::Amount(hall::euros(300)), OffPer::Booking),
        1 | 3 => (Off::Percent(Percent::from(20)), OffPer::Ticket),
        _ => (Off::Amount(hall::euros(100_000)), OffPer::Booking),
    };
    let by_budget = no % 3 == 2;
    Some(PromoCode {
        key: normalised(&id)?,
        id,
        off: off.0,
        per: off.1,
        max_uses: (!by_budget).then_some(MAX_USES),
        max_per_customer: Some(1),
        budget: by_budget.then(|| hall::euros(BUDGET)),
        valid_from: None,
        valid_until: None,
        shows: Vec::new(),
        categories: Vec::new(),
    })
}

/// The cinema as the store gets it: with its bug planted, it does not limit its codes.
pub(super) fn as_imported(cinema: &Import, plant: Option<Plant>) -> Import {
    let mut import = cinema.clone();
    if plant == Some(Plant::LimitsNoCodes) {
        for code in &mut import.promo_codes {
            (code.max_uses, code.budget, code.max_per_customer) = (None, None, None);
        }
    }
    import
}
