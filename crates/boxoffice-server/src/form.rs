//! The fields of a posted HTML form. A name may come more than once: checkboxes do.

use axum::body::Bytes;

/// Names and values in the order they were sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// Any bytes are a form; what is not UTF-8 in it is replaced.
    #[must_use]
    pub fn read(body: &Bytes) -> Self {
        Self(form_urlencoded::parse(body).map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
    }

    /// The first value of this name, trimmed; `None` if it is missing or blank.
    #[must_use]
    pub fn one(&self, name: &str) -> Option<&str> {
        let value = self.0.iter().find(|(n, _)| n == name).map(|(_, v)| v.trim());
        value.filter(|v| !v.is_empty())
    }

    /// The first value of this name as it was sent, blanks and all: for passwords. Empty if it is missing.
    #[must_use]
    pub fn exactly(&self, name: &str) -> &str {
        self.0.iter().find(|(n, _)| n == name).map_or("", |(_, v)| v.as_str())
    }

    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}
