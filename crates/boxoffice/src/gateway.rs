//! The seam to payment providers: foreign, slow, may never answer. Every call carries a key that
//! makes a repeat harmless; "no answer" is a value to live with, never a reason to guess.

use std::future::Future;
use std::pin::Pin;

use crate::command::{PaymentNews, RefundAnswer};
use crate::id::{AttemptId, RefundId};
use crate::money::Money;
use crate::time::Timestamp;

pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The name of the gateway by which staff at the counter record what they took and gave back.
pub const COUNTER: &str = "counter";

/// What stands for a gateway where there was nothing to pay.
pub const NO_GATEWAY: &str = "none";

/// A payment provider.
pub trait Gateway: Send + Sync + std::fmt::Debug {
    /// The name in `/webhooks/{gateway}` and in a payment's row.
    fn name(&self) -> &str;

    /// Opens a payment page. The same attempt again answers the same page.
    fn create<'a>(&'a self, request: &'a CreatePayment) -> BoxFuture<'a, Result<Checkout, GatewayFault>>;

    /// Asks the provider to take no more money on this attempt's page, and what came of it so far.
    fn close<'a>(&'a self, attempt: AttemptId) -> BoxFuture<'a, Result<Vec<Payment>, GatewayFault>>;

    /// All payments the provider knows for this attempt.
    fn look_up<'a>(&'a self, attempt: AttemptId) -> BoxFuture<'a, Result<Vec<Payment>, GatewayFault>>;

    /// Gives money back. The same refund again answers the same, however late: the provider's
    /// list is asked first, since its keys expire.
    fn refund<'a>(&'a self, request: &'a RefundRequest) -> BoxFuture<'a, Result<RefundAnswer, GatewayFault>>;

    /// Checks a webhook's signature over its raw bytes and reads it.
    ///
    /// # Errors
    /// [`BadWebhook`] if the signature, its time or the body is not right; nothing was believed.
    fn verify(&self, webhook: &Webhook<'_>) -> Result<WebhookNews, BadWebhook>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatePayment {
    pub attempt: AttemptId,
    pub amount: Money,
    /// What the buyer reads on the provider's page.
    pub description: String,
    pub page_ends_at: Timestamp,
    /// Where the provider sends the buyer back to.
    pub return_url: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout {
    pub payment_id: String,
    pub url: String,
}

/// A payment as the provider tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    pub payment_id: String,
    /// The attempt that it names, if it names one of ours.
    pub attempt: Option<AttemptId>,
    pub news: PaymentNews,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundRequest {
    pub refund: RefundId,
    pub payment_id: String,
    pub amount: Money,
}

/// A webhook as it came in.
#[derive(Debug, Clone, Copy)]
pub struct Webhook<'a> {
    /// Header names in lower case.
    pub headers: &'a [(String, String)],
    pub body: &'a [u8],
    pub now: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookNews {
    /// For the audit trail only: payments are known by their own id.
    pub event_id: String,
    pub payments: Vec<Payment>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadWebhook {
    #[error("the signature is missing or wrong")]
    Signature,
    /// The signature is right, but of another time. `off_s` is above zero where that lies ahead.
    #[error("the signature's time is {off_s} s off this server's clock, and more than {tolerance_s} s are refused")]
    Stale { off_s: i64, tolerance_s: i64 },
    #[error("the body cannot be read: {0}")]
    Body(String),
}

/// The provider could not be reached or did not answer in time: the outcome is unknown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the payment provider did not answer: {0}")]
pub struct GatewayFault(pub String);
