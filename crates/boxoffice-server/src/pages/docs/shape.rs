//! Schemas as people read them: what a thing is made of, and what may stand where.

use serde_json::Value;

use super::words::{Words, words};
use super::{list, members, text};

/// A part of a type's words, perhaps with the shape that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) shape: bool,
}

/// A member of an object, or a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) kind: Vec<Piece>,
    /// It must be there.
    pub(super) required: bool,
    pub(super) about: Vec<Words>,
    /// Limits, such as `1 to 200`.
    pub(super) limits: String,
}

/// A schema that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) name: String,
    pub(super) about: Vec<Words>,
    /// What it is where it is no object: its words, or one of other shapes.
    pub(super) kind: Vec<Piece>,
    pub(super) rows: Vec<Row>,
}

impl Row {
    pub(super) fn of_parameter(parameter: &Value) -> Self {
        let place = match parameter["in"].as_str() {
            Some("path") => "path, ",
            Some("header") => "header, ",
            Some(_) | None => "",
        };
        let mut kind = vec![plain(place)];
        kind.extend(pieces(&parameter["schema"]));
        Self {
            name: text(&parameter["name"]),
            kind,
            required: parameter["required"] == true,
            about: words(&text(&parameter["description"])),
            limits: limits(&parameter["schema"]),
        }
    }

    fn of_member(name: &str, schema: &Value, required: bool) -> Self {
        let about = words(&text(&schema["description"]));
        Self { name: name.to_owned(), kind: pieces(schema), required, about, limits: limits(schema) }
    }
}

impl Shape {
    pub(super) fn of(name: &str, schema: &Value) -> Self {
        let mut rows = rows(schema);
        let mut kind = Vec::new();
        for part in list(&schema["allOf"]) {
            rows.extend(self::rows(part));
            if part.get("$ref").is_some() {
                kind.extend([plain("All of "), reference(part), plain(", and:")]);
            }
        }
        if rows.is_empty() {
            kind = pieces(schema);
        }
        Self { name: name.to_owned(), about: words(&text(&schema["description"])), kind, rows }
    }
}

fn rows(schema: &Value) -> Vec<Row> {
    let required: Vec<&Value> = list(&schema["required"]).collect();
    let is_required = |name: &String| required.iter().any(|other| *other == name.as_str());
    members(&schema["properties"]).map(|(name, one)| Row::of_member(name, one, is_required(name))).collect()
}

/// What stands here, in words.
pub(super) fn pieces(schema: &Value) -> Vec<Piece> {
    if schema.get("$ref").is_some() {
        return vec![reference(schema)];
    }
    let choices = list(&schema["oneOf"]).chain(list(&schema["anyOf"]));
    let choices: Vec<Vec<Piece>> =
        choices.filter(|one| one.get("required").is_none() || one.get("type").is_some()).map(pieces).collect();
    if !choices.is_empty() {
        return choices.join(&plain(" or "));
    }
    let enumerated: Vec<String> = list(&schema["enum"]).map(Value::to_string).collect();
    // All currencies of the world say no more than their name.
    if (1..=20).contains(&enumerated.len()) {
        return vec![plain(&enumerated.join(", "))];
    }
    let types = list(&schema["type"]).chain(schema.get("type").filter(|kind| kind.is_string()));
    let types: Vec<Vec<Piece>> = types.map(|kind| of_type(kind, schema)).collect();
    types.join(&plain(" or "))
}

fn of_type(kind: &Value, schema: &Value) -> Vec<Piece> {
    match kind.as_str().unwrap_or_default() {
        "array" => [vec![plain("list of ")], pieces(&schema["items"])].concat(),
        "object" if schema["additionalProperties"].is_object() => {
            [vec![plain("object by name of ")], pieces(&schema["additionalProperties"])].concat()
        }
        "string" => match schema["format"].as_str() {
            Some("date-time") => vec![plain("time")],
            Some("date") => vec![plain("date")],
            Some(_) | None => vec![plain("string")],
        },
        other => vec![plain(other)],
    }
}

fn reference(schema: &Value) -> Piece {
    let name = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()).unwrap_or_default();
    Piece { text: name.to_owned(), shape: true }
}

fn plain(text: &str) -> Piece {
    Piece { text: text.to_owned(), shape: false }
}

/// What a value has to keep to, in words.
fn limits(schema: &Value) -> String {
    let number = |keyword: &str| schema[keyword].as_number().map(ToString::to_string);
    let range = |low: &str, high: &str, of: &str| match (number(low).filter(|low| low != "0"), number(high)) {
        (Some(low), Some(high)) => Some(format!("{low} to {high}{of}")),
        (Some(low), None) => Some(format!("at least {low}{of}")),
        (None, Some(high)) => Some(format!("at most {high}{of}")),
        (None, None) => None,
    };
    let standard = schema.get("default").map(|value| format!("default {value}"));
    let limits = [
        range("minimum", "maximum", ""),
        range("minLength", "maxLength", " characters"),
        range("minItems", "maxItems", " items"),
        range("minProperties", "maxProperties", " members"),
        standard,
    ];
    limits.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
