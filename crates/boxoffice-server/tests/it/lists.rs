//! Lists: filters, limits, and pages that stay right while things are added.

use std::collections::BTreeSet;

use boxoffice_server::auth::Role;
use reqwest::Method;
use serde_json::Value;

use crate::cinema::{BOTH, CHAIN, Cinema, Kind, STANDARD, T0};

fn ids(page: &Value) -> Vec<String> {
    let items = page["items"].as_array().expect("a list");
    items.iter().map(|item| item["id"].as_str().expect("an id").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_name_every_show_once_while_shows_are_added() {
    for kind in BOTH {
        let cinema = Cinema::with(kind, CHAIN, "2027-10-14T12:00:00Z").await;
        let all = ids(&cinema.get("/api/v1/shows?limit=200").await.expect(200));
        let key = cinema.key(Role::Manager).await;
        let (mut seen, mut cursor, mut pages) = (Vec::new(), None::<String>, 0);
        loop {
            let after = cursor.map(|c| format!("&cursor={c}")).unwrap_or_default();
            let page = cinema.get(&format!("/api/v1/shows?limit=5{after}")).await.expect(200);
            seen.extend(ids(&page));
            cursor = page["next_cursor"].as_str().map(str::to_owned);
            pages += 1;
            if pages == 2 {
                add_early_show(&cinema, &key).await;
            }
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, all, "an earlier show that is added moves nothing");
        assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), seen.len());
        cinema.close().await;
    }
}

async fn add_early_show(cinema: &Cinema, key: &str) {
    let show = r#"
        [[shows]]
        id = "added"
        movie = "the-last-signal"
        screen = "galaxy-camp-1"
        starts_at = "2027-10-15T08:00"
        price_list = "chain"
        refund_policy = "chain"
    "#;
    let bearer = format!("Bearer {key}");
    let headers = [("authorization", bearer.as_str())];
    let added = cinema.send(Method::POST, "/api/v1/admin/catalogue", &headers, Some(show)).await.expect(200);
    assert_eq!(added["added"], 1);
}

/// Reads a list in pages to its end, with something done after each page.
async fn read_all(cinema: &Cinema, key: &str, path: &str, mut between: impl AsyncFnMut(usize)) -> Vec<String> {
    let (mut seen, mut cursor, mut pages) = (Vec::new(), String::new(), 0);
    loop {
        let page = cinema.get_as(key, &format!("{path}{cursor}")).await.expect(200);
        seen.extend(ids(&page));
        let Some(next) = page["next_cursor"].as_str() else { return seen };
        cursor = format!("&cursor={next}");
        between(pages).await;
        pages += 1;
    }
}

