//! News of payments by every road, late, twice, out of order and lost: one payment is one
//! booking's money once, or goes back.

use serde_json::{Value, json};

use crate::cinema::{BOTH, Cinema, Held, until};

async fn events(cinema: &Cinema, held: &Held, attempt: usize) -> Vec<Value> {
    cinema.sandbox_payments(held).await[attempt]["events"].as_array().expect("events").clone()
}

fn of_kind<'a>(events: &'a [Value], kind: &str) -> &'a Value {
    events.iter().find(|event| event["type"] == kind).unwrap_or_else(|| panic!("no {kind} in {events:?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn case_021_late_money_takes_the_seat_again_or_goes_back() {
    for kind in BOTH {
        for taken in [true, false] {
            let cinema = Cinema::standard(kind).await;
            let late = cinema.hold("show-1", &["J12"]).await;
            let page = cinema.checkout(&late).await;
            cinema.advance_s(1_000.0).await;
            assert_eq!(cinema.booking(&late).await["status"], "expired");
            let other = if taken { Some(cinema.hold("show-1", &["J12"]).await) } else { None };
            if let Some(other) = &other {
                cinema.pay(other).await;
            }
            cinema.advance_s(500.0).await;
            cinema.press(&page, "outcome=success").await;
            if taken {
                until(async || cinema.booking(&late).await["refunds"][0]["status"] == "succeeded").await;
                let late = cinema.booking(&late).await;
                assert_eq!(late["refunds"][0]["amount"]["amount"], 1370, "in full");
                assert_eq!(late["refunds"][0]["reason"], "late");
                assert!(late["refunds"][0]["explanation"].as_str().is_some_and(|why| !why.is_empty()));
                assert_eq!(late["status"], "expired");
            } else {
                cinema.until_status(&late, "confirmed").await;
                assert_eq!(cinema.tickets(&late).await[0]["status"], "valid");
            }
            assert_eq!(cinema.seats_left("show-1").await, 119, "the seat is sold once");
            cinema.close().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_023_an_event_that_failed_takes_effect_when_it_comes_again() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let held = cinema.hold("show-1", &["A1"]).await;
        let page = cinema.checkout(&held).await;
        cinema.press(&page, "outcome=success&drop=1").await;
        cinema.break_store(true);
        let captured = of_kind(&events(&cinema, &held, 0).await, "payment.captured").clone();
        assert!(!cinema.redeliver(&captured).await, "it was answered as an error");
        cinema.break_store(false);
        assert_eq!(cinema.booking(&held).await["status"], "pending_payment");
        assert!(cinema.redeliver(&captured).await);
        assert_eq!(cinema.booking(&held).await["status"], "confirmed");
        assert_eq!(cinema.tickets(&held).await.len(), 1);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_025_one_success_told_twenty_times_is_one_set_of_tickets() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let held = cinema.hold("show-1", &["A1", "A2"]).await;
        let page = cinema.checkout(&held).await;
        cinema.press(&page, "outcome=success&repeat=20").await;
        cinema.until_status(&held, "confirmed").await;
        let captured = of_kind(&events(&cinema, &held, 0).await, "payment.captured").clone();
        assert!(cinema.redeliver(&captured).await);
        let booking = cinema.booking(&held).await;
        assert_eq!(booking["payments"].as_array().map(Vec::len), Some(1));
        assert_eq!(booking["refunds"], json!([]));
        assert_eq!(cinema.tickets(&held).await.len(), 2);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_026_return_page_and_webhook_complete_a_booking_once() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let rows = ["A", "B", "C", "D", "E", "F", "G", "H", "J"];
        let labels: Vec<String> = rows.iter().flat_map(|row| (1..=12).map(move |n| format!("{row}{n}"))).collect();
        for (label, declined_before) in labels.iter().take(100).zip([true, false].into_iter().cycle()) {
            let held = cinema.hold("show-1", &[label]).await;
            if declined_before {
                cinema.press(&cinema.checkout(&held).await, "outcome=decline").await;
                until(async || cinema.booking(&held).await["payments"][0]["status"] == "declined").await;
            }
            let page = cinema.checkout(&held).await;
            let id = held.id.parse().expect("an id");
            let pressed = cinema.press(&page, "outcome=success");
            let ((), first, second) = tokio::join!(pressed, cinema.office.ask_now(id), cinema.office.ask_now(id));
            first.expect("an answer");
            second.expect("an answer");
            let booking = cinema.until_status(&held, "confirmed").await;
            assert_eq!(booking["refunds"], json!([]), "{label}");
            assert_eq!(cinema.tickets(&held).await.len(), 1, "{label}");
        }
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_029_a_late_decline_of_the_first_attempt_cancels_nothing() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let held = cinema.hold("show-1", &["A1"]).await;
        cinema.press(&cinema.checkout(&held).await, "outcome=decline&drop=1").await;
        let second = cinema.office_second_attempt(&held).await;
        cinema.press(&second, "outcome=success").await;
        cinema.until_status(&held, "confirmed").await;
        cinema.advance_s(1_800.0).await;
        for event in events(&cinema, &held, 0).await {
            assert!(cinema.redeliver(&event).await, "{event}");
        }
        let booking = cinema.booking(&held).await;
        assert_eq!(booking["status"], "confirmed");
        assert_eq!(booking["payments"][1]["status"], "succeeded");
        assert_eq!(cinema.tickets(&held).await[0]["status"], "valid");
        assert_eq!(cinema.seat_status("show-1", "A1").await, "booked");
        cinema.close().await;
    }
}

impl Cinema {
    /// A payment page for a second attempt: the first is told to be over first.
    async fn office_second_attempt(&self, held: &Held) -> String {
        self.office.ask_now(held.id.parse().expect("an id")).await.expect("an answer");
        self.checkout(held).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_030_events_in_any_order_end_as_paid() {
    const KINDS: [&str; 3] = ["payment.created", "payment.authorised", "payment.captured"];
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        for (order, seat) in ORDERS.iter().zip(["A1", "A2", "A3", "A4", "A5", "A6"]) {
            let held = cinema.hold("show-1", &[seat]).await;
            cinema.press(&cinema.checkout(&held).await, "outcome=success&drop=1").await;
            let all = events(&cinema, &held, 0).await;
            let mut was_paid = false;
            for index in order {
                assert!(cinema.redeliver(of_kind(&all, KINDS[*index])).await);
                let paid = cinema.booking(&held).await["status"] == "confirmed";
                assert!(paid || !was_paid, "a booking never goes back");
                assert_eq!(paid, was_paid || *index == 2, "paid with the capture and not before: {order:?}");
                was_paid = paid;
            }
            assert_eq!(cinema.tickets(&held).await.len(), 1);
        }
        cinema.close().await;
    }
}

/// The page ends before the hold, the seat is free with the hold, and the page is closed.
#[tokio::test(flavor = "multi_thread")]
async fn case_020_an_abandoned_page_gives_the_seat_back_in_time() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let held = cinema.hold("show-1", &["A1"]).await;
        let page = cinema.checkout(&held).await;
        let booking = cinema.booking(&held).await;
        let instant = |text: &Value| text.as_str().expect("an instant").parse::<jiff::Timestamp>().expect("an instant");
        let (hold_ends, page_ends) =
            (instant(&booking["expires_at"]), instant(&booking["payments"][0]["checkout_expires_at"]));
        assert_eq!(hold_ends.duration_since(page_ends).as_secs(), 60);
        cinema.set_clock(json!({ "set": booking["expires_at"], "freeze": true })).await.expect(200);
        assert_eq!(cinema.seat_status("show-1", "A1").await, "available");
        until(async || cinema.sandbox_payments(&held).await[0]["closed"] == true).await;
        let ended = cinema.get(&page).await;
        assert!(ended.text.contains("has ended"), "{}", ended.text);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn webhooks_that_nobody_signed_are_refused() {
    let cinema = Cinema::standard(BOTH[0]).await;
    for body in ["", "{}", "{\"type\":\"payment.captured\"}", "\u{0}"] {
        let answer = cinema.send(reqwest::Method::POST, "/api/v1/webhooks/sandbox", &[], Some(body)).await;
        answer.refused(400, "invalid-request");
    }
    cinema.post("/api/v1/webhooks/nobody", json!({})).await.refused(404, "not-found");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sandbox_takes_no_amount_that_is_none() {
    let cinema = Cinema::standard(BOTH[0]).await;
    let held = cinema.hold("show-1", &["A1"]).await;
    let page = cinema.checkout(&held).await;
    for amount in ["0", "-1", "-9223372036854775808", "x"] {
        let form = format!("outcome=success&amount={amount}");
        let answer = cinema.send(reqwest::Method::POST, &page, &[], Some(&form)).await;
        assert_eq!(answer.status.as_u16(), 400, "{amount}: {}", answer.text);
    }
    assert_eq!(cinema.sandbox_payments(&held).await[0]["captured"], Value::Null);
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_says_what_was_taken_and_marks_what_was_not_asked_for() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let held = cinema.hold("show-1", &["A1"]).await;
        let page = cinema.checkout(&held).await;
        let payment = cinema.booking(&held).await["payments"][0].clone();
        assert_eq!((&payment["captured"], &payment["flag"]), (&Value::Null, &Value::Null), "nothing was taken yet");
        cinema.press(&page, "outcome=success&amount=1").await;
        until(async || cinema.booking(&held).await["payments"][0]["captured"] != Value::Null).await;
        let payment = cinema.booking(&held).await["payments"][0].clone();
        assert_eq!(payment["captured"], json!({ "amount": 1, "currency": "EUR" }));
        assert_eq!(payment["flag"], "amount_mismatch");
        let right = cinema.hold("show-1", &["A2"]).await;
        let payment = cinema.pay(&right).await["payments"][0].clone();
        assert_eq!((&payment["captured"], &payment["flag"]), (&payment["amount"], &Value::Null));
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_way_back_that_no_browser_can_go_is_refused() {
    let cinema = Cinema::standard(BOTH[0]).await;
    let held = cinema.hold("show-1", &["A1"]).await;
    let path = format!("/api/v1/bookings/{}/payments", held.id);
    let bad = [
        "",
        "/back",
        "javascript:alert(1)",
        "ftp://shop.example",
        "https://",
        "https://ada:secret@shop.example/",
        "https://ada@shop.example/",
        "https://*/",
        "https://*.shop.example/",
        "https://shop.example:65536/",
        "https://shop.example:0/",
        "https://shop.example:/",
        "https://shop example/",
    ];
    for url in bad {
        let problem = cinema.post_as(&held.token, &path, json!({ "return_url": url })).await;
        assert_eq!(problem.refused(400, "invalid-request")["errors"][0]["pointer"], "/return_url", "{url:?}");
    }
    let good = "https://shop.example:8443/back?from=cinema";
    cinema.post_as(&held.token, &path, json!({ "return_url": good })).await.expect(201);
    cinema.close().await;
}
