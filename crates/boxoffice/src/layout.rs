//! A hall's seats as they stand: one immutable version of a layout. How the drawing in a
//! catalogue file becomes one is in [`sketch`]; [`grid`] and [`pretix`] read seat plans of their own.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use crate::id::{LayoutId, SeatNo};

mod ask;
pub mod drawing;
pub mod extras;
pub mod grid;
mod lookalike;
mod placed;
pub mod pretix;
pub mod sketch;
mod spacing;
#[cfg(test)]
mod tests;

pub use ask::{SeatAsk, choose};
pub use placed::Remark;

/// One version of a layout. Shows that have sold from it keep it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "LayoutParts", into = "LayoutParts")]
pub struct Layout {
    parts: LayoutParts,
    by_id: HashMap<String, SeatNo>,
    by_label: HashMap<String, Vec<SeatNo>>,
}

/// Which layout in which version: what seat numbers are numbers of.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LayoutPin {
    pub id: LayoutId,
    pub version: u32,
}

/// What a layout is made of, as stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayoutParts {
    pub id: LayoutId,
    /// Rises by one with each change of the drawing.
    pub version: u32,
    /// Key and name, such as `C` and `Classic`; a seat names its category by index.
    pub categories: Vec<Category>,
    /// Row by row from the screen backwards, within a row from left to right.
    pub seats: Vec<Seat>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Category {
    pub key: String,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// Unique in the layout: the label, or `ZONE:LABEL` where the row has a zone.
    pub id: String,
    /// As printed on the chair and the ticket. Opaque: `01` stays `01`.
    pub label: String,
    pub row: String,
    pub number: String,
    pub zone: Option<String>,
    /// Column and row of the cell in the drawing, from the left and from the screen, from 0.
    pub x: u16,
    pub y: u16,
    /// Index into [`LayoutParts::categories`].
    pub category: u16,
    pub wheelchair: bool,
    /// Seats that are sold together (a love seat) share a number.
    pub group: Option<u16>,
    /// The wheelchair space beside which this companion seat stands.
    pub companion_of: Option<SeatNo>,
    /// The seat directly to the right in the same row; an aisle or a missing seat breaks it.
    pub right: Option<SeatNo>,
}

/// How a text names a seat of a layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    One(SeatNo),
    /// Two zones share the label; the ids tell them apart.
    Several(Vec<SeatNo>),
    Nothing,
}

impl From<LayoutParts> for Layout {
    fn from(parts: LayoutParts) -> Self {
        let mut by_id = HashMap::with_capacity(parts.seats.len());
        let mut by_label: HashMap<String, Vec<SeatNo>> = HashMap::with_capacity(parts.seats.len());
        for (seat, no) in parts.seats.iter().zip(0..) {
            by_id.insert(seat.id.clone(), SeatNo(no));
            by_label.entry(seat.label.clone()).or_default().push(SeatNo(no));
        }
        Self { parts, by_id, by_label }
    }
}

impl From<Layout> for LayoutParts {
    fn from(layout: Layout) -> Self {
        layout.parts
    }
}

impl Layout {
    #[must_use]
    pub fn id(&self) -> &LayoutId {
        &self.parts.id
    }

    #[must_use]
    pub fn version(&self) -> u32 {
        self.parts.version
    }

    #[must_use]
    pub fn pin(&self) -> LayoutPin {
        LayoutPin { id: self.parts.id.clone(), version: self.parts.version }
    }

    #[must_use]
    pub fn categories(&self) -> &[Category] {
        &self.parts.categories
    }

    #[must_use]
    pub fn seats(&self) -> &[Seat] {
        &self.parts.seats
    }

    #[must_use]
    pub fn parts(&self) -> &LayoutParts {
        &self.parts
    }

    /// The same seats under another version number.
    #[must_use]
    pub fn with_version(&self, version: u32) -> Self {
        let mut layout = self.clone();
        layout.parts.version = version;
        layout
    }

    #[must_use]
    pub fn seat(&self, no: SeatNo) -> Option<&Seat> {
        self.parts.seats.get(no.index())
    }

    #[must_use]
    pub fn category_of(&self, seat: &Seat) -> &Category {
        &self.parts.categories[usize::from(seat.category)]
    }

    /// The seat with this id.
    #[must_use]
    pub fn by_id(&self, id: &str) -> Option<SeatNo> {
        self.by_id.get(canonical(id).as_str()).copied()
    }

    /// The seat that somebody looks for by what is about its label: `a1`, `A01` and `A 1` find A1. Only for looking;
    /// what is sold is named exactly.
    #[must_use]
    pub fn searched(&self, text: &str) -> Named {
        let exact = self.named(text);
        if exact != Named::Nothing {
            return exact;
        }
        let wanted = lookalike::as_written_by_hand(text);
        let alike = |seat: &Seat| lookalike::as_written_by_hand(&seat.label) == wanted;
        let seats = self.parts.seats.iter().zip((0..).map(SeatNo));
        let found: Vec<SeatNo> = seats.filter(|(seat, _)| alike(seat)).map(|(_, no)| no).collect();
        match found.as_slice() {
            [] => Named::Nothing,
            [one] => Named::One(*one),
            _ => Named::Several(found),
        }
    }

    /// The seat that a label or an id names, matched exactly after trimming and NFC.
    #[must_use]
    pub fn named(&self, text: &str) -> Named {
        let text = canonical(text);
        match self.by_label.get(&text).map(Vec::as_slice) {
            Some([one]) => Named::One(*one),
            Some(several) => Named::Several(several.to_vec()),
            None => self.by_id.get(&text).map_or(Named::Nothing, |no| Named::One(*no)),
        }
    }
}

/// The form in which labels are compared: trimmed, NFC.
#[must_use]
pub fn canonical(text: &str) -> String {
    text.trim().nfc().collect()
}
