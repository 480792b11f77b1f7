//! A payment provider as they are: it answers late or not at all, takes money on pages that have
//! ended, takes it twice or in another amount, tells of it late, often, out of order or never. It
//! keeps books of its own, and notes whatever is asked of it that would cost somebody money.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use super::Plant;
use super::chance::{Chance, pause};
use crate::booking::DisputeStatus;
use crate::clock::Clock as _;
use crate::command::{PaymentNews, RefundAnswer};
use crate::gateway::{
    BadWebhook, BoxFuture, Checkout, CreatePayment, Gateway, GatewayFault, Payment, RefundRequest, Webhook, WebhookNews,
};
use crate::id::{AttemptId, RefundId};
use crate::money::{Currency, Money};
use crate::testkit::TestClock;
use crate::time::{Span, Timestamp};

mod disputes;

pub(super) use disputes::{AskedInDispute, Disputed};

pub(super) const NAME: &str = "bank";
const SIGNATURE: (&str, &str) = ("bank-signature", "genuine");
/// After this much past its end a page takes no money by any accident.
const LAST_ACCIDENT: Span = Span::from_mins(20 * 60);

/// What a buyer does at the payment page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtThePage {
    Pays,
    /// Another amount than was asked is taken.
    PaysWrongly,
    IsDeclined,
    /// Nothing is decided yet; the money comes later.
    PaysSlowly,
}

/// What the provider made of a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    Done,
    /// Refused for good.
    Refused,
    /// Done when it has been asked so many times more.
    Processing(u64),
}

#[derive(Debug)]
pub(super) struct Provider {
    chance: Arc<Chance>,
    clock: Arc<TestClock>,
    shaky: AtomicBool,
    /// The planted bug: a repeated refund is made again.
    forgets_refunds: bool,
    /// The planted bug: nobody gets an answer about payments, only webhooks tell.
    tells_nothing: bool,
    books: Mutex<Books>,
}

#[derive(Debug, Default)]
struct Books {
    pages: BTreeMap<AttemptId, Page>,
    payments: Vec<Taken>,
    by_id: BTreeMap<String, usize>,
    /// What webhooks told or will tell: the payment and its state at that time.
    events: Vec<Payment>,
    refunds: Vec<(RefundRequest, Made)>,
    refund_by_id: BTreeMap<RefundId, usize>,
    asked_in_dispute: Vec<AskedInDispute>,
    complaints: Vec<String>,
}

#[derive(Debug)]
struct Page {
    amount: Money,
    ends_at: Timestamp,
    closed: bool,
    /// Its first payment is the page's own.
    payments: Vec<usize>,
}

#[derive(Debug)]
struct Taken {
    id: String,
    attempt: Option<AttemptId>,
    news: PaymentNews,
    dispute: Option<DisputeStatus>,
    /// By the bank, when the dispute was lost.
    taken_back: Option<Money>,
    /// Gone back or on its way, in minor units.
    given_back: i64,
}

impl Taken {
    fn told(&self) -> Payment {
        Payment { payment_id: self.id.clone(), attempt: self.attempt, news: self.news.clone() }
    }
}

impl Books {
    fn add(&mut self, id: String, attempt: Option<AttemptId>, news: PaymentNews) -> usize {
        let place = self.payments.len();
        self.by_id.insert(id.clone(), place);
        self.payments.push(Taken { id, attempt, news, dispute: None, taken_back: None, given_back: 0 });
        place
    }

    /// Writes an event and answers its number.
    fn tell(&mut self, payment: usize) -> usize {
        self.events.push(self.payments[payment].told());
        self.events.len() - 1
    }

    fn payments_of(&self, attempt: AttemptId) -> Vec<Payment> {
        let page = self.pages.get(&attempt);
        let taken = page.into_iter().flat_map(|page| &page.payments).map(|place| &self.payments[*place]);
        taken.flat_map(|taken| std::iter::once(taken.told()).chain(taken.told_of_dispute())).collect()
    }

    /// A refund that is new to the provider.
    fn refund(&mut self, request: &RefundRequest, fate: Made) -> Made {
        let place = self.by_id.get(&request.payment_id).copied();
        let payment = place.map(|place| &mut self.payments[place]);
        let taken = payment.as_ref().map(|payment| payment.news.clone());
        let (Some(PaymentNews::Captured(taken)), Some(payment)) = (taken, payment) else {
            self.complaints.push(format!("refund {}: payment {} took nothing", request.refund, request.payment_id));
            return Made::Refused;
        };
        let back = payment.given_back + request.amount.minor();
        if fate != Made::Refused {
            payment.given_back = back;
        }
        if taken.currency() != request.amount.currency() || back > taken.minor() {
            self.complaints.push(format!("refund {}: {back} would go back of {taken}", request.refund));
        }
        self.refund_by_id.insert(request.refund, self.refunds.len());
        self.refunds.push((request.clone(), fate));
        fate
    }
}

