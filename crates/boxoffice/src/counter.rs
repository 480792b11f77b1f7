//! The counter as a gateway: staff take money by hand and give it back by hand. Nothing is asked
//! over a network, so that what it is asked is done.

use crate::command::RefundAnswer;
use crate::gateway::{
    BadWebhook, BoxFuture, COUNTER, Checkout, CreatePayment, Gateway, GatewayFault, Payment, RefundRequest, Webhook,
    WebhookNews,
};
use crate::id::AttemptId;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counter;

impl Gateway for Counter {
    fn name(&self) -> &str {
        COUNTER
    }

    /// There is no page: the booking was confirmed in the step that recorded the money.
    fn create<'a>(&'a self, _request: &'a CreatePayment) -> BoxFuture<'a, Result<Checkout, GatewayFault>> {
        Box::pin(async { Err(GatewayFault("the counter has no payment page".to_owned())) })
    }

    fn close(&self, _attempt: AttemptId) -> BoxFuture<'_, Result<Vec<Payment>, GatewayFault>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn look_up(&self, _attempt: AttemptId) -> BoxFuture<'_, Result<Vec<Payment>, GatewayFault>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    /// Recorded as given: the counter hands it over against the booking, and the day's close shows it.
    fn refund<'a>(&'a self, request: &'a RefundRequest) -> BoxFuture<'a, Result<RefundAnswer, GatewayFault>> {
        let provider_refund_id = format!("{COUNTER}-{}", request.refund);
        Box::pin(async move { Ok(RefundAnswer::Succeeded { provider_refund_id }) })
    }

    fn verify(&self, _webhook: &Webhook<'_>) -> Result<WebhookNews, BadWebhook> {
        Err(BadWebhook::Signature)
    }
}
