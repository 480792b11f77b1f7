//! The desk's pages of the staff: one's own password, what was done, and forgetting a customer. All without JavaScript.

use boxoffice_server::auth::{NewKey, Role, account};
use boxoffice_server::entropy::OsEntropy;
use reqwest::StatusCode;
use serde_json::json;

use crate::cinema::{BOTH, Cinema, Kind};
use crate::pages::browser::{Browser, Page};
use crate::staff::signed_in_with;

const OLD: &str = " a long password ";
const NEW: &str = "a newer password";

fn said(page: &Page, status: StatusCode, words: &str) {
    assert!(page.status == status && page.has(words), "{words}: {} {}", page.status, page.html);
    assert_eq!(page.headers["cache-control"], "no-store");
}

async fn sign_in(browser: &Browser, password: &str) -> Page {
    browser.post("/staff/sign-in", &[("login", "ada"), ("password", password)]).await
}

async fn change(browser: &Browser, old: &str, new: &str, again: &str) -> Page {
    browser.post("/staff/password", &[("old", old), ("new", new), ("again", again)]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_sets_a_new_password_with_the_one_before() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let new = NewKey { name: "Ada".into(), role: Role::Manager, screen: None, theatre: None, expires_at: None };
        let id = account::add(&*cinema.store, &OsEntropy, new, "ada", OLD).await.expect("an account");
        let (browser, other) = (Browser::at(&cinema.url), Browser::at(&cinema.url));
        assert_eq!(sign_in(&browser, OLD.trim()).await.status, StatusCode::UNAUTHORIZED, "a blank counts");
        for browser in [&browser, &other] {
            said(&sign_in(browser, OLD).await, StatusCode::OK, "Signed in as");
        }
        assert!(browser.get("/staff").await.links().contains(&"/staff/password".to_owned()));
        said(&browser.get("/staff/password").await, StatusCode::OK, "every other device is signed out");
        let wrong = StatusCode::UNPROCESSABLE_ENTITY;
        said(&change(&browser, "a guess", NEW, NEW).await, wrong, "This is not the password");
        said(&change(&browser, OLD, NEW, "a typing error").await, wrong, "The two are not the same");
        said(&change(&browser, OLD, "short", "short").await, wrong, "a password has 10 to 200 characters");
        assert!(other.get("/staff").await.has("Signed in as"), "nothing has changed");
        cinema.advance_s(1.0).await;
        said(&change(&browser, OLD, NEW, NEW).await, StatusCode::OK, "Your new password is set");
        assert!(browser.get("/staff").await.has("Signed in as"), "this browser stays");
        assert!(!other.get("/staff").await.has("Signed in as"), "the other does not");
        assert_eq!(sign_in(&other, OLD).await.status, StatusCode::UNAUTHORIZED);
        said(&sign_in(&other, NEW).await, StatusCode::OK, "Signed in as");
        let log = browser.get("/staff/log").await;
        assert!(log.has("Set password") && log.has(&format!("Ada, {id}")), "{}", log.html);
        // A key has no password to change.
        let by_key = signed_in_with(&cinema, &cinema.key(Role::Admin).await).await;
        assert!(!by_key.get("/staff").await.links().contains(&"/staff/password".to_owned()));
        assert_eq!(by_key.get("/staff/password").await.status, StatusCode::FORBIDDEN);
        assert_eq!(change(&by_key, OLD, NEW, NEW).await.status, StatusCode::FORBIDDEN);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_087_whoever_finds_a_phone_signed_in_does_not_guess_the_password() {
    let cinema = Cinema::standard(Kind::Memory).await;
    let new = NewKey { name: "Ada".into(), role: Role::Counter, screen: None, theatre: None, expires_at: None };
    account::add(&*cinema.store, &OsEntropy, new, "ada", OLD).await.expect("an account");
    let browser = Browser::at(&cinema.url);
    sign_in(&browser, OLD).await;
    for n in 0..20 {
        assert_eq!(change(&browser, &format!("guess {n}"), NEW, NEW).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    assert_eq!(change(&browser, OLD, NEW, NEW).await.status, StatusCode::TOO_MANY_REQUESTS);
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_staff_did_is_shown_day_by_day_to_managers_of_the_whole() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let key = cinema.key(Role::Manager).await;
        let browser = signed_in_with(&cinema, &key).await;
        let (first, many) = ("A1", 205);
        let blocks = "/api/v1/admin/shows/show-1/blocks";
        for n in 0..many {
            let block = json!({ "seats": [first], "reason": "x" });
            let method = if n % 2 == 0 { reqwest::Method::POST } else { reqwest::Method::DELETE };
            let bearer = format!("Bearer {key}");
            let answer = cinema.send(method, blocks, &[("authorization", &bearer)], Some(&block.to_string())).await;
            assert!(answer.status.is_success(), "{}", answer.text);
        }
        let page = browser.get("/staff/log").await;
        assert!(page.has("<b>Block</b>") && page.has("show-1") && page.has("by the clock of CEST"), "{}", page.html);
        assert_eq!(page.html.matches("<li><span class=\"log-clock\">").count(), 200);
        let more = page.links().into_iter().find(|link| link.contains("after=")).expect("a link to the rest");
        let rest = browser.get(&more.replace("&#38;", "&").replace("&amp;", "&")).await;
        assert_eq!(rest.html.matches("<li><span class=\"log-clock\">").count(), many - 200);
        cinema.advance_s(86_400.0).await;
        let browser = signed_in_with(&cinema, &key).await;
        let today = browser.get("/staff/log").await;
        said(&today, StatusCode::OK, "Nothing was done on this day");
        let before = today.links().into_iter().find(|link| link.contains("date=")).expect("the day before");
        let yesterday = browser.get(&before).await;
        assert!(yesterday.has("<b>Block</b>") && yesterday.has("The day after"), "{}", yesterday.html);
        for wrong in ["date=x", "date=%FF", "date=9999-12-31", "date=-009999-01-01", "after=x", "by=x"] {
            assert_eq!(browser.get(&format!("/staff/log?{wrong}")).await.status, StatusCode::BAD_REQUEST, "{wrong}");
        }
        for wrong in ["?show=", "?show=%FF", "?show=a%00b", ""] {
            let status = browser.get(&format!("/staff/door/list{wrong}")).await.status;
            assert!(matches!(status, StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND), "{wrong}: {status}");
        }
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_customer_is_looked_for_and_then_forgotten() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let browser = signed_in_with(&cinema, &cinema.key(Role::Manager).await).await;
        let hold = |seat: &str| {
            let customer = json!({ "name": "Ada Erased", "email": "ada@example.org" });
            json!({ "show": "show-1", "seats": [seat], "customer": customer })
        };
        let first = cinema.post("/api/v1/bookings", hold("F7")).await.expect(201);
        let second = cinema.post("/api/v1/bookings", hold("F8")).await.expect(201);
        let reference = |booking: &serde_json::Value| booking["reference"].as_str().expect("a reference").to_owned();
        let token = |booking: &serde_json::Value| booking["token"].as_str().expect("a token").to_owned();
        let names = async |booking: &serde_json::Value| {
            let path = format!("/api/v1/bookings/{}", booking["id"].as_str().expect("an id"));
            cinema.get_as(&token(booking), &path).await.expect(200)["customer"]["name"] == "Ada Erased"
        };
        let cancel = format!("/api/v1/bookings/{}/cancel", second["id"].as_str().expect("an id"));
        cinema.post_as(&token(&second), &cancel, json!({})).await.expect(200);
        let ask = async |fields: &[(&str, &str)]| browser.post("/staff/erasures", fields).await;
        said(&ask(&[]).await, StatusCode::OK, "Find the bookings");
        said(&ask(&[("who", "nobody@example.org")]).await, StatusCode::OK, "No booking names this customer");
        said(&ask(&[("who", "<script>")]).await, StatusCode::OK, "value=\"&#60;script&#62;\"");
        let sure = ask(&[("who", "ADA@example.org")]).await;
        said(&sure, StatusCode::OK, "This cannot be undone");
        assert!(sure.has(&reference(&first)) && sure.has(&reference(&second)) && sure.path == "/staff/erasures");
        assert!(names(&first).await && names(&second).await, "nothing is forgotten by looking");
        let done = ask(&[("who", "ADA@example.org"), ("sure", "1")]).await;
        said(&done, StatusCode::OK, "Forgotten in 1 booking.");
        assert!(done.has(&reference(&first)) && done.has("looked at again"), "its hold lives: {}", done.html);
        assert!(names(&first).await && !names(&second).await);
        cinema.advance_s(3_600.0).await;
        crate::cinema::until(async || !names(&first).await).await;
        let again = ask(&[("who", &reference(&first).to_lowercase()), ("sure", "1")]).await;
        said(&again, StatusCode::OK, "No booking names this customer");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_desks_pages_are_for_managers_of_the_whole() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let at = |id: &str| Some(boxoffice::id::CatalogueId::new(id).expect("an id"));
        let bound = NewKey {
            name: "a".into(),
            role: Role::Manager,
            screen: None,
            theatre: at("kino-am-markt"),
            expires_at: None,
        };
        let (_, bound) = cinema.made(bound).await;
        for key in [bound, cinema.key(Role::Scanner).await, cinema.key(Role::Counter).await] {
            let browser = signed_in_with(&cinema, &key).await;
            let links = browser.get("/staff").await.links();
            for page in ["/staff/log", "/staff/erasures"] {
                assert!(!links.contains(&page.to_owned()), "{page}");
                assert_eq!(browser.get(page).await.status, StatusCode::FORBIDDEN, "{page}");
            }
            let all = [("who", "ada@example.org"), ("sure", "1")];
            assert_eq!(browser.post("/staff/erasures", &all).await.status, StatusCode::FORBIDDEN);
        }
        let stranger = Browser::at(&cinema.url);
        for page in ["/staff/log", "/staff/erasures", "/staff/password"] {
            assert_eq!(stranger.get(page).await.path, "/staff", "{page}");
        }
        cinema.close().await;
    }
}
