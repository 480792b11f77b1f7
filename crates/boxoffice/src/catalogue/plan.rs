//! What an import would do to a store: which things it adds or changes, which shows move to another
//! version of their layout, and what stands against it. Pure, so that every store does the same.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Catalogue, Import, ImportReport};
use crate::id::{CatalogueId, LayoutId, ScreenId, SeatNo, ShowId, ShowNo};
use crate::layout::Layout;
use crate::show::ShowSpec;
use crate::time::Timestamp;

/// A show as the store has it now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptShow {
    pub no: ShowNo,
    pub spec: ShowSpec,
    pub layout: LayoutId,
    pub layout_version: u32,
    /// Seats whose claim is alive: held, sold or blocked. A live booking always has some.
    pub claimed: Vec<SeatNo>,
}

/// The shows that an import can touch. A store loads them, under their locks, before it plans.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Touched {
    pub shows: BTreeSet<ShowId>,
    /// Screens whose layout changes: all their shows.
    pub screens: BTreeSet<ScreenId>,
}

impl Touched {
    #[must_use]
    pub fn includes(&self, spec: &ShowSpec) -> bool {
        self.shows.contains(&spec.id) || self.screens.contains(&spec.screen)
    }
}

/// What a store writes if the report names no conflicts.
#[derive(Debug, Clone)]
pub struct Plan {
    pub report: ImportReport,
    /// The catalogue after the import, layouts numbered.
    pub catalogue: Catalogue,
    /// New shows in the order of the import, and the existing ones that change.
    pub shows: Vec<PlannedShow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedShow {
    /// `None`: a new show, which the store numbers.
    pub no: Option<ShowNo>,
    pub spec: ShowSpec,
    pub layout: LayoutId,
    pub layout_version: u32,
    /// The show exists and gets other seats. Nothing there is claimed; rows of lapsed holds go,
    /// and the show's version rises by one.
    pub moves: bool,
    /// The show exists and plays at another time or in another hall: its bookings are to follow.
    pub changes: bool,
}

/// Which shows an import can touch.
#[must_use]
pub fn touched(current: &Catalogue, import: &Import) -> Touched {
    let next = current.with(import);
    let seats =
        |catalogue: &Catalogue, screen: &ScreenId| pin(catalogue, screen).map(|l| (l.id().clone(), l.version()));
    let screens = current.screens.keys().filter(|id| seats(current, id) != seats(&next, id)).cloned().collect();
    Touched { shows: import.shows.iter().map(|s| s.id.clone()).collect(), screens }
}

/// Plans an import. `kept` holds every existing show that it touches.
///
/// A show without claims takes the current version of its screen's layout. One with claims keeps
/// the version it has; it is a conflict if it would change its screen, or if it has yet to start
/// and a claimed seat is gone from the changed hall.
#[must_use]
pub fn plan(current: &Catalogue, import: &Import, kept: &[KeptShow], now: Timestamp) -> Plan {
    let catalogue = current.with(import);
    let mut report = count(current, &catalogue, import);
    if import.over.is_some_and(|over| over != current.version) {
        report.conflicts.push("another import changed the catalogue meanwhile; import again".into());
    }
    let existing: BTreeMap<&ShowId, &KeptShow> = kept.iter().map(|k| (&k.spec.id, k)).collect();
    let named: BTreeSet<&ShowId> = import.shows.iter().map(|s| &s.id).collect();
    let bystanders = kept.iter().filter(|k| !named.contains(&k.spec.id)).map(|k| &k.spec);
    let mut shows = Vec::new();
    for spec in import.shows.iter().chain(bystanders) {
        let old = existing.get(&spec.id).copied();
        let spec = &still_cancelled(spec, old);
        let planned = match place(&catalogue, spec, old, now) {
            Ok(planned) => planned,
            Err(conflict) => {
                report.conflicts.push(conflict);
                continue;
            }
        };
        let changes = planned.moves || old.is_none_or(|k| k.spec != *spec);
        if named.contains(&spec.id) {
            match old {
                None => report.added += 1,
                Some(_) if changes => report.changed += 1,
                Some(_) => report.unchanged += 1,
            }
        }
        if changes {
            shows.push(planned);
        }
    }
    Plan { report, catalogue, shows }
}

/// No import takes a cancellation back: files do not speak of it.
fn still_cancelled(spec: &ShowSpec, old: Option<&KeptShow>) -> ShowSpec {
    let was = old.is_some_and(|k| k.spec.cancelled);
    let refunds = old.and_then(|k| k.spec.refunds).or(spec.refunds);
    ShowSpec { cancelled: was || spec.cancelled, refunds, ..spec.clone() }
}

/// The current layout of a screen.
fn pin<'a>(catalogue: &'a Catalogue, screen: &ScreenId) -> Option<&'a Arc<Layout>> {
    catalogue.screens.get(screen).and_then(|s| catalogue.layout(&s.layout))
}

