//! A cinema to test: the server of `boxoffice serve` on a port of its own, its clock frozen by
//! the test, and a client that sees every answer whole.

use std::future::Future;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Once};
use std::time::Duration;

use boxoffice::catalogue::file::SourceFile;
use boxoffice::clock::{Clock, SystemClock};
use boxoffice::memory::MemoryStore;
use boxoffice::service::BoxOffice;
use boxoffice::store::Store;
use boxoffice_server::app::Patience;
use boxoffice_server::auth::{NewKey, Role, staff};
use boxoffice_server::entropy::OsEntropy;
use boxoffice_server::mail::MailConfig;
use boxoffice_server::serve::{Server, Settings};
use boxoffice_store::SqliteStore;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::log;

pub mod documented;
pub mod faulty;

pub use faulty::FaultyStore;

/// The instant at which most tests begin: two days before the standard fixture's show.
pub const T0: &str = "2027-06-10T18:00:00Z";
pub const STANDARD: &str = include_str!("../../../../fixtures/standard.toml");
pub const CHAIN: &str = include_str!("../../../../fixtures/chain.toml");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Memory,
    Sqlite,
}

pub const BOTH: [Kind; 2] = [Kind::Memory, Kind::Sqlite];

/// A server that runs until it is closed.
pub struct Cinema {
    pub url: String,
    pub store: Arc<FaultyStore>,
    pub office: BoxOffice,
    client: reqwest::Client,
    stop: Option<oneshot::Sender<()>>,
    running: Option<JoinHandle<anyhow::Result<()>>>,
    folder: TempDir,
}

/// How an answer came back.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
}

impl Answer {
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|e| panic!("{e} in {} {:?}", self.status, self.text))
    }

    /// The body, if the status is this one.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        if self.text.is_empty() { Value::Null } else { self.json() }
    }

    /// The problem, if it has this code and its status.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> Value {
        let problem = self.expect(status);
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["type"], format!("/problems/{code}"));
        assert_eq!(problem["status"], status);
        assert_eq!(self.header("content-type"), "application/problem+json");
        problem
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// A booking that a test made, and the token that opens it.
#[derive(Debug, Clone)]
pub struct Held {
    pub id: String,
    pub token: String,
    pub body: Value,
}

impl Cinema {
    /// A cinema with the standard fixture at [`T0`], its clock standing still.
    pub async fn standard(kind: Kind) -> Self {
        Self::with(kind, STANDARD, T0).await
    }

    pub async fn with(kind: Kind, catalogue: &str, at: &str) -> Self {
        Self::with_patience(kind, catalogue, at, Patience::default()).await
    }

    /// A cinema at [`T0`] that sends its mail by this server.
    pub async fn mailing(kind: Kind, catalogue: &str, smtp: &str) -> Self {
        let from = Some("Kino am Markt <tickets@example.org>".to_owned());
        let mail = MailConfig { smtp: Some(smtp.to_owned()), from, reply_to: None };
        let mail = mail.check().expect("a mail server that can be used");
        Self::set_up(kind, |settings| settings.mail = mail).await.stocked(catalogue, T0).await
    }

    pub async fn with_patience(kind: Kind, catalogue: &str, at: &str, patience: Patience) -> Self {
        Self::set_up(kind, |settings| settings.patience = patience).await.stocked(catalogue, at).await
    }

    /// A cinema with the standard fixture at [`T0`], set up as the test says.
    pub async fn with_settings(kind: Kind, set: impl FnOnce(&mut Settings)) -> Self {
        Self::set_up(kind, set).await.stocked(STANDARD, T0).await
    }

    async fn stocked(self, catalogue: &str, at: &str) -> Self {
        self.set_clock(json!({ "set": at, "freeze": true })).await.expect(200);
        self.stock(catalogue).await;
        self
    }

    async fn stock(&self, catalogue: &str) {
        let file = SourceFile { name: "fixture".into(), text: catalogue.into() };
        let imported = boxoffice_server::import::run(&*self.store, &[file], false).await.expect("a store that answers");
        assert_eq!(imported.errors, Vec::<String>::new());
    }

