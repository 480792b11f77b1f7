//! A payment provider that does what a test tells it: buyers pay when the test says so, calls fail
//! or lose their answers on demand, and every payment and refund is remembered.

use std::collections::{BTreeMap, VecDeque};

use parking_lot::Mutex;

use crate::booking::DisputeStatus;
use crate::command::{PaymentNews, RefundAnswer};
use crate::gateway::{
    BadWebhook, BoxFuture, Checkout, CreatePayment, Gateway, GatewayFault, Payment, RefundRequest, Webhook, WebhookNews,
};
use crate::id::{AttemptId, RefundId};
use crate::money::Money;

/// Every webhook of this gateway carries this header and value; without them it is not believed.
const SIGNATURE: (&str, &str) = ("scripted-signature", "genuine");

/// What goes wrong with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mishap {
    /// The call never reaches the provider.
    Lost,
    /// The provider does what it was asked, but its answer never comes back.
    AnswerLost,
}

#[derive(Debug)]
pub struct ScriptedGateway {
    name: String,
    books: Mutex<Books>,
}

#[derive(Debug, Default)]
struct Books {
    payments: BTreeMap<AttemptId, Page>,
    refunds: Vec<(RefundId, RefundRequest)>,
    mishaps: VecDeque<Mishap>,
    refuses_refunds: bool,
}

#[derive(Debug, Clone)]
struct Page {
    amount: Money,
    closed: bool,
    news: PaymentNews,
    dispute: Option<DisputeStatus>,
}

impl ScriptedGateway {
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), books: Mutex::default() }
    }

    /// The buyer pays in full; a provider that cannot close a page in time captures after its
    /// end as well. Answers the webhook that tells of it, to be delivered as often as the test
    /// likes. `None`: no page was ever opened for this attempt.
    pub fn pay(&self, attempt: AttemptId) -> Option<ScriptedWebhook> {
        let amount = self.books.lock().payments.get(&attempt)?.amount;
        self.decide(attempt, PaymentNews::Captured(amount))
    }

    /// The buyer's bank says no, or the provider captures another amount than was asked.
    pub fn decide(&self, attempt: AttemptId, news: PaymentNews) -> Option<ScriptedWebhook> {
        self.books.lock().payments.get_mut(&attempt)?.news = news;
        Some(self.webhook(attempt))
    }

    /// The buyer's bank asks for the money back, or decides about it.
    pub fn dispute(&self, attempt: AttemptId, status: DisputeStatus) -> Option<ScriptedWebhook> {
        self.books.lock().payments.get_mut(&attempt)?.dispute = Some(status);
        Some(self.webhook(attempt))
    }

    fn webhook(&self, attempt: AttemptId) -> ScriptedWebhook {
        let headers = vec![(SIGNATURE.0.to_owned(), SIGNATURE.1.to_owned())];
        ScriptedWebhook { headers, body: attempt.to_string().into_bytes() }
    }

    /// The next calls go wrong, one after another.
    pub fn next_calls(&self, mishaps: impl IntoIterator<Item = Mishap>) {
        self.books.lock().mishaps.extend(mishaps);
    }

    /// From now on every call goes well.
    pub fn no_more_mishaps(&self) {
        self.books.lock().mishaps.clear();
    }

    /// From now on refunds are refused for good, or are made again.
    pub fn refuse_refunds(&self, refuses: bool) {
        self.books.lock().refuses_refunds = refuses;
    }

    /// Refunds that were made, in order; a repeat of one is not made again.
    #[must_use]
    pub fn refunds(&self) -> Vec<RefundRequest> {
        self.books.lock().refunds.iter().map(|(_, refund)| refund.clone()).collect()
    }

    /// Whether the provider was asked to take no more money on this page.
    #[must_use]
    pub fn is_closed(&self, attempt: AttemptId) -> bool {
        self.books.lock().payments.get(&attempt).is_some_and(|page| page.closed)
    }

    /// Does a call with the mishap that the script has for it.
    fn call<'a, T: Send + 'a>(&self, act: impl FnOnce(&mut Books) -> T) -> BoxFuture<'a, Result<T, GatewayFault>> {
        let mut books = self.books.lock();
        let answer = match books.mishaps.pop_front() {
            None => Ok(act(&mut books)),
            Some(Mishap::Lost) => Err(GatewayFault("the call was lost".to_owned())),
            Some(Mishap::AnswerLost) => {
                act(&mut books);
                Err(GatewayFault("the answer was lost".to_owned()))
            }
        };
        Box::pin(std::future::ready(answer))
    }
}

/// A webhook as the provider would send it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptedWebhook {
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Books {
    fn payments_of(&self, attempt: AttemptId) -> Vec<Payment> {
        let Some(page) = self.payments.get(&attempt) else { return Vec::new() };
        let told = [Some(page.news.clone()), page.dispute.map(PaymentNews::Dispute)];
        let payment = |news| Payment { payment_id: payment_id(attempt), attempt: Some(attempt), news };
        told.into_iter().flatten().map(payment).collect()
    }

    fn refund(&mut self, request: &RefundRequest) -> RefundAnswer {
        if self.refuses_refunds {
            return RefundAnswer::Failed;
        }
        if !self.refunds.iter().any(|(made, _)| *made == request.refund) {
            self.refunds.push((request.refund, request.clone()));
        }
        RefundAnswer::Succeeded { provider_refund_id: format!("refund-{}", request.refund) }
    }
}

