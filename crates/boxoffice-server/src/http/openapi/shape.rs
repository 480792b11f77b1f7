//! Makes the generated document exact where the generator knows less than the routes do.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::rules;

/// The document with every schema as strict as what is sent and taken.
#[must_use]
pub(super) fn exact(mut document: Value) -> Value {
    for operation in operations(&mut document) {
        let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
        for parameter in parameters.into_iter().flatten() {
            never_null(&mut parameter["schema"]);
        }
        for (_, answer) in members(operation, "responses") {
            answer["headers"]["Request-Id"] =
                json!({ "description": "The request's id.", "schema": { "type": "string" } });
        }
    }
    rules::add(&mut document);
    bodies_that_may_be_empty(&mut document);
    answers_are_whole(&mut document);
    lists_by_name(document)
}

fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    members(document, "paths")
        .flat_map(|(_, item)| item.as_object_mut().into_iter().flat_map(Map::iter_mut))
        .map(|(_, operation)| operation)
}

/// The members of a member; none if it is not there.
fn members<'a>(of: &'a mut Value, name: &str) -> impl Iterator<Item = (&'a String, &'a mut Value)> {
    of.get_mut(name).and_then(Value::as_object_mut).into_iter().flat_map(Map::iter_mut)
}

/// A parameter is there or not; it cannot be null.
fn never_null(schema: &mut Value) {
    let types = schema.get("type").and_then(Value::as_array);
    let alone = types.and_then(|types| types.iter().find(|kind| *kind != "null").cloned());
    if let Some(kind) = alone {
        schema["type"] = kind;
    }
    let one_of = schema.get("oneOf").and_then(Value::as_array);
    let referred = one_of.and_then(|of| of.iter().find(|one| one.get("$ref").is_some()).cloned());
    if let Some(one) = referred {
        *schema = one;
    }
}

/// No body reads as `{}`, which is enough where no member is required.
fn bodies_that_may_be_empty(document: &mut Value) {
    let schemas = document["components"]["schemas"].clone();
    for operation in operations(document) {
        if operation.pointer("/requestBody/content/text~1plain").is_some() {
            // An empty file is a catalogue of nothing.
            operation["requestBody"]["required"] = false.into();
        }
        let name = operation.pointer("/requestBody/content/application~1json/schema/$ref").and_then(Value::as_str);
        let Some(schema) = name.and_then(|name| schemas.get(name.rsplit('/').next()?)) else { continue };
        let needs_something = ["required", "oneOf", "anyOf"].iter().any(|keyword| schema.get(keyword).is_some());
        operation["requestBody"]["required"] = needs_something.into();
    }
}

/// An answer always has all its members; those that may be missing in a request may be null in an answer.
fn answers_are_whole(document: &mut Value) {
    let schemas = document["components"]["schemas"].clone();
    let mut asked = BTreeSet::new();
    for operation in operations(document) {
        if let Some(body) = operation.get("requestBody") {
            referred(body, &schemas, &mut asked);
        }
    }
    let answered = members(&mut document["components"], "schemas");
    for (_, schema) in answered.filter(|(name, _)| !asked.contains(*name) && *name != "Problem") {
        all_required(schema);
        let parts = schema.get_mut("allOf").and_then(Value::as_array_mut);
        parts.into_iter().flatten().for_each(all_required);
    }
}

/// Here and in what is written out within.
fn all_required(schema: &mut Value) {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    properties.values_mut().for_each(all_required);
    let names: Vec<Value> = properties.keys().map(|name| name.as_str().into()).collect();
    schema["required"] = names.into();
}

/// The names of the schemas that are reached from here.
fn referred(from: &Value, schemas: &Value, names: &mut BTreeSet<String>) {
    match from {
        Value::Object(members) => {
            if let Some(name) = members.get("$ref").and_then(|name| name.as_str()?.rsplit('/').next())
                && names.insert(name.to_owned())
            {
                referred(&schemas[name], schemas, names);
            }
            members.values().for_each(|member| referred(member, schemas, names));
        }
        Value::Array(items) => items.iter().for_each(|item| referred(item, schemas, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The generator calls a list of shows `Page_Show`.
fn lists_by_name(document: Value) -> Value {
    let schemas =
        document["components"]["schemas"].as_object().map(|schemas| schemas.keys().cloned().collect::<Vec<_>>());
    let pages = schemas.into_iter().flatten().filter(|name| name.starts_with("Page_"));
    let text = pages.fold(document.to_string(), |text, name| {
        let item = name.trim_start_matches("Page_");
        text.replace(&format!("{name}\""), &format!("{item}List\""))
    });
    serde_json::from_str(&text).unwrap_or(document)
}
