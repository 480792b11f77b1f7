//! The answers that say no. A route lists its own codes (`x-problems`); those that follow from what it takes
//! (a body, a key, a query) are added here, and all are written out by status.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::http::problem_docs;

/// Where a route lists its codes.
const LISTED: &str = "x-problems";

/// Writes the problems of every operation into its answers.
#[must_use]
pub(super) fn told(mut document: Value) -> Value {
    for (path, item) in document["paths"].as_object_mut().into_iter().flat_map(Map::iter_mut) {
        for (_, operation) in item.as_object_mut().into_iter().flat_map(Map::iter_mut) {
            let codes = codes(path, operation);
            if let Some(members) = operation.as_object_mut() {
                members.remove(LISTED);
            }
            if operation["tags"][0] == "catalogue" {
                known_already(operation);
            }
            for (status, codes) in by_status(&codes) {
                operation["responses"][status.to_string()] = answer(status, &codes);
            }
        }
    }
    document["components"]["schemas"]["Problem"] = schema();
    document
}

/// What is open to all carries a tag, and is not sent again to whoever has it.
fn known_already(operation: &mut Value) {
    let text = |text: &str| json!({ "description": text, "schema": { "type": "string" } });
    let tag = text("Names this state of the answer.");
    operation["responses"]["200"]["headers"]["ETag"] = tag.clone();
    operation["responses"]["304"] = json!({ "description": "Nothing has changed.", "headers": { "ETag": tag } });
    if parameters(operation).any(|parameter| parameter["name"] == "If-None-Match") {
        return;
    }
    let mut known = text("The `ETag` of what is known already.");
    (known["name"], known["in"], known["required"]) = ("If-None-Match".into(), "header".into(), false.into());
    if let Some(parameters) = operation["parameters"].as_array_mut() {
        parameters.push(known);
    } else {
        operation["parameters"] = json!([known]);
    }
}

/// The codes that a route lists, and those that follow from what it takes.
fn codes(path: &str, operation: &Value) -> Vec<String> {
    let listed = operation[LISTED].as_array().into_iter().flatten();
    let mut codes: Vec<String> = listed.filter_map(|code| Some(code.as_str()?.to_owned())).collect();
    let takes = |place: &str| parameters(operation).any(|parameter| parameter["in"] == place);
    let keyed = parameters(operation).any(|parameter| parameter["name"] == "Idempotency-Key");
    let has_body = operation.get("requestBody").is_some();
    let staff_only =
        operation["security"].as_array().is_some_and(|ways| ways.iter().all(|way| way.get("staff_key").is_some()));
    let follows = [
        (has_body || takes("query") || keyed, "invalid-request"),
        (has_body, "payload-too-large"),
        (keyed, "idempotency-key-reused"),
        (keyed, "request-in-progress"),
        (takes("path"), "not-found"),
        (staff_only, "unauthorized"),
        (operation.get("security").is_some(), "too-many-requests"),
        (path != "/healthz" && path != "/readyz", "busy"),
    ];
    codes.extend(follows.into_iter().filter(|(holds, _)| *holds).map(|(_, code)| code.to_owned()));
    codes.sort();
    codes.dedup();
    codes
}

fn parameters(operation: &Value) -> impl Iterator<Item = &Value> {
    operation["parameters"].as_array().into_iter().flatten()
}

fn by_status(codes: &[String]) -> BTreeMap<u16, Vec<&str>> {
    let mut statuses: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    for code in codes {
        let status = problem_docs::codes().find(|(known, _)| known == code).map_or(0, |(_, status)| status);
        statuses.entry(status).or_default().push(code);
    }
    statuses
}

fn answer(status: u16, codes: &[&str]) -> Value {
    let links: Vec<String> = codes.iter().map(|code| format!("[`{code}`](/problems/{code})")).collect();
    let schema = json!({
        "allOf": [{ "$ref": "#/components/schemas/Problem" }],
        "properties": { "code": { "enum": codes }, "status": { "const": status } },
    });
    let mut answer = json!({
        "description": links.join(", "),
        "content": { "application/problem+json": { "schema": schema } },
    });
    let text = |description: &str| json!({ "description": description, "schema": { "type": "string" } });
    if matches!(status, 429 | 503) {
        answer["headers"]["Retry-After"] =
            text("In how many seconds to try again. Missing: trying again is of no use.");
    }
    if status == 401 {
        answer["headers"]["WWW-Authenticate"] = text("`Bearer`");
    }
    answer
}

/// The members that every problem has. Those of single codes are named on their pages.
fn schema() -> Value {
    let codes: Vec<&str> = problem_docs::codes().map(|(code, _)| code).collect();
    json!({
        "type": "object",
        "description": "Why a request was refused (RFC 9457). Some codes have more members, which their pages name.",
        "required": ["type", "code", "title", "status", "detail", "request_id", "retryable"],
        "properties": {
            "type": { "type": "string", "description": "The page of the code.", "pattern": "^/problems/[a-z-]+$" },
            "code": { "type": "string", "description": "What programs look at; it stays the same.", "enum": codes },
            "title": { "type": "string", "description": "A few words, the same for every problem of this code." },
            "status": { "type": "integer", "description": "The status of the answer." },
            "detail": { "type": "string", "description": "What is wrong and what to do, for people." },
            "request_id": { "type": "string", "description": "The request's id, as in the header `Request-Id`." },
            "retryable": { "type": "boolean", "description": "Whether the same request may do better later." },
            "errors": {
                "type": "array",
                "description": "With `invalid-request`: what is wrong where.",
                "items": {
                    "type": "object",
                    "required": ["pointer", "detail"],
                    "properties": {
                        "pointer": { "type": "string", "description": "A JSON pointer into the body; empty: the whole request." },
                        "detail": { "type": "string" },
                    },
                },
            },
        },
        "example": {
            "type": "/problems/seats-unavailable",
            "code": "seats-unavailable",
            "title": "Seats not available",
            "status": 409,
            "detail": "Not all of these seats are free: F7 is held.",
            "request_id": "5b0e6a2f9c41d7e8a3b60f12",
            "retryable": false,
            "seats": [{ "label": "F7", "id": "F7", "reason": "held" }],
        },
    })
}
