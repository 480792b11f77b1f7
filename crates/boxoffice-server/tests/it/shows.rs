//! Shows that are cancelled, moved or changed under their bookings, over HTTP.

use boxoffice_server::auth::Role;
use reqwest::Method;
use serde_json::{Value, json};

use crate::cinema::{Answer, BOTH, Cinema, Held, STANDARD, until};

async fn paid(cinema: &Cinema, seats: &[&str]) -> Held {
    let held = cinema.hold("show-1", seats).await;
    cinema.pay(&held).await;
    held
}

async fn import(cinema: &Cinema, text: &str) -> Answer {
    let bearer = format!("Bearer {}", cinema.key(Role::Manager).await);
    cinema.send(Method::POST, "/api/v1/admin/catalogue", &[("authorization", &bearer)], Some(text)).await
}

fn euros(cents: i64) -> Value {
    json!({ "amount": cents, "currency": "EUR" })
}

#[tokio::test(flavor = "multi_thread")]
async fn case_039_cancelling_a_show_demands_a_choice_and_shows_the_total() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let manager = cinema.key(Role::Manager).await;
        let path = "/api/v1/admin/shows/show-1/cancel";
        let sold = [paid(&cinema, &["A1", "A2"]).await, paid(&cinema, &["A3"]).await];
        let held = cinema.hold("show-1", &["B1"]).await;
        cinema.post(path, json!({ "refund": "all" })).await.refused(401, "unauthorized");
        let counter = cinema.key(Role::Counter).await;
        cinema.post_as(&counter, path, json!({ "refund": "all" })).await.refused(403, "forbidden");
        let problem = cinema.post_as(&manager, path, json!({})).await.refused(400, "invalid-request");
        assert_eq!(problem["errors"][0]["pointer"], "/refund");
        let totals = json!([{ "bookings": 2, "tickets": 3, "amount": euros(4_110) }]);
        assert_eq!((&problem["cancellation"]["totals"], &problem["cancellation"]["holds"]), (&totals, &json!(1)));
        let dry = cinema.post_as(&manager, path, json!({ "refund": "all", "dry_run": true })).await.expect(200);
        assert_eq!((&dry["totals"], &dry["refund"]), (&totals, &Value::Null));
        assert_eq!(cinema.get("/api/v1/shows/show-1").await.expect(200)["status"], "on_sale", "nothing was written");
        cinema.post_as(&manager, path, json!({ "refund": "some" })).await.refused(400, "invalid-request");
        cinema.post_as(&manager, path, json!({ "refund": "later", "reason": "flood" })).await.expect(200);
        assert_eq!(cinema.get("/api/v1/shows/show-1").await.expect(200)["status"], "cancelled");
        cinema.try_pay(&held).await.refused(409, "show-cancelled");
        cinema.cancel(&sold[0]).await.refused(409, "show-cancelled");
        for _ in 0..2 {
            let done = cinema.post_as(&manager, path, json!({ "refund": "all" })).await.expect(200);
            assert_eq!((&done["totals"], &done["refund"]), (&totals, &json!("all")));
        }
        cinema.post_as(&manager, path, json!({ "refund": "none" })).await.refused(409, "show-cancelled");
        let progress = async || {
            cinema.get_as(&manager, "/api/v1/admin/shows/show-1/cancellation").await.expect(200)["progress"].clone()
        };
        until(async || progress().await == json!({ "bookings": 2, "done": 2 })).await;
        for (held, cents) in sold.iter().zip([2_740, 1_370]) {
            until(async || cinema.booking(held).await["refunds"][0]["status"] == "succeeded").await;
            let booking = cinema.booking(held).await;
            assert_eq!(
                (&booking["refunds"][0]["amount"], &booking["refunds"][0]["reason"]),
                (&euros(cents), &json!("show_cancelled"))
            );
            assert_eq!(booking["refunds"].as_array().map(Vec::len), Some(1));
        }
        assert_eq!(cinema.booking(&held).await["status"], "cancelled");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_070_a_moved_show_takes_its_sale_along_and_asks_its_holds() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let sold = paid(&cinema, &["A1"]).await;
        let held = cinema.hold("show-1", &["B1"]).await;
        let at = |start: &str| STANDARD.replace("2027-06-12T20:00", start);
        import(&cinema, &at("2027-06-12T17:00")).await.expect(200);
        let show = cinema.get("/api/v1/shows/show-1").await.expect(200);
        assert_eq!(
            (&show["starts_at"], &show["sales"]["closes_at"]),
            (&json!("2027-06-12T17:00:00+02:00"), &json!("2027-06-12T17:00:00+02:00"))
        );
        let problem = cinema.try_pay(&held).await.refused(409, "show-moved");
        assert_eq!(problem["old"], json!({ "starts_at": "2027-06-12T18:00:00Z", "screen": "markt-1" }));
        assert_eq!(problem["new"], json!({ "starts_at": "2027-06-12T15:00:00Z", "screen": "markt-1" }));
        let path = format!("/api/v1/bookings/{}", held.id);
        cinema.patch_as(&held.token, &path, json!({ "accept_changes": true })).await.expect(200);
        cinema.pay(&held).await;
        import(&cinema, &at("2027-06-13T17:00")).await.expect(200);
        cinema.set_clock(json!({ "set": "2027-06-13T14:59:59Z", "freeze": true })).await.expect(200);
        for held in [&sold, &held] {
            let refund = cinema.cancel(held).await.expect(200)["refund"].clone();
            assert_eq!((&refund["amount"], &refund["kept"]), (&euros(1_370), &euros(0)), "until the new start");
        }
        cinema.close().await;
    }
}

