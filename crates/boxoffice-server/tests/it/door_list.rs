//! The list of a door on paper: every ticket that lets somebody in, in the order of the hall, and none that does not.

use boxoffice_server::auth::{NewKey, Role};
use reqwest::StatusCode;
use serde_json::json;

use crate::cinema::{BOTH, Cinema, Held, until};
use crate::door::with_halls;
use crate::pages::browser::Browser;
use crate::staff::signed_in_with;
use crate::tickets::paper::Paper;

const LIST: &str = "/api/v1/admin/shows/show-1/door-list.pdf";

impl Cinema {
    async fn door_list(&self, key: &str) -> Paper {
        Paper::of(&self.bytes_as(key, LIST).await)
    }

    /// The end of a ticket's code, as it stands on the list.
    async fn code_end(&self, held: &Held, seat: usize) -> String {
        let code = self.codes(held).await.swap_remove(seat);
        code[code.len() - 4..].to_owned()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_of_a_door_has_every_good_ticket_by_seat_and_no_other() {
    for kind in BOTH {
        let cinema = with_halls(kind).await;
        let key = cinema.key(Role::Scanner).await;
        let empty = cinema.door_list(&key).await.text();
        assert!(empty.contains("No ticket is sold.") && empty.contains("Page 1 of 1"), "{empty}");
        let later = cinema.bought("show-1", &["F7", "F8"], "Ada Lovelace").await;
        let first = cinema.bought("show-1", &["B2"], "गौरी देशपांडे").await;
        let given_back = cinema.bought("show-1", &["C3"], "Charles Babbage").await;
        let disputed = cinema.bought("show-1", &["D4"], "Mallory").await;
        cinema.bought("show-2", &["A1"], "Of another hall").await;
        cinema.cancel(&given_back).await.expect(200);
        let payment = cinema.sandbox_payments(&disputed).await[0]["id"].as_str().expect("an id").to_owned();
        let open = json!({ "status": "open" });
        cinema.post(&format!("/test/sandbox/payments/{payment}/dispute"), open).await.expect(200);
        until(async || cinema.booking(&disputed).await["payments"][0]["dispute"] == "open").await;
        let old_code = cinema.code_end(&later, 1).await;
        let reissue = format!("/api/v1/bookings/{}/tickets/2/reissue", later.id);
        cinema.post_as(&later.token, &reissue, json!({ "name": "Grace Hopper" })).await.expect(200);
        cinema.open_doors().await;
        let code = cinema.codes(&later).await.swap_remove(0);
        cinema.admit(&key, &code, "n1").await.expect(200);
        let text = cinema.door_list(&key).await.text();
        for said in [
            "Kino am Markt · Hall 1",
            "Night Train to Lindau",
            "Saturday, 12 June 2027 · 20:00 CEST",
            "4 tickets, 1 of them used already",
            "गौरी देशपांडे",
            "Do not let in: payment disputed",
            "Ada Lovelace, in since 19:45",
            "Grace Hopper",
            "As of Saturday, 12 June 2027, 19:45 CEST · 1 void ticket is not on this list",
            &cinema.code_end(&later, 1).await,
            &cinema.code_end(&first, 0).await,
        ] {
            assert!(text.contains(said), "{said} in {text}");
        }
        for silent in ["Babbage", "Mallory", "Of another hall", &old_code, "C3"] {
            assert!(!text.contains(silent), "{silent} in {text}");
        }
        let at = |seat: &str| text.find(&format!(" {seat} ")).unwrap_or_else(|| panic!("{seat} in {text}"));
        assert!(at("B2") < at("D4") && at("D4") < at("F7") && at("F7") < at("F8"), "{text}");
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_for_the_staff_of_the_place() {
    for kind in BOTH {
        let cinema = with_halls(kind).await;
        let at = |id: &str| Some(boxoffice::id::CatalogueId::new(id).expect("an id"));
        let new =
            NewKey { name: "door".into(), role: Role::Scanner, screen: at("markt-1"), theatre: None, expires_at: None };
        let (_, here) = cinema.made(new.clone()).await;
        let (_, there) = cinema.made(NewKey { screen: at("markt-2"), ..new }).await;
        let held = cinema.hold("show-1", &["F7"]).await;
        cinema.get(LIST).await.refused(401, "unauthorized");
        cinema.get_as(&held.token, LIST).await.refused(401, "unauthorized");
        cinema.get_as(&there, LIST).await.refused(403, "forbidden");
        cinema.get_as(&here, &LIST.replace("show-1", "show-9")).await.refused(404, "not-found");
        let client = reqwest::Client::builder().no_proxy().build().expect("a client");
        let answer = client.get(format!("{}{LIST}", cinema.url)).bearer_auth(&here).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK);
        for (name, value) in [
            ("content-type", "application/pdf"),
            ("cache-control", "no-store"),
            ("content-disposition", "attachment; filename=\"door-list-show-1.pdf\""),
        ] {
            assert_eq!(answer.headers()[name], value, "{name}");
        }
        cinema.open_doors().await;
        let browser = signed_in_with(&cinema, &here).await;
        browser.get("/staff/door").await;
        let page = browser.post("/staff/door/choose", &[("screen", "markt-1"), ("gate", "")]).await;
        let list = page.links().into_iter().find(|link| link.starts_with("/staff/door/list")).expect("a link");
        assert_eq!(list, "/staff/door/list?show=show-1");
        assert!(browser.get(&list).await.html.starts_with("%PDF-"));
        assert_eq!(browser.get("/staff/door/list?show=show-2").await.status, StatusCode::FORBIDDEN);
        assert_eq!(Browser::at(&cinema.url).get(&list).await.path, "/staff", "a stranger signs in first");
        cinema.close().await;
    }
}
