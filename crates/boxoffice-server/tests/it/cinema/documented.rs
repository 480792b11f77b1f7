//! Holds what the server answers against the document that it gives of itself. Every answer that any test
//! gets is looked at, so that the document says what is true.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use boxoffice_server::http::openapi::DOCUMENT;
use jsonschema::Validator;
use parking_lot::Mutex;
use reqwest::Method;
use serde_json::{Map, Value, json};

use super::Answer;

/// Fails the test if the answer is not as the document has it.
#[track_caller]
pub fn check(method: &Method, path: &str, answer: &Answer) {
    let mistakes = mistakes(method, path, answer);
    assert_eq!(mistakes, Vec::<String>::new(), "{method} {path} {}: {}", answer.status, answer.text);
}

/// What of an answer is not as the document has it. Addresses outside the API are not looked at.
pub fn mistakes(method: &Method, path: &str, answer: &Answer) -> Vec<String> {
    let path = path.split('?').next().unwrap_or(path);
    if !is_api(path) {
        return Vec::new();
    }
    // What another site asks beforehand is the layer's affair; what is compressed is seen plain elsewhere.
    if method == Method::OPTIONS || !answer.header("content-encoding").is_empty() {
        return Vec::new();
    }
    let kind = answer.header("content-type").split(';').next().unwrap_or_default();
    let status = answer.status.as_u16();
    let Some(template) = template(path) else {
        return if status == 404 { body(PROBLEM, kind, &answer.text) } else { vec!["no such path".to_owned()] };
    };
    let asked = if method == Method::HEAD { "get".to_owned() } else { method.as_str().to_lowercase() };
    if DOCUMENT.json["paths"][&template].get(&asked).is_none() {
        return if status == 405 { body(PROBLEM, kind, &answer.text) } else { vec!["no such method".to_owned()] };
    }
    let told = DOCUMENT.json["paths"][&template][&asked]["responses"].get(status.to_string());
    let Some(told) = told else { return vec![format!("status {status} is not documented")] };
    let Some(content) = told["content"].as_object() else {
        let empty = answer.text.is_empty();
        return if empty { Vec::new() } else { vec!["a body where none is documented".to_owned()] };
    };
    if !content.contains_key(kind) {
        return vec![format!("content type `{kind}` is not documented")];
    }
    if method == Method::HEAD {
        return Vec::new();
    }
    let place = format!("/paths/{}/{asked}/responses/{status}/content/{}/schema", escaped(&template), escaped(kind));
    body(&place, kind, &answer.text)
}

pub fn is_api(path: &str) -> bool {
    path.starts_with("/api/") || matches!(path, "/healthz" | "/readyz")
}

/// The documented path that leads here; of several, the one with the most words of its own.
pub fn template(path: &str) -> Option<String> {
    let asked = one_id(path);
    let paths = DOCUMENT.json["paths"].as_object().expect("paths");
    let fits = |template: &&String| {
        let parts: Vec<&str> = template.split('/').collect();
        let same = |(part, asked): (&&str, &String)| part == asked || (part.starts_with('{') && !asked.is_empty());
        parts.len() == asked.len() && parts.iter().zip(&asked).all(same)
    };
    paths.keys().filter(fits).min_by_key(|template| template.matches('{').count()).cloned()
}

/// The parts of a path, with a show's id of three parts as one.
fn one_id(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
    if let Some(shows) = parts.iter().position(|part| part == "shows").filter(|at| at + 3 < parts.len()) {
        let id = parts.splice(shows + 1..shows + 4, []).collect::<Vec<_>>().join("/");
        parts.insert(shows + 1, id);
    }
    parts
}

const PROBLEM: &str = "/components/schemas/Problem";

/// What of a body does not fit the schema at this place of the document.
fn body(place: &str, kind: &str, text: &str) -> Vec<String> {
    let is_problem = kind == "application/problem+json";
    if place == PROBLEM && !is_problem {
        return vec![format!("content type `{kind}` is not documented")];
    }
    if !is_problem && kind != "application/json" {
        return Vec::new();
    }
    let body: Value = match serde_json::from_str(text) {
        Ok(body) => body,
        Err(error) => return vec![format!("no JSON: {error}")],
    };
    schema(place).iter_errors(&body).map(|e| format!("{}: {e}", e.instance_path())).collect()
}

/// The schema at a place, compiled once per process.
fn schema(place: &str) -> Arc<Validator> {
    static COMPILED: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);
    static COMPONENTS: LazyLock<Value> = LazyLock::new(|| {
        let mut components = DOCUMENT.json["components"].clone();
        components["schemas"].as_object_mut().expect("schemas").values_mut().for_each(within);
        components
    });
    if let Some(known) = COMPILED.lock().get(place) {
        return Arc::clone(known);
    }
    let mut schema = DOCUMENT.json.pointer(place).unwrap_or_else(|| panic!("no schema at {place}")).clone();
    within(&mut schema);
    if !place.contains("problem+json") && place != PROBLEM {
        closed(&mut schema);
    }
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["components"] = COMPONENTS.clone();
    let built = jsonschema::options().should_validate_formats(true).build(&schema);
    let built = Arc::new(built.unwrap_or_else(|e| panic!("{place}: {e}")));
    COMPILED.lock().insert(place.to_owned(), Arc::clone(&built));
    built
}

/// Lets no member pass that the document does not name. The document itself leaves room for more, so that
/// clients do.
fn closed(schema: &mut Value) {
    within(schema);
    let Value::Object(keywords) = schema else { return };
    let composed = ["$ref", "allOf", "oneOf", "anyOf"].iter().any(|word| keywords.contains_key(*word));
    let plain = keywords.contains_key("properties") && !keywords.contains_key("additionalProperties");
    if composed || plain {
        keywords.insert("unevaluatedProperties".to_owned(), Value::Bool(false));
    }
}

/// Closes the schemas of the values in a schema.
fn within(schema: &mut Value) {
    let Value::Object(keywords) = schema else { return };
    for (word, inner) in keywords.iter_mut() {
        match word.as_str() {
            "properties" => inner.as_object_mut().into_iter().flat_map(Map::iter_mut).for_each(|(_, one)| closed(one)),
            "items" | "additionalProperties" => closed(inner),
            "allOf" | "oneOf" | "anyOf" => inner.as_array_mut().into_iter().flatten().for_each(within),
            _ => {}
        }
    }
}

/// A part of a JSON pointer.
fn escaped(text: &str) -> String {
    text.replace('~', "~0").replace('/', "~1")
}
