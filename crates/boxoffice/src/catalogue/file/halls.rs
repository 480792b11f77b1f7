//! Halls that are not drawn in rows: a CSV grid or a seating plan of pretix, in a file of its own that the
//! layout names, or inline.

use super::fields::{Fields, Place, Read, Reported};
use super::tree::{self, Node, Table, Value};
use super::{Known, SourceFile, pretix, values};
use crate::layout::grid::{self, ScreenSide};
use crate::layout::{Category, Layout, LayoutParts, Remark, Seat, extras, sketch};

/// The fields of a layout that give the hall whole; one of them, or `rows`.
pub(super) const WAYS: [&str; 3] = ["file", "grid", "plan"];

/// The seats of a plan and its categories, still without what the layout says beside it.
type Hall = (Vec<Category>, Vec<Seat>);

pub(super) fn layout(fields: &mut Fields<'_>, known: &Known) -> Read<Layout> {
    let id = fields.required("id", values::id);
    let categories = fields.map("categories", values::text);
    let screen = fields.optional("screen", screen_side);
    let label = fields.optional("label", values::text);
    let wheelchair = fields.list("wheelchair", values::text);
    let love_seats = fields.list("love_seats", |node| node.value.list()?.iter().map(values::text).collect());
    let companions = fields.map("companions", values::text);
    WAYS.iter().for_each(|name| fields.knows(name));
    let mut given = WAYS.iter().copied().filter(|name| fields.has(name));
    let (Some(way), None) = (given.next(), given.next()) else {
        return Err(
            fields.error("file", "only one of `file`, `grid` and `plan` can give the hall; leave the others away")
        );
    };
    for name in ["rows", "numbering"] {
        if !fields.has(name) {
            continue;
        }
        fields.knows(name);
        fields.error(name, format!("`{way}` gives the hall already; leave one of the two away"));
    }
    let said = Said {
        categories: categories?.into_iter().map(|(key, name)| Category { key, name }).collect(),
        screen: screen?.unwrap_or_default(),
        label: label?,
    };
    let (categories, mut seats) = hall(fields, known, way, &said)?;
    let (wheelchair, love_seats, companions) = (wheelchair?, love_seats?, companions?);
    report(fields, "wheelchair", extras::mark_wheelchair_spaces(&mut seats, &wheelchair))?;
    report(fields, "love_seats", extras::join_love_seats(&mut seats, &love_seats))?;
    let mut errors = Vec::new();
    let seats = sketch::with_companions(&companions, seats, &mut errors);
    let accompanied = if errors.is_empty() { Ok(()) } else { Err(errors.iter().map(ToString::to_string).collect()) };
    report(fields, "companions", accompanied)?;
    Ok(Layout::from(LayoutParts { id: id?, version: 0, categories, seats }))
}

/// What a layout says about its plan.
pub(super) struct Said {
    /// Empty: those of the plan, if it has any.
    pub(super) categories: Vec<Category>,
    pub(super) screen: ScreenSide,
    pub(super) label: Option<String>,
}

fn hall(fields: &mut Fields<'_>, known: &Known, way: &'static str, said: &Said) -> Read<Hall> {
    match way {
        "grid" => {
            let text = fields.required("grid", |node| node.value.text().map(str::to_owned))?;
            let place = fields.place_of("grid");
            from_grid(fields, &place, &text, said)
        }
        "plan" => {
            let place = fields.place_of("plan");
            let node = fields.required_node("plan")?;
            from_plan(fields, &place, node, said)
        }
        _ => from_file(fields, known, said),
    }
}

fn from_file(fields: &mut Fields<'_>, known: &Known, said: &Said) -> Read<Hall> {
    let named = fields.required("file", values::text)?;
    let name = beside(&fields.place_of("file").file, &named);
    let Some(file) = known.plans.iter().find(|file| file.name == name) else {
        let detail = format!("`{named}` was not given; send its text in `grid`, or a plan of pretix in `plan`");
        return Err(fields.error("file", detail));
    };
    let place = Place { file: name.as_str().into(), line: None, field: String::new() };
    if !tree::is_json(file) {
        return from_grid(fields, &place, &file.text, said);
    }
    match tree::parse(file) {
        Ok(table) => from_plan(fields, &place, &Node { line: None, value: Value::Table(table) }, said),
        Err(errors) => Err(fields.reported(errors)),
    }
}

