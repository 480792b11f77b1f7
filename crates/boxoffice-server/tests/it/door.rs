//! The door over HTTP: one ticket lets in one person, at the right door, and says why otherwise.

use std::collections::BTreeMap;

use boxoffice::booking::{Ticket, TicketStatus};
use boxoffice::id::{BookingId, PartId};
use boxoffice_server::auth::{NewKey, Role};
use boxoffice_server::entropy::OsEntropy;
use boxoffice_server::tickets::TicketKeys;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::cinema::{Answer, BOTH, Cinema, Held, Kind, STANDARD, T0, until};

/// A quarter of an hour before the standard fixture's show.
const DOORS_OPEN: &str = "2027-06-12T17:45:00Z";

/// Another hall of the same cinema and a hall of another, each with a show at the same time.
const MORE_HALLS: &str = r#"
[[screens]]
id = "markt-2"
theatre = "kino-am-markt"
name = "Hall 2"
layout = "hall-1"

[[theatres]]
id = "kino-am-see"
name = "Kino am See"
city = "Lindau"
country = "DE"
timezone = "Europe/Berlin"
currency = "EUR"

[[screens]]
id = "see-1"
theatre = "kino-am-see"
name = "Big Hall"
layout = "hall-1"

[[shows]]
id = "show-2"
movie = "night-train"
screen = "markt-2"
starts_at = "2027-06-12T20:00"
price_list = "regular"
refund_policy = "standard"

[[shows]]
id = "show-3"
movie = "night-train"
screen = "see-1"
starts_at = "2027-06-12T20:00"
price_list = "regular"
refund_policy = "standard"
"#;

pub async fn with_halls(kind: Kind) -> Cinema {
    Cinema::with(kind, &format!("{STANDARD}{MORE_HALLS}"), T0).await
}

impl Cinema {
    pub async fn open_doors(&self) {
        self.set_clock(json!({ "set": DOORS_OPEN, "freeze": true })).await.expect(200);
    }

    /// Holds and pays these seats, and answers the codes of their tickets.
    pub async fn sold(&self, show: &str, seats: &[&str]) -> (Held, Vec<String>) {
        let held = self.hold(show, seats).await;
        self.pay(&held).await;
        (held.clone(), self.codes(&held).await)
    }

    pub async fn codes(&self, held: &Held) -> Vec<String> {
        let tickets = self.tickets(held).await;
        tickets.iter().map(|ticket| ticket["code"].as_str().expect("a code").to_owned()).collect()
    }

    pub async fn admit(&self, key: &str, code: &str, nonce: &str) -> Answer {
        let body = json!({ "code": code, "screen": "markt-1", "gate": "north", "nonce": nonce });
        self.post_as(key, "/api/v1/admissions", body).await
    }

    async fn bound_key(&self, screen: Option<&str>, theatre: Option<&str>) -> String {
        let id = |text: Option<&str>| text.map(|text| boxoffice::id::CatalogueId::new(text).expect("an id"));
        let (screen, theatre) = (id(screen), id(theatre));
        let new = NewKey { name: "door".into(), role: Role::Scanner, screen, theatre, expires_at: None };
        self.made(new).await.1
    }

