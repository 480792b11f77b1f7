//! What is shown when: shows grouped by business day and by film.

use boxoffice::id::{MovieId, TheatreId};
use boxoffice::show::Show;
use boxoffice::store::{ShowFilter, ShowRow, StoreError};
use boxoffice::time::Timestamp;
use jiff::civil::Date;

use super::poster::{self, Poster};
use super::{link, text};
use crate::app::AppState;
use crate::http::api::shows;

/// So many shows to come are looked at to find the days that have any.
const ROWS_MAX: usize = 2_000;
/// Days offered in the strip.
const DAYS_MAX: usize = 14;

/// A day of the strip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    pub date: String,
    pub weekday: String,
    pub day: String,
    pub long: String,
    pub chosen: bool,
}

/// A film with its shows of one day.
#[derive(Debug, Clone)]
pub struct Film {
    pub card: FilmCard,
    pub groups: Vec<Group>,
}

/// What a film is known by.
#[derive(Debug, Clone)]
pub struct FilmCard {
    pub id: String,
    pub link: String,
    pub title: String,
    pub facts: String,
    pub poster: Poster,
}

/// Shows that stand together under one heading: a theatre's, or a day's.
#[derive(Debug, Clone)]
pub struct Group {
    /// Empty where it would say the same everywhere.
    pub heading: String,
    pub times: Vec<Time>,
}

/// A show as a touch target.
#[derive(Debug, Clone)]
pub struct Time {
    pub link: String,
    pub clock: String,
    pub hall: String,
    /// Format and language.
    pub version: String,
    /// After midnight, but of the evening before.
    pub night: String,
    /// How full, in words.
    pub words: String,
    pub full_percent: usize,
    pub can_buy: bool,
}

#[derive(Debug, Clone)]
pub struct Programme {
    pub days: Vec<Day>,
    /// The chosen day in words; empty if nothing is shown at all.
    pub day: String,
    pub films: Vec<Film>,
}

/// The programme of some theatres on a day, or on the first day that has shows.
///
/// # Errors
/// A fault of the store.
pub async fn of(state: &AppState, theatres: Vec<TheatreId>, date: Option<Date>) -> Result<Programme, StoreError> {
    let rows = upcoming(state, Some(theatres), None).await?;
    let now = state.store().now();
    let dates = dates(&rows);
    let chosen = date.or_else(|| dates.first().copied());
    let shown: Vec<&ShowRow> = rows.iter().filter(|row| Some(row.show.business_day) == chosen).collect();
    Ok(Programme {
        days: strip(&dates, chosen),
        day: chosen.map(text::long_date).unwrap_or_default(),
        films: films(&shown, now),
    })
}

/// Shows to come that can still be bought or will be, by start.
///
/// # Errors
/// A fault of the store.
pub async fn upcoming(
    state: &AppState,
    theatres: Option<Vec<TheatreId>>,
    movies: Option<Vec<MovieId>>,
) -> Result<Vec<ShowRow>, StoreError> {
    let now = state.store().now();
    let filter = ShowFilter { theatres, movies, from: Some(now), limit: ROWS_MAX, ..ShowFilter::default() };
    let rows = state.store().shows(filter).await?;
    Ok(rows.into_iter().filter(|row| now.is_before(row.show.web_closes_at())).collect())
}

fn dates(rows: &[ShowRow]) -> Vec<Date> {
    let mut dates: Vec<Date> = rows.iter().map(|row| row.show.business_day).collect();
    dates.sort_unstable();
    dates.dedup();
    dates.truncate(DAYS_MAX);
    dates
}

fn strip(dates: &[Date], chosen: Option<Date>) -> Vec<Day> {
    let day = |date: &Date| Day {
        date: date.to_string(),
        weekday: date.strftime("%a").to_string(),
        day: date.strftime("%-d %b").to_string(),
        long: text::long_date(*date),
        chosen: Some(*date) == chosen,
    };
    dates.iter().map(day).collect()
}

