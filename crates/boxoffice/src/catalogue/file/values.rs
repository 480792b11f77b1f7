//! Reads single values. Every refusal says what to write instead.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::tree::{Node, Value};
use crate::id::CatalogueId;
use crate::money::{Currency, Percent};
use crate::show::{Text, Zone};
use crate::time::Span;

/// Characters of one text.
const LONGEST_TEXT: usize = 2_000;

/// A text for people: not blank, no control characters.
pub(super) fn text(node: &Node) -> Result<String, String> {
    let text = node.value.text()?;
    if text.trim().is_empty() {
        Err("is empty; write some text or leave the field out".into())
    } else if text.chars().any(char::is_control) {
        Err("has a line break or another control character; write it in one line".into())
    } else if text.chars().count() > LONGEST_TEXT {
        Err(format!("is longer than {LONGEST_TEXT} characters"))
    } else {
        Ok(text.to_owned())
    }
}

/// A text, or one text per language.
pub(super) fn public_text(node: &Node) -> Result<Text, String> {
    let Value::Table(table) = &node.value else { return text(node).map(Text::Plain) };
    let mut texts = BTreeMap::new();
    for (language, node) in &table.0 {
        if !is_language(language) {
            return Err(format!("`{language}` is no language tag such as `en` or `pt-BR`"));
        }
        texts.insert(language.clone(), text(node).map_err(|why| format!("`{language}` {why}"))?);
    }
    if texts.is_empty() {
        Err("is empty; give the text in one language at least".into())
    } else {
        Ok(Text::ByLanguage(texts))
    }
}

pub(super) fn id(node: &Node) -> Result<CatalogueId, String> {
    let text = node.value.text()?;
    CatalogueId::new(text).map_err(|_| "is no id; write 1 to 128 printable characters without blanks".into())
}

/// A BCP 47 tag by its form.
pub(super) fn language(node: &Node) -> Result<String, String> {
    let text = node.value.text()?;
    if is_language(text) {
        Ok(text.to_owned())
    } else {
        Err("is no language tag; write one such as `en` or `pt-BR`".into())
    }
}

fn is_language(text: &str) -> bool {
    let mut parts = text.split('-');
    let first = parts.next().is_some_and(|p| (2..=3).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_lowercase()));
    first && parts.all(|p| (1..=8).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_alphanumeric()))
}

pub(super) fn country(node: &Node) -> Result<String, String> {
    let text = node.value.text()?;
    if is_country(text) {
        Ok(text.to_owned())
    } else {
        Err("is no country code; write two capitals such as `DE`".into())
    }
}

pub(super) fn is_country(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|b| b.is_ascii_uppercase())
}

pub(super) fn zone(node: &Node) -> Result<Zone, String> {
    let name = node.value.text()?;
    Zone::named(name).ok_or_else(|| format!("`{name}` is no time zone; write a name such as `Europe/Berlin`"))
}

pub(super) fn currency(node: &Node) -> Result<Currency, String> {
    node.value.text()?.parse().map_err(|e: crate::money::MoneyError| format!("{e}; write one such as `EUR`"))
}

/// A time of day.
pub(super) fn clock_time(node: &Node) -> Result<jiff::civil::Time, String> {
    node.value.text()?.parse().map_err(|_| "is no time of day; write one such as `05:00`".into())
}

/// A day of the calendar.
pub(super) fn date(node: &Node) -> Result<jiff::civil::Date, String> {
    let text = node.value.text()?;
    let date = text.parse().ok().filter(|_| text.len() == "2027-06-12".len());
    date.ok_or_else(|| "is no date; write one such as `2027-06-12`".into())
}

/// A decimal as it is written, in quotes or not.
pub(super) fn decimal(node: &Node) -> Result<&str, String> {
    if let Value::Number(digits) = &node.value { Ok(digits) } else { node.value.text() }
}

/// From 0 to 100.
pub(super) fn percent(node: &Node) -> Result<Percent, String> {
    let percent: Percent = decimal(node)?.parse().map_err(|e: crate::money::MoneyError| e.to_string())?;
    if percent > Percent::from(100) { Err("is more than 100 percent".into()) } else { Ok(percent) }
}

pub(super) fn integer<T>(node: &Node, range: RangeInclusive<T>) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let number = match &node.value {
        Value::Number(text) => text.parse().ok().filter(|number| range.contains(number)),
        Value::Text(_) | Value::Bool(_) | Value::List(_) | Value::Table(_) => None,
    };
    number.ok_or_else(|| format!("must be a whole number from {} to {}, without quotes", range.start(), range.end()))
}

/// One of a few words.
pub(super) fn word<T: Copy>(node: &Node, words: &[(&str, T)]) -> Result<T, String> {
    let text = node.value.text()?;
    words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
        format!("`{text}` is not known; write {}", words.join(" or "))
    })
}

/// `"90s"`, `"10m"`, `"24h"`, `"2h30m"`.
pub(super) fn duration(node: &Node) -> Result<Span, String> {
    let text = node.value.text()?;
    parse_duration(text)
        .ok_or_else(|| "is no duration; write hours, minutes or seconds such as `24h`, `2h30m` or `90s`".into())
}

/// As [`duration`], with an optional sign.
pub(super) fn signed_duration(node: &Node) -> Result<Span, String> {
    let text = node.value.text()?;
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    parse_duration(rest)
        .map(|span| Span::from_ms(sign * span.as_ms()))
        .ok_or_else(|| "is no duration; write one such as `30m`, or `-30m` for before the start".into())
}

/// Hours, minutes, seconds in this order, each at most once, together at most a year.
fn parse_duration(text: &str) -> Option<Span> {
    const LONGEST_S: i64 = 366 * 24 * 3_600;
    let mut rest = text;
    let mut total_s: i64 = 0;
    for (unit, unit_s) in [('h', 3_600), ('m', 60), ('s', 1)] {
        let Some((digits, after)) = rest.split_once(unit) else { continue };
        if digits.is_empty() || digits.len() > 9 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        total_s += digits.parse::<i64>().ok()? * unit_s;
        rest = after;
    }
    let whole = !text.is_empty() && rest.is_empty() && total_s <= LONGEST_S;
    whole.then(|| Span::from_secs(total_s))
}
