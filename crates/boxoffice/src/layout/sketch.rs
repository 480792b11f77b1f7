//! Reads the drawing of a hall, as a catalogue file gives it, into a [`Layout`]. Every mistake is
//! reported with its place, not only the first. [`cells`] reads one row's text, [`numbers`] gives
//! its seats their numbers.

use std::collections::HashMap;

use super::{Category, Layout, LayoutParts, Seat, canonical, lookalike};
use crate::id::{LayoutId, SeatNo};

mod cells;
mod error;
mod numbers;
pub(super) mod pattern;
#[cfg(test)]
mod tests;

use cells::{Cell, Cells, SeatCell};
pub use error::{Place, Problem, SketchError, SketchErrors, Warning};
use pattern::Pattern;

pub const MAX_ROWS: usize = 500;
pub const MAX_SEATS: usize = 10_000;
/// Characters of one row's drawing.
pub const MAX_ROW_CHARS: usize = 1_000;
/// Characters of a row's label, a number or a zone.
pub const MAX_NAME_CHARS: usize = 32;
pub const MAX_FIRST_NUMBER: u32 = 100_000;

/// A hall as drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sketch {
    pub id: LayoutId,
    /// In the order in which they are listed to buyers. A key is one character, the one that
    /// stands for a seat of the category in the drawing.
    pub categories: Vec<Category>,
    /// From the screen backwards.
    pub rows: Vec<RowSketch>,
    /// For rows that do not say otherwise.
    pub numbering: Numbering,
    /// How a label is made of row and number: see [`DEFAULT_LABEL`].
    pub label: String,
    /// Companion seat and the wheelchair space it belongs to, each by label or id.
    pub companions: Vec<(String, String)>,
}

/// The label's pattern where a layout gives none. `{row}` and `{number}` stand for the seat's;
/// `{number:02}` fills up with zeros to two digits; anything else is printed as it is.
pub const DEFAULT_LABEL: &str = "{row}{number}";

/// One row of the drawing. Cells from left to right, seen facing the screen: a category's key is
/// a seat, `.` an aisle, `_` a missing seat whose number is skipped, `+` after a seat makes it a
/// wheelchair space, `( )` around seats a love seat that is sold as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RowSketch {
    pub label: String,
    pub cells: String,
    /// Rows of different zones may share labels: their ids are `ZONE:LABEL`.
    pub zone: Option<String>,
    pub numbering: Option<Numbering>,
    /// 1 where it is not given.
    pub first_number: Option<u32>,
    /// The seats' numbers from left to right, printed as written; replaces any numbering.
    pub numbers: Option<Vec<String>>,
}

impl RowSketch {
    /// A row written as one line, `LABEL cells`.
    #[must_use]
    pub fn from_line(line: &str) -> Self {
        let (label, cells) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        Self { label: label.to_owned(), cells: cells.trim().to_owned(), ..Self::default() }
    }
}

/// How the numbers of a row run. Aisles have no number, missing seats have one that nobody gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Numbering {
    #[default]
    FromLeft,
    FromRight,
    /// Odd numbers left, even numbers right, both counted from the middle outwards:
    /// `5 3 1 . 2 4 6`. The middle is the middle one of the row's inner aisles; where their number
    /// is even (or none), it is half of the seats, the left half having the odd one out.
    OddEven,
}

impl Numbering {
    pub const NAMES: [&str; 3] = ["from-left", "from-right", "odd-even"];

    /// The numbering of this name in a catalogue file.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "from-left" => Some(Self::FromLeft),
            "from-right" => Some(Self::FromRight),
            "odd-even" => Some(Self::OddEven),
            _ => None,
        }
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::FromLeft => "from-left",
            Self::FromRight => "from-right",
            Self::OddEven => "odd-even",
        }
    }
}

