//! Halls from CSV grids and pretix plans: in a file, inline in either notation, and what is said about them.

use super::{FileError, SourceFile, lines, read, source};
use crate::catalogue::Catalogue;
use crate::catalogue::file::{Warning, plan_files};
use crate::id::CatalogueId;
use crate::layout::{Layout, Seat};

const HALLS: &str = include_str!("../../../../../../fixtures/plans/halls.toml");
const GRID: &str = include_str!("../../../../../../fixtures/plans/grid.csv");
const STUDIO: &str = include_str!("../../../../../../fixtures/plans/studio.json");

fn halls(files: &[SourceFile]) -> Result<(Vec<Layout>, Vec<Warning>), Vec<FileError>> {
    read(files, &Catalogue::default()).map(|(import, warnings)| (import.layouts, warnings))
}

fn fixture() -> Vec<SourceFile> {
    vec![source("f/halls.toml", HALLS), source("f/grid.csv", GRID), source("f/studio.json", STUDIO)]
}

/// A catalogue with one layout of these fields.
fn layout(fields: &str) -> SourceFile {
    source("a.toml", &format!("[[layouts]]\nid = \"a\"\n{fields}\n"))
}

fn said(fields: &str, plan: Option<(&str, &str)>) -> Vec<String> {
    let plan = plan.map(|(name, text)| source(name, text));
    let files: Vec<SourceFile> = [layout(fields)].into_iter().chain(plan).collect();
    lines(&halls(&files).expect_err(fields))
}

/// A plan of one row of two seats, with a text replaced that stands in it once.
fn plan(from: &str, to: &str) -> String {
    let plan = r#"{"categories": [{"name": "Floor", "color": "red"}], "zones": [{"name": "", "position": {"x": 5, "y": 5}, "rows": [
        {"row_number": "A", "position": {"x": 0, "y": 0}, "seats": [
            {"seat_guid": "a-1", "seat_number": "1", "category": "Floor", "position": {"x": 0, "y": 0}},
            {"seat_guid": "a-2", "seat_number": 2, "category": "Floor", "position": {"x": 25.5, "y": 1e0}}]}]}]}"#;
    assert!(from.is_empty() || plan.matches(from).count() == 1, "{from}");
    if from.is_empty() { plan.to_owned() } else { plan.replace(from, to) }
}

#[test]
fn the_fixture_halls() {
    assert_eq!(plan_files(&fixture()[0]), ["f/grid.csv", "f/studio.json"]);
    let (layouts, warnings) = halls(&fixture()).expect("halls");
    assert_eq!(warnings, []);
    let [grid, studio] = layouts.as_slice() else { panic!("two halls") };
    assert_eq!((grid.seats().len(), studio.seats().len()), (22, 20));
    let seat = |layout: &Layout, id: &str| layout.by_id(id).and_then(|no| layout.seat(no).cloned()).expect("a seat");
    assert_eq!(seat(grid, "A01").label, "A01");
    assert_eq!(seat(grid, "D5").group, seat(grid, "D6").group);
    assert!(seat(grid, "D5").group.is_some() && seat(grid, "C1").wheelchair);
    let third = seat(studio, "floor-1-3");
    assert_eq!((third.label.as_str(), third.zone.as_deref()), ("1-3", Some("Floor")));
    assert_eq!(third.companion_of, studio.by_id("floor-1-2"));
    let names: Vec<&str> = studio.categories().iter().map(|category| category.name.as_str()).collect();
    assert_eq!(names, ["Parkett", "Loge"]);
}

/// The same halls, with the plans written where the files are named; as TOML and as JSON.
#[test]
fn plans_inline() {
    let grid = format!("grid = '''\n{GRID}'''");
    let plan: toml::Value = serde_json::from_str(STUDIO).expect("JSON");
    let toml = HALLS.replace("file = \"grid.csv\"", &grid).replace("file = \"studio.json\"", &format!("plan = {plan}"));
    let json: toml::Value = toml::from_str(&toml).expect("TOML");
    let json = serde_json::to_string(&json).expect("JSON");
    let (expected, _) = halls(&fixture()).expect("halls");
    for inline in [source("body", &toml), source("body", &json)] {
        let (layouts, _) = halls(std::slice::from_ref(&inline)).expect("halls");
        for (layout, expected) in layouts.iter().zip(&expected) {
            // Categories come in the order of the notation, which is another one here.
            let seats = |layout: &Layout| -> Vec<_> {
                let named = |seat: &Seat| (layout.category_of(seat).name.clone(), Seat { category: 0, ..seat.clone() });
                layout.seats().iter().map(named).collect()
            };
            assert_eq!(seats(layout), seats(expected), "{}", inline.text);
        }
    }
}