/// Film by film, the one with the earliest show first; within a film theatre by theatre.
fn films(rows: &[&ShowRow], now: Timestamp) -> Vec<Film> {
    let one_theatre = rows.windows(2).all(|pair| pair[0].show.theatre.id == pair[1].show.theatre.id);
    let mut films: Vec<Film> = Vec::new();
    for row in rows {
        let heading = if one_theatre { String::new() } else { row.show.theatre.name.english().to_owned() };
        let id = row.show.movie.id.as_str();
        let at = films.iter().position(|film| film.card.id == id).unwrap_or_else(|| {
            films.push(Film { card: card(&row.show), groups: Vec::new() });
            films.len() - 1
        });
        if let Some(film) = films.get_mut(at) {
            put(&mut film.groups, heading, time(row, now));
        }
    }
    films
}

/// Adds a time under its heading.
pub fn put(groups: &mut Vec<Group>, heading: String, time: Time) {
    match groups.iter_mut().find(|group| group.heading == heading) {
        Some(group) => group.times.push(time),
        None => groups.push(Group { heading, times: vec![time] }),
    }
}

#[must_use]
pub fn card(show: &Show) -> FilmCard {
    let movie = &show.movie;
    let certificate = movie.certificates.get(&show.theatre.country).map(|c| c.label.clone());
    let facts = [Some(text::runtime(movie.runtime_min)), Some(text::language(&movie.language).to_owned()), certificate];
    FilmCard {
        id: movie.id.to_string(),
        link: link::movie(movie.id.as_str()),
        title: movie.title.english().to_owned(),
        facts: facts.into_iter().flatten().collect::<Vec<_>>().join(" · "),
        poster: poster::draw(movie, &show.theatre.country),
    }
}

#[must_use]
pub fn time(row: &ShowRow, now: Timestamp) -> Time {
    let show = &*row.show;
    let seats = show.layout.seats().len().max(1);
    let taken = seats.saturating_sub(row.seats_left);
    let opens = show.spec.sales_open.filter(|opens| now.is_before(*opens));
    let (words, can_buy) = if show.spec.cancelled {
        ("cancelled".to_owned(), false)
    } else if let Some(opens) = opens {
        let local = opens.to_jiff().to_zoned_datetime(show.theatre.timezone.tz().clone());
        (format!("on sale from {}, {}", text::short_date(local.date()), text::clock(&local)), false)
    } else if !row.sales.are_open() {
        ("not on sale now".to_owned(), false)
    } else {
        (how_full(row.seats_left, seats), row.seats_left > 0)
    };
    let local = show.local_start();
    Time {
        link: link::show(show.id().as_str()),
        clock: text::clock(&local),
        hall: show.screen.name.english().to_owned(),
        version: version(show),
        night: night(show),
        words,
        full_percent: taken.saturating_mul(100) / seats,
        can_buy,
    }
}

/// Format, language and subtitles, as far as the show says.
#[must_use]
pub fn version(show: &Show) -> String {
    let audio = show.spec.audio.as_deref().map(|a| format!("in {}", text::language(a)));
    let subtitles = show.spec.subtitles.as_deref().map(|s| format!("{} subtitles", text::language(s)));
    [show.spec.format.clone(), audio, subtitles].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// `night of Sat to Sun` for a show after midnight that belongs to the evening before, else nothing.
#[must_use]
pub fn night(show: &Show) -> String {
    shows::night(show).unwrap_or_default()
}

/// How full a hall is, in words that are true.
fn how_full(left: usize, seats: usize) -> String {
    match left {
        0 => "sold out".to_owned(),
        left if left * 10 <= seats => format!("nearly full, {} left", text::count(left, "seat", "seats")),
        left if left * 2 <= seats => "more than half full".to_owned(),
        left if left == seats => "all seats free".to_owned(),
        _ => "seats free".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_for_how_full_are_true() {
        let cases = [
            (0, 120, "sold out"),
            (1, 120, "nearly full, 1 seat left"),
            (12, 120, "nearly full, 12 seats left"),
            (13, 120, "more than half full"),
            (60, 120, "more than half full"),
            (61, 120, "seats free"),
            (120, 120, "all seats free"),
        ];
        for (left, seats, words) in cases {
            assert_eq!(how_full(left, seats), words);
        }
    }
}
