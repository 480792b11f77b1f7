//! A hall as text, to look at before it is imported: what is in it, and where each seat stands.

use std::fmt::Write as _;

use super::{Category, Layout, Seat};

#[cfg(test)]
mod tests;

/// The hall in lines, each ended: how many seats there are of each category, and a picture with
/// the screen above. A seat is its category's letter, with `+` after it for a wheelchair space, `=` between the
/// seats of a love seat, `|` where seats side by side are no neighbours. Each line names its row, and its first and
/// last seat.
#[must_use]
pub fn draw(layout: &Layout) -> String {
    let seats = layout.seats();
    let symbols = symbols(layout.categories());
    let mut text = String::new();
    let all = count(seats, seats.iter().filter(|seat| seat.wheelchair).count());
    let _ = writeln!(text, "{}: {all}", layout.id());
    for ((category, symbol), index) in layout.categories().iter().zip(&symbols).zip(0_usize..) {
        let of_it: Vec<&Seat> = seats.iter().filter(|seat| usize::from(seat.category) == index).collect();
        let wheelchair = of_it.iter().filter(|seat| seat.wheelchair).count();
        let _ = writeln!(text, "  {symbol}  {}: {}", category.name, count(&of_it, wheelchair));
    }
    let left = seats.iter().map(|seat| seat.x).min().unwrap_or(0);
    let right = seats.iter().map(|seat| seat.x).max().unwrap_or(0);
    let width = 2 * usize::from(right - left) + 2;
    let margin = seats.iter().map(|seat| seat.row.chars().count()).max().unwrap_or(0);
    let _ = writeln!(text, "\n  {:margin$}  {:^width$}", "", "screen");
    let mut y = seats.first().map_or(0, |seat| seat.y);
    for line in seats.chunk_by(|a, b| a.y == b.y) {
        let [first, ..] = line else { continue };
        text.extend((y + 1..first.y).map(|_| '\n'));
        y = first.y;
        let last = line.last().unwrap_or(first);
        let _ = write!(text, "  {:<margin$}  {:<width$}", first.row, cells(line, left, layout, &symbols));
        let _ = writeln!(text, "  {} … {}", first.label, last.label);
    }
    text
}

fn count<T>(seats: &[T], wheelchair: usize) -> String {
    let plural = |count| if count == 1 { "" } else { "s" };
    let spaces = match wheelchair {
        0 => String::new(),
        spaces => format!(", {spaces} wheelchair space{}", plural(spaces)),
    };
    format!("{} seat{}{spaces}", seats.len(), plural(seats.len()))
}

/// Two characters for each column.
fn cells(line: &[Seat], left: u16, layout: &Layout, symbols: &[char]) -> String {
    let mut text = String::new();
    let mut column = left;
    for (at, seat) in line.iter().enumerate() {
        text.extend((column..seat.x).map(|_| "  "));
        column = seat.x.saturating_add(1);
        let right = seat.right.and_then(|right| layout.seat(right));
        let beside = line.get(at + 1).is_some_and(|next| next.x == column);
        let mark = match right {
            _ if seat.wheelchair => '+',
            Some(right) if seat.group.is_some() && right.group == seat.group => '=',
            None if beside => '|',
            Some(_) | None => ' ',
        };
        text.extend([symbols.get(usize::from(seat.category)).copied().unwrap_or('#'), mark]);
    }
    text
}

/// A letter for each category: its key if that is one, else one of its name, else any that is free.
fn symbols(categories: &[Category]) -> Vec<char> {
    let mut symbols: Vec<char> = Vec::with_capacity(categories.len());
    for category in categories {
        let mut key = category.key.chars();
        let key = key.next().filter(|_| key.next().is_none());
        let of_name = category.name.chars().filter(|c| c.is_ascii_alphanumeric()).map(|c| c.to_ascii_uppercase());
        let mut candidates = key.into_iter().chain(of_name).chain('A'..='Z').chain('a'..='z').chain('0'..='9');
        symbols.push(candidates.find(|symbol| !symbols.contains(symbol)).unwrap_or('#'));
    }
    symbols
}
