//! Four chairs that two orders have are nobody else's, whichever way they are asked for.

use boxoffice_server::auth::Role;
use serde_json::{Value, json};

use crate::cinema::{Answer, BOTH, Cinema};

const WANTED: [&str; 4] = ["D1", "D2", "D3", "D4"];

#[track_caller]
fn names_all_four(answer: &Answer) {
    let problem = answer.refused(409, "seats-unavailable");
    let seats = problem["seats"].as_array().expect("seats").iter();
    let named: Vec<(&str, &str)> =
        seats.map(|s| (s["label"].as_str().expect("a label"), s["reason"].as_str().expect("a reason"))).collect();
    assert_eq!(named, WANTED.map(|label| (label, "booked")), "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn case_1_four_seats_belong_to_two_orders() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        for seats in [&WANTED[..2], &WANTED[2..]] {
            let order = cinema.hold("show-1", seats).await;
            cinema.pay(&order).await;
            cinema.until_status(&order, "confirmed").await;
        }
        let third = cinema.hold("show-1", &["E1", "E2", "E3", "E4"]).await;
        let map = cinema.seats("show-1").await;
        let of_label = |label: &str| {
            let seats = map["seats"].as_array().expect("seats");
            seats.iter().find(|s| s["label"] == label).map(|s| json!({ "id": s["id"] })).expect("a seat")
        };
        let by_id: Vec<Value> = WANTED.iter().map(|label| of_label(label)).collect();
        let counter = cinema.key(Role::Counter).await;

        names_all_four(&cinema.try_hold("show-1", &WANTED).await);
        names_all_four(&cinema.post("/api/v1/bookings", json!({ "show": "show-1", "seats": by_id })).await);
        let sale = json!({ "show": "show-1", "seats": WANTED });
        names_all_four(&cinema.post_as(&counter, "/api/v1/bookings", sale).await);
        let path = format!("/api/v1/bookings/{}", third.id);
        names_all_four(&cinema.patch_as(&third.token, &path, json!({ "seats": WANTED })).await);

        let kept = cinema.booking(&third).await;
        let labels: Vec<&Value> = kept["seats"].as_array().expect("seats").iter().map(|s| &s["label"]).collect();
        assert_eq!(labels, ["E1", "E2", "E3", "E4"]);
        assert_eq!(cinema.seats_left("show-1").await, 120 - 8, "nothing else is held");
        cinema.close().await;
    }
}
