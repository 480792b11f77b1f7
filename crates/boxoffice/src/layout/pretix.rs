//! A hall from a seating plan of pretix: zones of rows of seats, each with an id and a position. How the
//! file is read is in [`catalogue::file`](crate::catalogue::file).

use super::grid::{MAX_COLUMNS, ScreenSide};
use super::placed::{Placed, Remark, name_problem, seated};
use super::sketch::pattern::Pattern;
use super::sketch::{DEFAULT_LABEL, MAX_ROWS, MAX_SEATS, Number};
use super::spacing::{self, Cell, PlanRow, Position};
use super::{Seat, canonical};

pub use super::spacing::MAX_POSITION;

#[cfg(test)]
mod tests;

/// Characters of a seat's id; in bytes it must fit a ticket code.
const MAX_ID_CHARS: usize = 60;
const MAX_ZONE_CHARS: usize = 60;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    pub name: Option<String>,
    pub rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    pub seats: Vec<PlanSeat>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanSeat {
    /// Where in the file it stands.
    pub at: String,
    pub guid: String,
    pub number: String,
    /// Index into the layout's categories.
    pub category: u16,
    pub wheelchair: bool,
    /// From the left and from the top of the plan, in thousandths of its unit, at most three
    /// [`MAX_POSITION`]s from the origin: seat, row and zone add up.
    pub x: i64,
    pub y: i64,
}

/// The seats of a plan in the layout's order, and warnings. `label` says how a label is made of
/// row and number.
///
/// # Errors
/// Everything that is wrong, seat by seat.
pub fn read(zones: &[Zone], label: &str, screen: ScreenSide) -> Result<(Vec<Seat>, Vec<Remark>), Vec<Remark>> {
    let pattern = Pattern::read(label).map_err(|problem| vec![Remark::whole(problem.to_string())])?;
    let count: usize = zones.iter().flat_map(|zone| &zone.rows).map(|row| row.seats.len()).sum();
    if count > MAX_SEATS {
        let detail =
            format!("there are {count} seats; a layout can have {MAX_SEATS}, split the hall into several layouts");
        return Err(vec![Remark::whole(detail)]);
    }
    let mut errors = Vec::new();
    let mut placed = Vec::with_capacity(count);
    let mut rows = Vec::new();
    for zone in zones {
        for row in zone.rows.iter().filter(|row| !row.seats.is_empty()) {
            let first = placed.len();
            placed.extend(row.seats.iter().map(|seat| placed_seat(zone, row, seat, &pattern, &mut errors)));
            rows.push(plan_row(row, first, screen, &mut errors));
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    for cell in spacing::grid(&rows) {
        let Some(here) = placed.get_mut(cell.seat) else { continue };
        if let Err(detail) = put(here, cell) {
            return Err(vec![Remark::at(&here.at, detail)]);
        }
    }
    seated(placed)
}

/// The label's pattern for a plan that does not give one.
#[must_use]
pub fn default_label(has_words: bool) -> &'static str {
    if has_words { "{row} {number}" } else { DEFAULT_LABEL }
}

fn placed_seat(zone: &Zone, row: &Row, seat: &PlanSeat, pattern: &Pattern, errors: &mut Vec<Remark>) -> Placed {
    let zone_name = zone.name.as_deref().map(canonical).filter(|name| !name.is_empty());
    let (id, row_name) = (canonical(&seat.guid), canonical(&row.name));
    let (number, label) = pattern.label(&row_name, &Number::Written(canonical(&seat.number)));
    let fits = |text: &str, most: usize| text.chars().count() <= most && !text.chars().any(char::is_control);
    let wrong_id = (id.is_empty() || !fits(&id, MAX_ID_CHARS)).then(|| {
        format!("`seat_guid` must have from 1 to {MAX_ID_CHARS} characters, none of them a control character")
    });
    let wrong_zone = zone_name.as_deref().is_some_and(|name| !fits(name, MAX_ZONE_CHARS)).then(|| {
        format!("the zone's name must have at most {MAX_ZONE_CHARS} characters, none of them a control character")
    });
    let wrong = wrong_id
        .or(wrong_zone)
        .or_else(|| name_problem("row's name", &row_name))
        .or_else(|| name_problem("seat's number", &number));
    errors.extend(wrong.map(|detail| Remark::at(&seat.at, detail)));
    let at = seat.at.clone();
    let seat = Seat {
        id,
        label,
        row: row_name,
        number,
        zone: zone_name,
        x: 0,
        y: 0,
        category: seat.category,
        wheelchair: seat.wheelchair,
        group: None,
        companion_of: None,
        right: None,
    };
    Placed { at, joins_left: false, seat }
}

/// The row as it runs across the hall, its seats numbered from `first`.
fn plan_row<'z>(row: &'z Row, first: usize, screen: ScreenSide, errors: &mut Vec<Remark>) -> PlanRow<'z> {
    let turn = match screen {
        ScreenSide::Top => 1,
        ScreenSide::Bottom => -1,
    };
    let position = |seat: &PlanSeat| Position { x: turn * seat.x, y: turn * seat.y };
    let mut seats: Vec<(Position, usize)> = row.seats.iter().map(position).zip(first..).collect();
    seats.sort_unstable();
    for pair in seats.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let at = |no: usize| row.seats.get(no - first).map_or("", |seat| &seat.at);
        let (one, other) = (pair[0].1.min(pair[1].1), pair[0].1.max(pair[1].1));
        errors.push(Remark::at(at(other), format!("stands where the seat at {} stands; move one", at(one))));
    }
    PlanRow { name: &row.name, seats }
}

fn put(here: &mut Placed, cell: Cell) -> Result<(), String> {
    let place = |at: i64, most: usize| u16::try_from(at).ok().filter(|at| usize::from(*at) < most);
    let (Some(x), Some(y)) = (place(cell.x, MAX_COLUMNS), place(cell.y, 2 * MAX_ROWS)) else {
        return Err(format!(
            "stands so far from the others that the hall would need more than {MAX_COLUMNS} columns or {MAX_ROWS} rows; \
             check the positions"
        ));
    };
    (here.seat.x, here.seat.y, here.joins_left) = (x, y, cell.joins_left);
    Ok(())
}
