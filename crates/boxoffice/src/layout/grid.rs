//! Reads a hall from a grid of cells as a spreadsheet saves it: one cell for each place, `A1` or
//! `CATEGORY:A1`, a `+` after it for a wheelchair space; an empty cell is an aisle. Mistakes are told with the
//! cell's address, `C7`, every one of them.

use super::placed::{Placed, Remark, name_problem, seated};
use super::sketch::{MAX_ROW_CHARS, MAX_ROWS};
use super::{Category, Seat, canonical};

#[cfg(test)]
mod tests;

/// Cells of one line.
pub const MAX_COLUMNS: usize = MAX_ROW_CHARS;

/// What may part the cells of a line.
const DELIMITERS: [(u8, &str); 3] = [(b',', "a comma"), (b';', "a semicolon"), (b'\t', "a tab")];

/// On which side of a drawn hall the screen is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScreenSide {
    #[default]
    Top,
    /// The hall is turned around, so that what is drawn on the left is on the right of who faces the screen.
    Bottom,
}

/// The seats of a grid in the layout's order, and warnings. A cell names its category by key or
/// name; where there is one category only, it need not.
///
/// # Errors
/// Everything that is wrong, cell by cell.
pub fn read(text: &str, categories: &[Category], screen: ScreenSide) -> Result<(Vec<Seat>, Vec<Remark>), Vec<Remark>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    let text = text.trim_end_matches('\n');
    let delimiter = delimiter(text).map_err(|detail| vec![Remark::whole(detail)])?;
    let lines: Vec<&str> = text.split('\n').collect();
    if lines.len() > MAX_ROWS {
        let detail = format!("the grid has {} lines; a hall can have {MAX_ROWS} rows", lines.len());
        return Err(vec![Remark::whole(detail)]);
    }
    let (found, mut errors) = cells(&lines, delimiter);
    let right = found.iter().map(|(x, _, _)| *x).max().unwrap_or(0);
    let bottom = found.iter().map(|(_, y, _)| *y).max().unwrap_or(0);
    let mut placed = Vec::with_capacity(found.len());
    for (x, y, cell) in &found {
        let at = address(*x, *y);
        match seat(cell, categories) {
            Ok(seat) => {
                let (x, y) = match screen {
                    ScreenSide::Top => (*x, *y),
                    ScreenSide::Bottom => (right - x, bottom - y),
                };
                placed.push(Placed { at, joins_left: false, seat: Seat { x, y, ..seat } });
            }
            Err(detail) => errors.push(Remark::at(&at, detail)),
        }
    }
    if errors.is_empty() { seated(with_neighbours(placed)) } else { Err(errors) }
}

/// The one mark that parts the cells.
fn delimiter(text: &str) -> Result<u8, String> {
    let mut quoted = false;
    let mut seen = [false; DELIMITERS.len()];
    for byte in text.bytes() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' => quoted = false,
            other if !quoted => {
                for (mark, (delimiter, _)) in seen.iter_mut().zip(DELIMITERS) {
                    *mark |= other == delimiter;
                }
            }
            _ => {}
        }
    }
    let mut used = DELIMITERS.iter().zip(seen).filter(|(_, seen)| *seen).map(|(delimiter, _)| delimiter);
    match (used.next(), used.next()) {
        (None, _) => Ok(b','),
        (Some((delimiter, _)), None) => Ok(*delimiter),
        (Some((_, one)), Some((_, other))) => {
            Err(format!("the cells are parted by {one} here and by {other} there; save it with one of them"))
        }
    }
}

/// The cells that are not empty, each with its column and line from 0, and the lines that cannot be read.
fn cells(lines: &[&str], delimiter: u8) -> (Vec<(u16, u16, String)>, Vec<Remark>) {
    // The reader skips empty lines, which count here.
    let filled: Vec<&str> = lines.iter().map(|line| if line.is_empty() { "\"\"" } else { line }).collect();
    let text = filled.join("\n");
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    let (mut cells, mut errors) = (Vec::new(), Vec::new());
    let mut read: u16 = 0;
    for (record, y) in reader.records().zip(0..) {
        let Ok(record) = record else { break };
        // A line that runs on into the next shifts all that follow.
        if record.iter().any(|cell| cell.contains('\n')) {
            break;
        }
        read = y + 1;
        if record.len() > MAX_COLUMNS {
            let detail = format!("the line has {} cells; a row can have {MAX_COLUMNS}", record.len());
            errors.push(Remark::at(&address(0, y), detail));
            continue;
        }
        let texts = record.iter().map(canonical).zip(0..);
        cells.extend(texts.filter(|(text, _)| !text.is_empty()).map(|(text, x)| (x, y, text)));
    }
    if usize::from(read) < lines.len() {
        let detail = "a quote is never closed in this line; a cell holds no line break";
        errors.push(Remark::at(&address(0, read), detail));
    }
    (cells, errors)
}