/// A hall of 40 rows with 20 seats, and twelve shows that start at the same moment.
fn large_catalogue() -> String {
    let rows: Vec<String> = (1..=40).map(|row| format!("\"R{row}- {}\"", "S".repeat(20))).collect();
    let mut text =
        STANDARD.replace("id = \"hall-1\"", "id = \"small\"").replace("layout = \"hall-1\"", "layout = \"small\"");
    text.push_str(&format!(
        "\n[[layouts]]\nid = \"large\"\ncategories = {{ S = \"Standard\" }}\nrows = [{}]\n",
        rows.join(",")
    ));
    for n in 0..12 {
        text.push_str(&format!(
            "[[screens]]\nid = \"large-{n}\"\ntheatre = \"kino-am-markt\"\nname = \"L{n}\"\nlayout = \"large\"\n\
             [[shows]]\nid = \"same-{n}\"\nmovie = \"night-train\"\nscreen = \"large-{n}\"\n\
             starts_at = \"2027-06-13T20:00\"\nprice_list = \"regular\"\nrefund_policy = \"standard\"\n"
        ));
    }
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn case_119_pages_repeat_and_skip_nothing() {
    for kind in BOTH {
        let cinema = Cinema::with(kind, &large_catalogue(), T0).await;
        let key = cinema.key(Role::Manager).await;
        let hold = async |n: usize| cinema.hold("same-0", &[&format!("R{}-{}", n / 20 + 1, n % 20 + 1)]).await;
        let mut held = Vec::new();
        for n in 0..500 {
            held.push(hold(n).await);
            // The first hundred have the same second; of the others each has its own.
            if n >= 100 {
                cinema.advance_s(1.0).await;
            }
        }
        let all: Vec<String> = held.iter().map(|held| held.id.clone()).collect();
        let path = "/api/v1/admin/bookings?show=same-0&limit=50";
        let seen = read_all(&cinema, &key, path, async |page| {
            for n in 0..4 {
                if page < 5 {
                    hold(500 + page * 4 + n).await;
                }
            }
            if page < 5 {
                cinema.cancel(&held[page * 97]).await.expect(200);
            }
        })
        .await;
        let unique: BTreeSet<&String> = seen.iter().collect();
        assert_eq!(unique.len(), seen.len(), "none comes twice");
        assert!(all.iter().all(|id| unique.contains(id)), "each of the 500 comes");
        assert_eq!(seen.len(), 520);
        let again = read_all(&cinema, &key, path, async |_| {}).await;
        assert_eq!(again, seen, "in the same order");
        let shows = read_all(&cinema, &key, "/api/v1/shows?date=2027-06-13&limit=5", async |_| {}).await;
        assert_eq!((shows.len(), shows.iter().collect::<BTreeSet<_>>().len()), (12, 12), "{shows:?}");

        let foreign = cinema.get("/api/v1/shows?limit=1").await.expect(200)["next_cursor"].clone();
        let foreign = foreign.as_str().expect("a cursor");
        for cursor in [foreign, "x", "AAAA", "%00"] {
            let refused = cinema.get_as(&key, &format!("{path}&cursor={cursor}")).await.refused(400, "invalid-request");
            assert_eq!(refused["errors"][0]["pointer"], "/cursor", "{cursor}");
        }
        for limit in ["0", "201", "-1", "x"] {
            cinema.get_as(&key, &format!("/api/v1/admin/bookings?limit={limit}")).await.refused(400, "invalid-request");
        }
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_narrow_the_list() {
    let cinema = Cinema::with(Kind::Sqlite, CHAIN, "2027-10-14T12:00:00Z").await;
    let all = ids(&cinema.get("/api/v1/shows?limit=200").await.expect(200)).len();
    let count =
        async |query: &str| ids(&cinema.get(&format!("/api/v1/shows?limit=200&{query}")).await.expect(200)).len();
    let (pune, mumbai) = (count("city=pune").await, count("city=mumbai").await);
    assert_eq!(pune + mumbai, all);
    assert!(pune > 0 && mumbai > 0);
    assert_eq!(count("city=pune&theatre=galaxy-thane").await, 0, "a theatre of another city");
    let camp = count("theatre=galaxy-camp").await;
    assert!(camp > 0 && camp < pune);
    assert_eq!(count("date=2027-10-15").await, all, "all on the one Friday");
    assert_eq!(count("date=2027-10-16").await, 0);
    assert_eq!(count("from=2027-10-15T18:00:00%2B05:30").await + count("to=2027-10-15T18:00:00%2B05:30").await, all);
    assert!(count("q=signal").await < all);
    assert_eq!(count("movie=the-last-signal").await, count("q=last%20signal").await);
    assert_eq!(count("theatre=%20").await, 0, "what can be no id names nothing");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_limits_dates_and_cursors_are_refused() {
    let cinema = Cinema::with(Kind::Memory, CHAIN, "2027-10-14T12:00:00Z").await;
    let bad = [
        "limit=0",
        "limit=201",
        "limit=-1",
        "limit=x",
        "date=today",
        "date=2027-02-30",
        "from=noon",
        "to=2027-10-15",
        "cursor=%20",
        "cursor=AAAA",
        "cursor=bm90IGEgY3Vyc29y",
        "colour=red",
        "limit=1&limit=2",
    ];
    for query in bad {
        cinema.get(&format!("/api/v1/shows?{query}")).await.refused(400, "invalid-request");
    }
    for list in ["cities", "theatres", "movies"] {
        cinema.get(&format!("/api/v1/{list}?limit=0")).await.refused(400, "invalid-request");
        cinema.get(&format!("/api/v1/{list}?cursor=%FF")).await.refused(400, "invalid-request");
        let first = cinema.get(&format!("/api/v1/{list}?limit=1")).await.expect(200);
        let cursor = first["next_cursor"].as_str().expect("more than one");
        let rest = cinema.get(&format!("/api/v1/{list}?cursor={cursor}")).await.expect(200);
        assert!(!rest["items"].as_array().expect("a list").contains(&first["items"][0]), "{list}");
    }
    cinema.close().await;
}