/// The layout that is drawn, as version 0 (a store numbers the versions), and what its author
/// should know about it.
///
/// # Errors
/// Everything that is wrong with the drawing, row by row.
pub fn read(sketch: &Sketch) -> Result<(Layout, Vec<Warning>), SketchErrors> {
    let mut errors = Vec::new();
    if sketch.rows.len() > MAX_ROWS {
        errors.push(SketchError::whole(Problem::TooManyRows { rows: sketch.rows.len() }));
        return Err(SketchErrors(errors));
    }
    let keys = category_keys(&sketch.categories, &mut errors);
    let pattern = Pattern::read(&sketch.label).map_err(|problem| errors.push(SketchError::whole(problem))).ok();
    let rows: Vec<Row> = sketch
        .rows
        .iter()
        .enumerate()
        .map(|(index, row)| Row::read(index, row, sketch.numbering, &keys, &mut errors))
        .collect();
    let seat_count = rows.iter().map(|row| row.cells.seats().count()).sum();
    if seat_count > MAX_SEATS {
        errors.push(SketchError::whole(Problem::TooManySeats { seats: seat_count }));
    }
    let Some(pattern) = pattern.filter(|_| errors.is_empty()) else { return Err(SketchErrors(errors)) };
    if seat_count == 0 {
        return Err(SketchErrors(vec![SketchError::whole(Problem::NoSeats)]));
    }

    let mut seats = build_seats(&rows, &pattern);
    find_clashes(&rows, &seats, &mut errors);
    if errors.is_empty() {
        seats = with_companions(&sketch.companions, seats, &mut errors);
    }
    if !errors.is_empty() {
        return Err(SketchErrors(errors));
    }
    let categories = sketch.categories.clone();
    let layout = Layout::from(LayoutParts { id: sketch.id.clone(), version: 0, categories, seats });
    Ok((layout, row_warnings(&rows)))
}

fn row_warnings(rows: &[Row]) -> Vec<Warning> {
    let seated: Vec<&Row> = rows.iter().filter(|row| row.cells.seats().next().is_some()).collect();
    let names = seated.iter().map(|row| (row.zone.as_deref(), row.place.label.as_str()));
    let found = lookalike::warnings(names).into_iter();
    found.filter_map(|(at, detail)| Some(Warning { place: seated.get(at)?.place.clone(), detail })).collect()
}

/// Each key and its category's index.
fn category_keys(categories: &[Category], errors: &mut Vec<SketchError>) -> HashMap<char, u16> {
    let mut keys = HashMap::with_capacity(categories.len());
    if categories.is_empty() {
        errors.push(SketchError::whole(Problem::NoCategories));
    }
    for (category, index) in categories.iter().zip(0..=u16::MAX) {
        let name = &category.key;
        let text = canonical(name);
        let mut chars = text.chars();
        let problem = match (chars.next(), chars.next()) {
            (Some(key), None) if cells::may_be_key(key) => {
                keys.insert(key, index).map(|_| Problem::RepeatedKey { key: name.clone() })
            }
            _ => Some(Problem::BadKey { key: name.clone() }),
        };
        errors.extend(problem.map(SketchError::whole));
        if category.name.trim().is_empty() {
            errors.push(SketchError::whole(Problem::NamelessCategory { key: name.clone() }));
        }
    }
    keys
}

/// A row that has been read. `numbers` has one entry per seat of `cells`.
struct Row {
    place: Place,
    zone: Option<String>,
    cells: Cells,
    numbers: Vec<Number>,
}

/// A seat's number: counted ones are filled up by the label's pattern, written ones are not.
pub(super) enum Number {
    Counted(u32),
    Written(String),
}

impl Row {
    /// What can be read of a row; whatever cannot is added to `errors`.
    fn read(
        index: usize,
        row: &RowSketch,
        numbering: Numbering,
        keys: &HashMap<char, u16>,
        errors: &mut Vec<SketchError>,
    ) -> Self {
        let label = canonical(&row.label);
        let place = Place { row: index, label: label.chars().take(MAX_NAME_CHARS).collect() };
        let mut problems = Vec::new();
        problems.extend(name_problem("row's label", &label));
        let zone = row.zone.as_deref().map(canonical);
        problems.extend(zone.as_deref().and_then(|zone| name_problem("zone", zone)));
        let (cells, cell_problems) = cells::read(&row.cells, keys);
        let numbers = numbers::of_row(row, numbering, &cells, &mut problems);
        errors.extend(problems.into_iter().map(|problem| SketchError::in_row(&place, problem)));
        errors.extend(cell_problems.into_iter().map(|(column, problem)| SketchError::at(&place, column, problem)));
        Self { place, zone, cells, numbers }
    }
}

/// What is wrong with a text that becomes part of seat ids. A colon parts zone and label, so that
/// no id can be another seat's label.
pub(super) fn name_problem(what: &'static str, text: &str) -> Option<Problem> {
    if text.is_empty() {
        return Some(Problem::EmptyName { what });
    }
    let fits = text.chars().take(MAX_NAME_CHARS + 1).count() <= MAX_NAME_CHARS;
    let plain = text.chars().all(|c| c != ':' && !c.is_control());
    if fits && plain { None } else { Some(Problem::BadName { what }) }
}

