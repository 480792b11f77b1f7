//! What holds for any drawing: no text panics, every seat is found by its names, numbers have no
//! gaps of their own, neighbours are never across an aisle.

use proptest::prelude::*;

use super::super::{Numbering, RowSketch, read};
use super::sketch;
use crate::layout::{Layout, Named};

fn any_row() -> impl Strategy<Value = RowSketch> {
    let numbering = proptest::option::of(prop_oneof![
        Just(Numbering::FromLeft),
        Just(Numbering::FromRight),
        Just(Numbering::OddEven)
    ]);
    let numbers = proptest::option::weighted(0.3, proptest::collection::vec(".{0,3}", 0..5));
    let zone = proptest::option::weighted(0.2, ".{0,3}");
    let cells = prop_oneof!["[SP._+()x ]{0,12}", "[SP._]{1,6}"];
    (".{0,3}", cells, zone, numbering, proptest::option::weighted(0.2, 0_u32..200_000), numbers).prop_map(
        |(label, cells, zone, numbering, first_number, numbers)| RowSketch {
            label,
            cells,
            zone,
            numbering,
            first_number,
            numbers,
        },
    )
}

proptest! {
    #[test]
    fn no_text_panics(
        rows in proptest::collection::vec(any_row(), 0..6),
        label in prop_oneof![".{0,12}", ".{0,2}\\{row\\}.{0,2}\\{number\\}.{0,2}"],
        key in ".{0,2}",
        pair in (".{0,3}", ".{0,3}"),
    ) {
        let mut sketch = sketch("");
        (sketch.rows, sketch.label, sketch.companions) = (rows, label, vec![pair]);
        sketch.categories[1].key = key;
        match read(&sketch) {
            Ok((layout, _)) => every_seat_is_found_by_its_names(&layout)?,
            Err(errors) => prop_assert!(!errors.0.is_empty() && !errors.to_string().is_empty()),
        }
    }

    #[test]
    fn good_drawings_become_sound_halls(
        rows in proptest::collection::vec("[SP._]{0,8}(\\(SS\\)|S\\+)[SP._]{0,8}", 1..6),
        numbering in proptest::sample::select(vec![Numbering::FromLeft, Numbering::FromRight, Numbering::OddEven]),
    ) {
        let lines: Vec<String> = rows.iter().zip('A'..).map(|(cells, label)| format!("{label} {cells}")).collect();
        let mut sketch = sketch(&lines.join("\n"));
        sketch.numbering = numbering;
        let (layout, _) = read(&sketch).map_err(|errors| TestCaseError::fail(errors.to_string()))?;
        every_seat_is_found_by_its_names(&layout)?;
        for seat in layout.seats() {
            if let Some(right) = seat.right.and_then(|right| layout.seat(right)) {
                prop_assert_eq!((right.x, right.y), (seat.x + 1, seat.y), "never across a gap");
            }
        }
        for (cells, y) in rows.iter().zip(0..) {
            numbers_have_no_gap_but_missing_seats(&layout, cells, y, numbering)?;
        }
    }
}

fn every_seat_is_found_by_its_names(layout: &Layout) -> Result<(), TestCaseError> {
    for (seat, no) in layout.seats().iter().zip(0..) {
        prop_assert_eq!(layout.by_id(&seat.id).map(|found| found.0), Some(no));
        let by_label = match layout.named(&seat.label) {
            Named::One(found) => found.0 == no,
            Named::Several(found) => found.len() > 1 && found.iter().any(|found| found.0 == no),
            Named::Nothing => false,
        };
        prop_assert!(by_label, "{:?}", seat.label);
    }
    Ok(())
}

/// Together with one number for each `_` the seats' numbers are 1, 2, … (each side by itself for
/// odd-even, where a short side leaves its larger numbers out).
fn numbers_have_no_gap_but_missing_seats(
    layout: &Layout,
    cells: &str,
    y: u16,
    numbering: Numbering,
) -> Result<(), TestCaseError> {
    let missing = cells.matches('_').count();
    let seats = cells.matches(['S', 'P']).count();
    let mut numbers: Vec<usize> = layout
        .seats()
        .iter()
        .filter(|seat| seat.y == y)
        .map(|seat| seat.number.parse().expect("a counted number"))
        .collect();
    prop_assert_eq!(numbers.len(), seats);
    numbers.sort_unstable();
    let gaps = |numbers: &[usize], first: usize, step: usize| {
        let last = numbers.last().map_or(0, |last| (last + step - first) / step);
        last - numbers.len()
    };
    let skipped = match numbering {
        Numbering::FromLeft | Numbering::FromRight => gaps(&numbers, 1, 1),
        Numbering::OddEven => {
            let (odd, even): (Vec<usize>, Vec<usize>) = numbers.iter().partition(|number| **number % 2 == 1);
            gaps(&odd, 1, 2) + gaps(&even, 2, 2)
        }
    };
    prop_assert!(skipped <= missing, "{} numbers skipped in {}", skipped, cells);
    Ok(())
}
