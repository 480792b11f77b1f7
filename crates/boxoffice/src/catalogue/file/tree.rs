//! One tree for both notations: TOML with the line of every value, JSON without. Order of the
//! fields is kept.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{FileError, SourceFile};

#[derive(Debug)]
pub(super) struct Node {
    pub(super) line: Option<usize>,
    pub(super) value: Value,
}

#[derive(Debug)]
pub(super) enum Value {
    /// Also TOML's dates and times, as written.
    Text(String),
    /// As written, so that no decimal is lost.
    Number(String),
    Bool(bool),
    List(Vec<Node>),
    Table(Table),
}

/// A table's fields in their order. Keys are unique.
#[derive(Debug, Default)]
pub(super) struct Table(pub(super) Vec<(String, Node)>);

impl Table {
    pub(super) fn get(&self, name: &str) -> Option<&Node> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, node)| node)
    }
}

impl Value {
    pub(super) fn text(&self) -> Result<&str, String> {
        if let Self::Text(text) = self { Ok(text) } else { Err(self.instead("a text in quotes")) }
    }

    pub(super) fn flag(&self) -> Result<bool, String> {
        if let Self::Bool(flag) = self { Ok(*flag) } else { Err(self.instead("true or false")) }
    }

    /// A number as written.
    pub(super) fn number(&self) -> Result<&str, String> {
        if let Self::Number(digits) = self { Ok(digits) } else { Err(self.instead("a number without quotes")) }
    }

    pub(super) fn list(&self) -> Result<&[Node], String> {
        if let Self::List(items) = self { Ok(items) } else { Err(self.instead("a list in square brackets")) }
    }

    pub(super) fn table(&self) -> Result<&Table, String> {
        if let Self::Table(table) = self { Ok(table) } else { Err(self.instead("a table in braces")) }
    }

    /// What to write instead of a value of another kind.
    fn instead(&self, wanted: &str) -> String {
        let kind = match self {
            Self::Text(_) => "a text",
            Self::Number(_) => "a number",
            Self::Bool(_) => "true or false",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        };
        format!("is {kind}; write {wanted}")
    }
}

/// By its name, or since it begins with a brace.
pub(super) fn is_json(file: &SourceFile) -> bool {
    let text = file.text.trim_start_matches('\u{feff}');
    file.name.to_ascii_lowercase().ends_with(".json") || text.trim_start().starts_with('{')
}

/// # Errors
/// The mistakes of notation.
pub(super) fn parse(file: &SourceFile) -> Result<Table, Vec<FileError>> {
    let text = file.text.strip_prefix('\u{feff}').unwrap_or(&file.text);
    let error = |line, detail| FileError { file: file.name.clone(), line, field: String::new(), detail };
    if is_json(file) {
        let root: Node = serde_json::from_str(text).map_err(|e| vec![error(Some(e.line()), e.to_string())])?;
        let Value::Table(table) = root.value else {
            return Err(vec![error(None, "the file holds no object; write one with a list for each table".into())]);
        };
        return Ok(table);
    }
    let lines = Lines::new(text);
    let (root, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        Ok(lines.table(root.into_inner()))
    } else {
        let line_of = |e: &toml::de::Error| e.span().map(|span| lines.at(span.start));
        Err(errors.iter().map(|e| error(line_of(e), e.message().to_owned())).collect())
    }
}

/// The offsets at which the lines of a text begin, to number them.
struct Lines(Vec<usize>);

impl Lines {
    fn new(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// The number of the line, from 1, in which the byte stands.
    fn at(&self, byte: usize) -> usize {
        self.0.partition_point(|start| *start <= byte)
    }

    /// The parser sorts fields by name; their places in the text give back the order.
    fn table(&self, table: DeTable<'_>) -> Table {
        let mut fields: Vec<_> = table.into_iter().collect();
        fields.sort_by_key(|(key, _)| key.span().start);
        Table(fields.into_iter().map(|(key, value)| (key.into_inner().into_owned(), self.node(value))).collect())
    }

    fn node(&self, value: Spanned<DeValue<'_>>) -> Node {
        let line = Some(self.at(value.span().start));
        let value = match value.into_inner() {
            DeValue::String(text) => Value::Text(text.into_owned()),
            DeValue::Datetime(time) => Value::Text(time.to_string()),
            DeValue::Integer(number) => Value::Number(number.to_string()),
            DeValue::Float(number) => Value::Number(number.to_string()),
            DeValue::Boolean(flag) => Value::Bool(flag),
            DeValue::Array(items) => Value::List(items.into_iter().map(|item| self.node(item)).collect()),
            DeValue::Table(table) => Value::Table(self.table(table)),
        };
        Node { line, value }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(NodeVisitor).map(|value| Self { line: None, value })
    }
}

/// Builds a tree from JSON. A field that is null counts as not given.
struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a number, true, false, a list or an object")
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut table = Table::default();
        let mut seen = std::collections::HashSet::new();
        while let Some((key, value)) = fields.next_entry::<String, Option<Node>>()? {
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom(format!("the field `{key}` is given twice")));
            }
            table.0.extend(value.map(|value| (key, value)));
        }
        Ok(Value::Table(table))
    }
}
