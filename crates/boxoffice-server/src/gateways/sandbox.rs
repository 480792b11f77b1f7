//! A payment provider that moves no money, for demonstrations and tests. It behaves as a real one
//! does: it keeps its own records, commits before it tells anyone, signs its events, sends them
//! again until they are taken, and may be told to fail, to be late or to stay silent.

use std::sync::Arc;

use boxoffice::booking::DisputeStatus;
use boxoffice::command::{PaymentNews, RefundAnswer};
use boxoffice::gateway::{
    BadWebhook, BoxFuture, Checkout, CreatePayment, Gateway, GatewayFault, Payment, RefundRequest, Webhook, WebhookNews,
};
use boxoffice::id::AttemptId;
use boxoffice::service::Entropy;
use boxoffice::store::{Store, StoreError};

mod delivery;
mod event;
mod faults;
pub mod page;
mod payment;
mod records;
mod signature;
#[cfg(test)]
mod tests;

pub use event::{EventView, read as read_event};
pub use faults::Faults;
pub use records::{PaymentView, RefundView};

use crate::secrets;
use faults::Moment;
use payment::SandboxPayment;
use records::Records;
use signature::Secret;

/// The name in `/webhooks/{gateway}`.
pub const NAME: &str = "sandbox";

/// Where the sandbox is reached, and where it reaches the server that sells.
#[derive(Debug, Clone)]
pub struct SandboxConfig {
    /// Without a slash at its end, such as `http://127.0.0.1:8080`: its payment pages stand below it.
    pub public_url: String,
    /// The whole address its events are sent to.
    pub webhook_url: String,
}

#[derive(Debug)]
pub struct Sandbox {
    config: SandboxConfig,
    secret: Secret,
    records: Records,
    queue: delivery::Queue,
    http: reqwest::Client,
}

impl Sandbox {
    /// Opens the sandbox on its records in the store; its secret is made at the first start.
    ///
    /// # Errors
    /// A fault of the store, or no HTTP client can be made.
    pub async fn open(
        store: Arc<dyn Store>,
        entropy: &dyn Entropy,
        config: SandboxConfig,
    ) -> anyhow::Result<Arc<Self>> {
        let secret = Secret::new(secrets::load_or_make(&*store, entropy, "sandbox-webhook").await?);
        let records = Records::new(store);
        let queue = delivery::Queue::open(&records).await?;
        // A proxy meant for the world outside must not carry events to our own door.
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(std::time::Duration::from_secs(10))
            .build()?;
        Ok(Arc::new(Self { config, secret, records, queue, http }))
    }

    /// Every payment the sandbox knows, by id.
    ///
    /// # Errors
    /// A fault of the store.
    pub async fn payments(&self) -> Result<Vec<PaymentView>, StoreError> {
        self.records.payments().await
    }

    /// Every refund it has made, by payment.
    ///
    /// # Errors
    /// A fault of the store.
    pub async fn refunds(&self) -> Result<Vec<RefundView>, StoreError> {
        self.records.refunds().await
    }

    /// Makes the next calls of the provider's interface fail.
    ///
    /// # Errors
    /// A fault of the store.
    pub async fn set_faults(&self, faults: Faults) -> Result<(), StoreError> {
        faults::set(&self.records, faults).await
    }

    /// Lets the buyer's bank dispute a payment, or decide about it. Unless it is dropped, the seller is
    /// told as of anything else. `None`: no payment with this id has taken money.
    ///
    /// # Errors
    /// A fault of the store.
    pub async fn dispute(
        self: &Arc<Self>,
        payment_id: &str,
        status: DisputeStatus,
        drop: bool,
    ) -> Result<Option<PaymentView>, StoreError> {
        let disputed = self
            .records
            .update(payment_id, |payment, now| payment.disputed(status, (!drop).then(|| now + delivery::GRACE)));
        let Some((payment, events)) = disputed.await? else { return Ok(None) };
        if events.is_empty() {
            return Ok(None);
        }
        self.announce(&payment, events, if drop { event::Sending::Never } else { event::Sending::Once });
        Ok(self.payments().await?.into_iter().find(|payment| payment.id == payment_id))
    }

    fn checkout_url(&self, payment_id: &str) -> String {
        format!("{}/sandbox/pay/{payment_id}", self.config.public_url)
    }

    async fn trip(&self, moment: Moment) -> Result<(), GatewayFault> {
        if faults::trip(&self.records, moment).await.map_err(fault)? {
            return Err(GatewayFault(format!("made to fail {}", moment.as_str())));
        }
        Ok(())
    }

