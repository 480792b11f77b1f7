//! What Prometheus reads: the names that the documentation has, and nothing of a person, a booking or a token.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use boxoffice_server::auth::Role;
use reqwest::StatusCode;
use serde_json::json;
use tempfile::TempDir;

use crate::cinema::{Cinema, Held, Kind, until};
use crate::program::{FIXTURES, Serving, succeeds};

const OPERATING: &str = include_str!("../../../../docs/operating.md");

async fn scrape(client: &reqwest::Client, url: &str) -> String {
    let answer = client.get(url).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
    answer.text().await.expect("a text")
}

/// The value of a sample whose line begins so.
fn value(text: &str, name: &str) -> f64 {
    let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name} in:\n{text}"));
    line.rsplit(' ').next().and_then(|value| value.parse().ok()).expect("a number")
}

/// The metrics of a scrape by the names that samples have.
fn names(text: &str) -> BTreeSet<String> {
    let named = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")).map(|line| {
        let (name, kind) = line.split_once(' ').expect("a name and its kind");
        if kind == "counter" { format!("{name}_total") } else { name.to_owned() }
    });
    named.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_the_documented_ones_and_name_nobody() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    succeeds(path, &["import", &format!("{FIXTURES}/standard.toml")]);
    let listen = ["--test-clock", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"];
    let mut server = Serving::start(path, &listen);
    let url = server.next_line().trim().strip_prefix("metrics on ").expect("where metrics are").to_owned();
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let email = "somebody@example.org";
    let body = json!({ "show": "show-1", "seats": ["F7"], "customer": { "email": email, "name": "Somebody" } });
    let api = format!("{}/api/v1", server.url());
    let hold = || client.post(format!("{api}/bookings")).json(&body).send();
    let held: serde_json::Value = hold().await.expect("an answer").json().await.expect("a booking");
    assert_eq!(hold().await.expect("an answer").status(), 409);
    let text = |member: &str| held[member].as_str().expect(member).to_owned();
    let (id, token, reference) = (text("id"), text("token"), text("reference"));
    let post = |path: String| client.post(path).bearer_auth(&token).json(&json!({})).send();
    let paid = post(format!("{api}/bookings/{id}/payments")).await.expect("an answer");
    let paid: serde_json::Value = paid.json().await.expect("an attempt");
    let page = paid["checkout_url"].as_str().expect("a page");
    client.post(page).form(&[("outcome", "success")]).send().await.expect("an answer");
    client.request(reqwest::Method::from_bytes(b"BREW").expect("a method"), &api).send().await.expect("an answer");
    let mut came = String::new();
    until(async || {
        came = scrape(&client, &url).await;
        came.contains("boxoffice_settlements_total{outcome=\"confirmed\"} 1")
    })
    .await;
    assert_eq!(value(&came, "boxoffice_holds_total"), 1.0);
    assert_eq!(value(&came, "boxoffice_refusals_total{code=\"seats-unavailable\"}"), 1.0);
    assert!(value(&came, "boxoffice_store_bytes") > 0.0 && value(&came, "boxoffice_store_commit_seconds_count") > 0.0);
    assert!(value(&came, "boxoffice_connections_open") >= 1.0);
    assert_eq!(value(&came, "boxoffice_sales_closed"), 0.0);
    assert!(came.contains("route=\"/api/v1/bookings/{id}/payments\",method=\"POST\",status=\"2xx\""), "{came}");
    assert!(came.contains("method=\"other\"") && !came.contains("BREW"), "{came}");
    for secret in [email, "Somebody", &id, &token, &reference, "show-1", "F7"] {
        assert!(!came.contains(secret), "{secret} in:\n{came}");
    }
    let words = OPERATING.split('`').filter(|word| word.starts_with("boxoffice_"));
    let documented: BTreeSet<String> = words.map(str::to_owned).collect();
    assert_eq!(names(&came), documented, "left: exported, right: in docs/operating.md");
    let elsewhere = format!("{}/metrics", server.url());
    assert_eq!(
        client.get(elsewhere).send().await.expect("an answer").status(),
        404,
        "they have a listener of their own"
    );
    assert!(server.stop());
}

#[tokio::test(flavor = "multi_thread")]
async fn readiness_tells_whether_the_store_can_be_written() {
    let cinema = Cinema::standard(Kind::Sqlite).await;
    assert_eq!(cinema.get("/readyz").await.text, "ready\n");
    cinema.store.broken.store(true, Ordering::SeqCst);
    // What was found is good for a second.
    until(async || cinema.get("/readyz").await.status == 503).await;
    let answer = cinema.get("/readyz").await;
    assert_eq!(answer.text, "not ready: store-unwritable\n");
    assert_eq!(cinema.get("/healthz").await.text, "ok\n", "the process lives");
    cinema.store.broken.store(false, Ordering::SeqCst);
    until(async || cinema.get("/readyz").await.status == 200).await;
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bookings_are_listed_as_csv() {
    let cinema = Cinema::standard(Kind::Sqlite).await;
    let (manager, counter) = (cinema.key(Role::Manager).await, cinema.key(Role::Counter).await);
    let path = "/api/v1/admin/reports/bookings.csv";
    let sold: Held = cinema.hold("show-1", &["F7", "F8"]).await;
    cinema.pay(&sold).await;
    let held = cinema.hold("show-1", &["A1"]).await;
    let text = cinema.get_as(&manager, path).await.text;
    let rows: Vec<&str> = text.split_terminator("\r\n").collect();
    assert_eq!(rows.len(), 3, "{text}");
    assert!(rows[0].starts_with("reference,id,status,"), "{text}");
    let row = |held: &Held| *rows.iter().find(|row| row.contains(&held.id)).expect("its row");
    assert!(row(&sold).contains(",confirmed,web,show-1,") && row(&sold).ends_with(",2,27.40,2.02,27.40,0.00,2,EUR"));
    assert!(row(&held).contains(",pending_payment,web,") && row(&held).ends_with(",1,13.70,1.01,0.00,0.00,0,EUR"));
    assert!(!text.contains("example.org"), "nobody is named");
    cinema.get(path).await.refused(401, "unauthorized");
    cinema.get_as(&counter, path).await.refused(403, "forbidden");
    cinema.get_as(&manager, &format!("{path}?show=nowhere")).await.refused(404, "not-found");
    cinema.close().await;
}
