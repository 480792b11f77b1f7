//! Catalogue files as tables: a change to a good file, and what is said about it.

mod halls;
mod mistakes;
mod prices;
mod programmes;

use proptest::prelude::*;

use super::{FileError, SourceFile, Warning, read};
use crate::catalogue::{Catalogue, Import};
use crate::id::{CatalogueId, ShowNo};
use crate::prices::Weekday;
use crate::pricing::tests::standing_prices as ticket_prices;
use crate::show::{LatePayment, Show};
use crate::time::Span;

const STANDARD: &str = include_str!("../../../../../fixtures/standard.toml");
const CHAIN: &str = include_str!("../../../../../fixtures/chain.toml");

fn source(name: &str, text: &str) -> SourceFile {
    SourceFile { name: name.into(), text: text.into() }
}

fn read_one(text: &str) -> Result<(Import, Vec<Warning>), Vec<FileError>> {
    read(&[source("a.toml", text)], &Catalogue::default())
}

fn lines(errors: &[FileError]) -> Vec<String> {
    errors.iter().map(FileError::to_string).collect()
}

fn show(import: &Import, id: &str) -> Show {
    let catalogue = Catalogue::default().with(import);
    let spec = import.shows.iter().find(|show| show.id.as_str() == id).unwrap().clone();
    let layout = catalogue.screens[&spec.screen].layout.clone();
    catalogue.resolve(ShowNo(1), spec, &layout, 1).unwrap()
}

/// All that an import writes, to compare it.
fn everything(import: &Import) -> serde_json::Value {
    serde_json::json!([
        import.theatres,
        import.layouts,
        import.screens,
        import.movies,
        import.ticket_types,
        import.promo_codes,
        import.taxes,
        import.fees,
        import.price_lists,
        import.refund_policies,
        import.shows,
    ])
}

/// Replaces `from` in the standard fixture, which has it exactly once, and reads the result.
fn changed(from: &str, to: &str) -> Result<(Import, Vec<Warning>), Vec<FileError>> {
    assert_eq!(STANDARD.matches(from).count(), 1, "{from}");
    read_one(&STANDARD.replace(from, to))
}

#[test]
fn the_standard_fixture() {
    let (import, warnings) = read_one(STANDARD).unwrap();
    assert_eq!(warnings, []);
    let show = show(&import, "show-1");
    assert_eq!(show.spec.starts_at.to_string(), "2027-06-12T18:00:00Z");
    assert_eq!((show.spec.hold, show.spec.max_seats), (Span::from_mins(10), 8));
    assert_eq!(show.spec.late_payment, LatePayment::Reclaim);
    assert_eq!(show.layout.seats().len(), 120);
    assert_eq!(show.ends_at().to_string(), "2027-06-12T20:18:00Z");
    let prices = ticket_prices(&show).unwrap();
    let told: Vec<_> = prices.iter().map(|p| (p.category.as_str(), p.face.digits(), p.total.digits())).collect();
    assert_eq!(told, [("Standard", "12.50".into(), "13.70".into())]);
}

#[test]
fn the_chain() {
    let (import, warnings) = read_one(CHAIN).unwrap();
    // Monsoon Express runs to 20:54, and the theatres clean for 15 minutes before 21:00.
    assert_eq!(warnings.len(), 4);
    assert!(warnings.iter().all(|w| w.detail.starts_with("leaves 6 min to clean")), "{warnings:?}");
    assert_eq!((import.theatres.len(), import.screens.len(), import.shows.len()), (4, 12, 24));
    for show_id in import.shows.iter().map(|show| show.id.as_str()) {
        let show = show(&import, show_id);
        assert_eq!(show.layout.seats().len(), 120, "{show_id}");
        assert_eq!(show.spec.hold, Span::from_mins(7), "from the defaults");
        let classic = &ticket_prices(&show).unwrap()[0];
        assert_eq!((classic.face.digits().as_str(), classic.total.digits().as_str()), ("220.00", "240.00"));
    }
}

