//! The catalogue as files that an import reads back to the very same: what `boxoffice export` writes.
//! Imported over the store that it came from it changes nothing; imported into an empty one it makes the same cinema.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Catalogue;
use super::file::SourceFile;
use crate::show::{Movie, Screen, Show, Theatre};
use table::{clock, duration, local, public, signed, table, word};

mod halls;
mod prices;
mod table;
#[cfg(test)]
mod tests;

/// The tables of a file, each with its things.
type Tables = Vec<(&'static str, Vec<Value>)>;

/// What was written, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// In the order in which they are read best; none without a thing in it.
    pub files: Vec<SourceFile>,
    /// Things by the names of their tables, in the order of the files.
    pub counts: Vec<(&'static str, usize)>,
    /// Shows that do not take place, and that no file can say so of: they are left out.
    pub cancelled: usize,
}

/// Writes every thing of a catalogue, of layouts the current version, and these shows.
///
/// # Errors
/// Why a file cannot be written as TOML, which a catalogue that was imported never brings about.
pub fn export(catalogue: &Catalogue, shows: &[Arc<Show>]) -> Result<Export, String> {
    let (cancelled, on_sale): (Vec<_>, Vec<_>) = shows.iter().partition(|show| show.spec.cancelled);
    let places = [
        ("theatres", catalogue.theatres.values().map(|it| theatre(it)).collect()),
        ("layouts", catalogue.layouts.values().filter_map(|all| all.last()).map(|it| halls::layout(it)).collect()),
        ("screens", catalogue.screens.values().map(|it| screen(it)).collect()),
    ];
    let movies = [("movies", catalogue.movies.values().map(|it| movie(it)).collect())];
    let programme = [("shows", on_sale.into_iter().map(|it| show(it)).collect())];
    let all: [(&str, Tables); 4] = [
        ("theatres.toml", places.into()),
        ("movies.toml", movies.into()),
        ("prices.toml", prices::tables(catalogue).into()),
        ("shows.toml", programme.into()),
    ];
    let mut export = Export { files: Vec::new(), counts: Vec::new(), cancelled: cancelled.len() };
    for (name, tables) in all {
        let tables: Tables = tables.into_iter().filter(|(_, things)| !things.is_empty()).collect();
        export.counts.extend(tables.iter().map(|(table, things)| (*table, things.len())));
        if !tables.is_empty() {
            export.files.push(SourceFile { name: name.to_owned(), text: file(tables)? });
        }
    }
    Ok(export)
}

fn file(tables: Tables) -> Result<String, String> {
    let root: serde_json::Map<String, Value> =
        tables.into_iter().map(|(name, things)| (name.to_owned(), Value::Array(things))).collect();
    toml::to_string_pretty(&root).map_err(|error| error.to_string())
}

fn theatre(it: &Theatre) -> Value {
    table([
        ("id", json!(it.id)),
        ("name", public(&it.name)),
        ("city", json!(it.city)),
        ("country", json!(it.country)),
        ("timezone", json!(it.timezone.name())),
        ("currency", json!(it.currency.code())),
        ("address", it.address.as_ref().map_or(Value::Null, public)),
        ("business_day_starts", json!(clock(it.business_day_starts))),
        ("cleaning", json!(duration(it.cleaning))),
        ("trailers", json!(duration(it.trailers))),
    ])
}

fn screen(it: &Screen) -> Value {
    table([
        ("id", json!(it.id)),
        ("theatre", json!(it.theatre)),
        ("name", public(&it.name)),
        ("layout", json!(it.layout)),
    ])
}

fn movie(it: &Movie) -> Value {
    let certificate = |(country, it): (&String, &crate::show::Certificate)| {
        (country.clone(), table([("label", json!(it.label)), ("min_age", json!(it.min_age))]))
    };
    let certificates: serde_json::Map<_, _> = it.certificates.iter().map(certificate).collect();
    table([
        ("id", json!(it.id)),
        ("title", public(&it.title)),
        ("language", json!(it.language)),
        ("runtime_min", json!(it.runtime_min)),
        ("certificates", if certificates.is_empty() { Value::Null } else { Value::Object(certificates) }),
        ("ids", if it.ids.is_empty() { Value::Null } else { json!(it.ids) }),
    ])
}

fn show(it: &Show) -> Value {
    let spec = &it.spec;
    let zone = &it.theatre.timezone;
    table([
        ("id", json!(spec.id)),
        ("movie", json!(spec.movie)),
        ("screen", json!(spec.screen)),
        ("starts_at", json!(local(spec.starts_at, zone))),
        ("price_list", json!(spec.price_list)),
        ("refund_policy", json!(spec.refund_policy)),
        ("format", json!(spec.format)),
        ("audio", json!(spec.audio)),
        ("subtitles", json!(spec.subtitles)),
        ("hold", json!(duration(spec.hold))),
        ("max_seats", json!(spec.max_seats)),
        ("sales_open", json!(spec.sales_open.map(|at| local(at, zone)))),
        ("web_closes", json!(signed(spec.web_closes))),
        ("late_payment", word(&spec.late_payment)),
        ("entry_opens", json!(signed(spec.entry_opens))),
        ("entry_closes", json!(spec.entry_closes.map(signed))),
    ])
}
