//! No input gives an error of ours, a panic or half a hold: every route with bad bodies, ids,
//! queries, headers and methods.

use boxoffice_server::auth::Role;
use reqwest::Method;
use serde_json::Value;

use crate::cinema::{Answer, BOTH, Cinema};

const BODIES: [&str; 34] = [
    "",
    "{",
    "null",
    "[]",
    "0",
    "\"\"",
    "{}",
    "{}{}",
    "nope",
    "\u{0}",
    "{\"show\":1}",
    "{\"show\":null}",
    "{\"show\":\"show-1\"}",
    "{\"show\":\"show-1\",\"seats\":null}",
    "{\"show\":\"show-1\",\"seats\":\"A1\"}",
    "{\"show\":\"show-1\",\"seats\":[1]}",
    "{\"show\":\"show-1\",\"seats\":[[]]}",
    "{\"show\":\"show-1\",\"seats\":[\"A1\",{}]}",
    "{\"show\":\"show-1\",\"seats\":[{\"id\":\"A1\",\"x\":1}]}",
    "{\"show\":\"show-1\",\"seats\":[\"A1\",\"ZZ99\"]}",
    "{\"show\":\"show-1\",\"seats\":[\"A1\",\"A1\"]}",
    "{\"show\":\"show-1\",\"seats\":[]}",
    "{\"show\":\"show-1\",\"seats\":[\"A1\"],\"best\":{\"count\":1}}",
    "{\"show\":\"show-1\",\"best\":{\"count\":0}}",
    "{\"show\":\"show-1\",\"best\":{\"count\":-1}}",
    "{\"show\":\"show-1\",\"best\":{\"count\":65536}}",
    "{\"show\":\"show-1\",\"best\":{\"count\":2,\"category\":\"?\"}}",
    "{\"show\":\"show-1\",\"seats\":[\"A1\"],\"layout_version\":99}",
    "{\"show\":\"show-1\",\"seats\":[\"A1\"],\"customer\":{\"email\":\"no\"}}",
    "{\"show\":\"show-1\",\"seats\":[\"A1\"],\"customer\":{\"name\":\"a\\nb\"}}",
    "{\"show\":\"show-1\",\"seats\":[\"A1\"],\"customer\":{\"phone\":\"123456789012345678901\"}}",
    "{\"show\":\"show-1\",\"seats\":[\"A1\"],\"metadata\":{\"a\":1}}",
    "{\"show\":\"show-1\",\"seats\":[{\"id\":\"A1\",\"ticket_type\":\"child\"}]}",
    "{\"gateway\":\"nobody\",\"reason\":1,\"return_url\":\"javascript:alert(1)\"}",
];

const IDS: [&str; 12] = [
    "x",
    "%00",
    "%FF",
    "%2F",
    "..%2f..",
    "a%20b",
    "-1",
    "0",
    "show-1%00",
    "%F0%9F%8E%9F",
    "00000000000000000000000000",
    "'%20OR%201=1",
];

const QUERIES: [&str; 10] = [
    "limit=99999999999999999999",
    "limit=",
    "cursor=",
    "cursor=%00",
    "date=%FF",
    "from=9999-99-99T99:99:99Z",
    "q=%00",
    "q=%FF%FE",
    "=",
    "&&&=%",
];

const HEADERS: [(&str, &str); 9] = [
    ("authorization", ""),
    ("authorization", "Bearer"),
    ("authorization", "Bearer  "),
    ("authorization", "Basic QTpC"),
    ("authorization", "Bearer .."),
    ("authorization", "Bearer bo_live__"),
    ("idempotency-key", " "),
    ("cookie", "bo_session=;;=\""),
    ("if-none-match", "W/,\",*\""),
];

