//! How the API speaks HTTP: tags and 304, compression, other sites.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::cinema::{BOTH, CHAIN, Cinema, Kind};

#[tokio::test(flavor = "multi_thread")]
async fn what_a_client_has_already_is_not_sent_again() {
    for kind in BOTH {
        let cinema = Cinema::with(kind, CHAIN, "2027-10-14T12:00:00Z").await;
        for path in ["/api/v1/cities", "/api/v1/theatres", "/api/v1/movies?q=a", "/api/v1/shows?limit=3"] {
            let first = cinema.get(path).await;
            let tag = first.header("etag").to_owned();
            assert!(first.status == StatusCode::OK && tag.starts_with("W/\"") && tag.len() > 20, "{path}: {tag:?}");
            for known in [tag.as_str(), tag.trim_start_matches("W/"), "*", &format!("\"x\", {tag}")] {
                let again = cinema.send(Method::GET, path, &[("if-none-match", known)], None).await;
                assert_eq!((again.status, again.text.as_str()), (StatusCode::NOT_MODIFIED, ""), "{path} {known}");
                assert_eq!(again.header("etag"), tag);
                assert!(!again.header("request-id").is_empty());
            }
            let other = cinema.send(Method::GET, path, &[("if-none-match", "W/\"other\"")], None).await;
            assert_eq!((other.status, &other.text), (StatusCode::OK, &first.text));
        }
        let shows = cinema.get("/api/v1/shows?limit=3").await;
        let show = shows.json()["items"][0]["id"].as_str().expect("an id").to_owned();
        let seat = cinema.seats(&show).await["seats"][0]["label"].as_str().expect("a label").to_owned();
        let held = cinema.hold(&show, &[&seat]).await;
        assert_ne!(cinema.get("/api/v1/shows?limit=3").await.header("etag"), shows.header("etag"), "fewer seats left");
        // What is private has no tag, and neither has a problem.
        let booking = cinema.get_as(&held.token, &format!("/api/v1/bookings/{}", held.id)).await;
        assert!(booking.header("etag").is_empty() && booking.header("cache-control") == "no-store");
        assert!(cinema.get("/api/v1/movies/none").await.header("etag").is_empty());
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn long_answers_go_out_compressed_and_private_ones_do_not() {
    let cinema = Cinema::with(Kind::Memory, CHAIN, "2027-10-14T12:00:00Z").await;
    let held = {
        let show = cinema.get("/api/v1/shows?limit=1").await.json()["items"][0]["id"].as_str().expect("id").to_owned();
        cinema.hold(&show, &["A1", "A2"]).await
    };
    let booking = format!("/api/v1/bookings/{}", held.id);
    let cookie = format!("bo_bookings={}", held.token);
    let page = format!("/bookings/{}", held.id);
    let cases = [
        ("/api/v1/shows", "gzip", "gzip"),
        ("/api/v1/shows", "br, gzip", "br"),
        ("/api/v1/shows", "identity", ""),
        ("/api/v1/shows", "", ""),
        ("/", "gzip", "gzip"),
        ("/api/v1/cities", "gzip", ""),
        (booking.as_str(), "gzip", ""),
        (page.as_str(), "gzip", ""),
    ];
    for (path, takes, gets) in cases {
        let bearer = format!("Bearer {}", held.token);
        let headers = [("accept-encoding", takes), ("authorization", &bearer), ("cookie", &cookie)];
        let answer = cinema.send(Method::GET, path, &headers, None).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert_eq!(answer.header("content-encoding"), gets, "{path} for {takes:?}");
        if !gets.is_empty() {
            assert!(answer.header("vary").to_ascii_lowercase().contains("accept-encoding"), "{path}");
        }
    }
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scripts_of_other_sites_use_the_api_only_if_the_configuration_says_so() {
    let site = "https://www.example.org";
    let preflight = [
        ("origin", site),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "authorization,content-type,idempotency-key"),
    ];
    let closed = Cinema::standard(Kind::Memory).await;
    let answer = closed.send(Method::OPTIONS, "/api/v1/bookings", &preflight, None).await;
    assert!(answer.header("access-control-allow-origin").is_empty(), "{:?}", answer.headers);
    closed.close().await;

    let open = Cinema::with_settings(Kind::Memory, |settings| settings.cors = vec![site.parse().expect("an origin")]);
    let open = open.await;
    let answer = open.send(Method::OPTIONS, "/api/v1/bookings", &preflight, None).await;
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (StatusCode::OK, site));
    assert!(answer.header("access-control-allow-headers").contains("idempotency-key"));
    assert!(answer.header("access-control-allow-credentials").is_empty());
    let hold = json!({ "show": "show-1", "seats": ["F7"] }).to_string();
    let answer = open.send(Method::POST, "/api/v1/bookings", &[("origin", site)], Some(&hold)).await;
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (StatusCode::CREATED, site));
    assert!(answer.header("access-control-expose-headers").contains("request-id"));
    let foreign = [("origin", "https://evil.example")];
    let answer = open.send(Method::GET, "/api/v1/cities", &foreign, None).await;
    assert!(answer.header("access-control-allow-origin").is_empty());
    let page = open.send(Method::GET, "/", &[("origin", site)], None).await;
    assert!(page.header("access-control-allow-origin").is_empty(), "pages are not the API");
    open.close().await;
}
