//! Every example of the document is sent, and is taken.

use boxoffice_server::auth::Role;
use boxoffice_server::http::openapi::DOCUMENT;
use reqwest::Method;
use serde_json::{Value, json};

use crate::cinema::{BOTH, Cinema, Held, until};

/// Whom an example is sent by, and about which booking and ticket.
struct Sender {
    proof: Option<String>,
    id: String,
    body: Value,
}

#[tokio::test(flavor = "multi_thread")]
async fn every_example_is_taken_as_it_stands() {
    let mut sent = 0;
    for (path, item) in DOCUMENT.json["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let name = operation["operationId"].as_str().expect("an operation id");
            for (title, body) in examples(operation) {
                let cinema = Cinema::standard(BOTH[0]).await;
                let sender = ready(&cinema, name, body).await;
                let path = path.replace("{id}", &sender.id).replace("{ticket}", "1");
                let bearer = sender.proof.map(|proof| format!("Bearer {proof}"));
                let headers: Vec<(&str, &str)> =
                    bearer.iter().map(|bearer| ("authorization", bearer.as_str())).collect();
                let text = sender.body.as_str().map_or_else(|| sender.body.to_string(), str::to_owned);
                let method: Method = method.to_uppercase().parse().expect("a method");
                let answer = cinema.send(method, &path, &headers, Some(&text)).await;
                assert!(answer.status.is_success(), "{name}, {title}: {} {}", answer.status, answer.text);
                cinema.close().await;
                sent += 1;
            }
        }
    }
    assert!(sent > 20, "{sent} examples");
}

fn examples(operation: &Value) -> Vec<(String, Value)> {
    let content = operation["requestBody"]["content"].as_object().and_then(|content| content.values().next());
    let examples = content.and_then(|content| content["examples"].as_object());
    examples.into_iter().flatten().map(|(title, example)| (title.clone(), example["value"].clone())).collect()
}

/// Makes what an operation needs: a booking that is held or paid, a key, the hour at which doors are open.
async fn ready(cinema: &Cinema, operation: &str, mut body: Value) -> Sender {
    let key = cinema.key(Role::Admin).await;
    let of = |held: Held, body| Sender { proof: Some(held.token), id: held.id, body };
    match operation {
        "make_booking" => Sender { proof: None, id: String::new(), body },
        "change_booking" | "start_payment" => of(cinema.hold("show-1", &["A1", "A2"]).await, body),
        "cancel_booking" | "exchange_tickets" | "reissue_ticket" => of(paid(cinema).await, body),
        "refund_booking" => Sender { proof: Some(key), id: paid(cinema).await.id, body },
        "resend_notice" => {
            let id = format!("{}-1", paid(cinema).await.id);
            let notices = async || cinema.get_as(&key, "/api/v1/admin/notices").await.expect(200);
            until(async || notices().await["items"][0]["id"] == *id).await;
            Sender { proof: Some(key), id, body }
        }
        "admit" => {
            let tickets = cinema.tickets(&paid(cinema).await).await;
            cinema.set_clock(json!({ "set": "2027-06-12T17:45:00Z", "freeze": true })).await.expect(200);
            body["code"] = tickets[0]["code"].clone();
            Sender { proof: Some(key), id: String::new(), body }
        }
        "import_catalogue" | "take_in_scans" | "erase_customer" | "reopen_sales" => {
            Sender { proof: Some(key), id: String::new(), body }
        }
        "cancel_show" | "block_seats" | "unblock_seats" => Sender { proof: Some(key), id: "show-1".into(), body },
        other => panic!("say here what {other} needs"),
    }
}

async fn paid(cinema: &Cinema) -> Held {
    let held = cinema.hold("show-1", &["A1", "A2"]).await;
    cinema.pay(&held).await;
    held
}
