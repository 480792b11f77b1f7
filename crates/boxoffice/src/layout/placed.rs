//! From seats that a file puts at places of a grid to the seats of a layout: their order, their
//! neighbours, and what no hall may have, whatever file it comes from.

use std::collections::HashMap;

use super::sketch::{MAX_NAME_CHARS, MAX_SEATS};
use super::{Seat, lookalike};
use crate::id::SeatNo;

/// A seat with its place in the file. Its number in the layout, and so [`Seat::right`], is not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    /// As the author finds it: `C7` in a grid, `zones[0].rows[1].seats[2]` in a plan.
    pub(super) at: String,
    /// Whether the seat to its left, in the same row, is its neighbour: no aisle between them.
    pub(super) joins_left: bool,
    pub(super) seat: Seat,
}

/// Something to say about a plan: a mistake, or what its author should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Where in the file; `None`: it concerns the whole.
    pub at: Option<String>,
    pub detail: String,
}

impl Remark {
    pub(super) fn at(at: &str, detail: impl Into<String>) -> Self {
        Self { at: Some(at.to_owned()), detail: detail.into() }
    }

    pub(super) fn whole(detail: impl Into<String>) -> Self {
        Self { at: None, detail: detail.into() }
    }
}

/// The seats in the layout's order, and warnings.
///
/// # Errors
/// Too many seats or none, ids that are given twice, labels that a guest cannot tell apart.
pub(super) fn seated(mut placed: Vec<Placed>) -> Result<(Vec<Seat>, Vec<Remark>), Vec<Remark>> {
    if placed.is_empty() {
        return Err(vec![Remark::whole("there is no seat; a hall needs one at least")]);
    }
    if placed.len() > MAX_SEATS {
        let detail = format!(
            "there are {} seats; a layout can have {MAX_SEATS}, split the hall into several layouts",
            placed.len()
        );
        return Err(vec![Remark::whole(detail)]);
    }
    placed.sort_by_key(|placed| (placed.seat.y, placed.seat.x));
    let clashes = clashes(&placed);
    if !clashes.is_empty() {
        return Err(clashes);
    }
    let warnings = row_warnings(&placed);
    let joins: Vec<bool> = placed.iter().skip(1).map(|placed| placed.joins_left).chain([false]).collect();
    let with_right =
        |((placed, joined), next): ((Placed, bool), u16)| Seat { right: joined.then_some(SeatNo(next)), ..placed.seat };
    Ok((placed.into_iter().zip(joins).zip(1..).map(with_right).collect(), warnings))
}

/// Ids and labels by which a guest or a request would find the wrong seat.
fn clashes(placed: &[Placed]) -> Vec<Remark> {
    let mut clashes = Vec::new();
    let mut by_id: HashMap<&str, &Placed> = HashMap::with_capacity(placed.len());
    for here in placed {
        if let Some(first) = by_id.insert(&here.seat.id, here) {
            let detail = format!("the seat `{}` stands at {} already; give each seat its own", here.seat.id, first.at);
            clashes.push(Remark::at(&here.at, detail));
        }
    }
    if !clashes.is_empty() {
        return clashes;
    }
    let mut by_look: HashMap<(Option<&str>, &str, String), &Placed> = HashMap::with_capacity(placed.len());
    for here in placed {
        let seat = &here.seat;
        let look = lookalike::without_leading_zeros(&seat.label);
        let first = by_look.insert((seat.zone.as_deref(), &seat.row, look), here);
        let detail = match (first, by_id.get(seat.label.as_str())) {
            (Some(first), _) if first.seat.label == seat.label => {
                format!("another seat is called `{}`, too: the one at {}; give each its own", seat.label, first.at)
            }
            (Some(first), _) => format!(
                "`{}` looks like `{}` at {}, of the same row; write both with the same count of zeros",
                seat.label, first.seat.label, first.at
            ),
            (None, Some(other)) if other.seat.id != seat.id => {
                format!("this seat is called `{}`, which is the id of the seat at {}; change one", seat.label, other.at)
            }
            (None, _) => continue,
        };
        clashes.push(Remark::at(&here.at, detail));
    }
    clashes
}

/// Rows that guests may take for others, each told at its first seat.
fn row_warnings(placed: &[Placed]) -> Vec<Remark> {
    let mut seen = std::collections::HashSet::new();
    let first_seats: Vec<&Placed> =
        placed.iter().filter(|here| seen.insert((&here.seat.zone, &here.seat.row))).collect();
    let rows = first_seats.iter().map(|here| (here.seat.zone.as_deref(), here.seat.row.as_str()));
    let warnings = lookalike::warnings(rows).into_iter();
    warnings.filter_map(|(at, detail)| Some(Remark::at(&first_seats.get(at)?.at, detail))).collect()
}

/// What is wrong with a text that guests read and requests name seats by.
pub(super) fn name_problem(what: &str, text: &str) -> Option<String> {
    if text.is_empty() {
        return Some(format!("the {what} is empty; write it out"));
    }
    let fits = text.chars().take(MAX_NAME_CHARS + 1).count() <= MAX_NAME_CHARS;
    let plain = text.chars().all(|c| c != ':' && !c.is_control());
    let detail =
        || format!("the {what} must have at most {MAX_NAME_CHARS} characters, no colon and no control character");
    if fits && plain { None } else { Some(detail()) }
}
