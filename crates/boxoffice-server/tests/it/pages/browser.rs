//! A browser without JavaScript, as far as the tests of the pages need one, and a server with a
//! cinema to point it at.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use boxoffice::booking::{Booking, BookingStatus};
use boxoffice::catalogue::file::SourceFile;
use boxoffice::clock::SystemClock;
use boxoffice::id::BookingId;
use boxoffice::memory::MemoryStore;
use boxoffice::store::ClockChange;
use boxoffice::time::Timestamp;
use boxoffice_server::app::AppState;
use boxoffice_server::import;
use boxoffice_server::serve::{Server, Settings};
use parking_lot::Mutex;
use reqwest::{Method, StatusCode, header};

const STANDARD: &str = include_str!("../../../../../fixtures/standard.toml");

/// A running server on a memory store with the standard cinema, ten days before its show.
pub(crate) struct Cinema {
    pub(crate) url: String,
    pub(crate) state: AppState,
}

impl Cinema {
    pub(crate) async fn open() -> Self {
        Self::with(&[STANDARD]).await
    }

    pub(crate) async fn with(files: &[&str]) -> Self {
        let store = Arc::new(MemoryStore::new(Arc::new(SystemClock)));
        let settings = Settings { listen: ([127, 0, 0, 1], 0).into(), base_url: None, demo: false, test_clock: true };
        let server = Server::bind(store, &settings).await.unwrap();
        let cinema = Self { url: format!("http://{}", server.address()), state: server.state().clone() };
        cinema.set_clock("2027-06-02T18:00:00Z").await;
        let file = |text: &&str| SourceFile { name: "test.toml".to_owned(), text: (*text).to_owned() };
        let files: Vec<SourceFile> = files.iter().map(file).collect();
        let imported = import::run(cinema.state.store(), &files, false).await.unwrap();
        assert_eq!(imported.errors, Vec::<String>::new());
        tokio::spawn(server.run(std::future::pending()));
        cinema
    }

    pub(crate) async fn set_clock(&self, to: &str) {
        let to: Timestamp = to.parse().unwrap();
        self.state.store().set_clock(ClockChange::Set { to, freeze: true }).await.unwrap();
    }

    pub(crate) async fn advance_s(&self, seconds: i64) {
        let by_ms = seconds * 1_000;
        self.state.store().set_clock(ClockChange::Advance { by_ms, freeze: true }).await.unwrap();
    }

    pub(crate) fn visitor(&self) -> Browser {
        let http = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Browser { http, home: self.url.clone(), cookies: Mutex::default() }
    }

    pub(crate) async fn booking(&self, page: &Page) -> Booking {
        self.state.office.booking(page.booking()).await.unwrap()
    }

    /// Waits until a booking is as wanted.
    pub(crate) async fn until(&self, id: BookingId, what: &str, wanted: impl Fn(&Booking) -> bool) -> Booking {
        let look = async {
            loop {
                let booking = self.state.office.booking(id).await.unwrap();
                if wanted(&booking) {
                    return booking;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), look).await.unwrap_or_else(|_| panic!("never {what}"))
    }

    pub(crate) async fn until_confirmed(&self, id: BookingId) -> Booking {
        self.until(id, "confirmed", |b| b.status == BookingStatus::Confirmed).await
    }
}

pub(crate) struct Browser {
    http: reqwest::Client,
    home: String,
    cookies: Mutex<BTreeMap<String, String>>,
}

/// A page as it arrived, after redirects.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) status: StatusCode,
    pub(crate) path: String,
    pub(crate) headers: header::HeaderMap,
    pub(crate) html: String,
}

impl Browser {
    pub(crate) async fn get(&self, path: &str) -> Page {
        self.go(Method::GET, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        self.go(Method::POST, path, Some(body(fields))).await
    }

    /// Sends a form and does not follow where it leads; answers the status and the place.
    pub(crate) async fn post_only(&self, path: &str, fields: &[(&str, &str)]) -> (StatusCode, Option<String>) {
        let answer = self.send(&Method::POST, path, Some(body(fields))).await;
        let place = answer.headers().get(header::LOCATION).map(|v| v.to_str().unwrap().to_owned());
        (answer.status(), place)
    }

    async fn go(&self, method: Method, path: &str, form: Option<String>) -> Page {
        let mut path = path.to_owned();
        let mut answer = self.send(&method, &path, form).await;
        for _ in 0..8 {
            if !answer.status().is_redirection() {
                break;
            }
            path = self.local(answer.headers()[header::LOCATION].to_str().unwrap());
            answer = self.send(&Method::GET, &path, None).await;
        }
        let (status, headers) = (answer.status(), answer.headers().clone());
        Page { status, path, headers, html: answer.text().await.unwrap() }
    }

    fn local(&self, place: &str) -> String {
        place.strip_prefix(&self.home).unwrap_or(place).to_owned()
    }

    async fn send(&self, method: &Method, path: &str, form: Option<String>) -> reqwest::Response {
        let cookies: Vec<String> = self.cookies.lock().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut request = self.http.request(method.clone(), format!("{}{}", self.home, self.local(path)));
        if !cookies.is_empty() {
            request = request.header(header::COOKIE, cookies.join("; "));
        }
        if let Some(form) = form {
            request = request
                .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
                .header(header::ORIGIN, &self.home)
                .body(form);
        }
        let answer = request.send().await.unwrap();
        for cookie in answer.headers().get_all(header::SET_COOKIE) {
            let cookie = cookie.to_str().unwrap();
            assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.lock().insert(name.to_owned(), value.to_owned());
        }
        answer
    }
}

fn body(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

impl Page {
    /// The value of the last field of this name on the page.
    pub(crate) fn field(&self, name: &str) -> String {
        let at = self
            .html
            .rfind(&format!("name=\"{name}\" value=\""))
            .unwrap_or_else(|| panic!("no field {name}: {self:?}"));
        let rest = &self.html[at..];
        rest.split('"').nth(3).unwrap().to_owned()
    }

    /// The addresses that the page's links lead to.
    pub(crate) fn links(&self) -> Vec<String> {
        self.html.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    }

    pub(crate) fn booking(&self) -> BookingId {
        let id = self
            .path
            .strip_prefix("/bookings/")
            .unwrap_or_else(|| panic!("no booking at {}: {}", self.path, self.html));
        id.split(['/', '?']).next().unwrap().parse().unwrap()
    }

    pub(crate) fn has(&self, text: &str) -> bool {
        self.html.contains(text)
    }
}
