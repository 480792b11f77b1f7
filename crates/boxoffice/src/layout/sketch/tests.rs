//! Drawings and the halls they become, mistakes and what is said about them.

use super::{DEFAULT_LABEL, MAX_ROWS, Numbering, Problem, RowSketch, Sketch, read};
use crate::id::CatalogueId;
use crate::layout::{Category, Layout, Named};

mod fixtures;
mod properties;

/// Rows one a line, with `S` for standard and `P` for premium.
fn sketch(rows: &str) -> Sketch {
    let category = |key: &str, name: &str| Category { key: key.to_owned(), name: name.to_owned() };
    Sketch {
        id: CatalogueId::new("hall").expect("an id"),
        categories: vec![category("S", "Standard"), category("P", "Premium")],
        rows: rows.lines().map(RowSketch::from_line).collect(),
        numbering: Numbering::FromLeft,
        label: DEFAULT_LABEL.to_owned(),
        companions: Vec::new(),
    }
}

/// The ids as they stand in the hall: `-` between neighbours, `+` after a wheelchair space,
/// brackets around a love seat, `*` after a companion seat, `!` after a premium seat, a line a row.
fn picture(layout: &Layout) -> String {
    let mut picture = String::new();
    let seats = layout.seats();
    for (seat, at) in seats.iter().zip(0..) {
        let left = seats.get(usize::wrapping_sub(at, 1));
        if let Some(left) = left {
            let gap = if left.right.is_some_and(|no| no.index() == at) { "-" } else { " " };
            picture.push_str(if left.y == seat.y { gap } else { "\n" });
        }
        let group_begins = seat.group.is_some() && left.is_none_or(|left| left.group != seat.group);
        let group_ends = seat.group.is_some() && seats.get(at + 1).is_none_or(|right| right.group != seat.group);
        let mark = |is: bool, mark: &'static str| if is { mark } else { "" };
        picture.push_str(mark(group_begins, "("));
        picture.push_str(&seat.id);
        picture.push_str(mark(seat.wheelchair, "+"));
        picture.push_str(mark(seat.companion_of.is_some(), "*"));
        picture.push_str(mark(seat.category == 1, "!"));
        picture.push_str(mark(group_ends, ")"));
    }
    picture
}

fn check(sketch: &Sketch, expected: &str) {
    match read(sketch) {
        Ok((layout, _)) => assert_eq!(picture(&layout), expected, "{sketch:?}"),
        Err(errors) => panic!("{sketch:?}: {errors}"),
    }
}

#[test]
fn rows_become_seats() {
    let table = [
        ("A SSS", "A1-A2-A3"),
        ("A SS.S", "A1-A2 A3"),
        ("A .SS..S.", "A1-A2 A3"),
        ("A SS_S", "A1-A2 A4"),
        ("A _SS", "A2-A3"),
        ("A S+S", "A1+-A2"),
        ("A SS+", "A1-A2+"),
        ("A (SS)S", "(A1-A2)-A3"),
        ("A (SS)(SS)", "(A1-A2)-(A3-A4)"),
        ("A (SS)\nB (PPP)", "(A1-A2)\n(B1!-B2!-B3!)"),
        ("A SP", "A1-A2!"),
        ("AA   SS", "AA1-AA2"),
        ("  A SS  ", "A1-A2"),
        ("A SS\n- ....\nB SS", "A1-A2\nB1-B2"),
    ];
    for (rows, expected) in table {
        check(&sketch(rows), expected);
    }
}

