//! Clients that keep a connection and send nothing, or too little: each is closed in time, so
//! that they cannot take the server from everybody else.

use std::time::Duration;

use boxoffice_server::app::Patience;
use boxoffice_server::auth::Role;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::cinema::{BOTH, Cinema, STANDARD, T0};

const SHORT: Duration = Duration::from_millis(200);
/// Longer than a test waits: what closes a connection is not this.
const LONG: Duration = Duration::from_secs(600);

async fn cinema(patience: Patience) -> Cinema {
    Cinema::with_patience(BOTH[0], STANDARD, T0, patience).await
}

/// Sends this and no more, and answers what came until the server closed the connection.
async fn until_closed(cinema: &Cinema, sent: &str) -> String {
    let address = cinema.url.strip_prefix("http://").expect("an address");
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(sent.as_bytes()).await.expect("it takes this much");
    let mut came = Vec::new();
    let closed = tokio::time::timeout(Duration::from_secs(15), stream.read_to_end(&mut came)).await;
    assert!(closed.is_ok(), "{sent:?} keeps its connection");
    String::from_utf8(came).expect("a text")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_sends_no_whole_header_is_closed() {
    let cinema = cinema(Patience { header: SHORT, body: LONG, ..Patience::default() }).await;
    for sent in ["", "P", "PRI * HTTP/2.0\r\n", "GET /healthz HTTP/1.1\r\nhost: h\r\n"] {
        let came = until_closed(&cinema, sent).await;
        assert!(!came.contains(" 200 "), "{sent:?}: {came}");
    }
    let kept = until_closed(&cinema, "GET /healthz HTTP/1.1\r\nhost: h\r\n\r\n").await;
    assert!(kept.starts_with("HTTP/1.1 200 "), "a kept connection is closed after its answer: {kept}");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_does_not_come_whole_in_time_is_refused_on_every_route() {
    let cinema = cinema(Patience { header: LONG, body: SHORT, large_body: SHORT, ..Patience::default() }).await;
    let key = cinema.key(Role::Admin).await;
    let held = cinema.hold("show-1", &["A1"]).await;
    let checkout = cinema.checkout(&held).await;
    let page = checkout.strip_prefix(&cinema.url).expect("a page of this server");
    let booking = |tail: &str| format!("/bookings/{}/{tail}", held.id);
    let routes = [
        "/api/v1/bookings".to_owned(),
        format!("/api/v1/bookings/{}/cancel", held.id),
        "/api/v1/webhooks/sandbox".to_owned(),
        "/api/v1/admin/catalogue".to_owned(),
        "/test/clock".to_owned(),
        "/shows/show-1".to_owned(),
        booking("pay"),
        booking("again"),
        booking("cancel"),
        page.to_owned(),
    ];
    for route in routes {
        let head = format!("POST {route} HTTP/1.1\r\nhost: h\r\nauthorization: Bearer {key}\r\ncontent-length: 9\r\n");
        let came = until_closed(&cinema, &format!("{head}\r\n{{")).await;
        assert!(came.starts_with("HTTP/1.1 400 ") && came.contains("did not arrive whole"), "{route}: {came}");
    }
    cinema.close().await;
}