/// The hall is taken at the new time.
#[tokio::test(flavor = "multi_thread")]
async fn case_070_a_clash_is_refused() {
    let cinema = Cinema::standard(BOTH[0]).await;
    let late = "\n[[shows]]\nid = \"show-2\"\nmovie = \"night-train\"\nscreen = \"markt-1\"\nstarts_at = \"2027-06-12T23:00\"\nprice_list = \"regular\"\nrefund_policy = \"standard\"\n";
    import(&cinema, &format!("{STANDARD}{late}")).await.expect(200);
    let clash = STANDARD.replace("2027-06-12T20:00", "2027-06-12T22:30");
    import(&cinema, &clash).await.refused(400, "invalid-request");
    cinema.close().await;
}

/// 20 sold, 3 held: a changed hall keeps what was sold as it was printed, or is refused.
#[tokio::test(flavor = "multi_thread")]
async fn case_092_a_changed_hall_spares_what_is_sold() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let mut sold = Vec::new();
        for row in ["A", "B", "C", "D"] {
            let labels: Vec<String> = (1..=5).map(|n| format!("{row}{n}")).collect();
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            sold.push(paid(&cinema, &labels).await);
        }
        let held = cinema.hold("show-1", &["C6", "C7", "C8"]).await;
        let without_c = STANDARD.replace("  \"C SSSS.SSSS.SSSS\",\n", "");
        let refused = import(&cinema, &without_c).await.refused(400, "invalid-request");
        let detail = refused["detail"].as_str().expect("text").to_owned();
        assert!(["C1", "C5", "C6", "C8"].iter().all(|seat| detail.contains(seat)), "{detail}");
        let other_hall = format!("{STANDARD}\n[[screens]]\nid = \"markt-2\"\ntheatre = \"kino-am-markt\"\nname = \"Hall 2\"\nlayout = \"hall-1\"\n")
            .replace("screen = \"markt-1\"", "screen = \"markt-2\"");
        let refused = import(&cinema, &other_hall).await.refused(400, "invalid-request");
        assert!(refused["detail"].as_str().is_some_and(|d| d.contains("A1") && d.contains("markt-2")), "{refused}");
        let dearer = STANDARD
            .replace("{ S = \"Standard\" }", "{ S = \"Standard\", P = \"Premium\" }")
            .replace("E SSSS.SSSS.SSSS", "E PPPP.PPPP.PPPP")
            .replace("{ Standard = \"12.50\" }", "{ Standard = \"12.50\", Premium = \"15.00\" }");
        import(&cinema, &dearer).await.expect(200);
        for booking in &sold {
            let now = cinema.booking(booking).await;
            assert_eq!(now["seats"], booking.body["seats"], "as it was sold");
            assert!(cinema.tickets(booking).await.iter().all(|t| t["status"] == "valid"));
        }
        cinema.pay(&held).await;
        cinema.close().await;
    }
}
