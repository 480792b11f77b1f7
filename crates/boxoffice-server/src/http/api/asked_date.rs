//! Dates as people write them into a search: `13 June`, `13.6.2027`, `2027-06-13`.

use boxoffice::time::Timestamp;
use jiff::civil::Date;

/// With a year, and without one.
const FORMS: [(&str, &str); 6] = [
    ("%d %B %Y", "%d %B"),
    ("%d %b %Y", "%d %b"),
    ("%B %d %Y", "%B %d"),
    ("%b %d %Y", "%b %d"),
    ("%d.%m.%Y", "%d.%m."),
    ("%Y-%m-%d", "%d.%m"),
];

/// The date that a text names; without a year the one nearest to now. `None`: it names none.
#[must_use]
pub(super) fn read(text: &str, now: Timestamp) -> Option<Date> {
    let text = text.replace(',', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    if text.len() > 24 {
        return None;
    }
    if let Some(date) = FORMS.iter().find_map(|(form, _)| Date::strptime(form, &text).ok()) {
        return Some(date);
    }
    let today = now.to_jiff().to_zoned_datetime(jiff::tz::TimeZone::UTC).date();
    // A month alone would take the year's digits for its day.
    let in_year = |year: i16| {
        let text = format!("{text} {year:04}");
        let dates = FORMS.iter().filter_map(|(_, form)| Date::strptime(format!("{form} %Y"), &text).ok());
        dates.into_iter().find(|date| date.year() == year)
    };
    let years = [today.year() - 1, today.year(), today.year() + 1];
    years.into_iter().filter_map(in_year).min_by_key(|date| (*date - today).get_days().abs())
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn dates_as_they_are_written() {
        let now = "2027-06-12T20:00:00Z".parse().unwrap();
        let date = |text: &str| read(text, now).map(|date| date.to_string());
        for text in ["13 June", "13 jun", "June 13", "13.6.", "13.06", "13 June 2027", "June 13, 2027", "2027-06-13"] {
            assert_eq!(date(text).as_deref(), Some("2027-06-13"), "{text}");
        }
        assert_eq!(date("1 January").as_deref(), Some("2027-01-01"), "the nearest");
        assert_eq!(date("20 December").as_deref(), Some("2026-12-20"), "the nearest");
        for text in ["", "13", "June", "31 June", "Night Train", "2027-02-30", &"1".repeat(500)] {
            assert_eq!(date(text), None, "{text}");
        }
    }
}
