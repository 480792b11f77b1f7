//! Gives the seats of a row their numbers. Aisles never eat a number; a missing seat does.

use super::cells::{Cell, Cells};
use super::error::Problem;
use super::{MAX_FIRST_NUMBER, Number, Numbering, RowSketch, canonical, name_problem};

/// One number for each seat of the row, from left to right.
pub(super) fn of_row(row: &RowSketch, default: Numbering, cells: &Cells, problems: &mut Vec<Problem>) -> Vec<Number> {
    if let Some(numbers) = &row.numbers {
        return written(row, numbers, cells, problems);
    }
    let first = row.first_number.unwrap_or(1);
    if first > MAX_FIRST_NUMBER {
        problems.push(Problem::FirstNumberTooLarge { first });
        return Vec::new();
    }
    // What has a number: `true` for a seat, `false` for a missing one.
    let numbered: Vec<bool> = cells
        .all()
        .filter_map(|cell| match cell {
            Cell::Seat(_) => Some(true),
            Cell::Missing => Some(false),
            Cell::Aisle => None,
        })
        .collect();
    let counted = count(row.numbering.unwrap_or(default), first, numbered.len(), middle(cells));
    counted.into_iter().zip(numbered).filter(|(_, is_seat)| *is_seat).map(|(n, _)| Number::Counted(n)).collect()
}

fn written(row: &RowSketch, numbers: &[String], cells: &Cells, problems: &mut Vec<Problem>) -> Vec<Number> {
    if row.numbering.is_some() || row.first_number.is_some() {
        problems.push(Problem::NumbersAndNumbering);
    }
    let seats = cells.seats().count();
    if numbers.len() != seats {
        problems.push(Problem::WrongCountOfNumbers { numbers: numbers.len(), seats });
    }
    let numbers: Vec<String> = numbers.iter().take(seats).map(|number| canonical(number)).collect();
    problems.extend(numbers.iter().find_map(|number| name_problem("seat's number", number)));
    numbers.into_iter().map(Number::Written).collect()
}

/// The numbers of `len` numbered cells from left to right, the first `left` of them left of the
/// middle. Odd-even numbering begins with the first odd and the first even number from `first` on.
fn count(numbering: Numbering, first: u32, len: usize, left: usize) -> Vec<u32> {
    match numbering {
        Numbering::FromLeft => (first..).take(len).collect(),
        Numbering::FromRight => {
            let mut numbers: Vec<u32> = (first..).take(len).collect();
            numbers.reverse();
            numbers
        }
        Numbering::OddEven => {
            let mut numbers: Vec<u32> = ((first | 1)..).step_by(2).take(left).collect();
            numbers.reverse();
            numbers.extend((first + first % 2..).step_by(2).take(len - left));
            numbers
        }
    }
}

/// How many numbered cells stand left of the row's middle: see [`Numbering::OddEven`].
fn middle(cells: &Cells) -> usize {
    let mut numbered_before = 0;
    let mut in_aisle = true;
    let mut aisles = Vec::new();
    for cell in cells.all() {
        match cell {
            Cell::Aisle if !in_aisle => {
                aisles.push(numbered_before);
                in_aisle = true;
            }
            Cell::Aisle => {}
            Cell::Seat(_) | Cell::Missing => {
                numbered_before += 1;
                in_aisle = false;
            }
        }
    }
    // What came last was the aisle along the right wall.
    if in_aisle {
        aisles.pop();
    }
    match aisles.get(aisles.len() / 2) {
        Some(before) if aisles.len() % 2 == 1 => *before,
        _ => numbered_before.div_ceil(2),
    }
}
