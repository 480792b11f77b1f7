//! The pages of the staff without JavaScript: signing in, and the door as a plain form.

use boxoffice_server::auth::account::{self, AccountError};
use boxoffice_server::auth::{NewKey, Role, staff};
use boxoffice_server::entropy::OsEntropy;
use reqwest::StatusCode;
use serde_json::json;

use crate::cinema::{BOTH, Cinema, Kind};
use crate::pages::browser::{Browser, Page};

/// A browser that has signed in with a key of this role.
async fn signed_in(cinema: &Cinema, role: Role) -> Browser {
    signed_in_with(cinema, &cinema.key(role).await).await
}

pub async fn signed_in_with(cinema: &Cinema, key: &str) -> Browser {
    let browser = Browser::at(&cinema.url);
    let page = browser.post("/staff/sign-in", &[("key", key)]).await;
    assert!(page.path == "/staff" && page.has("Signed in as"), "{}", page.html);
    browser
}

fn is_private(page: &Page) {
    assert_eq!(page.headers["cache-control"], "no-store", "{}", page.path);
    assert_eq!(page.headers["x-robots-tag"], "noindex, nofollow", "{}", page.path);
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_sign_in_with_a_key_and_out_again() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let stranger = Browser::at(&cinema.url);
        let page = stranger.get("/staff").await;
        assert!(page.has("name=\"key\"") && !page.has("Signed in as"));
        is_private(&page);
        for closed in ["/staff/door", "/staff/door/choose"] {
            assert_eq!(stranger.get(closed).await.path, "/staff", "{closed}");
        }
        for wrong in ["", "x", "bo_live_1_2"] {
            let page = stranger.post("/staff/sign-in", &[("key", wrong)]).await;
            assert!(page.status == StatusCode::UNAUTHORIZED && page.has("not in force"), "{}", page.html);
        }
        let browser = signed_in(&cinema, Role::Scanner).await;
        let page = browser.get("/staff").await;
        is_private(&page);
        assert!(page.has("scanner") && page.links().contains(&"/staff/door".to_owned()));
        assert_eq!(browser.post("/staff/sign-out", &[]).await.path, "/staff");
        assert!(browser.get("/staff").await.has("name=\"key\""));
        // A key that is revoked is out at once, and a session ends after its twelve hours.
        let browser = signed_in(&cinema, Role::Manager).await;
        let keys = staff::list(&*cinema.store).await.expect("a list");
        let manager = keys.iter().find(|key| key.role == Role::Manager).expect("the manager's key");
        staff::revoke(&*cinema.store, &manager.id).await.expect("a store that answers");
        assert!(!browser.get("/staff").await.has("Signed in as"));
        let browser = signed_in(&cinema, Role::Admin).await;
        cinema.advance_s(12.0 * 3_600.0 - 1.0).await;
        assert!(browser.get("/staff").await.has("Signed in as"));
        cinema.advance_s(1.0).await;
        assert!(!browser.get("/staff").await.has("Signed in as"));
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_087_guesses_are_throttled_after_twenty() {
    let cinema = Cinema::standard(Kind::Memory).await;
    let key = cinema.key(Role::Scanner).await;
    let browser = Browser::at(&cinema.url);
    let guess = async |key: &str| browser.post("/staff/sign-in", &[("key", key)]).await.status;
    for n in 0..20 {
        assert_eq!(guess(&format!("bo_live_{n}_0")).await, StatusCode::UNAUTHORIZED, "guess {n}");
    }
    let page = browser.post("/staff/sign-in", &[("key", &key)]).await;
    assert_eq!(
        (page.status, &page.headers["retry-after"]),
        (StatusCode::TOO_MANY_REQUESTS, &"60".parse().expect("a value"))
    );
    cinema.advance_s(60.0).await;
    assert!(browser.post("/staff/sign-in", &[("key", &key)]).await.has("Signed in as"));
    // The short name of a booking opens nothing, however often it is tried.
    let (held, _) = cinema.sold("show-1", &["F7"]).await;
    let reference = held.body["reference"].as_str().expect("a reference");
    for _ in 0..50 {
        for path in
            [format!("/bookings/{reference}"), format!("/b/{reference}"), format!("/bookings/{reference}/tickets")]
        {
            assert_eq!(browser.get(&path).await.status, StatusCode::NOT_FOUND, "{path}");
        }
        cinema.get(&format!("/api/v1/bookings/{reference}")).await.refused(404, "not-found");
        cinema.get_as(reference, &format!("/api/v1/bookings/{}", held.id)).await.refused(404, "not-found");
    }
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_signs_in_with_a_password_and_a_new_one_ends_all_sessions() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let new = |role| NewKey { name: "Ada".into(), role, screen: None, theatre: None, expires_at: None };
        let add = async |login: &str, password: &str| {
            account::add(&*cinema.store, &OsEntropy, new(Role::Manager), login, password).await
        };
        let id = add("ada", "a long password").await.expect("an account");
        assert!(matches!(add("ada", "another password").await, Err(AccountError::Taken(_))));
        for bad in ["", "Ada", "a b", &"x".repeat(41)] {
            assert!(matches!(add(bad, "a long password").await, Err(AccountError::Login)), "{bad}");
        }
        for bad in ["too short", &"x".repeat(201)] {
            assert!(matches!(add("bob", bad).await, Err(AccountError::Password)), "{bad}");
        }
        let browser = Browser::at(&cinema.url);
        let sign_in = async |login: &str, password: &str| {
            browser.post("/staff/sign-in", &[("login", login), ("password", password)]).await
        };
        for (login, password) in [("ada", "a wrong password"), ("nobody", "a long password"), ("ada", "")] {
            let page = sign_in(login, password).await;
            assert!(page.status == StatusCode::UNAUTHORIZED && page.has("Name or password is wrong"), "{}", page.html);
        }
        assert!(sign_in(" Ada ", "a long password").await.has("Signed in as"));
        cinema.advance_s(1.0).await;
        account::set_password(&*cinema.store, &OsEntropy, "ada", "a newer password").await.expect("a new password");
        assert!(!browser.get("/staff").await.has("Signed in as"), "the session was of the old password");
        assert_eq!(sign_in("ada", "a long password").await.status, StatusCode::UNAUTHORIZED);
        assert!(sign_in("ada", "a newer password").await.has("Signed in as"));
        // An account has no key: its id opens nothing.
        cinema.get_as(&format!("bo_live_{id}_"), "/api/v1/admin/bookings").await.refused(401, "unauthorized");
        staff::revoke(&*cinema.store, &id).await.expect("a store that answers");
        assert!(!browser.get("/staff").await.has("Signed in as"));
        assert_eq!(sign_in("ada", "a newer password").await.status, StatusCode::UNAUTHORIZED);
        let again = add("ada", "a third password").await.expect("the login is free again");
        assert_ne!(again, id);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_door_works_as_a_plain_form() {
    for kind in BOTH {
        let cinema = crate::door::with_halls(kind).await;
        let (held, codes) = cinema.sold("show-1", &["F7", "F8"]).await;
        let (cancelled, void) = cinema.sold("show-1", &["A1"]).await;
        let (_, other) = cinema.sold("show-2", &["B1"]).await;
        cinema.cancel(&cancelled).await.expect(200);
        cinema.set_clock(json!({ "set": "2027-06-12T15:00:00Z", "freeze": true })).await.expect(200);
        let browser = signed_in(&cinema, Role::Scanner).await;
        let page = browser.get("/staff/door").await;
        assert_eq!(page.path, "/staff/door/choose");
        assert!(page.has("Kino am See") && page.has("value=\"markt-2\""));
        let page = browser.post("/staff/door/choose", &[("screen", "markt-1"), ("gate", "Left <door>")]).await;
        assert!(page.path == "/staff/door" && page.has("Ready") && page.has("Left &#60;door&#62;"), "{}", page.html);
        is_private(&page);
        assert_eq!(page.headers["permissions-policy"], "camera=(self)");
        assert!(!page.headers["content-security-policy"].to_str().expect("a text").contains("unsafe"));
        assert_eq!(browser.get("/staff").await.headers["permissions-policy"], "camera=()");
        let early = scan(&browser, &page, &codes[0]).await;
        assert!(
            early.has("result bad") && early.has("Too early") && early.has("Doors open at 19:30."),
            "{}",
            early.html
        );
        cinema.open_doors().await;
        let good = scan(&browser, &page, &codes[0]).await;
        assert!(good.has("result good") && good.has("Admitted") && good.has(">F7<") && good.has("Row F, seat 7"));
        // The browser sends the form again: the same scan, the same answer.
        let again = scan(&browser, &page, &codes[0]).await;
        assert!(again.has("result good"), "{}", again.html);
        cinema.advance_s(300.0).await;
        let used = scan(&browser, &good, &codes[0]).await;
        assert!(used.has("result used") && used.has("Already used") && used.has("19:45"), "{}", used.html);
        assert!(used.has("at Left &#60;door&#62;") && used.has("Seat F7"));
        let cases = [
            (void[0].as_str(), "Cancelled"),
            (other[0].as_str(), "Another show"),
            ("<script>", "Not a ticket"),
            ("", "Not a ticket"),
        ];
        for (code, word) in cases {
            let page = scan(&browser, &used, code).await;
            assert!(page.has("result bad") && page.has(word), "{code}: {}", page.html);
            assert!(page.status == StatusCode::OK && !page.has("<script>"));
        }
        assert_eq!(cinema.tickets(&held).await[0]["status"], "admitted");
        cinema.close().await;
    }
}

async fn scan(browser: &Browser, page: &Page, code: &str) -> Page {
    let [nonce, screen] = ["nonce", "screen"].map(|name| page.field(name));
    let gate = "Left <door>";
    browser.post("/staff/door", &[("nonce", &nonce), ("screen", &screen), ("gate", gate), ("code", code)]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_is_not_signed_in_is_told_so() {
    let cinema = Cinema::standard(Kind::Memory).await;
    let json = [("accept", "application/json")];
    for (method, path) in
        [("POST", "/staff/door/admit"), ("POST", "/staff/door/batch"), ("GET", "/staff/door/bundle?screen=markt-1")]
    {
        let answer = cinema.send(method.parse().expect("a method"), path, &json, Some("{}")).await;
        answer.refused(401, "unauthorized");
    }
    let worker = cinema.get("/staff/door/worker.js").await;
    assert_eq!((worker.status, worker.header("service-worker-allowed")), (StatusCode::OK, "/staff/door"));
    // A form of another site is refused before anything is looked at.
    let foreign =
        [("origin", "https://evil.example"), ("accept", "application/json"), ("sec-fetch-site", "cross-site")];
    let answer = cinema.send(reqwest::Method::POST, "/staff/door/admit", &foreign, Some(&json!({}).to_string())).await;
    answer.refused(403, "forbidden");
    cinema.close().await;
}
