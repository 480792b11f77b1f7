//! Money over HTTP: whole minor units, quoted once, and never from the browser.

use boxoffice_server::auth::Role;
use reqwest::Method;
use serde_json::json;

use crate::cinema::{Answer, BOTH, Cinema, STANDARD, T0};

async fn import(cinema: &Cinema, text: &str) -> Answer {
    let bearer = format!("Bearer {}", cinema.key(Role::Manager).await);
    cinema.send(Method::POST, "/api/v1/admin/catalogue", &[("authorization", &bearer)], Some(text)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn case_044_yen_have_no_hundredths() {
    let yen = STANDARD.replace("\"EUR\"", "\"JPY\"").replace("\"12.50\"", "\"1900\"").replace("\"1.20\"", "\"100\"");
    for kind in BOTH {
        let cinema = Cinema::with(kind, &yen, T0).await;
        let held = cinema.hold("show-1", &["A1", "A2"]).await;
        assert_eq!(held.body["price"]["total"], json!({ "amount": 4_000, "currency": "JPY" }));
        cinema.pay(&held).await;
        let paid = &cinema.sandbox_payments(&held).await[0];
        assert_eq!(paid["captured"], json!({ "amount": 4_000, "currency": "JPY" }));
        let refund = cinema.cancel(&held).await.expect(200)["refund"].clone();
        assert_eq!((&refund["amount"]["amount"], &refund["kept"]["amount"]), (&json!(3_800), &json!(200)));
        let refused = import(&cinema, &yen.replace("\"1900\"", "\"1900.50\"")).await.refused(400, "invalid-request");
        assert!(refused["detail"].as_str().is_some_and(|detail| detail.contains("1900.50")), "{refused}");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_049_a_new_price_leaves_a_hold_as_it_was_quoted() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let first = cinema.hold("show-1", &["A1", "A2"]).await;
        cinema.advance_s(60.0).await;
        let dearer = STANDARD.replace("\"12.50\"", "\"14.00\"").replace("percent = \"7\"", "percent = \"19\"");
        assert_eq!(import(&cinema, &dearer).await.expect(200)["changed"], 2);
        cinema.advance_s(60.0).await;
        let paid = cinema.pay(&first).await;
        assert_eq!(paid["price"], first.body["price"], "27.40 with 7 % tax, as quoted");
        assert_eq!(paid["seats"][0]["face"]["amount"], 1_250);
        assert_eq!(cinema.sandbox_payments(&first).await[0]["captured"]["amount"], 2_740);
        cinema.advance_s(10.0).await;
        let second = cinema.hold("show-1", &["A3", "A4"]).await;
        assert_eq!(second.body["price"]["total"]["amount"], 3_040);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_052_money_in_a_request_is_refused() {
    let cinema = Cinema::standard(BOTH[1]).await;
    let named = [
        ("price", json!(0.01)),
        ("total", json!({ "amount": 1, "currency": "EUR" })),
        ("fee", json!(0)),
        ("discount", json!(999)),
        ("currency", json!("JPY")),
    ];
    for (member, value) in &named {
        let mut hold = json!({ "show": "show-1", "seats": ["A1"] });
        hold[member] = value.clone();
        let refused = cinema.post("/api/v1/bookings", hold).await.refused(400, "invalid-request");
        assert!(refused["errors"][0]["detail"].as_str().is_some_and(|d| d.contains(member)), "{refused}");
        let mut seat = json!({ "id": "A1" });
        seat[member] = value.clone();
        let hold = json!({ "show": "show-1", "seats": [seat] });
        cinema.post("/api/v1/bookings", hold).await.refused(400, "invalid-request");
    }
    assert_eq!(cinema.seats_left("show-1").await, 120, "nothing was held");
    let held = cinema.hold("show-1", &["A1", "A2"]).await;
    for (member, value) in &named {
        for tail in ["/payments", "/cancel"] {
            let path = format!("/api/v1/bookings/{}{tail}", held.id);
            cinema.post_as(&held.token, &path, json!({ *member: value })).await.refused(400, "invalid-request");
        }
        let path = format!("/api/v1/bookings/{}", held.id);
        cinema.patch_as(&held.token, &path, json!({ *member: value })).await.refused(400, "invalid-request");
    }
    cinema.pay(&held).await;
    let charged = &cinema.sandbox_payments(&held).await[0]["captured"];
    assert_eq!(*charged, json!({ "amount": 2_740, "currency": "EUR" }));
    cinema.close().await;
}
