//! Keys of the staff over HTTP: where they work, until when, when they were last used, and what
//! becomes of whoever guesses.

use std::num::NonZeroU32;

use boxoffice::time::Timestamp;
use boxoffice_server::auth::{NewKey, Role, uses};
use serde_json::{Value, json};

use crate::cinema::{BOTH, Cinema, Kind, T0};
use crate::door::with_halls;

fn new(role: Role) -> NewKey {
    NewKey { name: "test".into(), role, screen: None, theatre: None, expires_at: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_bound_to_a_theatre_works_for_its_shows_only() {
    for kind in BOTH {
        let cinema = with_halls(kind).await;
        let at = |id: &str| Some(boxoffice::id::CatalogueId::new(id).expect("an id"));
        let bound = NewKey { theatre: at("kino-am-markt"), ..new(Role::Manager) };
        let (_, here) = cinema.made(bound.clone()).await;
        let (_, hall) = cinema.made(NewKey { theatre: None, screen: at("markt-2"), ..bound }).await;
        let (_, there) = cinema.made(NewKey { theatre: at("kino-am-see"), ..new(Role::Manager) }).await;
        let everywhere = cinema.key(Role::Manager).await;
        let (held, _) = cinema.sold("show-1", &["F7"]).await;
        let booking = format!("/api/v1/bookings/{}", held.id);
        let refund = format!("/api/v1/admin/bookings/{}/refunds", held.id);
        let find = format!("/api/v1/admin/bookings?reference={}", held.body["reference"].as_str().expect("text"));
        let goodwill = json!({ "amount": { "amount": 100, "currency": "EUR" }, "reason": "Popcorn spilled" });
        let block = json!({ "seats": ["K1"], "reason": "Broken" });
        for key in [&there, &hall] {
            cinema.get_as(key, &booking).await.refused(404, "not-found");
            assert_eq!(cinema.get_as(key, &find).await.expect(200)["items"], json!([]));
            cinema.post_as(key, &refund, goodwill.clone()).await.refused(404, "not-found");
            cinema.post_as(key, "/api/v1/admin/shows/show-1/blocks", block.clone()).await.refused(403, "forbidden");
            cinema.post_as(key, "/api/v1/admin/shows/show-1/cancel", json!({})).await.refused(403, "forbidden");
            let counter = json!({ "show": "show-1", "seats": ["A1"] });
            cinema.post_as(key, "/api/v1/bookings", counter).await.refused(403, "forbidden");
            let sales = "/api/v1/admin/reports/sales.csv?from=2027-06-01&to=2027-06-30";
            cinema.get_as(key, sales).await.refused(403, "forbidden");
            cinema.get_as(key, &format!("{sales}&theatre=kino-am-markt")).await.refused(403, "forbidden");
            let day = "/api/v1/admin/days/kino-am-markt/2027-06-12/close";
            cinema.post_as(key, day, json!({})).await.refused(403, "forbidden");
        }
        for key in [&here, &there, &hall] {
            // The catalogue is the whole chain's.
            cinema.post_as(key, "/api/v1/admin/catalogue", json!({})).await.refused(403, "forbidden");
        }
        for key in [&here, &everywhere] {
            cinema.get_as(key, &booking).await.expect(200);
            assert_eq!(cinema.get_as(key, &find).await.expect(200)["items"][0]["id"], *held.id);
            cinema.post_as(key, &refund, goodwill.clone()).await.expect(201);
            let sales = "/api/v1/admin/reports/sales.csv?from=2027-06-01&to=2027-06-30&theatre=kino-am-markt";
            assert_eq!(cinema.get_as(key, sales).await.status, 200);
        }
        cinema.post_as(&here, "/api/v1/admin/shows/show-1/blocks", block).await.expect(201);
        cinema.post_as(&here, "/api/v1/bookings", json!({ "show": "show-1", "seats": ["A1"] })).await.expect(201);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_ends_at_its_instant_and_its_last_use_is_kept() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let start: Timestamp = T0.parse().expect("an instant");
        let expires_at = Some(start + boxoffice::time::Span::from_mins(2 * 60));
        let (id, key) = cinema.made(NewKey { expires_at, ..new(Role::Manager) }).await;
        let look = async || cinema.get_as(&key, "/api/v1/admin/bookings").await;
        let used = async || uses::all(&*cinema.store).await.expect("uses").get(&id).copied();
        assert_eq!(used().await, None);
        look().await.expect(200);
        assert_eq!(used().await, Some(start));
        cinema.advance_s(3_599.0).await;
        look().await.expect(200);
        assert_eq!(used().await, Some(start), "to the hour");
        cinema.advance_s(1.0).await;
        look().await.expect(200);
        assert_eq!(used().await, Some(start + boxoffice::time::Span::from_mins(60)));
        cinema.advance_s(3_599.999).await;
        look().await.expect(200);
        cinema.advance_s(0.001).await;
        look().await.refused(401, "unauthorized");
        cinema.close().await;
    }
}

/// Wrong keys and tokens are counted by the address that a proxy of ours says; who proves who they
/// are is never held up. In test mode nothing is counted unless it is set.
#[tokio::test(flavor = "multi_thread")]
async fn case_087_wrong_keys_and_tokens_are_throttled_by_address() {
    let cinema = Cinema::with_settings(Kind::Memory, |settings| {
        settings.limits.guesses_per_minute = NonZeroU32::new(20);
        settings.limits.trusted_proxies = vec!["127.0.0.1/32".parse().expect("an address")];
    })
    .await;
    let held = cinema.hold("show-1", &["F7"]).await;
    let path = format!("/api/v1/bookings/{}", held.id);
    let from = async |address: &str, token: &str| {
        let headers = [("authorization", format!("Bearer {token}")), ("x-forwarded-for", address.to_owned())];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        cinema.send(reqwest::Method::GET, &path, &headers, None).await
    };
    for n in 0..20 {
        let wrong = if n % 2 == 0 { format!("bo_live_{n}_0") } else { format!("{}.{n}", held.id) };
        from("198.51.100.7", &wrong).await.refused(404, "not-found");
    }
    let answer = from("198.51.100.7", "bo_live_1_2").await;
    answer.refused(429, "too-many-requests");
    assert_eq!(answer.header("retry-after"), "60");
    from("203.0.113.1, 198.51.100.7", "bo_live_1_2").await.refused(429, "too-many-requests");
    from("198.51.100.8", "bo_live_1_2").await.refused(404, "not-found");
    from("198.51.100.7", &held.token).await.expect(200);
    cinema.advance_s(60.0).await;
    from("198.51.100.7", "bo_live_1_2").await.refused(404, "not-found");
    cinema.close().await;

    let unset = Cinema::standard(Kind::Memory).await;
    for n in 0..50 {
        let answer = unset.get_as(&format!("bo_live_{n}_0"), "/api/v1/admin/bookings").await;
        assert_eq!(answer.expect(401)["code"], Value::from("unauthorized"));
    }
    unset.close().await;
}
