//! Positions and the grids they become.

use super::{PlanSeat, Row, ScreenSide, Zone, read};
use crate::layout::{Remark, Seat};

/// A row of seats numbered from 1, at these places across and back.
fn row(name: &str, y: i64, xs: &[i64]) -> Row {
    let seat = |(x, n): (&i64, usize)| PlanSeat {
        at: format!("{name}[{n}]"),
        guid: format!("{name}-{n}@{y}"),
        number: n.to_string(),
        category: 0,
        wheelchair: false,
        x: x * 1_000,
        y: y * 1_000,
    };
    Row { name: name.to_owned(), seats: xs.iter().zip(1..).map(seat).collect() }
}

fn zone(rows: Vec<Row>) -> Zone {
    Zone { name: None, rows }
}

/// Lines as they are drawn: two characters for a column, `-` between neighbours.
fn picture(seats: &[Seat]) -> Vec<String> {
    let lines = seats.last().map_or(0, |seat| seat.y + 1);
    let mut picture = vec![String::new(); usize::from(lines)];
    for seat in seats {
        let line = &mut picture[usize::from(seat.y)];
        while line.chars().count() < 2 * usize::from(seat.x) {
            let joined = line.ends_with('-');
            line.push(if joined { '-' } else { ' ' });
        }
        line.push_str(&seat.number);
        line.push(if seat.right.is_some() { '-' } else { ' ' });
    }
    picture.iter().map(|line| line.trim_end().to_owned()).collect()
}

fn check(zones: &[Zone], expected: &[&str]) {
    match read(zones, "{row}{number}", ScreenSide::Top) {
        Ok((seats, _)) => assert_eq!(picture(&seats), expected, "{zones:?}"),
        Err(errors) => panic!("{zones:?}: {errors:?}"),
    }
}

fn mistakes(zones: &[Zone]) -> Vec<String> {
    let errors = read(zones, "{row}{number}", ScreenSide::Top).expect_err("a mistake");
    errors.iter().map(|Remark { at, detail }| format!("{}: {detail}", at.as_deref().unwrap_or("-"))).collect()
}

#[test]
fn positions_become_columns_and_rows() {
    check(&[zone(vec![row("A", 0, &[0, 25, 50])])], &["1-2-3"]);
    check(&[zone(vec![row("A", 0, &[50, 0, 25])])], &["2-3-1"]);
    // Up to one and a half times the usual distance is a neighbour, more is an aisle.
    check(&[zone(vec![row("A", 0, &[0, 20, 40, 70, 90])])], &["1-2-3---4-5"]);
    check(&[zone(vec![row("A", 0, &[0, 20, 40, 71, 91])])], &["1-2-3   4-5"]);
    check(&[zone(vec![row("A", 0, &[0, 20, 40, 100, 120])])], &["1-2-3     4-5"]);
    // Rows stand under one another, a walkway across stays.
    let hall = vec![row("A", 0, &[25, 50]), row("B", 30, &[0, 25, 50, 75]), row("C", 90, &[0, 25])];
    check(&[zone(hall)], &["  1-2", "1-2-3-4", "", "1-2"]);
    // A row of wide seats has a usual distance of its own; two lonely seats at the walls have none.
    let wide = vec![row("A", 0, &[0, 20, 40, 60, 80]), row("V", 25, &[0, 40, 80, 120]), row("W", 50, &[0, 80])];
    check(&[zone(wide)], &["1-2-3-4-5", "1---2---3---4", "1       2"]);
    // Half a column more to the left or right is rounded one way.
    check(&[zone(vec![row("A", 0, &[0, 20, 40]), row("B", 20, &[10, 30])])], &["1-2-3", "  1-2"]);
    check(&[zone(vec![row("A", 7, &[500])])], &["1"]);
}

#[test]
fn a_bent_row_is_one_line() {
    let mut bent = row("A", 0, &[0, 20, 40, 60, 80, 100]);
    for (seat, y) in bent.seats.iter_mut().zip([18, 8, 0, 0, 8, 18]) {
        seat.y = y * 1_000;
    }
    check(&[zone(vec![bent, row("B", 30, &[0, 20, 40, 60, 80, 100])])], &["1-2-3-4-5-6", "1-2-3-4-5-6"]);
    // One that bends so far that its seats come closer across keeps its seats, around its middle.
    let mut steep = row("A", 0, &[30, 40, 60, 80, 90]);
    for (seat, y) in steep.seats.iter_mut().zip([17, 0, 0, 0, 17]) {
        seat.y = y * 1_000;
    }
    check(&[zone(vec![steep, row("B", 60, &[0, 20, 40, 60, 80, 100])])], &["  1-2-3-4-5", "1-2-3-4-5-6"]);
}

/// Two zones side by side share their lines where the rows have one name.
#[test]
fn rows_of_one_name_beside_each_other_share_a_line() {
    let named = |name: &str, rows| Zone { name: Some(name.to_owned()), rows };
    let left = named("left", vec![row("A", 0, &[0, 25]), row("B", 25, &[0, 25])]);
    let mut right = named("right", vec![row("A", 0, &[75, 100]), row("C", 25, &[75, 100])]);
    for seat in right.rows.iter_mut().flat_map(|row| &mut row.seats) {
        seat.guid.push('r');
    }
    let (seats, _) = read(&[left.clone(), right], "{row}{number}", ScreenSide::Top).expect("a hall");
    assert_eq!(picture(&seats), ["1-2   1-2", "1-2", "      1-2"]);
    let zones: Vec<&str> = seats.iter().filter_map(|seat| seat.zone.as_deref()).collect();
    assert_eq!(zones, ["left", "left", "right", "right", "left", "left", "right", "right"]);
    // In one zone two seats of one label cannot be told apart.
    let mut again = left.clone();
    for seat in again.rows.iter_mut().flat_map(|row| &mut row.seats) {
        (seat.x, seat.guid) = (seat.x + 75_000, format!("{}r", seat.guid));
    }
    assert_eq!(
        mistakes(&[left, again])[0],
        "A[1]: another seat is called `A1`, too: the one at A[1]; give each its own"
    );
}