/// The seat that a cell's text means; where it stands is filled in by the caller.
fn seat(cell: &str, categories: &[Category]) -> Result<Seat, String> {
    let (text, wheelchair) = match cell.strip_suffix('+') {
        Some(text) => (text.trim_end(), true),
        None => (cell, false),
    };
    let (category, label) = match text.split_once(':') {
        Some((category, label)) => (named(category.trim(), categories)?, label.trim()),
        None if categories.len() == 1 => (0, text),
        None => {
            return Err(format!("`{text}` names no category; write it before the seat, {}", such_as(categories, text)));
        }
    };
    if label.contains('+') {
        return Err("`+` marks a wheelchair space; write it once, after the seat".to_owned());
    }
    if let Some(detail) = name_problem("seat", label) {
        return Err(detail);
    }
    let (row, number) = row_and_number(label);
    Ok(Seat {
        id: label.to_owned(),
        label: label.to_owned(),
        row: row.to_owned(),
        number: number.to_owned(),
        zone: None,
        x: 0,
        y: 0,
        category,
        wheelchair,
        group: None,
        companion_of: None,
        right: None,
    })
}

fn named(name: &str, categories: &[Category]) -> Result<u16, String> {
    let by =
        |what: fn(&Category) -> &str| categories.iter().zip(0..=u16::MAX).find(|(category, _)| what(category) == name);
    let found = by(|category| &category.key).or_else(|| by(|category| &category.name));
    found.map(|(_, index)| index).ok_or_else(|| {
        let known: Vec<String> =
            categories.iter().map(|category| format!("`{}` ({})", category.key, category.name)).collect();
        format!("`{name}` is no category of this layout; it has {}", known.join(", "))
    })
}

fn such_as(categories: &[Category], label: &str) -> String {
    let key = categories.first().map_or("", |category| &category.key);
    format!("such as `{key}:{label}`")
}

/// Parts a label into row and number, for neighbours and for tickets; the label itself stays as
/// it is. `J01` is number 01 of row J, `12A` seat A of row 12, `Sofa` a seat of no row.
fn row_and_number(label: &str) -> (&str, &str) {
    let digits = |text: &str| text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let ending = digits(label);
    if ending > 0 {
        let (row, number) = label.split_at(label.len() - ending);
        return (row.trim_end_matches(is_mark), number);
    }
    let letters = label.trim_end_matches(char::is_alphabetic);
    let count = digits(letters);
    if count == 0 || letters.len() == label.len() {
        return ("", label);
    }
    let row = letters.get(..letters.len() - count).unwrap_or_default();
    if row.is_empty() {
        return label.split_at(letters.len());
    }
    (row.trim_end_matches(is_mark), label.get(row.len()..).unwrap_or_default())
}

/// What people write between row and number.
fn is_mark(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '.' | '/' | '_')
}

/// Seats in cells side by side are neighbours if they are of one row.
fn with_neighbours(mut placed: Vec<Placed>) -> Vec<Placed> {
    placed.sort_by_key(|here| (here.seat.y, here.seat.x));
    let beside = |left: &Seat, seat: &Seat| (left.y, left.x + 1, &left.row) == (seat.y, seat.x, &seat.row);
    let joins: Vec<bool> = placed.windows(2).map(|pair| beside(&pair[0].seat, &pair[1].seat)).collect();
    for (here, joins) in placed.iter_mut().skip(1).zip(joins) {
        here.joins_left = joins;
    }
    placed
}

/// The cell's name in a spreadsheet: `C7` is the third of the seventh line.
fn address(x: u16, y: u16) -> String {
    let mut letters = Vec::new();
    let mut rest = u32::from(x) + 1;
    while rest > 0 {
        letters.push(char::from_u32(u32::from(b'A') + (rest - 1) % 26).unwrap_or('?'));
        rest = (rest - 1) / 26;
    }
    let column: String = letters.into_iter().rev().collect();
    format!("{column}{}", u32::from(y) + 1)
}
