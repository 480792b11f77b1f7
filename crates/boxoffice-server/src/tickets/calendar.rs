//! A booking as an entry of a calendar (RFC 5545): one file, one event, its times as instants, so
//! that no calendar needs to know the cinema's zone.

use boxoffice::time::Timestamp;
use icalendar::{Calendar, Component as _, Event, EventLike as _, EventStatus, Property};

use super::sheet::{Sheet, Stub};
use crate::pages::text;

/// The number of an entry is a signed 32-bit one; this is a thousand years.
const MINUTES_MAX: u32 = 500_000_000;

/// The file. `now` is the instant at which it is asked for; a file asked for later replaces one
/// asked for before.
#[must_use]
pub fn file(sheet: &Sheet, now: Timestamp) -> String {
    let event = event(sheet, now);
    let mut calendar = Calendar::empty();
    calendar.append_property(Property::new("VERSION", "2.0"));
    calendar.append_property(Property::new("PRODID", "-//Boxoffice//Tickets//EN"));
    calendar.append_property(Property::new("CALSCALE", "GREGORIAN"));
    calendar.append_property(Property::new("METHOD", "PUBLISH"));
    calendar.push(event);
    calendar.to_string()
}

fn event(sheet: &Sheet, now: Timestamp) -> Event {
    let good: Vec<&Stub> = sheet.stubs.iter().filter(|stub| stub.is_good()).collect();
    let cancelled = sheet.when.cancelled || good.is_empty();
    let mut event = Event::with_uid(&format!("{}@boxoffice", sheet.booking));
    event
        .add_property("DTSTAMP", utc(now))
        .add_property("DTSTART", utc(sheet.when.starts_at))
        .add_property("DTEND", utc(sheet.when.ends_at))
        .sequence(sequence(sheet, cancelled, now))
        .summary(&line(&sheet.film))
        .location(&line(&sheet.place()))
        .description(&description(sheet, &good))
        .status(if cancelled { EventStatus::Cancelled } else { EventStatus::Confirmed });
    event.done()
}

/// Calendars take an entry in place of the one they have if its number is not lower. A show can
/// be moved to an earlier time, so its start alone would not do: the number counts the minutes
/// since the booking was made, and within one minute what has changed since.
fn sequence(sheet: &Sheet, cancelled: bool, now: Timestamp) -> u32 {
    let minutes = (now - sheet.made_at).as_ms().max(0) / 60_000;
    let minutes = u32::try_from(minutes).unwrap_or(u32::MAX).min(MINUTES_MAX);
    minutes * 4 + u32::from(sheet.when.moved) + 2 * u32::from(cancelled)
}

fn utc(at: Timestamp) -> String {
    at.to_jiff().strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn description(sheet: &Sheet, good: &[&Stub]) -> String {
    let when = &sheet.when;
    let night = if when.night.is_empty() { String::new() } else { format!(" ({})", when.night) };
    let labels: Vec<&str> = good.iter().map(|stub| stub.label.as_str()).collect();
    let seats = if labels.is_empty() {
        "The tickets are void.".to_owned()
    } else {
        format!("{}: {}", if labels.len() == 1 { "Seat" } else { "Seats" }, text::list(&labels))
    };
    let lines = [
        format!("{}, {} {}{night}", when.date, when.clock, when.zone),
        sheet.hall.clone(),
        seats,
        format!("The door opens at {}.", when.entry),
        format!("Booking {}", sheet.reference),
    ];
    lines.map(|text| line(&text)).join("\n")
}

/// A text of others as one line: no control character of theirs can end the line or begin one.
fn line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests;
