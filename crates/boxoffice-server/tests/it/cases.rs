//! Faults that real ticket sellers showed in public, told over HTTP: holds, their end, and who
//! may see what. Each test is named after its case.

use serde_json::{Value, json};

use crate::cinema::{BOTH, CHAIN, Cinema, Kind};

#[tokio::test(flavor = "multi_thread")]
async fn case_007_a_seat_is_held_while_its_buyer_pays() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let first = cinema.hold("show-1", &["F7"]).await;
        let page = cinema.checkout(&first).await;
        cinema.advance_s(1.0).await;
        assert_eq!(cinema.seat_status("show-1", "F7").await, "held");
        let refused = cinema.try_hold("show-1", &["F7"]).await.refused(409, "seats-unavailable");
        assert_eq!(refused["seats"][0]["reason"], "held");
        assert_eq!(refused["retryable"], false);
        let proved = json!({ "show": "show-1", "seats": ["F7"] });
        let own = cinema.post_as(&first.token, "/api/v1/bookings", proved).await.refused(409, "seats-unavailable");
        assert_eq!(own["seats"][0]["reason"], "held-by-you");
        // As late as the page allows.
        let ends = cinema.booking(&first).await["payments"][0]["checkout_expires_at"].clone();
        cinema.set_clock(json!({ "set": ends, "freeze": true })).await.expect(200);
        cinema.try_hold("show-1", &["F7"]).await.refused(409, "seats-unavailable");
        cinema.press(&page, "outcome=success").await;
        cinema.until_status(&first, "confirmed").await;
        assert_eq!(cinema.tickets(&first).await[0]["seat"], "F7");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_012_abandoned_seats_come_back_with_no_job_running() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        // Every step of a job fails from here on; reads and holds are judged by the clock alone.
        let map = cinema.seats("show-1").await;
        let labels: Vec<&str> =
            map["seats"].as_array().expect("seats").iter().filter_map(|seat| seat["label"].as_str()).collect();
        for eight in labels.chunks(8) {
            cinema.hold("show-1", eight).await;
        }
        cinema.break_store(true);
        cinema.advance_s(599.0).await;
        assert_eq!(cinema.seats_left("show-1").await, 0);
        assert_eq!(cinema.get("/api/v1/shows/show-1").await.expect(200)["status"], "sold_out");
        cinema.advance_s(1.0).await;
        assert_eq!(cinema.seats_left("show-1").await, 120);
        let listed = cinema.get("/api/v1/shows").await.expect(200);
        assert_eq!(
            (&listed["items"][0]["seats_left"], &listed["items"][0]["status"]),
            (&json!(120), &json!("on_sale"))
        );
        assert_eq!(cinema.seat_status("show-1", "K12").await, "available");
        cinema.break_store(false);
        cinema.hold("show-1", &["F7"]).await;
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_013_no_payment_starts_after_the_hold() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let held = cinema.hold("show-1", &["B1"]).await;
        cinema.advance_s(590.0).await;
        assert_eq!(cinema.booking(&held).await["status"], "pending_payment");
        cinema.advance_s(11.0).await;
        assert_eq!(cinema.booking(&held).await["status"], "expired");
        cinema.try_pay(&held).await.refused(409, "hold-expired");
        assert_eq!(cinema.sandbox_payments(&held).await, Vec::<Value>::new());
        cinema.hold("show-1", &["B1"]).await;
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_015_a_deadline_is_an_instant_in_every_zone() {
    let fixtures = [
        (crate::cinema::STANDARD, "show-1", "2027-06-10T18:00:00Z", 600),
        (CHAIN, "galaxy-camp-1-fri-18", "2027-10-14T12:00:00Z", 420),
    ];
    for kind in BOTH {
        for (catalogue, show, at, hold_s) in fixtures {
            let cinema = Cinema::with(kind, catalogue, at).await;
            let held = cinema.hold(show, &["A1"]).await;
            let made: jiff::Timestamp = at.parse().expect("an instant");
            let ends: jiff::Timestamp = held.body["expires_at"].as_str().expect("a text").parse().expect("an instant");
            assert_eq!(ends.duration_since(made).as_secs(), hold_s, "{show}");
            cinema.advance_s(f64::from(i32::try_from(hold_s - 1).expect("seconds"))).await;
            assert_eq!(cinema.booking(&held).await["status"], "pending_payment");
            cinema.advance_s(1.0).await;
            assert_eq!(cinema.booking(&held).await["status"], "expired");
            cinema.close().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_016_paying_extends_the_hold_once() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let held = cinema.hold("show-1", &["B1"]).await;
        cinema.advance_s(595.0).await;
        let page = cinema.checkout(&held).await;
        let extended = cinema.booking(&held).await["expires_at"].clone();
        assert_eq!(extended, "2027-06-10T18:14:55Z", "five minutes from the first start");
        cinema.advance_s(20.0).await;
        assert_eq!(cinema.checkout(&held).await, page, "a second start answers the open page");
        assert_eq!(cinema.booking(&held).await["expires_at"], extended, "and extends nothing");
        cinema.press(&page, "outcome=decline").await;
        crate::cinema::until(async || cinema.booking(&held).await["payments"][0]["status"] == "declined").await;
        let second = cinema.checkout(&held).await;
        assert_ne!(second, page);
        assert_eq!(cinema.booking(&held).await["expires_at"], extended);
        cinema.advance_s(20.0).await;
        cinema.press(&second, "outcome=success").await;
        cinema.until_status(&held, "confirmed").await;
        assert_eq!(cinema.tickets(&held).await.len(), 1);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_087_a_strangers_booking_reads_as_if_it_did_not_exist() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let (a, b) = (cinema.hold("show-1", &["A1"]).await, cinema.hold("show-1", &["B1"]).await);
        cinema.pay(&b).await;
        let near = neighbour(&b.id);
        let half = format!("{}.{}", b.id, "A".repeat(43));
        let cut = b.token[..b.token.len() - 1].to_owned();
        let mixed = format!("{}.{}", b.id, a.token.split_once('.').expect("a token").1);
        let scanner = cinema.key(boxoffice_server::auth::Role::Scanner).await;
        let callers = ["", "x", &a.token, &half, &cut, &mixed, &b.id, &scanner, "bo_live_1_2"];
        let mut answers = std::collections::BTreeSet::new();
        for id in [b.id.as_str(), &near, "nonsense", "0"] {
            for caller in callers {
                for (method, tail) in [
                    ("GET", ""),
                    ("PATCH", ""),
                    ("POST", "/cancel"),
                    ("POST", "/payments"),
                    ("GET", "/tickets"),
                    ("GET", "/tickets.pdf"),
                    ("GET", "/tickets.ics"),
                ] {
                    let path = format!("/api/v1/bookings/{id}{tail}");
                    let bearer = format!("Bearer {caller}");
                    let method = method.parse().expect("a method");
                    let answer = cinema.send(method, &path, &[("authorization", &bearer)], Some("{}")).await;
                    let mut problem = answer.refused(404, "not-found");
                    problem["request_id"] = json!(null);
                    answers.insert(problem.to_string());
                }
            }
        }
        assert_eq!(answers.len(), 1, "all strangers read the same: {answers:?}");
        assert_eq!(cinema.booking(&b).await["status"], "confirmed");
        let mac = b.token.split_once('.').expect("a token").1;
        assert!(mac.len() * 6 >= 128, "at least 128 bits that nobody can guess");
        cinema.close().await;
    }
}

/// The id with its last symbol moved by one.
fn neighbour(id: &str) -> String {
    let parsed: boxoffice::id::BookingId = id.parse().expect("an id");
    let mut bytes = parsed.to_bytes();
    bytes[15] ^= 1;
    boxoffice::id::BookingId::from_bytes(bytes).to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn case_088_labels_are_opaque_and_matched_exactly() {
    let cinema = Cinema::standard(Kind::Sqlite).await;
    for unknown in ["a1", "A 1", "A01", "A1a", "I1", "", "Ａ1", "F7\u{0}"] {
        let refused = cinema.try_hold("show-1", &[unknown]).await.refused(422, "unknown-seats");
        assert_eq!(refused["seats"].as_array().map(Vec::len), Some(1), "{unknown:?}");
    }
    let held = cinema.hold("show-1", &[" A1 "]).await;
    assert_eq!(held.body["seats"][0]["label"], "A1");
    cinema.close().await;
}