/// References lead over all files, whatever their order, and into the store's catalogue.
#[test]
fn references_over_files_and_store() {
    let at = STANDARD.find("[[movies]]").unwrap();
    let (places, rest) = (source("places.toml", &STANDARD[..at]), source("rest.toml", &STANDARD[at..]));
    let both = read(&[rest.clone(), places.clone()], &Catalogue::default()).unwrap().0;
    assert_eq!(both.shows, read_one(STANDARD).unwrap().0.shows);
    let store = Catalogue::default().with(&read(&[places], &Catalogue::default()).unwrap().0);
    let over = read(std::slice::from_ref(&rest), &store).unwrap().0;
    assert_eq!((over.theatres.len(), over.shows), (0, both.shows));
    let alone = read(&[rest], &Catalogue::default()).unwrap_err();
    assert_eq!(
        lines(&alone),
        ["rest.toml:37: shows[0].screen: `markt-1` is not in `screens`, neither in the files nor in the store"]
    );
}

#[test]
fn json_of_the_same_shape() {
    let value: toml::Value = toml::from_str(CHAIN).unwrap();
    let json = serde_json::to_string_pretty(&value).unwrap();
    let over = Catalogue::default();
    let (from_json, _) = read(&[source("chain.json", &json)], &over).unwrap();
    let (from_toml, _) = read_one(CHAIN).unwrap();
    assert!(everything(&from_json) == everything(&from_toml));
    assert_eq!(read(&[source("upload", &json)], &over).unwrap().0.shows, from_toml.shows, "known by its brace");
    let said = |text: &str| lines(&read(&[source("a.json", text)], &over).unwrap_err());
    assert_eq!(said("[]"), ["a.json: the file holds no object; write one with a list for each table"]);
    assert_eq!(said("{\n\"taxes\": [}"), ["a.json:2: expected value at line 2 column 11"]);
    assert_eq!(
        said(r#"{"taxes": [{"id": "a", "id": "b"}]}"#)[0],
        "a.json:1: the field `id` is given twice at line 1 column 33"
    );
    let mut twice: serde_json::Value = serde_json::from_str(&json).unwrap();
    twice["defaults"]["hold"] = "2h".into();
    twice["defaults"]["audio"] = "German".into();
    let defaults = ["audio: is no language tag; write one such as `en` or `pt-BR`", "hold: must be from `1m` to `60m`"];
    assert_eq!(said(&twice.to_string()), defaults.map(|detail| format!("a.json: defaults.{detail}")), "told once");
    let nothing = r#"{"taxes": [{"id": "a", "percent": 7.5, "included": null}]}"#;
    assert_eq!(read(&[source("a.json", nothing)], &over).unwrap().0.taxes[0].rates[0].percent.to_string(), "7.5");
}

#[test]
fn durations() {
    for (text, ms) in [
        ("90s", Some(90_000)),
        ("10m", Some(600_000)),
        ("24h", Some(86_400_000)),
        ("2h30m", Some(9_000_000)),
        ("1h0m5s", Some(3_605_000)),
        ("8784h", Some(31_622_400_000)),
        ("8785h", None),
        ("", None),
        ("10", None),
        ("m", None),
        ("1.5h", None),
        ("30m2h", None),
        ("1d", None),
        ("+5m", None),
        ("99999999999999999999s", None),
    ] {
        let node = super::Node { line: None, value: super::Value::Text(text.into()) };
        assert_eq!(super::values::duration(&node).ok().map(Span::as_ms), ms, "{text}");
        let negative = super::Node { line: None, value: super::Value::Text(format!("-{text}")) };
        let signed = super::values::signed_duration(&negative).ok().map(Span::as_ms);
        assert_eq!(signed, ms.map(|ms: i64| -ms).filter(|_| !text.starts_with('+')), "-{text}");
    }
}

/// Night Train runs 20 min trailers and 118 min, and the theatre cleans for 15.
#[test]
fn two_shows_on_a_screen() {
    let second = |starts_at: &str| {
        let show = STANDARD[STANDARD.find("[[shows]]").unwrap()..].replace("show-1", "show-2");
        let show = show.replace("2027-06-12T20:00", starts_at);
        match read_one(&format!("{STANDARD}\n{show}")) {
            Ok((_, warnings)) => warnings.iter().map(|w| format!("warning {w}")).collect(),
            Err(errors) => lines(&errors),
        }
    };
    let nothing: [&str; 0] = [];
    assert_eq!(second("2027-06-12T22:33"), nothing);
    let short =
        "warning a.toml:79: shows[1].starts_at: leaves 14 min to clean after show `show-1`; the theatre takes 15";
    assert_eq!(second("2027-06-12T22:32"), [short]);
    let ends = "this screen, which ends at 2027-06-12T22:18:00+02:00 with its trailers";
    assert_eq!(
        second("2027-06-12T22:17"),
        [format!("a.toml:79: shows[1].starts_at: overlaps show `show-1` on {ends}")]
    );
    assert_eq!(
        second("2027-06-12T20:00"),
        [format!("a.toml:79: shows[1].starts_at: overlaps show `show-1` on {ends}")]
    );
    let first_ends = "this screen, which ends at 2027-06-12T20:01:00+02:00 with its trailers";
    assert_eq!(
        second("2027-06-12T17:43"),
        [format!("a.toml:70: shows[0].starts_at: overlaps show `show-2` on {first_ends}")]
    );
}

#[test]
fn shows_of_the_store_count_too() {
    use crate::catalogue::timetable::conflicts;
    let stored = read_one(STANDARD).unwrap().0;
    let store = Catalogue::default().with(&stored);
    let later = STANDARD[STANDARD.find("[[shows]]").unwrap()..].replace("show-1", "show-2");
    let import = read(&[source("b.toml", &later.replace("T20:00", "T21:00"))], &store).unwrap().0;
    let said =
        "show show-2: overlaps show `show-1` on this screen, which ends at 2027-06-12T22:18:00+02:00 with its trailers";
    assert_eq!(conflicts(&store.with(&import), &import, &stored.shows), [said]);
    let moved = read(&[source("b.toml", &later.replace("show-2", "show-1"))], &store).unwrap().0;
    let nothing: [&str; 0] = [];
    assert_eq!(conflicts(&store.with(&moved), &moved, &stored.shows), nothing, "a show does not clash with itself");
    let renamed =
        "[[price_lists]]\nid = \"regular\"\ncurrency = \"EUR\"\ntax = \"cinema\"\nprices = { Lounge = \"9\" }";
    let import = read(&[source("c.toml", renamed)], &store).unwrap().0;
    let said = "show show-1: the price list `regular` has no price for `Standard`, which the layout `hall-1` has";
    assert_eq!(conflicts(&store.with(&import), &import, &stored.shows), [said]);
}

/// A fee that the files change must fit the store's price lists.
#[test]
fn a_changed_fee_fits_the_stores_lists() {
    let store = Catalogue::default().with(&read_one(STANDARD).unwrap().0);
    let fee = "[[fees]]\nid = \"booking-fee\"\nname = \"Fee\"\nper = \"ticket\"\namount = \"0.125\"\ntax = \"service\"";
    let errors = read(&[source("fee.toml", fee)], &store).unwrap_err();
    let said = "fee.toml:1: fees[0]: the fee `booking-fee` does not fit price list `regular`: `0.125` has more decimals than EUR has (2)";
    assert_eq!(lines(&errors), [said]);
}

/// Every field of a show, with names as in the contract.
#[test]
fn a_show_with_every_field() {
    let all = "max_seats = 8\nformat = \"70mm\"\naudio = \"de\"\nsubtitles = \"en-GB\"\nhold = \"5m\"\nweb_closes = \"-1h30m\"\n\
               sales_open = \"2027-06-01T10:00\"\nlate_payment = \"refund\"";
    let spec = changed("max_seats = 8", all).unwrap().0.shows.remove(0);
    assert_eq!(
        (spec.format.as_deref(), spec.audio.as_deref(), spec.subtitles.as_deref()),
        (Some("70mm"), Some("de"), Some("en-GB"))
    );
    assert_eq!((spec.hold, spec.web_closes), (Span::from_mins(5), Span::from_mins(-90)));
    assert_eq!(spec.sales_open.map(|t| t.to_string()).as_deref(), Some("2027-06-01T08:00:00Z"));
    assert_eq!(spec.late_payment, LatePayment::Refund);
}

#[test]
fn texts_by_language_and_cards() {
    let text = STANDARD.replace("\"Night Train to Lindau\"", "{ de = \"Nachtzug\", en = \"Night Train\" }");
    let card = "fees = [\"booking-fee\"]\ncards = [{ id = \"tue\", when = { days = [\"tue\", \"wed\"] }, prices = { Standard = 8.5 } }]";
    let import = read_one(&text.replace("fees = [\"booking-fee\"]", card)).unwrap().0;
    assert_eq!(import.movies[0].title.in_language("de"), "Nachtzug");
    let card = &import.price_lists[0].cards[0];
    assert_eq!(
        (card.when.days.as_slice(), card.prices.get("Standard", "standard").unwrap().minor()),
        (&[Weekday::Tue, Weekday::Wed][..], 850)
    );
}

/// Years of shows, all right and then all wrong: each is read, and each mistake is told.
#[test]
fn thousands_of_shows() {
    let head = STANDARD.replace("max_seats = 8", "");
    let day = |n: i64| jiff::civil::date(2030, 1, 1).checked_add(jiff::Span::new().days(n)).unwrap();
    let show = |n: i64| {
        format!(
            "[[shows]]\nid = \"s-{n}\"\nmovie = \"night-train\"\nscreen = \"markt-1\"\nstarts_at = \"{}T20:00\"\nprice_list = \"regular\"\nrefund_policy = \"standard\"\n",
            day(n)
        )
    };
    let text: String = head + &(0..5_000).map(show).collect::<String>();
    let (import, _) = read_one(&text).unwrap();
    assert_eq!(import.shows.len(), 5_001);
    let errors = read_one(&text.replace("movie = \"night-train\"", "movie = \"night-trains\"")).unwrap_err();
    assert_eq!(errors.len(), 5_001);
}

#[test]
fn ids_are_kept_as_written() {
    let id = CatalogueId::new("show-1").unwrap();
    assert_eq!(read_one(STANDARD).unwrap().0.shows[0].id, id);
}

/// A piece of the fixture replaced by something that fits or does not.
fn mutated(text: &'static str) -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        "[\\[\\]{}=\",.0-9a-z+-]{0,12}",
        Just("\"2027-03-28T02:30\"".to_owned()),
        Just("99999999999999999999".to_owned()),
        Just(text[text.len() / 2..].to_owned()),
    ];
    let at = any::<prop::sample::Index>();
    prop::collection::vec((at, 0_usize..40, piece), 1..4).prop_map(move |edits| {
        let mut text = text.to_owned();
        for (at, length, piece) in edits {
            let floor = |text: &str, mut i: usize| {
                while !text.is_char_boundary(i) {
                    i -= 1;
                }
                i
            };
            let from = floor(&text, at.index(text.len() + 1));
            let to = floor(&text, (from + length).min(text.len()));
            text.replace_range(from..to.max(from), &piece);
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever the text, the answer is an import or errors with their place, never a panic.
    #[test]
    fn no_text_panics(text in prop_oneof![mutated(STANDARD), mutated(CHAIN), any::<String>()]) {
        if let Err(errors) = read_one(&text) {
            prop_assert!(!errors.is_empty());
            prop_assert!(errors.iter().all(|e| e.line.is_none_or(|line| line <= text.matches('\n').count() + 1)));
        }
        let _ = read(&[source("a.json", &text)], &Catalogue::default());
    }
}
