//! Catalogue imports: idempotent, all or nothing, and never a seat taken from its owner.

use pollster::block_on;

use super::Check;
use crate::booking::Channel;
use crate::catalogue::{Import, ImportReport};
use crate::claim::{Occupancy, SeatStatus};
use crate::command::{Block, Command, Settled};
use crate::id::SeatNo;
use crate::layout::{Layout, LayoutParts};
use crate::prices::{PriceTable, STANDARD, TicketType};
use crate::pricing::{PriceAsk, ticket_prices};
use crate::promo::{Off, OffPer, PromoCode, normalised};
use crate::show::{Screen, Text};
use crate::store::{ShowFilter, StoreError};
use crate::testkit::hall;
use crate::testkit::world::{Failure, World, code, same};

pub(super) const CHECKS: &[Check] = &[
    Check::new("import_again_changes_nothing", again),
    Check::new("import_dry_run_writes_nothing", dry_run),
    Check::new("import_pins_layouts_of_sold_shows", pinning),
    Check::new("late_money_after_a_move_to_another_hall_plan_goes_back", other_plan),
    Check::new("import_over_a_catalogue_that_has_changed_is_refused", stale),
    Check::new("seat_without_a_price_is_not_for_sale", unpriced),
    Check::new("import_refuses_to_take_a_claimed_seat", lost_seat),
    Check::new("import_refuses_to_move_a_sold_show", moved_show),
    Check::new("case_49_import_of_prices_spares_holds", prices),
    Check::new("ticket_types_and_promo_codes_are_kept", types_and_codes),
    Check::new("demand_counts_sold_seats_only", demand),
];

/// The outcome in short: added, changed, unchanged.
fn counts(report: &ImportReport) -> (usize, usize, usize) {
    (report.added, report.changed, report.unchanged)
}

fn layout_only(layout: Layout) -> Import {
    Import { layouts: vec![layout], ..Import::default() }
}

fn again(w: World<'_>) -> Result<(), Failure> {
    let report = w.import(hall::import(9))?;
    same("added, changed, unchanged", counts(&report), (0, 0, 18))?;
    let numbers = [w.show(1)?.no, w.show(9)?.no];
    same("import of a tenth", counts(&w.import(hall::import(10))?), (1, 0, 18))?;
    same("numbers", [w.show(1)?.no, w.show(9)?.no], numbers)?;
    same("layout version", w.show(10)?.layout.version(), 1)
}

fn dry_run(w: World<'_>) -> Result<(), Failure> {
    let mut import = hall::import(10);
    import.movies[0].title = Text::Plain("Another Film".into());
    let report = block_on(w.store.import(import, true))?;
    same("added, changed, unchanged", counts(&report), (1, 1, 17))?;
    same("the tenth show", code(&w.show(10)), "not-found")?;
    same("the title", w.show(1)?.movie.title.english(), "The Long Take")
}

fn pinning(w: World<'_>) -> Result<(), Failure> {
    let held = w.hold(1, &["A1"])?;
    let lapsed = w.hold(2, &["A1"])?;
    let sold = w.hold(3, &["A1"])?;
    w.pay(sold.id)?;
    w.clock.set(lapsed.expires_at);
    same("show 1 is held again", w.hold(1, &["A1"]).is_ok(), true)?;
    let version = w.seats(2)?.seats.version;
    let report = w.import(layout_only(hall::layout(&["A", "B"], 12)))?;
    same("conflicts", report.conflicts, Vec::new())?;
    let versions = [1, 2, 3, 4].map(|n| w.show(n).map(|s| s.layout.version()));
    let versions = versions.into_iter().collect::<Result<Vec<_>, StoreError>>()?;
    same("layout versions of a held, a lapsed, a sold and a fresh show", versions, vec![1, 2, 1, 2])?;
    let seats = |n| w.seats(n).map(|read| (read.seats.claims.len(), read.seats.claims.iter().flatten().count()));
    same("seats and claims of the held show", seats(1)?, (36, 1))?;
    same("seats and claims of the lapsed show", seats(2)?, (24, 0))?;
    same("the version of a show with other seats rises", w.seats(2)?.seats.version > version, true)?;
    same("the first holder's booking", w.booking(held.id)?.seats[0].label.as_str(), "A1")?;
    same("a seat that is gone", code(&w.hold(2, &["C1"])), "unknown-seats")?;
    same("the same layout again", counts(&w.import(layout_only(hall::layout(&["A", "B"], 12)))?), (0, 0, 1))?;
    let late = w.hold(2, &["B12"])?;
    same("paid on the new layout", w.pay(late.id).is_ok(), true)
}

