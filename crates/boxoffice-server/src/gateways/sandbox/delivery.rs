//! Sending events to the seller: at once after they were written, and again while it answers
//! with a fault. How far each event got stands in its row; the queue only spares the search.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use boxoffice::store::StoreError;
use boxoffice::time::{Span, Timestamp};
use futures_util::future::join_all;
use parking_lot::Mutex;

use super::Sandbox;
use super::event::{SandboxEvent, Sending};
use super::payment::SandboxPayment;
use super::records::Records;

/// How long a fresh event is left to the task that sends it before the retry loop takes it up.
pub(super) const GRACE: Span = Span::from_secs(2);

/// After so many tries an event is given up; the seller's reconciler asks in its stead.
const TRIES_MAX: u32 = 12;

/// Events that are still to be sent, by when.
#[derive(Debug, Default)]
pub(super) struct Queue(Mutex<BTreeSet<(Timestamp, String)>>);

impl Queue {
    /// What earlier runs left unsent.
    pub(super) async fn open(records: &Records) -> Result<Self, StoreError> {
        let queue = Self::default();
        for payment in records.all().await? {
            queue.add(&payment);
        }
        Ok(queue)
    }

    fn add(&self, payment: &SandboxPayment) {
        let unsent = payment.events.iter().filter(|e| !e.delivered);
        self.0.lock().extend(unsent.filter_map(|e| Some((e.next_at?, e.id.clone()))));
    }

    fn take_due(&self, now: Timestamp) -> Vec<String> {
        let mut waiting = self.0.lock();
        let later = waiting.split_off(&(now + Span::from_ms(1), String::new()));
        std::mem::replace(&mut *waiting, later).into_iter().map(|(_, id)| id).collect()
    }
}

/// Whether the seller has taken an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Taken,
    /// It refused, and would refuse again.
    Refused,
    /// A fault, or no answer.
    Nothing,
}

/// The wait after the n-th failed try: one second, doubling, at most a minute.
fn back_off(tries: u32) -> Span {
    Span::from_secs((1_i64 << tries.min(6)).min(60))
}

impl Sandbox {
    /// Sends fresh events of a payment without making anybody wait for it.
    pub(super) fn announce(self: &Arc<Self>, payment: &SandboxPayment, events: Vec<String>, sending: Sending) {
        let (delay, repeat) = match sending {
            Sending::Never => return,
            Sending::Once => (Span::from_ms(0), 1),
            Sending::Switched { delay, repeat } => (delay, repeat),
        };
        if events.is_empty() {
            return;
        }
        self.queue.add(payment);
        let sandbox = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(delay.as_ms().unsigned_abs())).await;
            let times = usize::try_from(repeat).unwrap_or(1);
            join_all(events.iter().flat_map(|id| std::iter::repeat_n(id, times)).map(|id| sandbox.deliver(id))).await;
        });
    }

    /// Sends what is due again. The server's job loop calls it.
    pub async fn deliver_due(&self) {
        let due = self.queue.take_due(self.records.now());
        join_all(due.iter().map(|id| self.deliver_unsent(id))).await;
    }

    /// Sends an event again, whatever became of it before. False: there is no such event.
    ///
    /// # Errors
    /// A fault of the store.
    pub async fn redeliver(&self, event_id: &str) -> Result<bool, StoreError> {
        Ok(self.send(event_id, |_| true).await?.is_some())
    }

    async fn deliver(&self, event_id: &str) {
        self.report(event_id, self.send(event_id, |_| true).await);
    }

    async fn deliver_unsent(&self, event_id: &str) {
        self.report(event_id, self.send(event_id, |e| !e.delivered && e.next_at.is_some()).await);
    }

    fn report(&self, event_id: &str, sent: Result<Option<Answer>, StoreError>) {
        match sent {
            Ok(None | Some(Answer::Taken)) => {}
            Ok(Some(answer)) => tracing::info!(event_id, ?answer, "a sandbox event was not taken"),
            Err(error) => {
                // The row could not be read or marked: it stays due.
                self.queue.0.lock().insert((self.records.now() + GRACE, event_id.to_owned()));
                tracing::warn!(event_id, %error, "a sandbox event could not be sent");
            }
        }
    }

    async fn send(&self, event_id: &str, wanted: impl Fn(&SandboxEvent) -> bool) -> Result<Option<Answer>, StoreError> {
        let Some(payment_id) = payment_of(event_id) else { return Ok(None) };
        let Some(payment) = self.records.payment(&payment_id).await? else { return Ok(None) };
        let Some(event) = payment.events.iter().find(|e| e.id == event_id && wanted(e)) else { return Ok(None) };
        let answer = self.post(&event.id, payment.event_body(event)).await;
        let marked = self.records.update(&payment_id, |payment, now| mark(payment, event_id, answer, now)).await?;
        if let Some((payment, ())) = marked {
            self.queue.add(&payment);
        }
        Ok(Some(answer))
    }

    async fn post(&self, event_id: &str, body: String) -> Answer {
        let signed = self.secret.sign(event_id, &body, self.records.now());
        let request = self
            .http
            .post(&self.config.webhook_url)
            .header("content-type", "application/json")
            .header("webhook-id", signed.id)
            .header("webhook-timestamp", signed.timestamp)
            .header("webhook-signature", signed.signature)
            .body(body);
        match request.send().await {
            Ok(response) if response.status().is_success() => Answer::Taken,
            Ok(response) if response.status().is_client_error() => Answer::Refused,
            Ok(_) | Err(_) => Answer::Nothing,
        }
    }
}

fn mark(payment: &mut SandboxPayment, event_id: &str, answer: Answer, now: Timestamp) {
    let Some(event) = payment.events.iter_mut().find(|e| e.id == event_id) else { return };
    event.tries = event.tries.saturating_add(1);
    match answer {
        Answer::Taken => {
            event.delivered = true;
            event.next_at = None;
        }
        Answer::Refused => event.next_at = None,
        // An event that was taken once by another road needs no further try.
        Answer::Nothing if event.delivered || event.tries >= TRIES_MAX => event.next_at = None,
        Answer::Nothing => event.next_at = Some(now + back_off(event.tries - 1)),
    }
}

/// An event's id names its payment.
fn payment_of(event_id: &str) -> Option<String> {
    let (name, _) = event_id.rsplit_once('.')?;
    Some(format!("pay_{}", name.strip_prefix("evt_")?))
}
