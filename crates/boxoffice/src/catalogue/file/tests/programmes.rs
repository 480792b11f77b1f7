//! Programmes: the shows they become, the clock changes, what is refused.

use super::{STANDARD, lines, read_one, show};

const TERMS: &str = "price_list = \"regular\"\nrefund_policy = \"standard\"\n";

/// The standard fixture with a programme instead of its show.
fn with(programme: &str) -> String {
    let head = &STANDARD[..STANDARD.find("[[shows]]").unwrap()];
    format!("{head}[[programmes]]\nid = \"p\"\nscreen = \"markt-1\"\nmovie = \"night-train\"\n{programme}{TERMS}")
}

fn shows(programme: &str) -> Result<Vec<String>, String> {
    let read = read_one(&with(programme));
    let shows = read.map(|(import, _)| import.shows).map_err(|errors| lines(&errors).join("\n"))?;
    Ok(shows.iter().map(|show| format!("{} {}", show.id, show.starts_at)).collect())
}

#[test]
fn days_times_exceptions_and_moves() {
    let programme = "from = 2027-06-11\nuntil = 2027-06-13\ntimes = [\"17:00\", \"20:00\", \"00:30\"]\n\
        except = [{ date = 2027-06-11, times = [\"17:00\", \"00:30\"] }, { date = \"2027-06-12\" }]\n\
        moves = [{ date = 2027-06-13, from = \"17:00\", to = \"14:30\" }]\n";
    let expected = [
        "p/2027-06-11/20:00 2027-06-11T18:00:00Z",
        // The id stays when the show is moved; a night show stands on the next date.
        "p/2027-06-13/17:00 2027-06-13T12:30:00Z",
        "p/2027-06-13/20:00 2027-06-13T18:00:00Z",
        "p/2027-06-13/00:30 2027-06-13T22:30:00Z",
    ];
    assert_eq!(shows(programme).unwrap(), expected);
    let import = read_one(&with(programme)).unwrap().0;
    assert_eq!(show(&import, "p/2027-06-13/00:30").business_day, jiff::civil::date(2027, 6, 13));
    assert_eq!(import.shows[0].max_seats, 10, "a field that the programme does not give");
    let more = with(&format!("{programme}max_seats = 4\n")) + "[defaults]\nhold = \"5m\"\n";
    let import = read_one(&more).unwrap().0;
    assert!(import.shows.iter().all(|show| show.max_seats == 4 && show.hold == crate::time::Span::from_mins(5)));
}

/// Clocks go forward in Berlin on 2027-03-28 and back on 2027-10-31: the local time stays.
#[test]
fn case_66_the_same_local_time_a_week_on() {
    for (from, until, before, after) in [
        ("2027-03-26", "2027-04-02", "2027-03-26T19:00:00Z", "2027-04-02T18:00:00Z"),
        ("2027-10-29", "2027-11-05", "2027-10-29T18:00:00Z", "2027-11-05T19:00:00Z"),
    ] {
        let made = shows(&format!("from = {from}\nuntil = {until}\ntimes = [\"20:00\"]\n")).unwrap();
        assert_eq!(made.len(), 8);
        assert_eq!(made[0], format!("p/{from}/20:00 {before}"));
        assert_eq!(made[7], format!("p/{until}/20:00 {after}"));
    }
}

/// A night at 02:30 belongs to the business day before.
#[test]
fn case_64_times_that_do_not_exist_or_occur_twice() {
    let spring = "from = 2027-03-26\nuntil = 2027-03-28\ntimes = [\"02:30\"]\n";
    let said = "a.toml:72: programmes[0].times: `02:30` on 2027-03-27 does not exist in Europe/Berlin: the clocks go forward over it; choose another time, or name it in `except` or `moves`";
    assert_eq!(shows(spring).unwrap_err(), said);
    let left_out = shows(&format!("{spring}except = [{{ date = 2027-03-27, times = [\"02:30\"] }}]\n")).unwrap();
    let around = ["p/2027-03-26/02:30 2027-03-27T01:30:00Z", "p/2027-03-28/02:30 2027-03-29T00:30:00Z"];
    assert_eq!(left_out, around);
    let moved =
        shows(&format!("{spring}moves = [{{ date = 2027-03-27, from = \"02:30\", to = \"03:30\" }}]\n")).unwrap();
    assert_eq!(moved[1], "p/2027-03-27/02:30 2027-03-28T01:30:00Z");
    let autumn = "from = 2027-10-29\nuntil = 2027-10-31\ntimes = [\"02:30\"]\n";
    assert!(shows(autumn).unwrap_err().contains("`02:30` on 2027-10-30 occurs twice in Europe/Berlin"));
    for (fold, doubled) in [(0, "2027-10-31T00:30:00Z"), (1, "2027-10-31T01:30:00Z")] {
        let made = shows(&format!("{autumn}starts_at_fold = {fold}\n")).unwrap();
        let expected = [
            "p/2027-10-29/02:30 2027-10-30T00:30:00Z".to_owned(),
            format!("p/2027-10-30/02:30 {doubled}"),
            "p/2027-10-31/02:30 2027-11-01T01:30:00Z".to_owned(),
        ];
        assert_eq!(made, expected);
    }
    // New York, as shows: clocks go forward on 2027-03-14 and back on 2027-11-07.
    let new_york = |written: &str| {
        let text = STANDARD.replace("Europe/Berlin", "America/New_York");
        let text = text.replace("starts_at = \"2027-06-12T20:00\"", &format!("starts_at = {written}"));
        let read = read_one(&text);
        read.map(|(import, _)| import.shows[0].starts_at.to_string()).map_err(|errors| lines(&errors).join("\n"))
    };
    assert!(new_york("\"2027-03-14T02:30\"").unwrap_err().contains("does not exist in America/New_York"));
    assert!(new_york("\"2027-11-07T01:30\"").unwrap_err().contains("occurs twice in America/New_York"));
    assert_eq!(new_york("\"2027-11-07T01:30\"\nstarts_at_fold = 0").unwrap(), "2027-11-07T05:30:00Z");
    assert_eq!(new_york("\"2027-11-07T01:30\"\nstarts_at_fold = 1").unwrap(), "2027-11-07T06:30:00Z");
}

