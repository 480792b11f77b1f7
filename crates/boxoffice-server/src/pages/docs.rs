//! `GET /docs`: the API's document, for people. Made of the same document that programs read.

use std::sync::LazyLock;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use serde_json::Value;

use super::shell::{self, Shell};
use crate::app::AppState;
use crate::http::Problem;
use crate::http::openapi::DOCUMENT;

mod curl;
mod shape;
#[cfg(test)]
mod tests;
mod words;

use curl::Example;
use shape::{Piece, Row, Shape};
use words::{Words, words};

pub fn router() -> Router<AppState> {
    Router::new().route("/docs", get(read))
}

#[derive(Template)]
#[template(path = "docs.html")]
struct Page<'a> {
    shell: Shell,
    /// What the examples' addresses begin with.
    base: &'a str,
    about: &'a Content,
}

/// The document in the order in which people read it.
struct Content {
    title: String,
    version: String,
    about: Vec<Vec<Words>>,
    groups: Vec<Group>,
    shapes: Vec<Shape>,
}

/// The operations on one noun.
struct Group {
    name: String,
    anchor: String,
    about: Vec<Words>,
    operations: Vec<Operation>,
}

struct Operation {
    /// Its operation id, which is its anchor too.
    id: String,
    method: String,
    path: String,
    summary: String,
    about: Vec<Vec<Words>>,
    access: &'static str,
    parameters: Vec<Row>,
    /// What is sent: its media type, and its shape where it has one.
    body: Option<(String, Vec<Piece>)>,
    examples: Vec<Example>,
    answers: Vec<Answer>,
}

struct Answer {
    status: String,
    about: Vec<Words>,
    kind: Vec<Piece>,
    /// The codes of the problems with this status.
    codes: Vec<String>,
}

static CONTENT: LazyLock<Content> = LazyLock::new(|| Content::of(&DOCUMENT.json));

async fn read(State(state): State<AppState>) -> Result<Response, Problem> {
    shell::page(&Page { shell: Shell::new(&state), base: &state.site.base_url, about: &CONTENT })
}

impl Content {
    fn of(document: &Value) -> Self {
        let groups = list(&document["tags"]).map(|tag| Group::of(document, tag)).collect();
        let schemas = members(&document["components"]["schemas"]);
        Self {
            title: text(&document["info"]["title"]),
            version: text(&document["info"]["version"]),
            about: words::paragraphs(&text(&document["info"]["description"])),
            groups,
            shapes: schemas.map(|(name, schema)| Shape::of(name, schema)).collect(),
        }
    }
}

impl Group {
    fn of(document: &Value, tag: &Value) -> Self {
        let name = text(&tag["name"]);
        let all = members(&document["paths"])
            .flat_map(|(path, item)| members(item).map(move |(method, operation)| (path, method, operation)));
        let own = all.filter(|(_, _, operation)| operation["tags"][0] == tag["name"]);
        Self {
            anchor: name.replace(": ", "-"),
            about: words(&text(&tag["description"])),
            operations: own.map(|(path, method, operation)| Operation::of(path, method, operation)).collect(),
            name,
        }
    }
}

impl Operation {
    fn of(path: &str, method: &str, operation: &Value) -> Self {
        let content = members(&operation["requestBody"]["content"]).next();
        let answers = members(&operation["responses"]);
        Self {
            id: text(&operation["operationId"]),
            method: method.to_uppercase(),
            path: path.to_owned(),
            summary: text(&operation["summary"]),
            about: words::paragraphs(&text(&operation["description"])),
            access: access(operation),
            parameters: list(&operation["parameters"]).map(Row::of_parameter).collect(),
            body: content.map(|(media, content)| (media.clone(), shape::pieces(&content["schema"]))),
            examples: Example::all(path, method, operation),
            answers: answers.map(|(status, answer)| Answer::of(status, answer)).collect(),
        }
    }
}

/// Who may ask.
fn access(operation: &Value) -> &'static str {
    let opens = |scheme: &str| list(&operation["security"]).any(|way| way.get(scheme).is_some());
    let open = list(&operation["security"]).all(|way| members(way).next().is_none());
    let also_open = list(&operation["security"]).any(|way| members(way).next().is_none());
    match (open, also_open, opens("booking_token")) {
        (true, ..) => "Open to all.",
        (_, true, _) => "Open to all; with a booking's token or a staff key it knows you.",
        (_, _, true) => "With the booking's token, or a staff key.",
        (_, _, false) => "With a staff key.",
    }
}

impl Answer {
    fn of(status: &str, answer: &Value) -> Self {
        let content = members(&answer["content"]).next();
        let is_problem = content.is_some_and(|(media, _)| media == "application/problem+json");
        let schema = content.map(|(_, content)| &content["schema"]);
        let codes = schema.filter(|_| is_problem).map(|schema| list(&schema["properties"]["code"]["enum"]));
        Self {
            status: status.to_owned(),
            about: if is_problem { Vec::new() } else { words(&text(&answer["description"])) },
            kind: schema.filter(|_| !is_problem).map(shape::pieces).unwrap_or_default(),
            codes: codes.into_iter().flatten().map(text).collect(),
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}
