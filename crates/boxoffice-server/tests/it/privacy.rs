//! Forgetting customers, on request and by time, while the books stay; and the log of what staff did.

use boxoffice::time::{Span, Timestamp};
use boxoffice_server::auth::Role;
use boxoffice_server::privacy::forget_before;
use serde_json::{Value, json};

use crate::cinema::{BOTH, Cinema, Held, T0, until};

const NAME: &str = "Ada Erased";

async fn held(cinema: &Cinema, seat: &str, email: &str) -> Held {
    let customer = json!({ "name": NAME, "email": email, "phone": "+49 555 000 777" });
    let hold = json!({ "show": "show-1", "seats": [seat], "customer": customer, "metadata": { "note": NAME } });
    let body = cinema.post("/api/v1/bookings", hold).await.expect(201);
    let text = |member: &str| body[member].as_str().expect(member).to_owned();
    Held { id: text("id"), token: text("token"), body: body.clone() }
}

/// A letter that is still to be sent keeps its customer.
async fn until_nothing_is_due(cinema: &Cinema) {
    let key = cinema.key(Role::Counter).await;
    let due = async || cinema.get_as(&key, "/api/v1/admin/notices?status=due").await.expect(200);
    until(async || due().await["items"] == json!([])).await;
}

async fn sales(cinema: &Cinema, key: &str) -> String {
    cinema.get_as(key, "/api/v1/admin/reports/sales.csv?from=2027-06-01&to=2027-06-30").await.text
}

