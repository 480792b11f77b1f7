//! The halls of the fixture files, read as they stand there.

use super::super::{DEFAULT_LABEL, Numbering, RowSketch, Sketch, read};
use crate::id::CatalogueId;
use crate::layout::{Category, Layout};

const STANDARD: &str = include_str!("../../../../../../fixtures/standard.toml");
const CHAIN: &str = include_str!("../../../../../../fixtures/chain.toml");

fn hall(file: &str, id: &str) -> Layout {
    let table: toml::Table = file.parse().expect("a fixture in TOML");
    let layouts = table["layouts"].as_array().expect("layouts");
    let drawing = layouts.iter().find(|layout| layout["id"].as_str() == Some(id)).expect("the layout");
    let text = |value: &toml::Value| value.as_str().expect("a text").to_owned();
    let categories = drawing["categories"].as_table().expect("categories");
    let sketch = Sketch {
        id: CatalogueId::new(id).expect("an id"),
        categories: categories.iter().map(|(key, name)| Category { key: key.clone(), name: text(name) }).collect(),
        rows: drawing["rows"].as_array().expect("rows").iter().map(|row| RowSketch::from_line(&text(row))).collect(),
        numbering: drawing
            .get("numbering")
            .map_or(Numbering::FromLeft, |name| Numbering::named(&text(name)).expect("a numbering")),
        label: DEFAULT_LABEL.to_owned(),
        companions: Vec::new(),
    };
    let (layout, warnings) = read(&sketch).expect("a hall");
    assert!(warnings.is_empty(), "{id}: {warnings:?}");
    layout
}

#[test]
fn the_fixture_halls_have_120_seats_each() {
    let table = [
        (STANDARD, "hall-1", "A1", "K12"),
        (CHAIN, "large", "A1", "K12"),
        (CHAIN, "wide", "A16", "H1"),
        (CHAIN, "tall", "V1", "AE12"),
    ];
    for (file, id, first, last) in table {
        let hall = hall(file, id);
        let labels: Vec<&str> = hall.seats().iter().map(|seat| seat.label.as_str()).collect();
        assert_eq!((labels.len(), labels[0], labels[119]), (120, first, last), "{id}");
    }
}

#[test]
fn the_chain_has_a_pillar_love_seats_and_wheelchair_spaces() {
    let tall = hall(CHAIN, "tall");
    let row_v: Vec<&str> = tall.seats().iter().filter(|seat| seat.row == "V").map(|s| s.number.as_str()).collect();
    assert_eq!(row_v, ["1", "2", "3", "4", "5", "6", "8", "9", "10", "11", "12", "13"]);
    let love = |label: &str| tall.seats().iter().find(|seat| seat.label == label).and_then(|seat| seat.group);
    assert_eq!([love("AE1"), love("AE2"), love("AE11"), love("AE12")], [Some(0), Some(0), Some(1), Some(1)]);
    assert_eq!([love("AE3"), love("AE10"), love("V1")], [None; 3]);

    let wheelchair: Vec<String> =
        hall(CHAIN, "large").seats().iter().filter(|seat| seat.wheelchair).map(|seat| seat.label.clone()).collect();
    assert_eq!(wheelchair, ["H1", "H12"]);
}
