//! Reads the characters of one row into cells.

use std::collections::HashMap;
use std::collections::HashSet;

use super::MAX_ROW_CHARS;
use super::error::Problem;
use crate::layout::canonical;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell {
    Seat(SeatCell),
    Aisle,
    Missing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeatCell {
    pub(super) category: u16,
    pub(super) wheelchair: bool,
    /// The how-manieth love seat of the row it belongs to, from 0.
    pub(super) group: Option<u16>,
}

/// The cells of a row from left to right, each with the character at which it stands, from 1.
#[derive(Debug, Default)]
pub(super) struct Cells {
    cells: Vec<(Cell, usize)>,
    groups: u16,
}

impl Cells {
    pub(super) fn all(&self) -> impl DoubleEndedIterator<Item = &Cell> + ExactSizeIterator {
        self.cells.iter().map(|(cell, _)| cell)
    }

    pub(super) fn seats(&self) -> impl Iterator<Item = &SeatCell> {
        self.all().filter_map(|cell| match cell {
            Cell::Seat(seat) => Some(seat),
            Cell::Aisle | Cell::Missing => None,
        })
    }

    /// The character at which the cell stands, from 1.
    pub(super) fn column_of(&self, index: usize) -> usize {
        self.cells.get(index).map_or(1, |(_, column)| *column)
    }

    /// How many love seats the row has.
    pub(super) fn groups(&self) -> u16 {
        self.groups
    }
}

/// Whether a category may have this key: the others mean something else in a drawing.
pub(super) fn may_be_key(c: char) -> bool {
    !matches!(c, '.' | '_' | '+' | '(' | ')') && !c.is_whitespace() && !c.is_control()
}

/// The cells of a row as far as they can be read, and what is wrong with them, each at its
/// character. A character that is no cell is reported once in a row.
pub(super) fn read(text: &str, keys: &HashMap<char, u16>) -> (Cells, Vec<(usize, Problem)>) {
    let text = canonical(text);
    let chars = text.chars().count();
    if chars == 0 {
        return (Cells::default(), vec![(1, Problem::NoCells)]);
    }
    if chars > MAX_ROW_CHARS {
        return (Cells::default(), vec![(MAX_ROW_CHARS + 1, Problem::RowTooLong { chars })]);
    }
    let mut reader =
        Reader { keys, cells: Cells::default(), open: None, problems: Vec::new(), unknown: HashSet::new() };
    for (c, column) in text.chars().zip(1..) {
        reader.take(c, column);
    }
    if let Some(group) = reader.open {
        reader.problems.push((group.column, Problem::UnclosedGroup));
    }
    (reader.cells, reader.problems)
}

struct Reader<'a> {
    keys: &'a HashMap<char, u16>,
    cells: Cells,
    open: Option<OpenGroup>,
    problems: Vec<(usize, Problem)>,
    unknown: HashSet<char>,
}

/// A love seat whose `)` has not come yet.
struct OpenGroup {
    column: usize,
    first_cell: usize,
}

impl Reader<'_> {
    fn take(&mut self, c: char, column: usize) {
        match c {
            '.' => self.gap(Cell::Aisle, column),
            '_' => self.gap(Cell::Missing, column),
            '+' => self.mark_wheelchair(column),
            '(' => self.open_group(column),
            ')' => self.close_group(column),
            key => match self.keys.get(&key) {
                Some(category) => {
                    let group = self.open.as_ref().map(|_| self.cells.groups);
                    let seat = SeatCell { category: *category, wheelchair: false, group };
                    self.cells.cells.push((Cell::Seat(seat), column));
                }
                None if self.unknown.insert(key) => self.problems.push((column, Problem::UnknownCell { cell: key })),
                None => {}
            },
        }
    }

    fn gap(&mut self, cell: Cell, column: usize) {
        if self.open.is_some() {
            self.problems.push((column, Problem::BrokenGroup));
        }
        self.cells.cells.push((cell, column));
    }

    /// `+` counts only directly after its seat: `S++` and `(SS)+` mark nothing.
    fn mark_wheelchair(&mut self, column: usize) {
        let problem = match self.cells.cells.last_mut() {
            Some((Cell::Seat(seat), at)) if *at + 1 == column => {
                seat.wheelchair = true;
                seat.group.map(|_| Problem::WheelchairInGroup)
            }
            _ => Some(Problem::PlusWithoutSeat),
        };
        self.problems.extend(problem.map(|problem| (column, problem)));
    }

    fn open_group(&mut self, column: usize) {
        if self.open.is_some() {
            self.problems.push((column, Problem::NestedGroup));
        } else {
            self.open = Some(OpenGroup { column, first_cell: self.cells.cells.len() });
        }
    }

    fn close_group(&mut self, column: usize) {
        let Some(group) = self.open.take() else {
            self.problems.push((column, Problem::UnopenedGroup));
            return;
        };
        let members = self.cells.cells.get(group.first_cell..).unwrap_or_default();
        let mut categories = members.iter().filter_map(|(cell, _)| match cell {
            Cell::Seat(seat) => Some(seat.category),
            Cell::Aisle | Cell::Missing => None,
        });
        let first = categories.next();
        if members.len() < 2 {
            self.problems.push((group.column, Problem::GroupTooSmall));
        } else if categories.any(|category| Some(category) != first) {
            self.problems.push((group.column, Problem::MixedGroup));
        }
        self.cells.groups += 1;
    }
}
