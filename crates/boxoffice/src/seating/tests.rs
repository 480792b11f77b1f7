//! Best seats: every pattern of free and taken seats in small halls against a plain search, and
//! what a guest would expect in large ones.

use std::collections::HashSet;

use super::{ROW_DEPTH, best};
use crate::id::{CatalogueId, SeatNo};
use crate::layout::sketch::{DEFAULT_LABEL, Numbering, RowSketch, Sketch, read};
use crate::layout::{Category, Layout, Named};

/// Rows one a line, with `S` for standard and `P` for premium; companions as `SEAT=SPACE`.
fn hall(rows: &str, companions: &[(&str, &str)]) -> Layout {
    let category = |key: &str| Category { key: key.to_owned(), name: key.to_owned() };
    let sketch = Sketch {
        id: CatalogueId::new("hall").expect("an id"),
        categories: vec![category("S"), category("P")],
        rows: rows.lines().map(RowSketch::from_line).collect(),
        numbering: Numbering::FromLeft,
        label: DEFAULT_LABEL.to_owned(),
        companions: companions.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect(),
    };
    read(&sketch).expect("a hall").0
}

/// Every set of seats of a small hall as a bit mask that a party may take: no wheelchair space,
/// love seats whole. With what it costs but for the distance.
struct Sets {
    sets: Vec<(u32, Rank)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    pieces: usize,
    parts: usize,
    companions: usize,
}

impl Sets {
    fn of(layout: &Layout) -> Self {
        let seats = layout.seats();
        let allowed = |set: &u32| {
            let has = |at: usize| set & (1 << at) != 0;
            seats.iter().enumerate().all(|(at, seat)| {
                let whole = seats
                    .iter()
                    .enumerate()
                    .all(|(b, other)| seat.group.is_none() || seat.group != other.group || has(at) == has(b));
                !has(at) || (!seat.wheelchair && whole)
            })
        };
        let sets = (1..1_u32 << seats.len()).filter(allowed);
        Self { sets: sets.map(|set| (set, rank(layout, &members(set)))).collect() }
    }

    fn of_size(&self, free: u32, count: u16) -> impl Iterator<Item = &(u32, Rank)> {
        self.sets.iter().filter(move |(set, _)| set & !free == 0 && set.count_ones() == u32::from(count))
    }
}

fn members(set: u32) -> Vec<SeatNo> {
    (0..32).filter(|at| set & (1 << at) != 0).map(SeatNo).collect()
}

fn rank(layout: &Layout, seats: &[SeatNo]) -> Rank {
    let seat = |no: SeatNo| layout.seat(no).expect("a seat of the hall");
    let next_to = |a: &SeatNo, b: &SeatNo| seat(*a).right == Some(*b);
    let only_a_gap = |a: &SeatNo, b: &SeatNo| a.0 + 1 == b.0 && seat(*a).y == seat(*b).y;
    Rank {
        pieces: seats.chunk_by(next_to).count(),
        parts: seats.chunk_by(only_a_gap).count(),
        companions: seats.iter().filter(|no| seat(**no).companion_of.is_some()).count(),
    }
}

/// The sum of the squared distances to the sweet spot, in columns.
fn distance(layout: &Layout, seats: &[SeatNo]) -> f64 {
    let rear = layout.seats().last().map_or(0.0, |seat| f64::from(seat.y));
    let one = |no: &SeatNo| {
        let seat = layout.seat(*no).expect("a seat of the hall");
        let xs = || layout.seats().iter().filter(|other| other.y == seat.y).map(|other| f64::from(other.x));
        let middle = xs().fold(f64::MAX, f64::min).midpoint(xs().fold(0.0, f64::max));
        let back = (f64::from(seat.y) - rear * 2.0 / 3.0) * f64::from(i32::try_from(ROW_DEPTH).expect("small"));
        (f64::from(seat.x) - middle).powi(2) + back.powi(2)
    };
    seats.iter().map(one).sum()
}

