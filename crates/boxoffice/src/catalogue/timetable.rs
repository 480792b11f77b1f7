//! What can be said about shows only beside each other and their hall: two at once on one screen,
//! too little time to clean between them, seats without a price.

use std::collections::{BTreeMap, BTreeSet};

use super::{Catalogue, Import};
use crate::id::{ScreenId, ShowId};
use crate::prices::{STANDARD, ShowFacts};
use crate::pricing::states;
use crate::show::{ShowSpec, Theatre, business_day};
use crate::time::{Span, Timestamp};

/// Two shows on one screen that stand too close, as indices of the list that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    pub earlier: usize,
    pub later: usize,
    pub kind: ClashKind,
    /// What is wrong with the later show.
    pub detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClashKind {
    /// The later one begins before the trailers and the film of the earlier one have ended.
    Overlap,
    /// Less time between them than the theatre cleans.
    ShortCleaning,
}

/// All clashes among shows, screen by screen in the order of their starts. Cancelled shows leave
/// their screen free; a show whose screen or movie is unknown is left out.
#[must_use]
pub fn clashes(catalogue: &Catalogue, shows: &[ShowSpec]) -> Vec<Clash> {
    let mut by_screen: BTreeMap<&ScreenId, Vec<Slot<'_>>> = BTreeMap::new();
    for (index, show) in shows.iter().enumerate().filter(|(_, show)| !show.cancelled) {
        if let Some(slot) = Slot::of(catalogue, index, show) {
            by_screen.entry(&show.screen).or_default().push(slot);
        }
    }
    let mut clashes = Vec::new();
    for slots in by_screen.values_mut() {
        slots.sort_by_key(|slot| (slot.show.starts_at, slot.index));
        let mut last: Option<&Slot<'_>> = None;
        for slot in slots.iter() {
            clashes.extend(last.and_then(|last| slot.clash_after(last)));
            last = last.filter(|last| last.ends_at > slot.ends_at).or(Some(slot));
        }
    }
    clashes
}

/// What stands against an import among the shows that it does not name: one line each. `others`
/// are the store's shows that are yet to come; `catalogue` has the import written over it.
#[must_use]
pub fn conflicts(catalogue: &Catalogue, import: &Import, others: &[ShowSpec]) -> Vec<String> {
    let named: BTreeSet<&ShowId> = import.shows.iter().map(|show| &show.id).collect();
    let others = others.iter().filter(|show| !named.contains(&show.id) && !show.cancelled);
    let mut shows = import.shows.clone();
    shows.extend(others.cloned());
    let is_imported = |index: usize| index < import.shows.len();
    let mut conflicts: Vec<String> = clashes(catalogue, &shows)
        .into_iter()
        .filter(|clash| clash.kind == ClashKind::Overlap && is_imported(clash.earlier) != is_imported(clash.later))
        .filter_map(|clash| shows.get(clash.later).map(|show| format!("show {}: {}", show.id, clash.detail)))
        .collect();
    for show in shows.iter().skip(import.shows.len()) {
        conflicts.extend(can_be_priced(catalogue, show).err().map(|why| format!("show {}: {why}", show.id)));
    }
    conflicts
}

/// Whether a show's price list is in the theatre's currency, has a price for every seat, and all
/// that a ticket can come to has a tax rate on the day of the show.
///
/// # Errors
/// What is wrong with the list.
pub fn can_be_priced(catalogue: &Catalogue, show: &ShowSpec) -> Result<(), String> {
    let screen = catalogue.screens.get(&show.screen);
    let theatre = screen.and_then(|screen| catalogue.theatres.get(&screen.theatre));
    let layout = screen.and_then(|screen| catalogue.layout(&screen.layout));
    let list = catalogue.price_lists.get(&show.price_list);
    let (Some(theatre), Some(layout), Some(list)) = (theatre, layout, list) else {
        return Err("its screen, layout or price list is not in the catalogue".into());
    };
    if list.currency != theatre.currency {
        return Err(format!(
            "the price list `{}` is in {}, but the theatre `{}` sells in {}",
            list.id, list.currency, theatre.id, theatre.currency
        ));
    }
    let used = layout.categories().iter().zip(0_u16..);
    let used = used.filter(|(_, index)| layout.seats().iter().any(|seat| seat.category == *index));
    let used: Vec<&str> = used.map(|(category, _)| category.name.as_str()).collect();
    if let Some(name) = used.iter().find(|name| list.prices.get(name, STANDARD).is_none()) {
        let hall = layout.id();
        return Err(format!("the price list `{}` has no price for `{name}`, which the layout `{hall}` has", list.id));
    }
    has_tax_rates(catalogue, show, theatre, &used)
}

/// A list that cannot be resolved was refused for its amounts.
fn has_tax_rates(catalogue: &Catalogue, show: &ShowSpec, theatre: &Theatre, used: &[&str]) -> Result<(), String> {
    let (Some(prices), Some(movie)) = (catalogue.prices(&show.price_list), catalogue.movies.get(&show.movie)) else {
        return Ok(());
    };
    let business_day = business_day(theatre, show.starts_at);
    for tax in prices.fees.iter().map(|fee| &fee.tax).chain([&prices.tax]) {
        if tax.slabs(business_day).is_empty() {
            return Err(format!("the tax `{}` has no rate on {business_day}", tax.id()));
        }
    }
    if prices.tax.is_flat() {
        return Ok(());
    }
    let facts = ShowFacts {
        business_day,
        starts_at: show.starts_at,
        zone: &theatre.timezone,
        day_starts: theatre.business_day_starts,
        format: show.format.as_deref(),
        runtime_min: movie.runtime_min,
    };
    states::check(&prices, &facts, used.iter().copied())
        .map_err(|why| format!("the price list `{}` cannot be used: {why}", show.price_list))
}

/// A show's time on its screen.
struct Slot<'a> {
    index: usize,
    show: &'a ShowSpec,
    theatre: &'a Theatre,
    ends_at: Timestamp,
}

impl<'a> Slot<'a> {
    fn of(catalogue: &'a Catalogue, index: usize, show: &'a ShowSpec) -> Option<Self> {
        let theatre = catalogue.theatres.get(&catalogue.screens.get(&show.screen)?.theatre)?;
        let runtime = Span::from_mins(i64::from(catalogue.movies.get(&show.movie)?.runtime_min));
        Some(Self { index, show, theatre, ends_at: show.starts_at + theatre.trailers + runtime })
    }

    fn clash_after(&self, last: &Slot<'_>) -> Option<Clash> {
        let id = &last.show.id;
        let ends = last.ends_at.with_offset(self.theatre.timezone.tz());
        let (kind, detail) = if self.show.starts_at < last.ends_at {
            (ClashKind::Overlap, format!("overlaps show `{id}` on this screen, which ends at {ends} with its trailers"))
        } else if self.show.starts_at < last.ends_at + self.theatre.cleaning {
            let minutes = (self.show.starts_at - last.ends_at).as_ms() / 60_000;
            let wanted = self.theatre.cleaning.as_ms() / 60_000;
            (
                ClashKind::ShortCleaning,
                format!("leaves {minutes} min to clean after show `{id}`; the theatre takes {wanted}"),
            )
        } else {
            return None;
        };
        Some(Clash { earlier: last.index, later: self.index, kind, detail })
    }
}