    async fn open_page(self: &Arc<Self>, request: &CreatePayment) -> Result<Checkout, GatewayFault> {
        let id = self.secret.payment_id(&request.attempt.to_string());
        let new = SandboxPayment::new(id.clone(), request);
        if self.records.create(&new).await.map_err(fault)? {
            self.announce(&new, new.event_ids(0), event::Sending::Once);
        }
        Ok(Checkout { url: self.checkout_url(&id), payment_id: id })
    }

    async fn known(&self, attempt: AttemptId) -> Result<Vec<Payment>, GatewayFault> {
        let id = self.secret.payment_id(&attempt.to_string());
        let payment = self.records.payment(&id).await.map_err(fault)?;
        let now = self.records.now();
        let Some(payment) = payment else { return Ok(Vec::new()) };
        let told = [Some(payment.news(now)), payment.dispute.map(PaymentNews::Dispute)];
        let told = told.into_iter().flatten();
        Ok(told.map(|news| Payment { payment_id: id.clone(), attempt: Some(attempt), news }).collect())
    }

    async fn shut(self: &Arc<Self>, attempt: AttemptId) -> Result<Vec<Payment>, GatewayFault> {
        let id = self.secret.payment_id(&attempt.to_string());
        let closed = self.records.update(&id, |payment, now| payment.close(now)).await.map_err(fault)?;
        if let Some((payment, events)) = closed {
            self.announce(&payment, events, event::Sending::Once);
        }
        self.known(attempt).await
    }

    async fn give_back(&self, request: &RefundRequest) -> Result<RefundAnswer, GatewayFault> {
        let refund_id = self.secret.refund_id(&request.refund.to_string());
        let id = &request.payment_id;
        let answer =
            self.records.update(id, |payment, now| payment.refund(request, &refund_id, now)).await.map_err(fault)?;
        Ok(match answer {
            Some((_, true)) => RefundAnswer::Succeeded { provider_refund_id: refund_id },
            Some((_, false)) | None => RefundAnswer::Failed,
        })
    }
}

/// The sandbox as the service sees it. It holds the shared sandbox, because an event is sent
/// after the call that caused it has been answered.
#[derive(Debug, Clone)]
pub struct SandboxGateway(pub Arc<Sandbox>);

impl Gateway for SandboxGateway {
    fn name(&self) -> &str {
        NAME
    }

    fn create<'a>(&'a self, request: &'a CreatePayment) -> BoxFuture<'a, Result<Checkout, GatewayFault>> {
        Box::pin(async move {
            self.0.trip(Moment::Before).await?;
            let answer = self.0.open_page(request).await?;
            self.0.trip(Moment::After).await.map(|()| answer)
        })
    }

    fn close(&self, attempt: AttemptId) -> BoxFuture<'_, Result<Vec<Payment>, GatewayFault>> {
        Box::pin(async move {
            self.0.trip(Moment::Before).await?;
            let answer = self.0.shut(attempt).await?;
            self.0.trip(Moment::After).await.map(|()| answer)
        })
    }

    fn look_up(&self, attempt: AttemptId) -> BoxFuture<'_, Result<Vec<Payment>, GatewayFault>> {
        Box::pin(async move {
            self.0.trip(Moment::Before).await?;
            let answer = self.0.known(attempt).await?;
            self.0.trip(Moment::After).await.map(|()| answer)
        })
    }

    fn refund<'a>(&'a self, request: &'a RefundRequest) -> BoxFuture<'a, Result<RefundAnswer, GatewayFault>> {
        Box::pin(async move {
            self.0.trip(Moment::Before).await?;
            let answer = self.0.give_back(request).await?;
            self.0.trip(Moment::After).await.map(|()| answer)
        })
    }

    fn verify(&self, webhook: &Webhook<'_>) -> Result<WebhookNews, BadWebhook> {
        self.0.secret.check(webhook)?;
        event::read(webhook.body)
    }
}

fn fault(error: StoreError) -> GatewayFault {
    GatewayFault(error.to_string())
}

/// What an event of this kind means to the seller. A dispute also says that there was a payment.
fn news(kind: event::EventKind, captured: boxoffice::money::Money) -> Vec<PaymentNews> {
    let disputed = |status| vec![PaymentNews::Captured(captured), PaymentNews::Dispute(status)];
    match kind {
        event::EventKind::Created | event::EventKind::Authorised => vec![PaymentNews::Pending],
        event::EventKind::Declined => vec![PaymentNews::Declined],
        event::EventKind::Ended => vec![PaymentNews::Ended],
        event::EventKind::Captured => vec![PaymentNews::Captured(captured)],
        event::EventKind::DisputeOpened => disputed(DisputeStatus::Open),
        event::EventKind::DisputeWon => disputed(DisputeStatus::Won),
        event::EventKind::DisputeLost => disputed(DisputeStatus::Lost),
    }
}
