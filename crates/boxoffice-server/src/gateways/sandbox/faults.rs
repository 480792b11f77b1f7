//! Outages on order: the next calls fail before they do anything, or do their work and lose the
//! answer. The seller cannot tell the two apart, and must not need to.

use boxoffice::store::StoreError;
use serde::{Deserialize, Serialize};

use super::records::Records;

/// How many of the next calls fail, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "an object with `before` or `after`")]
pub struct Faults {
    /// Not reached: nothing was done.
    pub before: u32,
    /// Done, but the answer was lost.
    pub after: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    Before,
    After,
}

impl Moment {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Before => "before it did anything",
            Self::After => "after it had done its work",
        }
    }
}

const KIND: &str = "sandbox_faults";
const KEY: &str = "next";

pub(super) async fn set(records: &Records, faults: Faults) -> Result<(), StoreError> {
    records.change_document(KIND, KEY, |current: &mut Faults| *current = faults).await
}

/// Whether a call that stands at this moment is to fail; it uses up one of the failures.
pub(super) async fn trip(records: &Records, moment: Moment) -> Result<bool, StoreError> {
    let left = |faults: &Faults| match moment {
        Moment::Before => faults.before,
        Moment::After => faults.after,
    };
    let current: Faults = records.read_document(KIND, KEY).await?.unwrap_or_default();
    if left(&current) == 0 {
        return Ok(false);
    }
    let take_one = |faults: &mut Faults| {
        let count = match moment {
            Moment::Before => &mut faults.before,
            Moment::After => &mut faults.after,
        };
        let had_one = *count > 0;
        *count = count.saturating_sub(1);
        had_one
    };
    records.change_document(KIND, KEY, take_one).await
}
