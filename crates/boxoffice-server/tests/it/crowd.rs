//! Many clients at once over HTTP: one seat has one buyer, and nobody sees an error. That these
//! races can fail at all is shown by the stores' contract suite, whose control has no guard.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::cinema::{Answer, BOTH, Cinema, Held, Kind};

/// Sends the same request from many clients as close together as one machine can.
async fn together(cinema: &Cinema, clients: usize, body: &Value) -> Vec<Answer> {
    let body = body.to_string();
    join_all((0..clients).map(|_| cinema.send(Method::POST, "/api/v1/bookings", &[], Some(&body)))).await
}

fn count(answers: &[Answer]) -> BTreeMap<u16, usize> {
    let mut counts = BTreeMap::new();
    for answer in answers {
        *counts.entry(answer.status.as_u16()).or_default() += 1;
    }
    counts
}

/// One round of a race for a seat; the winner gives it back.
async fn round(cinema: &Cinema, clients: usize, seat: &str) {
    let answers = together(cinema, clients, &json!({ "show": "show-1", "seats": [seat] })).await;
    assert_eq!(count(&answers), BTreeMap::from([(201, 1), (409, clients - 1)]), "{seat}");
    for answer in &answers {
        let body = answer.json();
        if answer.status.as_u16() == 409 {
            assert_eq!(body["seats"][0]["label"], *seat);
            assert_eq!(body.get("id"), None, "a loser gets no booking");
        } else {
            let text = |member: &str| body[member].as_str().expect(member).to_owned();
            let winner = Held { id: text("id"), token: text("token"), body: body.clone() };
            cinema.cancel(&winner).await.expect(200);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_clients_want_one_seat_two_hundred_times() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        for _ in 0..200 {
            round(&cinema, 16, "F7").await;
        }
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_002_two_hundred_sessions_meet_at_one_seat() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        for _ in 0..5 {
            round(&cinema, 200, "E6").await;
        }
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_004_the_last_two_seats_go_to_one_of_ten() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let map = cinema.seats("show-1").await;
        let all = map["seats"].as_array().expect("seats").iter().filter_map(|seat| seat["label"].as_str());
        let others: Vec<&str> = all.filter(|label| !["J11", "J12"].contains(label)).collect();
        for eight in others.chunks(8) {
            cinema.hold("show-1", eight).await;
        }
        let answers = together(&cinema, 10, &json!({ "show": "show-1", "best": { "count": 2 } })).await;
        assert_eq!(count(&answers), BTreeMap::from([(201, 1), (409, 9)]));
        let winner = answers.iter().find(|answer| answer.status.as_u16() == 201).expect("a winner").json();
        let labels: Vec<&str> =
            winner["seats"].as_array().expect("seats").iter().filter_map(|seat| seat["label"].as_str()).collect();
        assert_eq!(labels, ["J11", "J12"]);
        assert_eq!(cinema.seats_left("show-1").await, 0);
        assert_eq!(cinema.get("/api/v1/shows").await.expect(200)["items"][0]["seats_left"], 0);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_111_fifty_writers_and_readers_never_see_a_locked_store() {
    let cinema = Arc::new(Cinema::standard(Kind::Sqlite).await);
    let writer = async |n: usize| {
        for step in 0..10 {
            let seat =
                format!("{}{}", ["A", "B", "C", "D", "E", "F", "G", "H", "J", "K"][n % 10], 1 + (n / 10 + step) % 12);
            let held = cinema.try_hold("show-1", &[&seat]).await;
            if held.status.as_u16() == 409 {
                continue;
            }
            let body = held.expect(201);
            let text = |member: &str| body[member].as_str().expect(member).to_owned();
            let held = Held { id: text("id"), token: text("token"), body: body.clone() };
            if step % 2 == 0 {
                cinema.pay(&held).await;
            }
            cinema.cancel(&held).await.expect(200);
        }
    };
    let reader = async || {
        for _ in 0..50 {
            cinema.get("/api/v1/shows/show-1/seats").await.expect(200);
        }
    };
    tokio::join!(join_all((0..50).map(writer)), join_all((0..4).map(|_| reader())));
    let cinema = Arc::into_inner(cinema).expect("the last one");
    cinema.close().await;
}
