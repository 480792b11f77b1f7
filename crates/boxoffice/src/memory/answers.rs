//! Answers kept under their idempotency keys, for as long as a store must.

use std::collections::{HashMap, VecDeque};

use crate::command::{Idempotency, Outcome};
use crate::refusal::Refusal;
use crate::store::ANSWERS_KEPT;
use crate::time::Timestamp;

type Name = (String, String);

#[derive(Debug, Default)]
pub(super) struct Answers {
    kept: HashMap<Name, Answer>,
    /// Names by the instant at which their answer goes.
    order: VecDeque<(Timestamp, Name)>,
}

#[derive(Debug)]
struct Answer {
    fingerprint: [u8; 32],
    /// `None` while the request's last step is still to come.
    outcome: Option<Outcome>,
    until: Timestamp,
}

impl Answers {
    /// The answer given before, if this is the same request.
    ///
    /// # Errors
    /// [`Refusal::IdempotencyKeyReused`] if the key was used for another.
    pub(super) fn find(&self, key: &Idempotency, now: Timestamp) -> Result<Option<Outcome>, Refusal> {
        let Some(answer) = self.kept.get(&name(key)).filter(|answer| now.is_before(answer.until)) else {
            return Ok(None);
        };
        key.belongs_to(&answer.fingerprint)?;
        Ok(answer.outcome.clone())
    }

    /// Keeps an answer, or binds the key to its request.
    pub(super) fn keep(&mut self, key: &Idempotency, outcome: &Outcome, now: Timestamp) {
        self.forget(now);
        let until = now + ANSWERS_KEPT;
        let outcome = key.keep.then(|| outcome.clone());
        let answer = Answer { fingerprint: key.fingerprint, outcome, until };
        self.kept.insert(name(key), answer);
        self.order.push_back((until, name(key)));
    }

    fn forget(&mut self, now: Timestamp) {
        while let Some((_, old)) = self.order.pop_front_if(|(until, _)| !now.is_before(*until)) {
            let lapsed = |answer: &Answer| !now.is_before(answer.until);
            if self.kept.get(&old).is_some_and(lapsed) {
                self.kept.remove(&old);
            }
        }
    }
}

fn name(key: &Idempotency) -> Name {
    (key.scope.clone(), key.key.clone())
}
