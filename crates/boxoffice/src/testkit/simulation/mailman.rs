//! A mail server that loses letters, loses its own answers, and refuses some for good.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use super::chance::{Chance, pause};
use crate::courier::{Courier, CourierFault, Delivery, Letter};
use crate::gateway::BoxFuture;
use crate::id::NoticeId;

#[derive(Debug)]
pub(super) struct Mailman {
    chance: Arc<Chance>,
    shaky: AtomicBool,
    carried: Mutex<BTreeSet<NoticeId>>,
}

impl Mailman {
    pub(super) fn new(chance: Arc<Chance>) -> Self {
        Self { chance, shaky: AtomicBool::new(true), carried: Mutex::default() }
    }

    pub(super) fn heal(&self) {
        self.shaky.store(false, Ordering::SeqCst);
    }

    /// The letters that arrived, once or more often.
    pub(super) fn carried(&self) -> BTreeSet<NoticeId> {
        self.carried.lock().clone()
    }

    fn fate(&self, letter: &Letter) -> Result<Delivery, CourierFault> {
        let fate = if self.shaky.load(Ordering::SeqCst) { self.chance.below(40) } else { 39 };
        match fate {
            0 => Err(CourierFault("the letter was lost".to_owned())),
            1 => Ok(Delivery::Refused { why: "no such mailbox".to_owned() }),
            2 => Ok(Delivery::Later { why: "the mailbox is full".to_owned() }),
            _ => {
                self.carried.lock().insert(letter.notice.id);
                let lost = CourierFault("the answer was lost".to_owned());
                if fate == 3 { Err(lost) } else { Ok(Delivery::Sent) }
            }
        }
    }
}

impl Courier for Mailman {
    fn deliver<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Result<Delivery, CourierFault>> {
        Box::pin(async move {
            if self.shaky.load(Ordering::SeqCst) {
                pause(self.chance.below(3)).await;
            }
            self.fate(letter)
        })
    }
}
