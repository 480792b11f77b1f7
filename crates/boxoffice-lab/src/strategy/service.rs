//! The real service on any store. A round's hold is never released: the test clock moves to its
//! deadline, and the next round finds the seats free because their hold has lapsed, with no job.

use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use boxoffice::audit;
use boxoffice::booking::Customer;
use boxoffice::id::{SeatNo, ShowNo};
use boxoffice::layout::Named;
use boxoffice::refusal::Refusal;
use boxoffice::service::BoxOffice;
use boxoffice::store::{Store, StoreError};
use boxoffice::testkit::{SeededEntropy, TestClock};
use boxoffice::time::Span;
use pollster::block_on;

use super::{Look, Strategy, WANTED};
use crate::cinema;

const HOLD: Span = Span::from_mins(1);

#[derive(Debug)]
pub(super) struct Service {
    office: BoxOffice,
    clock: Arc<TestClock>,
    show: ShowNo,
    wanted: [SeatNo; 2],
}

impl Service {
    /// The service on an empty store that reads `clock`.
    pub(super) fn over(store: Arc<dyn Store>, clock: Arc<TestClock>, seed: u64) -> Result<Self> {
        block_on(cinema::build(&*store, HOLD))?;
        let show = block_on(store.show(cinema::show_id()))?.context("the hall has no show")?;
        let seat = |label| match show.layout.named(label) {
            Named::One(seat) => Ok(seat),
            Named::Several(_) | Named::Nothing => bail!("the hall has no seat {label}"),
        };
        let wanted = [seat(WANTED[0])?, seat(WANTED[1])?];
        let office = BoxOffice::new(store, Vec::new(), Arc::new(SeededEntropy::new(seed)));
        Ok(Self { office, clock, show: show.no, wanted })
    }
}

impl Strategy for Service {
    fn reset(&self) -> Result<()> {
        self.clock.advance(HOLD);
        Ok(())
    }

    fn take(&self, _buyer: u32) -> Result<bool> {
        let request = cinema::request(&WANTED, Customer::default());
        match block_on(self.office.hold(request, None)) {
            Ok(_) => Ok(true),
            Err(StoreError::Refused(Refusal::SeatsUnavailable(_))) => Ok(false),
            Err(other) => Err(other).context("a hold neither succeeded nor found the seats taken"),
        }
    }

    fn look(&self) -> Result<Look> {
        let read = block_on(self.office.store().seats(self.show))?;
        Ok(self.wanted.map(|seat| !read.seats.is_free(seat, read.now)))
    }

    fn audit(&self) -> Result<()> {
        let report = block_on(audit::audit(self.office.store()))?;
        let broken: Vec<String> = report.checks.into_iter().flat_map(|check| check.broken).collect();
        ensure!(broken.is_empty(), "after the race the books are broken: {}", broken.join("; "));
        Ok(())
    }
}