fn from_grid(fields: &mut Fields<'_>, place: &Place, text: &str, said: &Said) -> Read<Hall> {
    if said.label.is_some() {
        fields.error("label", "a grid says each seat's label itself; leave this away");
    }
    if said.categories.is_empty() {
        return Err(fields.error("categories", "is missing; a grid needs them, such as `{ S = \"Standard\" }`"));
    }
    let read = grid::read(text, &said.categories, said.screen);
    // A cell of a file is found by its address; of an inline grid, after the field.
    let place_of = |at: Option<&str>| match at {
        Some(at) if place.field.is_empty() => {
            let line = at.trim_start_matches(|c: char| c.is_ascii_uppercase()).parse().ok();
            Place { line, field: at.to_owned(), ..place.clone() }
        }
        Some(at) => Place { field: format!("{}: {at}", place.field), ..place.clone() },
        None => place.clone(),
    };
    Ok((said.categories.clone(), told(fields, read, place_of)?))
}

fn from_plan(fields: &mut Fields<'_>, place: &Place, node: &Node, said: &Said) -> Read<Hall> {
    let (categories, zones, has_words) = pretix::plan(fields, place, node, said)?;
    let default = crate::layout::pretix::default_label(has_words);
    let label = said.label.as_deref().unwrap_or(default);
    let read = crate::layout::pretix::read(&zones, label, said.screen);
    let place_of = |at: Option<&str>| match at {
        Some(at) => Place { field: at.to_owned(), ..place.clone() },
        None => place.clone(),
    };
    Ok((categories, told(fields, read, place_of)?))
}

/// The seats, with what was said about them reported.
fn told(
    fields: &mut Fields<'_>,
    read: Result<(Vec<Seat>, Vec<Remark>), Vec<Remark>>,
    place_of: impl Fn(Option<&str>) -> Place,
) -> Read<Vec<Seat>> {
    match read {
        Ok((seats, warnings)) => {
            for warning in warnings {
                fields.warning_at(&place_of(warning.at.as_deref()), warning.detail);
            }
            Ok(seats)
        }
        Err(errors) => {
            for error in errors {
                fields.error_at(&place_of(error.at.as_deref()), error.detail);
            }
            Err(Reported)
        }
    }
}

fn report(fields: &mut Fields<'_>, name: &str, done: Result<(), Vec<String>>) -> Read<()> {
    let Err(errors) = done else { return Ok(()) };
    for detail in errors {
        fields.error(name, detail);
    }
    Err(Reported)
}

fn screen_side(node: &Node) -> Result<ScreenSide, String> {
    match node.value.text()? {
        "top" => Ok(ScreenSide::Top),
        "bottom" => Ok(ScreenSide::Bottom),
        other => Err(format!("`{other}` is not known; write `top` or `bottom`")),
    }
}

/// The path of a file that another file names: it is meant from where that one stands.
fn beside(file: &str, named: &str) -> String {
    std::path::Path::new(file).with_file_name(named).display().to_string()
}

/// The files with seat plans that a catalogue file names, each once. Whoever reads files hands them in
/// with it, under these names. None, if the catalogue cannot be parsed.
#[must_use]
pub fn plan_files(catalogue: &SourceFile) -> Vec<String> {
    let of_layout = |item: &Node| {
        let named = item.value.table().ok()?.get("file")?.value.text().ok()?;
        Some(beside(&catalogue.name, named))
    };
    let layouts = |root: &Table| match root.get("layouts").map(|node| &node.value) {
        Some(Value::List(items)) => items.iter().filter_map(of_layout).collect(),
        _ => Vec::new(),
    };
    // Most catalogues name none and need not be parsed twice.
    let may_name = catalogue.text.contains("file");
    let mut names: Vec<String> =
        if may_name { tree::parse(catalogue).as_ref().map(layouts).unwrap_or_default() } else { Vec::new() };
    names.sort_unstable();
    names.dedup();
    names
}
