//! Tests of the sandbox: its switches, its page after the end, and how it delivers its events.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use boxoffice::clock::Clock;
use boxoffice::id::{BookingId, PartId, ShowNo};
use boxoffice::memory::MemoryStore;
use boxoffice::money::Money;
use boxoffice::time::{Span, Timestamp};
use parking_lot::Mutex;

use super::event::Sending;
use super::payment::{Press, PressOutcome};
use super::*;
use crate::entropy::OsEntropy;

fn start() -> Timestamp {
    Timestamp::from_ms(1_800_000_000_000)
}

#[derive(Debug)]
struct Fixed(Mutex<Timestamp>);

impl Clock for Fixed {
    fn now(&self) -> Timestamp {
        *self.0.lock()
    }
}

/// The seller's end: it counts what it is sent and answers as told.
#[derive(Debug, Default)]
struct Seller {
    bodies: Mutex<Vec<String>>,
    /// So many deliveries are answered with 503 first.
    refuse: AtomicUsize,
}

struct World {
    sandbox: Arc<Sandbox>,
    gateway: SandboxGateway,
    seller: Arc<Seller>,
    clock: Arc<Fixed>,
}

async fn take(
    State((world, seller)): State<(SandboxGatewayCell, Arc<Seller>)>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let headers: Vec<(String, String)> = headers
        .iter()
        .map(|(n, v)| (n.as_str().to_owned(), String::from_utf8_lossy(v.as_bytes()).into_owned()))
        .collect();
    let gateway = world.lock().clone().unwrap();
    let now = gateway.0.records.now();
    if gateway.verify(&Webhook { headers: &headers, body: &body, now }).is_err() {
        return StatusCode::BAD_REQUEST;
    }
    if seller.refuse.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)).is_ok() {
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    seller.bodies.lock().push(String::from_utf8_lossy(&body).into_owned());
    StatusCode::NO_CONTENT
}

type SandboxGatewayCell = Arc<Mutex<Option<SandboxGateway>>>;

async fn world() -> World {
    let clock = Arc::new(Fixed(Mutex::new(start())));
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new(clock.clone()));
    let seller = Arc::new(Seller::default());
    let cell = SandboxGatewayCell::default();
    let listener = tokio::net::TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
    let webhook_url = format!("http://{}/hook", listener.local_addr().unwrap());
    let app = Router::new().route("/hook", post(take)).with_state((cell.clone(), seller.clone()));
    tokio::spawn(async move { axum::serve(listener, app).await });
    let config = SandboxConfig { public_url: "http://shop.test".to_owned(), webhook_url };
    let sandbox = Sandbox::open(store, &OsEntropy, config).await.unwrap();
    let gateway = SandboxGateway(sandbox.clone());
    *cell.lock() = Some(gateway.clone());
    World { sandbox, gateway, seller, clock }
}

fn attempt(no: u16) -> AttemptId {
    PartId { booking: BookingId::new(ShowNo(1), start(), [9; 6]), no }
}

fn euros(minor: i64) -> Money {
    Money::from_minor(minor, "EUR".parse().unwrap())
}

fn request(no: u16) -> CreatePayment {
    CreatePayment {
        attempt: attempt(no),
        amount: euros(1_370),
        description: "Booking X".to_owned(),
        page_ends_at: start() + Span::from_mins(9),
        return_url: "http://shop.test/back".to_owned(),
    }
}

fn press(outcome: PressOutcome) -> Press {
    Press { outcome, delay: Span::from_ms(0), drop: false, amount: None }
}

impl World {
    async fn open(&self, no: u16) -> Checkout {
        self.gateway.create(&request(no)).await.unwrap()
    }

    async fn press(&self, id: &str, press: Press, sending: Sending) {
        let pressed = self.sandbox.records.update(id, |p, now| p.press(&press, now)).await.unwrap();
        let (payment, events) = pressed.unwrap();
        self.sandbox.announce(&payment, events, sending);
    }

    /// How often the seller has taken an event of this kind.
    fn taken(&self, kind: &str) -> usize {
        self.seller.bodies.lock().iter().filter(|b| b.contains(kind)).count()
    }