#[test]
fn mistakes_have_their_place() {
    let grid = |fields: &str, text: &str| said(&format!("file = \"h.csv\"\n{fields}"), Some(("h.csv", text)));
    let one = "categories = { S = \"Standard\" }";
    assert_eq!(
        grid(one, "A1,A2\n\n,B1,X:B2"),
        ["h.csv:3: C3: `X` is no category of this layout; it has `S` (Standard)"]
    );
    assert_eq!(
        grid("", "A1")[0],
        "a.toml:1: layouts[0].categories: is missing; a grid needs them, such as `{ S = \"Standard\" }`"
    );
    assert!(grid(&format!("{one}\nlabel = \"{{number}}\""), "A1")[0].contains("a grid says each seat's label itself"));
    assert_eq!(
        said(&format!("{one}\ngrid = \"A1,A1\""), None),
        ["a.toml:4: layouts[0].grid: B1: the seat `A1` stands at A1 already; give each seat its own"]
    );
    assert_eq!(
        said("file = \"h.csv\"", None),
        ["a.toml:3: layouts[0].file: `h.csv` was not given; send its text in `grid`, or a plan of pretix in `plan`"]
    );
    assert_eq!(
        said("file = \"h.csv\"\ngrid = \"A1\"", None)[0],
        "a.toml:3: layouts[0].file: only one of `file`, `grid` and `plan` can give the hall; leave the others away"
    );
    assert!(said("plan = {}\nrows = [\"A S\"]", None)[1].contains("`plan` gives the hall already"));
    assert!(said("file = \"h.csv\"\nscreen = \"left\"", Some(("h.csv", "A1")))[0].contains("write `top` or `bottom`"));
    let stray = halls(&[source("hall.csv", "A1")]).expect_err("a stray grid");
    assert_eq!(
        lines(&stray),
        ["hall.csv: is a grid that no layout names; give one `file = \"…\"` in a catalogue file"]
    );
    for (extra, detail) in [
        ("wheelchair = [\"A9\"]", "there is no seat `A9`; use its label or id"),
        ("love_seats = [[\"A1\"]]", "[A1]: a love seat needs at least two seats"),
        ("love_seats = [[\"A1\", \"A3\"]]", "[A1, A3]: the seats of a love seat must be neighbours in one row"),
        ("love_seats = [[\"A2\", \"A3\"]]", "[A2, A3]: the seats of a love seat must be neighbours in one row"),
        ("love_seats = [[\"A1\", \"A2\"], [\"A2\", \"A1\"]]", "a seat cannot be part of two love seats"),
        ("love_seats = [[\"A1\", \"A2\"]]\nwheelchair = [\"A1\"]", "a wheelchair space cannot be part of a love seat"),
        ("companions = { A1 = \"A2\" }", "`A1` is to accompany `A2`, which is no wheelchair space"),
        ("numbering = \"from-left\"", "`file` gives the hall already"),
    ] {
        let said = grid(&format!("{one}\n{extra}"), "A1,A2,,A3");
        assert!(said.len() == 1 && said[0].contains(detail), "{extra}: {said:?}");
    }
}

#[test]
fn mistakes_in_plans_have_their_place() {
    let said = |from: &str, to: &str| said("file = \"h.json\"", Some(("h.json", &plan(from, to))));
    let seat = "h.json: zones[0].rows[0].seats[1]";
    for (from, to, expected) in [
        (
            "\"a-2\"",
            "\"a-1\"",
            format!("{seat}: the seat `a-1` stands at zones[0].rows[0].seats[0] already; give each seat its own"),
        ),
        ("2, \"category\": \"Floor\",", "2,", format!("{seat}.category: is missing; it must be given")),
        (
            "2, \"category\": \"Floor\",",
            "2, \"category\": \"Flor\",",
            format!("{seat}.category: `Flor` is no category of the plan; it has `Floor`"),
        ),
        ("25.5", "\"25.5\"", format!("{seat}.position.x: is a text; write a number without quotes")),
        ("25.5", "1e7", format!("{seat}.position.x: must be a number from -1000000 to 1000000")),
        (
            "{\"x\": 25.5, \"y\": 1e0}",
            "{\"x\": 0, \"y\": 0}",
            format!("{seat}: stands where the seat at zones[0].rows[0].seats[0] stands; move one"),
        ),
        ("\"seat_number\": 2,", "", format!("{seat}.seat_number: is missing; it must be given")),
        (
            "{\"name\": \"Floor\", \"color\": \"red\"}",
            "{\"name\": \"Floor\"}, {\"name\": \"Floor\"}",
            "h.json: categories: `Floor` is named twice; give each its own name".to_owned(),
        ),
    ] {
        assert_eq!(said(from, to), [expected], "{to}");
    }
    let broken = super::source("h.json", "{\"zones\": [}");
    let errors = halls(&[layout("file = \"h.json\""), broken]).expect_err("no JSON");
    assert!(lines(&errors)[0].starts_with("h.json:1: expected value"), "{errors:?}");
}