/// The seats in their final order; companions are not known yet.
fn build_seats(rows: &[Row], pattern: &Pattern) -> Vec<Seat> {
    let mut seats: Vec<Seat> = Vec::new();
    let mut groups_before = 0;
    for (row, y) in rows.iter().zip(0..) {
        let mut left_neighbour = None;
        let mut numbers = row.numbers.iter();
        for (cell, x) in row.cells.all().zip(0..) {
            let here = u16::try_from(seats.len()).ok().map(SeatNo);
            let Cell::Seat(cell) = cell else {
                left_neighbour = None;
                continue;
            };
            if let Some(neighbour) = left_neighbour.and_then(|at: usize| seats.get_mut(at)) {
                neighbour.right = here;
            }
            left_neighbour = Some(seats.len());
            let Some(number) = numbers.next() else { continue };
            seats.push(seat(row, pattern, cell, number, (x, y), groups_before));
        }
        groups_before += row.cells.groups();
    }
    seats
}

fn seat(
    row: &Row,
    pattern: &Pattern,
    cell: &SeatCell,
    number: &Number,
    (x, y): (u16, u16),
    groups_before: u16,
) -> Seat {
    let (printed, label) = pattern.label(&row.place.label, number);
    Seat {
        id: row.zone.as_ref().map_or_else(|| label.clone(), |zone| canonical(&format!("{zone}:{label}"))),
        label,
        row: row.place.label.clone(),
        number: printed,
        zone: row.zone.clone(),
        x,
        y,
        category: cell.category,
        wheelchair: cell.wheelchair,
        group: cell.group.map(|group| groups_before + group),
        companion_of: None,
        right: None,
    }
}

/// Refuses ids that are given twice, and labels of one row that differ by leading zeros only.
fn find_clashes(rows: &[Row], seats: &[Seat], errors: &mut Vec<SketchError>) {
    let mut by_id: HashMap<&str, &Seat> = HashMap::with_capacity(seats.len());
    let mut by_look: HashMap<(Option<&str>, &str, String), &Seat> = HashMap::with_capacity(seats.len());
    for seat in seats {
        let Some(row) = rows.get(usize::from(seat.y)) else { continue };
        let column = row.cells.column_of(usize::from(seat.x));
        let mut refuse = |problem| errors.push(SketchError::at(&row.place, column, problem));
        let look = (seat.zone.as_deref(), seat.row.as_str(), lookalike::without_leading_zeros(&seat.label));
        if let Some(first) = by_id.insert(&seat.id, seat) {
            refuse(Problem::RepeatedId { id: seat.id.clone(), first_row: usize::from(first.y) + 1 });
        } else if let Some(first) = by_look.insert(look, seat) {
            refuse(Problem::LookAlikeLabels { label: seat.label.clone(), like: first.label.clone() });
        }
    }
}

/// Names for each companion seat the wheelchair space it belongs to.
pub(crate) fn with_companions(
    companions: &[(String, String)],
    mut seats: Vec<Seat>,
    errors: &mut Vec<SketchError>,
) -> Vec<Seat> {
    let find = |text: &str, seats: &[Seat]| {
        let text = canonical(text);
        let by_id = seats.iter().position(|seat| seat.id == text);
        let mut same_label = seats.iter().enumerate().filter(|(_, seat)| seat.label == text).map(|(at, _)| at);
        match (by_id, same_label.next(), same_label.next()) {
            (Some(at), _, _) | (None, Some(at), None) => Ok(at),
            (None, None, _) => Err(Problem::UnknownCompanion { text }),
            (None, Some(_), Some(_)) => Err(Problem::AmbiguousCompanion { text }),
        }
    };
    for (companion, space) in companions {
        let pair = find(companion, &seats).and_then(|companion| Ok((companion, find(space, &seats)?)));
        let named = pair.and_then(|(companion_at, space_at)| {
            if !seats.get(space_at).is_some_and(|seat| seat.wheelchair) {
                return Err(Problem::NotAWheelchairSpace { companion: companion.clone(), text: space.clone() });
            }
            match seats.get_mut(companion_at) {
                Some(seat) if !seat.wheelchair => {
                    seat.companion_of = u16::try_from(space_at).ok().map(SeatNo);
                    Ok(())
                }
                _ => Err(Problem::CompanionIsWheelchairSpace { text: companion.clone() }),
            }
        });
        errors.extend(named.err().map(SketchError::whole));
    }
    seats
}
