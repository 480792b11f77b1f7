//! The seam to whoever carries messages to customers. A courier is told again after a crash or a
//! lost answer, with the same message id, so that a repeat can be recognised on the way.

use std::sync::Arc;

use crate::booking::{Booking, Notice};
use crate::gateway::BoxFuture;
use crate::show::Show;

/// Carries messages.
pub trait Courier: Send + Sync + std::fmt::Debug {
    /// Hands one letter over, and says what became of it.
    fn deliver<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Result<Delivery, CourierFault>>;
}

/// A notice with all that its text speaks of, as it stands now.
#[derive(Debug, Clone)]
pub struct Letter {
    pub notice: Notice,
    pub booking: Booking,
    pub show: Arc<Show>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivery {
    /// The next one on its way has taken it over.
    Sent,
    /// Not this way, however often it is tried.
    Refused { why: String },
    /// Not now: the mailbox is full, or strangers must wait.
    Later { why: String },
}

/// The courier could not be reached or did not answer in time: it may have taken the letter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no answer: {0}")]
pub struct CourierFault(pub String);
