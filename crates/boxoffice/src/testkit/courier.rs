//! A courier that does what a test tells it: letters arrive, are refused, put off, or arrive
//! without a word; and every letter that arrived is remembered.

use std::collections::VecDeque;

use parking_lot::Mutex;

use crate::courier::{Courier, CourierFault, Delivery, Letter};
use crate::gateway::BoxFuture;

/// What goes wrong with a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PostMishap {
    /// Nobody is there to take it.
    Lost,
    /// It arrives, but the courier's answer does not come back.
    AnswerLost,
    Refused,
    Later,
}

/// A letter as it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrived {
    /// See [`Notice::message`](crate::booking::Notice::message).
    pub message: String,
    pub kind: &'static str,
    pub with_tickets: bool,
}

#[derive(Debug, Default)]
pub struct ScriptedCourier {
    books: Mutex<Books>,
}

#[derive(Debug, Default)]
struct Books {
    arrived: Vec<Arrived>,
    mishaps: VecDeque<PostMishap>,
    refuses_attachments: bool,
}

impl ScriptedCourier {
    /// The next letters go wrong, one after another.
    pub fn next_letters(&self, mishaps: impl IntoIterator<Item = PostMishap>) {
        self.books.lock().mishaps.extend(mishaps);
    }

    /// From now on letters with attachments are refused, or are taken again.
    pub fn refuse_attachments(&self, refuses: bool) {
        self.books.lock().refuses_attachments = refuses;
    }

    /// Letters that arrived, in order; a repeat arrives again.
    #[must_use]
    pub fn arrived(&self) -> Vec<Arrived> {
        self.books.lock().arrived.clone()
    }
}

impl Books {
    fn take(&mut self, letter: &Letter) -> Result<Delivery, CourierFault> {
        let mishap = self.mishaps.pop_front();
        let with_tickets = letter.notice.attaches_tickets();
        match mishap {
            Some(PostMishap::Lost) => return Err(CourierFault("nobody there".to_owned())),
            Some(PostMishap::Refused) => return Ok(Delivery::Refused { why: "550 no".to_owned() }),
            Some(PostMishap::Later) => return Ok(Delivery::Later { why: "451 later".to_owned() }),
            None if self.refuses_attachments && with_tickets => {
                return Ok(Delivery::Refused { why: "552 no attachments".to_owned() });
            }
            None | Some(PostMishap::AnswerLost) => {}
        }
        let (message, kind) = (letter.notice.message(), letter.notice.kind.as_str());
        self.arrived.push(Arrived { message, kind, with_tickets });
        if mishap.is_some() { Err(CourierFault("the answer was lost".to_owned())) } else { Ok(Delivery::Sent) }
    }
}

impl Courier for ScriptedCourier {
    fn deliver<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Result<Delivery, CourierFault>> {
        let answer = self.books.lock().take(letter);
        Box::pin(std::future::ready(answer))
    }
}
