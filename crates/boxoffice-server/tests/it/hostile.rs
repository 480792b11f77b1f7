//! What strangers send: words for the database, scripts for the staff, bodies without end, events of
//! another time. Each test is named after its case.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use boxoffice::store::Store as _;
use boxoffice::time::{Span, Timestamp};
use boxoffice_server::auth::Role;
use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit as _, Mac as _};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::chromium::Chromium;
use crate::cinema::{Answer, BOTH, Cinema, Kind, STANDARD, until};
use crate::log;
use crate::pages::browser::Browser;
use crate::smtp::Sink;

/// An event of the sandbox, signed for this instant, with whatever its sender does to it then.
async fn deliver(cinema: &Cinema, event: &str, body: &str, at: Timestamp, spoil: Option<&str>) -> Answer {
    let secret = cinema.store.document("secret", "sandbox-webhook".into()).await.expect("an answer").expect("a secret");
    let key = HEXLOWER.decode(secret.body.as_bytes()).expect("digits");
    let seconds = at.as_ms().div_euclid(1_000).to_string();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key");
    mac.update(format!("{event}.{seconds}.{body}").as_bytes());
    let signature = format!("v1,{}", BASE64.encode(mac.finalize().into_bytes()));
    let signature = if spoil == Some("signature") { signature.replace("v1,", "v1,AA") } else { signature };
    let headers = [("webhook-id", event), ("webhook-timestamp", &seconds), ("webhook-signature", &signature)];
    let body = if spoil == Some("body") { format!("{body} ") } else { body.to_owned() };
    cinema.send(Method::POST, "/api/v1/webhooks/sandbox", &headers, Some(&body)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn case_033_events_of_another_time_are_refused_on_both_sides_and_the_clock_is_named() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let held = cinema.hold("show-1", &["F7"]).await;
        // Paid, and the news is lost: only what this test delivers arrives.
        cinema.press(&cinema.checkout(&held).await, "outcome=success&drop=1").await;
        let payment = cinema.sandbox_payments(&held).await.pop().expect("a payment");
        let told = json!({ "id": payment["id"], "reference": payment["reference"], "amount": payment["amount"] });
        let (id, body) =
            ("evt_test", json!({ "id": "evt_test", "type": "payment.captured", "payment": told }).to_string());
        let now: Timestamp = cinema.get("/test/clock").await.json()["now"].as_str().expect("now").parse().expect("now");
        let off = async |seconds: i64, spoil: Option<&'static str>| {
            deliver(&cinema, id, &body, now + Span::from_ms(seconds * 1_000), spoil).await
        };
        let before = cinema.booking(&held).await;
        for (seconds, spoil) in [(-301, None), (301, None), (0, Some("signature")), (0, Some("body")), (600, None)] {
            off(seconds, spoil).await.refused(400, "invalid-request");
        }
        assert_eq!(cinema.booking(&held).await, before, "nothing has changed");
        let alarms = log::lines("compare this server's clock");
        assert!(alarms.iter().any(|line| line.contains("\"off_s\":600") && line.contains("\"alarm\":true")));
        assert_eq!(off(-299, None).await.status, 204);
        assert_eq!(off(299, None).await.status, 204);
        cinema.until_status(&held, "confirmed").await;
        cinema.close().await;
    }
}

const WORDS: [&str; 7] = [
    "x' OR '1'='1",
    "x' OR sleep(5)--",
    "1; DROP TABLE bookings;--",
    "'",
    "\"",
    "x'/*",
    "1 UNION SELECT customer_email FROM bookings",
];

#[tokio::test(flavor = "multi_thread")]
async fn case_079_words_for_the_database_name_nothing() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let key = cinema.key(Role::Admin).await;
        let held = cinema.hold("show-1", &["F7"]).await;
        let count = async || {
            let list = cinema.get_as(&key, "/api/v1/admin/bookings?show=show-1").await.expect(200);
            list["items"].as_array().expect("a list").len()
        };
        assert_eq!(count().await, 1);
        for words in WORDS {
            let words: String = form_urlencoded::byte_serialize(words.as_bytes()).collect();
            let path_words = words.replace('+', "%20");
            let ids = ["cities", "theatres", "movies", "shows", "bookings"]
                .map(|noun| format!("/api/v1/{noun}/{path_words}"));
            let pages = ["cities", "movies", "shows", "b", "bookings"].map(|noun| format!("/{noun}/{path_words}"));
            let queries = [
                "theatres?city=",
                "movies?city=",
                "movies?date=",
                "movies?q=",
                "movies?cursor=",
                "shows?city=",
                "shows?theatre=",
                "shows?screen=",
                "shows?movie=",
                "shows?date=",
                "shows?from=",
                "shows?to=",
                "shows?q=",
                "shows?limit=",
                "shows?cursor=",
                "admin/bookings?reference=",
                "admin/bookings?email=",
                "admin/bookings?show=",
                "admin/bookings?cursor=",
                "admin/notices?status=",
                "admin/notices?cursor=",
                "admissions/conflicts?show=",
                "admissions/bundle?screen=",
                "shows?sort=",
            ]
            .map(|query| format!("/api/v1/{query}{words}"));
            for path in ids.iter().chain(&pages).chain(&queries) {
                let answer = cinema.get_as(&key, path).await;
                let said = answer.text.to_ascii_lowercase();
                assert!(matches!(answer.status.as_u16(), 200 | 400 | 404), "{path}: {} {said}", answer.status);
                for word in ["sqlite", "syntax error", "sql logic", "near \""] {
                    assert!(!said.contains(word), "{path}: {said}");
                }
                if answer.status == 200 {
                    assert!(
                        answer.json()["items"].as_array().is_none_or(Vec::is_empty),
                        "{path} found something: {said}"
                    );
                }
            }
            let hold = json!({ "show": words, "seats": [words] });
            cinema.post("/api/v1/bookings", hold).await.refused(404, "not-found");
            let hold = json!({ "show": "show-1", "seats": [words] });
            cinema.post("/api/v1/bookings", hold).await.refused(422, "unknown-seats");
        }
        assert_eq!(count().await, 1, "nothing was dropped and nothing made");
        assert_eq!(cinema.booking(&held).await["status"], "pending_payment");
        cinema.close().await;
    }
}

