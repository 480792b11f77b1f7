//! Promo codes over HTTP and on the pages.

use boxoffice_server::auth::Role;
use serde_json::{Value, json};

use crate::cinema::{BOTH, Cinema, Held, STANDARD, T0};

/// The standard fixture with these codes.
fn with_codes(codes: &str) -> String {
    format!("{STANDARD}\n{codes}")
}

fn code(id: &str, fields: &str) -> String {
    format!("[[promo_codes]]\nid = \"{id}\"\n{fields}\n")
}

async fn try_hold(cinema: &Cinema, seats: &[&str], code: &str) -> crate::cinema::Answer {
    let customer = json!({ "email": "a@example.org" });
    let body = json!({ "show": "show-1", "seats": seats, "promo_code": code, "customer": customer });
    cinema.post("/api/v1/bookings", body).await
}

async fn hold(cinema: &Cinema, seats: &[&str], code: &str) -> Held {
    let body = try_hold(cinema, seats, code).await.expect(201);
    let text = |member: &str| body[member].as_str().expect(member).to_owned();
    Held { id: text("id"), token: text("token"), body }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_001_taken_seats_are_refused_on_every_road_and_no_code_is_spent() {
    for kind in BOTH {
        let catalogue = with_codes(&code("MISB10", "percent = \"10\"\nper = \"ticket\"\nmax_uses = 1"));
        let cinema = Cinema::with(kind, &catalogue, T0).await;
        for seats in [["D1", "D2"], ["D3", "D4"]] {
            cinema.pay(&cinema.hold("show-1", &seats).await).await;
        }
        let third = cinema.hold("show-1", &["E1", "E2"]).await;
        let counter = cinema.key(Role::Counter).await;
        let all = ["D1", "D2", "D3", "D4"];
        let explicit: Vec<Value> = all.iter().map(|id| json!({ "id": id })).collect();
        let roads = [
            try_hold(&cinema, &all, "MISB10").await,
            cinema.post("/api/v1/bookings", json!({ "show": "show-1", "seats": explicit })).await,
            cinema.post_as(&counter, "/api/v1/bookings", json!({ "show": "show-1", "seats": all })).await,
            cinema.patch_as(&third.token, &format!("/api/v1/bookings/{}", third.id), json!({ "seats": all })).await,
        ];
        for answer in roads {
            let refused = answer.refused(409, "seats-unavailable");
            let named: Vec<&str> =
                refused["seats"].as_array().expect("seats").iter().filter_map(|s| s["label"].as_str()).collect();
            assert_eq!(named, all);
        }
        let kept = cinema.booking(&third).await;
        assert_eq!((&kept["seats"][0]["label"], &kept["seats"][1]["label"]), (&json!("E1"), &json!("E2")));
        hold(&cinema, &["F1"], "MISB10").await;
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_020_an_abandoned_payment_gives_seat_and_code_back() {
    for kind in BOTH {
        let catalogue =
            with_codes(&code("ONE1", "amount = \"2.00\"\ncurrency = \"EUR\"\nper = \"booking\"\nmax_uses = 1"));
        let cinema = Cinema::with(kind, &catalogue, T0).await;
        let held = hold(&cinema, &["A1"], "ONE1").await;
        let page = cinema.checkout(&held).await;
        try_hold(&cinema, &["B1"], "ONE1").await.refused(422, "promo-code-used-up");
        cinema.advance_s(600.0).await;
        let other = hold(&cinema, &["A1"], "one1").await;
        let shown = cinema.get(&page).await;
        assert!(shown.text.contains("ended"), "the old page says that it has ended: {}", shown.text);
        let paid = cinema.pay(&other).await;
        assert_eq!(paid["price"]["total"]["amount"], 1_170);
        cinema.press(&page, "outcome=success").await;
        let refunded = cinema.until_refund(&held).await;
        assert_eq!(refunded["amount"]["amount"], 1_170, "money that a page takes after its end goes back");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_054_a_total_of_zero_needs_no_provider() {
    for kind in BOTH {
        let catalogue = with_codes(&code("GUEST", "percent = \"100\"\nper = \"booking\"\nmax_uses = 2"));
        let cinema = Cinema::with(kind, &catalogue, T0).await;
        let held = hold(&cinema, &["A1", "A2"], "guest").await;
        assert_eq!(held.body["price"]["total"]["amount"], 0);
        let pay = format!("/api/v1/bookings/{}/payments", held.id);
        for _ in 0..2 {
            let paid = cinema.post_as(&held.token, &pay, json!({})).await.expect(201);
            assert_eq!((&paid["status"], &paid["checkout_url"]), (&json!("succeeded"), &Value::Null));
        }
        assert_eq!(cinema.tickets(&held).await.len(), 2);
        assert_eq!(cinema.sandbox_payments(&held).await, Vec::<Value>::new(), "no call to the provider");
        hold(&cinema, &["B1"], "GUEST").await;
        try_hold(&cinema, &["B2"], "GUEST").await.refused(422, "promo-code-used-up");
        let cancelled = cinema.cancel(&held).await.expect(200);
        assert_eq!((&cancelled["refund"]["amount"]["amount"], &cancelled["refund"]["id"]), (&json!(0), &Value::Null));
        assert_eq!(cancelled["refunds"], json!([]));
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_056_web_and_api_at_once_spend_a_code_no_further_than_its_limit() {
    for kind in BOTH {
        let limit = "amount = \"2.00\"\ncurrency = \"EUR\"\nper = \"booking\"\nmax_uses = 3";
        let cinema = Cinema::with(kind, &with_codes(&code("LIMIT3", limit)), T0).await;
        let seats: Vec<String> = "ABCDE".chars().flat_map(|row| (1..=10).map(move |n| format!("{row}{n}"))).collect();
        let asks = seats.iter().enumerate().map(async |(n, seat)| {
            if n % 2 == 0 {
                return try_hold(&cinema, &[seat], "LIMIT3").await;
            }
            let held = cinema.hold("show-1", &[seat]).await;
            let path = format!("/api/v1/bookings/{}", held.id);
            cinema.patch_as(&held.token, &path, json!({ "promo_code": "LIMIT3" })).await
        });
        let answers = futures_util::future::join_all(asks).await;
        let (with, without): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status.is_success());
        assert_eq!((with.len(), without.len()), (3, 47));
        for answer in without {
            answer.refused(422, "promo-code-used-up");
        }
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_059_a_code_that_may_never_be_used_is_refused_at_its_making() {
    let cinema = Cinema::standard(BOTH[1]).await;
    let never = with_codes(&code("NEVER", "percent = \"10\"\nper = \"ticket\"\nmax_uses = 0"));
    let refused = cinema.import_as_manager(&never).await.refused(400, "invalid-request");
    assert!(refused["detail"].as_str().is_some_and(|detail| detail.contains("max_uses")), "{refused}");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_060_a_code_ends_with_the_last_day_of_the_cinemas_calendar() {
    for kind in BOTH {
        let until = code("JUNE", "percent = \"10\"\nper = \"ticket\"\nvalid_until = \"2027-06-12\"");
        let there = with_codes(&until)
            .replace("Europe/Berlin", "America/Los_Angeles")
            .replace("2027-06-12T20:00", "2027-06-20T20:00");
        let cinema = Cinema::with(kind, &there, "2027-06-13T06:59:59Z").await;
        hold(&cinema, &["A1"], "JUNE").await;
        cinema.set_clock(json!({ "set": "2027-06-13T07:00:00Z", "freeze": true })).await.expect(200);
        try_hold(&cinema, &["A2"], "JUNE").await.refused(422, "promo-code-invalid");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_061_case_blanks_and_width_do_not_count_but_letters_do() {
    for kind in BOTH {
        let catalogue = with_codes(&code("Summer10", "percent = \"10\"\nper = \"ticket\""));
        let cinema = Cinema::with(kind, &catalogue, T0).await;
        for (n, written) in (1..).zip(["summer10", " SUMMER10 ", "ＳＵＭＭＥＲ10", "SUMMER1O", "", "   "]) {
            let by_api = try_hold(&cinema, &[&format!("A{n}")], written).await;
            let works = n <= 3;
            if works {
                assert_eq!(by_api.expect(201)["price"]["total"]["amount"], 1_245);
            } else {
                by_api.refused(422, "promo-code-invalid");
            }
            let held = cinema.hold("show-1", &[&format!("B{n}")]).await;
            let cookie = format!("bo_bookings={}", held.token);
            let form = form_urlencoded::Serializer::new(String::new()).append_pair("code", written).finish();
            let headers = [("cookie", cookie.as_str()), ("content-type", "application/x-www-form-urlencoded")];
            let path = format!("/bookings/{}/code", held.id);
            let by_page = cinema.send(reqwest::Method::POST, &path, &headers, Some(&form)).await;
            let blank = written.trim().is_empty();
            assert_eq!(by_page.status.as_u16(), if works || blank { 303 } else { 422 }, "{written}");
            let total = cinema.booking(&held).await["price"]["total"]["amount"].clone();
            assert_eq!(total, if works { 1_245 } else { 1_370 }, "{written}");
        }
        let twice = with_codes(&code("SUMMER10", "percent = \"20\"\nper = \"ticket\""));
        cinema.import_as_manager(&twice).await.refused(400, "invalid-request");
        cinema.close().await;
    }
}
