//! A backup of a server that sells, and the drill of restoring it: the program from outside.

use std::sync::Mutex;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{FIXTURES, Serving, fails, succeeds};

const SERVE: [&str; 3] = ["--test-clock", "--listen", "127.0.0.1:0"];

async fn try_hold(client: &reqwest::Client, url: &str, seat: &str) -> reqwest::Response {
    let body = json!({ "show": "show-1", "seats": [seat], "customer": { "email": "a@example.org" } });
    client.post(format!("{url}/api/v1/bookings")).json(&body).send().await.expect("an answer")
}

/// Holds the seat and starts to pay; the booking's id and token.
async fn hold_and_start(client: &reqwest::Client, url: &str, seat: &str) -> (String, String) {
    let held = try_hold(client, url, seat).await;
    assert_eq!(held.status(), 201, "{seat}");
    let held: Value = held.json().await.expect("a booking");
    let text = |member: &str| held[member].as_str().expect(member).to_owned();
    let (id, token) = (text("id"), text("token"));
    let pay = client.post(format!("{url}/api/v1/bookings/{id}/payments")).bearer_auth(&token).json(&json!({}));
    assert_eq!(pay.send().await.expect("an answer").status(), 201);
    (id, token)
}

/// The hall sells out to 64 callers while two backups are made beside the server.
#[tokio::test(flavor = "multi_thread")]
async fn a_backup_beside_a_server_under_load_is_restored_elsewhere() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    succeeds(path, &["import", &format!("{FIXTURES}/standard.toml")]);
    let server = Serving::start(path, &SERVE);
    let (url, client) = (server.url(), reqwest::Client::builder().no_proxy().build().expect("a client"));
    let seats: Vec<String> = "ABCDEFGHJK".chars().flat_map(|row| (1..=12).map(move |n| format!("{row}{n}"))).collect();
    let answered = Mutex::new(Vec::new());
    let callers = join_all((0..64).map(|caller| {
        let (seats, url, client, answered) = (&seats, &url, &client, &answered);
        async move {
            for seat in seats.iter().skip(caller).step_by(64) {
                let (id, token) = hold_and_start(client, url, seat).await;
                answered.lock().expect("the list").push((id, token));
            }
        }
    }));
    let backups = tokio::task::spawn_blocking({
        let path = path.to_owned();
        move || ["first", "second"].map(|name| succeeds(&path, &["backup", name, "--json"]))
    });
    let (_, backups) = tokio::join!(callers, backups);
    let backups = backups.expect("two backups").map(|said| serde_json::from_str::<Value>(&said).expect("JSON"));
    assert!(backups.iter().all(|made| made["shows"] == 1 && made["bytes"].as_u64() > Some(0)), "{backups:?}");
    succeeds(path, &["backup", "last"]);
    assert!(fails(path, &["backup", "last"]).contains("is not overwritten"));
    assert!(fails(path, &["restore", "last"]).contains("stop it first"), "a server serves");
    let confirmed = answered.into_inner().expect("the list");
    assert_eq!(confirmed.len(), 120);
    for name in ["first", "second", "last"] {
        let store = format!("sqlite:{name}.db");
        let restore = ["restore", name, "--store", &store];
        assert!(succeeds(path, &restore).contains("reopen-sales"));
        succeeds(path, &["audit", "--store", &store]);
        assert!(fails(path, &restore).contains("is not overwritten"));
    }
    assert!(server.stop());
    let restored = Serving::start(path, &[&SERVE[..], &["--store", "sqlite:last.db"]].concat());
    for (id, token) in &confirmed {
        let booking = client.get(format!("{}/api/v1/bookings/{id}", restored.url())).bearer_auth(token).send().await;
        assert_eq!(booking.expect("an answer").status(), 200, "what was answered before the backup is in it");
    }
    assert!(restored.stop());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_restore_drill() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    succeeds(path, &["import", &format!("{FIXTURES}/standard.toml")]);
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let server = Serving::start(path, &SERVE);
    hold_and_start(&client, &server.url(), "F7").await;
    assert!(server.stop());
    succeeds(path, &["backup", "backup"]);
    std::fs::rename(path.join("boxoffice.db"), path.join("lost.db")).expect("the store is lost");
    succeeds(path, &["restore", "backup"]);
    // No server has asked yet.
    let refused = fails(path, &["staff", "reopen-sales"]);
    assert!(refused.contains("a payment that was open") && refused.contains("--force"), "{refused}");
    let added = succeeds(path, &["staff", "add", "--name", "Ada", "--role", "manager", "--json"]);
    let added: Value = serde_json::from_str(&added).expect("JSON");
    let key = added["key"].as_str().expect("a key");
    let server = Serving::start(path, &SERVE);
    let sales = format!("{}/api/v1/admin/sales", server.url());
    let stand = async || -> Value {
        client.get(&sales).bearer_auth(key).send().await.expect("an answer").json().await.expect("how sales stand")
    };
    assert_eq!(stand().await["status"], "closed");
    let refused = try_hold(&client, &server.url(), "A1").await;
    assert_eq!(refused.status(), 409);
    let refused: Value = refused.json().await.expect("a problem");
    assert_eq!(refused["code"], "sales-closed");
    assert!(refused["detail"].as_str().expect("words").contains("restored from a backup"), "{refused}");
    let show = client.get(format!("{}/api/v1/shows/show-1", server.url())).send().await.expect("an answer");
    assert_eq!(show.json::<Value>().await.expect("a show")["status"], "closed");
    // The jobs ask the sandbox about the payment that was open; until then nobody opens sales without force.
    let reopen = async || {
        let ask = client.post(format!("{sales}/reopen")).bearer_auth(key).json(&serde_json::json!({}));
        let answer = ask.send().await.expect("an answer");
        let (status, said) = (answer.status().as_u16(), answer.json::<Value>().await.expect("JSON"));
        assert!(status == 200 || (status == 409 && said["code"] == "sales-closed"), "{status} {said}");
        status == 200
    };
    crate::cinema::until(reopen).await;
    let open = stand().await;
    assert_eq!(
        (&open["status"], &open["closed_since"], &open["unanswered"]),
        (&"open".into(), &Value::Null, &0.into())
    );
    assert!(reopen().await, "sales that are open stay so");
    let log = client.get(format!("{}/api/v1/admin/actions", server.url())).bearer_auth(key).send().await;
    let log: Value = log.expect("an answer").json().await.expect("a log");
    let deeds = log["items"].as_array().expect("items").iter().filter(|deed| deed["what"] == "reopen_sales");
    assert_eq!(deeds.count(), 1, "{log}");
    assert_eq!(try_hold(&client, &server.url(), "A1").await.status(), 201, "the running server sells again");
    assert!(succeeds(path, &["staff", "reopen-sales"]).contains("Sales are open"));
    assert!(server.stop());
}
