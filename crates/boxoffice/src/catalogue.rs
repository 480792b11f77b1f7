//! The catalogue: what is shown where, in which hall, at what price. Immutable snapshots; shows
//! are looked up one by one because a chain has many.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::id::{CatalogueId, LayoutId, ShowNo};
use crate::layout::Layout;
use crate::money::{Money, MoneyError};
use crate::prices::{
    Fee, FeeRate, PriceList, ResolvedFee, ResolvedPrices, ResolvedRate, ResolvedTax, STANDARD, SoldType, Tax,
    TicketType,
};
use crate::promo::{self, PromoCode};
use crate::show::{Movie, RefundPolicy, Screen, Show, ShowSpec, Theatre, business_day};

pub mod delete;
pub mod demo;
pub mod export;
pub mod file;
pub mod plan;
pub mod timetable;

/// Everything but the shows.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    /// Rises with each import that is written, and with each thing that is deleted.
    pub version: u64,
    pub theatres: BTreeMap<CatalogueId, Arc<Theatre>>,
    /// Every version that was ever imported, oldest first; the last is the current one.
    pub layouts: BTreeMap<LayoutId, Vec<Arc<Layout>>>,
    /// The last version of each layout that was deleted. Its numbers are not given again: old bookings and open
    /// seat maps know a seat by its place in a version.
    pub spent_versions: BTreeMap<LayoutId, u32>,
    pub screens: BTreeMap<CatalogueId, Arc<Screen>>,
    pub movies: BTreeMap<CatalogueId, Arc<Movie>>,
    pub ticket_types: BTreeMap<CatalogueId, Arc<TicketType>>,
    pub taxes: BTreeMap<CatalogueId, Arc<Tax>>,
    pub fees: BTreeMap<CatalogueId, Arc<Fee>>,
    /// By [`PromoCode::key`].
    pub promo_codes: BTreeMap<CatalogueId, Arc<PromoCode>>,
    pub price_lists: BTreeMap<CatalogueId, Arc<PriceList>>,
    pub refund_policies: BTreeMap<CatalogueId, Arc<RefundPolicy>>,
}

/// What an import writes: upserts by id. References were checked against it and the catalogue it
/// was read over; a store checks what only it knows (the seats that are claimed).
#[derive(Debug, Clone, Default)]
pub struct Import {
    /// The version of the catalogue that it was read and checked over; `None`: it stands alone.
    pub over: Option<u64>,
    pub theatres: Vec<Theatre>,
    /// With version 0: the store numbers them, and keeps the current version if nothing changed.
    pub layouts: Vec<Layout>,
    pub screens: Vec<Screen>,
    pub movies: Vec<Movie>,
    pub ticket_types: Vec<TicketType>,
    pub taxes: Vec<Tax>,
    pub fees: Vec<Fee>,
    pub promo_codes: Vec<PromoCode>,
    pub price_lists: Vec<PriceList>,
    pub refund_policies: Vec<RefundPolicy>,
    pub shows: Vec<ShowSpec>,
}

/// What an import did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportReport {
    pub added: usize,
    pub changed: usize,
    pub unchanged: usize,
    /// Why nothing was written, if anything stood against it: one line each, with the seats.
    pub conflicts: Vec<String>,
}

impl Catalogue {
    /// The current version of a layout.
    #[must_use]
    pub fn layout(&self, id: &LayoutId) -> Option<&Arc<Layout>> {
        self.layouts.get(id).and_then(|versions| versions.last())
    }

    #[must_use]
    pub fn layout_version(&self, id: &LayoutId, version: u32) -> Option<&Arc<Layout>> {
        self.layouts.get(id).and_then(|versions| versions.iter().find(|l| l.version() == version))
    }

    /// The promo code that a buyer writes, in whatever case and with whatever blanks.
    #[must_use]
    pub fn promo_code(&self, written: &str) -> Option<&Arc<PromoCode>> {
        self.promo_codes.get(&promo::normalised(written)?)
    }

    /// A price list with its tax, fees and ticket types looked up. `None`: a reference leads
    /// nowhere, or an amount does not fit the list's currency.
    #[must_use]
    pub fn prices(&self, id: &CatalogueId) -> Option<ResolvedPrices> {
        let list = self.price_lists.get(id)?;
        let fees = list.fees.iter().map(|fee| resolved_fee(self, self.fees.get(fee)?, list).ok()?);
        Some(ResolvedPrices {
            list: PriceList::clone(list),
            tax: ResolvedTax::new(self.taxes.get(&list.tax)?, list.currency).ok()?,
            fees: fees.collect::<Option<Vec<_>>>()?,
            types: self.sold_types(list),
        })
    }

