//! A believable chain for `serve --demo`: a fixed catalogue and a week of shows from today, written
//! as catalogue files and read like any other. A day's shows depend on the date alone, so that each
//! morning's import adds a day and changes nothing else.

use jiff::civil::{Date, Weekday};

use super::file::{FileError, SourceFile, Warning, read};
use super::{Catalogue, Import};
use crate::show::{Movie, Screen, Theatre};

#[cfg(test)]
mod tests;

const DAYS: i64 = 7;
/// Minutes of the day at which the first show begins, and after which none does.
const WEEKDAY_OPENS_MIN: i64 = 14 * 60;
const WEEKEND_OPENS_MIN: i64 = 11 * 60;
const LAST_START_MIN: i64 = 22 * 60 + 30;
/// From here on no film without an age limit is shown.
const EVENING_MIN: i64 = 19 * 60;

/// The demo chain with its shows for a week from `today`.
///
/// # Errors
/// What is wrong with the demo's own files; a test keeps them right.
pub fn demo(today: Date) -> Result<Import, Vec<FileError>> {
    chain(today).map(|(import, _)| import)
}

fn chain(today: Date) -> Result<(Import, Vec<Warning>), Vec<FileError>> {
    let chain = SourceFile { name: "demo.toml".into(), text: include_str!("demo.toml").into() };
    let (mut import, mut warnings) = read(&[chain], &Catalogue::default())?;
    let catalogue = Catalogue::default().with(&import);
    let days = (0..DAYS).filter_map(|n| today.checked_add(jiff::Span::new().days(n)).ok());
    let text = days.map(|day| shows_of_day(&import, day)).collect();
    let (shows, more) = read(&[SourceFile { name: "demo-shows.toml".into(), text }], &catalogue)?;
    warnings.extend(more);
    import.shows = shows.shows;
    // It refers to nothing but itself, so that it may be written over any catalogue.
    import.over = None;
    Ok((import, warnings))
}

/// The day's shows on every screen, as a catalogue file. The films move on by one each Thursday.
fn shows_of_day(import: &Import, day: Date) -> String {
    let a_thursday = jiff::civil::date(1970, 1, 1);
    let week = a_thursday.until(day).map_or(0, |span| span.get_days()).div_euclid(7);
    let mut text = String::new();
    for (screen, index) in import.screens.iter().zip(0..) {
        let Some(theatre) = import.theatres.iter().find(|theatre| theatre.id == screen.theatre) else { continue };
        let films: Vec<&Movie> =
            import.movies.iter().filter(|movie| movie.certificates.contains_key(&theatre.country)).collect();
        let first_film = usize::try_from(week).unwrap_or(0) + 2 * index;
        for (start_min, film) in screenings(&films, first_film, theatre, opens_min(day, index)) {
            text.push_str(&show(screen, theatre, film, day, start_min));
        }
    }
    text
}

/// The screens of a theatre open a quarter of an hour apart, so that the foyer is not full at once.
fn opens_min(day: Date, screen_index: usize) -> i64 {
    let opens_min = match day.weekday() {
        Weekday::Saturday | Weekday::Sunday => WEEKEND_OPENS_MIN,
        Weekday::Monday | Weekday::Tuesday | Weekday::Wednesday | Weekday::Thursday | Weekday::Friday => {
            WEEKDAY_OPENS_MIN
        }
    };
    opens_min + 15 * i64::try_from(screen_index % 3).unwrap_or(0)
}

/// Start, in minutes of the day, and film of each show on one screen: one after the other, with
/// time to clean, on the quarter hour.
fn screenings<'a>(films: &[&'a Movie], first_film: usize, theatre: &Theatre, opens_min: i64) -> Vec<(i64, &'a Movie)> {
    let around_min = (theatre.trailers.as_ms() + theatre.cleaning.as_ms()) / 60_000;
    let mut screenings = Vec::new();
    let mut next_film = first_film;
    let mut start_min = opens_min;
    while start_min <= LAST_START_MIN {
        let from_here = films.iter().cycle().skip(next_film % films.len().max(1)).take(films.len());
        let suitable = from_here.enumerate().find(|(_, film)| start_min < EVENING_MIN || has_age_limit(film, theatre));
        let Some((skipped, film)) = suitable else { break };
        screenings.push((start_min, *film));
        next_film += skipped + 1;
        let free_min = start_min + i64::from(film.runtime_min) + around_min;
        start_min = (free_min + 14) / 15 * 15;
    }
    screenings
}

fn has_age_limit(film: &Movie, theatre: &Theatre) -> bool {
    film.certificates.get(&theatre.country).and_then(|certificate| certificate.min_age).is_some_and(|age| age > 0)
}

fn show(screen: &Screen, theatre: &Theatre, film: &Movie, day: Date, start_min: i64) -> String {
    let (hour, minute) = (start_min / 60, start_min % 60);
    let country = theatre.country.as_str();
    let house_language = if country == "DE" { "de" } else { "en" };
    let subtitles =
        if film.language == house_language { String::new() } else { format!("subtitles = \"{house_language}\"\n") };
    format!(
        "[[shows]]\n\
         id = \"{screen}-{day}-{hour:02}{minute:02}\"\n\
         movie = \"{movie}\"\n\
         screen = \"{screen}\"\n\
         starts_at = \"{day}T{hour:02}:{minute:02}\"\n\
         price_list = \"{country}\"\n\
         refund_policy = \"{country}\"\n\
         audio = \"{audio}\"\n\
         {subtitles}\n",
        screen = screen.id,
        movie = film.id,
        audio = film.language,
    )
}
