//! Which seats a party gets when it asks for the best. What is better stands in [`Cost`]; the
//! search is exact for a party in one run of seats, and near for a party that must be split.

use crate::id::SeatNo;
use crate::layout::{Layout, Seat};

mod search;
#[cfg(test)]
mod tests;

use search::cheapest;

/// A row counts as two columns: rows are about a metre apart, chairs half of that.
const ROW_DEPTH: i64 = 2;
/// A party that must be split is gathered around the middle of each free stretch of neighbours, of
/// so many at most: those nearest to the sweet spot.
const MAX_GATHERING_POINTS: usize = 16;
/// Around each of them the nearest runs are looked at, until they hold this many times the party.
const LOOK_AROUND: usize = 4;

/// The best `count` free seats, of `category` if one is given, in the layout's order; always the
/// same answer for the same hall. `None`: fewer are free that may be chosen, or `count` is 0.
///
/// Never chosen are wheelchair spaces and a part of a love seat. Then the least [`Cost`] wins:
/// neighbours in one row where any row has room, companion seats last, near the sweet spot. A
/// party for which no row has room is split into the fewest pieces: in one row with nothing but
/// aisles between them if it can be, else close together.
/// Takes time and memory with (free seats × `count`); the caller bounds `count`.
#[must_use]
pub fn best(
    layout: &Layout,
    count: u16,
    category: Option<u16>,
    is_free: impl Fn(SeatNo) -> bool,
) -> Option<Vec<SeatNo>> {
    let may_sit = |no: SeatNo, seat: &Seat| {
        !seat.wheelchair && category.is_none_or(|category| seat.category == category) && is_free(no)
    };
    let hall = Hall::of(layout.seats(), may_sit);
    if count == 0 || hall.choosable < usize::from(count) {
        return None;
    }
    let runs: Vec<&[Unit]> = hall.runs.iter().map(Vec::as_slice).collect();
    let near_sweet_spot = hall.cheapest(&runs, count, hall.sweet_spot)?;
    if near_sweet_spot.cost.pieces == 1 {
        return Some(near_sweet_spot.seats);
    }
    let gather = |point| hall.cheapest(&hall.runs_around(point, count), count, point);
    let gathered = hall.gathering_points().into_iter().filter_map(gather);
    let gathered = gathered.filter(|choice| choice.cost.shape() == near_sweet_spot.cost.shape());
    let to_sweet_spot = |seats: &[SeatNo]| -> u64 {
        let places = seats.iter().filter_map(|no| hall.places.get(no.index()));
        places.map(|place| place.squared_distance(hall.sweet_spot)).sum()
    };
    let closest = gathered.min_by_key(|choice| (choice.cost, to_sweet_spot(&choice.seats)));
    Some(closest.unwrap_or(near_sweet_spot).seats)
}

/// What a choice of seats costs: the order of the fields is their weight. The distance is the sum
/// of the seats' squared distances to the point that is looked at: for a party that sits together
/// the sweet spot, across the middle between the row's first and last seat, and two thirds of the
/// way from the first row to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Cost {
    /// Stretches of neighbours in one row, which aisles and missing seats end.
    pieces: u32,
    /// Pieces, but those of one row with only an aisle or missing seats between them are one.
    parts: u32,
    /// Seats beside a wheelchair space, kept for those who come with its guest.
    companions: u32,
    distance: u64,
}

impl Cost {
    /// What does not depend on the point that is looked at.
    fn shape(self) -> Self {
        Self { distance: 0, ..self }
    }
}

impl std::ops::Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            pieces: self.pieces + other.pieces,
            parts: self.parts + other.parts,
            companions: self.companions + other.companions,
            distance: self.distance + other.distance,
        }
    }
}

/// Seats and what they cost.
struct Choice {
    cost: Cost,
    seats: Vec<SeatNo>,
}

/// A point of the hall in sixths of a column, so that middles and thirds are whole numbers:
/// across from the middle of the row to the right, back from the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Point {
    across: i64,
    back: i64,
}

impl Point {
    fn squared_distance(self, other: Self) -> u64 {
        (self.across - other.across).unsigned_abs().pow(2) + (self.back - other.back).unsigned_abs().pow(2)
    }
}

/// What is sold as a whole: a seat, or a love seat with all its seats. Seats of a love seat are
/// neighbours, so that a unit is a stretch of the layout's seats.
#[derive(Debug, Clone, Copy)]
struct Unit {
    first: u16,
    size: u16,
    companions: u32,
    /// Whether an aisle or missing seats stand between it and the unit before it in its run.
    after_gap: bool,
}

