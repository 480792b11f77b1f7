//! Reads catalogue files (TOML, or JSON of the same shape) into an [`Import`]. References resolve
//! over all files given, then over the catalogue that is there. Every mistake is reported with its
//! place, not only the first. One submodule per group of tables says which fields there are.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use super::{Catalogue, Import};
use crate::id::CatalogueId;

mod checks;
mod fields;
mod halls;
mod movies;
mod places;
mod pretix;
mod prices;
mod programmes;
mod promo;
mod seat_list;
mod shows;
mod taxes;
#[cfg(test)]
mod tests;
mod tree;
mod values;
mod when;

use fields::{Fields, Notes, Place, Read};
pub use halls::plan_files;
use tree::{Node, Table, Value};

/// A catalogue file's name and text. It is JSON if the name ends in `.json` or the text begins
/// with `{`, else TOML. A file that a layout names is a seat plan: see [`plan_files`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    pub name: String,
    pub text: String,
}

/// What is wrong in a file and what to do: `chain.toml:12: shows[3].starts_at: …`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct FileError {
    pub file: String,
    /// From 1; JSON has lines for its syntax only.
    pub line: Option<usize>,
    /// The path of the field, counted from 0; empty for the file as a whole.
    pub field: String,
    pub detail: String,
}

/// What is allowed but probably not meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    pub file: String,
    pub line: Option<usize>,
    pub field: String,
    pub detail: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_at(f, &self.file, self.line, &self.field, &self.detail)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_at(f, &self.file, self.line, &self.field, &self.detail)
    }
}

fn write_at(f: &mut fmt::Formatter<'_>, file: &str, line: Option<usize>, field: &str, detail: &str) -> fmt::Result {
    f.write_str(file)?;
    if let Some(line) = line {
        write!(f, ":{line}")?;
    }
    if !field.is_empty() {
        write!(f, ": {field}")?;
    }
    write!(f, ": {detail}")
}

/// Reads files over a catalogue, seat plans that they name among them. What the store alone knows is checked when it imports: the seats
/// that are taken, and with [`conflicts`](super::timetable::conflicts) the shows that are not in the files.
///
/// # Errors
/// Everything that is wrong with the files, file by file and table by table.
pub fn read(files: &[SourceFile], over: &Catalogue) -> Result<(Import, Vec<Warning>), Vec<FileError>> {
    let named: HashSet<String> = files.iter().flat_map(plan_files).collect();
    let (plans, catalogues): (Vec<_>, Vec<_>) = files.iter().partition(|file| named.contains(&file.name));
    let plans = plans.into_iter().cloned().collect();
    let mut reader = Reader {
        known: Known { catalogue: over.clone(), stored: over.clone(), given: HashMap::new(), plans },
        import: Import { over: Some(over.version), ..Import::default() },
        starts: Vec::new(),
        notes: Notes::default(),
    };
    let parsed: Vec<Parsed> = catalogues.into_iter().filter_map(|file| Parsed::read(file, &mut reader.notes)).collect();
    reader.tables(&parsed);
    checks::prices(&reader.known, &mut reader.notes);
    checks::timetable(&reader.known.catalogue, &reader.import.shows, &reader.starts, &mut reader.notes);
    let Notes { mut errors, warnings, .. } = reader.notes;
    if errors.is_empty() {
        return Ok((reader.import, warnings));
    }
    // In the order of the text; a mistake in the defaults is found again with each show.
    let file_no = |error: &FileError| files.iter().position(|file| file.name == error.file);
    errors.sort_by_key(|error| (file_no(error), error.line));
    let mut told = HashSet::new();
    errors.retain(|error| told.insert(error.to_string()));
    Err(errors)
}

/// The tables of a file, in the order in which they are read: what is referred to comes first.
const TABLES: [&str; 13] = [
    "defaults",
    "theatres",
    "layouts",
    "screens",
    "movies",
    "ticket_types",
    "taxes",
    "fees",
    "price_lists",
    "promo_codes",
    "refund_policies",
    "shows",
    "programmes",
];

/// A file that could be parsed.
struct Parsed {
    name: Arc<str>,
    root: Table,
}

impl Parsed {
    fn read(file: &SourceFile, notes: &mut Notes) -> Option<Self> {
        let name: Arc<str> = Arc::from(file.name.as_str());
        if file.name.to_ascii_lowercase().ends_with(".csv") {
            let detail = "is a grid that no layout names; give one `file = \"…\"` in a catalogue file";
            notes.error(&Place { file: name, line: None, field: String::new() }, detail);
            return None;
        }
        let root = tree::parse(file).map_err(|errors| notes.errors.extend(errors)).ok()?;
        let place = Place { file: name.clone(), line: None, field: String::new() };
        let mut fields = Fields::new(&root, place, notes);
        for table in TABLES {
            fields.knows(table);
        }
        fields.finish();
        if let Some(defaults) = root.get("defaults") {
            let place = Place { file: name.clone(), line: defaults.line, field: "defaults".into() };
            shows::check_defaults(defaults, place, notes);
        }
        Some(Self { name, root })
    }

