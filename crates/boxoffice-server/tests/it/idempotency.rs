//! `Idempotency-Key`: a repeat is answered as the first time, and nothing is done twice.

use reqwest::Method;
use serde_json::{Value, json};

use crate::cinema::{Answer, BOTH, Cinema};

const K1: &str = "3f2a9c60-7c1e-4a57-a6b7-1d0c1f2e3a4b";

async fn post(cinema: &Cinema, path: &str, proof: Option<&str>, key: &str, body: &Value) -> Answer {
    let bearer = proof.map(|token| format!("Bearer {token}"));
    let mut headers = vec![("idempotency-key", key)];
    if let Some(bearer) = &bearer {
        headers.push(("authorization", bearer));
    }
    cinema.send(Method::POST, path, &headers, Some(&body.to_string())).await
}

#[tokio::test(flavor = "multi_thread")]
async fn case_117_a_key_belongs_to_one_request_of_one_caller() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let hold = |seat: &str| json!({ "show": "show-1", "seats": [seat], "customer": { "email": "a@example.org" } });
        let first = post(&cinema, "/api/v1/bookings", None, K1, &hold("A1")).await;
        first.expect(201);
        assert_eq!(first.header("idempotency-replayed"), "");
        // The same request: the same answer, to the byte, though time has passed.
        cinema.advance_s(30.0).await;
        let again = post(&cinema, "/api/v1/bookings", None, K1, &hold("A1")).await;
        assert_eq!((again.status, &again.text), (first.status, &first.text));
        assert_eq!(again.header("idempotency-replayed"), "true");
        // Another body, another path.
        post(&cinema, "/api/v1/bookings", None, K1, &hold("B1")).await.refused(422, "idempotency-key-reused");
        post(&cinema, "/api/v1/bookings?x=1", None, K1, &hold("A1")).await.refused(422, "idempotency-key-reused");
        assert_eq!(cinema.seat_status("show-1", "B1").await, "available");
        // Another caller has a namespace of their own.
        let booking = first.json();
        let token = booking["token"].as_str().expect("a token");
        let id = booking["id"].as_str().expect("an id");
        let other = post(&cinema, "/api/v1/bookings", Some(token), K1, &hold("C1")).await.expect(201);
        assert_ne!(other["id"], booking["id"]);
        // Payments and cancellations replay as well, and proof comes before replay.
        let pay = format!("/api/v1/bookings/{id}/payments");
        let paid = post(&cinema, &pay, Some(token), "pay-1", &json!({})).await;
        paid.expect(201);
        let repaid = post(&cinema, &pay, Some(token), "pay-1", &json!({})).await;
        assert_eq!((repaid.status, &repaid.text), (paid.status, &paid.text));
        assert_eq!(repaid.header("idempotency-replayed"), "true");
        assert_eq!(cinema.get("/test/sandbox/payments").await.expect(200)["items"].as_array().map(Vec::len), Some(1));
        let cancel = format!("/api/v1/bookings/{id}/cancel");
        post(&cinema, &cancel, Some(token), "pay-1", &json!({})).await.refused(422, "idempotency-key-reused");
        post(&cinema, &pay, None, K1, &json!({})).await.refused(404, "not-found");
        let cancelled = post(&cinema, &cancel, Some(token), "cancel-1", &json!({})).await;
        cancelled.expect(200);
        assert_eq!(post(&cinema, &cancel, Some(token), "cancel-1", &json!({})).await.text, cancelled.text);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_117_refusals_and_faults_are_not_kept() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let hold = json!({ "show": "show-1", "seats": ["A1"] });
        let taken = cinema.hold("show-1", &["A1"]).await;
        post(&cinema, "/api/v1/bookings", None, K1, &hold).await.refused(409, "seats-unavailable");
        cinema.cancel(&taken).await.expect(200);
        cinema.break_store(true);
        let busy = post(&cinema, "/api/v1/bookings", None, K1, &hold).await;
        assert_eq!(busy.refused(503, "busy")["retryable"], true);
        assert_eq!(busy.header("retry-after"), "1");
        cinema.break_store(false);
        post(&cinema, "/api/v1/bookings", None, K1, &hold).await.expect(201);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_117_twins_make_one_booking() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let hold = json!({ "show": "show-1", "best": { "count": 2 } });
        let twins =
            futures_util::future::join_all((0..8).map(|_| post(&cinema, "/api/v1/bookings", None, K1, &hold))).await;
        let mut bodies: Vec<&str> = Vec::new();
        for twin in &twins {
            match twin.status.as_u16() {
                201 => bodies.push(&twin.text),
                _ => drop(twin.refused(409, "request-in-progress")),
            }
        }
        bodies.dedup();
        assert_eq!(bodies.len(), 1, "one answer for all that were answered");
        assert_eq!(cinema.seats_left("show-1").await, 118);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_can_be_guessed_or_read_two_ways_are_refused() {
    let cinema = Cinema::standard(BOTH[0]).await;
    let hold = json!({ "show": "show-1", "seats": ["A1"] });
    let long = "x".repeat(256);
    for bad in ["short", "", "fifteen-letters", &long] {
        post(&cinema, "/api/v1/bookings", None, bad, &hold).await.refused(400, "invalid-request");
    }
    let twice = [("idempotency-key", K1), ("idempotency-key", "another-key-of-some-length")];
    let sent = cinema.send(Method::POST, "/api/v1/bookings", &twice, Some(&hold.to_string())).await;
    sent.refused(400, "invalid-request");
    // A cookie that anybody can make up tells nobody apart.
    let session = [("cookie", "bo_session=0123456789"), ("idempotency-key", "short")];
    let sent = cinema.send(Method::POST, "/api/v1/bookings", &session, Some(&hold.to_string())).await;
    sent.refused(400, "invalid-request");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_is_who_was_proved_however_the_proof_is_spelled() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let held = cinema.hold("show-1", &["A1"]).await;
        let hold = json!({ "show": "show-1", "seats": ["B1"] }).to_string();
        let (id, mac) = held.token.split_once('.').expect("a token");
        let proofs = [
            format!("Bearer {}", held.token),
            format!("bearer  {}", held.token),
            format!("BEARER {}.{mac}", id.to_ascii_uppercase()),
            format!("Bearer {}.{mac}", id.to_ascii_lowercase()),
        ];
        let mut answers = Vec::new();
        for proof in &proofs {
            let headers = [("idempotency-key", "short"), ("authorization", proof.as_str())];
            let answer = cinema.send(Method::POST, "/api/v1/bookings", &headers, Some(&hold)).await;
            answer.expect(201);
            answers.push(answer.text);
        }
        answers.dedup();
        assert_eq!(answers.len(), 1, "one caller, one booking");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proof_of_nothing_is_refused_before_any_answer_is_given_again() {
    let cinema = Cinema::standard(BOTH[0]).await;
    let hold = json!({ "show": "show-1", "seats": ["A1"], "customer": { "email": "a@example.org" } });
    let first = post(&cinema, "/api/v1/bookings", None, K1, &hold).await.expect(201);
    let (token, id) = (first["token"].as_str().expect("a token"), first["id"].as_str().expect("an id"));
    let pay = format!("/api/v1/bookings/{id}/payments");
    post(&cinema, &pay, Some(token), K1, &json!({})).await.expect(201);
    for nothing in ["x", "bo_live_x_y", &format!("{id}.AAAA")] {
        post(&cinema, "/api/v1/bookings", Some(nothing), K1, &hold).await.refused(401, "unauthorized");
        post(&cinema, &pay, Some(nothing), K1, &json!({})).await.refused(404, "not-found");
    }
    cinema.close().await;
}