    fn sold_types(&self, list: &PriceList) -> Vec<SoldType> {
        let ids: std::collections::BTreeSet<&CatalogueId> = list.prices.iter().map(|(_, id, _)| id).collect();
        let sold = |id: &&CatalogueId| SoldType {
            id: (*id).clone(),
            named: self.ticket_types.get(*id).map(|named| TicketType::clone(named)),
        };
        let mut types: Vec<SoldType> = ids.iter().map(sold).collect();
        types.sort_by_key(|sold| sold.id.as_str() != STANDARD);
        types
    }

    /// A show with its references resolved and the layout version that the store keeps for it.
    /// `None`: a reference leads nowhere, which an import never lets through.
    #[must_use]
    pub fn resolve(&self, no: ShowNo, spec: ShowSpec, layout: &LayoutId, layout_version: u32) -> Option<Show> {
        let screen = self.screens.get(&spec.screen)?.clone();
        let theatre = self.theatres.get(&screen.theatre)?.clone();
        let layout = self.layout_version(layout, layout_version)?;
        Some(Show {
            no,
            movie: self.movies.get(&spec.movie)?.clone(),
            layout: layout.clone(),
            prices: Arc::new(self.prices(&spec.price_list)?),
            refund_policy: self.refund_policies.get(&spec.refund_policy)?.clone(),
            business_day: business_day(&theatre, spec.starts_at),
            screen,
            theatre,
            spec,
        })
    }

    /// This catalogue with an import written over it, layouts numbered.
    #[must_use]
    pub fn with(&self, import: &Import) -> Self {
        let mut next = self.clone();
        next.version += 1;
        next.theatres.extend(import.theatres.iter().map(|t| (t.id.clone(), Arc::new(t.clone()))));
        next.screens.extend(import.screens.iter().map(|s| (s.id.clone(), Arc::new(s.clone()))));
        next.movies.extend(import.movies.iter().map(|m| (m.id.clone(), Arc::new(m.clone()))));
        next.ticket_types.extend(import.ticket_types.iter().map(|t| (t.id.clone(), Arc::new(t.clone()))));
        next.promo_codes.extend(import.promo_codes.iter().map(|p| (p.key.clone(), Arc::new(p.clone()))));
        next.taxes.extend(import.taxes.iter().map(|t| (t.id.clone(), Arc::new(t.clone()))));
        next.fees.extend(import.fees.iter().map(|f| (f.id.clone(), Arc::new(f.clone()))));
        next.price_lists.extend(import.price_lists.iter().map(|p| (p.id.clone(), Arc::new(p.clone()))));
        next.refund_policies.extend(import.refund_policies.iter().map(|p| (p.id.clone(), Arc::new(p.clone()))));
        for layout in &import.layouts {
            next.add_layout(layout);
        }
        next
    }

    /// Adds a layout as a new version unless it is the current one again.
    fn add_layout(&mut self, layout: &Layout) {
        let versions = self.layouts.entry(layout.id().clone()).or_default();
        let spent = self.spent_versions.get(layout.id()).copied().unwrap_or(0);
        let last = versions.last().map_or(spent, |l| l.version());
        let same = versions.last().is_some_and(|l| l.parts() == layout.with_version(last).parts());
        if !same {
            versions.push(Arc::new(layout.with_version(last + 1)));
        }
    }
}

/// A fee as a price list charges it. `Ok(None)`: its tax is not there.
///
/// # Errors
/// [`MoneyError`] if an amount of it, or of its tax, does not fit the list's currency.
pub(crate) fn resolved_fee(
    catalogue: &Catalogue,
    fee: &Fee,
    list: &PriceList,
) -> Result<Option<ResolvedFee>, MoneyError> {
    let Some(tax) = catalogue.taxes.get(&fee.tax) else { return Ok(None) };
    let amount = |text: &str| Money::parse(text, list.currency);
    Ok(Some(ResolvedFee {
        id: fee.id.clone(),
        name: fee.name.clone(),
        per: fee.per,
        rate: match &fee.rate {
            FeeRate::Amount(text) => ResolvedRate::Amount(amount(text)?),
            FeeRate::Percent(percent) => ResolvedRate::Percent(*percent),
        },
        tax: ResolvedTax::new(tax, list.currency)?,
        refundable: fee.refundable,
        cap_per_booking: fee.cap_per_booking.as_deref().map(amount).transpose()?,
        channels: fee.channels.clone(),
    }))
}