/// Where a show will stand, or the line that says why it cannot.
fn place(
    catalogue: &Catalogue,
    spec: &ShowSpec,
    old: Option<&KeptShow>,
    now: Timestamp,
) -> Result<PlannedShow, String> {
    let Some(layout) = pin(catalogue, &spec.screen) else {
        return Err(format!("show {}: its screen {} or the screen's layout does not exist", spec.id, spec.screen));
    };
    let planned = |layout: &LayoutId, layout_version, moves| PlannedShow {
        no: old.map(|k| k.no),
        spec: spec.clone(),
        layout: layout.clone(),
        layout_version,
        moves,
        changes: old.is_some_and(|k| (k.spec.starts_at, &k.spec.screen) != (spec.starts_at, &spec.screen)),
    };
    let Some(old) = old else {
        return Ok(planned(layout.id(), layout.version(), false));
    };
    let stays = old.layout == *layout.id() && old.layout_version == layout.version();
    if old.claimed.is_empty() {
        return Ok(planned(layout.id(), layout.version(), !stays));
    }
    let had = catalogue.layout_version(&old.layout, old.layout_version);
    if old.spec.screen != spec.screen {
        let seats = old.claimed.iter().map(|no| label(had, *no)).collect::<Vec<_>>().join(", ");
        return Err(format!(
            "show {}: it cannot move from screen {} to {} while seats are taken: {seats}; cancel them or keep the screen",
            spec.id, old.spec.screen, spec.screen
        ));
    }
    let lost = if stays || !now.is_before(old.spec.starts_at) { Vec::new() } else { lost(old, had, layout) };
    if !lost.is_empty() {
        return Err(format!(
            "show {}: the changed layout {} has no longer these taken seats: {}; keep them in the hall or cancel them",
            spec.id,
            layout.id(),
            lost.join(", ")
        ));
    }
    Ok(planned(&old.layout, old.layout_version, false))
}

fn label(layout: Option<&Arc<Layout>>, no: SeatNo) -> String {
    layout.and_then(|l| l.seat(no)).map_or_else(|| format!("number {}", no.0), |s| s.label.clone())
}

/// Claimed seats that the hall has no longer under their id.
fn lost(old: &KeptShow, had: Option<&Arc<Layout>>, new: &Layout) -> Vec<String> {
    let gone = |no: &&SeatNo| had.and_then(|l| l.seat(**no)).is_none_or(|seat| new.by_id(&seat.id).is_none());
    old.claimed.iter().filter(gone).map(|no| label(had, *no)).collect()
}

/// Counts everything but the shows.
fn count(current: &Catalogue, next: &Catalogue, import: &Import) -> ImportReport {
    let mut report = ImportReport::default();
    tally(&mut report, import.theatres.iter().map(|x| (&x.id, x)), &current.theatres);
    tally(&mut report, import.screens.iter().map(|x| (&x.id, x)), &current.screens);
    tally(&mut report, import.movies.iter().map(|x| (&x.id, x)), &current.movies);
    tally(&mut report, import.ticket_types.iter().map(|x| (&x.id, x)), &current.ticket_types);
    tally(&mut report, import.promo_codes.iter().map(|x| (&x.key, x)), &current.promo_codes);
    tally(&mut report, import.taxes.iter().map(|x| (&x.id, x)), &current.taxes);
    tally(&mut report, import.fees.iter().map(|x| (&x.id, x)), &current.fees);
    tally(&mut report, import.price_lists.iter().map(|x| (&x.id, x)), &current.price_lists);
    tally(&mut report, import.refund_policies.iter().map(|x| (&x.id, x)), &current.refund_policies);
    for layout in &import.layouts {
        let version = |catalogue: &Catalogue| catalogue.layout(layout.id()).map(|l| l.version());
        match version(current) {
            None => report.added += 1,
            had if had == version(next) => report.unchanged += 1,
            Some(_) => report.changed += 1,
        }
    }
    report
}

fn tally<'a, T: PartialEq + 'a>(
    report: &mut ImportReport,
    imported: impl Iterator<Item = (&'a CatalogueId, &'a T)>,
    current: &BTreeMap<CatalogueId, Arc<T>>,
) {
    for (id, new) in imported {
        match current.get(id) {
            None => report.added += 1,
            Some(old) if **old == *new => report.unchanged += 1,
            Some(_) => report.changed += 1,
        }
    }
}
