//! Tickets as files: the PDF on paper and on screens, the calendar file, and that they say what
//! the page and the API say.

use boxoffice::catalogue::file::SourceFile;
use boxoffice_server::pages::poster;
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::cinema::{Cinema, Held, Kind, STANDARD, T0};

pub mod paper;

use paper::{Paper, Print};

const PRINTS: [Print; 6] = [
    Print { dpi: 72, grey: false },
    Print { dpi: 72, grey: true },
    Print { dpi: 150, grey: false },
    Print { dpi: 150, grey: true },
    Print { dpi: 300, grey: false },
    Print { dpi: 300, grey: true },
];

impl Cinema {
    /// Buys seats in a name.
    pub async fn bought(&self, show: &str, seats: &[&str], name: &str) -> Held {
        let held = self.hold(show, seats).await;
        self.named(&held, name).await;
        self.pay(&held).await;
        held
    }

    async fn named(&self, held: &Held, name: &str) {
        let body = json!({ "customer": { "name": name, "email": "ada@example.org" } }).to_string();
        let bearer = format!("Bearer {}", held.token);
        let path = format!("/api/v1/bookings/{}", held.id);
        self.send(Method::PATCH, &path, &[("authorization", &bearer)], Some(&body)).await.expect(200);
    }

    async fn paper(&self, held: &Held) -> Paper {
        let list = self.tickets(held).await;
        let url = list[0]["pdf_url"].as_str().expect("an address");
        Paper::of(&self.bytes_as(&held.token, url).await)
    }

    /// The calendar file, unfolded.
    async fn calendar(&self, held: &Held) -> String {
        let list = self.tickets(held).await;
        let url = list[0]["ics_url"].as_str().expect("an address");
        let bytes = self.bytes_as(&held.token, url).await;
        String::from_utf8(bytes).expect("text").replace("\r\n ", "")
    }

    /// A page, as the browser of this booking's buyer.
    async fn page(&self, held: &Held, tail: &str) -> crate::cinema::Answer {
        let cookie = format!("bo_bookings={}", held.token);
        self.send(Method::GET, &format!("/bookings/{}{tail}", held.id), &[("cookie", &cookie)], None).await
    }

    async fn import(&self, catalogue: &str) {
        let file = SourceFile { name: "fixture".into(), text: catalogue.into() };
        let done = boxoffice_server::import::run(&*self.store, &[file], false).await.expect("a store");
        assert_eq!(done.errors, Vec::<String>::new());
    }
}

/// The standard fixture with more shows of the same film, each `(id, starts_at and other fields)`.
fn with_shows(shows: &[(&str, &str)]) -> String {
    let mut text = STANDARD.to_owned();
    for (id, fields) in shows {
        text.push_str(&format!(
            "\n[[shows]]\nid = \"{id}\"\nmovie = \"night-train\"\nscreen = \"markt-1\"\nprice_list = \"regular\"\n\
             refund_policy = \"standard\"\nmax_seats = 8\n{fields}\n"
        ));
    }
    text
}

/// Eight films, one for each colour that a poster can have, and a show with the longest id.
fn colourful() -> (String, Vec<String>) {
    let mut text = STANDARD.to_owned();
    let mut grounds = std::collections::BTreeSet::new();
    let mut shows = vec!["s".repeat(128)];
    text.push_str(&show_of("night-train", &shows[0], 1));
    for number in 0..200 {
        let film = boxoffice::show::Movie {
            id: boxoffice::id::MovieId::new(&format!("film-{number}")).expect("an id"),
            title: boxoffice::show::Text::Plain("Film".into()),
            language: "de".into(),
            runtime_min: 90,
            certificates: std::collections::BTreeMap::new(),
            ids: std::collections::BTreeMap::new(),
        };
        if grounds.insert(poster::draw(&film, "DE").ground) {
            let (id, show) = (film.id.to_string(), format!("show-of-{}", film.id));
            text.push_str(&format!(
                "\n[[movies]]\nid = \"{id}\"\ntitle = \"Film {number}\"\nlanguage = \"de\"\nruntime_min = 90\n"
            ));
            text.push_str(&show_of(&id, &show, shows.len() + 1));
            shows.push(show);
        }
    }
    assert_eq!(grounds.len(), 8, "every colour of a poster");
    (text, shows)
}

