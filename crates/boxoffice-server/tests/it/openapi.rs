//! The document of the API: served, whole, and true.

mod codes;
mod examples;

use std::collections::BTreeSet;
use std::sync::Arc;

use boxoffice::clock::SystemClock;
use boxoffice::memory::MemoryStore;
use boxoffice_server::app::{AppState, Patience, Site};
use boxoffice_server::config::Limits;
use boxoffice_server::entropy::OsEntropy;
use boxoffice_server::http;
use boxoffice_server::http::openapi::DOCUMENT;
use reqwest::Method;
use serde_json::{Value, json};

use crate::cinema::{Answer, BOTH, Cinema, documented};

/// What a server without anything shares.
async fn state() -> AppState {
    let address = "http://127.0.0.1:1".to_owned();
    let site = Site {
        base_url: address.clone(),
        local_url: address,
        demo: false,
        test_clock: true,
        patience: Patience::default(),
        limits: Limits::default(),
        cors: Vec::new(),
    };
    let store = Arc::new(MemoryStore::new(Arc::new(SystemClock)));
    AppState::new(store, Arc::new(OsEntropy), site).await.expect("a state")
}

/// The paths of the whole server. The framework tells them in its debug form alone; when that changes, none are
/// found and the test fails.
async fn paths() -> BTreeSet<String> {
    let debug = format!("{:?}", http::router(state().await));
    let routes = debug.split("RouteId(").skip(1).filter_map(|text| {
        let path = text.split_once("): \"")?.1.split_once('"')?.0;
        path.starts_with('/').then(|| path.to_owned())
    });
    routes.collect()
}

/// The methods of a path that the document has.
fn methods(path: &str) -> BTreeSet<String> {
    DOCUMENT.json["paths"][path].as_object().expect(path).keys().map(|method| method.to_uppercase()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_is_documented_and_every_documented_path_is_a_route() {
    let routes = paths().await;
    assert!(routes.len() > 60, "the paths are not found any more: {routes:?}");
    let api = routes.iter().filter(|path| documented::is_api(path));
    let by_programme = "{programme}/{date}/{time}";
    let (long, short): (BTreeSet<&String>, _) = api.partition(|path| path.contains(by_programme));
    let told: BTreeSet<&String> = DOCUMENT.json["paths"].as_object().expect("paths").keys().collect();
    assert_eq!(short, told);
    // The id of a show may come with its slashes as they are: a form of a documented path.
    for path in long {
        let same =
            documented::template(&path.replace(by_programme, "evening/2027-06-12/20:00").replace("{kind}", "shows"));
        assert!(same.is_some(), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_documented_method_answers_and_no_other() {
    let cinema = Cinema::standard(BOTH[0]).await;
    for path in DOCUMENT.json["paths"].as_object().expect("paths").keys() {
        let told = methods(path);
        let sent = path.replace("{id}", "x").replace("{kind}", "movies").replace("{ticket}", "1");
        let sent = sent.replace("{theatre}", "x").replace("{date}", "2027-06-12").replace("{gateway}", "x");
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let answer = cinema.send(method.parse().expect("a method"), &sent, &[], None).await;
            if told.contains(method) {
                assert_ne!(answer.status, 405, "{method} {path}");
                continue;
            }
            answer.refused(405, "method-not-allowed");
            let allowed = answer.header("allow").split(',').map(str::trim).filter(|allowed| *allowed != "HEAD");
            assert_eq!(allowed.map(str::to_owned).collect::<BTreeSet<_>>(), told, "{method} {path}");
        }
    }
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_document_is_served_once_and_then_only_named() {
    let cinema = Cinema::standard(BOTH[0]).await;
    let answer = cinema.get("/openapi.json").await;
    assert_eq!(answer.header("content-type"), "application/json");
    let document = answer.expect(200);
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document, DOCUMENT.json);
    let known = [("if-none-match", answer.header("etag"))];
    let again = cinema.send(Method::GET, "/openapi.json", &known, None).await;
    assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""));
    cinema.close().await;
}

#[test]
fn every_operation_is_explained() {
    let mut ids = BTreeSet::new();
    for (path, item) in DOCUMENT.json["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let name = format!("{method} {path}");
            let text =
                |pointer: &str| operation.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
            assert!(ids.insert(text("/operationId")), "{name}: its operation id is another's");
            assert!(!text("/summary").is_empty() && !text("/tags/0").is_empty(), "{name}");
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                assert!(parameter["description"].is_string(), "{name}: {parameter}");
            }
            for (status, answer) in operation["responses"].as_object().expect("answers") {
                assert!(answer["description"].as_str().is_some_and(|text| !text.is_empty()), "{name} {status}");
                assert!(status.parse::<u16>().is_ok_and(|status| (200..600).contains(&status)), "{name} {status}");
            }
            let body = operation["requestBody"]["content"].as_object().into_iter().flat_map(|kinds| kinds.values());
            let lacks = |content: &Value| content.get("examples").is_none();
            assert!(!body.into_iter().any(lacks) || path.contains("webhooks"), "{name}: no example of its body");
        }
    }
}