#[test]
fn numbers_run_as_the_row_says() {
    use Numbering::{FromLeft, FromRight, OddEven};
    let table = [
        (FromLeft, None, "A SS_S.S", "A1-A2 A4 A5"),
        (FromLeft, Some(11), "A SS", "A11-A12"),
        (FromLeft, Some(0), "A SS", "A0-A1"),
        (FromRight, None, "A SS_S.S", "A5-A4 A2 A1"),
        (FromRight, Some(7), "A SS", "A8-A7"),
        (OddEven, None, "A SSS.SSS", "A5-A3-A1 A2-A4-A6"),
        (OddEven, None, "A SSSSSS", "A5-A3-A1-A2-A4-A6"),
        (OddEven, None, "A SSSSS", "A5-A3-A1-A2-A4"),
        (OddEven, None, "A S.SSSS", "A1 A2-A4-A6-A8"),
        (OddEven, None, "A ..SS.SS..", "A3-A1 A2-A4"),
        (OddEven, None, "A S.SS.S", "A3 A1-A2 A4"),
        (OddEven, None, "A S.S..S.S", "A3 A1 A2 A4"),
        (OddEven, None, "A SS_.SS", "A5-A3 A2-A4"),
        (OddEven, Some(100), "A SS.SS", "A103-A101 A100-A102"),
        (OddEven, Some(101), "A SS.SS", "A103-A101 A102-A104"),
    ];
    for (numbering, first_number, row, expected) in table {
        let mut by_layout = sketch(row);
        by_layout.numbering = numbering;
        by_layout.rows[0].first_number = first_number;
        check(&by_layout, expected);
        let mut by_row = sketch(row);
        by_row.numbering = FromRight;
        by_row.rows[0].numbering = Some(numbering);
        by_row.rows[0].first_number = first_number;
        check(&by_row, expected);
    }
}

#[test]
fn labels_follow_the_pattern() {
    let table = [
        ("{row}{number}", "A1-A2"),
        ("{row}{number:02}", "A01-A02"),
        ("{row}-{number:03}", "A-001-A-002"),
        ("{number}", "1-2"),
        ("Seat {number} row {row}", "Seat 1 row A-Seat 2 row A"),
        (" {row} {number} ", "A 1-A 2"),
    ];
    for (pattern, expected) in table {
        let mut sketch = sketch("A SS");
        sketch.label = pattern.to_owned();
        check(&sketch, expected);
    }
    let mut written = sketch("A S.SS");
    written.label = "{row}{number:02}".to_owned();
    written.rows[0].numbers = Some(["7", "7a", "01"].map(str::to_owned).to_vec());
    check(&written, "A7 A7a-A01");
    let (layout, _) = read(&written).expect("a hall");
    assert_eq!(layout.seats()[2].number, "01");
}

#[test]
fn zones_part_equal_labels_and_companions_are_named() {
    let mut sketch = sketch("A S+SS\nA S+S");
    sketch.rows[1].zone = Some("balcony".to_owned());
    sketch.companions =
        [("A2", "A1"), ("balcony:A2", "balcony:A1")].map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec();
    check(&sketch, "A1+-A2*-A3\nbalcony:A1+-balcony:A2*");
    let (layout, _) = read(&sketch).expect("a hall");
    assert_eq!(layout.seats()[4].companion_of, layout.by_id("balcony:A1"));
    assert!(matches!(layout.named("A1"), Named::Several(seats) if seats.len() == 2));
    assert_eq!(layout.version(), 0);
    let seat = &layout.seats()[1];
    assert_eq!((seat.row.as_str(), seat.number.as_str(), seat.x, seat.y), ("A", "2", 1, 0));
}

/// All errors of a drawing, as they are told.
fn mistakes(sketch: &Sketch) -> Vec<String> {
    read(sketch).expect_err("a mistake").0.iter().map(ToString::to_string).collect()
}

