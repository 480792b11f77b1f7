//! Tickets exchanged for other seats over HTTP: what it comes to is said first, and the old codes are
//! void the moment the new ones are there.

use boxoffice_server::auth::Role;
use serde_json::{Value, json};

use crate::cinema::{Answer, BOTH, Cinema, Held, Kind, STANDARD, T0, until};

/// The standard cinema with the show once more for less and once more for more.
fn three_shows() -> String {
    let show = |id: &str, date: &str, list: &str| {
        format!(
            "\n[[shows]]\nid = \"{id}\"\nmovie = \"night-train\"\nscreen = \"markt-1\"\nstarts_at = \"{date}T20:00\"\n\
             price_list = \"{list}\"\nrefund_policy = \"standard\"\nmax_seats = 8\n"
        )
    };
    let list = |id: &str, price: &str| {
        format!(
            "\n[[price_lists]]\nid = \"{id}\"\ncurrency = \"EUR\"\ntax = \"cinema\"\n\
             prices = {{ Standard = \"{price}\" }}\nfees = [\"booking-fee\"]\n"
        )
    };
    let (cheap, dear) = (list("cheap", "8.50"), list("dear", "20.00"));
    format!(
        "{STANDARD}{cheap}{dear}{}{}",
        show("show-cheap", "2027-06-13", "cheap"),
        show("show-dear", "2027-06-14", "dear")
    )
}

async fn cinema(kind: Kind) -> Cinema {
    Cinema::with(kind, &three_shows(), T0).await
}

async fn paid(cinema: &Cinema, seats: &[&str]) -> Held {
    let held = cinema.hold("show-1", seats).await;
    cinema.pay(&held).await;
    held
}

async fn exchange(cinema: &Cinema, token: &str, held: &Held, body: Value) -> Answer {
    cinema.post_as(token, &format!("/api/v1/bookings/{}/exchange", held.id), body).await
}

fn euros(cents: i64) -> Value {
    json!({ "amount": cents, "currency": "EUR" })
}

fn held(answer: &Value) -> Held {
    let text = |name: &str| answer[name].as_str().expect("a text").to_owned();
    Held { id: text("id"), token: text("token"), body: answer.clone() }
}

#[tokio::test(flavor = "multi_thread")]
async fn tickets_are_exchanged_for_cheaper_ones() {
    for kind in BOTH {
        let cinema = cinema(kind).await;
        let old = paid(&cinema, &["A1", "A2"]).await;
        let asked = json!({ "show": "show-cheap", "seats": ["B1", "B2"] });
        let mut quote = asked.clone();
        quote["dry_run"] = json!(true);
        let quote = exchange(&cinema, &old.token, &old, quote).await.expect(200);
        let comes_to = json!({
            "from": old.id,
            "tickets": [format!("{}-1", old.id), format!("{}-2", old.id)],
            "moved": euros(1_940),
            "to_pay": euros(0),
            "refund": { "amount": euros(800), "kept": euros(0) },
        });
        assert_eq!(quote["exchange"], comes_to);
        assert_eq!(cinema.seat_status("show-cheap", "B1").await, "available", "nothing was written");
        let done = exchange(&cinema, &old.token, &old, asked.clone()).await;
        assert_eq!(done.header("location"), format!("/api/v1/bookings/{}", done.json()["id"].as_str().expect("an id")));
        let done = done.expect(201);
        assert_eq!(done["exchange"], comes_to);
        assert_eq!((&done["status"], &done["replaces"]["booking"]), (&json!("confirmed"), &json!(old.id)));
        let was = cinema.booking(&old).await;
        assert_eq!((&was["status"], &was["refunds"][0]["moved_to"]), (&json!("cancelled"), &done["payments"][0]["id"]));
        assert_eq!(done["payments"][0]["moved_from"], was["refunds"][0]["id"]);
        assert_eq!(cinema.seat_status("show-1", "A1").await, "available");
        assert_eq!(cinema.seat_status("show-cheap", "B1").await, "booked");
        exchange(&cinema, &old.token, &old, asked).await.refused(409, "not-cancellable");
        until(async || cinema.booking(&old).await["refunds"][1]["status"] == "succeeded").await;
        let new = held(&done);
        let tickets: Vec<Value> = cinema.tickets(&new).await.iter().map(|t| t["status"].clone()).collect();
        assert_eq!(tickets, ["valid", "valid"]);
        cinema.close().await;
    }
}

