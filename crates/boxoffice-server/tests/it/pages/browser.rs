//! A browser without JavaScript, as far as the tests of the pages need one.

use std::collections::BTreeMap;

use boxoffice::id::BookingId;
use parking_lot::Mutex;
use reqwest::{Method, StatusCode, header};

pub struct Browser {
    http: reqwest::Client,
    home: String,
    cookies: Mutex<BTreeMap<String, String>>,
}

/// A page as it arrived, after redirects.
#[derive(Debug, Clone)]
pub struct Page {
    pub status: StatusCode,
    pub path: String,
    pub headers: header::HeaderMap,
    pub html: String,
}

impl Browser {
    /// A browser that has never been here.
    pub fn at(home: &str) -> Self {
        let http = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { http, home: home.to_owned(), cookies: Mutex::default() }
    }

    pub async fn get(&self, path: &str) -> Page {
        self.go(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        self.go(Method::POST, path, Some(body(fields))).await
    }

    /// Sends a form and does not follow where it leads; answers the status and the place.
    pub async fn post_only(&self, path: &str, fields: &[(&str, &str)]) -> (StatusCode, Option<String>) {
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
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            // A buyer may come from a mail; staff come from their own pages alone.
            let same_site = if name == "bo_bookings" { "SameSite=Lax" } else { "SameSite=Strict" };
            assert!(cookie.contains("HttpOnly") && cookie.contains(same_site), "{cookie}");
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
    pub fn field(&self, name: &str) -> String {
        let at = self
            .html
            .rfind(&format!("name=\"{name}\" value=\""))
            .unwrap_or_else(|| panic!("no field {name}: {self:?}"));
        let rest = &self.html[at..];
        rest.split('"').nth(3).unwrap().to_owned()
    }

    /// The addresses that the page's links lead to.
    pub fn links(&self) -> Vec<String> {
        self.html.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    }

    pub fn booking(&self) -> BookingId {
        let id = self
            .path
            .strip_prefix("/bookings/")
            .unwrap_or_else(|| panic!("no booking at {}: {}", self.path, self.html));
        id.split(['/', '?']).next().unwrap().parse().unwrap()
    }

    pub fn has(&self, text: &str) -> bool {
        self.html.contains(text)
    }
}