/// Both plans are at version 1, and seat numbers of one mean other chairs in the other.
fn other_plan(w: World<'_>) -> Result<(), Failure> {
    let lapsed = w.hold(1, &["C12"])?;
    let attempt = w.start(lapsed.id)?;
    w.clock.set(lapsed.expires_at);
    w.run(Command::Expire { booking: lapsed.id })?;
    let stale = w.hold_command(1, &["C12"])?;
    let parts = LayoutParts { id: hall::show_id(77), ..hall::layout(&["C", "B"], 12).parts().clone() };
    let screens = hall::import(0).screens.into_iter().map(|s| Screen { layout: parts.id.clone(), ..s }).collect();
    let import = Import { layouts: vec![Layout::from(parts)], screens, ..Import::default() };
    same("conflicts", w.import(import)?.conflicts, Vec::new())?;
    same("the plan's version", w.show(1)?.layout.version(), 1)?;
    same("a hold of seats looked up before", code(&w.run(stale)), "layout-changed")?;
    same("the late money", w.capture(&attempt, "p1")?, Settled::Refunded)?;
    same("claims", w.seats(1)?.seats.claims.iter().flatten().count(), 0)
}

fn stale(w: World<'_>) -> Result<(), Failure> {
    let over = block_on(w.store.catalogue())?.version;
    let import = |n| Import { over: Some(over), shows: vec![hall::show(n)], ..Import::default() };
    same("the first of two", w.import(import(10))?.conflicts, Vec::new())?;
    same("the second", w.import(import(11))?.conflicts.len(), 1)?;
    same("its show", code(&w.show(11)), "not-found")
}

/// A show that keeps an old plan can have a category that the price list no longer names.
fn unpriced(w: World<'_>) -> Result<(), Failure> {
    let sold = w.hold(1, &["A1"])?;
    w.pay(sold.id)?;
    let mut lists = hall::import(0).price_lists;
    lists[0].prices = PriceTable::default();
    same("conflicts", w.import(Import { price_lists: lists, ..Import::default() })?.conflicts, Vec::new())?;
    let read = w.seats(1)?;
    let occupancy = read.seats.occupancy(read.now);
    let show = w.show(1)?;
    let ask = PriceAsk { show: &show, channel: Channel::Web, bought_at: read.now, occupancy, promo: None };
    same("the price list of the show", ticket_prices(&ask).map(|p| p.len()), Ok(0))?;
    same("a hold", code(&w.hold(1, &["A2"])), "seats-unavailable")
}

fn lost_seat(w: World<'_>) -> Result<(), Failure> {
    let sold = w.hold(5, &["C3", "C4"])?;
    w.pay(sold.id)?;
    let mut import = layout_only(hall::layout(&["A", "B"], 12));
    import.movies = hall::import(0).movies;
    import.movies[0].title = Text::Plain("Another Film".into());
    let report = w.import(import)?;
    same("conflicts", report.conflicts.len(), 1)?;
    let names = ["show-5", "C3", "C4"].map(|name| report.conflicts[0].contains(name));
    same(&format!("the line names show and seats: {}", report.conflicts[0]), names, [true; 3])?;
    same("the title", w.show(1)?.movie.title.english(), "The Long Take")?;
    same("the layout of a fresh show", w.show(1)?.layout.version(), 1)?;
    same("C3", w.status(5, "C3")?, SeatStatus::Booked)
}