/// The old code and the new at two doors in the same second, and the old tickets' PDF after it.
#[tokio::test(flavor = "multi_thread")]
async fn case_077_after_an_exchange_the_old_code_is_void() {
    let cinema = cinema(Kind::Sqlite).await;
    let old = paid(&cinema, &["A1"]).await;
    let door = cinema.key(Role::Scanner).await;
    let code = cinema.tickets(&old).await[0]["code"].as_str().expect("a code").to_owned();
    let new = exchange(&cinema, &old.token, &old, json!({ "show": "show-1", "seats": ["C1"] })).await.expect(201);
    let fresh = cinema.tickets(&held(&new)).await[0]["code"].as_str().expect("a code").to_owned();
    cinema.set_clock(json!({ "set": "2027-06-12T17:45:00Z", "freeze": true })).await.expect(200);
    let admit = async |code: String| {
        let body = json!({ "code": code, "screen": "markt-1" });
        cinema.post_as(&door, "/api/v1/admissions", body).await
    };
    let (void, valid) = tokio::join!(admit(code), admit(fresh));
    assert_eq!(void.refused(409, "ticket-void")["void_reason"], "reissued");
    assert_eq!(valid.expect(200)["seat"], "C1");
    let was = cinema.tickets(&old).await;
    assert_eq!((&was[0]["status"], &was[0]["void_reason"]), (&json!("void"), &json!("reissued")));
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dearer_seats_are_paid_before_anything_is_exchanged() {
    for kind in BOTH {
        let cinema = cinema(kind).await;
        let old = paid(&cinema, &["A1", "A2", "A3"]).await;
        let one = json!({ "show": "show-dear", "seats": ["B1"], "tickets": [format!("{}-2", old.id)] });
        let done = exchange(&cinema, &old.token, &old, one).await.expect(201);
        assert_eq!((&done["status"], &done["exchange"]["to_pay"]), (&json!("pending_payment"), &euros(2_120)));
        assert_eq!(done["exchange"]["refund"]["amount"], euros(1_370));
        assert_eq!(cinema.seat_status("show-1", "A2").await, "booked", "the tickets stay until it is paid");
        let path = format!("/api/v1/bookings/{}", done["id"].as_str().expect("an id"));
        for change in [json!({ "seats": ["B2"] }), json!({ "promo_code": "X" })] {
            cinema.patch_as(&held(&done).token, &path, change).await.refused(400, "invalid-request");
        }
        cinema.pay(&held(&done)).await;
        let was = cinema.booking(&old).await;
        assert_eq!((&was["status"], &was["refunds"][0]["reason"]), (&json!("confirmed"), &json!("exchanged")));
        assert_eq!(cinema.seat_status("show-1", "A2").await, "available");
        let statuses: Vec<Value> = cinema.tickets(&old).await.iter().map(|t| t["status"].clone()).collect();
        assert_eq!(statuses, ["valid", "void", "valid"]);
        let counter = cinema.key(Role::Counter).await;
        let desk = exchange(&cinema, &counter, &old, json!({ "show": "show-dear", "best": { "count": 2 } })).await;
        let desk = desk.expect(201);
        assert_eq!(desk["channel"], "counter");
        let pay = format!("/api/v1/bookings/{}/payments", desk["id"].as_str().expect("an id"));
        cinema.post_as(&counter, &pay, json!({ "gateway": "counter" })).await.expect(201);
        assert_eq!(cinema.booking(&old).await["status"], "cancelled");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exchange_that_is_refused_says_why() {
    let cinema = cinema(Kind::Memory).await;
    let old = paid(&cinema, &["A1", "A2"]).await;
    let other = paid(&cinema, &["K1"]).await;
    let taken = json!({ "show": "show-1", "seats": ["K1"] });
    let refused = exchange(&cinema, &old.token, &old, taken).await.refused(409, "seats-unavailable");
    assert_eq!(refused["seats"][0]["reason"], "booked");
    let bodies = [
        (json!({ "show": "show-9", "seats": ["B1"] }), 404, "not-found"),
        (json!({ "show": "show-1" }), 400, "invalid-request"),
        (json!({ "show": "show-1", "seats": [] }), 422, "no-seats"),
        (json!({ "show": "show-1", "seats": ["B1"], "tickets": [] }), 400, "invalid-request"),
        (json!({ "show": "show-1", "seats": ["B1"], "tickets": [format!("{}-1", other.id)] }), 404, "not-found"),
        (json!({ "show": "show-1", "seats": ["Z1"] }), 422, "unknown-seats"),
        (json!({ "show": "show-1", "seats": ["B1"], "promo_code": "X" }), 400, "invalid-request"),
        (json!({ "show": "show-1", "seats": ["B1", "B2"], "expected_total": euros(1) }), 409, "price-changed"),
    ];
    for (body, status, code) in bodies {
        exchange(&cinema, &old.token, &old, body).await.refused(status, code);
    }
    exchange(&cinema, &other.token, &old, json!({ "show": "show-1", "seats": ["B1"] })).await.refused(404, "not-found");
    assert_eq!(cinema.booking(&old).await["status"], "confirmed");
    cinema.close().await;
}
