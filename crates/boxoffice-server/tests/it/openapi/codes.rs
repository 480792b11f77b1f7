//! Every code that a problem can have has been answered by the server in a test.

use std::path::Path;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use axum::routing::get;
use boxoffice_server::http::{dressed, problem_docs};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::cinema::{BOTH, Cinema, STANDARD, T0};

/// Codes whose answers are looked at by something else than `Answer::refused`: here below, among the staff's
/// sign-in, and in the table of the door.
const ELSEWHERE: [&str; 3] = ["internal-error", "too-many-requests", "unknown-ticket"];

#[test]
fn every_code_has_a_test_that_gets_it_as_an_answer() {
    let mut texts = String::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it"), &mut texts);
    for (code, status) in problem_docs::codes() {
        let elsewhere = ELSEWHERE.contains(&code);
        let asked = texts.contains(&format!("refused({status}, \"{code}\")"));
        assert!(asked || elsewhere, "no test gets {code} with {status}");
    }
}

fn read(folder: &Path, texts: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read(&path, texts);
        } else {
            texts.push_str(&std::fs::read_to_string(path).expect("a text"));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn seats_that_cannot_be_meant_are_refused_each_by_its_code() {
    let cinema = Cinema::standard(BOTH[0]).await;
    cinema.try_hold("show-1", &["A1", "A1"]).await.refused(422, "duplicate-seats");
    cinema.try_hold("show-1", &[]).await.refused(422, "no-seats");
    let nine = ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9"];
    cinema.try_hold("show-1", &nine).await.refused(422, "too-many-seats");
    let body = json!({ "show": "show-1", "seats": ["A1"], "layout_version": 99 });
    cinema.post("/api/v1/bookings", body).await.refused(409, "layout-changed");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_seats_of_one_label_are_told_apart_by_their_ids() {
    let zones = STANDARD.replace("  \"A SSSS.SSSS.SSSS\",\n", "  { label = \"A\", cells = \"SSSS\", zone = \"left\" },\n  { label = \"A\", cells = \"SSSS\", zone = \"right\" },\n");
    let cinema = Cinema::with(BOTH[0], &zones, T0).await;
    let problem = cinema.try_hold("show-1", &["A1"]).await.refused(422, "ambiguous-seats");
    assert_eq!(problem["seats"][0]["ids"].as_array().map(Vec::len), Some(2), "{problem}");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_paid_is_not_paid_again_and_what_has_started_is_not_sold() {
    let cinema = Cinema::standard(BOTH[0]).await;
    let held = cinema.hold("show-1", &["A1"]).await;
    cinema.pay(&held).await;
    cinema.try_pay(&held).await.refused(409, "already-paid");
    cinema.set_clock(json!({ "set": "2027-06-12T18:00:00Z", "freeze": true })).await.expect(200);
    cinema.try_hold("show-1", &["A2"]).await.refused(409, "sales-closed");
    cinema.close().await;
}

async fn breaks() -> &'static str {
    panic!("a secret")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_is_an_error_of_ours_and_tells_nothing() {
    let app = dressed(Router::new().route("/api/breaks", get(breaks)), super::state().await);
    let request = Request::get("/api/breaks").body(Body::empty()).expect("a request");
    let response = app.oneshot(request).await.expect("an answer");
    assert_eq!(response.status(), 500);
    let body = to_bytes(response.into_body(), 10_000).await.expect("a whole body");
    let body: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!((&body["code"], &body["retryable"]), (&json!("internal-error"), &json!(false)));
    assert!(!body.to_string().contains("secret"), "{body}");
}

/// Found by Schemathesis: a filter that matches nothing hid what was wrong beside it.
#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_cannot_be_read_is_refused_though_nothing_would_match() {
    let cinema = Cinema::standard(BOTH[0]).await;
    for wrong in ["from=soon", "to=later", "cursor=%00", "limit=0", "date=never"] {
        cinema.get(&format!("/api/v1/shows?theatre=%20&{wrong}")).await.refused(400, "invalid-request");
    }
    cinema.get("/api/v1/shows?theatre=%20").await.expect(200);
    cinema.close().await;
}