    /// The file of a cinema of [`Kind::Sqlite`].
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("b.db")
    }

    /// A cinema with the standard fixture whose machine has this clock.
    pub async fn by_clock(kind: Kind, clock: Arc<dyn Clock>) -> Self {
        let cinema = Self::set_up_by(kind, clock, |_| ()).await;
        cinema.stock(STANDARD).await;
        cinema
    }

    async fn set_up(kind: Kind, set: impl FnOnce(&mut Settings)) -> Self {
        Self::set_up_by(kind, Arc::new(SystemClock), set).await
    }

    async fn set_up_by(kind: Kind, clock: Arc<dyn Clock>, set: impl FnOnce(&mut Settings)) -> Self {
        static CLIENTS: Once = Once::new();
        CLIENTS.call_once(log::capture);
        let folder = TempDir::new().expect("a folder");
        let inner: Arc<dyn Store> = match kind {
            Kind::Memory => Arc::new(MemoryStore::new(clock)),
            Kind::Sqlite => Arc::new(SqliteStore::open(&folder.path().join("b.db"), clock).expect("a store")),
        };
        let store = Arc::new(FaultyStore::over(inner));
        let listen = "127.0.0.1:0".parse().expect("an address");
        let mut settings = Settings { test_clock: true, ..Settings::at(listen) };
        set(&mut settings);
        let server = Server::bind(store.clone(), &settings).await.expect("a server");
        let url = format!("http://{}", server.address());
        let office = server.state().office.clone();
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        let client = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
        // No connection is used twice: a server may close one whose last body it did not read.
        let client = client.pool_max_idle_per_host(0).timeout(Duration::from_secs(60)).build().expect("a client");
        Self { url, store, office, client, stop: Some(stop), running: Some(running), folder }
    }

    /// Kills the server in the middle of whatever it does and starts another one on the same file.
    pub async fn kill_and_start_again(&mut self) {
        let running = self.running.take().expect("a server that runs");
        running.abort();
        let _ = running.await;
        let store = SqliteStore::open(&self.folder.path().join("b.db"), Arc::new(SystemClock)).expect("a store");
        self.store = Arc::new(FaultyStore::over(Arc::new(store)));
        let listen = "127.0.0.1:0".parse().expect("an address");
        let settings = Settings { test_clock: true, ..Settings::at(listen) };
        let server = Server::bind(self.store.clone(), &settings).await.expect("a server");
        self.url = format!("http://{}", server.address());
        self.office = server.state().office.clone();
        let (stop, stopped) = oneshot::channel();
        self.stop = Some(stop);
        self.running = Some(tokio::spawn(server.run(async {
            let _ = stopped.await;
        })));
    }

    /// Stops the server as SIGTERM does; what it kept stays.
    pub async fn stop(&mut self) {
        drop(self.stop.take());
        let running = self.running.take().expect("a server that runs");
        running.await.expect("a server that did not panic").expect("a graceful stop");
    }

    /// Starts a stopped server again on its store and at its address.
    pub async fn start_again(&mut self) {
        let listen = self.url.trim_start_matches("http://").parse().expect("an address");
        let settings = Settings { test_clock: true, ..Settings::at(listen) };
        let server = Server::bind(self.store.clone(), &settings).await.expect("a server");
        self.office = server.state().office.clone();
        let (stop, stopped) = oneshot::channel();
        self.running = Some(tokio::spawn(server.run(async {
            let _ = stopped.await;
        })));
        self.stop = Some(stop);
    }

    /// Stops the server and proves its books.
    pub async fn close(mut self) {
        let audit = boxoffice::audit::audit(&*self.store).await.expect("an audit");
        for check in &audit.checks {
            assert_eq!(check.broken, Vec::<String>::new(), "{}", check.name);
        }
        self.stop().await;
    }

    pub async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: Option<&str>) -> Answer {
        let url = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.url) };
        let mut request = self.client.request(method.clone(), url);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.body(body.to_owned());
        }
        let response = request.send().await.expect("an answer");
        let (status, headers) = (response.status(), response.headers().clone());
        let answer = Answer { status, headers, text: response.text().await.expect("a whole body") };
        documented::check(&method, path, &answer);
        answer
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, &[], Some(&body.to_string())).await
    }

    pub async fn post_raw(&self, path: &str, body: &str) -> Answer {
        self.send(Method::POST, path, &[], Some(body)).await
    }

    pub async fn get_as(&self, token: &str, path: &str) -> Answer {
        self.send(Method::GET, path, &[("authorization", &format!("Bearer {token}"))], None).await
    }

    /// A file, as its bytes.
    pub async fn bytes_as(&self, token: &str, path: &str) -> Vec<u8> {
        let request = self.client.get(format!("{}{path}", self.url)).bearer_auth(token);
        let response = request.send().await.expect("an answer");
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        response.bytes().await.expect("a whole body").to_vec()
    }

    pub async fn post_as(&self, token: &str, path: &str, body: Value) -> Answer {
        let bearer = format!("Bearer {token}");
        self.send(Method::POST, path, &[("authorization", &bearer)], Some(&body.to_string())).await
    }

    pub async fn patch_as(&self, token: &str, path: &str, body: Value) -> Answer {
        let bearer = format!("Bearer {token}");
        self.send(Method::PATCH, path, &[("authorization", &bearer)], Some(&body.to_string())).await
    }

    pub async fn set_clock(&self, change: Value) -> Answer {
        self.post("/test/clock", change).await
    }

    /// Moves the frozen clock on.
    pub async fn advance_s(&self, seconds: f64) {
        self.set_clock(json!({ "advance_s": seconds, "freeze": true })).await.expect(200);
    }

    /// A key of the staff.
    pub async fn key(&self, role: Role) -> String {
        let new = NewKey { name: "test".into(), role, screen: None, theatre: None, expires_at: None };
        self.made(new).await.1
    }

    /// A key of the staff and its id.
    pub async fn made(&self, new: NewKey) -> (String, String) {
        staff::add(&*self.store, &OsEntropy, new).await.expect("a key")
    }

    /// Imports a catalogue over the API.
    pub async fn import_as_manager(&self, text: &str) -> Answer {
        let bearer = format!("Bearer {}", self.key(Role::Manager).await);
        self.send(Method::POST, "/api/v1/admin/catalogue", &[("authorization", &bearer)], Some(text)).await
    }

    pub async fn try_hold(&self, show: &str, seats: &[&str]) -> Answer {
        self.post("/api/v1/bookings", json!({ "show": show, "seats": seats, "customer": { "email": "a@example.org" } }))
            .await
    }

    pub async fn hold(&self, show: &str, seats: &[&str]) -> Held {
        let body = self.try_hold(show, seats).await.expect(201);
        let text = |member: &str| body[member].as_str().expect(member).to_owned();
        Held { id: text("id"), token: text("token"), body }
    }

    pub async fn booking(&self, held: &Held) -> Value {
        self.get_as(&held.token, &format!("/api/v1/bookings/{}", held.id)).await.expect(200)
    }

    pub async fn try_pay(&self, held: &Held) -> Answer {
        self.post_as(&held.token, &format!("/api/v1/bookings/{}/payments", held.id), json!({})).await
    }

    /// Starts a payment and answers its page's address.
    pub async fn checkout(&self, held: &Held) -> String {
        self.try_pay(held).await.expect(201)["checkout_url"].as_str().expect("an address").to_owned()
    }

    /// Presses a button on the sandbox's page.
    pub async fn press(&self, checkout_url: &str, form: &str) {
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        let answer = self.send(Method::POST, checkout_url, &headers, Some(form)).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    }

    /// Pays, and waits until the news has arrived.
    pub async fn pay(&self, held: &Held) -> Value {
        self.press(&self.checkout(held).await, "outcome=success").await;
        self.until_status(held, "confirmed").await
    }

    pub async fn cancel(&self, held: &Held) -> Answer {
        self.post_as(&held.token, &format!("/api/v1/bookings/{}/cancel", held.id), json!({})).await
    }

    pub async fn until_status(&self, held: &Held, status: &str) -> Value {
        let mut last = Value::Null;
        until(async || {
            last = self.booking(held).await;
            last["status"] == status
        })
        .await;
        last
    }

    /// The booking's first refund, once there is one.
    pub async fn until_refund(&self, held: &Held) -> Value {
        let mut refund = Value::Null;
        until(async || {
            refund = self.booking(held).await["refunds"][0].clone();
            !refund.is_null()
        })
        .await;
        refund
    }

    pub async fn tickets(&self, held: &Held) -> Vec<Value> {
        let list = self.get_as(&held.token, &format!("/api/v1/bookings/{}/tickets", held.id)).await.expect(200);
        list["items"].as_array().expect("a list").clone()
    }

    pub async fn seats(&self, show: &str) -> Value {
        self.get(&format!("/api/v1/shows/{show}/seats")).await.expect(200)
    }

    pub async fn seat_status(&self, show: &str, label: &str) -> String {
        let map = self.seats(show).await;
        let seats = map["seats"].as_array().expect("seats");
        let seat = seats.iter().find(|seat| seat["label"] == label).expect(label);
        seat["status"].as_str().expect("a status").to_owned()
    }

    pub async fn seats_left(&self, show: &str) -> u64 {
        self.get(&format!("/api/v1/shows/{show}")).await.expect(200)["seats_left"].as_u64().expect("a count")
    }

    /// What the sandbox knows of a booking's payments, oldest first.
    pub async fn sandbox_payments(&self, held: &Held) -> Vec<Value> {
        let all = self.get("/test/sandbox/payments").await.expect(200);
        let items = all["items"].as_array().expect("a list").clone();
        let ours = |p: &Value| p["reference"].as_str().is_some_and(|r| r.starts_with(&held.id));
        let mut items: Vec<Value> = items.into_iter().filter(ours).collect();
        items.sort_by_key(|p| p["reference"].as_str().map(str::to_owned));
        items
    }

    /// Has the sandbox send an event once more; whether it was taken.
    pub async fn redeliver(&self, event: &Value) -> bool {
        let id = event["id"].as_str().expect("an event's id");
        let answer = self.post(&format!("/test/sandbox/events/{id}/redeliver"), json!({})).await.expect(200);
        answer["delivered"].as_bool().expect("yes or no")
    }

    /// Makes the store fail every step, or heals it.
    pub fn break_store(&self, broken: bool) {
        self.store.broken.store(broken, Ordering::SeqCst);
    }
}

/// Looks again until it is so. Fails after a time that no healthy machine needs.
#[track_caller]
pub fn until(mut look: impl AsyncFnMut() -> bool) -> impl Future<Output = ()> {
    let caller = std::panic::Location::caller();
    async move {
        let looks = async {
            while !look().await {
                tokio::task::yield_now().await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(60), looks).await;
        assert!(waited.is_ok(), "{caller}: it did not come to be");
    }
}