/// The control: an answer that is not as documented is found.
#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_answer_is_found() {
    let cinema = Cinema::standard(BOTH[0]).await;
    let path = "/api/v1/shows/show-1";
    let right = cinema.get(path).await;
    let finds = |change: &dyn Fn(&mut Value)| {
        let mut body = right.json();
        change(&mut body);
        let wrong = Answer { text: body.to_string(), ..right.clone() };
        documented::mistakes(&Method::GET, path, &wrong).len()
    };
    assert_eq!(finds(&|_| {}), 0);
    assert_ne!(finds(&|show| show["status"] = json!("sold")), 0, "a word that is not in the list");
    assert_ne!(finds(&|show| show["starts_at"] = json!("tomorrow")), 0, "no time");
    assert_ne!(finds(&|show| show["prices"][0]["face"]["amount"] = json!("12.50")), 0, "another type");
    assert_ne!(finds(&|show| show["prices"][0]["face"]["cents"] = json!(1)), 0, "a member more");
    assert_ne!(finds(&|show| show["secret"] = json!(1)), 0, "a member more");
    assert_ne!(finds(&|show| drop(show.as_object_mut().map(|show| show.remove("zone")))), 0, "a member less");
    let with = |status: u16, kind: &'static str| {
        let mut wrong = right.clone();
        wrong.status = status.try_into().expect("a status");
        wrong.headers.insert("content-type", kind.parse().expect("a value"));
        documented::mistakes(&Method::GET, path, &wrong).len()
    };
    assert_ne!(with(200, "text/html"), 0, "another kind");
    assert_ne!(with(418, "application/json"), 0, "another status");
    assert_ne!(with(404, "application/problem+json"), 0, "no problem");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_needs_a_key_is_not_done_without_one() {
    let cinema = Cinema::standard(BOTH[0]).await;
    let mut asked = 0;
    for (path, item) in DOCUMENT.json["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let needs_key = operation["security"] == json!([{ "staff_key": [] }]);
            let needs_query = |p: &Value| p["in"] == "query" && p["required"] == true;
            if !needs_key || operation["parameters"].as_array().into_iter().flatten().any(needs_query) {
                continue;
            }
            let path =
                path.replace("{kind}", "movies").replace("{theatre}", "kino-am-markt").replace("{date}", "2027-06-12");
            let path = path.replace("{id}", "show-1");
            let method: Method = method.to_uppercase().parse().expect("a method");
            let body = operation.get("requestBody").map(|_| "{}");
            for wrong in ["", "Bearer bo_live_1_2"] {
                let headers = [("authorization", wrong)];
                let headers = if wrong.is_empty() { &[][..] } else { &headers[..] };
                cinema.send(method.clone(), &path, headers, body).await.refused(401, "unauthorized");
            }
            asked += 1;
        }
    }
    assert!(asked >= 12, "{asked}");
    cinema.close().await;
}