fn payment_id(attempt: AttemptId) -> String {
    format!("payment-{attempt}")
}

impl Gateway for ScriptedGateway {
    fn name(&self) -> &str {
        &self.name
    }

    fn create<'a>(&'a self, request: &'a CreatePayment) -> BoxFuture<'a, Result<Checkout, GatewayFault>> {
        self.call(|books| {
            let page = Page { amount: request.amount, closed: false, news: PaymentNews::Pending, dispute: None };
            books.payments.entry(request.attempt).or_insert(page);
            let url = format!("https://pay.example/{}", request.attempt);
            Checkout { payment_id: payment_id(request.attempt), url }
        })
    }

    fn close<'a>(&'a self, attempt: AttemptId) -> BoxFuture<'a, Result<Vec<Payment>, GatewayFault>> {
        self.call(|books| {
            if let Some(page) = books.payments.get_mut(&attempt) {
                page.closed = true;
                if page.news == PaymentNews::Pending {
                    page.news = PaymentNews::Ended;
                }
            }
            books.payments_of(attempt)
        })
    }

    fn look_up<'a>(&'a self, attempt: AttemptId) -> BoxFuture<'a, Result<Vec<Payment>, GatewayFault>> {
        self.call(|books| books.payments_of(attempt))
    }

    fn refund<'a>(&'a self, request: &'a RefundRequest) -> BoxFuture<'a, Result<RefundAnswer, GatewayFault>> {
        self.call(|books| books.refund(request))
    }

    fn verify(&self, webhook: &Webhook<'_>) -> Result<WebhookNews, BadWebhook> {
        let signed = webhook.headers.iter().any(|(name, value)| (name.as_str(), value.as_str()) == SIGNATURE);
        if !signed {
            return Err(BadWebhook::Signature);
        }
        let text = std::str::from_utf8(webhook.body).map_err(|e| BadWebhook::Body(e.to_string()))?;
        let attempt: AttemptId = text.parse().map_err(|_| BadWebhook::Body("it names no attempt".to_owned()))?;
        let payments = self.books.lock().payments_of(attempt);
        Ok(WebhookNews { event_id: format!("event-{attempt}"), payments })
    }
}

#[cfg(test)]
mod tests {
    use pollster::block_on;

    use super::*;
    use crate::id::{BookingId, PartId, ShowNo};
    use crate::testkit::hall;

    fn attempt() -> AttemptId {
        PartId { booking: BookingId::from_bytes([7; 16]), no: 1 }
    }

    fn opened() -> ScriptedGateway {
        let gateway = ScriptedGateway::new("scripted");
        let request = CreatePayment {
            attempt: attempt(),
            amount: hall::euros(1_370),
            description: String::new(),
            page_ends_at: hall::opening(),
            return_url: String::new(),
        };
        block_on(gateway.create(&request)).expect("a page");
        gateway
    }

    fn refund() -> RefundRequest {
        RefundRequest { refund: attempt(), payment_id: payment_id(attempt()), amount: hall::euros(1_370) }
    }

    #[test]
    fn a_lost_call_does_nothing_and_a_lost_answer_is_done_once() {
        let gateway = opened();
        gateway.next_calls([Mishap::Lost]);
        assert!(block_on(gateway.refund(&refund())).is_err());
        assert_eq!(gateway.refunds().len(), 0);
        gateway.next_calls([Mishap::AnswerLost]);
        assert!(block_on(gateway.refund(&refund())).is_err());
        let again = block_on(gateway.refund(&refund())).expect("an answer");
        assert!(matches!(again, RefundAnswer::Succeeded { .. }), "{again:?}");
        assert_eq!(gateway.refunds(), [refund()], "the repeat gives nothing twice");
    }

    #[test]
    fn a_closed_page_still_captures_and_only_genuine_news_is_believed() {
        let gateway = opened();
        let closed = block_on(gateway.close(attempt())).expect("an answer");
        assert_eq!(closed[0].news, PaymentNews::Ended);
        assert!(gateway.is_closed(attempt()));
        let message = gateway.pay(attempt()).expect("a page to pay on");
        let webhook = Webhook { headers: &message.headers, body: &message.body, now: hall::opening() };
        let news = gateway.verify(&webhook).expect("genuine");
        assert_eq!(news.payments[0].news, PaymentNews::Captured(hall::euros(1_370)));
        assert_eq!(gateway.verify(&Webhook { headers: &[], ..webhook }), Err(BadWebhook::Signature));
        let stranger = PartId { booking: BookingId::new(ShowNo(9), hall::opening(), [0; 6]), no: 1 };
        assert_eq!(gateway.pay(stranger), None, "nobody opened a page for it");
    }
}