#[test]
fn mistakes_in_rows_are_all_reported_with_their_place() {
    let table: &[(&str, &[&str])] = &[
        ("", &["the layout has no seat"]),
        ("A ...", &["the layout has no seat"]),
        ("A", &["row 1 (`A`), cell character 1: the row has no cells"]),
        ("A SXS", &["row 1 (`A`), cell character 2: `X` is no category's key"]),
        ("A SXXY", &["character 2: `X`", "character 4: `Y`"]),
        ("A S S", &["row 1 (`A`), cell character 2: ` ` is no category's key"]),
        ("A +S", &["character 1: `+` marks the seat before it"]),
        ("A S++", &["character 3: `+`"]),
        ("A S.+", &["character 3: `+`"]),
        ("A (SS)+", &["character 5: `+`"]),
        ("A (S+S)", &["character 3: a wheelchair space cannot"]),
        ("A (SS", &["character 1: `(` is never closed"]),
        ("A SS)", &["character 3: `)` closes nothing"]),
        ("A ((SS)", &["character 2: `(` inside a love seat"]),
        ("A (S.S)", &["character 3: a love seat is broken"]),
        ("A (S_S)", &["character 3: a love seat is broken"]),
        ("A (S)", &["character 1: a love seat needs at least two"]),
        ("A ()S", &["character 1: a love seat needs at least two"]),
        ("A (SP)", &["character 1: the seats of a love seat are of different categories"]),
        ("A SS\nB X\nC (S", &["row 2 (`B`)", "row 3 (`C`), cell character 1: `(` is never closed"]),
        ("A SS\nA _S", &["row 2 (`A`), cell character 2: the seat id `A2` is given twice, first in row 1"]),
        ("A SSSSSSSSSSS\nA1 S", &["row 2 (`A1`), cell character 1: the seat id `A11`"]),
        ("A:B S", &["row 1 (`A:B`): the row's label must have"]),
    ];
    for (rows, expected) in table {
        let found = mistakes(&sketch(rows));
        assert_eq!(found.len(), expected.len(), "{rows}: {found:?}");
        for (found, expected) in found.iter().zip(*expected) {
            assert!(found.contains(expected), "{rows}: {found}");
        }
    }
}

