//! Halls that are given seat by seat, as `boxoffice export` writes those that no drawing can say.

use std::collections::{HashMap, HashSet};

use super::fields::{Fields, Read};
use super::values;
use crate::id::SeatNo;
use crate::layout::sketch::MAX_SEATS;
use crate::layout::{Category, Layout, LayoutParts, Seat, canonical};

/// A seat, and the id of the wheelchair space that it belongs to.
type Listed = (Seat, Option<String>);

pub(super) fn layout(fields: &mut Fields<'_>) -> Read<Layout> {
    let id = fields.required("id", values::id);
    let categories = fields.map("categories", values::text)?;
    let categories: Vec<Category> = categories.into_iter().map(|(key, name)| Category { key, name }).collect();
    let seats = fields.tables("seats", |fields| seat(fields, &categories));
    let (id, mut listed) = (id?, seats?);
    if listed.is_empty() || listed.len() > MAX_SEATS {
        return Err(fields.error("seats", format!("must be from 1 to {MAX_SEATS} seats")));
    }
    let wrong = join(&mut listed).and_then(|()| accompany(&mut listed));
    wrong.map_err(|detail| fields.error("seats", detail))?;
    let seats = listed.into_iter().map(|(seat, _)| seat).collect();
    Ok(Layout::from(LayoutParts { id, version: 0, categories, seats }))
}

fn seat(fields: &mut Fields<'_>, categories: &[Category]) -> Read<Listed> {
    let id = fields.required("id", values::text);
    let label = fields.optional("label", values::text);
    let row = fields.optional("row", |node| node.value.text().map(canonical));
    let number = fields.required("number", values::text);
    let zone = fields.optional("zone", values::text);
    let x = fields.required("x", |node| values::integer(node, 0..=u16::MAX - 1));
    let y = fields.required("y", |node| values::integer(node, 0..=u16::MAX - 1));
    let key = fields.required("category", values::text);
    let wheelchair = fields.optional("wheelchair", |node| node.value.flag());
    let group = fields.optional("love_seat", |node| values::integer(node, 0..=u16::MAX));
    let companion_of = fields.optional("companion_of", values::text);
    let joins = fields.optional("joins_right", |node| node.value.flag());
    let key = key?;
    let category = categories.iter().zip(0..=u16::MAX).find(|(category, _)| category.key == key);
    let category = category.map(|(_, index)| index).ok_or_else(|| {
        fields.error("category", format!("`{key}` is not a key in the layout's `categories`; add it there"))
    });
    let id = canonical(&id?);
    let seat = Seat {
        label: label?.map_or_else(|| id.clone(), |label| canonical(&label)),
        id,
        row: row?.unwrap_or_default(),
        number: number?,
        zone: zone?,
        x: x?,
        y: y?,
        category: category?,
        wheelchair: wheelchair?.unwrap_or(false),
        group: group?,
        companion_of: None,
        // Who it is is known when all are read.
        right: joins?.unwrap_or(false).then_some(SeatNo(0)),
    };
    Ok((seat, companion_of?))
}

/// Names neighbours. What is wrong with a place, an id or a love seat is told in words.
fn join(listed: &mut [Listed]) -> Result<(), String> {
    let mut ids = HashSet::new();
    if let Some((twice, _)) = listed.iter().find(|(seat, _)| !ids.insert(seat.id.clone())) {
        return Err(format!("have the id `{}` twice; give each seat its own", twice.id));
    }
    if let Some(pair) = listed.windows(2).find(|pair| (pair[0].0.y, pair[0].0.x) >= (pair[1].0.y, pair[1].0.x)) {
        return Err(format!(
            "are not in order at `{}`: line by line (`y`), in a line from the left (`x`)",
            pair[1].0.id
        ));
    }
    let mut ended = HashSet::new();
    for at in 0..listed.len() {
        let next = listed.get(at + 1).map(|(seat, _)| seat.clone());
        let Some((seat, _)) = listed.get_mut(at) else { continue };
        if seat.right.is_some() {
            let joined = next.as_ref().is_some_and(|next| (next.y, next.x) == (seat.y, seat.x + 1));
            if !joined {
                return Err(format!("say that `{}` joins the seat on its right, and there is none", seat.id));
            }
            seat.right = u16::try_from(at + 1).ok().map(SeatNo);
        }
        let Some(group) = seat.group else { continue };
        let goes_on = next.is_some_and(|next| next.group == Some(group) && next.category == seat.category);
        if ended.contains(&group) || seat.wheelchair || (goes_on && seat.right.is_none()) {
            return Err(format!(
                "cannot join `{}` to a love seat: it is of neighbours of one category, none a wheelchair space",
                seat.id
            ));
        }
        if !goes_on {
            ended.insert(group);
        }
    }
    Ok(())
}

fn accompany(listed: &mut [Listed]) -> Result<(), String> {
    let spaces: HashMap<String, SeatNo> = listed
        .iter()
        .zip((0..).map(SeatNo))
        .filter(|((seat, _), _)| seat.wheelchair)
        .map(|((seat, _), no)| (seat.id.clone(), no))
        .collect();
    for (seat, space) in listed {
        let Some(space) = space else { continue };
        let no = spaces.get(&canonical(space)).filter(|_| !seat.wheelchair);
        seat.companion_of =
            Some(*no.ok_or_else(|| format!("name no wheelchair space for the companion `{}`", seat.id))?);
    }
    Ok(())
}
