//! Whether the whole store sells. A store that was restored from a backup does not, until its payments have been asked
//! about again: the backup does not know what was sold after it, and would sell those seats twice.

use crate::refusal::{NotOnSale, Refusal};
use crate::time::Timestamp;

/// Whether anything at all is sold. A show has its own times beside this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sales {
    #[default]
    Open,
    /// Nothing new is sold since this instant. What was paid before is settled, and money and tickets are given back.
    Closed { since: Timestamp },
}

impl Sales {
    /// # Errors
    /// [`Refusal::SalesClosed`] while nothing is sold.
    pub fn must_be_open(self) -> Result<(), Refusal> {
        match self {
            Self::Open => Ok(()),
            Self::Closed { .. } => Err(Refusal::SalesClosed(NotOnSale::Restored)),
        }
    }

    #[must_use]
    pub fn are_open(self) -> bool {
        self == Self::Open
    }
}

/// Where the store's sales stand, for whoever is to open them again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SalesState {
    pub sales: Sales,
    /// Payments that were open at the close, and that no provider has answered for since.
    pub unanswered: u64,
}
