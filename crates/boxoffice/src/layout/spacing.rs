//! From seats at positions of a plane to columns and rows of a grid: who sits in one line, where
//! an aisle parts a row. Distances are judged by what is usual, since every plan has a scale of its own.

/// The farthest a position may be from the origin, in thousandths of the plan's unit.
pub const MAX_POSITION: i64 = 1_000_000_000;

/// Where nothing tells what is usual: the distance of seats in the plan editor.
const USUAL_WITHOUT_GAPS: i64 = 25_000;

/// Thousandths of the plan's unit, to the right and away from the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) x: i64,
    pub(super) y: i64,
}

impl Position {
    fn distance(self, other: Self) -> i64 {
        let (x, y) = (i128::from(self.x - other.x), i128::from(self.y - other.y));
        i64::try_from((x * x + y * y).isqrt()).unwrap_or(i64::MAX)
    }
}

/// A row of the plan: its seats from left to right, at least one, each with a number of the caller's.
#[derive(Debug)]
pub(super) struct PlanRow<'a> {
    /// Rows of different names never share a line of the grid.
    pub(super) name: &'a str,
    pub(super) seats: Vec<(Position, usize)>,
}

/// A seat's place in the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) seat: usize,
    pub(super) x: i64,
    pub(super) y: i64,
    /// Whether it is a neighbour of the seat to its left.
    pub(super) joins_left: bool,
}

/// The cells of all seats, line by line from left to right, both from 0.
///
/// What is usual between two seats is the median of the row's distances. A row of few seats, or one in which
/// seats are much farther apart than in the plan, is judged by the median of the plan. A distance of more than
/// one and a half of it is an aisle. Rows of one name beside each other, as two zones have them, share a line; a
/// walkway across, where lines are more than one and a half times the usual apart, leaves one line empty.
pub(super) fn grid(rows: &[PlanRow<'_>]) -> Vec<Cell> {
    let gaps =
        |row: &PlanRow<'_>| -> Vec<i64> { row.seats.windows(2).map(|pair| pair[0].0.distance(pair[1].0)).collect() };
    let usual = median(rows.iter().flat_map(gaps).collect()).unwrap_or(USUAL_WITHOUT_GAPS).max(1);
    let lines = lines(rows, usual);
    let left = rows.iter().flat_map(|row| &row.seats).map(|(position, _)| position.x).min().unwrap_or(0);
    let mut cells = Vec::new();
    for (line, y) in lines.iter().zip(line_numbers(&lines, usual)) {
        cells.extend(columns(line, left, y, usual));
    }
    let first = cells.iter().map(|cell| cell.x).min().unwrap_or(0);
    cells.iter_mut().for_each(|cell| cell.x -= first);
    cells
}

/// The lower median: of two different distances the nearer one is between neighbours.
fn median(mut values: Vec<i64>) -> Option<i64> {
    values.sort_unstable();
    values.get(values.len().checked_sub(1)? / 2).copied()
}

fn is_aisle(distance: i64, usual: i64) -> bool {
    2 * distance > 3 * usual
}

/// Rows that share a line of the grid, from left to right.
struct Line<'r, 'a> {
    y: i64,
    rows: Vec<&'r PlanRow<'a>>,
}

/// From the screen backwards.
fn lines<'r, 'a>(rows: &'r [PlanRow<'a>], usual: i64) -> Vec<Line<'r, 'a>> {
    let mean = |row: &PlanRow<'_>| {
        let sum: i64 = row.seats.iter().map(|(position, _)| position.y).sum();
        sum / i64::try_from(row.seats.len().max(1)).unwrap_or(1)
    };
    let mut sorted: Vec<(i64, &PlanRow<'_>)> = rows.iter().map(|row| (mean(row), row)).collect();
    sorted.sort_by_key(|(y, row)| (*y, row.seats.first().map(|(position, _)| position.x)));
    let mut lines: Vec<Line<'_, '_>> = Vec::new();
    for (y, row) in sorted {
        let near = lines.iter_mut().rev().take_while(|line| 2 * (y - line.y) <= usual);
        match near.into_iter().find(|line| line.rows.iter().all(|other| is_beside(row, other))) {
            Some(line) => line.rows.push(row),
            None => lines.push(Line { y, rows: vec![row] }),
        }
    }
    for line in &mut lines {
        line.rows.sort_by_key(|row| row.seats.first().map(|(position, _)| position.x));
    }
    lines
}

fn is_beside(row: &PlanRow<'_>, other: &PlanRow<'_>) -> bool {
    let ends = |row: &PlanRow<'_>| Some((row.seats.first()?.0.x, row.seats.last()?.0.x));
    let apart = ends(row).zip(ends(other)).is_some_and(|(a, b)| a.1 < b.0 || b.1 < a.0);
    row.name == other.name && apart
}

fn line_numbers(lines: &[Line<'_, '_>], usual: i64) -> Vec<i64> {
    let depths: Vec<i64> = lines.windows(2).map(|pair| pair[1].y - pair[0].y).collect();
    let between_rows = |depth: &i64| 2 * *depth > usual;
    let usual_depth = median(depths.iter().copied().filter(between_rows).collect()).unwrap_or(usual);
    let mut numbers = vec![0];
    for depth in depths {
        let step = if is_aisle(depth, usual_depth) { 2 } else { 1 };
        numbers.push(numbers.last().copied().unwrap_or(0) + step);
    }
    numbers
}

/// The columns of a line's seats: by position as far as they are free, one column at least between
/// neighbours and two across an aisle.
fn columns(line: &Line<'_, '_>, left: i64, y: i64, usual: i64) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut shifted_by = 0;
    for row in &line.rows {
        let usual_here = usual_in_row(row, usual);
        let mut before: Option<Position> = None;
        for (position, seat) in &row.seats {
            let joins_left = before.is_some_and(|before| !is_aisle(before.distance(*position), usual_here));
            before = Some(*position);
            let wanted = (2 * (position.x - left) + usual) / (2 * usual);
            let free = cells.last().map_or(wanted, |cell| cell.x + if joins_left { 1 } else { 2 });
            let x = wanted.max(free);
            shifted_by = x - wanted;
            cells.push(Cell { seat: *seat, x, y, joins_left });
        }
    }
    // A row that needs more columns than its width has is drawn around its middle.
    cells.iter_mut().for_each(|cell| cell.x -= (shifted_by + 1) / 2);
    cells
}

fn usual_in_row(row: &PlanRow<'_>, usual: i64) -> i64 {
    const FEW: usize = 4;
    let own = median(row.seats.windows(2).map(|pair| pair[0].0.distance(pair[1].0)).collect());
    own.filter(|own| row.seats.len() >= FEW && 2 * own <= 5 * usual).unwrap_or(usual).max(1)
}
