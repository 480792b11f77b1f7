//! What callers ask of the writer, each with the way back to its caller.

use boxoffice::action::Deed;
use boxoffice::catalogue::delete::Thing;
use boxoffice::catalogue::{Import, ImportReport};
use boxoffice::command::Step;
use boxoffice::sales::Sales;
use boxoffice::store::{ClockChange, Done, Orphan, ShowChange, StoreError};
use boxoffice::time::Timestamp;
use futures_channel::oneshot;

use super::trouble::Result;

/// A caller that has gone away has dropped its end.
pub(super) type Sender<T> = oneshot::Sender<std::result::Result<T, StoreError>>;

#[derive(Debug)]
pub(super) enum Job {
    Step(Step, Sender<Done>),
    Orphan(Orphan, Sender<()>),
    Note(Deed, Sender<()>),
    Followed(ShowChange, Sender<()>),
    Document(PutDocument, Sender<bool>),
    Clock(ClockChange, Sender<Timestamp>),
    Import(Box<Import>, DryRun, Sender<ImportReport>),
    Delete(Thing, Sender<()>),
    Sales(Sales, Sender<()>),
    Probe(Sender<()>),
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

impl Job {
    /// Nobody waits for the answer any more. Asked before the decision and never after it, so
    /// that what was decided is also answered.
    pub(super) fn is_abandoned(&self) -> bool {
        match self {
            Self::Step(_, to) => to.is_canceled(),
            Self::Orphan(_, to) => to.is_canceled(),
            Self::Note(_, to) => to.is_canceled(),
            Self::Followed(_, to) => to.is_canceled(),
            Self::Document(_, to) => to.is_canceled(),
            Self::Clock(_, to) => to.is_canceled(),
            Self::Import(_, _, to) => to.is_canceled(),
            Self::Delete(_, to) => to.is_canceled(),
            Self::Sales(_, to) | Self::Probe(to) => to.is_canceled(),
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

    /// Answers without having tried.
    pub(super) fn give_up(self, why: &StoreError) {
        match self {
            Self::Step(_, to) => drop(to.send(Err(why.clone()))),
            Self::Orphan(_, to) => drop(to.send(Err(why.clone()))),
            Self::Note(_, to) => drop(to.send(Err(why.clone()))),
            Self::Followed(_, to) => drop(to.send(Err(why.clone()))),
            Self::Document(_, to) => drop(to.send(Err(why.clone()))),
            Self::Clock(_, to) => drop(to.send(Err(why.clone()))),
            Self::Import(_, _, to) => drop(to.send(Err(why.clone()))),
            Self::Delete(_, to) => drop(to.send(Err(why.clone()))),
            Self::Sales(_, to) | Self::Probe(to) => drop(to.send(Err(why.clone()))),
        }
    }
}

/// An answer that waits for its commit, and is told how that ended.
pub(super) type Reply = Box<dyn FnOnce(std::result::Result<(), &StoreError>)>;

/// A caller that has gone by now finds what was done when it asks again.
pub(super) fn reply<T: 'static>(to: Sender<T>, answer: Result<T>) -> Reply {
    Box::new(move |committed| {
        drop(to.send(match committed {
            Ok(()) => answer.map_err(StoreError::from),
            Err(fault) => Err(fault.clone()),
        }));
    })
}
