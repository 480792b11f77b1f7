//! The file as calendars read it.

use boxoffice::booking::TicketStatus;

use super::*;
use crate::tickets::sheet::sample;

/// The lines of a file, unfolded.
fn lines(file: &str) -> Vec<String> {
    assert!(file.ends_with("\r\n") && !file.replace("\r\n", "").contains(['\r', '\n']), "{file:?}");
    file.replace("\r\n ", "").lines().map(str::to_owned).collect()
}

fn value(file: &str, name: &str) -> String {
    let found: Vec<String> =
        lines(file).iter().filter_map(|line| line.strip_prefix(&format!("{name}:")).map(str::to_owned)).collect();
    assert_eq!(found.len(), 1, "{name} in {file}");
    found[0].clone()
}

#[test]
fn an_entry_says_when_where_and_which_seats() {
    let sheet = sample();
    let file = file(&sheet, sheet.made_at);
    let wanted = [
        ("METHOD", "PUBLISH"),
        ("DTSTART", "20270612T180000Z"),
        ("DTEND", "20270612T201800Z"),
        ("STATUS", "CONFIRMED"),
        ("SEQUENCE", "0"),
        ("SUMMARY", "Night Train to Lindau"),
        ("LOCATION", "Kino am Markt\\, Am Markt 1\\, Berlin"),
    ];
    for (name, wanted) in wanted {
        assert_eq!(value(&file, name), wanted, "{file}");
    }
    let said = value(&file, "DESCRIPTION");
    assert!(said.contains("Saturday\\, 12 June 2027\\, 20:00 CEST") && said.contains("Seats: F7 and F8"), "{said}");
    assert!(!said.contains(&sheet.stubs[0].code), "a calendar is shared: no code opens the door from it");
    assert!(file.split("\r\n").all(|line| line.len() <= 76), "{file}");
}

#[test]
fn no_text_of_others_begins_a_line_of_its_own() {
    let mut sheet = sample();
    let evil = "a\r\nBEGIN:VALARM\nX:\u{2028}\u{85}\u{b}; \\, end\rATTACH:x";
    for text in [&mut sheet.film, &mut sheet.theatre, &mut sheet.hall, &mut sheet.reference, &mut sheet.address] {
        evil.clone_into(text);
    }
    sheet.stubs[0].label = evil.to_owned();
    let file = file(&sheet, sheet.made_at);
    let names: Vec<String> = lines(&file).iter().map(|l| l.split([':', ';']).next().unwrap().to_owned()).collect();
    let known = [
        "BEGIN",
        "VERSION",
        "PRODID",
        "CALSCALE",
        "METHOD",
        "BEGIN",
        "DESCRIPTION",
        "DTEND",
        "DTSTAMP",
        "DTSTART",
        "LOCATION",
        "SEQUENCE",
        "STATUS",
        "SUMMARY",
        "UID",
        "END",
        "END",
    ];
    assert_eq!(names, known, "{file}");
    assert_eq!(value(&file, "SUMMARY"), "a  BEGIN:VALARM X:   \\; \\\\\\, end ATTACH:x");
}

#[test]
fn a_later_file_replaces_an_earlier_one_however_the_show_moved() {
    let sheet = sample();
    let number = |sheet: &Sheet, minutes: i64| -> u32 {
        let now = sheet.made_at + boxoffice::time::Span::from_mins(minutes);
        value(&file(sheet, now), "SEQUENCE").parse().unwrap()
    };
    let mut moved = sheet.clone();
    moved.when.moved = true;
    let mut void = moved.clone();
    void.stubs.iter_mut().for_each(|stub| stub.status = TicketStatus::Void);
    let mut off = sheet.clone();
    off.when.cancelled = true;
    assert!(number(&sheet, 0) < number(&moved, 0) && number(&moved, 0) < number(&void, 0));
    assert!(number(&void, 0) < number(&sheet, 1) && number(&sheet, 0) < number(&off, 0));
    assert!(number(&sheet, i64::from(i32::MAX)) <= u32::try_from(i32::MAX).unwrap());
    let status = |sheet: &Sheet| value(&file(sheet, sheet.made_at), "STATUS");
    assert_eq!([&moved, &void, &off].map(status), ["CONFIRMED", "CANCELLED", "CANCELLED"]);
    let uid = |sheet: &Sheet| value(&file(sheet, sheet.made_at), "UID");
    assert_eq!(uid(&sheet), uid(&void));
}

#[test]
fn a_void_ticket_takes_its_seat_out_of_the_entry() {
    let mut sheet = sample();
    sheet.stubs[0].status = TicketStatus::Void;
    let file = file(&sheet, sheet.made_at);
    assert!(value(&file, "DESCRIPTION").contains("Seat: F8") && value(&file, "STATUS") == "CONFIRMED", "{file}");
}
