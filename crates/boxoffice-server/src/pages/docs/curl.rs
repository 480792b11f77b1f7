//! An operation's examples as commands that can be run.

use serde_json::Value;

use super::{list, members, text};

/// One request, as `curl` takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Example {
    pub(super) title: String,
    /// Whether the method has to be said.
    pub(super) method: Option<String>,
    /// With its parameters' examples in it.
    pub(super) path: String,
    /// What is sent as the bearer's proof.
    pub(super) proof: Option<&'static str>,
    /// The media type and the body, quoted for a shell.
    pub(super) body: Option<(String, String)>,
}

impl Example {
    /// An example for each body that is documented; one where there is none.
    pub(super) fn all(path: &str, method: &str, operation: &Value) -> Vec<Self> {
        let one = |title: String, body: Option<(String, String)>| {
            let said = match (method, &body) {
                ("get", _) | ("post", Some(_)) => None,
                (other, _) => Some(other.to_uppercase()),
            };
            Self { title, method: said, path: filled(path, operation), proof: proof(operation), body }
        };
        let content = members(&operation["requestBody"]["content"]).next();
        let Some((media, content)) = content else { return vec![one(String::new(), None)] };
        let bodies = members(&content["examples"]);
        bodies.map(|(title, body)| one(title.clone(), Some((media.clone(), written(&body["value"]))))).collect()
    }
}

fn filled(path: &str, operation: &Value) -> String {
    let in_path = list(&operation["parameters"]).filter(|parameter| parameter["in"] == "path");
    in_path.fold(path.to_owned(), |path, parameter| {
        let example = parameter.get("example").or_else(|| parameter["schema"].get("example"));
        path.replace(&format!("{{{}}}", text(&parameter["name"])), example.and_then(Value::as_str).unwrap_or("ID"))
    })
}

fn proof(operation: &Value) -> Option<&'static str> {
    let way = list(&operation["security"]).next()?;
    if way.get("booking_token").is_some() {
        return Some("TOKEN");
    }
    way.get("staff_key").map(|_| "KEY")
}

/// A body between single quotes.
fn written(body: &Value) -> String {
    let text = body.as_str().map_or_else(|| body.to_string(), str::to_owned);
    text.replace('\'', r"'\''")
}
