//! The cheapest way to take exactly so many seats out of the free runs: a walk over the units in
//! order that remembers, for each number of seats taken so far, the cheapest way there.

use super::{Choice, Cost, Unit};
use crate::id::SeatNo;

/// The cheapest ways to have taken 0, 1, … `count` seats among the units walked over: by whether
/// the last of them was taken, since its neighbour then adds no further piece, and a seat across
/// the aisle no further part. `None`: no way.
struct Ways {
    open: Vec<Option<Cost>>,
    closed: Vec<Option<Cost>>,
}

/// How a way came about, per unit and number of seats: whether the way it goes on from was open.
#[derive(Clone, Copy, Default)]
struct Steps {
    to_closed_from_open: bool,
    to_open_from_open: bool,
}

/// The units that hold exactly `count` seats at the least cost; among equals those further to the
/// front and left. `None`: no units add up to `count`.
pub(super) fn cheapest(runs: &[&[Unit]], count: u16, cost_of: impl Fn(&Unit) -> Cost) -> Option<Choice> {
    // A run ends where nothing can be taken.
    let units: Vec<Option<Unit>> = runs.iter().flat_map(|run| run.iter().copied().map(Some).chain([None])).collect();
    let states = usize::from(count) + 1;
    let mut ways = Ways { open: vec![None; states], closed: vec![None; states] };
    *ways.closed.first_mut()? = Some(Cost::default());
    let mut steps = vec![Steps::default(); units.len() * states];
    for (unit, steps) in units.iter().zip(steps.chunks_exact_mut(states)) {
        ways.walk(unit.as_ref().map(|unit| (unit, cost_of(unit))), steps);
    }
    let cost = (*ways.closed.last()?)?;
    Some(Choice { cost, seats: retrace(&units, &steps, states)? })
}

impl Ways {
    /// Walks over one unit, given with its cost, or over the end of a run.
    fn walk(&mut self, unit: Option<(&Unit, Cost)>, steps: &mut [Steps]) {
        let begin = Cost { pieces: 1, parts: 1, ..Cost::default() };
        let go_on = Cost { pieces: unit.map_or(0, |(unit, _)| u32::from(unit.after_gap)), ..Cost::default() };
        // From many seats to few: what is read is still the state before this unit.
        for (taken, step) in steps.iter_mut().enumerate().rev() {
            let (closed, from_open) = cheaper(self.closed[taken], self.open[taken]);
            step.to_closed_from_open = from_open;
            self.closed[taken] = closed;
            self.open[taken] = None;
            let Some((unit, cost)) = unit else { continue };
            let Some(left) = taken.checked_sub(usize::from(unit.size)) else { continue };
            let begun = self.closed[left].map(|before| before + begin);
            let (before, from_open) = cheaper(begun, self.open[left].map(|before| before + go_on));
            step.to_open_from_open = from_open;
            self.open[taken] = before.map(|before| before + cost);
        }
    }
}

/// The cheaper of two, the first where they are equal, and whether it is the second.
fn cheaper(first: Option<Cost>, second: Option<Cost>) -> (Option<Cost>, bool) {
    match (first, second) {
        (Some(a), Some(b)) if b < a => (Some(b), true),
        (None, Some(b)) => (Some(b), true),
        (first, _) => (first, false),
    }
}

/// The seats of the way that ends closed with `states - 1` seats.
fn retrace(units: &[Option<Unit>], steps: &[Steps], states: usize) -> Option<Vec<SeatNo>> {
    let mut taken = states - 1;
    let mut open = false;
    let mut seats = Vec::with_capacity(taken);
    for (unit, steps) in units.iter().zip(steps.chunks_exact(states)).rev() {
        let step = steps.get(taken)?;
        if open {
            let unit = unit.as_ref()?;
            seats.extend((unit.first..unit.first + unit.size).rev().map(SeatNo));
            taken -= usize::from(unit.size);
            open = step.to_open_from_open;
        } else {
            open = step.to_closed_from_open;
        }
    }
    seats.reverse();
    Some(seats)
}