/// What is not in the form is left out, and told once with its place.
#[test]
fn unknown_fields_of_a_plan_are_told() {
    let text = plan("\"seats\": [", "\"section_break\": true, \"seats\": [")
        .replace("\"category\": \"Floor\"", "\"category\": \"Floor\", \"align\": 1");
    let (layouts, warnings) = halls(&[layout("file = \"h.json\""), source("h.json", &text)]).expect("a hall");
    assert_eq!(layouts[0].seats().len(), 2);
    let told: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    let expected = [
        "h.json: zones[0].rows[0].seats[0].align: `align` is not known and was left out, here and at 1 more places",
        "h.json: zones[0].rows[0].section_break: `section_break` is not known and was left out",
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_plan_takes_names_and_words() {
    let hall = |fields: &str, text: &str| {
        let files = [layout(&format!("file = \"h.json\"\n{fields}")), source("h.json", text)];
        halls(&files).expect("a hall").0.remove(0)
    };
    let renamed = hall("categories = { Floor = \"Parkett\" }", &plan("", ""));
    assert_eq!(renamed.categories()[0].name, "Parkett", "as price lists call it");
    let labels = |layout: &Layout| layout.seats().iter().map(|seat| seat.label.clone()).collect::<Vec<_>>();
    assert_eq!(labels(&renamed), ["A1", "A2"]);
    let words =
        plan("\"row_number\": \"A\"", "\"row_number\": \"A\", \"row_label\": \"Row A\", \"seat_label\": \"Seat %s\"");
    assert_eq!(labels(&hall("", &words)), ["Row A Seat 1", "Row A Seat 2"]);
    assert_eq!(labels(&hall("label = \"{row}, {number}\"", &words))[0], "Row A, Seat 1");
    let spaces = hall("", &plan("\"seat_number\": 2,", "\"seat_number\": 2, \"wheelchair\": true,"));
    assert_eq!(spaces.seats().iter().map(|seat| seat.wheelchair).collect::<Vec<_>>(), [false, true]);
    assert_eq!(spaces.id(), &CatalogueId::new("a").expect("an id"));
    let errors = halls(&[layout("file = \"h.json\"\ncategories = { X = \"Y\" }"), source("h.json", &plan("", ""))]);
    assert!(
        lines(&errors.expect_err("no such category"))[0]
            .contains("`Floor` is not in the layout's `categories`; add it there")
    );
}

/// The examples of the documentation import as they stand there.
#[test]
fn the_documented_plans() {
    let page = include_str!("../../../../../../docs/catalogue.md");
    let example =
        |n: usize| page.split("```toml\n").nth(n).and_then(|rest| rest.split("```").next()).expect("an example");
    let (grid, _) = halls(&[source("a.toml", example(2))]).expect("a grid");
    assert_eq!((grid[0].seats().len(), grid[0].seats().iter().filter(|seat| seat.wheelchair).count()), (12, 1));
    let (studio, _) = halls(&[source("a.toml", example(3)), source("studio.json", STUDIO)]).expect("a plan");
    assert_eq!(studio[0].seats().len(), 20);
}

/// The export writes such lists; a list by hand is read as strictly.
#[test]
fn mistakes_in_lists_of_seats_have_their_words() {
    let seat = |id: &str, x: u16, more: &str| {
        format!("[[layouts.seats]]\nid = \"{id}\"\nnumber = \"1\"\nx = {x}\ny = 0\ncategory = \"S\"\n{more}\n")
    };
    let list = |seats: &[String]| format!("categories = {{ S = \"Standard\" }}\n{}", seats.concat());
    let fine =
        list(&[seat("a", 0, "joins_right = true\nlove_seat = 7"), seat("b", 1, "love_seat = 7"), seat("c", 3, "")]);
    let (layouts, _) = halls(&[layout(&fine)]).expect("a hall");
    let neighbours: Vec<bool> = layouts[0].seats().iter().map(|seat| seat.right.is_some()).collect();
    assert_eq!(neighbours, [true, false, false]);
    let table = [
        (list(&[seat("a", 0, ""), seat("a", 1, "")]), "have the id `a` twice"),
        (list(&[seat("a", 1, ""), seat("b", 1, "")]), "are not in order at `b`"),
        (list(&[seat("a", 0, "joins_right = true"), seat("b", 2, "")]), "say that `a` joins the seat on its right"),
        (list(&[seat("a", 0, "joins_right = true")]), "say that `a` joins the seat on its right"),
        (list(&[seat("a", 0, "love_seat = 1"), seat("b", 1, "love_seat = 1")]), "cannot join `a` to a love seat"),
        (list(&[seat("a", 0, "wheelchair = true\nlove_seat = 1")]), "cannot join `a` to a love seat"),
        (list(&[seat("a", 0, "companion_of = \"b\""), seat("b", 1, "")]), "no wheelchair space for the companion `a`"),
        (list(&[seat("a", 0, "category = 1")]), "duplicate key"),
        (list(&[seat("a", 0, "colour = \"red\"")]), "there is no such field"),
        (list(&[seat("a", 0, "")]).replace("category = \"S\"", "category = \"T\""), "`T` is not a key"),
    ];
    for (fields, words) in table {
        let said = said(&fields, None).join("\n");
        assert!(said.contains(words), "{words:?} in {said:?} of:\n{fields}");
    }
}