/// The seats that may be chosen.
struct Hall {
    /// One for each seat of the layout.
    places: Vec<Point>,
    sweet_spot: Point,
    /// Units of one row with no other seat between them, from left to right; the runs from the
    /// screen backwards.
    runs: Vec<Vec<Unit>>,
    /// Seats in the runs.
    choosable: usize,
}

impl Hall {
    fn of(seats: &[Seat], may_sit: impl Fn(SeatNo, &Seat) -> bool) -> Self {
        let ends = |seats: &[Seat]| seats.first().zip(seats.last()).map_or((0, 0), |(a, b)| (a.y.into(), b.y.into()));
        let (front, rear): (i64, i64) = ends(seats);
        let sweet_spot = Point { across: 0, back: 2 * ROW_DEPTH * (front + 2 * rear) };
        let mut hall = Self { places: places(seats), sweet_spot, runs: Vec::new(), choosable: 0 };

        let mut first: u16 = 0;
        let mut run: Vec<Unit> = Vec::new();
        let mut left: Option<&Seat> = None;
        for members in seats.chunk_by(|a, b| a.group.is_some() && a.group == b.group) {
            let Ok(size) = u16::try_from(members.len()) else { break };
            let choosable = members.iter().zip(first..).all(|(seat, no)| may_sit(SeatNo(no), seat));
            let same_row = left.zip(members.first()).is_some_and(|(left, seat)| left.y == seat.y);
            if !(choosable && same_row) {
                hall.end_run(&mut run);
            }
            if choosable {
                let companions = members.iter().map(|seat| u32::from(seat.companion_of.is_some())).sum();
                let after_gap = left.is_some_and(|left| left.right != Some(SeatNo(first)));
                run.push(Unit { first, size, companions, after_gap });
                hall.choosable += members.len();
            }
            left = members.last();
            first = first.saturating_add(size);
        }
        hall.end_run(&mut run);
        hall
    }

    fn end_run(&mut self, run: &mut Vec<Unit>) {
        if !run.is_empty() {
            self.runs.push(std::mem::take(run));
        }
    }

    fn cheapest(&self, runs: &[&[Unit]], count: u16, point: Point) -> Option<Choice> {
        cheapest(runs, count, |unit| Cost {
            companions: unit.companions,
            distance: self.members(unit).map(|place| place.squared_distance(point)).sum(),
            ..Cost::default()
        })
    }

    fn members(&self, unit: &Unit) -> impl Iterator<Item = Point> {
        self.places.iter().skip(usize::from(unit.first)).take(usize::from(unit.size)).copied()
    }

    /// The runs nearest to the point, in the order of the hall.
    fn runs_around(&self, point: Point, count: u16) -> Vec<&[Unit]> {
        let distance = |unit: &Unit| self.members(unit).next().map(|place| place.squared_distance(point));
        let nearest = |run: &[Unit]| run.iter().filter_map(distance).min().unwrap_or(u64::MAX);
        let mut runs: Vec<(u64, usize)> = self.runs.iter().enumerate().map(|(at, run)| (nearest(run), at)).collect();
        runs.sort_unstable();
        let mut wanted = LOOK_AROUND * usize::from(count);
        let mut around = Vec::new();
        for (_, at) in runs {
            let Some(run) = self.runs.get(at).filter(|_| wanted > 0) else { break };
            wanted = wanted.saturating_sub(run.iter().map(|unit| usize::from(unit.size)).sum());
            around.push((at, run.as_slice()));
        }
        around.sort_unstable_by_key(|(at, _)| *at);
        around.into_iter().map(|(_, run)| run).collect()
    }

    /// The middle of each stretch of neighbours, nearest to the sweet spot first.
    fn gathering_points(&self) -> Vec<Point> {
        let middle = |piece: &[Unit]| {
            let (first, last) = (self.members(piece.first()?).next()?, self.members(piece.last()?).last()?);
            Some(Point { across: i64::midpoint(first.across, last.across), back: first.back })
        };
        let mut points: Vec<Point> =
            self.runs.iter().flat_map(|run| run.chunk_by(|_, unit| !unit.after_gap)).filter_map(middle).collect();
        points.sort_unstable_by_key(|point| (point.squared_distance(self.sweet_spot), *point));
        points.truncate(MAX_GATHERING_POINTS);
        points
    }
}

fn places(seats: &[Seat]) -> Vec<Point> {
    let mut places = Vec::with_capacity(seats.len());
    for row in seats.chunk_by(|a, b| a.y == b.y) {
        let ends = row.first().zip(row.last()).map_or(0, |(a, b)| i64::from(a.x) + i64::from(b.x));
        let place =
            |seat: &Seat| Point { across: 6 * i64::from(seat.x) - 3 * ends, back: 6 * ROW_DEPTH * i64::from(seat.y) };
        places.extend(row.iter().map(place));
    }
    places
}
