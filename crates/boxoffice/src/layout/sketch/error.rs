//! What can be wrong with a drawing: where, what, and what to do about it.

use std::fmt;

use super::{MAX_FIRST_NUMBER, MAX_NAME_CHARS, MAX_ROW_CHARS, MAX_ROWS, MAX_SEATS};

/// A row of the drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// From the screen backwards, from 0.
    pub row: usize,
    pub label: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {} (`{}`)", self.row + 1, self.label)
    }
}

/// One mistake in a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SketchError {
    /// `None`: it concerns the layout as a whole.
    pub place: Option<Place>,
    /// The character of the row's cells at which it stands, from 1.
    pub column: Option<usize>,
    pub problem: Problem,
}

impl SketchError {
    pub(super) fn whole(problem: Problem) -> Self {
        Self { place: None, column: None, problem }
    }

    pub(super) fn in_row(place: &Place, problem: Problem) -> Self {
        Self { place: Some(place.clone()), column: None, problem }
    }

    pub(super) fn at(place: &Place, column: usize, problem: Problem) -> Self {
        Self { place: Some(place.clone()), column: Some(column), problem }
    }
}

impl fmt::Display for SketchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.place, self.column) {
            (Some(place), Some(column)) => write!(f, "{place}, cell character {column}: {}", self.problem),
            (Some(place), None) => write!(f, "{place}: {}", self.problem),
            (None, _) => write!(f, "{}", self.problem),
        }
    }
}

impl std::error::Error for SketchError {}

/// All mistakes of a drawing, at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SketchErrors(pub Vec<SketchError>);

impl fmt::Display for SketchErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (error, before) in self.0.iter().zip(0..) {
            if before > 0 {
                f.write_str("\n")?;
            }
            error.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for SketchErrors {}

/// What is wrong, in a sentence that says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("the layout has {rows} rows; at most {MAX_ROWS} can be drawn, split the hall into several layouts")]
    TooManyRows { rows: usize },
    #[error("the layout has {seats} seats; at most {MAX_SEATS} can be drawn, split the hall into several layouts")]
    TooManySeats { seats: usize },
    #[error("the layout has no seat; draw at least one cell with a category's key")]
    NoSeats,
    #[error("the layout has no category; give at least one, such as `categories = {{ S = \"Standard\" }}`")]
    NoCategories,
    #[error("`{key}` cannot be a category's key; use one character other than `.`, `_`, `+`, `(`, `)` and blanks")]
    BadKey { key: String },
    #[error("the key `{key}` stands for two categories; give each its own")]
    RepeatedKey { key: String },
    #[error("the category `{key}` has no name; give the one that price lists use")]
    NamelessCategory { key: String },
    #[error("the label pattern `{pattern}` cannot be read: {why}")]
    BadPattern { pattern: String, why: &'static str },
    #[error("the {what} is empty; write it out or leave it away")]
    EmptyName { what: &'static str },
    #[error("the {what} must have at most {MAX_NAME_CHARS} characters, no colon and no control character")]
    BadName { what: &'static str },
    #[error("the row has no cells; write them after its label, such as `A SSS.SSS`")]
    NoCells,
    #[error("the row is drawn with {chars} characters; at most {MAX_ROW_CHARS} are read, split the row")]
    RowTooLong { chars: usize },
    #[error(
        "`{cell}` is no category's key; add it to the categories, or write `.` for an aisle, `_` for a missing seat"
    )]
    UnknownCell { cell: char },
    #[error("`+` marks the seat before it as a wheelchair space; put it right after one seat")]
    PlusWithoutSeat,
    #[error("a wheelchair space cannot be part of a love seat; draw it outside the brackets")]
    WheelchairInGroup,
    #[error("`(` inside a love seat; close the first one with `)` before")]
    NestedGroup,
    #[error("`(` is never closed; put `)` after the love seat's last cell")]
    UnclosedGroup,
    #[error("`)` closes nothing; put `(` before the love seat's first cell")]
    UnopenedGroup,
    #[error("a love seat is broken by an aisle or a missing seat; close it before with `)`")]
    BrokenGroup,
    #[error("a love seat needs at least two cells; add one or take the brackets away")]
    GroupTooSmall,
    #[error("the seats of a love seat are of different categories; give them one")]
    MixedGroup,
    #[error("`first_number` is {first}; at most {MAX_FIRST_NUMBER} is read, use `numbers` for other numbers")]
    FirstNumberTooLarge { first: u32 },
    #[error("`numbers` replaces any numbering; take `numbering` and `first_number` away from this row")]
    NumbersAndNumbering,
    #[error("`numbers` names {numbers} seats, but {seats} are drawn; give one number for each seat, left to right")]
    WrongCountOfNumbers { numbers: usize, seats: usize },
    #[error("the seat id `{id}` is given twice, first in row {first_row}; change a number, or give the rows zones")]
    RepeatedId { id: String, first_row: usize },
    #[error("the labels `{label}` and `{like}` of one row look alike; write both with the same count of zeros")]
    LookAlikeLabels { label: String, like: String },
    #[error("companions name the seat `{text}`, which is not drawn; use its label or id")]
    UnknownCompanion { text: String },
    #[error("companions name `{text}`, which several zones have; use the id, `ZONE:LABEL`")]
    AmbiguousCompanion { text: String },
    #[error("`{companion}` is to accompany `{text}`, which is no wheelchair space; put `+` after that cell")]
    NotAWheelchairSpace { companion: String, text: String },
    #[error("`{text}` is a wheelchair space itself and cannot be a companion seat; write `COMPANION = \"SPACE\"`")]
    CompanionIsWheelchairSpace { text: String },
}

/// Something the author of a drawing should know; the drawing is good all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    pub place: Place,
    pub detail: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.detail)
    }
}
