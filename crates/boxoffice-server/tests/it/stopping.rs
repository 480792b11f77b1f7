//! SIGTERM in the middle of selling: what was answered is kept, what was not is whole or not there.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::cinema::until;
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

/// Whoever asks anew finds nobody; a request that had begun is told why no other should follow.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_is_not_ready_and_says_so() {
    let folder = TempDir::new().expect("a folder");
    let server = Serving::start(folder.path(), &["--test-clock", "--listen", "127.0.0.1:0"]);
    let begin = async |path: &str| {
        let mut connection = TcpStream::connect(&server.address).await.expect("a connection");
        connection.write_all(format!("GET {path} HTTP/1.1\r\n").as_bytes()).await.expect("the first line");
        connection
    };
    let rest = async |mut connection: TcpStream| {
        connection.write_all(b"host: cinema\r\n\r\n").await.expect("the rest");
        let mut answer = String::new();
        connection.read_to_string(&mut answer).await.expect("an answer and the end of the connection");
        answer
    };
    let (ready, shows) = (begin("/readyz").await, begin("/api/v1/shows").await);
    // Connections are accepted in turn: when a later one is answered, those before are there.
    let client = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().expect("a client");
    let answer = client.get(format!("{}/readyz", server.url())).send().await.expect("an answer");
    assert_eq!(answer.text().await.expect("a text"), "ready\n");
    server.tell_to_stop();
    until(async || TcpStream::connect(&server.address).await.is_err()).await;
    let ready = rest(ready).await;
    assert!(ready.starts_with("HTTP/1.1 503 ") && ready.ends_with("not ready: stopping\n"), "{ready}");
    let shows = rest(shows).await;
    assert!(shows.starts_with("HTTP/1.1 200 ") && shows.contains("connection: close"), "{shows}");
    assert!(server.stop(), "it ended well");
}