    /// A code that is signed here for a ticket that nobody bought.
    async fn forged(&self, booking: &str, no: u16) -> String {
        use boxoffice::store::Store as _;
        let id: BookingId = booking.parse().expect("an id");
        let booking = self.store.booking(id).await.expect("a store that answers").expect("a booking");
        let ticket = Ticket {
            id: PartId { booking: id, no },
            seat: booking.seats[0].no,
            label: booking.seats[0].label.clone(),
            ticket_type: "standard".into(),
            status: TicketStatus::Valid,
            void_reason: None,
            serial: 1,
            holder: None,
            scans: Vec::new(),
        };
        TicketKeys::load(&*self.store, &OsEntropy).await.expect("keys").code(&booking, &ticket)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_lets_in_once_and_the_same_scan_is_answered_the_same() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let (held, codes) = cinema.sold("show-1", &["F7", "F8"]).await;
        cinema.open_doors().await;
        let key = cinema.key(Role::Scanner).await;
        let first = cinema.admit(&key, &codes[0], "n1").await.expect(200);
        let expected = json!({
            "status": "admitted", "ticket": format!("{}-1", held.id), "seat": "F7", "row": "F", "number": "7",
            "category": "Standard", "ticket_type": "standard", "name": null, "show": "show-1",
            "movie": "Night Train to Lindau", "screen": "Hall 1", "starts_at": "2027-06-12T20:00:00+02:00",
            "local": "2027-06-12T20:00", "admitted_at": "2027-06-12T19:45:00+02:00", "gate": "north",
        });
        assert_eq!(first, expected);
        cinema.advance_s(60.0).await;
        assert_eq!(cinema.admit(&key, &codes[0], "n1").await.expect(200), first, "the same scan again");
        let used = cinema.admit(&key, &codes[0].to_lowercase(), "n2").await.refused(409, "already-admitted");
        assert_eq!((&used["admitted_at"], &used["gate"]), (&json!("2027-06-12T17:45:00Z"), &json!("north")));
        cinema.admit(&key, &codes[1], "n1").await.expect(200);
        assert_eq!(cinema.tickets(&held).await[0]["status"], "admitted");
        cinema.cancel(&held).await.refused(409, "not-cancellable");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_door_is_named_by_the_request_or_by_the_key() {
    for kind in BOTH {
        let cinema = with_halls(kind).await;
        let (_, codes) = cinema.sold("show-1", &["F7", "F8", "F9", "F10", "F11"]).await;
        cinema.open_doors().await;
        let ask = async |key: &str, place: Value, code: &str| {
            let mut body = json!({ "code": code });
            body.as_object_mut().expect("an object").extend(place.as_object().expect("an object").clone());
            cinema.post_as(key, "/api/v1/admissions", body).await
        };
        let free = cinema.key(Role::Scanner).await;
        ask(&free, json!({}), &codes[0]).await.refused(400, "invalid-request");
        ask(&free, json!({ "screen": "nowhere" }), &codes[0]).await.refused(400, "invalid-request");
        ask(&free, json!({ "show": "nothing" }), &codes[0]).await.refused(400, "invalid-request");
        let wrong = ask(&free, json!({ "screen": "markt-2" }), &codes[0]).await.refused(409, "wrong-show");
        let right = (&wrong["movie"], &wrong["theatre"], &wrong["screen"], &wrong["local"], &wrong["show"]);
        let (movie, theatre, hall) = (json!("Night Train to Lindau"), json!("Kino am Markt"), json!("Hall 1"));
        assert_eq!(right, (&movie, &theatre, &hall, &json!("2027-06-12 20:00"), &json!("show-1")));
        ask(&free, json!({ "show": "show-2" }), &codes[0]).await.refused(409, "wrong-show");
        ask(&free, json!({ "show": "show-1", "screen": "markt-2" }), &codes[0]).await.refused(409, "wrong-show");
        ask(&free, json!({ "show": "show-1" }), &codes[0]).await.expect(200);
        let screen = cinema.bound_key(Some("markt-1"), None).await;
        ask(&screen, json!({ "screen": "markt-2" }), &codes[1]).await.refused(403, "forbidden");
        ask(&screen, json!({}), &codes[1]).await.expect(200);
        let other_screen = cinema.bound_key(Some("markt-2"), None).await;
        ask(&other_screen, json!({}), &codes[2]).await.refused(409, "wrong-show");
        let theatre = cinema.bound_key(None, Some("kino-am-markt")).await;
        ask(&theatre, json!({ "screen": "see-1" }), &codes[2]).await.refused(403, "forbidden");
        ask(&theatre, json!({}), &codes[2]).await.expect(200);
        let other_theatre = cinema.bound_key(None, Some("kino-am-see")).await;
        ask(&other_theatre, json!({}), &codes[3]).await.refused(409, "wrong-show");
        for role in [Role::Counter, Role::Manager, Role::Admin] {
            let key = cinema.key(role).await;
            let at = json!({ "screen": "markt-1", "nonce": "same" });
            ask(&key, at, &codes[3]).await.expect(200);
        }
        for (caller, body) in [("", json!({})), ("bo_live_1_2", json!({ "code": codes[4] }))] {
            let body = if body == json!({}) { json!({ "code": codes[4], "screen": "markt-1" }) } else { body };
            cinema.post_as(caller, "/api/v1/admissions", body).await.refused(401, "unauthorized");
        }
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_043_a_refunded_ticket_is_refused_before_its_money_has_moved() {
    for kind in BOTH {
        let cinema = with_halls(kind).await;
        let (scanner, manager) = (cinema.key(Role::Scanner).await, cinema.key(Role::Manager).await);
        let (held, codes) = cinema.sold("show-1", &["B1", "B2", "B3"]).await;
        let tickets = cinema.tickets(&held).await;
        cinema.open_doors().await;
        cinema.post("/test/sandbox/faults", json!({ "before": 1_000_000 })).await.expect(204);
        let path = format!("/api/v1/admin/bookings/{}/refunds", held.id);
        let refund = json!({ "tickets": [tickets[0]["id"]], "reason": "projector" });
        cinema.post_as(&manager, &path, refund).await.expect(201);
        let void = cinema.admit(&scanner, &codes[0], "n1").await.refused(409, "ticket-void");
        assert_eq!(void["void_reason"], "refunded");
        assert_ne!(cinema.booking(&held).await["refunds"][0]["status"], "succeeded", "the money is on its way");
        // Used, then the show is cancelled: nobody hides behind "already used".
        cinema.admit(&scanner, &codes[1], "n2").await.expect(200);
        let all = json!({ "refund": "all" });
        cinema.post_as(&manager, "/api/v1/admin/shows/show-1/cancel", all).await.expect(200);
        until(async || cinema.booking(&held).await["status"] == "cancelled").await;
        for (n, code) in codes.iter().enumerate().skip(1) {
            let void = cinema.admit(&scanner, code, &format!("late {n}")).await.refused(409, "ticket-void");
            assert_eq!(void["void_reason"], "cancelled");
        }
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_071_each_kind_of_ticket_gets_its_own_answer() {
    for kind in BOTH {
        let cinema = with_halls(kind).await;
        let key = cinema.key(Role::Scanner).await;
        let (_, valid) = cinema.sold("show-1", &["A1"]).await;
        let (cancelled, cancelled_code) = cinema.sold("show-1", &["A2"]).await;
        let (_, other_show) = cinema.sold("show-2", &["A3"]).await;
        let (_, other_cinema) = cinema.sold("show-3", &["A4"]).await;
        cinema.cancel(&cancelled).await.expect(200);
        let unpaid = cinema.hold("show-1", &["A5"]).await;
        let unpaid_code = cinema.forged(&unpaid.id, 1).await;
        let no_such = cinema.forged(&cancelled.id, 9).await;
        cinema.admit(&key, &valid[0], "early").await.refused(409, "too-early");
        cinema.open_doors().await;
        let mut changed = valid[0].clone();
        changed.replace_range(60..61, if &changed[60..61] == "A" { "B" } else { "A" });
        let ten_kb = "A".repeat(10_240);
        let cases: [(&str, u16, &str); 10] = [
            (&valid[0], 200, ""),
            (&valid[0], 409, "already-admitted"),
            (&cancelled_code[0], 409, "ticket-void"),
            (&other_show[0], 409, "wrong-show"),
            (&other_cinema[0], 409, "wrong-show"),
            (&unpaid_code, 422, "unknown-ticket"),
            (&no_such, 422, "unknown-ticket"),
            (&changed, 422, "not-a-ticket"),
            ("", 422, "not-a-ticket"),
            (&ten_kb, 422, "not-a-ticket"),
        ];
        for (n, (code, status, problem)) in cases.into_iter().enumerate() {
            let answer = cinema.admit(&key, code, &format!("scan {n}")).await;
            if problem.is_empty() {
                assert_eq!(answer.expect(status)["status"], "admitted");
            } else {
                answer.refused(status, problem);
            }
        }
        let void = cinema.admit(&key, &cancelled_code[0], "again").await.refused(409, "ticket-void");
        assert_eq!(void["void_reason"], "cancelled");
        let elsewhere = cinema.admit(&key, &other_cinema[0], "again").await.refused(409, "wrong-show");
        assert_eq!((&elsewhere["theatre"], &elsewhere["screen"]), (&json!("Kino am See"), &json!("Big Hall")));
        for rubbish in ["🎟", "\u{0}", "null", "' OR 1=1 --", "%00", "AAAA AAAA"] {
            cinema.admit(&key, rubbish, "rubbish").await.refused(422, "not-a-ticket");
        }
        // The film runs 118 minutes after 20 of trailers.
        cinema.set_clock(json!({ "set": "2027-06-12T20:18:00Z", "freeze": true })).await.expect(200);
        let late = cinema.admit(&key, &valid[0], "late").await;
        late.refused(409, "already-admitted");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_076_a_copied_show_has_its_own_window() {
    let entry = "max_seats = 8\nentry_opens = \"-30m\"\nentry_closes = \"30m\"";
    let show = STANDARD.split_once("[[shows]]").expect("a show").1.replace("max_seats = 8", entry);
    let copy = show.replace("show-1", "show-2").replace("2027-06-12T20:00", "2028-06-12T10:00");
    let copied = format!("{STANDARD}[[shows]]{copy}");
    for kind in BOTH {
        let cinema = Cinema::with(kind, &copied, "2028-06-10T08:00:00Z").await;
        let key = cinema.key(Role::Scanner).await;
        let (_, codes) = cinema.sold("show-2", &["A1", "A2"]).await;
        let at = async |time: &str, code: &str, nonce: &str| {
            cinema.set_clock(json!({ "set": time, "freeze": true })).await.expect(200);
            cinema.admit(&key, code, nonce).await
        };
        let early = at("2028-06-12T09:29:59.999+02:00", &codes[0], "n1").await.refused(409, "too-early");
        assert_eq!(early["opens_at"], "2028-06-12T07:30:00Z");
        at("2028-06-12T09:35:00+02:00", &codes[0], "n2").await.expect(200);
        at("2028-06-12T10:30:00+02:00", &codes[1], "n3").await.refused(409, "wrong-show");
        let manager = format!("Bearer {}", cinema.key(Role::Manager).await);
        let wrong = copied.replace("entry_closes = \"30m\"", "entry_closes = \"-31m\"");
        let headers = [("authorization", manager.as_str())];
        let refused = cinema.send(Method::POST, "/api/v1/admin/catalogue", &headers, Some(&wrong)).await;
        refused.refused(400, "invalid-request");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_077_only_the_newest_code_of_a_ticket_lets_in() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let key = cinema.key(Role::Scanner).await;
        let (held, old) = cinema.sold("show-1", &["D5", "D6"]).await;
        let path = |ticket: &str| format!("/api/v1/bookings/{}/tickets/{ticket}/reissue", held.id);
        let ticket = format!("{}-1", held.id);
        cinema.post(&path(&ticket), json!({})).await.refused(404, "not-found");
        for unknown in ["9", "0", "x", "", "-1", "01x"] {
            cinema.post_as(&held.token, &path(unknown), json!({})).await.refused(404, "not-found");
        }
        cinema.post_as(&held.token, &path(&ticket), json!({ "name": "a\nb" })).await.refused(400, "invalid-request");
        let new = cinema.post_as(&held.token, &path(&ticket), json!({ "name": "Grace Hopper" })).await.expect(200);
        assert_eq!(
            (&new["name"], &new["status"], &new["seat"]),
            (&json!("Grace Hopper"), &json!("valid"), &json!("D5"))
        );
        let code = new["code"].as_str().expect("a code");
        assert_ne!(code, old[0]);
        assert_eq!(cinema.codes(&held).await, [code, &old[1]]);
        cinema.open_doors().await;
        // Both codes in the same second at two doors, in either order.
        let (first, second) = tokio::join!(cinema.admit(&key, &old[0], "south"), cinema.admit(&key, code, "north"));
        assert_eq!(first.refused(409, "ticket-void")["void_reason"], "reissued");
        assert_eq!(second.expect(200)["name"], "Grace Hopper");
        cinema.post_as(&held.token, &path(&ticket), json!({})).await.refused(409, "already-admitted");
        // A repeat under an idempotency key makes no third code.
        let headers = [("authorization", format!("Bearer {}", held.token)), ("idempotency-key", "once".to_owned())];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        let again = async || cinema.send(Method::POST, &path("2"), &headers, Some("{}")).await;
        let (one, two) = (again().await.expect(200), again().await.expect(200));
        assert_eq!(one["code"], two["code"]);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_078_fifty_doors_on_one_ticket_let_in_one() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let (_, codes) = cinema.sold("show-1", &["F7", "F8", "F9", "F10"]).await;
        cinema.open_doors().await;
        let key = cinema.key(Role::Scanner).await;
        for code in &codes {
            let nonces: Vec<String> = (0..50).map(|door| format!("door {door}")).collect();
            let answers = join_all(nonces.iter().map(|nonce| cinema.admit(&key, code, nonce))).await;
            let mut counts = BTreeMap::new();
            for answer in &answers {
                let word = answer.json()[if answer.status == 200 { "status" } else { "code" }].clone();
                *counts.entry(word.as_str().expect("a word").to_owned()).or_insert(0) += 1;
            }
            let expected = BTreeMap::from([("admitted".to_owned(), 1), ("already-admitted".to_owned(), 49)]);
            assert_eq!(counts, expected);
        }
        cinema.close().await;
    }
}

/// A device's batch: what it saw by its own clock, which is ahead by so much.
fn batch(device: &str, offset_min: i64, scans: &[(&str, &str, &str)]) -> Value {
    let scans: Vec<Value> = scans
        .iter()
        .map(|(code, at, nonce)| {
            let at: jiff::Timestamp = at.parse().expect("an instant");
            let at = at + jiff::SignedDuration::from_mins(offset_min);
            json!({ "code": code, "at": at.to_string(), "nonce": nonce, "gate": device })
        })
        .collect();
    json!({ "device": device, "clock_offset_ms": offset_min * 60_000, "scans": scans })
}

#[tokio::test(flavor = "multi_thread")]
async fn case_078_two_offline_devices_with_wrong_clocks_agree_in_either_order() {
    let mut outcomes = Vec::new();
    for (kind, order) in BOTH.into_iter().flat_map(|kind| [(kind, [0, 1]), (kind, [1, 0])]) {
        let cinema = Cinema::standard(kind).await;
        let key = cinema.key(Role::Scanner).await;
        let (_, codes) = cinema.sold("show-1", &["F7"]).await;
        cinema.open_doors().await;
        let batches = [
            batch("fast", 7, &[(&codes[0], "2027-06-12T17:40:01Z", "f1")]),
            batch("slow", -7, &[(&codes[0], "2027-06-12T17:40:00Z", "s1")]),
        ];
        for n in order {
            cinema.post_as(&key, "/api/v1/admissions/batch", batches[n].clone()).await.expect(200);
        }
        for batch in &batches {
            let again = cinema.post_as(&key, "/api/v1/admissions/batch", batch.clone()).await.expect(200);
            assert_eq!(again["items"][0]["status"], "already-recorded");
            assert_eq!(again["items"][0]["admitted_at"], "2027-06-12T17:40:00Z");
        }
        let conflicts = cinema.get_as(&key, "/api/v1/admissions/conflicts?show=show-1").await.expect(200);
        let mut items = conflicts["items"].clone();
        for member in ["ticket", "key"] {
            let item = &mut items[0];
            if let Some(value) = item.get_mut(member) {
                *value = Value::Null;
            }
            for scan in ["scan", "admitted"] {
                if let Some(value) = item[scan].get_mut(member) {
                    *value = Value::Null;
                }
            }
        }
        outcomes.push(items);
        let used = cinema.admit(&key, &codes[0], "online").await.refused(409, "already-admitted");
        assert_eq!((&used["admitted_at"], &used["gate"]), (&json!("2027-06-12T17:40:00Z"), &json!("slow")));
        cinema.close().await;
    }
    assert!(outcomes.iter().all(|one| *one == outcomes[0]), "{outcomes:#?}");
    let items = outcomes[0].as_array().expect("a list");
    assert_eq!(items.len(), 1);
    let (scan, admitted) = (&items[0]["scan"], &items[0]["admitted"]);
    assert_eq!((&items[0]["status"], &items[0]["reason"]), (&json!("conflict"), &json!("already-admitted")));
    assert_eq!((&scan["device"], &scan["clock_offset_ms"]), (&json!("fast"), &json!(420_000)));
    assert_eq!((&admitted["device"], &admitted["clock_offset_ms"]), (&json!("slow"), &json!(-420_000)));
}

#[tokio::test(flavor = "multi_thread")]
async fn case_074_offline_scans_arrive_once_and_unknown_ones_are_not_checked() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let key = cinema.key(Role::Scanner).await;
        let mut codes = Vec::new();
        for row in ["A", "B", "C"] {
            let seats: Vec<String> = (1..=6).map(|n| format!("{row}{n}")).collect();
            codes.extend(cinema.sold("show-1", &seats.iter().map(String::as_str).collect::<Vec<_>>()).await.1);
        }
        let unpaid = cinema.hold("show-1", &["K1"]).await;
        codes.push(cinema.forged(&unpaid.id, 1).await);
        codes.push("a poster's QR code".to_owned());
        cinema.open_doors().await;
        let names: Vec<String> = (0..codes.len()).map(|n| format!("scan {n}")).collect();
        let at = "2027-06-12T17:40:00Z";
        let scans: Vec<(&str, &str, &str)> =
            codes.iter().zip(&names).map(|(code, name)| (code.as_str(), at, name.as_str())).collect();
        let send = async |device: &str, scans: &[(&str, &str, &str)]| {
            cinema.post_as(&key, "/api/v1/admissions/batch", batch(device, 0, scans)).await.expect(200)
        };
        let count = |answer: &Value| {
            let mut counts = BTreeMap::new();
            for item in answer["items"].as_array().expect("a list") {
                *counts.entry(item["status"].as_str().expect("a status").to_owned()).or_insert(0) += 1;
            }
            counts
        };
        let words =
            |list: &[(&str, i32)]| list.iter().map(|(word, n)| ((*word).to_owned(), *n)).collect::<BTreeMap<_, _>>();
        assert_eq!(count(&send("phone", &scans).await), words(&[("admitted", 18), ("unknown", 2)]));
        let before: Vec<Value> =
            vec![cinema.get_as(&key, "/api/v1/admissions/conflicts?show=show-1").await.expect(200)];
        assert_eq!(count(&send("phone", &scans).await), words(&[("already-recorded", 20)]), "the second time");
        let after = cinema.get_as(&key, "/api/v1/admissions/conflicts?show=show-1").await.expect(200);
        assert_eq!(before[0], after, "the second sync changes nothing");
        assert_eq!(after["items"], json!([]));
        assert_eq!(after["not_checked"].as_array().map(Vec::len), Some(2));
        assert_eq!(after["not_checked"][0]["status"], "not checked");
        // A second device saw the same tickets: all clashes are listed.
        let others: Vec<String> = names.iter().map(|name| format!("other {name}")).collect();
        let second: Vec<(&str, &str, &str)> = codes
            .iter()
            .zip(&others)
            .map(|(code, name)| (code.as_str(), "2027-06-12T17:41:00Z", name.as_str()))
            .collect();
        assert_eq!(count(&send("tablet", &second).await), words(&[("conflict", 18), ("unknown", 2)]));
        let all = cinema.get_as(&key, "/api/v1/admissions/conflicts?show=show-1").await.expect(200);
        assert_eq!(all["items"].as_array().map(Vec::len), Some(18));
        assert_eq!(all["not_checked"].as_array().map(Vec::len), Some(4));
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_says_what_does_not_fit_before_it_keeps_anything() {
    let cinema = with_halls(Kind::Memory).await;
    let key = cinema.key(Role::Scanner).await;
    let (held, codes) = cinema.sold("show-1", &["F7", "F8"]).await;
    cinema.open_doors().await;
    let at = "2027-06-12T17:40:00Z";
    let good = json!({ "code": codes[0], "at": at, "nonce": "n1" });
    let cases = [
        (json!({ "scans": [good] }), ""),
        (json!({ "device": " ", "scans": [good] }), "/device"),
        (json!({ "device": "d" }), ""),
        (json!({ "device": "d", "scans": [good, { "code": codes[0], "at": "today", "nonce": "n2" }] }), "/scans/1/at"),
        (json!({ "device": "d", "scans": [good, { "code": codes[0], "at": at, "nonce": "" }] }), "/scans/1/nonce"),
        (json!({ "device": "d", "scans": [good, { "code": codes[0], "at": at }] }), "/scans/1"),
        (json!({ "device": "d", "scans": vec![good.clone(); 1_001] }), "/scans"),
        (json!({ "device": "d", "clock_offset_ms": 1, "device_time": at, "scans": [good] }), ""),
        (json!({ "device": "d", "device_time": "now", "scans": [good] }), "/device_time"),
        (json!({ "device": "d", "scans": [[codes[0], at, "n1"]] }), "/scans/0"),
    ];
    for (body, pointer) in cases {
        let problem =
            cinema.post_as(&key, "/api/v1/admissions/batch", body.clone()).await.refused(400, "invalid-request");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem} for {:.80}", body.to_string());
    }
    assert_eq!(cinema.tickets(&held).await[0]["status"], "valid");
    // The server sees how far the device's clock is ahead; a scan at another hall's door lets nobody in.
    let elsewhere = json!({ "code": codes[1], "at": "2027-06-12T18:40:00Z", "nonce": "n2", "screen": "markt-2" });
    let ahead = json!({ "device": "d", "device_time": "2027-06-12T18:45:00Z", "scans": [
        { "code": codes[0], "at": "2027-06-12T18:40:00Z", "nonce": "n1", "screen": "markt-1" }, elsewhere ] });
    let answer = cinema.post_as(&key, "/api/v1/admissions/batch", ahead).await.expect(200);
    assert_eq!(answer["clock_offset_ms"], 3_600_000);
    assert_eq!(answer["items"][0]["admitted_at"], at);
    assert_eq!(
        (&answer["items"][1]["status"], &answer["items"][1]["admitted_at"]),
        (&json!("wrong-show"), &Value::Null)
    );
    assert_eq!(cinema.tickets(&held).await[1]["status"], "valid");
    cinema.cancel(&held).await.refused(409, "not-cancellable");
    cinema.post_as("", "/api/v1/admissions/batch", json!({})).await.refused(401, "unauthorized");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bundle_of_a_sold_out_day_is_small() {
    const SHOWS: usize = 6;
    let rows: Vec<String> = (0..20).map(|row| format!("\"{} {}\"", (b'A' + row) as char, "S".repeat(25))).collect();
    let hall = STANDARD.split("rows = [").next().expect("a head").to_owned();
    let rest = STANDARD.split_once("]\n\n[[screens]]").expect("a rest").1;
    let mut text = format!("{hall}rows = [{}]\n\n[[screens]]{rest}", rows.join(", "));
    text = text.replace("runtime_min = 118", "runtime_min = 60").replace("2027-06-12T20:00", "2027-06-12T08:00");
    for show in 1..SHOWS {
        let starts = format!("2027-06-12T{:02}:00", 8 + 2 * show);
        text += &format!(
            "\n[[shows]]\nid = \"the-programme-of-hall-1/2027-06-12/{show}\"\nmovie = \"night-train\"\nscreen = \"markt-1\"\n\
             starts_at = \"{starts}\"\nprice_list = \"regular\"\nrefund_policy = \"standard\"\n"
        );
    }
    let cinema = Cinema::with(Kind::Memory, &text, T0).await;
    let shows = cinema.get("/api/v1/shows?date=2027-06-12").await.expect(200);
    let shows: Vec<String> = shows["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|s| s["id"].as_str().expect("an id").to_owned())
        .collect();
    assert_eq!(shows.len(), SHOWS);
    let mut void = 0;
    for show in &shows {
        let path = show.replace('/', "%2F");
        let map = cinema.seats(&path).await;
        let labels: Vec<&str> =
            map["seats"].as_array().expect("seats").iter().filter_map(|s| s["label"].as_str()).collect();
        assert_eq!(labels.len(), 500);
        for (n, five) in labels.chunks(5).enumerate() {
            let held = cinema.hold(show, five).await;
            cinema.pay(&held).await;
            // Ten bookings of the hundred are cancelled and sold again.
            if n % 10 == 0 {
                cinema.cancel(&held).await.expect(200);
                void += five.len();
                cinema.pay(&cinema.hold(show, five).await).await;
            }
        }
    }
    assert_eq!(void, 300);
    let key = cinema.key(Role::Scanner).await;
    let bundle = cinema.get_as(&key, "/api/v1/admissions/bundle?screen=markt-1&date=2027-06-12").await;
    assert!(bundle.text.len() < 50_000, "{} bytes", bundle.text.len());
    let body = bundle.expect(200);
    let count = |show: &Value| show["void"]["cancelled"].as_array().map_or(0, Vec::len);
    assert_eq!(body["shows"].as_array().expect("shows").iter().map(count).sum::<usize>(), 300);
    assert_eq!(body["keys"]["1"].as_str().map(str::len), Some(43));
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bundle_has_what_a_door_needs_and_no_more() {
    let cinema = with_halls(Kind::Sqlite).await;
    let (held, _) = cinema.sold("show-1", &["F7", "F8"]).await;
    let path = format!("/api/v1/bookings/{}/tickets/2/reissue", held.id);
    cinema.post_as(&held.token, &path, json!({ "name": "Grace" })).await.expect(200);
    let key = cinema.key(Role::Scanner).await;
    let get = async |query: &str| cinema.get_as(&key, &format!("/api/v1/admissions/bundle{query}")).await;
    get("").await.refused(400, "invalid-request");
    get("?screen=x").await.refused(400, "invalid-request");
    cinema.get("/api/v1/admissions/bundle?screen=markt-1").await.refused(401, "unauthorized");
    assert_eq!(get("?screen=markt-1").await.expect(200)["shows"], json!([]), "nothing today");
    let answer = get("?screen=markt-1&date=2027-06-12").await;
    assert!(!answer.text.contains("Grace") && !answer.text.contains("example.org"), "no names: {}", answer.text);
    let body = answer.expect(200);
    assert_eq!(body["shows"].as_array().map(Vec::len), Some(1));
    let show = &body["shows"][0];
    assert_eq!((&show["id"], &show["void"]), (&json!("show-1"), &json!({})));
    assert_eq!(show["reissued"].as_object().map(|r| r.values().cloned().collect::<Vec<_>>()), Some(vec![json!(2)]));
    assert_eq!(
        show["opens_ms"].as_i64().zip(show["closes_ms"].as_i64()).map(|(o, c)| (c - o) / 60_000),
        Some(30 + 138)
    );
    let bound = cinema.bound_key(Some("markt-2"), None).await;
    assert_eq!(cinema.get_as(&bound, "/api/v1/admissions/bundle").await.expect(200)["screen"], "markt-2");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_show_lets_nobody_in() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let (_, codes) = cinema.sold("show-1", &["F7"]).await;
        cancel_show(&cinema, "show-1").await;
        cinema.open_doors().await;
        let key = cinema.key(Role::Scanner).await;
        let problem = cinema.admit(&key, &codes[0], "n").await;
        let code = problem.expect(409)["code"].clone();
        assert!(code == "show-cancelled" || code == "ticket-void", "{code}");
        cinema.close().await;
    }
}

/// Cancels a show as staff would; its bookings stay as they are.
async fn cancel_show(cinema: &Cinema, show: &str) {
    use boxoffice::store::Store as _;
    let id = boxoffice::id::CatalogueId::new(show).expect("an id");
    let show = cinema.store.show(id).await.expect("a store that answers").expect("a show");
    let mut spec = show.spec.clone();
    spec.cancelled = true;
    let import = boxoffice::catalogue::Import { shows: vec![spec], ..boxoffice::catalogue::Import::default() };
    cinema.store.import(import, false).await.expect("an import");
}
