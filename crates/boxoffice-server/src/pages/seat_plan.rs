//! A hall's seats as rows of checkboxes, aisles kept as gaps.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::RangeInclusive;

use boxoffice::claim::SeatStatus;
use boxoffice::id::SeatNo;
use boxoffice::layout::Seat;
use boxoffice::pricing::TicketPrice;
use boxoffice::show::Show;
use boxoffice::store::SeatsRead;

use super::text;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub rows: Vec<Row>,
    pub categories: Vec<Category>,
    /// `s`, `m` or `l`, by the number of columns: how large the seats are drawn.
    pub size: &'static str,
    pub has_wheelchair: bool,
    pub has_love_seats: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    pub cells: Vec<Cell>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// This many columns without a seat.
    Gap(Vec<()>),
    Seat(PlanSeat),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanSeat {
    pub id: String,
    pub number: String,
    /// What a screen reader says: label, category, price, and why it cannot be chosen.
    pub name: String,
    /// Number of the category's colour.
    pub tint: usize,
    pub status: SeatStatus,
    pub free: bool,
    pub chosen: bool,
    pub wheelchair: bool,
    /// `left` or `right` half of a seat for two, or `middle` of a longer one; empty for others.
    pub love: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    pub name: String,
    pub tint: usize,
    /// What one person pays, fees included.
    pub price: String,
    pub free: usize,
}

/// Colours for categories; further ones begin again.
const TINTS: usize = 6;

/// The plan of a show as it stands, with these seats chosen where they are free.
#[must_use]
pub fn plan(show: &Show, read: &SeatsRead, prices: &[TicketPrice], chosen: &HashSet<String>) -> Plan {
    let seats = show.layout.seats();
    let categories = categories(show, read, prices);
    let left = seats.iter().map(|s| s.x).min().unwrap_or(0);
    let right = seats.iter().map(|s| s.x).max().unwrap_or(0);
    let mut lines: BTreeMap<u16, Vec<(SeatNo, &Seat)>> = BTreeMap::new();
    for (seat, no) in seats.iter().zip((0..).map(SeatNo)) {
        lines.entry(seat.y).or_default().push((no, seat));
    }
    let draw = |no: SeatNo, seat: &Seat| draw_seat(show, read, &categories, chosen, no, seat);
    let rows = lines.into_values().map(|line| row(line, left..=right, draw)).collect();
    Plan {
        rows,
        size: match right - left {
            0..=11 => "s",
            12..=17 => "m",
            _ => "l",
        },
        has_wheelchair: seats.iter().any(|s| s.wheelchair),
        has_love_seats: seats.iter().any(|s| s.group.is_some()),
        categories,
    }
}

/// All rows are as wide as the hall, so that they stand under one another as drawn.
fn row(mut line: Vec<(SeatNo, &Seat)>, columns: RangeInclusive<u16>, draw: impl Fn(SeatNo, &Seat) -> PlanSeat) -> Row {
    line.sort_by_key(|(_, seat)| seat.x);
    let name = line.first().map(|(_, seat)| seat.row.clone()).unwrap_or_default();
    let mut cells = Vec::new();
    let mut next = *columns.start();
    for (no, seat) in line {
        cells.extend(gap(next, seat.x));
        next = seat.x.saturating_add(1);
        cells.push(Cell::Seat(draw(no, seat)));
    }
    cells.extend(gap(next, columns.end().saturating_add(1)));
    Row { name, cells }
}

fn gap(from: u16, to: u16) -> Option<Cell> {
    let columns = usize::from(to.saturating_sub(from));
    (columns > 0).then(|| Cell::Gap(vec![(); columns]))
}

fn draw_seat(
    show: &Show,
    read: &SeatsRead,
    categories: &[Category],
    chosen: &HashSet<String>,
    no: SeatNo,
    seat: &Seat,
) -> PlanSeat {
    let status = read.seats.status(no, read.now);
    let category = categories.get(usize::from(seat.category));
    let mut name = format!("Seat {}", seat.label);
    let mut add = |words: &str| {
        name.push_str(", ");
        name.push_str(words);
    };
    match status {
        SeatStatus::Available => {
            if let Some(category) = category {
                add(&category.name);
                add(&category.price);
            }
        }
        SeatStatus::Held => add("being bought by somebody"),
        SeatStatus::Booked => add("taken"),
        SeatStatus::Blocked => add("not for sale"),
    }
    if seat.wheelchair {
        add("wheelchair space");
    }
    if seat.group.is_some() {
        add("love seat for two");
    }
    let free = status == SeatStatus::Available;
    PlanSeat {
        id: seat.id.clone(),
        number: seat.number.clone(),
        name,
        tint: category.map_or(0, |c| c.tint),
        status,
        free,
        chosen: free && chosen.contains(&seat.id),
        wheelchair: seat.wheelchair,
        love: love(show, no, seat),
    }
}

/// Where in its love seat a seat stands.
fn love(show: &Show, no: SeatNo, seat: &Seat) -> &'static str {
    if seat.group.is_none() {
        return "";
    }
    let same = |other: Option<&Seat>| other.is_some_and(|other| other.group == seat.group);
    let goes_on = same(seat.right.and_then(|right| show.layout.seat(right)));
    let began = show.layout.seats().iter().any(|s| s.right == Some(no) && s.group == seat.group);
    match (began, goes_on) {
        (false, _) => "left",
        (true, true) => "middle",
        (true, false) => "right",
    }
}

fn categories(show: &Show, read: &SeatsRead, prices: &[TicketPrice]) -> Vec<Category> {
    let free = |category: usize| {
        let seats = show.layout.seats().iter().zip((0..).map(SeatNo));
        seats.filter(|(s, no)| usize::from(s.category) == category && read.seats.is_free(*no, read.now)).count()
    };
    let price = |name: &str| prices.iter().find(|p| p.category == name).map(|p| text::money(p.total));
    let all = show.layout.categories().iter().enumerate();
    all.map(|(i, c)| Category {
        price: price(&c.name).unwrap_or_default(),
        tint: i % TINTS,
        free: free(i),
        name: c.name.clone(),
    })
    .collect()
}

/// The ids of the seats that texts name, for showing them chosen; texts that name none are left out.
#[must_use]
pub fn named<'a>(show: &Show, names: impl Iterator<Item = &'a str>) -> HashSet<String> {
    let known: BTreeSet<&str> = names.collect();
    show.layout.seats().iter().filter(|s| known.contains(s.id.as_str())).map(|s| s.id.clone()).collect()
}