/// Every route of the API, the pages and test mode; `{}` stands for an id.
const ROUTES: [(&str, &str); 51] = [
    ("GET", "/api/v1/cities"),
    ("GET", "/api/v1/theatres"),
    ("GET", "/api/v1/theatres/{}"),
    ("GET", "/api/v1/movies"),
    ("GET", "/api/v1/movies/{}"),
    ("GET", "/api/v1/shows"),
    ("GET", "/api/v1/shows/{}"),
    ("GET", "/api/v1/shows/{}/seats"),
    ("POST", "/api/v1/bookings"),
    ("GET", "/api/v1/bookings/{}"),
    ("PATCH", "/api/v1/bookings/{}"),
    ("POST", "/api/v1/bookings/{}/cancel"),
    ("POST", "/api/v1/bookings/{}/payments"),
    ("GET", "/api/v1/bookings/{}/tickets"),
    ("POST", "/api/v1/bookings/{}/exchange"),
    ("GET", "/bookings/{}/exchange"),
    ("POST", "/bookings/{}/exchange"),
    ("GET", "/bookings/{}/exchange/seats"),
    ("GET", "/bookings/{}/exchange/terms"),
    ("POST", "/api/v1/webhooks/{}"),
    ("POST", "/api/v1/admin/catalogue"),
    ("DELETE", "/api/v1/admin/catalogue/shows/{}"),
    ("POST", "/api/v1/admissions"),
    ("POST", "/api/v1/admissions/batch"),
    ("GET", "/api/v1/admissions/conflicts"),
    ("GET", "/api/v1/admissions/bundle"),
    ("POST", "/api/v1/bookings/{}/tickets/1/reissue"),
    ("POST", "/api/v1/admin/erasures"),
    ("GET", "/api/v1/admin/sales"),
    ("POST", "/api/v1/admin/sales/reopen"),
    ("GET", "/api/v1/admin/shows/{}/door-list.pdf"),
    ("GET", "/api/v1/admin/actions"),
    ("GET", "/problems/{}"),
    ("POST", "/test/clock"),
    ("GET", "/test/sandbox/payments"),
    ("POST", "/test/sandbox/events/{}/redeliver"),
    ("GET", "/"),
    ("GET", "/cities/{}"),
    ("GET", "/movies/{}"),
    ("GET", "/shows/{}"),
    ("POST", "/shows/{}"),
    ("GET", "/bookings/{}"),
    ("GET", "/bookings/{}/tickets"),
    ("GET", "/bookings/{}/cancel"),
    ("POST", "/bookings/{}/cancel"),
    ("POST", "/bookings/{}/again"),
    ("GET", "/b/{}"),
    ("GET", "/return/{}"),
    ("GET", "/sandbox/pay/{}"),
    ("POST", "/sandbox/pay/{}"),
    ("GET", "/nothing/{}"),
];

