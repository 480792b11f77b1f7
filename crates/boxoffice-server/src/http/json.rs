//! Reads JSON bodies strictly: an object is an object, never a list of its members in some order,
//! and no name stands twice in one. What does not fit is said in plain words, with a pointer.

use std::collections::HashSet;
use std::fmt;

use serde::de::{self, DeserializeOwned, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_path_to_error::{Path, Track};

use super::Problem;

/// The members that are lists, in the bodies that have them.
const LISTS: [&str; 3] = ["seats", "tickets", "scans"];

/// Reads a body as JSON, whatever `Content-Type` says: the API takes no cookie as proof of
/// anything, so that a foreign form gains nothing. No body reads as `{}`.
///
/// # Errors
/// An invalid request with a pointer to the member that does not fit.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let bytes = if bytes.trim_ascii().is_empty() { b"{}" } else { bytes };
    check_shape(bytes)?;
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    serde_path_to_error::deserialize(&mut reader).map_err(|error| unfit(error.path(), error.inner()))
}

/// Looks at the shape alone, before anything is read into a type that would be less strict.
fn check_shape(bytes: &[u8]) -> Result<(), Problem> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let mut track = Track::new();
    let walked = Place::Body.deserialize(serde_path_to_error::Deserializer::new(&mut reader, &mut track));
    walked.map_err(|error| unfit(&track.path(), &error))?;
    reader.end().map_err(|e| Problem::invalid("", format!("The body is not one JSON value: {e}.")))
}

/// Where a value stands; only [`Place::List`] may be a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Body,
    List,
    Within,
}

impl<'de> DeserializeSeed<'de> for Place {
    type Value = ();

    fn deserialize<D: de::Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Place {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = members.next_key::<String>()? {
            let place = if self == Self::Body && LISTS.contains(&name.as_str()) { Self::List } else { Self::Within };
            if let Some(name) = names.replace(name) {
                return Err(de::Error::custom(format_args!("`{name}` stands in it twice")));
            }
            members.next_value_seed(place)?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        match self {
            Self::List => while items.next_element_seed(Self::Within)?.is_some() {},
            Self::Body | Self::Within => {
                while items.next_element::<IgnoredAny>()?.is_some() {}
                return Err(de::Error::custom("a list stands where none may; name the members of an object"));
            }
        }
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

fn unfit(path: &Path, error: &serde_json::Error) -> Problem {
    Problem::invalid(pointer(path), format!("The body does not fit: {}.", plain(&error.to_string())))
}

/// What the reader calls things, and what people call them.
const WORDS: [(&str, &str); 13] = [
    ("expected u16", "expected a whole number from 0 to 65535"),
    ("expected u32", "expected a whole number from 0 to 4294967295"),
    ("expected f64", "expected a number"),
    ("expected a sequence", "expected a list"),
    ("expected a map", "expected an object"),
    ("invalid type: map", "invalid type: an object"),
    ("invalid type: sequence", "invalid type: a list"),
    ("invalid type: null", "invalid type: nothing"),
    ("floating point ", "number "),
    ("integer `", "number `"),
    ("invalid digit found in string", "a whole number is needed"),
    ("number too large to fit in target type", "the number is too large"),
    ("cannot parse integer from empty string", "a whole number is needed"),
];

/// An error's text without the names that its reader has for things.
#[must_use]
pub fn plain(text: &str) -> String {
    WORDS.iter().fold(text.to_owned(), |text, (reader, people)| text.replace(reader, people))
}

fn pointer(path: &Path) -> String {
    use serde_path_to_error::Segment;
    let step = |segment: &Segment| match segment {
        Segment::Seq { index } => index.to_string(),
        Segment::Map { key } => key.replace('~', "~0").replace('/', "~1"),
        Segment::Enum { variant } => variant.clone(),
        Segment::Unknown => "?".to_owned(),
    };
    path.iter().map(|segment| format!("/{}", step(segment))).collect()
}
