//! A server without a payment provider sells nothing and says why.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use boxoffice::catalogue::file::SourceFile;
use boxoffice::clock::SystemClock;
use boxoffice::memory::MemoryStore;
use boxoffice::store::{ClockChange, Store};
use boxoffice_server::app::{AppState, Patience, Site};
use boxoffice_server::config::Limits;
use boxoffice_server::entropy::OsEntropy;
use boxoffice_server::{http, import};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::cinema::{STANDARD, T0};

const SAYS: &str = "o payment provider is set up here; tell the cinema";

async fn router() -> Router {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new(Arc::new(SystemClock)));
    store.set_clock(ClockChange::Set { to: T0.parse().unwrap(), freeze: true }).await.unwrap();
    let file = SourceFile { name: "fixture".into(), text: STANDARD.into() };
    assert_eq!(import::run(&*store, &[file], false).await.unwrap().errors, Vec::<String>::new());
    let home = "http://127.0.0.1:1".to_owned();
    let site = Site {
        base_url: home.clone(),
        local_url: home,
        demo: false,
        test_clock: false,
        patience: Patience::default(),
        limits: Limits::default(),
        cors: Vec::new(),
    };
    http::router(AppState::new(store, Arc::new(OsEntropy), site).await.unwrap())
}

async fn post(
    router: &Router,
    path: &str,
    proof: (header::HeaderName, String),
    body: &'static str,
) -> (StatusCode, bool, String) {
    let request = Request::post(path).header(proof.0, proof.1).body(Body::from(body)).unwrap();
    let answer = router.clone().oneshot(request).await.unwrap();
    let (status, again) = (answer.status(), answer.headers().contains_key(header::RETRY_AFTER));
    let bytes = answer.into_body().collect().await.unwrap().to_bytes();
    (status, again, String::from_utf8(bytes.to_vec()).unwrap())
}

#[tokio::test]
async fn without_a_provider_no_payment_starts_and_trying_again_is_not_advised() {
    let router = router().await;
    let hold = r#"{"show":"show-1","seats":["A1"],"customer":{"email":"a@example.org"}}"#;
    let (status, _, held) = post(&router, "/api/v1/bookings", (header::ACCEPT, "*/*".into()), hold).await;
    assert_eq!(status, StatusCode::CREATED, "{held}");
    let held: Value = serde_json::from_str(&held).unwrap();
    let (id, token) = (held["id"].as_str().unwrap(), held["token"].as_str().unwrap());
    let bearer = (header::AUTHORIZATION, format!("Bearer {token}"));
    let (status, again, problem) = post(&router, &format!("/api/v1/bookings/{id}/payments"), bearer, "{}").await;
    let problem: Value = serde_json::from_str(&problem).unwrap();
    assert_eq!((status, again), (StatusCode::SERVICE_UNAVAILABLE, false));
    assert_eq!((&problem["code"], &problem["retryable"]), (&"busy".into(), &false.into()));
    assert!(problem["detail"].as_str().unwrap().contains(SAYS), "{problem}");
    let cookie = (header::COOKIE, format!("bo_bookings={token}"));
    let (status, _, page) = post(&router, &format!("/bookings/{id}/pay"), cookie, "email=a%40example.org").await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(page.contains(SAYS) && !page.contains("did not answer"), "{page}");
}
