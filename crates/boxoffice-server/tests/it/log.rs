//! The log of all tests in this binary, kept to be searched: nothing of a person or a key is in it.

use std::io::Write;
use std::sync::{Arc, LazyLock, Mutex};

use boxoffice_server::auth::Role;
use boxoffice_server::logging::{self, Format};
use serde_json::json;

use crate::cinema::{BOTH, Cinema, STANDARD, until};
use crate::smtp::{Faults, Sink};

static LOG: LazyLock<Arc<Mutex<Vec<u8>>>> = LazyLock::new(Arc::default);

#[derive(Debug, Clone)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic while writing").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Sends the log of this process here, as talkative as an operator can ever set it.
pub fn capture() {
    let kept = Kept(LOG.clone());
    let filter = "trace,tower_http::csrf=trace,hyper=trace,reqwest=trace";
    let subscriber = logging::subscriber(Format::Json, filter, move || kept.clone()).expect("a filter");
    tracing::subscriber::set_global_default(subscriber).expect("the first");
}

/// The lines of the log so far that hold this text.
pub fn lines(text: &str) -> Vec<String> {
    let log = LOG.lock().expect("no panic while writing");
    String::from_utf8_lossy(&log).lines().filter(|line| line.contains(text)).map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn names_addresses_tokens_and_keys_are_not_logged() {
    for kind in BOTH {
        let sink = Sink::start().await;
        let refusal = "550 <planted.mail@example.org> Planted Name is unknown";
        sink.fails(Faults { attachments: Some(refusal), ..Faults::default() });
        let cinema = Cinema::mailing(kind, STANDARD, &sink.url()).await;
        let customer =
            json!({ "name": "Planted Name", "email": "planted.mail@example.org", "phone": "+49 555 000 777" });
        let hold = json!({ "show": "show-1", "seats": ["A1"], "customer": customer });
        let booking = cinema.post("/api/v1/bookings", hold.clone()).await.expect(201);
        let text = |member: &str| booking[member].as_str().expect(member).to_owned();
        let held = crate::cinema::Held { id: text("id"), token: text("token"), body: booking.clone() };
        let key = cinema.key(Role::Admin).await;
        cinema.get_as(&key, &format!("/api/v1/bookings/{}", held.id)).await.expect(200);
        cinema.pay(&held).await;
        until(async || !sink.letters().is_empty()).await;
        cinema.get("/api/v1/shows?q=planted-query").await.expect(200);
        let opened = cinema.get(&format!("/b/{}", held.token)).await;
        assert!(opened.status.is_redirection(), "{}", opened.text);
        cinema.get("/return/plantedcode").await;
        cinema.post("/api/v1/bookings", hold).await.refused(409, "seats-unavailable");
        cinema.break_store(true);
        cinema.cancel(&held).await.refused(503, "busy");
        cinema.break_store(false);
        cinema.close().await;

        let log = String::from_utf8(LOG.lock().expect("no panic while writing").clone()).expect("a text");
        assert!(log.contains("\"answered\""), "the log is captured at all");
        let mac = held.token.split_once('.').expect("a token").1;
        let planted = [
            "Planted Name",
            "planted.mail",
            "555 000 777",
            "planted-query",
            "plantedcode",
            mac,
            &key,
            key.rsplit('_').next().expect("a secret"),
        ];
        for secret in planted {
            assert!(!log.contains(secret), "{secret:?} stands in the log");
        }
    }
}
