//! Tickets and money given back over HTTP: by the buyer, by staff, and by the buyer's bank.

use boxoffice_server::auth::Role;
use reqwest::Method;
use serde_json::{Value, json};

use crate::cinema::{Answer, BOTH, Cinema, Held, Kind, STANDARD, T0, until};

async fn paid(cinema: &Cinema, seats: &[&str]) -> Held {
    let held = cinema.hold("show-1", seats).await;
    cinema.pay(&held).await;
    held
}

async fn cancel(cinema: &Cinema, held: &Held, body: Value) -> Answer {
    cinema.post_as(&held.token, &format!("/api/v1/bookings/{}/cancel", held.id), body).await
}

async fn refund(cinema: &Cinema, key: &str, held: &Held, body: Value) -> Answer {
    cinema.post_as(key, &format!("/api/v1/admin/bookings/{}/refunds", held.id), body).await
}

fn ticket(held: &Held, no: u16) -> String {
    format!("{}-{no}", held.id)
}

fn euros(cents: i64) -> Value {
    json!({ "amount": cents, "currency": "EUR" })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_buyer_gives_tickets_back_one_by_one() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let held = paid(&cinema, &["A1", "A2", "A3"]).await;
        let one = json!({ "tickets": [ticket(&held, 2)] });
        let mut asked = one.clone();
        asked["dry_run"] = json!(true);
        let quote = cancel(&cinema, &held, asked).await.expect(200);
        assert_eq!(quote["refund"], json!({ "amount": euros(1_250), "kept": euros(120) }));
        assert_eq!((&quote["status"], &quote["refunds"]), (&json!("confirmed"), &json!([])), "nothing was written");
        assert_eq!(cinema.seat_status("show-1", "A2").await, "booked");
        let done = cancel(&cinema, &held, one.clone()).await.expect(200);
        assert_eq!((&done["refund"]["amount"], &done["refund"]["kept"]), (&euros(1_250), &euros(120)));
        assert_eq!(done["refunds"][0]["tickets"], json!([ticket(&held, 2)]));
        assert_eq!(cinema.seat_status("show-1", "A2").await, "available");
        let statuses: Vec<Value> = cinema.tickets(&held).await.iter().map(|t| t["status"].clone()).collect();
        assert_eq!(statuses, ["valid", "void", "valid"]);
        assert_eq!(cancel(&cinema, &held, one).await.expect(200)["refund"]["id"], done["refund"]["id"]);
        let both = json!({ "tickets": [ticket(&held, 1), ticket(&held, 2)] });
        cancel(&cinema, &held, both).await.refused(409, "not-cancellable");
        for unknown in [ticket(&held, 4), "x".to_owned(), format!("{}-1", "0".repeat(32))] {
            cancel(&cinema, &held, json!({ "tickets": [unknown] })).await.refused(404, "not-found");
        }
        cancel(&cinema, &held, json!({ "tickets": [] })).await.refused(400, "invalid-request");
        let rest = cancel(&cinema, &held, json!({})).await.expect(200);
        assert_eq!((&rest["status"], &rest["refund"]["amount"]), (&json!("cancelled"), &euros(2_500)));
        until(async || cinema.booking(&held).await["refunds"][1]["status"] == "succeeded").await;
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_give_money_back_by_ticket_or_as_goodwill() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let manager = cinema.key(Role::Manager).await;
        let held = paid(&cinema, &["A1", "A2"]).await;
        let by_ticket = json!({ "tickets": [ticket(&held, 1)], "keep_fees": true, "reason": "wrong seat" });
        for (key, status, code) in
            [(held.token.clone(), 401, "unauthorized"), (cinema.key(Role::Counter).await, 403, "forbidden")]
        {
            refund(&cinema, &key, &held, by_ticket.clone()).await.refused(status, code);
        }
        let shapes = [
            json!({ "reason": "why" }),
            json!({ "tickets": [ticket(&held, 1)], "amount": euros(1), "reason": "why" }),
            json!({ "tickets": [ticket(&held, 1)] }),
            json!({ "amount": euros(100), "keep_fees": true, "reason": "why" }),
            json!({ "amount": { "amount": 100, "currency": "JPY" }, "reason": "why" }),
            json!({ "amount": euros(0), "reason": "why" }),
        ];
        for body in shapes {
            refund(&cinema, &manager, &held, body).await.refused(400, "invalid-request");
        }
        let given = refund(&cinema, &manager, &held, json!({ "amount": euros(200), "reason": "broken lift" }))
            .await
            .expect(201);
        assert_eq!((&given["refund"]["amount"], &given["status"]), (&euros(200), &json!("confirmed")));
        assert_eq!(given["refunds"][0]["reason"], "goodwill");
        let done = refund(&cinema, &manager, &held, by_ticket.clone()).await.expect(201);
        assert_eq!((&done["refund"]["amount"], &done["refund"]["kept"]), (&euros(1_250), &euros(20)));
        assert_eq!(cinema.tickets(&held).await[0]["void_reason"], "refunded");
        let refused = refund(&cinema, &manager, &held, by_ticket).await.refused(409, "already-refunded");
        assert_eq!(refused["remaining"], euros(1_270));
        let list = cinema
            .get_as(
                &manager,
                &format!("/api/v1/admin/bookings?reference={}", held.body["reference"].as_str().expect("text")),
            )
            .await
            .expect(200);
        assert_eq!(list["items"][0]["staff_notes"][1]["reason"], "wrong seat");
        assert_eq!(cinema.booking(&held).await.get("staff_notes"), None, "staff's words are theirs");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_find_bookings_page_by_page() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let mut ids = Vec::new();
        for seat in ["A1", "A2", "A3"] {
            ids.push(cinema.hold("show-1", &[seat]).await.id);
        }
        ids.sort();
        let counter = cinema.key(Role::Counter).await;
        let scanner = cinema.key(Role::Scanner).await;
        cinema.get_as(&scanner, "/api/v1/admin/bookings").await.refused(403, "forbidden");
        cinema.get("/api/v1/admin/bookings").await.refused(401, "unauthorized");
        let mut found = Vec::new();
        let mut path = "/api/v1/admin/bookings?show=show-1&email=A%40EXAMPLE.org&limit=2".to_owned();
        let first = path.clone();
        loop {
            let page = cinema.get_as(&counter, &path).await.expect(200);
            found.extend(
                page["items"].as_array().expect("a list").iter().map(|b| b["id"].as_str().expect("an id").to_owned()),
            );
            let Some(cursor) = page["next_cursor"].as_str() else { break };
            path = format!("{first}&cursor={cursor}");
        }
        found.sort();
        assert_eq!(found, ids);
        let nobody = cinema.get_as(&counter, "/api/v1/admin/bookings?reference=NOBODY").await.expect(200);
        assert_eq!(nobody["items"], json!([]));
        cinema.get_as(&counter, "/api/v1/admin/bookings?show=nowhere").await.refused(404, "not-found");
        cinema.get_as(&counter, "/api/v1/admin/bookings?cursor=x").await.refused(400, "invalid-request");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_035_a_double_click_refunds_once() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let key = cinema.key(Role::Manager).await;
        let held = paid(&cinema, &["A1", "A2"]).await;
        let path = format!("/api/v1/admin/bookings/{}/refunds", held.id);
        let body = json!({ "tickets": [ticket(&held, 1)], "reason": "double click" }).to_string();
        let bearer = format!("Bearer {key}");
        let headers = [("authorization", bearer.as_str()), ("idempotency-key", "click-1")];
        let send = || cinema.send(Method::POST, &path, &headers, Some(&body));
        let (first, twin) = tokio::join!(send(), send());
        let (first, twin) = (first.expect(201), twin.expect(201));
        assert_eq!(first["refund"], twin["refund"]);
        assert_eq!(first["refund"]["amount"], euros(1_370));
        cinema.advance_s(60.0).await;
        let third = json!({ "tickets": [ticket(&held, 1)], "reason": "double click" });
        refund(&cinema, &key, &held, third).await.refused(409, "already-refunded");
        until(async || cinema.booking(&held).await["refunds"][0]["status"] == "succeeded").await;
        let made = cinema.get("/test/sandbox/refunds").await.expect(200);
        assert_eq!(made["items"].as_array().map(Vec::len), Some(1), "the provider saw one");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_039_two_part_refunds_in_the_same_moment() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let key = cinema.key(Role::Manager).await;
        let held = paid(&cinema, &["A1", "A2"]).await;
        let part = || refund(&cinema, &key, &held, json!({ "amount": euros(2_000), "reason": "a part" }));
        let (one, other) = tokio::join!(part(), part());
        let mut statuses = [one.status.as_u16(), other.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409]);
        let booking = cinema.booking(&held).await;
        assert_eq!(booking["refunds"].as_array().map(Vec::len), Some(1), "{booking}");
        cinema.close().await;
    }
}

