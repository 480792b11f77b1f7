//! Takes the fields of a table one by one. Whoever reads asks for each field it knows; what nobody
//! asked for is unknown, and an error. Errors are collected, so that one run shows them all.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::tree::{Node, Table};
use super::{FileError, Known, Warning, values};
use crate::id::CatalogueId;
use crate::prices::STANDARD;

/// Where something stands.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) file: Arc<str>,
    pub(super) line: Option<usize>,
    pub(super) field: String,
}

impl Place {
    /// A field of the table that stands here.
    pub(super) fn field(&self, name: &str, node: &Node) -> Self {
        let field = if self.field.is_empty() { name.to_owned() } else { format!("{}.{name}", self.field) };
        Self { file: self.file.clone(), line: node.line.or(self.line), field }
    }

    /// An item of the list that stands here.
    fn item(&self, index: usize, node: &Node) -> Self {
        Self { file: self.file.clone(), line: node.line.or(self.line), field: format!("{}[{index}]", self.field) }
    }
}

/// What was found out about the files so far.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) errors: Vec<FileError>,
    pub(super) warnings: Vec<Warning>,
    /// Fields of a file of others that nobody asked for, until [`Fields::tell_left_out`].
    left_out: Vec<(Place, String)>,
}

impl Notes {
    pub(super) fn error(&mut self, place: &Place, detail: impl Into<String>) -> Reported {
        let (file, line, field) = (place.file.to_string(), place.line, place.field.clone());
        self.errors.push(FileError { file, line, field, detail: detail.into() });
        Reported
    }

    pub(super) fn warning(&mut self, place: &Place, detail: impl Into<String>) {
        let (file, line, field) = (place.file.to_string(), place.line, place.field.clone());
        self.warnings.push(Warning { file, line, field, detail: detail.into() });
    }

    /// ``; did you mean `x`?`` while there are few errors; searching for thousands would take long.
    fn did_you_mean<'b>(&self, text: &str, known: impl Iterator<Item = &'b str>) -> String {
        const FEW: usize = 50;
        const LONGEST: usize = 64;
        if self.errors.len() > FEW || text.len() > LONGEST {
            return String::new();
        }
        let near = known.map(|name| (strsim::osa_distance(text, name), name)).min();
        near.filter(|(distance, name)| *distance <= 1 + name.len() / 4)
            .map(|(_, name)| format!("; did you mean `{name}`?"))
            .unwrap_or_default()
    }
}

/// An error was noted; there is nothing more to say.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reported;

pub(super) type Read<T> = Result<T, Reported>;

pub(super) struct Fields<'a> {
    table: &'a Table,
    fallback: Option<&'a Table>,
    place: Place,
    known: Vec<&'static str>,
    /// In a file whose form is not ours, unknown fields are no mistakes.
    is_lenient: bool,
    notes: &'a mut Notes,
}