#[test]
fn a_screen_at_the_bottom_turns_the_plan() {
    let rows = vec![row("B", 0, &[0, 25, 75]), row("A", 30, &[25, 50])];
    let (seats, _) = read(&[zone(rows)], "{row}{number}", ScreenSide::Bottom).expect("a hall");
    assert_eq!(picture(&seats), ["  2-1", "3   2-1"]);
    assert_eq!(seats[0].row, "A");
}

#[test]
fn what_cannot_be_a_hall_is_refused() {
    let mut twice = zone(vec![row("A", 0, &[0, 25]), row("B", 25, &[0, 25])]);
    twice.rows[1].seats[0].guid = "A-2@0".to_owned();
    assert_eq!(mistakes(&[twice.clone()]), ["B[1]: the seat `A-2@0` stands at A[2] already; give each seat its own"]);
    twice.rows[1].seats[0].guid = "A2".to_owned();
    assert_eq!(mistakes(&[twice]), ["A[2]: this seat is called `A2`, which is the id of the seat at B[1]; change one"]);
    let same_place = zone(vec![row("A", 0, &[0, 25, 0])]);
    assert_eq!(mistakes(&[same_place]), ["A[3]: stands where the seat at A[1] stands; move one"]);
    let far = zone(vec![row("A", 0, &[0, 1, 2, 900_000])]);
    assert!(mistakes(&[far])[0].contains("more than 1000 columns"));
    assert_eq!(mistakes(&[zone(vec![row("A", 0, &[])])]), ["-: there is no seat; a hall needs one at least"]);
    assert_eq!(mistakes(&[]).len(), 1);
    assert!(
        read(&[zone(vec![row("A", 0, &[0])])], "{row}", ScreenSide::Top).expect_err("no number")[0]
            .detail
            .contains("lacks")
    );
    for (change, said) in [
        ((|zone| zone.rows[0].seats[0].guid = "x".repeat(61)) as fn(&mut Zone), "from 1 to 60 characters"),
        (|zone| zone.rows[0].seats[0].guid = "  ".to_owned(), "from 1 to 60 characters"),
        (|zone| zone.rows[0].name = String::new(), "the row's name is empty"),
        (|zone| zone.rows[0].seats[0].number = "1:2".to_owned(), "the seat's number must have"),
        (|zone| zone.name = Some("z".repeat(61)), "the zone's name must have at most 60"),
    ] {
        let mut zone = zone(vec![row("A", 0, &[0])]);
        change(&mut zone);
        let said_here = mistakes(&[zone]);
        assert!(said_here.len() == 1 && said_here[0].contains(said), "{said_here:?}");
    }
}

#[test]
fn case_088_a_plan_keeps_labels_and_tells_look_alikes() {
    let mut padded = row("A", 0, &[0, 25, 50]);
    for (seat, number) in padded.seats.iter_mut().zip(["01", "02", "10"]) {
        seat.number = number.to_owned();
    }
    let (seats, warnings) = read(&[zone(vec![padded.clone()])], "{row}{number}", ScreenSide::Top).expect("a hall");
    assert_eq!(seats.iter().map(|seat| seat.label.as_str()).collect::<Vec<_>>(), ["A01", "A02", "A10"]);
    assert_eq!(warnings, []);
    padded.seats[1].number = "1".to_owned();
    let said = mistakes(&[zone(vec![padded])]);
    assert_eq!(said, ["A[2]: `A1` looks like `A01` at A[1], of the same row; write both with the same count of zeros"]);
    let rows = ["H", "I", "O", "0", "l"].iter().zip(0..).map(|(name, y)| row(name, 25 * y, &[0, 25])).collect();
    let (_, warnings) = read(&[zone(rows)], "{row}{number}", ScreenSide::Top).expect("a hall");
    let warned: Vec<&str> = warnings.iter().filter_map(|warning| warning.at.as_deref()).collect();
    assert_eq!(warned, ["I[1]", "O[1]", "0[1]", "l[1]"]);
}

#[test]
fn case_090_an_aisle_in_a_plan_eats_no_number_and_parts_neighbours() {
    let xs: Vec<i64> = (0..10).map(|n| 25 * n).chain((0..10).map(|n| 325 + 25 * n)).collect();
    let mut aisle = row("A", 0, &xs);
    let (seats, _) = read(&[zone(vec![aisle.clone()])], "{row}{number}", ScreenSide::Top).expect("a hall");
    assert_eq!((seats[9].label.as_str(), seats[10].label.as_str()), ("A10", "A11"));
    assert_eq!((seats[9].right, seats[9].x, seats[10].x), (None, 9, 13));
    let custom: Vec<String> = (0..20).map(|n| format!("{}", 500 - 7 * n)).collect();
    for (seat, number) in aisle.seats.iter_mut().zip(&custom) {
        seat.number.clone_from(number);
    }
    let (seats, _) = read(&[zone(vec![aisle])], "{row}{number}", ScreenSide::Top).expect("a hall");
    assert_eq!(seats.iter().map(|seat| seat.number.clone()).collect::<Vec<_>>(), custom);
}