    async fn until(&self, what: impl AsyncFn(&Self) -> bool) {
        let all = async {
            while !what(self).await {
                tokio::time::sleep(std::time::Duration::from_millis(2)).await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(20), all).await.expect("the state is reached");
    }

    async fn all_delivered(&self) -> bool {
        self.sandbox.payments().await.unwrap().iter().all(|p| p.events.iter().all(|e| e.delivered))
    }
}

#[tokio::test]
async fn the_same_attempt_has_one_page_and_one_payment() {
    let world = world().await;
    let first = world.open(1).await;
    assert_eq!(world.open(1).await, first);
    assert_ne!(world.open(2).await, first);
    assert_eq!(world.sandbox.payments().await.unwrap().len(), 2);
    assert!(first.url.starts_with("http://shop.test/sandbox/pay/pay_"), "{}", first.url);
}

#[tokio::test]
async fn pressing_pay_twice_is_one_payment_and_each_event_arrives_signed() {
    let world = world().await;
    let id = world.open(1).await.payment_id;
    for _ in 0..2 {
        world.press(&id, press(PressOutcome::Success), Sending::Once).await;
    }
    world.until(World::all_delivered).await;
    assert_eq!((world.taken("payment.created"), world.taken("payment.captured")), (1, 1));
    let known = world.gateway.look_up(attempt(1)).await.unwrap();
    assert_eq!(known[0].news, PaymentNews::Captured(euros(1_370)));
}

#[tokio::test]
async fn a_declined_payment_can_still_succeed_and_a_late_one_too() {
    let world = world().await;
    let id = world.open(1).await.payment_id;
    world.press(&id, press(PressOutcome::Decline), Sending::Once).await;
    assert_eq!(world.gateway.look_up(attempt(1)).await.unwrap()[0].news, PaymentNews::Declined);
    assert_eq!(world.gateway.close(attempt(1)).await.unwrap()[0].news, PaymentNews::Ended);
    *world.clock.0.lock() = start() + Span::from_mins(60);
    world.press(&id, press(PressOutcome::Success), Sending::Once).await;
    assert_eq!(world.gateway.close(attempt(1)).await.unwrap()[0].news, PaymentNews::Captured(euros(1_370)));
    assert_eq!(world.gateway.look_up(attempt(7)).await.unwrap(), [], "an attempt it never heard of");
}

#[tokio::test]
async fn a_repeated_event_is_the_same_bytes_and_a_dropped_one_never_comes_by_itself() {
    let world = world().await;
    let id = world.open(1).await.payment_id;
    let repeat = Sending::Switched { delay: Span::from_ms(5), repeat: 20 };
    world.press(&id, press(PressOutcome::Success), repeat).await;
    world.until(async |w: &World| w.taken("payment.captured") == 20).await;
    let mut captured: Vec<String> =
        world.seller.bodies.lock().iter().filter(|b| b.contains("captured\"")).cloned().collect();
    captured.dedup();
    assert_eq!(captured.len(), 1);

    let id = world.open(2).await.payment_id;
    let dropped = Press { drop: true, ..press(PressOutcome::Success) };
    world.press(&id, dropped, Sending::Never).await;
    *world.clock.0.lock() = start() + Span::from_mins(60);
    world.sandbox.deliver_due().await;
    assert_eq!(world.taken("payment.captured"), 20);
    let event = world.sandbox.payments().await.unwrap().into_iter().find(|p| p.id == id).unwrap().events.pop().unwrap();
    assert!(world.sandbox.redeliver(&event.id).await.unwrap());
    assert_eq!(world.taken("payment.captured"), 21);
    assert!(!world.sandbox.redeliver("evt_none.1").await.unwrap());
}

#[tokio::test]
async fn a_fault_of_the_seller_is_tried_again_later_by_the_clock() {
    let world = world().await;
    world.seller.refuse.store(1, Ordering::SeqCst);
    world.open(1).await;
    let tried = async |w: &World| w.sandbox.payments().await.unwrap()[0].events[0].tries == 1;
    world.until(tried).await;
    world.sandbox.deliver_due().await;
    assert_eq!(world.taken("payment.created"), 0, "not before its time");
    *world.clock.0.lock() = start() + Span::from_secs(5);
    world.sandbox.deliver_due().await;
    assert_eq!(world.taken("payment.created"), 1);
    assert!(world.all_delivered().await);
}

#[tokio::test]
async fn refunds_are_once_per_key_and_never_more_than_was_taken() {
    let world = world().await;
    let id = world.open(1).await.payment_id;
    let refund = |no, minor| RefundRequest { refund: attempt(no), payment_id: id.clone(), amount: euros(minor) };
    assert_eq!(world.gateway.refund(&refund(1, 100)).await.unwrap(), RefundAnswer::Failed, "nothing was taken");
    world.press(&id, press(PressOutcome::Success), Sending::Once).await;
    let first = world.gateway.refund(&refund(1, 1_000)).await.unwrap();
    assert!(matches!(first, RefundAnswer::Succeeded { .. }));
    assert_eq!(world.gateway.refund(&refund(1, 1_000)).await.unwrap(), first);
    assert_eq!(world.gateway.refund(&refund(2, 371)).await.unwrap(), RefundAnswer::Failed);
    assert!(matches!(world.gateway.refund(&refund(3, 370)).await.unwrap(), RefundAnswer::Succeeded { .. }));
    let unknown = RefundRequest { payment_id: "pay_none".to_owned(), ..refund(4, 1) };
    assert_eq!(world.gateway.refund(&unknown).await.unwrap(), RefundAnswer::Failed);
    assert_eq!(world.sandbox.refunds().await.unwrap().len(), 2);
}

#[tokio::test]
async fn an_outage_before_does_nothing_and_one_after_loses_only_the_answer() {
    let world = world().await;
    world.sandbox.set_faults(Faults { before: 1, after: 0 }).await.unwrap();
    world.gateway.create(&request(1)).await.unwrap_err();
    assert_eq!(world.sandbox.payments().await.unwrap().len(), 0);
    world.sandbox.set_faults(Faults { before: 0, after: 1 }).await.unwrap();
    world.gateway.create(&request(1)).await.unwrap_err();
    assert_eq!(world.sandbox.payments().await.unwrap().len(), 1);
    world.open(1).await;
    assert_eq!(world.sandbox.payments().await.unwrap().len(), 1);
}

#[test]
fn a_signature_holds_for_its_bytes_and_its_time_only() {
    let secret = Secret::new([5; 32]);
    let now = Timestamp::from_ms(1_800_000_000_000);
    let signed = secret.sign("evt_1", "{}", now);
    let check = |id: &str, signature: &str, body: &str, at: Timestamp| {
        let headers = [
            ("webhook-id".to_owned(), id.to_owned()),
            ("webhook-timestamp".to_owned(), signed.timestamp.clone()),
            ("webhook-signature".to_owned(), signature.to_owned()),
        ];
        secret.check(&Webhook { headers: &headers, body: body.as_bytes(), now: at })
    };
    let good = &signed.signature;
    let stale = |off_s| Err(BadWebhook::Stale { off_s, tolerance_s: 300 });
    let wrong = Err(BadWebhook::Signature);
    let cases = [
        (check("evt_1", good, "{}", now), Ok(())),
        (check("evt_1", &format!("v1a,AAAA v1,AAAA {good}"), "{}", now), Ok(())),
        (check("evt_1", good, "{} ", now), wrong.clone()),
        (check("evt_2", good, "{}", now), wrong.clone()),
        (check("evt_1", "", "{}", now), wrong.clone()),
        (check("evt_1", "v1,", "{}", now), wrong.clone()),
        (check("evt_1", &good.replace("v1,", ""), "{}", now), wrong.clone()),
        (check("evt_1", good, "{}", now + Span::from_secs(300)), Ok(())),
        (check("evt_1", good, "{}", now - Span::from_secs(300)), Ok(())),
        (check("evt_1", good, "{}", now + Span::from_secs(301)), stale(-301)),
        (check("evt_1", good, "{}", now - Span::from_secs(301)), stale(301)),
    ];
    for (i, (got, want)) in cases.into_iter().enumerate() {
        assert_eq!(got, want, "case {i}");
    }
}