impl Provider {
    pub(super) fn new(chance: Arc<Chance>, clock: Arc<TestClock>, plant: Option<Plant>) -> Self {
        let (forgets_refunds, tells_nothing) = (plant == Some(Plant::ForgetsRefunds), plant == Some(Plant::NeverAsks));
        Self { chance, clock, shaky: AtomicBool::new(true), forgets_refunds, tells_nothing, books: Mutex::default() }
    }

    /// From now on every call arrives and is answered.
    pub(super) fn heal(&self) {
        self.shaky.store(false, Ordering::SeqCst);
    }

    /// A buyer acts at a page. Answers the numbers of the events that are to be told.
    pub(super) fn visit(&self, attempt: AttemptId, does: AtThePage, now: Timestamp) -> Vec<usize> {
        let mut books = self.books.lock();
        let Some(page) = books.pages.get(&attempt) else { return Vec::new() };
        let (asked, own, over) = (page.amount, page.payments[0], page.closed || !now.is_before(page.ends_at));
        if now >= page.ends_at + LAST_ACCIDENT || (over && !self.chance.permille(400)) {
            return Vec::new();
        }
        let again = matches!(books.payments[own].news, PaymentNews::Captured(_));
        if again && does == AtThePage::IsDeclined {
            return Vec::new();
        }
        let payment = if again { self.second(&mut books, attempt) } else { own };
        let mut told = Vec::new();
        if does == AtThePage::PaysSlowly || self.chance.permille(200) {
            told.push(books.tell(payment));
        }
        books.payments[payment].news = match does {
            AtThePage::Pays | AtThePage::PaysSlowly => PaymentNews::Captured(asked),
            AtThePage::PaysWrongly => PaymentNews::Captured(self.wrong(asked)),
            AtThePage::IsDeclined => PaymentNews::Declined,
        };
        told.push(books.tell(payment));
        told
    }

    /// A payment that names no attempt.
    pub(super) fn stray(&self, amount: Money) -> usize {
        let mut books = self.books.lock();
        let id = format!("stray-{}", books.payments.len());
        let place = books.add(id, None, PaymentNews::Captured(amount));
        books.tell(place)
    }

    pub(super) fn is_stray(&self, event: usize) -> bool {
        self.books.lock().events.get(event).is_some_and(|payment| payment.attempt.is_none())
    }

    fn second(&self, books: &mut Books, attempt: AttemptId) -> usize {
        let id = format!("second-{}-{attempt}", books.payments.len());
        let place = books.add(id, Some(attempt), PaymentNews::Pending);
        if let Some(page) = books.pages.get_mut(&attempt) {
            page.payments.push(place);
        }
        place
    }

    fn wrong(&self, asked: Money) -> Money {
        let dollars: Result<Currency, _> = "USD".parse();
        match (self.chance.below(3), dollars) {
            (0, _) => Money::from_minor(asked.minor() - 1, asked.currency()),
            (1, Ok(dollars)) => Money::from_minor(asked.minor(), dollars),
            _ => Money::from_minor(asked.minor() + 1, asked.currency()),
        }
    }

    /// The webhook that tells an event.
    pub(super) fn letter(event: usize) -> (Vec<(String, String)>, Vec<u8>) {
        (vec![(SIGNATURE.0.to_owned(), SIGNATURE.1.to_owned())], event.to_string().into_bytes())
    }

    /// Every payment that took money, with its attempt if it names one.
    pub(super) fn taken(&self) -> Vec<(String, Option<AttemptId>, Money)> {
        let books = self.books.lock();
        let money = |taken: &Taken| match &taken.news {
            PaymentNews::Captured(amount) => Some((taken.id.clone(), taken.attempt, *amount)),
            PaymentNews::Pending
            | PaymentNews::Silent
            | PaymentNews::Declined
            | PaymentNews::Ended
            | PaymentNews::Dispute(_) => None,
        };
        books.payments.iter().filter_map(money).collect()
    }

    /// Every refund in the order in which it was first asked for.
    pub(super) fn refunds(&self) -> Vec<(RefundId, Money, Made)> {
        self.books.lock().refunds.iter().map(|(r, made)| (r.refund, r.amount, *made)).collect()
    }

    pub(super) fn complaints(&self) -> Vec<String> {
        self.books.lock().complaints.clone()
    }