#[test]
fn mistakes_in_fields_are_reported() {
    let strings = |texts: &[&str]| Some(texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>());
    type Change<'a> = &'a dyn Fn(&mut Sketch);
    let table: &[(Change<'_>, &str)] = &[
        (&|s| s.categories.clear(), "the layout has no category"),
        (&|s| s.categories[0].key = "ST".to_owned(), "`ST` cannot be a category's key"),
        (&|s| s.categories[0].key = "_".to_owned(), "`_` cannot be a category's key"),
        (&|s| s.categories[1].key = "S".to_owned(), "the key `S` stands for two categories"),
        (&|s| s.categories[1].name = " ".to_owned(), "the category `P` has no name"),
        (&|s| s.label = "{row}".to_owned(), "it lacks `{number}`"),
        (&|s| s.label = "{seat}".to_owned(), "only `{row}`"),
        (&|s| s.label = "{number:2}".to_owned(), "only `{row}`"),
        (&|s| s.label = "{number:0+2}".to_owned(), "only `{row}`"),
        (&|s| s.label = "{number:099999}".to_owned(), "only `{row}`"),
        (&|s| s.label = "{number".to_owned(), "never closed"),
        (&|s| s.label = "{number}}".to_owned(), "holds no `}`"),
        (&|s| s.label = "{row}:{number}".to_owned(), "colon"),
        (&|s| s.label = "x".repeat(99), "too long"),
        (&|s| s.rows[0].label.clear(), "the row's label is empty"),
        (&|s| s.rows[0].label = "x".repeat(99), "the row's label must have at most 32"),
        (&|s| s.rows[0].zone = Some(String::new()), "the zone is empty"),
        (&|s| s.rows[0].zone = Some("a:b".to_owned()), "the zone must have"),
        (&|s| s.rows[0].first_number = Some(u32::MAX), "`first_number` is 4294967295"),
        (&|s| s.rows[0].cells = "S".repeat(1_001), "drawn with 1001 characters"),
        (&|s| s.rows[0].numbers = strings(&["1"]), "names 1 seats, but 3 are drawn"),
        (&|s| s.rows[0].numbers = strings(&["1", "2", "3", "4"]), "names 4 seats, but 3 are drawn"),
        (&|s| s.rows[0].numbers = strings(&["1", "", "3"]), "the seat's number is empty"),
        (&|s| s.rows[0].numbers = strings(&["1", "1", "3"]), "the seat id `A1` is given twice"),
        (&|s| s.companions.push(("A2".to_owned(), "A9".to_owned())), "`A9`, which is not drawn"),
        (&|s| s.companions.push(("A2".to_owned(), "A1".to_owned())), "no wheelchair space"),
        (&|s| s.rows = vec![RowSketch::from_line("A S"); MAX_ROWS + 1], "at most 500"),
        (&|s| s.rows = vec![RowSketch::from_line(&format!("A {}", "S".repeat(999))); 11], "at most 10000"),
    ];
    for (change, expected) in table {
        let mut sketch = sketch("A SSS");
        change(&mut sketch);
        let found = mistakes(&sketch).join("\n");
        assert!(found.contains(expected), "{expected}: {found}");
    }

    let mut both = sketch("A S+S");
    both.rows[0].numbers = strings(&["1", "2"]);
    both.rows[0].first_number = Some(3);
    assert!(mistakes(&both)[0].contains("replaces any numbering"));
    both.rows[0].first_number = None;
    both.companions = vec![("A1".to_owned(), "A1".to_owned())];
    assert!(mistakes(&both)[0].contains("is a wheelchair space itself"));
    let mut zoned = sketch("A S\nA S");
    zoned.rows[0].zone = Some("left".to_owned());
    zoned.rows[1].zone = Some("right".to_owned());
    zoned.companions = vec![("A1".to_owned(), "left:A1".to_owned())];
    assert!(mistakes(&zoned)[0].contains("several zones"));
}

#[test]
fn case_088_labels_are_opaque_and_look_alikes_are_told() {
    let mut padded = sketch("A SSSSSSSSSSSS");
    padded.label = "{row}{number:02}".to_owned();
    let (layout, warnings) = read(&padded).expect("a hall");
    assert!(matches!(layout.named("A01"), Named::One(seat) if seat.0 == 0));
    assert!(matches!(layout.named("A1"), Named::Nothing), "01 stays 01");
    assert!(warnings.is_empty());

    let mut mixed = sketch("A SS");
    mixed.rows[0].numbers = Some(vec!["1".to_owned(), "01".to_owned()]);
    let errors = read(&mixed).expect_err("A1 and A01 look alike").0;
    assert_eq!(errors.len(), 1);
    let like = Problem::LookAlikeLabels { label: "A01".to_owned(), like: "A1".to_owned() };
    assert_eq!((errors[0].column, &errors[0].problem), (Some(2), &like));

    let (_, warnings) = read(&sketch("H S\nI S\nJ S\nl S\nO S\n0 S\nL S\n10 S\nBalcony S\nh S")).expect("a hall");
    let warned: Vec<&str> = warnings.iter().map(|warning| warning.place.label.as_str()).collect();
    assert_eq!(warned, ["I", "l", "O", "0", "L", "h"]);
    assert!(warnings[1].to_string().contains("row 4 (`l`): the row `l` looks like the row `I`"));
}

#[test]
fn case_090_aisles_never_eat_numbers() {
    let ten = "SSSSSSSSSS";
    let row = format!("A {ten}...{ten}");
    let labels = |sketch: &Sketch| -> Vec<String> {
        read(sketch).expect("a hall").0.seats().iter().map(|seat| seat.label.clone()).collect()
    };
    let plain = sketch(&row);
    let in_order: Vec<String> = (1..=20).map(|n| format!("A{n}")).collect();
    assert_eq!(labels(&plain), in_order);
    let (layout, _) = read(&plain).expect("a hall");
    assert_eq!(layout.seats()[9].right, None, "10 and 11 are not neighbours");
    assert_eq!(layout.seats()[10].x, 13);

    let mut from_right = sketch(&row);
    from_right.numbering = Numbering::FromRight;
    assert_eq!(labels(&from_right), in_order.iter().rev().cloned().collect::<Vec<_>>());

    let mut odd_even = sketch(&row);
    odd_even.numbering = Numbering::OddEven;
    let odd = (1..=10).map(|n| format!("A{}", 21 - 2 * n));
    let even = (1..=10).map(|n| format!("A{}", 2 * n));
    assert_eq!(labels(&odd_even), odd.chain(even).collect::<Vec<_>>());

    let custom: Vec<String> = (0..20).map(|n| format!("{}", 500 - 7 * n)).collect();
    let mut written = sketch(&row);
    written.rows[0].numbers = Some(custom.clone());
    assert_eq!(labels(&written), custom.iter().map(|n| format!("A{n}")).collect::<Vec<_>>());
}
