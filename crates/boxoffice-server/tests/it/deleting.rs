//! Case 97: what is in use is not deleted, and what is not can go, over HTTP.

use boxoffice_server::auth::Role;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::cinema::{Answer, BOTH, Cinema, Held, Kind, STANDARD, T0};

/// The standard fixture with tickets for children, a code, a programme, and a film that is not shown.
fn catalogue() -> String {
    let types = "{ Standard = { standard = \"12.50\", child = \"8.00\" } }";
    STANDARD.replace("{ Standard = \"12.50\" }", types)
        + r#"
[[ticket_types]]
id = "child"
name = "Child"
proof = "Under 12 years"

[[promo_codes]]
id = "Sum Mer"
percent = "10"
per = "ticket"

[[movies]]
id = "unseen"
title = "Unseen"
language = "de"
runtime_min = 90

[[programmes]]
id = "week"
movie = "night-train"
screen = "markt-1"
from = 2027-06-13
until = 2027-06-14
times = ["20:00"]
price_list = "regular"
refund_policy = "standard"
"#
}

async fn delete(cinema: &Cinema, key: &str, path: &str) -> Answer {
    let bearer = format!("Bearer {key}");
    let path = format!("/api/v1/admin/catalogue/{path}");
    cinema.send(Method::DELETE, &path, &[("authorization", &bearer)], None).await
}

/// Two seats sold to two buyers, one of them a child with a code, and a hold that lives.
async fn sell(cinema: &Cinema) -> ([Held; 2], Held) {
    let customer = json!({ "email": "a@example.org" });
    let seats = json!([{ "id": "A1", "ticket_type": "child" }]);
    let body = json!({ "show": "show-1", "seats": seats, "promo_code": "summer", "customer": customer });
    let body = cinema.post("/api/v1/bookings", body).await.expect(201);
    let text = |member: &str| body[member].as_str().expect(member).to_owned();
    let child = Held { id: text("id"), token: text("token"), body: body.clone() };
    let sold = [child, cinema.hold("show-1", &["A2"]).await];
    for held in &sold {
        cinema.pay(held).await;
    }
    (sold, cinema.hold("show-1", &["B1"]).await)
}

/// What anybody can still read of a booking: its state and titles, its page, its paper, and the report.
async fn papers(cinema: &Cinema, manager: &str, held: &Held) -> String {
    let headers = [("cookie", format!("bo_bookings={}", held.token))];
    let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
    let page = cinema.send(Method::GET, &format!("/bookings/{}", held.id), &headers, None).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    assert!(page.text.contains("Night Train to Lindau") && page.text.contains("Hall 1"), "{}", page.text);
    let pdf = cinema.bytes_as(&held.token, &format!("/api/v1/bookings/{}/tickets.pdf", held.id)).await;
    assert!(pdf.starts_with(b"%PDF-"));
    let report = "/api/v1/admin/reports/sales.csv?from=2027-06-12&to=2027-06-12";
    let report = cinema.get_as(manager, report).await;
    assert_eq!(report.status, StatusCode::OK, "{}", report.text);
    assert!(report.text.contains("Night Train to Lindau"), "{}", report.text);
    report.text
}

