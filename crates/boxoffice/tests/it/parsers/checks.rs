//! What must hold for any text that a parser of this crate is given. The fuzz targets call these, and the tests
//! replay with them what the fuzzer found.

use boxoffice::catalogue::Catalogue;
use boxoffice::catalogue::file::{SourceFile, plan_files, read};
use boxoffice::id::{CatalogueId, SeatNo};
use boxoffice::layout::grid::{self, ScreenSide};
use boxoffice::layout::sketch::{self, Numbering, RowSketch, Sketch};
use boxoffice::layout::{Category, Layout, LayoutParts, Named, Seat, SeatAsk, canonical, choose, drawing};

fn id(text: &str) -> CatalogueId {
    CatalogueId::new(text).expect("an id")
}

fn categories() -> Vec<Category> {
    let category = |key: &str, name: &str| Category { key: key.to_owned(), name: name.to_owned() };
    vec![category("S", "Standard"), category("P", "Premium")]
}

fn hall(seats: Vec<Seat>) -> Layout {
    Layout::from(LayoutParts { id: id("hall"), version: 1, categories: categories(), seats })
}

/// Every seat is found by its names, stands in order, and is drawn; neighbours are of one row.
fn sound(layout: &Layout) {
    for (seat, no) in layout.seats().iter().zip((0..).map(SeatNo)) {
        assert_eq!(layout.by_id(&seat.id), Some(no), "by its id");
        let by_label = match layout.named(&seat.label) {
            Named::One(found) => found == no,
            Named::Several(found) => found.len() > 1 && found.contains(&no),
            Named::Nothing => false,
        };
        assert!(by_label, "by its label {:?}", seat.label);
        assert_ne!(layout.searched(&seat.label.to_lowercase()), Named::Nothing, "by what is like its label");
        if let Some(right) = seat.right {
            assert_eq!(right.index(), no.index() + 1, "a neighbour is the next seat");
            let right = layout.seat(right).expect("a seat");
            assert!(right.y == seat.y && right.x > seat.x, "to the right in one line");
        }
    }
    let in_order = layout.seats().windows(2).all(|pair| (pair[0].y, pair[0].x) < (pair[1].y, pair[1].x));
    assert!(in_order, "line by line from left to right");
    assert!(drawing::draw(layout).lines().count() > 2);
}

/// The first line is the label's pattern, its first character says how numbers run; then a row a line.
pub(super) fn seat_sketch(text: &str) {
    let mut lines = text.lines();
    let label = lines.next().unwrap_or_default();
    let numbering = match label.len() % 3 {
        0 => Numbering::FromLeft,
        1 => Numbering::FromRight,
        _ => Numbering::OddEven,
    };
    let label = if label.is_empty() { sketch::DEFAULT_LABEL } else { label }.to_owned();
    let rows = lines.map(RowSketch::from_line).collect();
    let sketch = Sketch { id: id("hall"), categories: categories(), rows, numbering, label, companions: Vec::new() };
    match sketch::read(&sketch) {
        Ok((layout, _)) => sound(&layout),
        Err(errors) => assert!(!errors.to_string().is_empty()),
    }
}

/// A grid that was read is written and read again as the same hall, from both sides.
pub(super) fn seat_grid(text: &str) {
    for screen in [ScreenSide::Top, ScreenSide::Bottom] {
        match grid::read(text, &categories(), screen) {
            Ok((seats, _)) => {
                let layout = hall(seats);
                sound(&layout);
                let (again, _) = grid::read(&as_csv(&layout), &categories(), ScreenSide::Top).expect("a grid");
                assert_eq!(again, layout.seats(), "written and read again");
            }
            Err(errors) => assert!(errors.iter().all(|error| !error.detail.is_empty()) && !errors.is_empty()),
        }
    }
}

fn as_csv(layout: &Layout) -> String {
    let mut text = String::new();
    let (mut x, mut y) = (0, 0);
    for seat in layout.seats() {
        while y < seat.y {
            text.push('\n');
            (x, y) = (0, y + 1);
        }
        while x < seat.x {
            text.push(',');
            x += 1;
        }
        let plus = if seat.wheelchair { "+" } else { "" };
        let cell = format!("{}:{}{plus}", layout.category_of(seat).key, seat.label);
        text.push_str(&format!("\"{}\"", cell.replace('"', "\"\"")));
    }
    text
}

/// A plan of pretix, as a layout names it.
pub(super) fn seat_plan(text: &str) {
    let catalogue = SourceFile { name: "a.toml".into(), text: "[[layouts]]\nid = \"a\"\nfile = \"a.json\"".into() };
    assert_eq!(plan_files(&catalogue), ["a.json"]);
    let plan = SourceFile { name: "a.json".into(), text: text.into() };
    match read(&[catalogue, plan], &Catalogue::default()) {
        Ok((import, _)) => sound(&import.layouts[0]),
        Err(errors) => assert!(errors.iter().all(|error| !error.detail.is_empty()) && !errors.is_empty()),
    }
}

/// A catalogue file in TOML or JSON; what was read once is read again over itself, unchanged.
pub(super) fn catalogue(text: &str) {
    let file = SourceFile { name: "a".into(), text: text.into() };
    let _ = plan_files(&file);
    match read(std::slice::from_ref(&file), &Catalogue::default()) {
        Ok((import, _)) => {
            import.layouts.iter().for_each(sound);
            let written = Catalogue::default().with(&import);
            let (again, _) = read(&[file], &written).expect("a good file stays good");
            let twice = written.with(&again);
            assert!(twice.layouts.values().all(|versions| versions.len() == 1), "no layout gets another version");
            assert_eq!(again.shows, import.shows);
        }
        Err(errors) => assert!(errors.iter().all(|error| !error.to_string().is_empty()) && !errors.is_empty()),
    }
}

/// Texts that name seats of a hall with zones, accents and leading zeros, one a line.
pub(super) fn seat_ask(text: &str) {
    let row =
        |line: &str, zone: Option<&str>| RowSketch { zone: zone.map(str::to_owned), ..RowSketch::from_line(line) };
    let sketch = Sketch {
        id: id("hall"),
        categories: categories(),
        rows: vec![
            row("A SSSS", Some("left")),
            row("A SSSS", Some("right")),
            row("É SSS", None),
            row("1- PPPPPPPPPPPP", None),
        ],
        numbering: Numbering::FromLeft,
        label: "{row}{number:02}".into(),
        companions: Vec::new(),
    };
    let (layout, _) = sketch::read(&sketch).expect("a hall");
    for line in text.lines() {
        let named = layout.named(line);
        if let Named::One(no) = named {
            let seat = layout.seat(no).expect("a seat");
            assert!([&seat.label, &seat.id].contains(&&canonical(line)), "{line:?} named {seat:?}");
        }
        if named != Named::Nothing {
            assert_eq!(layout.searched(line), named, "what is exact is found first");
        }
    }
    for make in [SeatAsk::Text, SeatAsk::Id] {
        let asks: Vec<SeatAsk> = text.lines().map(|line| make(line.to_owned())).collect();
        if let Ok(seats) = choose(&layout, &asks, 10) {
            assert_eq!(seats.len(), asks.len());
        }
    }
}
