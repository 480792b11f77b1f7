//! The chain of the first seed: what is booked in one show says nothing about the next.

use serde_json::json;

use crate::cinema::{BOTH, CHAIN, Cinema};

const AT: &str = "2027-10-14T12:00:00Z";

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_booked_at_six_is_free_at_nine_on_the_same_screen() {
    for kind in BOTH {
        let cinema = Cinema::with(kind, CHAIN, AT).await;
        let listed = cinema.get("/api/v1/shows?screen=galaxy-camp-1").await.expect(200);
        let shows: Vec<(&str, &str)> = listed["items"]
            .as_array()
            .expect("shows")
            .iter()
            .map(|show| (show["local"].as_str().expect("a time"), show["id"].as_str().expect("an id")))
            .collect();
        let at = |time: &str| shows.iter().find(|(local, _)| local.contains(time)).expect(time).1;
        let (six, nine) = (at("T18:00"), at("T21:00"));
        let held = cinema.hold(six, &["F7"]).await;
        assert_eq!(held.body["seats"][0]["face"], json!({ "amount": 22_000, "currency": "INR" }), "Friday Classic");
        assert_eq!(held.body["price"]["total"], json!({ "amount": 24_000, "currency": "INR" }), "with its fee");
        cinema.pay(&held).await;
        assert_eq!(cinema.seat_status(six, "F7").await, "booked");
        assert_eq!(cinema.seat_status(nine, "F7").await, "available");
        cinema.hold(nine, &["F7"]).await;
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cities_theatres_and_movies_are_found() {
    let cinema = Cinema::with(BOTH[0], CHAIN, AT).await;
    let cities = cinema.get("/api/v1/cities").await.expect(200);
    assert_eq!(cities["items"], json!([{ "slug": "mumbai", "name": "Mumbai" }, { "slug": "pune", "name": "Pune" }]));
    let in_pune = cinema.get("/api/v1/theatres?city=pune").await.expect(200);
    let ids: Vec<&str> =
        in_pune["items"].as_array().expect("theatres").iter().filter_map(|t| t["id"].as_str()).collect();
    assert_eq!(ids, ["galaxy-camp", "galaxy-kothrud"]);
    let camp = cinema.get("/api/v1/theatres/galaxy-camp").await.expect(200);
    assert_eq!(camp["screens"].as_array().map(Vec::len), Some(3));
    assert_eq!(camp["screens"][0]["seats"], 120);
    let movies = cinema.get("/api/v1/movies?city=pune&date=2027-10-15&q=SIGNAL").await.expect(200);
    assert_eq!(movies["items"][0]["id"], "the-last-signal");
    assert_eq!(movies["items"].as_array().map(Vec::len), Some(1));
    cinema.get("/api/v1/movies/the-last-signal").await.expect(200);
    for nothing in ["city=atlantis", "date=1999-01-01", "q=zzz"] {
        let none = cinema.get(&format!("/api/v1/movies?{nothing}")).await.expect(200);
        assert_eq!(none, json!({ "items": [], "next_cursor": null }), "{nothing}");
    }
    cinema.close().await;
}