    /// A list of tables such as `[[shows]]`, each with its place.
    fn list(&self, table: &str, notes: &mut Notes) -> Vec<(Place, &Node)> {
        let Some(node) = self.root.get(table) else { return Vec::new() };
        let place = |line, field| Place { file: self.name.clone(), line, field };
        let Value::List(items) = &node.value else {
            notes.error(&place(node.line, table.into()), format!("is no list; begin each item with [[{table}]]"));
            return Vec::new();
        };
        items.iter().enumerate().map(|(n, item)| (place(item.line, format!("{table}[{n}]")), item)).collect()
    }

    fn defaults(&self) -> Option<&Table> {
        match self.root.get("defaults").map(|node| &node.value) {
            Some(Value::Table(table)) => Some(table),
            _ => None,
        }
    }
}

/// What a reference can lead to: the catalogue with all that has been read so far.
struct Known {
    catalogue: Catalogue,
    /// The catalogue alone.
    stored: Catalogue,
    /// Where each thing of the files stands, by table and id, whether or not it could be read.
    given: HashMap<(&'static str, CatalogueId), Place>,
    /// The seat plans that layouts name, by their names.
    plans: Vec<SourceFile>,
}

struct Reader {
    known: Known,
    import: Import,
    /// Where the start of each show of the import stands.
    starts: Vec<Place>,
    notes: Notes,
}

impl Reader {
    fn tables(&mut self, files: &[Parsed]) {
        self.table(files, "theatres", places::theatre, |reader, theatre| {
            reader.known.catalogue.theatres.insert(theatre.id.clone(), Arc::new(theatre.clone()));
            reader.import.theatres.push(theatre);
        });
        self.table(files, "layouts", places::layout, |reader, layout| {
            reader.known.catalogue.add_layout(&layout);
            reader.import.layouts.push(layout);
        });
        self.table(files, "screens", places::screen, |reader, screen| {
            reader.known.catalogue.screens.insert(screen.id.clone(), Arc::new(screen.clone()));
            reader.import.screens.push(screen);
        });
        self.table(files, "movies", movies::movie, |reader, movie| {
            reader.known.catalogue.movies.insert(movie.id.clone(), Arc::new(movie.clone()));
            reader.import.movies.push(movie);
        });
        self.table(files, "ticket_types", prices::ticket_type, |reader, ticket_type| {
            reader.known.catalogue.ticket_types.insert(ticket_type.id.clone(), Arc::new(ticket_type.clone()));
            reader.import.ticket_types.push(ticket_type);
        });
        self.table(files, "taxes", taxes::tax, |reader, tax| {
            reader.known.catalogue.taxes.insert(tax.id.clone(), Arc::new(tax.clone()));
            reader.import.taxes.push(tax);
        });
        self.table(files, "fees", taxes::fee, |reader, fee| {
            reader.known.catalogue.fees.insert(fee.id.clone(), Arc::new(fee.clone()));
            reader.import.fees.push(fee);
        });
        self.table(files, "price_lists", prices::price_list, |reader, list| {
            reader.known.catalogue.price_lists.insert(list.id.clone(), Arc::new(list.clone()));
            reader.import.price_lists.push(list);
        });
        self.table(files, "promo_codes", promo::promo_code, |reader, code| {
            reader.known.catalogue.promo_codes.insert(code.key.clone(), Arc::new(code.clone()));
            reader.import.promo_codes.push(code);
        });
        self.table(files, "refund_policies", taxes::refund_policy, |reader, policy| {
            reader.known.catalogue.refund_policies.insert(policy.id.clone(), Arc::new(policy.clone()));
            reader.import.refund_policies.push(policy);
        });
        self.table(files, "shows", shows::show, |reader, (show, start)| {
            reader.starts.push(start);
            reader.import.shows.push(show);
        });
        self.table(files, "programmes", programmes::programme, |reader, shows| {
            for (show, start) in shows {
                if reader.known.given.contains_key(&("shows", show.id.clone())) {
                    let detail = format!("makes the show `{}`, which stands in `shows`, too", show.id);
                    reader.notes.error(&start, detail);
                }
                reader.starts.push(start);
                reader.import.shows.push(show);
            }
        });
    }

    /// Reads one table of all files, item by item.
    fn table<T>(
        &mut self,
        files: &[Parsed],
        table: &'static str,
        read: fn(&mut Fields<'_>, &Known) -> Read<T>,
        keep: fn(&mut Self, T),
    ) {
        for file in files {
            for (place, node) in file.list(table, &mut self.notes) {
                let Value::Table(item) = &node.value else {
                    self.notes.error(&place, format!("is no table; begin each item with [[{table}]]"));
                    continue;
                };
                let mut fields = Fields::new(item, place, &mut self.notes);
                if matches!(table, "shows" | "programmes") {
                    fields.fall_back_on(file.defaults());
                }
                fields.given_once(table, &mut self.known.given);
                let item = read(&mut fields, &self.known);
                fields.finish();
                if let Ok(item) = item {
                    keep(self, item);
                }
            }
        }
    }
}