/// The bank's messages by every road: told, lost and heard of by asking, told late and twice.
#[tokio::test(flavor = "multi_thread")]
async fn case_041_a_disputed_payment_is_marked_and_not_refunded() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let manager = cinema.key(Role::Manager).await;
        let won = paid(&cinema, &["A1", "A2"]).await;
        let lost = paid(&cinema, &["B1"]).await;
        let silent = paid(&cinema, &["C1"]).await;
        let dispute = async |held: &Held, body: Value| {
            let payment = cinema.sandbox_payments(held).await[0]["id"].as_str().expect("an id").to_owned();
            cinema.post(&format!("/test/sandbox/payments/{payment}/dispute"), body).await.expect(200)
        };
        let mark = async |held: &Held| cinema.booking(held).await["payments"][0]["dispute"].clone();
        for held in [&won, &lost] {
            dispute(held, json!({ "status": "open" })).await;
            until(async || mark(held).await == "open").await;
            let body = json!({ "tickets": [ticket(held, 1)], "reason": "asked" });
            refund(&cinema, &manager, held, body).await.refused(409, "payment-disputed");
            cancel(&cinema, held, json!({})).await.refused(409, "payment-disputed");
            assert_eq!(cinema.booking(held).await["status"], "confirmed");
        }
        assert_eq!(cinema.seat_status("show-1", "B1").await, "booked", "not resold by itself");
        dispute(&won, json!({ "status": "won" })).await;
        until(async || mark(&won).await == "won").await;
        assert_eq!(cinema.tickets(&won).await[0]["status"], "valid");
        cancel(&cinema, &won, json!({})).await.expect(200);
        dispute(&lost, json!({ "status": "lost" })).await;
        until(async || mark(&lost).await == "lost").await;
        assert_eq!(cinema.tickets(&lost).await[0]["void_reason"], "dispute_lost");
        assert_eq!(cinema.seat_status("show-1", "B1").await, "available");
        dispute(&silent, json!({ "status": "open", "drop": true })).await;
        assert_eq!(mark(&silent).await, Value::Null);
        cinema.advance_s(25.0 * 3_600.0).await;
        until(async || mark(&silent).await == "open").await;
        cinema
            .post("/test/sandbox/payments/pay_none/dispute", json!({ "status": "open" }))
            .await
            .refused(404, "not-found");
        cinema.close().await;
    }
}

