//! Theatres, the drawings of their halls, and screens.

use super::fields::{Fields, Place, Read, Reported};
use super::tree::{Node, Value};
use super::{Known, halls, seat_list, values};
use crate::layout::sketch::{self, Numbering, RowSketch, Sketch, SketchErrors};
use crate::layout::{Category, Layout};
use crate::show::{Screen, Theatre};
use crate::time::Span;

pub(super) fn theatre(fields: &mut Fields<'_>, _known: &Known) -> Read<Theatre> {
    let id = fields.required("id", values::id);
    let name = fields.required("name", values::public_text);
    let city = fields.required("city", values::text);
    let country = fields.required("country", values::country);
    let timezone = fields.required("timezone", values::zone);
    let currency = fields.required("currency", values::currency);
    let address = fields.optional("address", values::public_text);
    let day_starts = fields.optional("business_day_starts", values::clock_time);
    let cleaning = fields.optional("cleaning", values::duration);
    let trailers = fields.optional("trailers", values::duration);
    Ok(Theatre {
        id: id?,
        name: name?,
        city: city?,
        country: country?,
        timezone: timezone?,
        currency: currency?,
        address: address?,
        business_day_starts: day_starts?.unwrap_or(jiff::civil::time(5, 0, 0, 0)),
        cleaning: cleaning?.unwrap_or(Span::from_mins(15)),
        trailers: trailers?.unwrap_or(Span::from_mins(20)),
    })
}

pub(super) fn screen(fields: &mut Fields<'_>, known: &Known) -> Read<Screen> {
    let id = fields.required("id", values::id);
    let theatre = fields.reference("theatre", "theatres", known, &known.catalogue.theatres);
    let name = fields.required("name", values::public_text);
    let layout = fields.reference("layout", "layouts", known, &known.catalogue.layouts);
    Ok(Screen { id: id?, theatre: theatre?.0, name: name?, layout: layout?.0 })
}

pub(super) fn layout(fields: &mut Fields<'_>, known: &Known) -> Read<Layout> {
    if fields.has("seats") {
        return seat_list::layout(fields);
    }
    if halls::WAYS.iter().any(|way| fields.has(way)) {
        return halls::layout(fields, known);
    }
    let id = fields.required("id", values::id);
    let categories = fields.map("categories", values::text);
    let row_nodes = fields.items("rows");
    let numbering = fields.optional("numbering", numbering);
    let label = fields.optional("label", values::text);
    let companions = fields.map("companions", values::text);
    let row_nodes = row_nodes?;
    let rows = row_nodes.iter().map(|(place, node)| row(fields, place, node)).collect::<Vec<_>>();
    let category = |(key, name)| Category { key, name };
    let sketch = Sketch {
        id: id?,
        categories: categories?.into_iter().map(category).collect(),
        rows: rows.into_iter().collect::<Read<_>>()?,
        numbering: numbering?.unwrap_or_default(),
        label: label?.unwrap_or_else(|| sketch::DEFAULT_LABEL.to_owned()),
        companions: companions?,
    };
    draw(fields, &sketch, &row_nodes)
}

/// Draws the hall; what is wrong with a row is reported where the row stands.
fn draw(fields: &mut Fields<'_>, sketch: &Sketch, rows: &[(Place, &Node)]) -> Read<Layout> {
    let place_of = |row: Option<usize>, fields: &Fields<'_>| {
        row.and_then(|row| rows.get(row)).map_or_else(|| fields.place_of("rows"), |(place, _)| place.clone())
    };
    match sketch::read(sketch) {
        Ok((layout, warnings)) => {
            for warning in warnings {
                let place = place_of(Some(warning.place.row), fields);
                fields.warning_at(&place, warning.detail);
            }
            Ok(layout)
        }
        Err(SketchErrors(errors)) => {
            for error in errors {
                let place = place_of(error.place.as_ref().map(|place| place.row), fields);
                fields.error_at(&place, error.to_string());
            }
            Err(Reported)
        }
    }
}

/// `"LABEL cells"` or a table.
fn row(fields: &mut Fields<'_>, place: &Place, node: &Node) -> Read<RowSketch> {
    if let Value::Text(line) = &node.value {
        return Ok(RowSketch::from_line(line));
    }
    fields.inner(place.clone(), node, |fields| {
        let label = fields.required("label", values::text);
        let cells = fields.required("cells", values::text);
        let zone = fields.optional("zone", values::text);
        let numbering = fields.optional("numbering", numbering);
        let first_number = fields.optional("first_number", |node| values::integer(node, 0..=u16::MAX));
        let numbers = fields.has("numbers").then(|| fields.list("numbers", seat_number)).transpose();
        Ok(RowSketch {
            label: label?,
            cells: cells?,
            zone: zone?,
            numbering: numbering?,
            first_number: first_number?.map(u32::from),
            numbers: numbers?,
        })
    })
}

/// `12` or `"12a"`.
fn seat_number(node: &Node) -> Result<String, String> {
    values::decimal(node).map(str::to_owned)
}

fn numbering(node: &Node) -> Result<Numbering, String> {
    let name = node.value.text()?;
    Numbering::named(name).ok_or_else(|| format!("`{name}` is not known; write one of {}", Numbering::NAMES.join(", ")))
}