fn moved_show(w: World<'_>) -> Result<(), Failure> {
    w.hold(1, &["A1"])?;
    let mut import = hall::import(2);
    let mut other = import.screens[0].clone();
    other.id = hall::show_id(77);
    import.shows.iter_mut().for_each(|show| show.screen = other.id.clone());
    import.screens.push(other);
    let report = w.import(import.clone())?;
    same("conflicts", report.conflicts.len(), 1)?;
    let names = ["show-1", "A1"].map(|name| report.conflicts[0].contains(name));
    same(&format!("the line names show and seat: {}", report.conflicts[0]), names, [true; 2])?;
    import.shows.remove(0);
    same("conflicts of a show without claims", w.import(import)?.conflicts, Vec::new())?;
    same("its screen", w.show(2)?.spec.screen == hall::show_id(77), true)
}

fn prices(w: World<'_>) -> Result<(), Failure> {
    let first = w.hold(1, &["A1", "A2"])?;
    let mut import = hall::import(0);
    import.price_lists[0].prices = PriceTable::of_standard([("Standard".into(), hall::euros(1_400))]);
    let import = Import { price_lists: import.price_lists, ..Import::default() };
    same("added, changed, unchanged", counts(&w.import(import)?), (0, 1, 0))?;
    let attempt = w.start(first.id)?;
    same("what the first buyer pays", attempt.amount, hall::euros(2_740))?;
    w.capture(&attempt, "p1")?;
    same("what the first ticket cost", w.booking(first.id)?.seats[0].face, hall::euros(1_250))?;
    same("what a new buyer pays", w.hold(1, &["B1", "B2"])?.price.total, hall::euros(3_040))
}

fn types_and_codes(w: World<'_>) -> Result<(), Failure> {
    let child = TicketType { id: hall::show_id(77), name: Text::Plain("Child".into()), proof: None };
    let code = PromoCode {
        id: "Summer 10".into(),
        key: normalised("Summer 10").unwrap_or_else(|| hall::show_id(78)),
        off: Off::Amount(hall::euros(500)),
        per: OffPer::Booking,
        max_uses: Some(2),
        max_per_customer: None,
        budget: Some(hall::euros(10_000)),
        valid_from: None,
        valid_until: None,
        shows: Vec::new(),
        categories: vec!["Standard".into()],
    };
    let mut list = hall::import(0).price_lists.remove(0);
    list.prices.set("Standard", child.id.clone(), hall::euros(900));
    let import = Import {
        ticket_types: vec![child.clone()],
        promo_codes: vec![code.clone()],
        price_lists: vec![list],
        ..Import::default()
    };
    same("added, changed, unchanged", counts(&w.import(import.clone())?), (2, 1, 0))?;
    same("again", counts(&w.import(import)?), (0, 0, 3))?;
    let catalogue = block_on(w.store.catalogue())?;
    same("the code", catalogue.promo_code(" SUMMER10").map(|kept| PromoCode::clone(kept)), Some(code))?;
    let show = w.show(1)?;
    let types: Vec<_> = show.prices.types.iter().map(|sold| (sold.id.as_str(), sold.name())).collect();
    same("types", types, vec![(STANDARD, "Standard"), (child.id.as_str(), "Child")])
}

/// The list of shows and the seat map tell the same.
fn demand(w: World<'_>) -> Result<(), Failure> {
    let sold = w.hold(1, &["A1", "A2"])?;
    w.pay(sold.id)?;
    w.hold(1, &["B1"])?;
    let show = w.show(1)?;
    let seats = (33..36).map(SeatNo).collect();
    w.run(Command::Block(Block { show: show.no, seats, layout: show.layout.pin(), until: None, note: None }))?;
    let read = w.seats(1)?;
    same("of the map", read.seats.occupancy(read.now), Occupancy { sold: 2, sellable: 33 })?;
    let rows = block_on(w.store.shows(ShowFilter { limit: 1, ..ShowFilter::default() }))?;
    same("of the list", rows.first().map(|row| row.occupancy), Some(Occupancy { sold: 2, sellable: 33 }))
}
