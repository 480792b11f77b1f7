//! What staff did, for whoever has to answer for it: one row per change, written with the change and
//! never altered. It names keys and things of the cinema, and no customer.

use crate::id::BookingId;
use crate::time::Timestamp;

/// Who acts where nobody sent a key: the command line of the machine.
pub const COMMAND_LINE: &str = "command-line";

/// Something that somebody of the staff did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// In the order in which they happened.
    pub no: u64,
    pub at: Timestamp,
    pub deed: Deed,
}

/// Who did what to what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// The id of the staff key, or [`COMMAND_LINE`].
    pub by: String,
    /// A word such as `refund`, `cancel_show` or `import`.
    pub what: String,
    /// A booking, or what else it was done to: a show, a key, a table of the catalogue.
    pub booking: Option<BookingId>,
    pub subject: String,
}

/// All that are given must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ActionFilter {
    pub by: Option<String>,
    pub booking: Option<BookingId>,
    /// At or after.
    pub from: Option<Timestamp>,
    /// Before.
    pub to: Option<Timestamp>,
    /// Only actions after this one.
    pub after: Option<u64>,
    /// 0: no limit.
    pub limit: usize,
}

impl ActionFilter {
    #[must_use]
    pub fn matches(&self, action: &Action) -> bool {
        self.by.as_ref().is_none_or(|by| *by == action.deed.by)
            && self.booking.is_none_or(|booking| action.deed.booking == Some(booking))
            && self.from.is_none_or(|from| action.at >= from)
            && self.to.is_none_or(|to| action.at.is_before(to))
            && self.after.is_none_or(|after| action.no > after)
    }
}