fn check_every_pattern(layout: &Layout) {
    let sets = Sets::of(layout);
    let all = (1_u32 << layout.seats().len()) - 1;
    for free in 0..=all {
        for count in 1..=5 {
            let ask = || best(layout, count, None, |no| free & (1 << no.0) != 0);
            let found = ask();
            assert_eq!(found, ask(), "the same answer again");
            let context = || format!("{free:b} for {count}: {found:?}");
            let least = sets.of_size(free, count).map(|(_, rank)| rank).min();
            let Some(least) = least else {
                assert_eq!(found, None, "{}", context());
                continue;
            };
            let seats = found.as_ref().unwrap_or_else(|| panic!("nothing found: {}", context()));
            let set = seats.iter().fold(0, |set, no| set | 1 << no.0);
            assert_eq!(members(set), *seats, "in order, each once: {}", context());
            assert!(sets.of_size(free, count).any(|(other, _)| *other == set), "may be taken: {}", context());
            assert_eq!(rank(layout, seats), *least, "{}", context());
            if least.pieces == 1 {
                let nearest = sets.of_size(free, count).filter(|(_, rank)| rank == least);
                let nearest = nearest.map(|(set, _)| distance(layout, &members(*set))).fold(f64::MAX, f64::min);
                assert!(distance(layout, seats) < nearest + 1e-6, "{}", context());
            }
        }
    }
}

#[test]
fn every_pattern_of_a_small_hall_is_answered_as_by_plain_search() {
    let halls: &[(&str, &[(&str, &str)])] = &[
        ("A SSSSS\nB SSSSS", &[]),
        ("A SS.SS\nB S_SSS", &[]),
        ("A (SS)SS\nB S(SSS)", &[]),
        ("A (SS)(SS)\nB (SS).S", &[]),
        ("A S+SSS\nB SSS+S", &[("A2", "A1"), ("B4", "B3")]),
        ("A S.S.S\nB SS_SS", &[]),
    ];
    for (rows, companions) in halls {
        check_every_pattern(&hall(rows, companions));
    }
}

/// The labels that a party gets in a hall where the seats named in `taken` are not free.
fn labels(layout: &Layout, count: u16, category: Option<u16>, taken: &str) -> String {
    let taken: HashSet<SeatNo> = taken
        .split_whitespace()
        .map(|label| match layout.named(label) {
            Named::One(seat) => seat,
            Named::Several(_) | Named::Nothing => panic!("no seat {label}"),
        })
        .collect();
    let found = best(layout, count, category, |no| !taken.contains(&no));
    let labels = found.iter().flatten().filter_map(|no| layout.seat(*no)).map(|seat| seat.label.clone());
    labels.collect::<Vec<_>>().join(" ")
}

#[test]
fn parties_sit_where_a_guest_would_expect() {
    let ten_rows = |row: &str| ('A'..='J').map(|label| format!("{label} {row}\n")).collect::<String>();
    let plain = hall(&ten_rows("SSSSSSSSSS"), &[]);
    let blocks = hall(&ten_rows("SSSS.SSSS.SSSS"), &[]);
    let two_kinds = hall("A PPPP\nB PPPP\nC SSSS\nD SSSS", &[]);
    let table: &[(&Layout, u16, Option<u16>, &str, &str)] = &[
        (&plain, 1, None, "", "G5"),
        (&plain, 2, None, "", "G5 G6"),
        (&plain, 4, None, "", "G4 G5 G6 G7"),
        (&plain, 2, None, "G5", "G6 G7"),
        (&plain, 2, None, "G5 G6", "F5 F6"),
        (&plain, 0, None, "", ""),
        (&plain, 101, None, "", ""),
        (&plain, u16::MAX, None, "", ""),
        (&blocks, 4, None, "", "G5 G6 G7 G8"),
        (&blocks, 5, None, "", "G4 G5 G6 G7 G8"),
        (&blocks, 8, None, "", "G1 G2 G3 G4 G5 G6 G7 G8"),
        (&two_kinds, 2, None, "", "C2 C3"),
        (&two_kinds, 2, Some(1), "", "B2 B3"),
        (&two_kinds, 9, Some(1), "", ""),
        (&two_kinds, 2, Some(9), "", ""),
        (&two_kinds, 5, Some(1), "A1 B4", "A2 A3 B1 B2 B3"),
    ];
    for (layout, count, category, taken, expected) in table {
        assert_eq!(labels(layout, *count, *category, taken), *expected, "{count} with {taken:?} taken");
    }
}

#[test]
fn a_split_party_sits_close_together() {
    let hall = hall("A SSSSSSSS\nB SSSSSSSS\nC SSSSSSSS\nD SSSSSSSS", &[]);
    let middle = "A3 A4 A5 A6 B3 B4 B5 B6 C3 C4 C5 C6 D3 D4 D5 D6";
    assert_eq!(labels(&hall, 4, None, middle), "B1 B2 C1 C2");
    assert_eq!(labels(&hall, 4, None, &format!("{middle} C1")), "B7 B8 C7 C8");
}
