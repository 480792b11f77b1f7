//! A server that dies in the middle of a busy opening, and comes back on the same file.

use serde_json::{Value, json};

use crate::cinema::{Cinema, Held, Kind, STANDARD, T0, until};

/// The standard hall six times over, so that 650 orders of one seat fit.
fn six_shows() -> String {
    let (head, show) = STANDARD.split_once("[[shows]]").expect("shows");
    let shows = (0..6).map(|n| {
        format!("[[shows]]{}", show.replace("show-1", &format!("show-{n}")).replace("06-12", &format!("06-{}", 12 + n)))
    });
    shows.fold(head.to_owned(), |text, show| text + &show)
}

fn seats() -> Vec<(String, String)> {
    let rows = ["A", "B", "C", "D", "E", "F", "G", "H", "J", "K"];
    let labels = move || rows.into_iter().flat_map(|row| (1..=12).map(move |n| format!("{row}{n}")));
    (0..6).flat_map(|show| labels().map(move |label| (format!("show-{show}"), label))).take(650).collect()
}

/// The path of a page: its address names the server that was.
fn path(url: &str) -> String {
    let (_, rest) = url.split_once("://").expect("an address");
    rest[rest.find('/').expect("a path")..].to_owned()
}

/// 650 orders; the server is killed twice, at the end of no request; every tenth message never comes.
#[tokio::test(flavor = "multi_thread")]
async fn case_024_paid_buyers_have_tickets_or_their_money_after_two_crashes() {
    let mut cinema = Cinema::with(Kind::Sqlite, &six_shows(), T0).await;
    let orders: Vec<(usize, (String, String))> = seats().into_iter().enumerate().collect();
    let mut held: Vec<Held> = Vec::new();
    for (part, orders) in orders.chunks(217).enumerate() {
        let pages = futures_util::future::join_all(orders.iter().map(async |(n, (show, seat))| {
            let order = cinema.hold(show, &[seat]).await;
            let page = path(&cinema.checkout(&order).await);
            let drop = if n % 10 == 0 { "&drop=1" } else { "" };
            (order, page, format!("outcome=success{drop}"))
        }));
        let pages = pages.await;
        futures_util::future::join_all(pages.iter().map(|(_, page, form)| cinema.press(page, form))).await;
        held.extend(pages.into_iter().map(|(order, ..)| order));
        if part < 2 {
            cinema.kill_and_start_again().await;
        }
    }
    for _ in 0..15 {
        cinema.advance_s(60.0).await;
    }
    let settled = |booking: &Value| {
        let refunds = booking["refunds"].as_array().map_or(0, Vec::len);
        (booking["status"] == "confirmed") != (refunds > 0)
    };
    for order in &held {
        until(async || settled(&cinema.booking(order).await)).await;
    }
    assert_eq!(held.len(), 650);
    let captured = cinema.get("/test/sandbox/payments").await.expect(200);
    let captured = captured["items"].as_array().expect("a list").iter().filter(|p| p["status"] == "captured").count();
    assert_eq!(captured, 650, "each was paid once");
    let orphans = boxoffice::store::Store::orphans(&*cinema.store).await.expect("an answer");
    assert_eq!(json!(orphans.len()), 0);
    cinema.close().await;
}
