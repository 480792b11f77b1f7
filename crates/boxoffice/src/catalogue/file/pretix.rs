//! The fields of a seating plan of pretix. What the plan editor writes is known; what it does not is left
//! out with a warning, since plans of other editors add fields of their own.

use std::cell::Cell;

use super::fields::{Fields, Place, Read};
use super::halls::Said;
use super::tree::Node;
use super::values;
use crate::layout::Category;
use crate::layout::pretix::{MAX_POSITION, PlanSeat, Row, Zone};

/// The plan's categories, its zones, and whether its rows or seats have words of their own.
pub(super) fn plan(
    fields: &mut Fields<'_>,
    place: &Place,
    node: &Node,
    said: &Said,
) -> Read<(Vec<Category>, Vec<Zone>, bool)> {
    let has_words = Cell::new(false);
    let read = fields.lenient(place.clone(), node, |fields| {
        for name in ["name", "size"] {
            fields.knows(name);
        }
        let categories = categories(fields, said)?;
        let read_zone = |fields: &mut Fields<'_>| zone(fields, &categories, &has_words);
        let zones = fields.tables("zones", read_zone)?;
        Ok((categories, zones))
    });
    fields.tell_left_out();
    let (categories, zones) = read?;
    Ok((categories, zones, has_words.get()))
}

/// The plan's categories, under the names that the layout gives them, if it does.
fn categories(fields: &mut Fields<'_>, said: &Said) -> Read<Vec<Category>> {
    let names = fields.tables("categories", |fields| {
        fields.knows("color");
        let name = fields.required("name", values::text)?;
        let known = |category: &&Category| category.key == name || category.name == name;
        match said.categories.iter().find(known) {
            Some(category) => Ok(category.clone()),
            None if said.categories.is_empty() => Ok(Category { key: name.clone(), name }),
            None => Err(fields.error("name", format!("`{name}` is not in the layout's `categories`; add it there"))),
        }
    });
    let names = names?;
    let mut seen = std::collections::HashSet::new();
    if let Some(twice) = names.iter().find(|category| !seen.insert(&category.name)) {
        return Err(fields.error("categories", format!("`{}` is named twice; give each its own name", twice.name)));
    }
    if said.categories.is_empty() { Ok(names) } else { Ok(said.categories.clone()) }
}

fn zone(fields: &mut Fields<'_>, categories: &[Category], has_words: &Cell<bool>) -> Read<Zone> {
    // Areas are shapes and texts around the seats.
    for name in ["areas", "zone_id", "uuid"] {
        fields.knows(name);
    }
    let name = fields.optional("name", words);
    let at = position(fields, false);
    let rows = fields.tables("rows", |fields| row(fields, categories, has_words));
    let (at, mut rows) = (at?, rows?);
    for seat in rows.iter_mut().flat_map(|row| &mut row.seats) {
        (seat.x, seat.y) = (seat.x + at.0, seat.y + at.1);
    }
    Ok(Zone { name: name?, rows })
}

fn row(fields: &mut Fields<'_>, categories: &[Category], has_words: &Cell<bool>) -> Read<Row> {
    for name in ["row_number_position", "uuid"] {
        fields.knows(name);
    }
    let number = fields.required("row_number", text_or_number);
    let label = fields.optional("row_label", words);
    let seat_label = fields.optional("seat_label", words);
    let at = position(fields, false);
    let seats = fields.tables("seats", |fields| seat(fields, categories));
    let given = |text: &String| !text.is_empty();
    let (label, seat_label) = (label?.filter(given), seat_label?.filter(given));
    let (at, mut seats) = (at?, seats?);
    if label.is_some() || seat_label.is_some() {
        has_words.set(true);
    }
    for seat in &mut seats {
        (seat.x, seat.y) = (seat.x + at.0, seat.y + at.1);
        if let Some(label) = &seat_label {
            seat.number = label.replace("%s", &seat.number);
        }
    }
    Ok(Row { name: label.map_or(number, Ok)?, seats })
}

fn seat(fields: &mut Fields<'_>, categories: &[Category]) -> Read<PlanSeat> {
    for name in ["radius", "start_direction", "uuid"] {
        fields.knows(name);
    }
    let guid = fields.required("seat_guid", values::text);
    let number = fields.required("seat_number", text_or_number);
    let name = fields.required("category", values::text);
    let wheelchair = fields.optional("wheelchair", |node| node.value.flag());
    let at = position(fields, true);
    let name = name?;
    let category =
        categories.iter().zip(0..=u16::MAX).find(|(category, _)| category.key == name || category.name == name);
    let category = category.map(|(_, index)| index).ok_or_else(|| {
        let known: Vec<String> = categories.iter().map(|category| format!("`{}`", category.key)).collect();
        fields.error("category", format!("`{name}` is no category of the plan; it has {}", known.join(", ")))
    });
    let at_file = fields.place().field.clone();
    let (x, y) = at?;
    Ok(PlanSeat {
        at: at_file,
        guid: guid?,
        number: number?,
        category: category?,
        wheelchair: wheelchair?.unwrap_or(false),
        x,
        y,
    })
}

/// `{x, y}` in thousandths; where it need not be given it is the origin.
fn position(fields: &mut Fields<'_>, required: bool) -> Read<(i64, i64)> {
    if !required && !fields.has("position") {
        return Ok((0, 0));
    }
    fields.table("position", |fields| {
        let (x, y) = (fields.required("x", coordinate), fields.required("y", coordinate));
        Ok((x?, y?))
    })
}

fn coordinate(node: &Node) -> Result<i64, String> {
    let most = MAX_POSITION / 1_000;
    let outside = || format!("must be a number from -{most} to {most}");
    let thousandths = node.value.number()?.parse::<f64>().map_err(|_| outside())? * 1_000.0;
    let limit = MAX_POSITION as f64;
    if (-limit..=limit).contains(&thousandths) { Ok(thousandths.round() as i64) } else { Err(outside()) }
}

/// A text that may be empty.
fn words(node: &Node) -> Result<String, String> {
    node.value.text().map(|text| text.trim().to_owned())
}

fn text_or_number(node: &Node) -> Result<String, String> {
    values::decimal(node).map(str::to_owned)
}
