//! The hall that experiments play in: rows A to F of nine seats, one show far enough ahead that
//! sales stay open however far a test clock runs.

use boxoffice::catalogue::Import;
use boxoffice::id::ShowId;
use boxoffice::service::{AskedSeat, HoldRequest, SeatsAsked};
use boxoffice::store::Store;
use boxoffice::time::Span;
use boxoffice::{booking, layout::SeatAsk, testkit::hall};

/// The only show.
pub(crate) fn show_id() -> ShowId {
    hall::show_id(1)
}

/// Fills an empty store with the hall and its show, whose holds last this long.
///
/// # Errors
/// If the store cannot take it.
pub(crate) async fn build(store: &dyn Store, hold: Span) -> anyhow::Result<()> {
    const YEARS_AHEAD: i64 = 10;
    let mut import: Import = hall::import(1);
    import.layouts = vec![hall::layout(&["A", "B", "C", "D", "E", "F"], 9)];
    for show in &mut import.shows {
        show.hold = hold;
        show.starts_at = hall::opening() + Span::from_mins(YEARS_AHEAD * 365 * 24 * 60);
    }
    let report = store.import(import, false).await?;
    anyhow::ensure!(report.conflicts.is_empty(), "the hall cannot be built: {}", report.conflicts.join("; "));
    Ok(())
}

/// A buyer's request for these seats of the show.
pub(crate) fn request(seats: &[&str], customer: booking::Customer) -> HoldRequest {
    let ask = |seat: &&str| AskedSeat { seat: SeatAsk::Text((*seat).to_owned()), ticket_type: None };
    HoldRequest {
        show: show_id(),
        seats: SeatsAsked::These(seats.iter().map(ask).collect()),
        layout_version: None,
        channel: booking::Channel::Web,
        customer,
        metadata: std::collections::BTreeMap::new(),
        mine: Vec::new(),
        expected_total: None,
        promo_code: None,
    }
}
