//! Which seats a request names, and in which order it is refused.

use super::sketch::{DEFAULT_LABEL, Numbering, RowSketch, Sketch, read};
use super::{Category, Layout, SeatAsk, choose};
use crate::id::CatalogueId;
use crate::refusal::Refusal;

/// Rows A and B, and a row B of the balcony.
fn hall() -> Layout {
    let rows = ["A SSS", "B SSS"].map(RowSketch::from_line);
    let balcony = RowSketch { zone: Some("balcony".to_owned()), ..RowSketch::from_line("B SSS") };
    let sketch = Sketch {
        id: CatalogueId::new("hall").expect("an id"),
        categories: vec![Category { key: "S".to_owned(), name: "Standard".to_owned() }],
        rows: rows.into_iter().chain([balcony]).collect(),
        numbering: Numbering::FromLeft,
        label: DEFAULT_LABEL.to_owned(),
        companions: Vec::new(),
    };
    read(&sketch).expect("a hall").0
}

/// Names separated by commas; `#` before an id.
fn ask(text: &str) -> Vec<SeatAsk> {
    let one = |name: &str| match name.strip_prefix('#') {
        Some(id) => SeatAsk::Id(id.to_owned()),
        None => SeatAsk::Text(name.to_owned()),
    };
    text.split(',').filter(|name| !name.is_empty()).map(one).collect()
}

fn answer(asks: &[SeatAsk]) -> String {
    match choose(&hall(), asks, 3) {
        Ok(seats) => seats.iter().map(|seat| seat.0.to_string()).collect::<Vec<_>>().join(","),
        Err(Refusal::AmbiguousSeats(ambiguous)) => format!("ambiguous-seats {}", ambiguous.ids.join(",")),
        Err(Refusal::UnknownSeats(seats)) => format!("unknown-seats {}", seats.join(",")),
        Err(Refusal::DuplicateSeats(seats)) => format!("duplicate-seats {}", seats.join(",")),
        Err(other) => other.code().to_owned(),
    }
}

#[test]
fn seats_are_named_by_label_or_id_and_refused_in_order() {
    let table = [
        ("A1", "0"),
        ("A2,A1", "1,0"),
        (" A1 ,#A3", "0,2"),
        ("#B1,balcony:B1,#balcony:B2", "3,6,7"),
        ("", "no-seats"),
        ("a1", "unknown-seats a1"),
        ("A01", "unknown-seats A01"),
        ("A 1", "unknown-seats A 1"),
        ("#A9,A1,Z1", "unknown-seats A9,Z1"),
        ("B2", "ambiguous-seats B2,balcony:B2"),
        ("B2,Z1,A1,A1", "unknown-seats Z1"),
        ("A1,A1,B2,A2,A3", "ambiguous-seats B2,balcony:B2"),
        ("A1,#A1", "duplicate-seats A1"),
        ("A2,A1,A2,A1,A2", "duplicate-seats A1,A2"),
        ("A1,A2,A3,#B1", "too-many-seats"),
    ];
    for (asks, expected) in table {
        assert_eq!(answer(&ask(asks)), expected, "{asks}");
    }
}

#[test]
fn a_decomposed_accent_names_the_same_seat() {
    let row = RowSketch::from_line("\u{c9} S");
    let rows = vec![row];
    let categories = vec![Category { key: "S".to_owned(), name: "Standard".to_owned() }];
    let id = CatalogueId::new("hall").expect("an id");
    let label = DEFAULT_LABEL.to_owned();
    let sketch = Sketch { id, categories, rows, numbering: Numbering::FromLeft, label, companions: Vec::new() };
    let (hall, _) = read(&sketch).expect("a hall");
    assert_eq!(choose(&hall, &ask("E\u{301}1"), 1).expect("the seat").len(), 1);
}

#[test]
fn absurd_requests_are_refused_by_their_length() {
    assert_eq!(answer(&ask(&"Z,".repeat(100_000))), "too-many-seats");
    let unknown = answer(&ask(&"x".repeat(5_000)));
    assert_eq!(unknown.chars().count(), "unknown-seats ".len() + 41);
}
