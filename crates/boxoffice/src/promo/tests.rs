//! How codes are compared, and when they are valid.

use super::normalised;
use crate::catalogue::Catalogue;
use crate::catalogue::file::{SourceFile, read};
use crate::show::Zone;
use crate::time::{Span, Timestamp};

fn codes(ids: &[&str], over: &Catalogue) -> Result<Catalogue, String> {
    let code = |id: &&str| format!("[[promo_codes]]\nid = \"{id}\"\npercent = 10\nper = \"booking\"\n");
    let text = ids.iter().map(code).collect();
    let read = read(&[SourceFile { name: "codes.toml".into(), text }], over);
    read.map(|(import, _)| over.with(&import)).map_err(|errors| errors[0].to_string())
}

#[test]
fn case_61_case_blanks_and_lookalikes() {
    let catalogue = codes(&["Summer10"], &Catalogue::default()).unwrap();
    let found = |typed: &str| catalogue.promo_code(typed).map(|code| code.id.as_str());
    for typed in [
        "Summer10",
        "summer10",
        " SUMMER10 ",
        "SUM MER 10",
        "\u{ff33}\u{ff35}\u{ff2d}\u{ff2d}\u{ff25}\u{ff32}\u{ff11}\u{ff10}",
    ] {
        assert_eq!(found(typed), Some("Summer10"), "{typed}");
    }
    for typed in ["SUMMER1O", "", " ", "SUMMER", "\u{0}", &"x".repeat(5_000)] {
        assert_eq!(found(typed), None, "{typed}");
    }
    assert_eq!(normalised("STRASSE"), normalised("Straße"));
    let twice = codes(&["Summer10", "SUMMER 10"], &Catalogue::default()).unwrap_err();
    assert_eq!(
        twice,
        "codes.toml:6: promo_codes[1].id: this id is given twice, first in codes.toml:1 (promo_codes[0])"
    );
    let second = codes(&["SUMMER10"], &catalogue).unwrap_err();
    let said = "is the code `Summer10` of the store in another spelling; case and blanks do not count";
    assert_eq!(second, format!("codes.toml:2: promo_codes[0].id: {said}"));
    assert!(codes(&["Summer10"], &catalogue).is_ok(), "the same code again is a change of it");
}

/// From the first midnight to the end of the last day on the theatre's clocks.
#[test]
fn validity_by_the_theatres_days() {
    let text = "[[promo_codes]]\nid = \"x\"\npercent = 10\nper = \"ticket\"\nvalid_from = 2027-06-12\nvalid_until = 2027-06-13\n";
    let files = [SourceFile { name: "codes.toml".into(), text: text.into() }];
    let catalogue = Catalogue::default().with(&read(&files, &Catalogue::default()).unwrap().0);
    let code = catalogue.promo_code("X").unwrap();
    for (zone, first, end) in [
        ("Europe/Berlin", "2027-06-11T22:00:00Z", "2027-06-13T22:00:00Z"),
        ("America/New_York", "2027-06-12T04:00:00Z", "2027-06-14T04:00:00Z"),
    ] {
        let (zone, tick) = (Zone::named(zone).unwrap(), Span::from_ms(1));
        let (first, end): (Timestamp, Timestamp) = (first.parse().unwrap(), end.parse().unwrap());
        let valid = [first - tick, first, end - tick, end].map(|at| code.is_valid_at(at, &zone));
        assert_eq!(valid, [false, true, true, false], "{}", zone.name());
    }
}
