//! Values as a catalogue file writes them.

use jiff::tz::AmbiguousOffset;
use serde::Serialize;
use serde_json::Value;

use crate::show::{Text, Zone};
use crate::time::{Span, Timestamp};

/// A table of the fields that there are.
pub(super) fn table<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let there = fields.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(there.map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A list; none, if there is nothing in it.
pub(super) fn list(values: impl IntoIterator<Item = Value>) -> Value {
    let values: Vec<Value> = values.into_iter().collect();
    if values.is_empty() { Value::Null } else { Value::Array(values) }
}

/// The word of an enum that is kept by a word.
pub(super) fn word(it: &impl Serialize) -> Value {
    serde_json::to_value(it).unwrap_or(Value::Null)
}

pub(super) fn public(text: &Text) -> Value {
    word(text)
}

/// `05:00`
pub(super) fn clock(time: jiff::civil::Time) -> String {
    without_seconds(time.to_string())
}

/// `2027-06-10T20:00`
pub(super) fn date_time(at: jiff::civil::DateTime) -> String {
    without_seconds(at.to_string())
}

fn without_seconds(text: String) -> String {
    text.strip_suffix(":00").map(str::to_owned).unwrap_or(text)
}

/// On the theatre's clocks; where they show a time twice, as an instant.
pub(super) fn local(at: Timestamp, zone: &Zone) -> String {
    let local = at.to_jiff().to_zoned_datetime(zone.tz().clone()).datetime();
    match zone.tz().to_ambiguous_timestamp(local).offset() {
        AmbiguousOffset::Unambiguous { .. } => date_time(local),
        AmbiguousOffset::Gap { .. } | AmbiguousOffset::Fold { .. } => at.to_string(),
    }
}

/// `2h30m`
pub(super) fn duration(span: Span) -> String {
    let mut rest = span.as_ms().abs() / 1_000;
    let mut text = String::new();
    for (unit, seconds) in [("h", 3_600), ("m", 60), ("s", 1)] {
        if rest >= seconds {
            text.push_str(&format!("{}{unit}", rest / seconds));
            rest %= seconds;
        }
    }
    if text.is_empty() { "0m".to_owned() } else { text }
}

/// `-30m` is before the start.
pub(super) fn signed(span: Span) -> String {
    let sign = if span.as_ms() < 0 { "-" } else { "" };
    format!("{sign}{}", duration(span))
}
