//! Programmes: a table of times for every day of a span, which becomes shows with ids that stay.

use jiff::civil::{Date, DateTime, Time};

use super::fields::{Fields, Place, Read};
use super::shows::{self, Hall};
use super::tree::Node;
use super::{Known, values};
use crate::catalogue::timetable;
use crate::id::ShowId;
use crate::show::{ShowSpec, Theatre};
use crate::time::Timestamp;

/// A year and a little; more is a slip of the pen.
const DAYS_MAX: usize = 400;

/// Shows of a programme, each with where its start stands.
pub(super) fn programme(fields: &mut Fields<'_>, known: &Known) -> Read<Vec<(ShowSpec, Place)>> {
    let id = fields.required("id", values::id);
    let hall = Hall::of(fields, known);
    let fold = fields.optional("starts_at_fold", |node| values::integer(node, 0..=1_u16));
    let slots = slots(fields);
    let terms = shows::terms(fields, known, &hall);
    let (id, fold, slots, terms) = (id?, fold?, slots?, terms?);
    let Some(theatre) = hall.theatre else { return Ok(Vec::new()) };
    let mut shows = Vec::with_capacity(slots.len());
    for slot in slots {
        let starts_at = slot.local(theatre).and_then(|local| instant(local, theatre, fold));
        let starts_at = starts_at.map_err(|why| {
            let hint = "name it in `except` or `moves`";
            fields.error_at(&slot.place, format!("`{}` on {} {why}, or {hint}", short(slot.starts), slot.date))
        })?;
        let show_id = ShowId::new(&format!("{id}/{}/{}", slot.date, short(slot.time)));
        let show_id = show_id.map_err(|_| fields.error("id", "is too long for the ids of its shows"))?;
        let spec = terms(show_id, starts_at);
        if let Err(why) = timetable::can_be_priced(&known.catalogue, &spec) {
            return Err(fields.error("price_list", format!("on {}: {why}", slot.date)));
        }
        shows.push((spec, slot.place));
    }
    Ok(shows)
}

/// The fold counts only for a time that occurs twice.
fn instant(local: DateTime, theatre: &Theatre, fold: Option<u16>) -> Result<Timestamp, String> {
    let once = shows::instant_of(local, &theatre.timezone, None);
    if once.is_err() && fold.is_some() { shows::instant_of(local, &theatre.timezone, fold) } else { once }
}

/// One show of the table.
struct Slot {
    /// The business day.
    date: Date,
    /// As in the table, which names the show.
    time: Time,
    /// When it starts: `time`, unless it was moved.
    starts: Time,
    place: Place,
}

impl Slot {
    /// Times before the business day begins fall on the next date of the calendar.
    fn local(&self, theatre: &Theatre) -> Result<DateTime, String> {
        let is_night = self.starts < theatre.business_day_starts;
        let date = if is_night { self.date.tomorrow() } else { Ok(self.date) };
        date.map(|date| date.to_datetime(self.starts)).map_err(|_| "is out of range".into())
    }
}

struct Except {
    date: Date,
    /// Empty: the whole day.
    times: Vec<Time>,
    place: Place,
}

struct Move {
    date: Date,
    from: Time,
    to: Time,
    place: Place,
}

fn slots(fields: &mut Fields<'_>) -> Read<Vec<Slot>> {
    let from = fields.required("from", values::date);
    let until = fields.required("until", values::date);
    let times = times(fields, "times");
    let excepts = fields.tables("except", |except| {
        let date = except.required("date", values::date);
        let times = self::times(except, "times");
        Ok(Except { date: date?, times: times?, place: except.place_of("date") })
    });
    let moves = fields.tables("moves", |moved| {
        let date = moved.required("date", values::date);
        let from = moved.required("from", values::clock_time);
        let to = moved.required("to", values::clock_time);
        Ok(Move { date: date?, from: from?, to: to?, place: moved.place_of("from") })
    });
    let (from, until, times, excepts, moves) = (from?, until?, times?, excepts?, moves?);
    if times.is_empty() {
        return Err(fields.error("times", "is missing; give one start at least, such as [\"20:00\"]"));
    }
    let days: Vec<Date> =
        from.series(jiff::Span::new().days(1)).take_while(|day| *day <= until).take(DAYS_MAX + 1).collect();
    if days.is_empty() {
        return Err(fields.error("until", "is before `from`"));
    }
    if days.len() > DAYS_MAX {
        return Err(
            fields.error("until", format!("is more than {DAYS_MAX} days after `from`; write several programmes"))
        );
    }
    if let Some(outside) = excepts.iter().find(|except| !days.contains(&except.date)) {
        return Err(fields.error_at(&outside.place, format!("{} is no day of the programme", outside.date)));
    }
    for (date, named, place) in named(&excepts, &moves) {
        if !days.contains(&date) || !times.contains(&named) {
            let detail = format!("the programme has no show at {} on {date}", short(named));
            return Err(fields.error_at(place, detail));
        }
    }
    let is_left_out =
        |date, time| excepts.iter().any(|e| e.date == date && (e.times.is_empty() || e.times.contains(&time)));
    if let Some(both) = moves.iter().find(|moved| is_left_out(moved.date, moved.from)) {
        return Err(fields.error_at(&both.place, "is left out by `except`; it cannot be moved, too"));
    }
    let place = fields.place_of("times");
    let slot = |date: Date, time: Time| {
        let moved = moves.iter().find(|moved| moved.date == date && moved.from == time);
        Slot {
            date,
            time,
            starts: moved.map_or(time, |moved| moved.to),
            place: moved.map_or_else(|| place.clone(), |moved| moved.place.clone()),
        }
    };
    let all = days.iter().flat_map(|date| times.iter().map(|time| (*date, *time)));
    Ok(all.filter(|(date, time)| !is_left_out(*date, *time)).map(|(date, time)| slot(date, time)).collect())
}

/// Every show that an exception or a move names.
fn named<'a>(excepts: &'a [Except], moves: &'a [Move]) -> impl Iterator<Item = (Date, Time, &'a Place)> {
    let excepted = excepts.iter().flat_map(|e| e.times.iter().map(|time| (e.date, *time, &e.place)));
    excepted.chain(moves.iter().map(|moved| (moved.date, moved.from, &moved.place)))
}

/// Times of the day, each once.
fn times(fields: &mut Fields<'_>, name: &'static str) -> Read<Vec<Time>> {
    let times = fields.list(name, |node: &Node| {
        let time = values::clock_time(node)?;
        if time.second() == 0 && time.subsec_nanosecond() == 0 {
            Ok(time)
        } else {
            Err("has seconds; write hours and minutes".into())
        }
    })?;
    let twice = times.iter().enumerate().find(|(n, time)| times.iter().take(*n).any(|earlier| earlier == *time));
    match twice {
        Some((_, time)) => Err(fields.error(name, format!("has {} twice", short(*time)))),
        None => Ok(times),
    }
}

fn short(time: Time) -> String {
    time.strftime("%H:%M").to_string()
}
