//! What callers ask of the writer, each with the way back to its caller.

use boxoffice::action::Deed;
use boxoffice::catalogue::delete::Thing;
use boxoffice::catalogue::{Import, ImportReport};
use boxoffice::command::Step;
use boxoffice::sales::Sales;
use boxoffice::store::{ClockChange, Done, Orphan, ShowChange, StoreError};
use boxoffice::time::Timestamp;
use futures_channel::oneshot;

use super::trouble::{Result, Trouble};

/// A caller that has gone away has dropped its end.
pub(super) type Sender<T> = oneshot::Sender<std::result::Result<T, StoreError>>;

#[derive(Debug)]
pub(super) enum Job {
    Step(Step, Ask<Done>),
    Orphan(Orphan, Ask<()>),
    Note(Deed, Ask<()>),
    Followed(ShowChange, Ask<()>),
    Document(PutDocument, Ask<bool>),
    Clock(ClockChange, Ask<Timestamp>),
    Import(Box<Import>, DryRun, Ask<ImportReport>),
    Delete(Thing, Ask<()>),
    Sales(Sales, Ask<()>),
    Probe(Ask<()>),
}

#[derive(Debug)]
pub(super) struct PutDocument {
    pub(super) kind: &'static str,
    pub(super) key: String,
    pub(super) expected: u64,
    pub(super) body: String,
}

/// Whether an import only says what it would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DryRun(pub(super) bool);

/// A caller, and the answer that waits for its commit.
#[derive(Debug)]
pub(super) struct Ask<T> {
    to: Sender<T>,
    /// Boxed, since most of the jobs in a queue have none yet.
    answer: Option<Box<Result<T>>>,
}

impl<T> Ask<T> {
    pub(super) fn new(to: Sender<T>) -> Self {
        Self { to, answer: None }
    }

    /// Lays an answer by until the commit, in place of one of a try that was taken back. A fault comes back, since it
    /// ends the transaction.
    pub(super) fn answer(&mut self, answer: Result<T>) -> std::result::Result<(), Trouble> {
        let fault = match &answer {
            Ok(_) | Err(Trouble(StoreError::Refused(_))) => Ok(()),
            Err(Trouble(StoreError::Bug(text))) => {
                tracing::error!(%text, "bug: a command was given up");
                Ok(())
            }
            Err(Trouble(fault @ StoreError::Fault(_))) => Err(Trouble(fault.clone())),
        };
        self.answer = Some(Box::new(answer));
        fault
    }

    /// A caller that has gone by now finds what was done when it asks again; one that had gone before is not answered.
    fn send(self, committed: std::result::Result<(), &StoreError>) {
        let answer = match committed {
            Ok(()) => self.answer.map(|answer| (*answer).map_err(StoreError::from)),
            Err(fault) => Some(Err(fault.clone())),
        };
        drop(answer.map(|answer| self.to.send(answer)));
    }
}

impl Job {
    /// Nobody waits for the answer any more. Asked before the decision and never after it, so
    /// that what was decided is also answered.
    pub(super) fn is_abandoned(&self) -> bool {
        match self {
            Self::Step(_, ask) => ask.to.is_canceled(),
            Self::Document(_, ask) => ask.to.is_canceled(),
            Self::Clock(_, ask) => ask.to.is_canceled(),
            Self::Import(_, _, ask) => ask.to.is_canceled(),
            Self::Orphan(_, ask)
            | Self::Note(_, ask)
            | Self::Followed(_, ask)
            | Self::Delete(_, ask)
            | Self::Sales(_, ask)
            | Self::Probe(ask) => ask.to.is_canceled(),
        }
    }

    /// Has a transaction of its own, since it changes what the others are decided by.
    pub(super) fn is_alone(&self) -> bool {
        match self {
            Self::Step(step, _) => step.command.changes_show(),
            Self::Orphan(..) | Self::Note(..) | Self::Followed(..) | Self::Document(..) | Self::Probe(..) => false,
            Self::Clock(..) | Self::Import(..) | Self::Delete(..) | Self::Sales(..) => true,
        }
    }

    /// Tells the caller how it came out, once its transaction has ended.
    pub(super) fn send(self, committed: std::result::Result<(), &StoreError>) {
        match self {
            Self::Step(_, ask) => ask.send(committed),
            Self::Document(_, ask) => ask.send(committed),
            Self::Clock(_, ask) => ask.send(committed),
            Self::Import(_, _, ask) => ask.send(committed),
            Self::Orphan(_, ask)
            | Self::Note(_, ask)
            | Self::Followed(_, ask)
            | Self::Delete(_, ask)
            | Self::Sales(_, ask)
            | Self::Probe(ask) => ask.send(committed),
        }
    }
}