const SCRIPT: &str = "<img src=x onerror=alert(1)></script><svg onload=alert(2)>";
const PLAIN: &str = "&#60;img src=x onerror=alert(1)&#62;";

/// The standard fixture with a film title and a theatre that want to run.
fn hostile_catalogue() -> String {
    STANDARD.replace("Night Train to Lindau", SCRIPT).replace("\"Hall 1\"", "\"<b>Hall</b> 1\"")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn case_080_a_script_in_a_name_is_shown_as_text_everywhere() {
    let sink = Sink::start().await;
    let cinema = Cinema::mailing(Kind::Sqlite, &hostile_catalogue(), &sink.url()).await;
    let hold = json!({ "show": "show-1", "seats": ["F7"], "metadata": { "note": SCRIPT },
        "customer": { "name": SCRIPT, "email": "a@example.org" } });
    let body = cinema.post("/api/v1/bookings", hold).await.expect(201);
    let text = |member: &str| body[member].as_str().expect(member).to_owned();
    let held = crate::cinema::Held { id: text("id"), token: text("token"), body: body.clone() };
    cinema.pay(&held).await;
    let code = cinema.tickets(&held).await[0]["code"].as_str().expect("a code").to_owned();
    until(async || !sink.letters().is_empty()).await;
    let letter = sink.letters().pop().expect("a letter");
    let letter = mail_parser::MessageParser::default().parse(&letter).expect("a message");
    let html = letter.body_html(0).expect("a page");
    assert!(html.contains(PLAIN) && !html.contains("<img src=x") && !html.contains("<svg"), "{html}");

    let browser = Browser::at(&cinema.url);
    assert!(browser.get(&format!("/b/{}", held.token)).await.path.starts_with("/bookings/"));
    let booking = format!("/bookings/{}", held.id);
    for path in [
        "/",
        "/cities/berlin",
        "/movies/night-train",
        "/shows/show-1",
        &booking,
        &format!("{booking}/tickets"),
        &format!("{booking}/cancel"),
        &format!("{booking}/exchange"),
        "/movies?q=%3Csvg%20onload%3Dalert(3)%3E",
    ] {
        let page = browser.get(path).await;
        for raw in ["<img src=x", "<svg onload", "<b>Hall", "</script><"] {
            assert!(!page.has(raw), "{raw} on {path}: {}", page.html);
        }
        let policy = page.headers["content-security-policy"].to_str().expect("a policy");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
    }
    // Staff read it as JSON and as a file, which no browser takes for a page.
    let key = cinema.key(Role::Manager).await;
    for path in [
        "/api/v1/admin/bookings?show=show-1",
        "/api/v1/admin/notices",
        "/api/v1/admin/reports/sales.csv?from=2027-06-12&to=2027-06-12",
    ] {
        let answer = cinema.get_as(&key, path).await;
        assert_eq!((answer.status.as_u16(), answer.header("x-content-type-options")), (200, "nosniff"), "{path}");
        assert!(!answer.header("content-type").contains("html"), "{path}");
    }
    in_a_real_browser(&cinema, &held.token, &code).await;
    cinema.close().await;
}

/// The staff's door and the buyer's page, with scripts allowed as far as our own policy does.
async fn in_a_real_browser(cinema: &Cinema, token: &str, code: &str) {
    let key = cinema.key(Role::Scanner).await;
    cinema.open_doors().await;
    let browser = Chromium::start();
    // A dialog would hold up the page until somebody answers it; here it is counted instead.
    browser.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": "window.dialogs = 0; window.alert = () => { window.dialogs += 1 }" }),
    );
    let calm = "document.readyState === 'complete' && window.dialogs === 0 \
        && performance.getEntriesByType('resource').every(r => r.name.startsWith(location.origin))";
    for path in ["/".to_owned(), "/movies/night-train".into(), "/shows/show-1".into(), format!("/b/{token}")] {
        browser.go(&format!("{}{path}", cinema.url));
        browser.until(calm).await;
    }
    browser.until("document.body.textContent.includes('<img src=x onerror=alert(1)>')").await;
    browser.go(&format!("{}/staff", cinema.url));
    browser.until("!!document.getElementById('key')").await;
    browser.eval(&format!(
        "document.getElementById('key').value = '{key}'; document.getElementById('key').form.requestSubmit()"
    ));
    browser.until("document.body?.textContent.includes('Signed in as')").await;
    browser.go(&format!("{}/staff/door/choose", cinema.url));
    browser.until("!!document.getElementById('screen')").await;
    browser.eval(
        "document.getElementById('screen').value = 'markt-1'; document.getElementById('screen').form.requestSubmit()",
    );
    browser.until("document.getElementById('door')?.dataset.prepared === 'yes'").await;
    browser.type_line(code);
    browser.until("document.querySelector('#result .result-word')?.textContent === 'Admitted'").await;
    browser.until("document.getElementById('result').textContent.includes('<img src=x onerror=alert(1)>')").await;
    browser.until(calm).await;
    assert_eq!(browser.eval("document.querySelectorAll('#result img, #result svg[onload]').length"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn case_081_what_staff_write_is_text_in_the_customers_mails() {
    let sink = Sink::start().await;
    let catalogue = STANDARD.replace("Night Train to Lindau", "A & B <b>x</b>");
    let cinema = Cinema::mailing(Kind::Memory, &catalogue, &sink.url()).await;
    let held = cinema.hold("show-1", &["F7"]).await;
    cinema.pay(&held).await;
    let key = cinema.key(Role::Manager).await;
    let reason = "<script>alert(1)</script> javascript:alert(2) <img src=https://evil.example/x width=0>";
    let refund = json!({ "amount": { "amount": 100, "currency": "EUR" }, "reason": reason });
    cinema.post_as(&key, &format!("/api/v1/admin/bookings/{}/refunds", held.id), refund).await.expect(201);
    let cancel = json!({ "refund": "all", "reason": reason });
    cinema.post_as(&key, "/api/v1/admin/shows/show-1/cancel", cancel).await.expect(200);
    until(async || sink.letters().len() >= 2).await;
    for raw in sink.letters() {
        let letter = mail_parser::MessageParser::default().parse(&raw).expect("a message");
        let (html, text) = (letter.body_html(0).expect("a page"), letter.body_text(0).expect("a text"));
        assert!(html.contains("A &#38; B &#60;b&#62;x&#60;/b&#62;"), "{html}");
        assert!(text.contains("A & B <b>x</b>"), "{text}");
        for bad in ["<script", "<img", "javascript:", "evil.example"] {
            assert!(!html.contains(bad) && !text.contains(bad), "{bad}: {html}");
        }
        for link in html.split("href=\"").skip(1) {
            assert!(link.starts_with("http"), "{link}");
        }
    }
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_085_huge_bodies_are_refused_in_words_that_arrive() {
    let cinema = Cinema::standard(Kind::Sqlite).await;
    let held = cinema.hold("show-1", &["F7"]).await;
    let huge = " ".repeat(64 * 1024 * 1024);
    for path in ["/api/v1/bookings", "/api/v1/webhooks/sandbox", "/api/v1/admin/catalogue", "/api/v1/admissions"] {
        let answer = cinema.post_raw(path, &huge).await;
        // Whoever may not send it at all is told that.
        assert!(matches!(answer.status.as_u16(), 413 | 401), "{path}: {} {}", answer.status, answer.text);
    }
    let just_over = format!("{{\"show\":\"{}\"}}", "x".repeat(64 * 1024));
    cinema.post_raw("/api/v1/bookings", &just_over).await.refused(413, "payload-too-large");
    let seats: Vec<String> = (0..100_000).map(|n| format!("A{n}")).collect();
    cinema
        .post("/api/v1/bookings", json!({ "show": "show-1", "seats": seats }))
        .await
        .refused(413, "payload-too-large");
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    cinema.post_raw("/api/v1/bookings", &deep).await.refused(400, "invalid-request");
    cinema.post_raw("/api/v1/bookings", &format!("{{\"show\":{deep}}}")).await.refused(400, "invalid-request");
    for (length, fits) in [(200, true), (201, false)] {
        let change = json!({ "customer": { "name": "n".repeat(length) } });
        let answer = cinema.patch_as(&held.token, &format!("/api/v1/bookings/{}", held.id), change).await;
        if fits {
            answer.expect(200);
        } else {
            let problem = answer.refused(400, "invalid-request");
            assert_eq!(problem["errors"][0]["pointer"], Value::from("/customer/name"));
        }
    }
    cinema.close().await;
}
