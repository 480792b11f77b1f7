//! The main job, end to end, on both stores: find a show, hold, pay, hold a ticket.

use boxoffice_server::auth::Role;
use reqwest::Method;
use serde_json::json;

use crate::cinema::{BOTH, Cinema, Kind};

#[tokio::test(flavor = "multi_thread")]
async fn two_seats_are_held_paid_and_become_tickets() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let show = cinema.get("/api/v1/shows/show-1").await.expect(200);
        assert_eq!(show["status"], "on_sale");
        assert_eq!(show["starts_at"], "2027-06-12T20:00:00+02:00");
        assert_eq!(show["local"], "2027-06-12T20:00:00");
        assert_eq!(show["zone"], "Europe/Berlin");
        assert_eq!(show["prices"][0]["face"], json!({ "amount": 1250, "currency": "EUR" }));
        assert_eq!(show["prices"][0]["total"], json!({ "amount": 1370, "currency": "EUR" }));

        let held = cinema.hold("show-1", &["F7", "F8"]).await;
        assert_eq!(held.body["status"], "pending_payment");
        assert_eq!(held.body["expires_at"], "2027-06-10T18:10:00Z");
        assert_eq!(held.body["price"]["total"], json!({ "amount": 2740, "currency": "EUR" }));
        let taxes: Vec<i64> = held.body["price"]["lines"]
            .as_array()
            .expect("lines")
            .iter()
            .filter(|line| line["kind"] == "tax")
            .filter_map(|line| line["amount"]["amount"].as_i64())
            .collect();
        assert_eq!(taxes, [164, 38]);
        assert_eq!(cinema.seat_status("show-1", "F7").await, "held");
        assert_eq!(cinema.seats_left("show-1").await, 118);

        let confirmed = cinema.pay(&held).await;
        assert_eq!(confirmed["payments"][0]["status"], "succeeded");
        assert_eq!(cinema.seat_status("show-1", "F7").await, "booked");
        let tickets = cinema.tickets(&held).await;
        assert_eq!(tickets.len(), 2);
        for (ticket, seat) in tickets.iter().zip(["F7", "F8"]) {
            assert_eq!((&ticket["seat"], &ticket["status"]), (&json!(seat), &json!("valid")));
        }
        assert_ne!(tickets[0]["code"], tickets[1]["code"]);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_ticket_costs_13_70() {
    let cinema = Cinema::standard(Kind::Memory).await;
    let held = cinema.hold("show-1", &["A1"]).await;
    assert_eq!(held.body["price"]["total"], json!({ "amount": 1370, "currency": "EUR" }));
    assert_eq!(held.body["seats"][0]["face"]["amount"], 1250);
    assert_eq!(held.body["seats"][0]["total"]["amount"], 1370);
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_booking_gives_its_seats_and_money_back() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let pending = cinema.hold("show-1", &["A1"]).await;
        let cancelled = cinema.cancel(&pending).await.expect(200);
        assert_eq!(cancelled["status"], "cancelled");
        assert_eq!(cancelled["refund"]["amount"]["amount"], 0);
        assert_eq!(cinema.seat_status("show-1", "A1").await, "available");

        let paid = cinema.hold("show-1", &["A1"]).await;
        cinema.pay(&paid).await;
        let cancelled = cinema.cancel(&paid).await.expect(200);
        assert_eq!(cancelled["refund"]["amount"]["amount"], 1250, "all of the face two days before");
        assert_eq!(cancelled["refund"]["kept"]["amount"], 120, "the fee is not refundable");
        assert_eq!(cinema.cancel(&paid).await.expect(200)["refund"]["id"], cancelled["refund"]["id"]);
        assert_eq!(cinema.seat_status("show-1", "A1").await, "available");
        crate::cinema::until(async || cinema.booking(&paid).await["refunds"][0]["status"] == "succeeded").await;
        let refunds = cinema.get("/test/sandbox/refunds").await.expect(200);
        assert_eq!(refunds["items"].as_array().map(Vec::len), Some(1));
        assert_eq!(refunds["items"][0]["amount"]["amount"], 1250);
        let tickets = cinema.tickets(&paid).await;
        assert_eq!((&tickets[0]["status"], &tickets[0]["void_reason"]), (&json!("void"), &json!("cancelled")));
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn seats_and_customer_change_in_one_step_or_not_at_all() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let held = cinema.hold("show-1", &["A1", "A2"]).await;
        let other = cinema.hold("show-1", &["A4"]).await;
        let path = format!("/api/v1/bookings/{}", held.id);
        let change = json!({ "seats": ["A3", "A4"], "customer": { "name": "Ada" } });
        let refused = cinema.patch_as(&held.token, &path, change).await.refused(409, "seats-unavailable");
        assert_eq!(refused["seats"], json!([{ "label": "A4", "id": "A4", "reason": "held" }]));
        let before = cinema.booking(&held).await;
        assert_eq!(before["seats"][0]["label"], "A1");
        assert_eq!(before["customer"]["name"], json!(null));

        cinema.cancel(&other).await.expect(200);
        let after = cinema.patch_as(&held.token, &path, json!({ "seats": ["A2", "A3"] })).await.expect(200);
        assert_eq!(after["expires_at"], held.body["expires_at"], "a change never extends the hold");
        let expected = [("A1", "available"), ("A2", "held"), ("A3", "held"), ("A4", "available")];
        for (label, status) in expected {
            assert_eq!(cinema.seat_status("show-1", label).await, status, "{label}");
        }
        cinema.patch_as(&held.token, &path, json!({})).await.refused(400, "invalid-request");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unchanged_map_is_not_sent_again() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let path = "/api/v1/shows/show-1/seats";
        let first = cinema.get(path).await;
        let tag = first.header("etag").to_owned();
        assert!(tag.starts_with('"'), "a strong tag: {tag}");
        let known =
            async |tag: &str| cinema.send(Method::GET, path, &[("if-none-match", tag)], None).await.status.as_u16();
        assert_eq!(known(&tag).await, 304);
        assert_eq!(known(&format!("\"x\", W/{tag}")).await, 304);
        cinema.hold("show-1", &["A1"]).await;
        assert_eq!(known(&tag).await, 200, "a hold is a change");
        let held_tag = cinema.get(path).await.header("etag").to_owned();
        cinema.advance_s(599.999).await;
        assert_eq!(known(&held_tag).await, 304, "the hold is alive");
        cinema.advance_s(0.001).await;
        assert_eq!(known(&held_tag).await, 200, "a lapse is a change, job or no job");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_of_the_staff_open_what_their_role_allows() {
    let cinema = Cinema::standard(Kind::Sqlite).await;
    let held = cinema.hold("show-1", &["A1"]).await;
    let path = format!("/api/v1/bookings/{}", held.id);
    let cases =
        [(Role::Scanner, 404, 403), (Role::Counter, 200, 403), (Role::Manager, 200, 200), (Role::Admin, 200, 200)];
    for (role, booking, catalogue) in cases {
        let key = cinema.key(role).await;
        assert_eq!(cinema.get_as(&key, &path).await.status.as_u16(), booking, "{role:?} reads a booking");
        let bearer = format!("Bearer {key}");
        let import = cinema
            .send(Method::POST, "/api/v1/admin/catalogue", &[("authorization", &bearer)], Some(crate::cinema::STANDARD))
            .await;
        assert_eq!(import.status.as_u16(), catalogue, "{role:?} imports: {}", import.text);
    }
    cinema.post("/api/v1/admin/catalogue", json!({})).await.refused(401, "unauthorized");
    let key = cinema.key(Role::Admin).await;
    let id = key.split('_').nth(2).expect("an id in the key").to_owned();
    let revoked = boxoffice_server::auth::staff::revoke(&*cinema.store, &id).await.expect("a store that answers");
    assert_eq!(revoked, Some(boxoffice_server::auth::staff::Revoked::Now));
    assert_eq!(cinema.get_as(&key, &path).await.status.as_u16(), 404, "a revoked key opens nothing");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_guards_the_browser_and_names_its_request() {
    let cinema = Cinema::standard(Kind::Memory).await;
    let held = cinema.hold("show-1", &["A1"]).await;
    let paths = ["/healthz", "/readyz", "/api/v1/cities", "/api/v1/nothing", "/problems/busy"];
    for path in paths {
        let answer = cinema.send(Method::GET, path, &[("request-id", "abc-1")], None).await;
        assert!(answer.header("content-security-policy").starts_with("default-src 'none'"), "{path}");
        assert!(answer.header("content-security-policy").contains("frame-ancestors 'none'"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{path}");
        assert_eq!(answer.header("request-id"), "abc-1", "{path}");
    }
    let odd = cinema.send(Method::GET, "/healthz", &[("request-id", "a b\tc")], None).await;
    assert_ne!(odd.header("request-id"), "a b\tc", "an id that could forge a log line is replaced");
    let booking = cinema.get_as(&held.token, &format!("/api/v1/bookings/{}", held.id)).await;
    assert_eq!(booking.header("cache-control"), "no-store");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_runs_forward_only() {
    let cinema = Cinema::standard(Kind::Sqlite).await;
    assert_eq!(cinema.get("/test/clock").await.expect(200)["now"], "2027-06-10T18:00:00Z");
    cinema.advance_s(0.001).await;
    assert_eq!(cinema.get("/test/clock").await.expect(200)["now"], "2027-06-10T18:00:00.001Z");
    cinema.set_clock(json!({ "set": "2027-06-10T18:00:00Z" })).await.refused(409, "clock-backwards");
    cinema.set_clock(json!({ "advance_s": -1 })).await.refused(409, "clock-backwards");
    for odd in [json!({}), json!({ "set": "noon" }), json!({ "set": "2027-06-10T18:00:00Z", "advance_s": 1 })] {
        cinema.set_clock(odd).await.refused(400, "invalid-request");
    }
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_way_back_from_the_provider_opens_the_booking_once() {
    let cinema = Cinema::standard(Kind::Sqlite).await;
    let held = cinema.hold("show-1", &["A1"]).await;
    let page = cinema.checkout(&held).await;
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let sent_back = cinema.send(Method::POST, &page, &form, Some("outcome=success")).await;
    let back = sent_back.header("location").to_owned();
    assert!(back.starts_with(&cinema.url), "{back}");
    cinema.until_status(&held, "confirmed").await;
    let opened = cinema.get(&back).await;
    assert_eq!(opened.status.as_u16(), 303, "{}", opened.text);
    assert!(opened.header("set-cookie").contains("HttpOnly"), "the browser may open the booking now");
    let again = cinema.get(&back).await;
    assert_eq!(again.header("set-cookie"), "", "a path that was used opens nothing more");
    cinema.close().await;
}
