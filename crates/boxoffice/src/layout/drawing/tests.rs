//! The picture of a hall, as it is printed.

use super::draw;
use crate::id::CatalogueId;
use crate::layout::Category;
use crate::layout::sketch::{DEFAULT_LABEL, Numbering, RowSketch, Sketch, read};

#[test]
fn a_hall_is_drawn_with_its_counts() {
    let category = |key: &str, name: &str| Category { key: key.to_owned(), name: name.to_owned() };
    let sketch = Sketch {
        id: CatalogueId::new("hall-1").expect("an id"),
        categories: vec![category("P", "Parkett"), category("2", "Loge")],
        rows: ["A P.PP+", "- ....", "BB (22)P"].map(RowSketch::from_line).to_vec(),
        numbering: Numbering::FromLeft,
        label: DEFAULT_LABEL.to_owned(),
        companions: Vec::new(),
    };
    let (layout, _) = read(&sketch).expect("a hall");
    let drawn = "\
hall-1: 6 seats, 1 wheelchair space
  P  Parkett: 4 seats, 1 wheelchair space
  2  Loge: 2 seats

       screen
  A   P   P P+  A1 … A3

  BB  2=2 P     BB1 … BB3
";
    let trimmed: Vec<String> = draw(&layout).lines().map(|line| line.trim_end().to_owned()).collect();
    assert_eq!(trimmed.join("\n") + "\n", drawn);
}

#[test]
fn each_category_has_a_letter_of_its_own() {
    let named = |names: &[&str]| {
        let category = |name: &&str| Category { key: (*name).to_owned(), name: (*name).to_owned() };
        super::symbols(&names.iter().map(category).collect::<Vec<_>>()).into_iter().collect::<String>()
    };
    assert_eq!(named(&["Parkett", "Parterre", "Loge", "Ö", "", "…e"]), "PALÖBE");
    assert_eq!(named(&["aaa"; 70]).matches('#').count(), 70 - 62);
}