fn show_of(film: &str, id: &str, day: usize) -> String {
    format!(
        "\n[[shows]]\nid = \"{id}\"\nmovie = \"{film}\"\nscreen = \"markt-1\"\nstarts_at = \"2027-07-{day:02}T20:00\"\n\
         price_list = \"regular\"\nrefund_policy = \"standard\"\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn case_126_the_square_is_read_by_two_readers_from_every_print() {
    let (catalogue, shows) = colourful();
    let cinema = Cinema::with(Kind::Memory, &catalogue, T0).await;
    for show in &shows {
        let held = cinema.bought(show, &["F7"], "Ada Lovelace").await;
        let code = cinema.tickets(&held).await[0]["code"].as_str().expect("a code").to_owned();
        let paper = cinema.paper(&held).await;
        for print in PRINTS {
            let found = paper.decoded(print);
            assert_eq!(found, [vec![code.clone()], vec![code.clone()]], "{show} {print:?}");
        }
        let text = paper.text();
        let reference = held.body["reference"].as_str().expect("a text");
        let tail: Vec<&str> = (0..4).map(|i| &code[code.len() - 16 + 4 * i..][..4]).collect();
        assert!(text.contains(&format!("{reference} · {}", tail.join(" "))), "{text}");
    }
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_void_ticket_has_no_square_and_says_why() {
    let cinema = Cinema::standard(Kind::Memory).await;
    let held = cinema.bought("show-1", &["F7"], "Ada").await;
    cinema.cancel(&held).await.expect(200);
    let paper = cinema.paper(&held).await;
    assert_eq!(paper.decoded(Print { dpi: 150, grey: false }), [Vec::<String>::new(), Vec::new()]);
    let text = paper.text();
    assert!(text.contains("Void: this ticket was cancelled."), "{text}");
    assert!(cinema.calendar(&held).await.contains("STATUS:CANCELLED\r\n"));
    cinema.close().await;
}

/// Blanks do not count: readers of PDF guess them from the gaps between glyphs.
fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn case_128_names_in_every_script_stand_on_paper_and_page() {
    let endless = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswesse";
    assert_eq!(endless.len(), 80);
    let names = [
        "عبد الرحمن بن خلدون",
        "דוד בן־גוריון",
        "Dr. محمد Müller",
        "王小明（测试）",
        "陳大文",
        "Nguyễn Thị Hằng Ệ",
        "สมชาย ใจดี",
        "Zoë 🎬🍿👩\u{200d}🚀",
        "राजेश कुमार शर्मा",
        "김민준 田中さくら",
        endless,
    ];
    let cinema = Cinema::standard(Kind::Memory).await;
    for (name, number) in names.iter().zip(1..) {
        let held = cinema.bought("show-1", &[&format!("F{number}")], name).await;
        let paper = cinema.paper(&held).await;
        let text = paper.text();
        assert!(letters(&text).contains(&letters(name)), "{name}: {text}");
        assert!(!text.contains('\u{fffd}'), "{name}: {text}");
        stays_in_its_column(&paper, name);
        let page = cinema.page(&held, "/tickets").await;
        assert!(page.text.contains(&format!("<span dir=\"auto\">{name}</span>")), "{}", page.text);
    }
    cinema.close().await;
}

/// No word leaves the page, and none reaches the square or the seat from where the name stands.
#[track_caller]
fn stays_in_its_column(paper: &Paper, name: &str) {
    let words = paper.words();
    let heading = words.iter().find(|word| word.text == "NAME").expect("a heading");
    let square_right = heading.left - 1.0;
    for word in &words {
        assert!(word.left >= 29.0 && word.right <= 391.0 && word.top > 0.0 && word.bottom < 595.0, "{name}: {word:?}");
        let beside_the_square = word.top > 310.0 && word.bottom < 504.0;
        assert!(!beside_the_square || word.left >= square_right, "{name}: {word:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_too_long_for_any_paper_is_cut_and_covers_nothing() {
    let cinema = Cinema::standard(Kind::Memory).await;
    for (name, number) in [("W".repeat(200), 1), ("ضخم".repeat(66), 2), ("🍿".repeat(200), 3)] {
        let held = cinema.bought("show-1", &[&format!("F{number}")], &name).await;
        let paper = cinema.paper(&held).await;
        assert!(paper.text().contains('…'), "{}", paper.text());
        stays_in_its_column(&paper, &name);
        let code = cinema.tickets(&held).await[0]["code"].as_str().expect("a code").to_owned();
        assert_eq!(paper.decoded(Print { dpi: 72, grey: true }), [vec![code.clone()], vec![code]]);
    }
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_longest_facts_end_above_the_foot() {
    let category = "Balcony Recliner Deluxe with Table and Service";
    let types =
        "\n[[ticket_types]]\nid = \"student\"\nname = \"Student, apprentice or volunteer\"\nproof = \"student card\"\n";
    let catalogue = STANDARD
        .replace("S = \"Standard\"", &format!("S = \"{category}\""))
        .replace("Standard = \"12.50\"", &format!("\"{category}\" = {{ standard = \"12.50\", student = \"9.00\" }}"))
        + types;
    let cinema = Cinema::with(Kind::Memory, &catalogue, T0).await;
    let seats = json!([{ "id": "F7", "ticket_type": "student" }, { "id": "F8" }]);
    let made = cinema.post("/api/v1/bookings", json!({ "show": "show-1", "seats": seats })).await.expect(201);
    let text = |name: &str| made[name].as_str().expect(name).to_owned();
    let held = Held { id: text("id"), token: text("token"), body: made.clone() };
    cinema.named(&held, &"Maria Anna Josepha ".repeat(10)).await;
    cinema.pay(&held).await;
    let paper = cinema.paper(&held).await;
    let words = paper.words();
    let left = words.iter().find(|word| word.text == "NAME").expect("a heading").left;
    let foot = words.iter().find(|word| word.text == "Cancel").expect("the rule").top - 10.0;
    let beside: Vec<_> = words.iter().filter(|word| word.left >= left - 1.0 && word.top > 310.0).collect();
    assert!(
        beside.iter().any(|word| word.text == "BOOKING") && beside.iter().any(|word| word.text == "BRING"),
        "{words:?}"
    );
    let low: Vec<_> = beside.iter().filter(|word| word.bottom > foot && word.top < foot).collect();
    assert!(low.is_empty(), "{low:?} reach the foot at {foot}");
    assert!(paper.text().contains("student card"), "{}", paper.text());
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_069_page_paper_calendar_and_api_say_the_same_time() {
    let cinema = Cinema::standard(Kind::Sqlite).await;
    let held = cinema.bought("show-1", &["F7", "F8"], "Ada Lovelace").await;
    let show = cinema.get("/api/v1/shows/show-1").await.expect(200);
    assert_eq!((&show["zone"], &show["starts_at"]), (&json!("Europe/Berlin"), &json!("2027-06-12T20:00:00+02:00")));
    let page = cinema.page(&held, "/tickets").await.text;
    assert!(page.contains("Saturday, 12 June 2027<br><b>20:00</b> <span class=\"soft\">CEST</span>"), "{page}");
    let text = cinema.paper(&held).await.text();
    for said in ["Saturday, 12 June 2027", "20:00", "CEST", "Doors 19:30", "Hall 1", "Night Train to Lindau", "FSK 12"]
    {
        assert_eq!(text.matches(said).count(), 2, "one page for each ticket: {said} in {text}");
    }
    assert!(text.contains("€27.40, of it tax") && text.contains("Cancel up to 24 hours"), "{text}");
    let calendar = cinema.calendar(&held).await;
    assert!(calendar.contains("DTSTART:20270612T180000Z\r\nLOCATION:Kino am Markt\\, Berlin\r\n"), "{calendar}");
    assert!(calendar.contains("Saturday\\, 12 June 2027\\, 20:00 CEST\\nHall 1\\nSeats: F7 and F8\\n"), "{calendar}");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_064_a_doubled_hour_is_told_apart_on_every_ticket() {
    let berlin = [
        ("starts_at = \"2027-10-31T02:30\"\nstarts_at_fold = 0", "02:30", "CEST", "20271031T003000Z"),
        ("starts_at = \"2027-10-31T02:30\"\nstarts_at_fold = 1", "02:30", "CET", "20271031T013000Z"),
    ];
    let york = [
        ("starts_at = \"2027-11-07T01:30-04:00\"", "01:30", "EDT", "20271107T053000Z"),
        ("starts_at = \"2027-11-07T01:30-05:00\"", "01:30", "EST", "20271107T063000Z"),
    ];
    for (zone, shows) in [("Europe/Berlin", berlin), ("America/New_York", york)] {
        for (start, clock, letters, instant) in shows {
            let catalogue = with_shows(&[("doubled", start)]).replace("Europe/Berlin", zone);
            let cinema = Cinema::with(Kind::Memory, &catalogue, T0).await;
            let held = cinema.bought("doubled", &["F7"], "Ada").await;
            let words: Vec<String> = cinema.paper(&held).await.words().into_iter().map(|word| word.text).collect();
            assert!(words.iter().any(|w| w == clock) && words.iter().any(|w| w == letters), "{words:?}");
            let page = cinema.page(&held, "/tickets").await.text;
            assert!(page.contains(&format!("<b>{clock}</b> <span class=\"soft\">{letters}</span>")), "{page}");
            let calendar = cinema.calendar(&held).await;
            assert!(calendar.contains(&format!("DTSTART:{instant}")), "{calendar}");
            assert!(calendar.contains(&format!("{clock} {letters}")), "{calendar}");
            cinema.close().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_067_a_night_show_carries_its_own_date() {
    let catalogue = with_shows(&[("night", "starts_at = \"2027-06-13T00:30\"")]);
    let cinema = Cinema::with(Kind::Memory, &catalogue, T0).await;
    let held = cinema.bought("night", &["F7"], "Ada").await;
    let text = cinema.paper(&held).await.text();
    assert!(text.contains("Sunday, 13 June 2027") && text.contains("00:30"), "{text}");
    assert!(text.contains("Doors 00:00 · night of Sat to Sun"), "{text}");
    let calendar = cinema.calendar(&held).await;
    assert!(calendar.contains("DTSTART:20270612T223000Z"), "{calendar}");
    assert!(calendar.contains("Sunday\\, 13 June 2027\\, 00:30 CEST (night of Sat to Sun)"), "{calendar}");
    let page = cinema.page(&held, "/tickets").await.text;
    assert!(page.contains("Sunday, 13 June 2027") && page.contains("night of Sat to Sun"), "{page}");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_moved_show_moves_the_calendar_entry_and_the_paper() {
    let cinema = Cinema::standard(Kind::Sqlite).await;
    let held = cinema.bought("show-1", &["F7"], "Ada").await;
    let line = |calendar: &str, name: &str| -> String {
        calendar.lines().find_map(|line| line.strip_prefix(name)).expect(name).to_owned()
    };
    let before = cinema.calendar(&held).await;
    cinema.import(&STANDARD.replace("2027-06-12T20:00", "2027-06-12T19:15")).await;
    let after = cinema.calendar(&held).await;
    assert_eq!(line(&before, "UID:"), line(&after, "UID:"));
    assert_eq!(line(&after, "DTSTART:"), "20270612T171500Z");
    let number = |calendar: &str| -> u32 { line(calendar, "SEQUENCE:").parse().expect("a number") };
    assert!(number(&before) < number(&after), "{before}{after}");
    assert!(cinema.paper(&held).await.text().contains("19:15"));
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ticket_files_are_private_and_only_for_bookings_with_tickets() {
    let cinema = Cinema::standard(Kind::Memory).await;
    let held = cinema.hold("show-1", &["F7"]).await;
    let stranger = cinema.hold("show-1", &["A1"]).await;
    for tail in ["/tickets.pdf", "/tickets.ics"] {
        let path = format!("/api/v1/bookings/{}{tail}", held.id);
        cinema.get_as(&held.token, &path).await.refused(404, "not-found");
        assert_eq!(cinema.page(&held, tail).await.status, StatusCode::NOT_FOUND);
    }
    cinema.pay(&held).await;
    let manager = cinema.key(boxoffice_server::auth::Role::Manager).await;
    for (tail, kind) in
        [("/tickets.pdf", "application/pdf"), ("/tickets.ics", "text/calendar; charset=utf-8; method=PUBLISH")]
    {
        let path = format!("/api/v1/bookings/{}{tail}", held.id);
        let answers = [
            cinema.get_as(&held.token, &path).await,
            cinema.get_as(&manager, &path).await,
            cinema.page(&held, tail).await,
        ];
        for answer in answers {
            assert_eq!(answer.status, StatusCode::OK);
            assert_eq!(answer.header("content-type"), kind);
            let reference = held.body["reference"].as_str().expect("a text");
            let name = format!("attachment; filename=\"tickets-{reference}.{}\"", &tail[9..]);
            assert_eq!(answer.header("content-disposition"), name);
            assert_eq!(answer.header("cache-control"), "no-store");
            assert!(answer.header("x-robots-tag").contains("noindex"));
            assert!(answer.header("content-security-policy").contains("default-src 'none'"));
        }
        let foreign = cinema
            .send(
                Method::GET,
                &format!("/bookings/{}{tail}", held.id),
                &[("cookie", &format!("bo_bookings={}", stranger.token))],
                None,
            )
            .await;
        assert_eq!(foreign.status, StatusCode::NOT_FOUND);
    }
    let links = cinema.page(&held, "").await.text + &cinema.page(&held, "/tickets").await.text;
    assert_eq!(links.matches("/tickets.pdf\">Download PDF").count(), 2, "{links}");
    assert_eq!(links.matches("/tickets.ics\">Add to calendar").count(), 2, "{links}");
    let list = cinema.tickets(&held).await;
    let bytes = cinema.bytes_as(&held.token, list[0]["pdf_url"].as_str().expect("a path")).await;
    cinema.advance_s(3_600.0).await;
    let later = cinema.bytes_as(&held.token, list[0]["pdf_url"].as_str().expect("a path")).await;
    assert!(bytes == later, "the same tickets are the same bytes at any time");
    cinema.close().await;
}
