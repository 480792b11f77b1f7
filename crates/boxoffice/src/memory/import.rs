//! Writing a catalogue import, or deleting a thing of it, while every show is locked, so that nobody sees half of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::MemoryStore;
use super::books::Books;
use crate::catalogue::delete::{Kind, Thing, Uses, delete};
use crate::catalogue::plan::{PlannedShow, plan, touched};
use crate::catalogue::{Catalogue, Import, ImportReport};
use crate::id::{LayoutId, ShowNo};
use crate::show::{Show, ShowSpec};
use crate::store::StoreError;

impl MemoryStore {
    pub(super) fn run_import(&self, import: &Import, dry_run: bool) -> Result<ImportReport, StoreError> {
        let _one_at_a_time = self.importing.lock();
        let current = self.catalogue.read().clone();
        let books = self.all_books();
        let mut locked: Vec<_> = books.iter().map(|books| books.lock()).collect();
        let now = self.time.now();
        let touched = touched(&current, import);
        let kept: Vec<_> = locked.iter().filter(|b| touched.includes(&b.show().spec)).map(|b| b.kept(now)).collect();
        let plan = plan(&current, import, &kept, now);
        if dry_run || !plan.report.conflicts.is_empty() {
            return Ok(plan.report);
        }
        let (new, changed): (Vec<_>, Vec<_>) = plan.shows.into_iter().partition(|p| p.no.is_none());
        let changed: BTreeMap<ShowNo, PlannedShow> = changed.into_iter().filter_map(|p| Some((p.no?, p))).collect();
        // Everything is resolved before anything is written: prices reach shows that the import
        // does not name, too.
        let replaced: Vec<Replaced> = locked
            .iter()
            .map(|books| resolve_again(&plan.catalogue, books.show(), changed.get(&books.show().no)))
            .collect::<Result<_, _>>()?;
        let added = self.resolve_new(&plan.catalogue, new)?;
        for (books, replaced) in locked.iter_mut().zip(replaced) {
            books.replace_show(replaced.show, replaced.moves, replaced.changes);
        }
        *self.catalogue.write() = Arc::new(plan.catalogue);
        let mut shows = self.shows.write();
        for show in added {
            shows.last = shows.last.max(show.no.0);
            shows.by_id.insert(show.id().clone(), show.no);
            shows.by_no.insert(show.no, Arc::new(Mutex::new(Books::new(show))));
        }
        Ok(plan.report)
    }

    pub(super) fn run_delete(&self, thing: &Thing) -> Result<(), StoreError> {
        let _one_at_a_time = self.importing.lock();
        let current = self.catalogue.read().clone();
        let books = self.all_books();
        let mut locked: Vec<_> = books.iter().map(|books| books.lock()).collect();
        let now = self.time.now();
        let mut uses = Uses::default();
        locked.iter().for_each(|books| books.count(thing, now, &mut uses));
        *self.catalogue.write() = Arc::new(delete(&current, thing, &uses)?);
        if thing.kind == Kind::Shows {
            let mut shows = self.shows.write();
            for books in locked.iter_mut().filter(|books| *books.show().id() == thing.id) {
                books.delete();
                shows.by_id.remove(&thing.id);
                shows.by_no.remove(&books.show().no);
            }
        }
        Ok(())
    }

    fn resolve_new(&self, catalogue: &Catalogue, new: Vec<PlannedShow>) -> Result<Vec<Arc<Show>>, StoreError> {
        let last = self.shows.read().last;
        let numbered = new.into_iter().zip(last + 1..);
        numbered.map(|(p, no)| resolve(catalogue, ShowNo(no), &p.spec, &p.layout, p.layout_version)).collect()
    }
}

/// A show as it is after the import, and what that does to its seats and bookings.
struct Replaced {
    show: Arc<Show>,
    moves: bool,
    changes: bool,
}

fn resolve_again(catalogue: &Catalogue, show: &Show, planned: Option<&PlannedShow>) -> Result<Replaced, StoreError> {
    let again = match planned {
        Some(p) => resolve(catalogue, show.no, &p.spec, &p.layout, p.layout_version),
        None => resolve(catalogue, show.no, &show.spec, show.layout.id(), show.layout.version()),
    };
    again.map(|show| Replaced {
        show,
        moves: planned.is_some_and(|p| p.moves),
        changes: planned.is_some_and(|p| p.changes),
    })
}

fn resolve(
    catalogue: &Catalogue,
    no: ShowNo,
    spec: &ShowSpec,
    layout: &LayoutId,
    version: u32,
) -> Result<Arc<Show>, StoreError> {
    let show = catalogue.resolve(no, spec.clone(), layout, version);
    show.map(Arc::new).ok_or_else(|| StoreError::Bug(format!("show {}: a reference leads nowhere", spec.id)))
}