#[test]
fn mistakes() {
    let span = "from = 2027-06-11\nuntil = 2027-06-13\n";
    for (programme, said) in [
        (span.to_owned(), "times: is missing; give one start at least, such as [\"20:00\"]"),
        (format!("{span}times = [\"20:00\", \"20:00\"]\n"), "times: has 20:00 twice"),
        (format!("{span}times = [\"20:00:30\"]\n"), "times[0]: has seconds; write hours and minutes"),
        ("from = 2027-06-11\nuntil = 2027-06-10\ntimes = [\"20:00\"]\n".into(), "until: is before `from`"),
        (
            "from = 2027-06-11\nuntil = 9999-12-31\ntimes = [\"20:00\"]\n".into(),
            "until: is more than 400 days after `from`; write several programmes",
        ),
        (
            format!("{span}times = [\"20:00\"]\nexcept = [{{ date = 2027-06-14 }}]\n"),
            "except[0].date: 2027-06-14 is no day of the programme",
        ),
        (
            format!("{span}times = [\"20:00\"]\nmoves = [{{ date = 2027-06-12, from = \"17:00\", to = \"18:00\" }}]\n"),
            "moves[0].from: the programme has no show at 17:00 on 2027-06-12",
        ),
        (
            format!(
                "{span}times = [\"20:00\"]\nexcept = [{{ date = 2027-06-12 }}]\nmoves = [{{ date = 2027-06-12, from = \"20:00\", to = \"18:00\" }}]\n"
            ),
            "moves[0].from: is left out by `except`; it cannot be moved, too",
        ),
    ] {
        let error = shows(&programme).unwrap_err();
        assert!(error.ends_with(&format!(": programmes[0].{said}")), "{error}");
    }
    let overlap = shows(&format!("{span}times = [\"20:00\", \"21:00\"]\n")).unwrap_err();
    assert!(overlap.contains("overlaps show `p/2027-06-11/20:00`"), "{overlap}");
    let twice = with(&format!("{span}times = [\"20:00\"]\n"))
        + &STANDARD[STANDARD.find("[[shows]]").unwrap()..].replace("\"show-1\"", "\"p/2027-06-12/20:00\"");
    let errors = lines(&read_one(&twice).unwrap_err());
    assert!(
        errors.iter().any(|e| e.contains("makes the show `p/2027-06-12/20:00`, which stands in `shows`, too")),
        "{errors:?}"
    );
}

/// The window goes with the start; one that ends before it begins is refused.
#[test]
fn case_76_the_entry_window() {
    let text = |start: &str, window: &str| {
        STANDARD.replace("2027-06-12T20:00", start).replace("max_seats = 8", &format!("max_seats = 8\n{window}"))
    };
    let window = |start: &str, fields: &str| {
        let show = show(&read_one(&text(start, fields)).unwrap().0, "show-1");
        [show.entry_opens_at(), show.entry_closes_at()].map(|at| at.to_string())
    };
    let half_an_hour = "entry_opens = \"-30m\"\nentry_closes = \"30m\"";
    assert_eq!(window("2027-06-12T20:00", half_an_hour), ["2027-06-12T17:30:00Z", "2027-06-12T18:30:00Z"]);
    assert_eq!(window("2027-06-12T10:00", half_an_hour), ["2027-06-12T07:30:00Z", "2027-06-12T08:30:00Z"]);
    assert_eq!(window("2027-06-12T20:00", ""), ["2027-06-12T17:30:00Z", "2027-06-12T20:18:00Z"]);
    for (fields, said) in [
        ("entry_opens = \"-30m\"\nentry_closes = \"-31m\"", "a.toml:75: shows[0].entry_closes"),
        ("entry_closes = \"-30m\"", "a.toml:74: shows[0].entry_closes"),
        ("entry_opens = \"2h18m\"", "a.toml:74: shows[0].entry_opens"),
    ] {
        let errors = read_one(&text("2027-06-12T20:00", fields)).unwrap_err();
        assert_eq!(lines(&errors), [format!("{said}: ends the entry before it begins; let it close after it opens")]);
    }
    let kept = serde_json::to_value(&read_one(STANDARD).unwrap().0.shows[0]).unwrap();
    let mut first_version = kept.as_object().unwrap().clone();
    first_version.retain(|field, _| !field.starts_with("entry_"));
    let read: crate::show::ShowSpec = serde_json::from_value(first_version.into()).unwrap();
    assert_eq!(read, read_one(STANDARD).unwrap().0.shows[0]);
}
