//! The counter over HTTP: its own channel, money taken by hand, seats taken off sale, quotes.

use boxoffice_server::auth::Role;
use reqwest::Method;
use serde_json::{Value, json};

use crate::cinema::{BOTH, Cinema, Held, STANDARD, T0, until};

/// The standard fixture with a dearer row K and a second hall.
fn two_halls() -> String {
    STANDARD
        .replace("{ S = \"Standard\" }", "{ S = \"Standard\", P = \"Premium\" }")
        .replace("K SSSS.SSSS.SSSS", "K PPPP.PPPP.PPPP")
        .replace("{ Standard = \"12.50\" }", "{ Standard = \"12.50\", Premium = \"15.00\" }")
        + "\n[[layouts]]\nid = \"hall-2\"\ncategories = { S = \"Standard\" }\nrows = [\"Q SSSS\"]\n\
           [[screens]]\nid = \"markt-2\"\ntheatre = \"kino-am-markt\"\nname = \"Hall 2\"\nlayout = \"hall-2\"\n"
}

async fn sell(cinema: &Cinema, key: &str, seats: Value) -> Held {
    let body = cinema.post_as(key, "/api/v1/bookings", json!({ "show": "show-1", "seats": seats })).await.expect(201);
    let text = |member: &str| body[member].as_str().expect(member).to_owned();
    Held { id: text("id"), token: text("token"), body }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_counter_takes_money_and_confirms_at_once() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let counter = cinema.key(Role::Counter).await;
        let held = sell(&cinema, &counter, json!(["A1", "A2"])).await;
        assert_eq!(held.body["channel"], "counter");
        let pay = format!("/api/v1/bookings/{}/payments", held.id);
        let named = json!({ "gateway": "counter" });
        cinema.post_as(&held.token, &pay, named.clone()).await.refused(400, "invalid-request");
        let paid = cinema.post_as(&counter, &pay, json!({})).await.expect(201);
        assert_eq!((&paid["status"], &paid["gateway"]), (&json!("succeeded"), &json!("counter")));
        assert_eq!((&paid["checkout_url"], &paid["captured"]["amount"]), (&Value::Null, &json!(2_740)));
        let again = cinema.post_as(&counter, &pay, named.clone()).await.expect(201);
        assert_eq!(again["id"], paid["id"], "a repeat answers the same payment");
        assert_eq!(cinema.booking(&held).await["status"], "confirmed");
        assert_eq!(cinema.tickets(&held).await.len(), 2);
        cinema.post_as(&counter, &format!("/api/v1/bookings/{}/cancel", held.id), json!({})).await.expect(200);
        until(async || cinema.booking(&held).await["refunds"][0]["status"] == "succeeded").await;

        let web = cinema.hold("show-1", &["B1"]).await;
        let pay = format!("/api/v1/bookings/{}/payments", web.id);
        let open = cinema.post_as(&web.token, &pay, json!({})).await.expect(201);
        assert_eq!(open["gateway"], "sandbox");
        cinema.post_as(&counter, &pay, named.clone()).await.refused(409, "payment-in-progress");
        cinema.advance_s(900.0).await;
        cinema.post_as(&counter, &pay, named).await.refused(409, "hold-expired");

        let scanner = cinema.key(Role::Scanner).await;
        let refused = json!({ "show": "show-1", "seats": ["B2"] });
        cinema.post_as(&scanner, "/api/v1/bookings", refused).await.refused(403, "forbidden");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_008_the_counter_sells_no_seat_under_another_class_or_hall() {
    for kind in BOTH {
        let cinema = Cinema::with(kind, &two_halls(), T0).await;
        let counter = cinema.key(Role::Counter).await;
        let manager = cinema.key(Role::Manager).await;
        let blocks = "/api/v1/admin/shows/show-1/blocks";
        let broken = json!({ "seats": ["C1"], "reason": "out of order" });
        cinema.post_as(&counter, blocks, broken.clone()).await.refused(403, "forbidden");
        cinema.post_as(&manager, blocks, broken).await.expect(201);
        for (seats, more, status, code) in [
            (json!([{ "id": "K1", "category": "Standard" }]), json!({}), 400, "invalid-request"),
            (json!(["K1"]), json!({ "expected_total": { "amount": 1_370, "currency": "EUR" } }), 409, "price-changed"),
            (json!(["Q1"]), json!({}), 422, "unknown-seats"),
            (json!(["C1"]), json!({}), 409, "seats-unavailable"),
            (json!(["D1", "C1"]), json!({}), 409, "seats-unavailable"),
        ] {
            let mut body = json!({ "show": "show-1", "seats": seats });
            if let Some(total) = more.get("expected_total") {
                body["expected_total"] = total.clone();
            }
            let refused = cinema.post_as(&counter, "/api/v1/bookings", body).await.refused(status, code);
            if code == "price-changed" {
                assert_eq!((&refused["old"]["amount"], &refused["new"]["amount"]), (&json!(1_370), &json!(1_620)));
            }
        }
        assert_eq!(cinema.seats_left("show-1").await, 119);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn blocked_seats_come_back_by_hand_or_at_their_time() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let manager = cinema.key(Role::Manager).await;
        let blocks = "/api/v1/admin/shows/show-1/blocks";
        let held = cinema.hold("show-1", &["A3"]).await;
        let taken = json!({ "seats": ["A2", "A3"], "reason": "press" });
        cinema.post_as(&manager, blocks, taken).await.refused(409, "seats-unavailable");
        let soon = json!({ "seats": ["A1", "A2"], "reason": "press", "until": "2027-06-10T18:05:00Z" });
        let answer = cinema.post_as(&manager, blocks, soon).await.expect(201);
        assert_eq!((&answer["status"], &answer["until"]), (&json!("blocked"), &json!("2027-06-10T18:05:00Z")));
        let bearer = format!("Bearer {manager}");
        let back = json!({ "seats": ["A2"] }).to_string();
        let put_back = cinema.send(Method::DELETE, blocks, &[("authorization", &bearer)], Some(&back)).await;
        assert_eq!(put_back.expect(200)["status"], "available");
        for (seconds, status) in [(299.0, "blocked"), (1.0, "available")] {
            cinema.advance_s(seconds).await;
            assert_eq!(cinema.seat_status("show-1", "A1").await, status);
        }
        assert_eq!(cinema.seat_status("show-1", "A2").await, "available");
        cinema.hold("show-1", &["A1", "A2"]).await;
        for (field, body) in [
            ("/reason", json!({ "seats": ["A5"], "reason": " " })),
            ("/until", json!({ "seats": ["A5"], "reason": "x", "until": "2027-06-10T18:00:00Z" })),
            ("/until", json!({ "seats": ["A5"], "reason": "x", "until": "tomorrow" })),
        ] {
            let refused = cinema.post_as(&manager, blocks, body).await.refused(400, "invalid-request");
            assert_eq!(refused["errors"][0]["pointer"], field);
        }
        assert_eq!(cinema.booking(&held).await["status"], "pending_payment");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_says_the_price_and_holds_nothing() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let ask = json!({ "show": "show-1", "seats": ["F7", "F8"], "dry_run": true });
        let quote = cinema.post("/api/v1/bookings", ask.clone()).await.expect(200);
        assert_eq!((&quote["dry_run"], &quote["price"]["total"]["amount"]), (&json!(true), &json!(2_740)));
        assert_eq!((&quote["seats"][0]["total"]["amount"], &quote["token"]), (&json!(1_370), &Value::Null));
        assert_eq!(cinema.seat_status("show-1", "F7").await, "available");
        cinema.hold("show-1", &["F7"]).await;
        cinema.post("/api/v1/bookings", ask).await.refused(409, "seats-unavailable");
        cinema.close().await;
    }
}