#[tokio::test(flavor = "multi_thread")]
async fn case_097_what_is_in_use_is_refused_with_its_counts_and_old_orders_stay_whole() {
    for kind in BOTH {
        let cinema = Cinema::with(kind, &catalogue(), T0).await;
        let manager = cinema.key(Role::Manager).await;
        let (sold, held) = sell(&cinema).await;
        let bookings = [("confirmed_bookings", 2), ("live_holds", 1)];
        let with = |more: &[(&str, u32)]| -> Value {
            more.iter().chain(&bookings).map(|(what, count)| ((*what).to_owned(), json!(count))).collect()
        };
        let cases = [
            ("shows/show-1", with(&[])),
            ("screens/markt-1", with(&[("shows", 3)])),
            ("movies/night-train", with(&[("shows", 3)])),
            ("price_lists/regular", with(&[("shows", 3)])),
            ("refund_policies/standard", with(&[("shows", 3)])),
            ("theatres/kino-am-markt", with(&[("screens", 1), ("shows", 3)])),
            ("layouts/hall-1", with(&[("screens", 1), ("shows", 3)])),
            ("ticket_types/child", json!({ "price_lists": 1, "confirmed_bookings": 1 })),
            ("promo_codes/SUMMER", json!({ "confirmed_bookings": 1 })),
            ("fees/booking-fee", json!({ "price_lists": 1 })),
            ("taxes/service", json!({ "fees": 1 })),
        ];
        for (path, counts) in &cases {
            let problem = delete(&cinema, &manager, path).await.refused(409, "in-use");
            assert_eq!(&problem["counts"], counts, "{path}");
            assert_eq!(problem["retryable"], false);
            assert!(problem["hint"].as_str().is_some_and(|hint| hint.ends_with('.')), "{problem}");
        }
        let problem = delete(&cinema, &manager, "shows/show-1").await.json();
        assert!(problem["hint"].as_str().is_some_and(|hint| hint.contains("/cancel")), "{problem}");
        assert!(problem["detail"].as_str().is_some_and(|d| d.contains("confirmed bookings: 2, live holds: 1")));
        let before = papers(&cinema, &manager, &sold[0]).await;

        let cancel = json!({ "refund": "none", "reason": "flood" });
        cinema.post_as(&manager, "/api/v1/admin/shows/show-1/cancel", cancel).await.expect(200);
        cinema.try_pay(&held).await.refused(409, "show-cancelled");
        cinema.until_status(&held, "cancelled").await;
        for (path, _) in &cases {
            delete(&cinema, &manager, path).await.refused(409, "in-use");
        }
        assert_eq!(papers(&cinema, &manager, &sold[0]).await, before);
        assert_eq!(cinema.booking(&sold[1]).await["status"], "confirmed");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_097_what_nothing_refers_to_can_go_and_come_back() {
    for kind in BOTH {
        let cinema = Cinema::with(kind, &catalogue(), T0).await;
        let manager = cinema.key(Role::Manager).await;
        let shows = async || cinema.get("/api/v1/shows").await.expect(200)["items"].as_array().map(Vec::len);
        let paths = ["shows/week/2027-06-13/20:00", "shows/show-1", "shows/week%2F2027-06-14%2F20:00", "movies/unseen"];
        for path in paths {
            let gone = delete(&cinema, &manager, path).await;
            assert_eq!((gone.status, gone.text.as_str()), (StatusCode::NO_CONTENT, ""), "{path}");
            delete(&cinema, &manager, path).await.refused(404, "not-found");
        }
        assert_eq!(shows().await, Some(0));
        cinema.get("/api/v1/shows/show-1").await.refused(404, "not-found");
        cinema.try_hold("show-1", &["A1"]).await.refused(404, "not-found");
        assert_eq!(cinema.get("/shows/show-1").await.status, StatusCode::NOT_FOUND);
        delete(&cinema, &manager, "movies/night-train").await.expect(204);
        delete(&cinema, &manager, "promo_codes/sum%20mer").await.expect(204);
        assert_eq!(cinema.import_as_manager(&catalogue()).await.expect(200)["added"], 6);
        assert_eq!(shows().await, Some(3));
        cinema.pay(&cinema.hold("show-1", &["A1"]).await).await;
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_managers_delete_and_unknown_kinds_are_told() {
    let cinema = Cinema::with(Kind::Memory, &catalogue(), T0).await;
    let (manager, counter) = (cinema.key(Role::Manager).await, cinema.key(Role::Counter).await);
    cinema.send(Method::DELETE, "/api/v1/admin/catalogue/movies/unseen", &[], None).await.refused(401, "unauthorized");
    delete(&cinema, &counter, "movies/unseen").await.refused(403, "forbidden");
    for path in ["cities/berlin", "movies/none", "price_lists/regular%00", "movies/%20", "shows/a/b/c"] {
        delete(&cinema, &manager, path).await.refused(404, "not-found");
    }
    let problem = delete(&cinema, &manager, "programmes/week").await.refused(400, "invalid-request");
    assert!(problem["errors"][0]["detail"].as_str().is_some_and(|detail| detail.contains("its shows")), "{problem}");
    cinema.close().await;
}
