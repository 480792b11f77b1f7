//! Reports and the close of a day over HTTP.

use boxoffice_server::auth::Role;
use serde_json::json;

use crate::cinema::{BOTH, Cinema};

const DAY: &str = "/api/v1/admin/days/kino-am-markt/2027-06-10/close";
const SALES: &str = "/api/v1/admin/reports/sales.csv";

#[tokio::test(flavor = "multi_thread")]
async fn a_manager_reads_what_was_sold_and_closes_the_day() {
    for kind in BOTH {
        let cinema = Cinema::standard(kind).await;
        let manager = cinema.key(Role::Manager).await;
        let sold = cinema.hold("show-1", &["D5", "D6"]).await;
        cinema.pay(&sold).await;
        cinema.until_status(&sold, "confirmed").await;

        let path = format!("{SALES}?from=2027-06-12&to=2027-06-12&theatre=kino-am-markt");
        let report = cinema.get_as(&manager, &path).await;
        assert_eq!(report.status.as_u16(), 200, "{}", report.text);
        assert_eq!(report.header("content-type"), "text/csv; charset=utf-8");
        let lines: Vec<&str> = report.text.split("\r\n").collect();
        assert!(lines[0].starts_with("business_day,theatre,movie,title,screen,ticket_type,sold,"), "{lines:?}");
        assert!(lines[1].starts_with("2027-06-12,kino-am-markt,"), "{lines:?}");
        assert!(lines[1].contains(",2,0,0,27.40,"), "{lines:?}");
        assert_eq!((lines.len(), lines[2]), (3, ""));

        cinema.post_as(&manager, DAY, json!({})).await.refused(400, "invalid-request");
        cinema.get_as(&manager, DAY).await.refused(404, "not-found");
        cinema.set_clock(json!({ "set": "2027-06-11T03:00:00Z", "freeze": true })).await.expect(200);
        let closed = cinema.post_as(&manager, DAY, json!({})).await.expect(200);
        assert_eq!(closed["from"], "2027-06-10T03:00:00Z");
        assert_eq!(closed["to"], "2027-06-11T03:00:00Z");
        let account = |name: &str| {
            let accounts = closed["accounts"].as_array().expect("accounts");
            accounts.iter().find(|sum| sum["account"] == name).map(|sum| sum["amount"]["amount"].clone())
        };
        assert_eq!(account("gateway:sandbox"), Some(json!(2_740)));
        let sums = closed["accounts"].as_array().expect("accounts").iter();
        assert_eq!(sums.filter_map(|sum| sum["amount"]["amount"].as_i64()).sum::<i64>(), 0);
        cinema.cancel(&sold).await.expect(200);
        assert_eq!(cinema.post_as(&manager, DAY, json!({})).await.expect(200), closed, "closed is closed");
        assert_eq!(cinema.get_as(&manager, DAY).await.expect(200), closed);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_managers_see_the_books() {
    let cinema = Cinema::standard(crate::cinema::Kind::Memory).await;
    let (manager, counter) = (cinema.key(Role::Manager).await, cinema.key(Role::Counter).await);
    let path = format!("{SALES}?from=2027-06-12&to=2027-06-12");
    cinema.get(&path).await.refused(401, "unauthorized");
    cinema.get_as(&counter, &path).await.refused(403, "forbidden");
    cinema.post_as(&counter, DAY, json!({})).await.refused(403, "forbidden");
    for (query, status, code) in [
        ("", 400, "invalid-request"),
        ("?from=2027-06-12&to=2027-06-11", 400, "invalid-request"),
        ("?from=2027-06-12&to=tomorrow", 400, "invalid-request"),
        ("?from=2027-06-12&to=2027-06-12&theatre=nowhere", 404, "not-found"),
    ] {
        cinema.get_as(&manager, &format!("{SALES}{query}")).await.refused(status, code);
    }
    let nowhere = DAY.replace("kino-am-markt", "nowhere");
    cinema.post_as(&manager, &nowhere, json!({})).await.refused(404, "not-found");
    cinema.post_as(&manager, &DAY.replace("06-10", "02-30"), json!({})).await.refused(404, "not-found");
    cinema.close().await;
}