#[tokio::test(flavor = "multi_thread")]
async fn a_customer_is_forgotten_on_request_and_the_books_stay() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let key = cinema.key(Role::Manager).await;
        let first = held(&cinema, "F7", "ada@example.org").await;
        cinema.pay(&first).await;
        let other = held(&cinema, "F8", "bob@example.org").await;
        let erase = async |body: Value| cinema.post_as(&key, "/api/v1/admin/erasures", body).await;
        let asked = erase(json!({ "email": "ADA@example.org" })).await.expect(200);
        assert_eq!((&asked["erased"], &asked["later"][0]["booking"]), (&json!(0), &json!(first.id)), "{asked}");
        assert_eq!(cinema.booking(&first).await["customer"]["name"], NAME, "the ticket is for a show to come");
        let before = sales(&cinema, &key).await;

        until_nothing_is_due(&cinema).await;
        // The show is over: the jobs forget by themselves.
        cinema.set_clock(json!({ "set": "2027-06-12T22:30:00Z", "freeze": true })).await.expect(200);
        until(async || cinema.booking(&first).await["customer"]["name"] == Value::Null).await;
        let after = cinema.booking(&first).await;
        assert!(!after.to_string().contains("ada@") && !after.to_string().contains(NAME), "{after}");
        assert_eq!((&after["status"], &after["price"]), (&json!("confirmed"), &first.body["price"]));
        assert_eq!(sales(&cinema, &key).await, before);
        let again = format!("/api/v1/admin/notices/{}-1/resend", first.id);
        let refused = cinema.post_as(&key, &again, json!({})).await.refused(400, "invalid-request");
        assert_eq!(refused["detail"], "The booking names no e-mail address to send this to.");
        let found = cinema.get_as(&key, "/api/v1/admin/bookings?email=ada@example.org").await.expect(200);
        assert_eq!(found["items"], json!([]));
        assert_eq!(cinema.tickets(&first).await[0]["status"], "valid", "the ticket itself stays");
        assert_eq!(cinema.booking(&other).await["customer"]["name"], NAME, "others stay");

        let one = erase(json!({ "booking": other.id })).await.expect(200);
        assert_eq!((&one["erased"], &one["later"]), (&json!(1), &json!([])), "{one}");
        for wrong in [json!({}), json!({ "email": " " }), json!({ "email": "a@b", "booking": other.id })] {
            erase(wrong).await.refused(400, "invalid-request");
        }
        erase(json!({ "booking": "x" })).await.refused(404, "not-found");
        let counter = cinema.key(Role::Counter).await;
        cinema.post_as(&counter, "/api/v1/admin/erasures", json!({ "email": "x@y" })).await.refused(403, "forbidden");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn customers_are_forgotten_when_their_time_is_over() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let mut all = Vec::new();
        for n in 1..=12 {
            all.push(held(&cinema, &format!("A{n}"), "ada@example.org").await);
        }
        for paid in &all[..3] {
            cinema.pay(paid).await;
        }
        let start: Timestamp = "2027-06-12T18:00:00Z".parse().expect("an instant");
        assert_eq!(forget_before(&*cinema.store, start).await.expect("a store"), 0, "the show has not been");
        cinema.set_clock(json!({ "set": "2027-07-12T18:00:00Z", "freeze": true })).await.expect(200);
        assert_eq!(forget_before(&*cinema.store, start).await.expect("a store"), 0, "exactly then it is kept");
        until_nothing_is_due(&cinema).await;
        let soon = start + Span::from_ms(1);
        assert_eq!(forget_before(&*cinema.store, soon).await.expect("a store"), 12);
        assert_eq!(forget_before(&*cinema.store, soon).await.expect("a store"), 0);
        for one in &all {
            assert_eq!(cinema.booking(one).await["customer"]["email"], Value::Null);
        }
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_staff_do_is_logged_without_names() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let key = cinema.key(Role::Manager).await;
        let id = key.split('_').nth(2).expect("an id").to_owned();
        let one = held(&cinema, "F7", "ada@example.org").await;
        cinema.pay(&one).await;
        let block = json!({ "seats": ["K1"], "reason": "Broken" });
        cinema.post_as(&key, "/api/v1/admin/shows/show-1/blocks", block).await.expect(201);
        let goodwill = json!({ "amount": { "amount": 100, "currency": "EUR" }, "reason": "Popcorn" });
        cinema.post_as(&key, &format!("/api/v1/admin/bookings/{}/refunds", one.id), goodwill).await.expect(201);
        cinema.post_as(&key, &format!("/api/v1/bookings/{}/cancel", one.id), json!({})).await.expect(200);
        let bearer = format!("Bearer {key}");
        let movie = "[[movies]]\nid = \"new\"\ntitle = \"New\"\nlanguage = \"en\"\nruntime_min = 90\n";
        let headers = [("authorization", bearer.as_str())];
        cinema.send(reqwest::Method::POST, "/api/v1/admin/catalogue", &headers, Some(movie)).await.expect(200);
        let gone = "/api/v1/admin/catalogue/movies/new";
        assert_eq!(cinema.send(reqwest::Method::DELETE, gone, &headers, None).await.status, 204);
        let list = cinema.get_as(&key, "/api/v1/admin/actions").await.expect(200);
        let items = list["items"].as_array().expect("a list");
        let what: Vec<&str> = items.iter().map(|item| item["what"].as_str().expect("a word")).collect();
        assert_eq!(what, ["block", "refund", "cancel", "import", "delete"]);
        assert!(
            items
                .iter()
                .all(|item| item["by"] == id.as_str() && item["at"].as_str().expect("at").starts_with(&T0[..10]))
        );
        assert_eq!((&items[1]["booking"], &items[0]["subject"]), (&json!(one.id), &json!("show-1")));
        let text = list.to_string();
        assert!(!text.contains(NAME) && !text.contains("ada@") && !text.contains(&key));
        let of_booking = format!("/api/v1/admin/actions?booking={}&limit=1", one.id);
        let page = cinema.get_as(&key, &of_booking).await.expect(200);
        let cursor = page["next_cursor"].as_str().expect("there is more");
        let rest = cinema.get_as(&key, &format!("{of_booking}&cursor={cursor}")).await.expect(200);
        assert_eq!((&page["items"][0], &rest["items"][0]), (&items[1], &items[2]));
        let counter = cinema.key(Role::Counter).await;
        cinema.get_as(&counter, "/api/v1/admin/actions").await.refused(403, "forbidden");
        cinema.close().await;
    }
}
