//! A payment provider that keeps everybody waiting: who waits for it holds nothing of the store.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use boxoffice::booking::BookingStatus;
use boxoffice::command::RefundAnswer;
use boxoffice::gateway::{
    BadWebhook, BoxFuture, Checkout, CreatePayment, Gateway, GatewayFault, Payment, RefundRequest, Webhook, WebhookNews,
};
use boxoffice::id::{AttemptId, ShowNo};
use boxoffice::service::BoxOffice;
use boxoffice::store::Store;
use boxoffice::testkit::{ScriptedGateway, SeededEntropy};
use pollster::block_on;

use crate::sale::{booking, cinema, execute, hold};

/// More than the store opens connections for reading.
const BUYERS: u8 = 100;

/// Opens payment pages only once it is told to.
#[derive(Debug)]
struct Slow {
    bank: Arc<ScriptedGateway>,
    /// Whether it answers, and a sign that it does or that somebody waits.
    answers: Mutex<bool>,
    changed: Condvar,
    waiting: AtomicUsize,
}

impl Slow {
    fn wait(&self) {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.answers.lock().expect("a lock");
        self.changed.notify_all();
        while !*answers {
            answers = self.changed.wait(answers).expect("a lock");
        }
        drop(answers);
    }

    fn until_all_wait(&self, buyers: usize) {
        let mut answers = self.answers.lock().expect("a lock");
        while self.waiting.load(Ordering::SeqCst) < buyers {
            answers = self.changed.wait(answers).expect("a lock");
        }
        drop(answers);
    }

    fn answer(&self) {
        *self.answers.lock().expect("a lock") = true;
        self.changed.notify_all();
    }
}

impl Gateway for Slow {
    fn name(&self) -> &str {
        "slow"
    }

    fn create<'a>(&'a self, request: &'a CreatePayment) -> BoxFuture<'a, Result<Checkout, GatewayFault>> {
        Box::pin(async move {
            self.wait();
            self.bank.create(request).await
        })
    }

    fn close<'a>(&'a self, attempt: AttemptId) -> BoxFuture<'a, Result<Vec<Payment>, GatewayFault>> {
        self.bank.close(attempt)
    }

    fn look_up<'a>(&'a self, attempt: AttemptId) -> BoxFuture<'a, Result<Vec<Payment>, GatewayFault>> {
        self.bank.look_up(attempt)
    }

    fn refund<'a>(&'a self, request: &'a RefundRequest) -> BoxFuture<'a, Result<RefundAnswer, GatewayFault>> {
        self.bank.refund(request)
    }

    fn verify(&self, webhook: &Webhook<'_>) -> Result<WebhookNews, BadWebhook> {
        self.bank.verify(webhook)
    }
}

/// While a hundred wait for the bank, maps are read, seats are held, and another's payment is settled.
#[test]
fn case_114_who_waits_for_the_bank_holds_no_connection() {
    let (_folder, _, store) = cinema(9);
    let store = Arc::new(store);
    let bank = Arc::new(ScriptedGateway::new("slow"));
    let slow = Arc::new(Slow {
        bank: bank.clone(),
        answers: Mutex::new(false),
        changed: Condvar::new(),
        waiting: AtomicUsize::new(0),
    });
    let quick = BoxOffice::new(store.clone(), vec![bank.clone()], Arc::new(SeededEntropy::new(1)));
    let office = BoxOffice::new(store.clone(), vec![slow.clone()], Arc::new(SeededEntropy::new(2)));
    let paid = booking(1, 0);
    for number in 0..=BUYERS {
        let (show, seat) = (1 + u32::from(number) / 20, u16::from(number) % 20);
        execute(&store, hold(show, seat, number)).expect("a hold");
    }
    let opened = block_on(quick.start_payment(paid, None, "/return", None)).expect("a page");
    let attempt = opened.outcome.booking.expect("the booking").attempts[0].id;

    std::thread::scope(|scope| {
        let pages: Vec<_> = (1..=BUYERS)
            .map(|number| {
                let (office, show) = (&office, 1 + u32::from(number) / 20);
                scope.spawn(move || block_on(office.start_payment(booking(show, number), None, "/return", None)))
            })
            .collect();
        slow.until_all_wait(usize::from(BUYERS));
        for _ in 0..200 {
            let read = block_on(store.seats(ShowNo(1))).expect("a map");
            assert_eq!(read.seats.claims.iter().flatten().count(), 20);
        }
        let webhook = bank.pay(attempt).expect("a payment");
        let webhook = Webhook { headers: &webhook.headers, body: &webhook.body, now: store.now() };
        block_on(office.webhook("slow", &webhook)).expect("news that arrive");
        let sold = block_on(store.booking(paid)).expect("a store").expect("the booking");
        assert_eq!(sold.status, BookingStatus::Confirmed);
        execute(&store, hold(9, 0, 255)).expect("a hold");
        slow.answer();
        for page in pages {
            page.join().expect("a buyer").expect("a page at last");
        }
    });
    assert_eq!(slow.waiting.load(Ordering::SeqCst), usize::from(BUYERS));
}