/// The rule of the fee is the cinema's: kept, or given back with its tax.
#[tokio::test(flavor = "multi_thread")]
async fn case_040_the_fee_is_kept_or_comes_back_by_its_rule() {
    let refundable = STANDARD.replace("tax = \"service\"", "tax = \"service\"\nrefundable = true");
    for (catalogue, back, kept) in [(STANDARD, 2_500, 240), (refundable.as_str(), 2_740, 0)] {
        let cinema = Cinema::with(BOTH[1], catalogue, T0).await;
        let held = paid(&cinema, &["A1", "A2"]).await;
        let done = cancel(&cinema, &held, json!({})).await.expect(200);
        assert_eq!((&done["refund"]["amount"], &done["refund"]["kept"]), (&euros(back), &euros(kept)));
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_044_yen_go_back_without_hundredths() {
    let yen = STANDARD.replace("\"EUR\"", "\"JPY\"").replace("\"12.50\"", "\"1900\"").replace("\"1.20\"", "\"100\"");
    for (keep_fees, back) in [(false, 2_000), (true, 1_900)] {
        let cinema = Cinema::with(BOTH[1], &yen, T0).await;
        let key = cinema.key(Role::Manager).await;
        let held = paid(&cinema, &["A1", "A2"]).await;
        let body = json!({ "tickets": [ticket(&held, 1)], "keep_fees": keep_fees, "reason": "asked" });
        let done = refund(&cinema, &key, &held, body).await.expect(201);
        assert_eq!(done["refund"]["amount"], json!({ "amount": back, "currency": "JPY" }));
        cinema.post_as(&key, "/api/v1/admin/shows/show-1/cancel", json!({ "refund": "all" })).await.expect(200);
        until(async || cinema.booking(&held).await["refunds"][1]["status"] == "succeeded").await;
        let made = cinema.get("/test/sandbox/refunds").await.expect(200);
        let amounts = made["items"].as_array().expect("a list").iter().map(|r| r["amount"]["amount"].as_i64());
        assert_eq!(amounts.sum::<Option<i64>>(), Some(back + 2_000));
        cinema.close().await;
    }
}

/// Three tickets and a discount that no division makes equal, in currencies with two, no and three decimals,
/// given back one at a time in each of the six orders.
#[tokio::test(flavor = "multi_thread")]
async fn case_037_shares_add_up_in_every_order_and_currency() {
    const ORDERS: [[u16; 3]; 6] = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]];
    let table = [
        ("EUR", "10.00", "10.00", [667, 667, 666]),
        ("JPY", "1900", "1000", [1_567, 1_567, 1_566]),
        ("KWD", "2.750", "0.500", [2_584, 2_583, 2_583]),
    ];
    for (currency, price, discount, shares) in table {
        let code = format!(
            "\n[[promo_codes]]\nid = \"OFF\"\namount = \"{discount}\"\ncurrency = \"{currency}\"\nper = \"booking\"\n"
        );
        let fees = "fees = [\"booking-fee\"]\n";
        let start = STANDARD.find("[[fees]]").expect("the fee");
        let end = STANDARD.find("[[price_lists]]").expect("the prices");
        let catalogue = format!("{}{}{code}", &STANDARD[..start], &STANDARD[end..]);
        let catalogue = catalogue.replace(fees, "").replace("EUR", currency).replace("12.50", price);
        let cinema = Cinema::with(Kind::Memory, &catalogue, T0).await;
        for (order, column) in ORDERS.iter().zip(1..) {
            let seats: Vec<String> = ["A", "B", "C"].iter().map(|row| format!("{row}{column}")).collect();
            let customer = json!({ "email": "a@example.org" });
            let asked = json!({ "show": "show-1", "seats": seats, "promo_code": "OFF", "customer": customer });
            let body = cinema.post("/api/v1/bookings", asked).await.expect(201);
            let text = |member: &str| body[member].as_str().expect(member).to_owned();
            let held = Held { id: text("id"), token: text("token"), body: body.clone() };
            let totals: Vec<&Value> =
                body["seats"].as_array().expect("seats").iter().map(|s| &s["total"]["amount"]).collect();
            assert_eq!(totals, shares, "{currency}");
            cinema.pay(&held).await;
            let mut back = 0;
            for no in order {
                let done = cancel(&cinema, &held, json!({ "tickets": [ticket(&held, *no)] })).await.expect(200);
                let amount = done["refund"]["amount"]["amount"].as_i64().expect("an amount");
                assert_eq!(amount, shares[usize::from(*no) - 1], "{currency} {order:?}");
                back += amount;
            }
            assert_eq!(json!(back), body["price"]["total"]["amount"], "{currency} {order:?}");
        }
        cinema.close().await;
    }
}