impl<'a> Fields<'a> {
    pub(super) fn new(table: &'a Table, place: Place, notes: &'a mut Notes) -> Self {
        Self { table, fallback: None, place, known: Vec::new(), is_lenient: false, notes }
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    /// Fields that the table lacks are taken from here.
    pub(super) fn fall_back_on(&mut self, fallback: Option<&'a Table>) {
        self.fallback = fallback;
    }

    /// Makes a name known without taking the field.
    pub(super) fn knows(&mut self, name: &'static str) {
        self.known.push(name);
    }

    /// Refuses the fields that nobody asked for.
    pub(super) fn finish(self) {
        for (key, node) in self.table.0.iter().filter(|(key, _)| !self.known.contains(&key.as_str())) {
            if self.is_lenient {
                self.notes.left_out.push((self.place.field(key, node), key.clone()));
                continue;
            }
            let hint = self.notes.did_you_mean(key, self.known.iter().copied());
            self.notes.error(&self.place.field(key, node), format!("there is no such field{hint}"));
        }
    }

    /// Notes where the thing of this id stands, and refuses an id that was given before.
    pub(super) fn given_once(&mut self, table: &'static str, given: &mut HashMap<(&'static str, CatalogueId), Place>) {
        let id_of = |node: &Node| match table {
            // Promo codes are one if they are compared as one.
            "promo_codes" => crate::promo::normalised(node.value.text().ok()?),
            _ => values::id(node).ok(),
        };
        let Some(id) = self.table.get("id").and_then(id_of) else { return };
        match given.entry((table, id)) {
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(self.place.clone());
            }
            std::collections::hash_map::Entry::Occupied(first) => {
                let first = first.get();
                let line = first.line.map(|line| format!(":{line}")).unwrap_or_default();
                let detail = format!("this id is given twice, first in {}{line} ({})", first.file, first.field);
                self.error("id", detail);
            }
        }
    }

    fn find(&mut self, name: &'static str) -> Option<&'a Node> {
        self.known.push(name);
        self.table.get(name).or_else(|| self.fallback.and_then(|fallback| fallback.get(name)))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.table.get(name).is_some()
    }

    /// Where the field stands, or the table if it has none of that name.
    pub(super) fn place_of(&self, name: &str) -> Place {
        match (self.table.get(name), self.fallback.and_then(|fallback| fallback.get(name))) {
            (Some(node), _) => self.place.field(name, node),
            (None, Some(node)) => Place { line: node.line, field: format!("defaults.{name}"), ..self.place.clone() },
            (None, None) => Place { field: format!("{}.{name}", self.place.field), ..self.place.clone() },
        }
    }

    pub(super) fn error(&mut self, name: &str, detail: impl Into<String>) -> Reported {
        let place = self.place_of(name);
        self.notes.error(&place, detail)
    }

    pub(super) fn error_at(&mut self, place: &Place, detail: impl Into<String>) -> Reported {
        self.notes.error(place, detail)
    }

    /// Errors that were found by others.
    pub(super) fn reported(&mut self, errors: Vec<FileError>) -> Reported {
        self.notes.errors.extend(errors);
        Reported
    }

    pub(super) fn warning_at(&mut self, place: &Place, detail: impl Into<String>) {
        self.notes.warning(place, detail);
    }

    pub(super) fn optional<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Node) -> Result<T, String>,
    ) -> Read<Option<T>> {
        match self.find(name).map(read) {
            None => Ok(None),
            Some(Ok(value)) => Ok(Some(value)),
            Some(Err(detail)) => Err(self.error(name, detail)),
        }
    }

    pub(super) fn required<T>(&mut self, name: &'static str, read: impl FnOnce(&Node) -> Result<T, String>) -> Read<T> {
        match self.optional(name, read)? {
            Some(value) => Ok(value),
            None => Err(self.missing(name)),
        }
    }

    pub(super) fn required_node(&mut self, name: &'static str) -> Read<&'a Node> {
        match self.find(name) {
            Some(node) => Ok(node),
            None => Err(self.missing(name)),
        }
    }

    fn missing(&mut self, name: &str) -> Reported {
        self.error(name, "is missing; it must be given")
    }

    /// The items of a list with their places; none if there is no such field.
    pub(super) fn items(&mut self, name: &'static str) -> Read<Vec<(Place, &'a Node)>> {
        let Some(node) = self.find(name) else { return Ok(Vec::new()) };
        let place = self.place_of(name);
        let items = node.value.list().map_err(|detail| self.notes.error(&place, detail))?;
        Ok(items.iter().enumerate().map(|(n, item)| (place.item(n, item), item)).collect())
    }

    pub(super) fn list<T>(&mut self, name: &'static str, read: impl Fn(&Node) -> Result<T, String>) -> Read<Vec<T>> {
        let items = self.items(name)?;
        all(items.into_iter().map(|(place, node)| read(node).map_err(|detail| self.notes.error(&place, detail))))
    }

    /// A list of tables.
    pub(super) fn tables<T>(&mut self, name: &'static str, read: impl Fn(&mut Fields<'_>) -> Read<T>) -> Read<Vec<T>> {
        let items = self.items(name)?;
        all(items.into_iter().map(|(place, node)| self.inner(place, node, &read)))
    }

    /// A table whose keys are the author's own, in their order.
    pub(super) fn entries(&mut self, name: &'static str) -> Read<Vec<(&'a str, Place, &'a Node)>> {
        let Some(node) = self.find(name) else { return Ok(Vec::new()) };
        let place = self.place_of(name);
        let table = node.value.table().map_err(|detail| self.notes.error(&place, detail))?;
        Ok(table.0.iter().map(|(key, node)| (key.as_str(), place.field(key, node), node)).collect())
    }

    pub(super) fn map<T>(
        &mut self,
        name: &'static str,
        read: impl Fn(&Node) -> Result<T, String>,
    ) -> Read<Vec<(String, T)>> {
        let entries = self.entries(name)?;
        all(entries.into_iter().map(|(key, place, node)| match read(node) {
            Ok(value) => Ok((key.to_owned(), value)),
            Err(detail) => Err(self.notes.error(&place, detail)),
        }))
    }

    /// One table that stands at a place in this one.
    pub(super) fn inner<T>(
        &mut self,
        place: Place,
        node: &Node,
        read: impl FnOnce(&mut Fields<'_>) -> Read<T>,
    ) -> Read<T> {
        self.within(place, node, self.is_lenient, read)
    }

    /// A table in a form that is not ours: fields that nobody asks for are left out.
    pub(super) fn lenient<T>(
        &mut self,
        place: Place,
        node: &Node,
        read: impl FnOnce(&mut Fields<'_>) -> Read<T>,
    ) -> Read<T> {
        self.within(place, node, true, read)
    }

    fn within<T>(
        &mut self,
        place: Place,
        node: &Node,
        is_lenient: bool,
        read: impl FnOnce(&mut Fields<'_>) -> Read<T>,
    ) -> Read<T> {
        let table = node.value.table().map_err(|detail| self.notes.error(&place, detail))?;
        let mut fields = Fields { is_lenient, ..Fields::new(table, place, self.notes) };
        let value = read(&mut fields);
        fields.finish();
        value
    }

    /// Warns of what was left out since the last time: each name once, where it stands first.
    pub(super) fn tell_left_out(&mut self) {
        let mut by_name: BTreeMap<String, Vec<Place>> = BTreeMap::new();
        for (place, name) in std::mem::take(&mut self.notes.left_out) {
            by_name.entry(name).or_default().push(place);
        }
        for (name, places) in by_name {
            let more = match places.len() {
                1 => String::new(),
                count => format!(", here and at {} more places", count - 1),
            };
            if let Some(first) = places.first() {
                self.notes.warning(first, format!("`{name}` is not known and was left out{more}"));
            }
        }
    }

    /// A field that is a table.
    pub(super) fn table<T>(&mut self, name: &'static str, read: impl FnOnce(&mut Fields<'_>) -> Read<T>) -> Read<T> {
        let Some(node) = self.find(name) else { return Err(self.missing(name)) };
        self.inner(self.place_of(name), node, read)
    }

    /// A key that names a ticket type; `standard` always exists.
    pub(super) fn ticket_type(&mut self, place: &Place, key: &str, known: &Known) -> Read<CatalogueId> {
        let types = &known.catalogue.ticket_types;
        match CatalogueId::new(key) {
            Ok(id) if key == STANDARD || types.contains_key(&id) => Ok(id),
            Ok(id) if known.given.contains_key(&("ticket_types", id.clone())) => Err(Reported),
            Ok(_) | Err(_) => {
                let names = types.keys().map(CatalogueId::as_str).chain([STANDARD]);
                let hint = self.notes.did_you_mean(key, names);
                let detail = format!("`{key}` is not in `ticket_types`, neither in the files nor in the store{hint}");
                Err(self.notes.error(place, detail))
            }
        }
    }

    /// A field that names a thing of another table.
    pub(super) fn reference<'k, V>(
        &mut self,
        name: &'static str,
        table: &'static str,
        known: &Known,
        things: &'k BTreeMap<CatalogueId, V>,
    ) -> Read<(CatalogueId, &'k V)> {
        let Some(node) = self.find(name) else { return Err(self.missing(name)) };
        self.resolve(&self.place_of(name), node, table, known, things)
    }

    /// A list of names of things of another table.
    pub(super) fn references<V>(
        &mut self,
        name: &'static str,
        table: &'static str,
        known: &Known,
        things: &BTreeMap<CatalogueId, V>,
    ) -> Read<Vec<CatalogueId>> {
        let items = self.items(name)?;
        all(items.into_iter().map(|(place, node)| self.resolve(&place, node, table, known, things).map(|(id, _)| id)))
    }

    /// A thing that stands in the files but could not be read was reported there.
    fn resolve<'k, V>(
        &mut self,
        place: &Place,
        node: &Node,
        table: &'static str,
        known: &Known,
        things: &'k BTreeMap<CatalogueId, V>,
    ) -> Read<(CatalogueId, &'k V)> {
        let id = values::id(node).map_err(|detail| self.notes.error(place, detail))?;
        if let Some(thing) = things.get(&id) {
            return Ok((id, thing));
        }
        let key = (table, id);
        if known.given.contains_key(&key) {
            return Err(Reported);
        }
        let id = key.1;
        let hint = self.notes.did_you_mean(id.as_str(), things.keys().map(CatalogueId::as_str));
        Err(self.notes.error(place, format!("`{id}` is not in `{table}`, neither in the files nor in the store{hint}")))
    }
}

/// All values, or the first error after every one has been read.
fn all<T>(values: impl Iterator<Item = Read<T>>) -> Read<Vec<T>> {
    let read: Vec<Read<T>> = values.collect();
    read.into_iter().collect()
}