fn check(answer: &Answer, what: &str) {
    let status = answer.status.as_u16();
    assert!(status < 500, "{what}: {status} {}", answer.text);
    let plain = answer.header("content-type").starts_with("text/plain") && status >= 400;
    assert!(!plain, "{what}: an answer in the framework's own words: {}", answer.text);
    if status >= 400 && what.contains(" /api/") {
        let problem: Value =
            serde_json::from_str(&answer.text).unwrap_or_else(|e| panic!("{what}: {e}: {}", answer.text));
        for member in ["type", "code", "title", "detail", "request_id"] {
            assert!(problem[member].as_str().is_some_and(|text| !text.is_empty()), "{what}: no {member} in {problem}");
        }
        assert_eq!(problem["status"], status, "{what}");
        for word in ["struct", "u16", "u32", "f64", "sequence", "elements", "digit found", "six digit"] {
            let said = format!("{} {}", problem["detail"], problem["errors"]);
            assert!(!said.contains(word), "{what} speaks of {word:?}: {said}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_input_gives_an_error_of_ours_or_half_a_hold() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let key = cinema.key(Role::Admin).await;
        let bearer = format!("Bearer {key}");
        let held = cinema.hold("show-1", &["K1"]).await;
        let large = format!("{{\"show\":\"{}\"}}", "x".repeat(70_000));
        for (method, route) in ROUTES {
            let method: Method = method.parse().expect("a method");
            let ids: Vec<&str> = if route.contains("{}") {
                [IDS.as_slice(), &[&held.id, "show-1", "sandbox"]].concat()
            } else {
                vec![""]
            };
            for id in ids {
                let path = route.replace("{}", id);
                let what = format!("{method} {path}");
                for header in [("accept", "*/*"), ("authorization", bearer.as_str())].into_iter().chain(HEADERS) {
                    check(&cinema.send(method.clone(), &path, &[header], None).await, &format!("{what} {header:?}"));
                }
                for query in QUERIES {
                    check(
                        &cinema.send(method.clone(), &format!("{path}?{query}"), &[], None).await,
                        &format!("{what}?{query}"),
                    );
                }
            }
            if method == Method::GET {
                continue;
            }
            let path = route.replace("{}", &held.id);
            for body in BODIES.into_iter().chain([large.as_str()]) {
                // The clock is another test's; here it must stand still.
                let proof = [(
                    "authorization",
                    if path.contains("admin") { bearer.clone() } else { format!("Bearer {}", held.token) },
                )];
                let proof = [(proof[0].0, proof[0].1.as_str())];
                let answer = cinema.send(method.clone(), &path, &proof, Some(body)).await;
                check(&answer, &format!("{method} {path} {:.60}", body));
            }
        }
        assert!(cinema.seats_left("show-1").await >= 119, "no seat is held by halves");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_no_object_and_no_name_stands_twice() {
    let cinema = Cinema::standard(BOTH[0]).await;
    let held = cinema.hold("show-1", &["K1"]).await;
    let own = |tail: &str| format!("/api/v1/bookings/{}{tail}", held.id);
    let bookings = [
        r#"["show-1",["A1"],null,null,null,{}]"#,
        r#"[]"#,
        r#"{"show":["show-1"],"seats":["A1"]}"#,
        r#"{"show":"show-1","seats":[["A1",null]]}"#,
        r#"{"show":"show-1","seats":["A1",["A2","adult"]]}"#,
        r#"{"show":"show-1","seats":[{"id":["A1"]}]}"#,
        r#"{"show":"show-1","best":[2,null]}"#,
        r#"{"show":"show-1","seats":["A1"],"customer":["a","a@example.org",null,null]}"#,
        r#"{"show":"show-1","seats":["A1"],"metadata":[]}"#,
        r#"{"show":"show-1","seats":["A1"],"metadata":{"seats":["A1"]}}"#,
        r#"{"show":"show-1","seats":["A1"],"metadata":{"a":"1","a":"2"}}"#,
        r#"{"show":"show-1","seats":["A1"],"metadata":{"a":"1","\u0061":"2"}}"#,
        r#"{"show":"show-1","seats":["A1"],"seats":["A2"]}"#,
    ];
    let changes = [r#"[["A1"],null,null,null]"#, r#"{"best":[1,null]}"#, r#"{"seats":[["A1",null]]}"#];
    let others = [
        (Method::POST, own("/cancel"), r#"["why"]"#),
        (Method::POST, own("/payments"), r#"[null,null]"#),
        (Method::POST, "/test/clock".to_owned(), r#"[null,1.0,true]"#),
        (Method::POST, "/test/clock".to_owned(), r#"{"advance_s":1,"advance_s":2}"#),
        (Method::POST, "/test/sandbox/faults".to_owned(), r#"[1,1]"#),
    ];
    let bookings = bookings.map(|body| (Method::POST, "/api/v1/bookings".to_owned(), body));
    let changes = changes.map(|body| (Method::PATCH, own(""), body));
    let bearer = format!("Bearer {}", held.token);
    for (method, path, body) in bookings.into_iter().chain(changes).chain(others) {
        let answer = cinema.send(method, &path, &[("authorization", &bearer)], Some(body)).await;
        let problem = answer.refused(400, "invalid-request");
        check(&answer, &format!("POST {path} {body}"));
        assert!(problem["errors"][0]["pointer"].is_string(), "{problem}");
    }
    assert_eq!(cinema.seats_left("show-1").await, 119, "nothing more was held");
    assert_eq!(cinema.get("/test/clock").await.expect(200)["now"], crate::cinema::T0);
    assert_eq!(cinema.booking(&held).await["status"], "pending_payment");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_methods_and_large_bodies_say_so() {
    let cinema = Cinema::standard(BOTH[0]).await;
    for (method, path) in [("DELETE", "/api/v1/bookings"), ("PUT", "/api/v1/shows/show-1"), ("POST", "/api/v1/shows")] {
        let answer = cinema.send(method.parse().expect("a method"), path, &[], None).await;
        answer.refused(405, "method-not-allowed");
        assert_ne!(answer.header("allow"), "", "{path}");
    }
    let large = " ".repeat(65 * 1024);
    let sent = cinema.send(Method::POST, "/api/v1/bookings", &[], Some(&large)).await;
    sent.refused(413, "payload-too-large");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_leads_nowhere_says_so_however_it_is_escaped() {
    let cinema = Cinema::standard(BOTH[0]).await;
    for path in ["/api/v1/none", "/api/v1/%FF", "/api/none", "/test/none"] {
        let problem = cinema.get(path).await.refused(404, "not-found");
        assert_eq!(problem["detail"], "There is nothing at this address.", "{path}");
    }
    for (method, route) in ROUTES.iter().filter(|(_, route)| route.contains("{}")) {
        for id in ["%FF", "%C3%28", "%zz", "%"] {
            let path = route.replace("{}", id);
            let answer = cinema.send(method.parse().expect("a method"), &path, &[], None).await;
            // An id that is text, if odd, may be looked at after the key or the body.
            let is_text = matches!(id, "%zz" | "%");
            let other = is_text && (route.contains("/admin/") || route.ends_with("/exchange"));
            let wanted = if other { [400, 401, 404] } else { [404; 3] };
            assert!(wanted.contains(&answer.status.as_u16()), "{method} {path}: {}", answer.text);
        }
    }
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_show_whose_id_has_slashes_is_found_either_way() {
    let programme = crate::cinema::STANDARD.replace("id = \"show-1\"", "id = \"p/2027-06-12/20:00\"");
    let cinema = Cinema::with(BOTH[0], &programme, crate::cinema::T0).await;
    for id in ["p/2027-06-12/20:00", "p%2F2027-06-12%2F20:00", "p%2F2027-06-12%2F20%3A00"] {
        assert_eq!(cinema.get(&format!("/api/v1/shows/{id}")).await.expect(200)["id"], "p/2027-06-12/20:00", "{id}");
        assert_eq!(cinema.seats(id).await["seats"].as_array().map(Vec::len), Some(120), "{id}");
    }
    cinema.close().await;
}
