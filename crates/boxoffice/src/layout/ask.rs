//! Finds the seats that a request names. Nothing here depends on a show: whether they are free is
//! asked later.

use super::{Layout, Named, canonical};
use crate::id::SeatNo;
use crate::refusal::{Ambiguous, Refusal};

/// How a request names a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeatAsk {
    /// Label or id.
    Text(String),
    /// Tells seats apart that share their label.
    Id(String),
}

/// Longer lists are refused by their length alone, so that an absurd request costs nothing.
const MAX_ASKS_READ: usize = 500;
/// As much of an unknown name as a refusal repeats.
const MAX_ECHO_CHARS: usize = 40;

/// The seats asked for, in the order of the asks.
///
/// # Errors
/// The first of these that holds: [`Refusal::NoSeats`], [`Refusal::UnknownSeats`] with all of
/// them, [`Refusal::AmbiguousSeats`] with the ids, [`Refusal::DuplicateSeats`] with all of them,
/// [`Refusal::TooManySeats`] for more than `max`.
pub fn choose(layout: &Layout, asks: &[SeatAsk], max: u16) -> Result<Vec<SeatNo>, Refusal> {
    if asks.is_empty() {
        return Err(Refusal::NoSeats);
    }
    if asks.len() > MAX_ASKS_READ.max(usize::from(max)) {
        return Err(Refusal::TooManySeats { max });
    }
    let mut seats = Vec::with_capacity(asks.len());
    let mut unknown = Vec::new();
    let mut ambiguous = None;
    for ask in asks {
        match (find(layout, ask), ask) {
            (Named::One(seat), _) => seats.push(seat),
            (Named::Several(several), SeatAsk::Text(text) | SeatAsk::Id(text)) => {
                let ids = several.iter().filter_map(|no| layout.seat(*no)).map(|seat| seat.id.clone()).collect();
                ambiguous.get_or_insert(Ambiguous { label: canonical(text), ids });
            }
            (Named::Nothing, SeatAsk::Text(text) | SeatAsk::Id(text)) => unknown.push(echo(text)),
        }
    }
    if !unknown.is_empty() {
        return Err(Refusal::UnknownSeats(unknown));
    }
    if let Some(ambiguous) = ambiguous {
        return Err(Refusal::AmbiguousSeats(ambiguous));
    }
    let repeated = repeated(layout, &seats);
    if !repeated.is_empty() {
        return Err(Refusal::DuplicateSeats(repeated));
    }
    if seats.len() > usize::from(max) { Err(Refusal::TooManySeats { max }) } else { Ok(seats) }
}

fn find(layout: &Layout, ask: &SeatAsk) -> Named {
    match ask {
        SeatAsk::Text(text) => layout.named(text),
        SeatAsk::Id(id) => layout.by_id(id).map_or(Named::Nothing, Named::One),
    }
}

/// The labels of the seats that stand in the list more than once, each once.
fn repeated(layout: &Layout, seats: &[SeatNo]) -> Vec<String> {
    let mut sorted = seats.to_vec();
    sorted.sort_unstable();
    let mut twice: Vec<SeatNo> = sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    twice.dedup();
    twice.iter().filter_map(|no| layout.seat(*no)).map(|seat| seat.label.clone()).collect()
}

fn echo(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(MAX_ECHO_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
