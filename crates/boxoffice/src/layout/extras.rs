//! What a seat plan's file cannot say and its layout says beside it: wheelchair spaces and love seats, by label or id.

use super::{Seat, canonical};

/// The seats that the texts name, by their place in the list.
fn find(text: &str, seats: &[Seat]) -> Result<usize, String> {
    let text = canonical(text);
    if let Some(at) = seats.iter().position(|seat| seat.id == text) {
        return Ok(at);
    }
    let mut labelled = seats.iter().enumerate().filter(|(_, seat)| seat.label == text).map(|(at, _)| at);
    match (labelled.next(), labelled.next()) {
        (Some(at), None) => Ok(at),
        (Some(_), Some(_)) => Err(format!("several seats are called `{text}`; use the id")),
        (None, _) => Err(format!("there is no seat `{text}`; use its label or id")),
    }
}

/// Marks wheelchair spaces.
///
/// # Errors
/// Each text that names no seat, or several.
pub fn mark_wheelchair_spaces(seats: &mut [Seat], spaces: &[String]) -> Result<(), Vec<String>> {
    let mut errors = Vec::new();
    for text in spaces {
        match find(text, seats) {
            Ok(at) => seats.iter_mut().skip(at).take(1).for_each(|seat| seat.wheelchair = true),
            Err(detail) => errors.push(detail),
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Makes love seats, each of the seats that a list names; wheelchair spaces are marked by now.
///
/// # Errors
/// Each list of seats that cannot be one.
pub fn join_love_seats(seats: &mut [Seat], lists: &[Vec<String>]) -> Result<(), Vec<String>> {
    let mut errors = Vec::new();
    for (list, group) in lists.iter().zip(0..=u16::MAX) {
        match love_seat(seats, list) {
            Ok(members) => seats[members].iter_mut().for_each(|seat| seat.group = Some(group)),
            Err(detail) => errors.push(format!("[{}]: {detail}", list.join(", "))),
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The seats of a love seat, which stand one after the other in the layout.
fn love_seat(seats: &[Seat], list: &[String]) -> Result<std::ops::Range<usize>, String> {
    let mut members = list.iter().map(|text| find(text, seats)).collect::<Result<Vec<_>, _>>()?;
    members.sort_unstable();
    members.dedup();
    let [first, .., last] = members.as_slice() else {
        return Err("a love seat needs at least two seats".to_owned());
    };
    let range = *first..*last + 1;
    let chosen = seats.get(range.clone()).unwrap_or_default();
    let joined = chosen.iter().rev().skip(1).all(|seat| seat.right.is_some());
    if !joined || chosen.len() != members.len() {
        return Err("the seats of a love seat must be neighbours in one row".to_owned());
    }
    if chosen.iter().any(|seat| seat.wheelchair) {
        return Err("a wheelchair space cannot be part of a love seat".to_owned());
    }
    if chosen.iter().any(|seat| seat.group.is_some()) {
        return Err("a seat cannot be part of two love seats".to_owned());
    }
    if chosen.windows(2).any(|pair| pair[0].category != pair[1].category) {
        return Err("the seats of a love seat must be of one category".to_owned());
    }
    Ok(range)
}
