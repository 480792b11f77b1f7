//! Movies.

use super::fields::{Fields, Read};
use super::{Known, values};
use crate::show::{Certificate, Movie};

pub(super) fn movie(fields: &mut Fields<'_>, _known: &Known) -> Read<Movie> {
    let id = fields.required("id", values::id);
    let title = fields.required("title", values::public_text);
    let language = fields.required("language", values::language);
    let runtime_min = fields.required("runtime_min", |node| values::integer(node, 1..=1_440));
    let certificates = certificates(fields);
    let ids = fields.map("ids", values::text);
    Ok(Movie {
        id: id?,
        title: title?,
        language: language?,
        runtime_min: runtime_min?,
        certificates: certificates?.into_iter().collect(),
        ids: ids?.into_iter().collect(),
    })
}

/// By country.
fn certificates(fields: &mut Fields<'_>) -> Read<Vec<(String, Certificate)>> {
    let read: Vec<Read<_>> = fields
        .entries("certificates")?
        .into_iter()
        .map(|(country, place, node)| {
            if !values::is_country(country) {
                return Err(fields.error_at(&place, "is no country code; write two capitals such as `DE`"));
            }
            fields.inner(place, node, |fields| certificate(fields).map(|certificate| (country.to_owned(), certificate)))
        })
        .collect();
    read.into_iter().collect()
}

fn certificate(fields: &mut Fields<'_>) -> Read<Certificate> {
    let label = fields.required("label", values::text);
    let min_age = fields.optional("min_age", |node| values::integer(node, 0..=99));
    Ok(Certificate { label: label?, min_age: min_age?.and_then(|age| u8::try_from(age).ok()) })
}
