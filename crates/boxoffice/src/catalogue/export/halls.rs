//! A hall as its drawing, if a drawing reads back to the very same seats; else seat by seat.

use serde_json::{Map, Value, json};

use super::table::{list, table};
use crate::layout::sketch::{self, DEFAULT_LABEL, Numbering, RowSketch, Sketch};
use crate::layout::{Category, Layout, Seat};

/// How labels are made of row and number in most halls.
const PATTERNS: [&str; 6] =
    [DEFAULT_LABEL, "{row}{number:02}", "{row}-{number}", "{row} {number}", "{row}-{number:02}", "{number}"];
const NUMBERINGS: [Numbering; 3] = [Numbering::FromLeft, Numbering::FromRight, Numbering::OddEven];

pub(super) fn layout(layout: &Layout) -> Value {
    let (mut table, rest) = (Map::new(), drawn(layout).unwrap_or_else(|| seat_by_seat(layout)));
    table.insert("id".to_owned(), json!(layout.id()));
    let categories = layout.categories().iter().map(|category| (category.key.clone(), json!(category.name)));
    table.insert("categories".to_owned(), Value::Object(categories.collect()));
    if let Value::Object(rest) = rest {
        table.extend(rest);
    }
    Value::Object(table)
}

/// Of the usual ways to draw a hall that give this one, the one with the fewest numbers written out.
fn drawn(layout: &Layout) -> Option<Value> {
    let companions: Vec<(String, String)> = companions(layout).collect();
    let rows = rows(layout)?;
    let ways = PATTERNS.iter().flat_map(|label| NUMBERINGS.map(|numbering| (*label, numbering)));
    let drawings = ways.filter_map(|(label, numbering)| {
        let of = |rows: Vec<RowSketch>| Sketch {
            id: layout.id().clone(),
            categories: layout.categories().to_vec(),
            rows,
            numbering,
            label: label.to_owned(),
            companions: Vec::new(),
        };
        let counted = |(row, seats): &(RowSketch, &[Seat])| {
            let plain = of(vec![RowSketch { numbers: None, ..row.clone() }]);
            let same = |read: &Layout| names(read.seats()).eq(names(seats));
            seats.is_empty() || sketch::read(&plain).is_ok_and(|(read, _)| same(&read))
        };
        let numbered = rows.iter().map(|row| match counted(row) {
            true => RowSketch { numbers: None, ..row.0.clone() },
            false => row.0.clone(),
        });
        let sketch = Sketch { companions: companions.clone(), ..of(numbered.collect()) };
        let (read, _) = sketch::read(&sketch).ok()?;
        (read.with_version(layout.version()).parts() == layout.parts()).then_some(sketch)
    });
    let written_out = |sketch: &Sketch| sketch.rows.iter().filter(|row| row.numbers.is_some()).count();
    drawings.min_by_key(written_out).map(|sketch| drawing(&sketch))
}

fn names(seats: &[Seat]) -> impl Iterator<Item = (&str, &str)> {
    seats.iter().map(|seat| (seat.number.as_str(), seat.label.as_str()))
}

/// Companion seat and wheelchair space, by their ids.
fn companions(layout: &Layout) -> impl Iterator<Item = (String, String)> {
    layout.seats().iter().filter_map(|seat| Some((seat.id.clone(), layout.seat(seat.companion_of?)?.id.clone())))
}

/// Each line of the hall with its seats and their numbers. `None`: a line has seats of several rows.
fn rows(layout: &Layout) -> Option<Vec<(RowSketch, &[Seat])>> {
    let lines = layout.seats().chunk_by(|a, b| a.y == b.y);
    let mut rows = Vec::new();
    for seats in lines {
        let first = seats.first()?;
        if rows.len() > usize::from(first.y)
            || seats.iter().any(|seat| (&seat.row, &seat.zone) != (&first.row, &first.zone))
        {
            return None;
        }
        // A walkway has no name of its own.
        rows.resize(
            usize::from(first.y),
            (RowSketch { label: "-".into(), cells: ".".into(), ..RowSketch::default() }, &[][..]),
        );
        let row = RowSketch {
            label: first.row.clone(),
            cells: cells(seats, layout.categories())?,
            zone: first.zone.clone(),
            numbers: Some(seats.iter().map(|seat| seat.number.clone()).collect()),
            ..RowSketch::default()
        };
        rows.push((row, seats));
    }
    Some(rows)
}

fn cells(seats: &[Seat], categories: &[Category]) -> Option<String> {
    let mut cells = String::new();
    let mut x = 0;
    for (at, seat) in seats.iter().enumerate() {
        let group_of = |at: Option<usize>| seats.get(at?).and_then(|seat| seat.group);
        cells.extend(std::iter::repeat_n('.', usize::from(seat.x.checked_sub(x)?)));
        if seat.group.is_some() && group_of(at.checked_sub(1)) != seat.group {
            cells.push('(');
        }
        cells.push_str(&categories.get(usize::from(seat.category))?.key);
        if seat.wheelchair {
            cells.push('+');
        }
        if seat.group.is_some() && group_of(Some(at + 1)) != seat.group {
            cells.push(')');
        }
        x = seat.x + 1;
    }
    Some(cells)
}

fn drawing(sketch: &Sketch) -> Value {
    let numbering = Some(sketch.numbering).filter(|way| *way != Numbering::default()).map(Numbering::name);
    let label = Some(&sketch.label).filter(|label| *label != DEFAULT_LABEL);
    let companions = sketch.companions.iter().map(|(seat, space)| (seat.clone(), json!(space)));
    let companions: Map<String, Value> = companions.collect();
    table([
        ("numbering", json!(numbering)),
        ("label", json!(label)),
        ("rows", list(sketch.rows.iter().map(row))),
        ("companions", if companions.is_empty() { Value::Null } else { Value::Object(companions) }),
    ])
}

fn row(it: &RowSketch) -> Value {
    let is_a_line = it.zone.is_none() && it.numbers.is_none() && !it.label.contains(char::is_whitespace);
    if is_a_line {
        return json!(format!("{} {}", it.label, it.cells));
    }
    table([
        ("label", json!(it.label)),
        ("cells", json!(it.cells)),
        ("zone", json!(it.zone)),
        ("numbers", json!(it.numbers)),
    ])
}

fn seat_by_seat(layout: &Layout) -> Value {
    let id_of = |no| layout.seat(no).map(|seat| seat.id.clone());
    let seat = |seat: &Seat| {
        table([
            ("id", json!(seat.id)),
            ("label", json!(Some(&seat.label).filter(|label| **label != seat.id))),
            ("row", json!(seat.row)),
            ("number", json!(seat.number)),
            ("zone", json!(seat.zone)),
            ("x", json!(seat.x)),
            ("y", json!(seat.y)),
            ("category", json!(layout.category_of(seat).key)),
            ("wheelchair", json!(seat.wheelchair.then_some(true))),
            ("love_seat", json!(seat.group)),
            ("companion_of", json!(seat.companion_of.and_then(id_of))),
            ("joins_right", json!(seat.right.map(|_| true))),
        ])
    };
    table([("seats", list(layout.seats().iter().map(seat)))])
}
