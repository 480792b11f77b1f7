//! SIGTERM in the middle of selling: what was answered is kept, what was not is whole or not there.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{FIXTURES, Serving, succeeds};

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_under_load_loses_nothing_that_was_answered() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    succeeds(path, &["import", &format!("{FIXTURES}/standard.toml")]);
    let server = Serving::start(path, &["--test-clock", "--listen", "127.0.0.1:0"]);
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let (held, cut) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    let seats: Vec<String> = "ABCDEFGHJK".chars().flat_map(|row| (1..=12).map(move |n| format!("{row}{n}"))).collect();
    // Each caller holds pairs and lets them go, until the server is gone.
    let callers = join_all((0..32).map(|caller| {
        let (server, client, held, cut, seats) = (&server, &client, &held, &cut, &seats);
        async move {
            for turn in 0_usize.. {
                let at = (caller * 7 + turn * 2) % 60 * 2;
                let body = json!({ "show": "show-1", "seats": [seats[at], seats[at + 1]] });
                let sent = client.post(format!("{}/api/v1/bookings", server.url())).json(&body).send().await;
                let Ok(answer) = sent else { break };
                let status = answer.status().as_u16();
                assert!([201, 409, 503].contains(&status), "{status}");
                let Ok(body) = answer.json::<Value>().await else { break };
                if status == 201 {
                    let text = |member: &str| body[member].as_str().expect(member).to_owned();
                    let mut held = held.lock().expect("the list");
                    held.push((text("id"), text("token")));
                    if held.len() == 20 {
                        server.tell_to_stop();
                    }
                }
            }
            cut.fetch_add(1, Ordering::SeqCst);
        }
    }));
    callers.await;
    assert_eq!(cut.load(Ordering::SeqCst), 32, "everybody met the stop");
    assert!(server.stop(), "it ended well");
    succeeds(path, &["audit"]);
    let server = Serving::start(path, &["--test-clock", "--listen", "127.0.0.1:0"]);
    for (id, token) in held.into_inner().expect("the list") {
        let answer = client.get(format!("{}/api/v1/bookings/{id}", server.url())).bearer_auth(token).send().await;
        let booking: Value = answer.expect("an answer").json().await.expect("a booking");
        assert_eq!(booking["seats"].as_array().map(Vec::len), Some(2), "{booking}");
    }
    assert!(server.stop());
}
