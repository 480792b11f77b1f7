//! A hundred thousand bookings, listed while seats are sold.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use boxoffice::command::{Command, Hold, SeatPick, Seats};
use boxoffice::id::{BookingId, SeatNo, ShowNo, reference};
use boxoffice::show::Show;
use boxoffice::store::{ShowFilter, Store};
use boxoffice_server::auth::Role;
use futures_util::stream::{self, StreamExt as _};

use crate::cinema::{Cinema, Kind, STANDARD, T0};
use crate::tickets::paper::Paper;

const BOOKINGS: u32 = 100_000;
/// A hall has this many seats.
const SEATS: u32 = 120;

/// So many shows of the standard hall that every booking has a seat.
fn catalogue() -> String {
    let (head, _) = STANDARD.split_once("[[shows]]").expect("shows");
    let shows = BOOKINGS.div_ceil(SEATS) + 1;
    let times: Vec<String> = (0..8).map(|n| format!("\"{:02}:00\"", n * 3)).collect();
    let days = shows.div_ceil(8);
    let last = jiff::civil::date(2027, 6, 12).saturating_add(jiff::Span::new().days(i64::from(days)));
    format!(
        "{head}[[programmes]]\nid = \"all\"\nscreen = \"markt-1\"\nmovie = \"night-train\"\nfrom = \"2027-06-12\"\n\
         until = \"{last}\"\ntimes = [{}]\nprice_list = \"regular\"\nrefund_policy = \"standard\"\nmax_seats = 8\n",
        times.join(", ")
    )
}

/// The n-th booking: one seat, paid at the counter.
async fn sell(store: &dyn Store, shows: &[ShowNo], show: &Show, n: u32) {
    let no = shows[(n / SEATS) as usize];
    let random = [0, 0, n.to_be_bytes()[0], n.to_be_bytes()[1], n.to_be_bytes()[2], n.to_be_bytes()[3]];
    let booking = BookingId::new(no, store.now(), random);
    let seat = SeatNo(u16::try_from(n % SEATS).expect("a seat"));
    let hold = Hold {
        booking,
        reference: reference(random),
        seats: Seats::These(vec![SeatPick { seat, ticket_type: "standard".into() }]),
        layout: show.layout.pin(),
        channel: boxoffice::booking::Channel::Counter,
        customer: boxoffice::booking::Customer::default(),
        metadata: std::collections::BTreeMap::new(),
        mine: Vec::new(),
        expected_total: None,
        promo: None,
    };
    store.execute(Command::Hold(Box::new(hold)).into()).await.expect("a hold");
    store.execute(Command::PayAtCounter { booking }.into()).await.expect("a sale");
}

#[tokio::test(flavor = "multi_thread")]
async fn case_120_a_hundred_thousand_bookings_are_listed_while_seats_are_sold() {
    let cinema = Cinema::with(Kind::Sqlite, &catalogue(), T0).await;
    let rows = cinema.store.shows(ShowFilter::default()).await.expect("shows");
    let shows: Vec<ShowNo> = rows.iter().map(|row| row.show.no).collect();
    let show = rows[0].show.clone();
    stream::iter(0..BOOKINGS).for_each_concurrent(512, |n| sell(&*cinema.store, &shows, &show, n)).await;
    let manager = cinema.key(Role::Manager).await;
    let (done, meanwhile) = (AtomicBool::new(false), AtomicUsize::new(0));
    // Each hold goes to the last show, in whose pages the listing ends; it is let go at once.
    let last = rows.last().expect("a show").show.id().to_string();
    let holds = async {
        while !done.load(Ordering::SeqCst) {
            let held = cinema.hold(&last, &["A1"]).await;
            cinema.cancel(&held).await.expect(200);
            meanwhile.fetch_add(1, Ordering::SeqCst);
        }
    };
    let listing = async {
        let url = format!("{}/api/v1/admin/reports/bookings.csv", cinema.url);
        let client = reqwest::Client::builder().no_proxy().build().expect("a client");
        let mut answer = client.get(&url).bearer_auth(&manager).send().await.expect("an answer");
        let first = answer.chunk().await.expect("it comes").expect("the first page");
        assert!(meanwhile.load(Ordering::SeqCst) < 1_000 && first.len() < 100_000, "page by page: {}", first.len());
        let mut text = first.to_vec();
        while let Some(chunk) = answer.chunk().await.expect("it comes whole") {
            text.extend_from_slice(&chunk);
        }
        // One that goes away in the middle stops the work; the server goes on.
        let mut answer = client.get(&url).bearer_auth(&manager).send().await.expect("an answer");
        answer.chunk().await.expect("it comes").expect("the first page");
        drop(answer);
        let list = format!("/api/v1/admin/shows/{}/door-list.pdf", show.id());
        let list = Paper::of(&cinema.bytes_as(&manager, &list).await).text();
        done.store(true, Ordering::SeqCst);
        (String::from_utf8(text).expect("UTF-8"), list)
    };
    let ((text, list), ()) = tokio::join!(listing, holds);
    assert!(meanwhile.load(Ordering::SeqCst) > 0, "seats were held meanwhile");
    let mut csv = csv::Reader::from_reader(text.as_bytes());
    let cents = |cell: &str| cell.replace('.', "").parse::<u64>().expect("an amount");
    let (mut confirmed, mut total, mut captured) = (0, 0, 0);
    for row in csv.records() {
        let row = row.expect("a row");
        if &row[2] == "confirmed" {
            confirmed += 1;
            total += cents(&row[9]);
            captured += cents(&row[11]);
        }
    }
    assert_eq!(confirmed, BOOKINGS);
    assert!(list.contains(&format!("{SEATS} tickets")) && list.contains(" K12 "), "{list}");
    let path = "/api/v1/admin/reports/sales.csv?from=2027-06-11&to=2028-06-01";
    let sales = cinema.get_as(&manager, path).await;
    let mut report = csv::Reader::from_reader(sales.text.as_bytes());
    let gross: u64 = report.records().map(|row| cents(&row.expect("a row")[9])).sum();
    assert_eq!((total, captured), (gross, gross), "the sales report says the same");
    cinema.close().await;
}
