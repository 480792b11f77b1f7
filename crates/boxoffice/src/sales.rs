//! Whether the whole store sells. A store that was restored from a backup does not, until its payments have been asked
//! about again: the backup does not know what was sold after it, and would sell those seats twice.

use crate::action::Deed;
use crate::refusal::{NotOnSale, Refusal};
use crate::store::{Store, StoreError};
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

/// Sells again, for somebody of the staff, and answers how sales stood until then. `force`: although providers have not
/// answered for payments that were open at the close.
///
/// # Errors
/// [`Refusal::SalesClosed`] with how many payments are not answered for; the store cannot answer.
pub async fn reopen(store: &dyn Store, force: bool, by: &str) -> Result<SalesState, StoreError> {
    let was = store.sales().await?;
    if was.sales.are_open() {
        return Ok(was);
    }
    if was.unanswered > 0 && !force {
        return Err(Refusal::SalesClosed(NotOnSale::Unanswered(was.unanswered)).into());
    }
    store.set_sales(Sales::Open).await?;
    let what = if force { "reopen_sales_by_force" } else { "reopen_sales" };
    let deed = Deed { by: by.to_owned(), what: what.to_owned(), booking: None, subject: "sales".to_owned() };
    store.note(deed).await?;
    Ok(was)
}
