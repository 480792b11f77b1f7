//! Prices over HTTP: ticket types, prices that change with time and demand, the day a show belongs to.

use serde_json::{Value, json};

use crate::cinema::{BOTH, Cinema, Kind, STANDARD, T0};

/// The standard fixture with a child's price, cards and surcharges.
fn priced(cards: &str, surcharges: &str) -> String {
    let list = format!(
        "prices = {{ Standard = {{ standard = \"12.50\", child = \"9.00\" }} }}\ncards = [{cards}]\nsurcharges = [{surcharges}]"
    );
    let types = "[[ticket_types]]\nid = \"child\"\nname = \"Child\"\n\n[[ticket_types]]\nid = \"senior\"\nname = \"Senior\"\n\n[[movies]]";
    STANDARD.replace("prices = { Standard = \"12.50\" }", &list).replacen("[[movies]]", types, 1)
}

fn euros(cents: i64) -> Value {
    json!({ "amount": cents, "currency": "EUR" })
}

#[tokio::test(flavor = "multi_thread")]
async fn ticket_types() {
    for kind in BOTH {
        let cinema = Cinema::with(kind, &priced("", ""), T0).await;
        let show = cinema.get("/api/v1/shows/show-1").await.expect(200);
        let expected = json!([
            { "category": "Standard", "ticket_type": "standard", "face": euros(1_250), "total": euros(1_370) },
            { "category": "Standard", "ticket_type": "child", "face": euros(900), "total": euros(1_020) },
        ]);
        assert_eq!(show["prices"], expected);
        let seats = json!(["F7", { "id": "F8", "ticket_type": "child" }]);
        let held = cinema.post("/api/v1/bookings", json!({ "show": "show-1", "seats": seats })).await.expect(201);
        let faces: Vec<_> =
            held["seats"].as_array().expect("seats").iter().map(|seat| &seat["face"]["amount"]).collect();
        assert_eq!(faces, [1_250, 900]);
        let labels: Vec<_> =
            held["price"]["lines"].as_array().expect("lines").iter().map(|line| &line["label"]).collect();
        assert_eq!(labels, ["Standard", "Standard, Child", "Booking fee", "7%", "19%"]);
        for unknown in ["student", "senior"] {
            let seats = json!(["A1", { "id": "A2", "ticket_type": unknown }]);
            let refused = cinema.post("/api/v1/bookings", json!({ "show": "show-1", "seats": seats })).await;
            let problem = refused.refused(400, "invalid-request");
            assert_eq!(problem["errors"][0]["pointer"], "/seats/1/ticket_type", "{problem}");
        }
        assert_eq!(cinema.seats_left("show-1").await, 118);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_050_a_price_tier_ends_while_the_page_is_open() {
    let early = "{ id = \"early\", when = { bought_before = \"2027-06-12T18:00\" }, prices = { Standard = \"9.00\" } }";
    for kind in BOTH {
        let cinema = Cinema::with(kind, &priced(early, ""), "2027-06-12T15:59:50Z").await;
        let price = async || cinema.get("/api/v1/shows/show-1").await.expect(200)["prices"][0]["total"].clone();
        assert_eq!(price().await, euros(1_020));
        let hold = |seat: &str| json!({ "show": "show-1", "seats": [seat], "expected_total": euros(1_020) });
        cinema.advance_s(9.0).await;
        let held = cinema.post("/api/v1/bookings", hold("A1")).await.expect(201);
        assert_eq!(held["price"]["total"], euros(1_020));
        cinema.advance_s(2.0).await;
        let refused = cinema.post("/api/v1/bookings", hold("A2")).await.refused(409, "price-changed");
        assert_eq!((&refused["old"], &refused["new"]), (&euros(1_020), &euros(1_370)));
        assert_eq!(price().await, euros(1_370));
        assert_eq!(cinema.seats_left("show-1").await, 119, "nothing was held");
        cinema.close().await;
    }
}

/// A hold is no sale.
#[tokio::test(flavor = "multi_thread")]
async fn demand_raises_the_price_when_seats_are_sold() {
    let demand = "{ id = \"demand\", name = \"High demand\", when = { sold_from_percent = 1 }, amount = \"2.00\" }";
    for kind in BOTH {
        let cinema = Cinema::with(kind, &priced("", demand), T0).await;
        let listed = async || cinema.get("/api/v1/shows").await.expect(200)["items"][0]["prices"][0]["face"].clone();
        let held = cinema.hold("show-1", &["A1", "A2"]).await;
        assert_eq!(listed().await, euros(1_250), "held is not sold");
        cinema.pay(&held).await;
        assert_eq!(listed().await, euros(1_450), "2 of 120 are more than a hundredth");
        let next = cinema.hold("show-1", &["B1"]).await;
        let lines: Vec<_> =
            next.body["price"]["lines"].as_array().expect("lines").iter().map(|l| &l["label"]).collect();
        assert_eq!(lines, ["Standard", "High demand", "Booking fee", "7%", "19%"]);
        assert_eq!(next.body["price"]["total"], euros(1_570));
        cinema.close().await;
    }
}

/// A business day that ends at 06:00: the film after midnight belongs to Saturday night.
#[tokio::test(flavor = "multi_thread")]
async fn case_067_a_film_after_midnight() {
    let night = STANDARD
        .replace("city = \"Berlin\"", "city = \"Berlin\"\nbusiness_day_starts = \"06:00\"")
        .replace("2027-06-12T20:00", "2027-06-13T00:30");
    for kind in BOTH {
        let cinema = Cinema::with(kind, &night, T0).await;
        let ids = async |query: &str| {
            let page = cinema.get(&format!("/api/v1/shows?{query}")).await.expect(200);
            page["items"].as_array().expect("a list").len()
        };
        assert_eq!((ids("date=2027-06-12").await, ids("date=2027-06-13").await), (1, 0));
        for search in ["13%20June", "2027-06-13", "13.6.", "12%20June"] {
            assert_eq!(ids(&format!("q={search}")).await, 1, "{search}");
        }
        assert_eq!((ids("q=14%20June").await, ids("q=night%20train").await), (0, 1));
        let show = cinema.get("/api/v1/shows/show-1").await.expect(200);
        let told = ["business_day", "night", "local"].map(|field| show[field].as_str().unwrap_or_default().to_owned());
        assert_eq!(told, ["2027-06-12", "night of Sat to Sun", "2027-06-13T00:30:00"]);
        cinema.close().await;
    }
    let evening = Cinema::standard(Kind::Memory).await;
    assert_eq!(evening.get("/api/v1/shows/show-1").await.expect(200)["night"], Value::Null);
    evening.close().await;
}

/// Codes and shows of a programme are in the catalogue that the API takes and lists.
#[tokio::test(flavor = "multi_thread")]
async fn a_programme_is_on_sale() {
    let programme = "[[programmes]]\nid = \"week\"\nmovie = \"night-train\"\nscreen = \"markt-1\"\nfrom = 2027-06-13\nuntil = 2027-06-14\n\
        times = [\"20:00\"]\nprice_list = \"regular\"\nrefund_policy = \"standard\"\n";
    for kind in BOTH {
        let cinema = Cinema::with(kind, &format!("{STANDARD}\n{programme}"), T0).await;
        let show = cinema.get("/api/v1/shows/week/2027-06-13/20:00").await.expect(200);
        assert_eq!((&show["id"], &show["status"]), (&json!("week/2027-06-13/20:00"), &json!("on_sale")));
        let held = cinema.hold("week/2027-06-14/20:00", &["F7"]).await;
        assert_eq!(held.body["price"]["total"], euros(1_370));
        cinema.close().await;
    }
}
