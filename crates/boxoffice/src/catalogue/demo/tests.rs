//! The demo chain on many days: no warning, shows on every screen each day, the same ids tomorrow.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::{Date, date};

use super::{DAYS, chain, demo};
use crate::catalogue::{Catalogue, Import};
use crate::id::ShowNo;
use crate::pricing::tests::standing_prices as ticket_prices;

fn later(day: Date, days: i64) -> Date {
    day.checked_add(jiff::Span::new().days(days)).unwrap()
}

/// How many shows each screen has on each local date.
fn shows_by_screen_and_day(import: &Import) -> BTreeMap<(String, Date), usize> {
    let catalogue = Catalogue::default().with(import);
    let mut counts = BTreeMap::new();
    for show in &import.shows {
        let zone = catalogue.theatres[&catalogue.screens[&show.screen].theatre].timezone.tz().clone();
        let local = show.starts_at.to_jiff().to_zoned_datetime(zone);
        *counts.entry((show.screen.to_string(), local.date())).or_default() += 1;
    }
    counts
}

/// Days over a year and a half, among them both changes of the clocks.
#[test]
fn every_screen_has_shows_each_day() {
    for n in 0..26 {
        let today = later(date(2026, 11, 30), n * 20);
        let (import, warnings) = chain(today).unwrap();
        assert_eq!(warnings, [], "{today}");
        let counts = shows_by_screen_and_day(&import);
        for screen in &import.screens {
            for n in 0..DAYS {
                let day = later(today, n);
                let count = counts.get(&(screen.id.to_string(), day)).copied().unwrap_or(0);
                assert!((3..=6).contains(&count), "{count} shows on {} on {day}", screen.id);
            }
        }
    }
}

#[test]
fn a_new_day_changes_no_show() {
    let today = date(2026, 12, 24);
    let now: BTreeMap<_, _> = demo(today).unwrap().shows.into_iter().map(|show| (show.id.clone(), show)).collect();
    let next = demo(later(today, 1)).unwrap().shows;
    let kept = next.iter().filter(|show| now.contains_key(&show.id)).count();
    assert!(next.iter().all(|show| now.get(&show.id).is_none_or(|known| known == show)));
    let new: BTreeSet<String> = next
        .iter()
        .filter(|show| !now.contains_key(&show.id))
        .map(|show| show.starts_at.to_string()[..10].to_owned())
        .collect();
    assert_eq!(new, BTreeSet::from(["2026-12-31".to_owned()]));
    assert!(kept > new.len());
}

#[test]
fn the_chain_is_what_a_visitor_expects() {
    let import = demo(date(2026, 11, 30)).unwrap();
    let cities: BTreeSet<&str> = import.theatres.iter().map(|theatre| theatre.city.as_str()).collect();
    assert_eq!((import.theatres.len(), cities), (5, BTreeSet::from(["Berlin", "Hamburg", "Pune"])));
    let halls: Vec<(&str, usize)> = import.layouts.iter().map(|l| (l.id().as_str(), l.seats().len())).collect();
    assert_eq!(halls, [("small", 60), ("medium", 120), ("large", 240)]);
    let shown: BTreeSet<_> = import.shows.iter().map(|show| &show.movie).collect();
    assert_eq!((import.movies.len(), shown.len()), (9, 9), "every film is shown");
    let catalogue = Catalogue::default().with(&import);
    for spec in &import.shows {
        let layout = catalogue.screens[&spec.screen].layout.clone();
        let show = catalogue.resolve(ShowNo(1), spec.clone(), &layout, 1).unwrap();
        assert!(!ticket_prices(&show).unwrap().is_empty());
    }
}
