//! The pattern by which a label is made of its row and number, such as `{row}{number:02}`.

use super::error::Problem;
use super::{MAX_NAME_CHARS, Number, canonical};

const MAX_WIDTH: usize = 9;

#[derive(Debug)]
pub(in crate::layout) struct Pattern(Vec<Part>);

#[derive(Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Row,
    /// Counted numbers are filled up with zeros to this many digits.
    Number {
        width: usize,
    },
}

impl Pattern {
    /// # Errors
    /// [`Problem::BadPattern`] with what to write instead.
    pub(in crate::layout) fn read(pattern: &str) -> Result<Self, Problem> {
        let bad = |why| Problem::BadPattern { pattern: pattern.chars().take(MAX_NAME_CHARS).collect(), why };
        if pattern.chars().take(MAX_NAME_CHARS + 1).count() > MAX_NAME_CHARS {
            return Err(bad("it is too long; 32 characters are enough"));
        }
        let mut parts = Vec::new();
        let mut rest = pattern;
        while !rest.is_empty() {
            let (text, after) = rest.split_once('{').unwrap_or((rest, ""));
            if text.contains([':', '}']) || text.chars().any(char::is_control) {
                return Err(bad("outside of `{row}` and `{number}` a label holds no `}`, colon or control character"));
            }
            if !text.is_empty() {
                parts.push(Part::Text(text.to_owned()));
            }
            if text.len() == rest.len() {
                break;
            }
            let (name, after) = after.split_once('}').ok_or_else(|| bad("a `{` is never closed with `}`"))?;
            parts.push(part(name).ok_or_else(|| bad("only `{row}`, `{number}` and `{number:02}` are known"))?);
            rest = after;
        }
        let numbered = parts.iter().any(|part| matches!(part, Part::Number { .. }));
        if numbered {
            Ok(Self(parts))
        } else {
            Err(bad("it lacks `{number}`, so that all seats of a row would be one"))
        }
    }

    /// The number as printed, and the label.
    pub(in crate::layout) fn label(&self, row: &str, number: &Number) -> (String, String) {
        let mut printed = String::new();
        let mut label = String::new();
        for part in &self.0 {
            match part {
                Part::Text(text) => label.push_str(text),
                Part::Row => label.push_str(row),
                Part::Number { width } => {
                    printed = match number {
                        Number::Counted(number) => format!("{number:0width$}"),
                        Number::Written(number) => number.clone(),
                    };
                    label.push_str(&printed);
                }
            }
        }
        // Parts that are canonical each need not be so together: a number may begin with an accent.
        (printed, canonical(&label))
    }
}

fn part(name: &str) -> Option<Part> {
    match name {
        "row" => Some(Part::Row),
        "number" => Some(Part::Number { width: 0 }),
        other => {
            let width = other.strip_prefix("number:0")?;
            let digits = !width.is_empty() && width.bytes().all(|b| b.is_ascii_digit());
            let width = width.parse().ok().filter(|width| digits && (1..=MAX_WIDTH).contains(width))?;
            Some(Part::Number { width })
        }
    }
}
