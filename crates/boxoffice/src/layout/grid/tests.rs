//! Grids and the halls they become, mistakes and the cells they are told at.

use super::{ScreenSide, read};
use crate::layout::{Category, Layout, LayoutParts, Named, Remark, Seat};

fn categories() -> Vec<Category> {
    let category = |key: &str, name: &str| Category { key: key.to_owned(), name: name.to_owned() };
    vec![category("P", "Parkett"), category("L", "Loge")]
}

fn one_category() -> Vec<Category> {
    categories().into_iter().take(1).collect()
}

/// A line for each row: `-` between neighbours, `+` after a wheelchair space, `!` after a seat of the
/// second category.
fn picture(seats: &[Seat]) -> String {
    let mut picture = String::new();
    for (seat, at) in seats.iter().zip(0..) {
        if let Some(left) = seats.get(usize::wrapping_sub(at, 1)) {
            let gap = if left.right.is_some_and(|no| no.index() == at) { "-" } else { " " };
            picture.push_str(if left.y == seat.y { gap } else { "\n" });
        }
        picture.push_str(&seat.label);
        picture.push_str(if seat.wheelchair { "+" } else { "" });
        picture.push_str(if seat.category == 1 { "!" } else { "" });
    }
    picture
}

fn check(text: &str, expected: &str) {
    match read(text, &one_category(), ScreenSide::Top).or_else(|_| read(text, &categories(), ScreenSide::Top)) {
        Ok((seats, _)) => assert_eq!(picture(&seats), expected, "{text:?}"),
        Err(errors) => panic!("{text:?}: {errors:?}"),
    }
}

fn mistakes(text: &str) -> Vec<String> {
    let errors = read(text, &categories(), ScreenSide::Top).expect_err(text);
    errors.iter().map(|Remark { at, detail }| format!("{}: {detail}", at.as_deref().unwrap_or("-"))).collect()
}

fn layout(text: &str) -> (Layout, Vec<Remark>) {
    let (seats, warnings) = read(text, &one_category(), ScreenSide::Top).expect("a hall");
    let id = crate::id::CatalogueId::new("hall").expect("an id");
    (Layout::from(LayoutParts { id, version: 1, categories: one_category(), seats }), warnings)
}

#[test]
fn cells_become_seats() {
    let table = [
        ("A1,A2,A3", "A1-A2-A3"),
        ("A1,A2,,A3", "A1-A2 A3"),
        (",A1,,,A2,", "A1 A2"),
        ("A1,A2\nB1,B2,B3,B4\nC1", "A1-A2\nB1-B2-B3-B4\nC1"),
        ("A1;A2\r\nB1;B2\r\n", "A1-A2\nB1-B2"),
        ("A1\tA2\rB1\t\tB2", "A1-A2\nB1 B2"),
        ("\u{feff}A1,A2", "A1-A2"),
        ("\u{feff}\"A1\",\"A2\"", "A1-A2"),
        ("A1+,A2 +,\" A3 \"", "A1+-A2+-A3"),
        ("\"A,1\";A2;\"A;3\"", "A,1 A2 A;3"),
        ("\"A \"\"1\"\"\",A2", "A \"1\" A2"),
        ("P:A1,L:A2+,Loge:A3,Parkett : A4", "A1-A2+!-A3!-A4"),
        ("A1,A2\n\n,,\nB1", "A1-A2\nB1"),
        ("A1", "A1"),
        ("A1,A2,B1,B2", "A1-A2 B1-B2"),
        ("1,2,,3", "1-2 3"),
        ("A2,A1,A10", "A2-A1-A10"),
        ("e\u{301}1,\u{e9}2", "\u{e9}1-\u{e9}2"),
    ];
    for (text, expected) in table {
        check(text, expected);
    }
}

/// The address is the spreadsheet's, empty lines counted; every mistake is told.
#[test]
fn mistakes_are_told_at_their_cells() {
    let table: [(&str, &[&str]); 18] = [
        ("", &["-: there is no seat"]),
        (",,\n;", &["-: the cells are parted by a comma here and by a semicolon there"]),
        ("A1", &["A1: `A1` names no category; write it before the seat, such as `P:A1`"]),
        ("P:A1\n\n,,X:A2", &["C3: `X` is no category of this layout; it has `P` (Parkett), `L` (Loge)"]),
        ("P:A1,Q:A2\nR:B1", &["B1: `Q` is no category", "A2: `R` is no category"]),
        ("P:", &["A1: the seat is empty"]),
        ("+", &["A1: `` names no category"]),
        ("P:A1++", &["A1: `+` marks a wheelchair space; write it once"]),
        ("P:A:1", &["A1: the seat must have at most 32 characters, no colon"]),
        ("P:A1,,P:A1", &["C1: the seat `A1` stands at A1 already; give each seat its own"]),
        ("P:A1\n,L:A1", &["B2: the seat `A1` stands at A1 already"]),
        ("P:A1,P:A01", &["B1: `A01` looks like `A1` at A1, of the same row; write both with the same count"]),
        ("P:A1,\"P:A2\nP:B1", &["A1: a quote is never closed in this line; a cell holds no line break"]),
        ("P:A1,P:A2;P:A3", &["-: the cells are parted by a comma here and by a semicolon there; save it with one"]),
        ("P:A1\tP:A2,", &["-: the cells are parted by a comma here and by a tab there"]),
        ("P:A1\n\nP:A\"3,\"P:B1\nP:C1\nP:C1", &["A3: a quote is never closed"]),
        ("P:A\u{0}1", &["A1: the seat must have"]),
        (",,,,,,,,,,,,,,,,,,,,,,,,,,,X", &["AB1: `X` names no category"]),
    ];
    for (text, expected) in table {
        let said = mistakes(text);
        assert_eq!(said.len(), expected.len(), "{text:?}: {said:?}");
        for (said, expected) in said.iter().zip(expected) {
            assert!(said.starts_with(expected), "{text:?}: {said}");
        }
    }
    let long = format!("P:{}", "x".repeat(33));
    assert!(mistakes(&long)[0].contains("at most 32 characters"));
    assert!(mistakes(&",".repeat(super::MAX_COLUMNS))[0].contains("1001 cells; a row can have 1000"));
    assert!(mistakes(&"P:A1\n".repeat(501))[0].contains("501 lines; a hall can have 500 rows"));
    let row: Vec<String> = (0..1_000).map(|n| format!("P:A{n}")).collect();
    let big: Vec<String> = ('A'..='K').map(|letter| row.join(",").replace(":A", &format!(":{letter}"))).collect();
    assert!(mistakes(&big.join("\n"))[0].contains("11000 seats; a layout can have 10000"));
}

