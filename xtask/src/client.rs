//! The HTTP API as a buyer's program calls it. An answer is its status and its JSON; no answer at
//! all is `None`, which is what a killed server gives.

use serde_json::Value;

#[derive(Debug, Clone)]
pub(crate) struct Client {
    agent: ureq::Agent,
    address: String,
}

#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Client {
    pub(crate) fn new(address: &str) -> Self {
        let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build();
        Self { agent: config.into(), address: address.to_owned() }
    }

    pub(crate) fn get(&self, path: &str, token: Option<&str>) -> Option<Answer> {
        let mut request = self.agent.get(self.url(path));
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        answer(request.call().ok()?)
    }

    pub(crate) fn post(&self, path: &str, token: Option<&str>, body: &Value) -> Option<Answer> {
        let mut request = self.agent.post(self.url(path));
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        answer(request.send_json(body).ok()?)
    }

    /// Sends a form, as a page would.
    pub(crate) fn press(&self, path: &str, fields: &[(&str, &str)]) -> Option<Answer> {
        answer(self.agent.post(self.url(path)).send_form(fields.iter().copied()).ok()?)
    }

    /// Paths are relative to the server; a checkout's address is whole already.
    fn url(&self, path: &str) -> String {
        if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.address) }
    }
}

fn answer(mut response: ureq::http::Response<ureq::Body>) -> Option<Answer> {
    let status = response.status().as_u16();
    let text = response.body_mut().read_to_string().ok()?;
    Some(Answer { status, body: serde_json::from_str(&text).unwrap_or(Value::Null) })
}