    /// A call that may be lost, or whose answer may be.
    fn call<'a, T: Send + 'a>(
        &'a self,
        act: impl FnOnce(&Self) -> T + Send + 'a,
    ) -> BoxFuture<'a, Result<T, GatewayFault>> {
        Box::pin(async move {
            let shaky = || self.shaky.load(Ordering::SeqCst);
            if shaky() {
                pause(self.chance.below(3)).await;
                if self.chance.permille(30) {
                    return Err(GatewayFault("the call was lost".to_owned()));
                }
            }
            let answer = act(self);
            if shaky() {
                pause(self.chance.below(3)).await;
                if self.chance.permille(30) {
                    return Err(GatewayFault("the answer was lost".to_owned()));
                }
            }
            Ok(answer)
        })
    }

    fn open(&self, request: &CreatePayment) -> Checkout {
        let mut books = self.books.lock();
        let id = format!("own-{}", request.attempt);
        let known = books.pages.get(&request.attempt).map(|page| page.amount);
        match known {
            Some(amount) if amount != request.amount => {
                books.complaints.push(format!("page {}: asked for {amount} and {}", request.attempt, request.amount));
            }
            Some(_) => {}
            None => {
                let own = books.add(id.clone(), Some(request.attempt), PaymentNews::Pending);
                let (amount, ends_at) = (request.amount, request.page_ends_at);
                books.pages.insert(request.attempt, Page { amount, ends_at, closed: false, payments: vec![own] });
            }
        }
        Checkout { payment_id: id, url: format!("https://bank.example/{}", request.attempt) }
    }

    fn shut(&self, attempt: AttemptId) -> Vec<Payment> {
        let mut books = self.books.lock();
        let own = books.pages.get_mut(&attempt).map(|page| {
            page.closed = true;
            page.payments[0]
        });
        if let Some(own) = own
            && books.payments[own].news == PaymentNews::Pending
        {
            books.payments[own].news = PaymentNews::Ended;
        }
        self.tells(&books, attempt)
    }

    fn tells(&self, books: &Books, attempt: AttemptId) -> Vec<Payment> {
        if self.tells_nothing { Vec::new() } else { books.payments_of(attempt) }
    }

    fn give_back(&self, request: &RefundRequest) -> RefundAnswer {
        let mut books = self.books.lock();
        let disputed = books.is_in_dispute(request, self.clock.now());
        let known = books.refund_by_id.get(&request.refund).copied();
        let made = match known.filter(|_| !self.forgets_refunds) {
            Some(place) => {
                let (first, made) = &mut books.refunds[place];
                let same = first == request;
                if let Made::Processing(left) = made
                    && !disputed
                {
                    *made = if *left == 0 { Made::Done } else { Made::Processing(*left - 1) };
                }
                let made = *made;
                if !same {
                    books.complaints.push(format!("refund {}: asked again for something else", request.refund));
                }
                made
            }
            None if disputed => return RefundAnswer::Unknown,
            None => {
                let fate = match self.chance.below(20) {
                    0 if self.shaky.load(Ordering::SeqCst) => Made::Refused,
                    1 | 2 => Made::Processing(self.chance.below(3)),
                    _ => Made::Done,
                };
                books.refund(request, fate)
            }
        };
        match made {
            Made::Done => RefundAnswer::Succeeded { provider_refund_id: format!("refund-{}", request.refund) },
            Made::Refused => RefundAnswer::Failed,
            Made::Processing(_) => RefundAnswer::Unknown,
        }
    }
}

impl Gateway for Provider {
    fn name(&self) -> &str {
        NAME
    }

    fn create<'a>(&'a self, request: &'a CreatePayment) -> BoxFuture<'a, Result<Checkout, GatewayFault>> {
        self.call(|provider| provider.open(request))
    }

    fn close<'a>(&'a self, attempt: AttemptId) -> BoxFuture<'a, Result<Vec<Payment>, GatewayFault>> {
        self.call(move |provider| provider.shut(attempt))
    }

    fn look_up<'a>(&'a self, attempt: AttemptId) -> BoxFuture<'a, Result<Vec<Payment>, GatewayFault>> {
        self.call(move |provider| provider.tells(&provider.books.lock(), attempt))
    }

    fn refund<'a>(&'a self, request: &'a RefundRequest) -> BoxFuture<'a, Result<RefundAnswer, GatewayFault>> {
        self.call(|provider| provider.give_back(request))
    }

    fn verify(&self, webhook: &Webhook<'_>) -> Result<WebhookNews, BadWebhook> {
        let signed = webhook.headers.iter().any(|(name, value)| (name.as_str(), value.as_str()) == SIGNATURE);
        if !signed {
            return Err(BadWebhook::Signature);
        }
        let number: Option<usize> = std::str::from_utf8(webhook.body).ok().and_then(|text| text.parse().ok());
        let books = self.books.lock();
        let payment = number.and_then(|number| books.events.get(number)).cloned();
        let payment = payment.ok_or_else(|| BadWebhook::Body("it is about nothing".to_owned()))?;
        Ok(WebhookNews { event_id: format!("{number:?}"), payments: vec![payment] })
    }
}