#[test]
fn labels_are_parted_into_row_and_number() {
    let table = [
        ("A1", "A", "1"),
        ("J01", "J", "01"),
        ("AA 12", "AA", "12"),
        ("3-12", "3", "12"),
        ("12A", "12", "A"),
        ("A12a", "A", "12a"),
        ("12", "", "12"),
        ("Sofa", "", "Sofa"),
        ("Loge 2 left", "", "Loge 2 left"),
        ("Ä7", "Ä", "7"),
        ("7é", "7", "é"),
        ("-", "", "-"),
    ];
    for (label, row, number) in table {
        assert_eq!(super::row_and_number(label), (row, number), "{label}");
    }
}

/// Who draws the screen below looks at the hall from the other side.
#[test]
fn a_screen_at_the_bottom_turns_the_hall() {
    let text = "B1,B2,,B3\n,A1,A2";
    let (seats, _) = read(text, &one_category(), ScreenSide::Bottom).expect("a hall");
    assert_eq!(picture(&seats), "A2-A1\nB3 B2-B1");
    let places: Vec<(u16, u16)> = seats.iter().map(|seat| (seat.x, seat.y)).collect();
    assert_eq!(places, [(1, 0), (2, 0), (0, 1), (2, 1), (3, 1)]);
}

#[test]
fn case_088_a_grid_keeps_labels_and_tells_look_alikes() {
    let padded: Vec<String> = (1..=12).map(|n| format!("A{n:02}")).collect();
    let (hall, warnings) = layout(&padded.join(","));
    assert_eq!(warnings, []);
    assert_eq!(hall.seats().iter().map(|seat| seat.label.clone()).collect::<Vec<_>>(), padded, "01 stays 01, in order");
    assert_eq!((hall.named("A1"), hall.named("A01")), (Named::Nothing, Named::One(crate::id::SeatNo(0))));
    for written in ["a1", "A01", "A 1", "A-1", " a001 ", "A1"] {
        assert_eq!(hall.searched(written), Named::One(crate::id::SeatNo(0)), "{written:?}");
    }
    assert_eq!(hall.searched("A13"), Named::Nothing);
    let (two, _) = layout("1-12,,11-2");
    assert_eq!(two.searched("1 12"), Named::One(crate::id::SeatNo(0)), "and not 11-2");
    let (_, warnings) = layout("H1\nI1\nJ1\nl1\nO1\n01\nL1\nh1");
    let warned: Vec<&str> = warnings.iter().filter_map(|warning| warning.at.as_deref()).collect();
    assert_eq!(warned, ["A2", "A4", "A5", "A7", "A8"]);
}

#[test]
fn case_090_a_gap_in_a_grid_eats_no_number_and_parts_neighbours() {
    let numbers = |from: u16, to: u16| (from..=to).map(|n| format!("A{n}")).collect::<Vec<_>>().join(",");
    let (hall, _) = layout(&format!("{},,,,{}", numbers(1, 10), numbers(11, 20)));
    let (ten, eleven) = (&hall.seats()[9], &hall.seats()[10]);
    assert_eq!((ten.label.as_str(), eleven.label.as_str()), ("A10", "A11"));
    assert_eq!((ten.right, ten.x, eleven.x), (None, 9, 13));
    assert_eq!(hall.seats().iter().filter(|seat| seat.right.is_some()).count(), 18);
    // Any numbers are kept: from the right, odd and even, or none that anybody could count.
    for custom in ["A4,A3,,A2,A1", "A3,A1,,A2,A4", "A500,A493,,A7,A9a"] {
        let kept: Vec<String> = layout(custom).0.seats().iter().map(|seat| seat.label.clone()).collect();
        assert_eq!(kept, custom.split(',').filter(|cell| !cell.is_empty()).collect::<Vec<_>>());
    }
}
