//! Mail to customers, by a real mail server's protocol: one letter for each thing that happened,
//! whatever the mail server does.

use boxoffice_server::auth::Role;
use mail_parser::{Message, MessageParser, MimeHeaders as _};
use serde_json::{Value, json};

use crate::cinema::{BOTH, Cinema, Held, Kind, STANDARD, T0, until};
use crate::smtp::{Faults, Sink};

async fn notices(cinema: &Cinema, status: &str) -> Vec<Value> {
    let key = cinema.key(Role::Counter).await;
    let list = cinema.get_as(&key, &format!("/api/v1/admin/notices?status={status}")).await.expect(200);
    list["items"].as_array().expect("a list").clone()
}

async fn until_notices(cinema: &Cinema, status: &str, count: usize) -> Vec<Value> {
    let key = cinema.key(Role::Counter).await;
    let mut items = Vec::new();
    until(async || {
        let list = cinema.get_as(&key, &format!("/api/v1/admin/notices?status={status}")).await.expect(200);
        items = list["items"].as_array().expect("a list").clone();
        items.len() == count
    })
    .await;
    items
}

/// Waits until the one notice that is due was tried so often.
async fn until_tried(cinema: &Cinema, tries: u64) {
    let key = cinema.key(Role::Counter).await;
    until(async || {
        let list = cinema.get_as(&key, "/api/v1/admin/notices?status=due").await.expect(200);
        list["items"][0]["tries"] == tries
    })
    .await;
}

fn parse(raw: &[u8]) -> Message<'_> {
    MessageParser::default().parse(raw).expect("a message")
}

fn header_count(raw: &[u8], name: &str) -> usize {
    let message = parse(raw);
    message.headers().iter().filter(|header| header.name().eq_ignore_ascii_case(name)).count()
}

fn files(raw: &[u8]) -> Vec<String> {
    parse(raw).attachments().filter_map(|part| part.attachment_name().map(str::to_owned)).collect()
}

async fn outbox(cinema: &Cinema) -> Vec<Value> {
    cinema.get("/test/outbox").await.expect(200)["items"].as_array().expect("a list").clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paid_booking_gets_its_tickets_by_mail() {
    for kind in BOTH {
        let sink = Sink::start().await;
        let cinema = Cinema::mailing(kind, STANDARD, &sink.url()).await;
        let held = cinema.hold("show-1", &["F7", "F8"]).await;
        cinema.pay(&held).await;
        let sent = until_notices(&cinema, "sent", 1).await;
        let raw = sink.letters().pop().expect("a letter");
        let message = parse(&raw);
        let reference = held.body["reference"].as_str().expect("a reference");
        assert_eq!(files(&raw), [format!("tickets-{reference}.pdf"), format!("tickets-{reference}.ics")]);
        assert_eq!(
            message.message_id(),
            Some(format!("{}@127.0.0.1", sent[0]["id"].as_str().expect("an id")).as_str())
        );
        assert_eq!(message.date().expect("a date").to_rfc3339(), T0, "the notice's instant");
        assert_eq!(message.header_raw("Auto-Submitted").map(str::trim), Some("auto-generated"));
        let text = message.body_text(0).expect("a text");
        for part in ["F7 and F8", "€27.40", "of it tax", "Booking fee", "Cancel up to", reference, &held.token] {
            assert!(text.contains(part), "{part:?} is not in {text}");
        }
        let html = message.body_html(0).expect("a page");
        assert!(html.contains(&format!("href=\"{}/b/{}\"", cinema.url, held.token)), "{html}");
        assert!(!html.contains("src="), "nothing is fetched from elsewhere");
        assert!(message.attachment(0).expect("a file").contents().starts_with(b"%PDF-"));
        let listed = outbox(&cinema).await;
        assert_eq!((listed[0]["status"].as_str(), listed[0]["kind"].as_str()), (Some("sent"), Some("tickets")));
        assert_eq!(listed[0]["text"].as_str().expect("a text").replace('\n', "\r\n").trim(), text.trim());
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_mail_server_notices_are_withheld_and_can_be_read() {
    let cinema = Cinema::standard(Kind::Sqlite).await;
    let held = cinema.hold("show-1", &["F7"]).await;
    cinema.pay(&held).await;
    until_notices(&cinema, "withheld", 1).await;
    let listed = outbox(&cinema).await;
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0]["to"], "a@example.org");
    assert_eq!(listed[0]["sent_at"], Value::Null);
    assert_eq!(listed[0]["attachments"].as_array().map(Vec::len), Some(2));
    assert!(listed[0]["text"].as_str().expect("a text").contains(&held.token));
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_018_the_mailed_link_opens_the_booking_anywhere_and_nothing_else() {
    let cinema = Cinema::standard(Kind::Sqlite).await;
    let (held, other) = (cinema.hold("show-1", &["F7"]).await, cinema.hold("show-1", &["F8"]).await);
    let page = format!("/bookings/{}", held.id);
    let cookie_of = async |token: &str, cookie: &str| {
        let answer = cinema.send(reqwest::Method::GET, &format!("/b/{token}"), &[("cookie", cookie)], None).await;
        let cookie = answer.header("set-cookie").split(';').next().unwrap_or_default().to_owned();
        (answer, cookie)
    };
    let (opened, laptop) = cookie_of(&held.token, "").await;
    assert_eq!(opened.header("location"), page);
    assert!(opened.header("set-cookie").contains("HttpOnly"));
    let read = async |cookie: &str| cinema.send(reqwest::Method::GET, &page, &[("cookie", cookie)], None).await;
    assert!(read(&laptop).await.text.contains("F7"));
    let (_, strangers) = cookie_of(&other.token, "").await;
    assert_eq!(read(&strangers).await.status, 404);
    let (opened, both) = cookie_of(&held.token, &strangers).await;
    assert_eq!(opened.header("location"), page, "another buyer's cookie changes nothing");
    let shown = read(&both).await.text;
    assert!(shown.contains("F7") && !shown.contains("F8"));
    let mut answers = std::collections::BTreeSet::new();
    for at in [0, 5, 30, held.token.len() - 2] {
        let mut altered = held.token.clone().into_bytes();
        altered[at] = if altered[at] == b'0' { b'1' } else { b'0' };
        let (refused, cookie) = cookie_of(std::str::from_utf8(&altered).expect("a text"), "").await;
        assert_eq!((refused.status.as_u16(), cookie.as_str()), (404, ""), "at {at}");
        let (words, _request_id) = refused.text.split_once("name this").expect("the end of the page");
        answers.insert(words.to_owned());
    }
    assert_eq!(answers.len(), 1, "all read the same: {answers:?}");
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_023_025_026_and_125_one_payment_is_one_mail() {
    for kind in BOTH {
        let sink = Sink::start().await;
        let cinema = Cinema::mailing(kind, STANDARD, &sink.url()).await;
        let doubled = cinema.hold("show-1", &["A1", "A2"]).await;
        cinema.press(&cinema.checkout(&doubled).await, "outcome=success&repeat=20").await;
        let failed = cinema.hold("show-1", &["A3"]).await;
        let page = cinema.checkout(&failed).await;
        cinema.break_store(true);
        cinema.press(&page, "outcome=success").await;
        cinema.break_store(false);
        let raced = cinema.hold("show-1", &["A4"]).await;
        let page = cinema.checkout(&raced).await;
        let id = raced.id.parse().expect("an id");
        cinema.press(&page, "outcome=success").await;
        let (first, second) = tokio::join!(cinema.office.ask_now(id), cinema.office.ask_now(id));
        drop((first.expect("an answer"), second.expect("an answer")));
        for held in [&doubled, &failed, &raced] {
            for payment in cinema.sandbox_payments(held).await {
                for event in payment["events"].as_array().expect("events") {
                    assert!(cinema.redeliver(event).await, "{event}");
                }
            }
            cinema.until_status(held, "confirmed").await;
        }
        until_notices(&cinema, "sent", 3).await;
        assert_eq!(notices(&cinema, "due").await, Vec::<Value>::new());
        assert_eq!(sink.letters().len(), 3);
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_069_the_mail_tells_the_cinemas_time() {
    let sink = Sink::start().await;
    let cinema = Cinema::mailing(Kind::Sqlite, STANDARD, &sink.url()).await;
    let held = cinema.hold("show-1", &["F7"]).await;
    cinema.pay(&held).await;
    until_notices(&cinema, "sent", 1).await;
    let raw = sink.letters().pop().expect("a letter");
    let message = parse(&raw);
    assert!(message.body_text(0).expect("a text").contains("When: Saturday, 12 June 2027, 20:00 CEST"));
    assert!(message.subject().expect("a subject").contains("20:00"));
    let calendar = message.attachment(1).expect("a calendar");
    assert!(String::from_utf8_lossy(calendar.contents()).contains("DTSTART:20270612T180000Z"));
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_083_nothing_of_a_person_or_a_film_reaches_another_header() {
    let sink = Sink::start().await;
    let title = format!("Train\\r\\nBcc: evil@example.org\\nX: 1\\u2028{}", "é".repeat(5_000));
    let catalogue = STANDARD.replace("Night Train to Lindau", &title);
    let at_import = boxoffice_server::import::run(
        &boxoffice::memory::MemoryStore::new(std::sync::Arc::new(boxoffice::clock::SystemClock)),
        &[boxoffice::catalogue::file::SourceFile { name: "f".into(), text: catalogue.clone() }],
        true,
    )
    .await
    .expect("a store that answers");
    let catalogue = if at_import.errors.is_empty() { catalogue } else { STANDARD.to_owned() };
    let cinema = Cinema::mailing(Kind::Sqlite, &catalogue, &sink.url()).await;
    let hold = async |seat: &str, name: &str, email: &str| {
        let customer = json!({ "name": name, "email": email });
        cinema.post("/api/v1/bookings", json!({ "show": "show-1", "seats": [seat], "customer": customer })).await
    };
    let long = "x".repeat(5_000);
    for name in ["Ada\r\nBcc: evil@example.org", "Ada\nBcc: x", "Ada\rBcc: x", &long] {
        hold("A1", name, "a@example.org").await.refused(400, "invalid-request");
    }
    let emails =
        ["a@example.org\r\nBcc: evil@example.org", "a@example.org\nx", "a\r@example.org", "a\u{2028}@example.org"];
    for email in emails.iter().copied().chain([format!("{long}@example.org").as_str(), "a@example.org,b@example.org"]) {
        hold("A1", "Ada", email).await.refused(400, "invalid-request");
    }
    let names =
        ["Ada\u{2028}Bcc: evil@example.org", "\"Ada\" <evil@example.org>,", "Zoë 张伟 \u{202e}", &"ü".repeat(200)];
    for (n, name) in names.iter().enumerate() {
        let body = hold(&format!("B{}", n + 1), name, "a@example.org").await.expect(201);
        let text = |member: &str| body[member].as_str().expect(member).to_owned();
        cinema.pay(&Held { id: text("id"), token: text("token"), body: body.clone() }).await;
    }
    until_notices(&cinema, "sent", names.len()).await;
    for raw in sink.letters() {
        let message = parse(&raw);
        let to = message.to().expect("a recipient");
        let addresses: Vec<_> = to.iter().map(|a| a.address().expect("an address").to_owned()).collect();
        assert_eq!(addresses, ["a@example.org"]);
        for (name, count) in [("To", 1), ("Bcc", 0), ("Cc", 0), ("X", 0), ("Subject", 1), ("From", 1)] {
            assert_eq!(header_count(&raw, name), count, "{name}");
        }
        let subject = message.subject().expect("a subject");
        assert!(!subject.contains(['\r', '\n', '\u{2028}']) && subject.chars().count() < 200, "{subject:?}");
        assert!(message.body_text(0).expect("a text").contains("Film: "), "the body is whole");
        assert!(!files(&raw).is_empty());
    }
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_124_attachments_that_are_refused_are_left_out() {
    for (refusal, kind) in [("552 5.3.4 too big", Kind::Sqlite), ("554 5.7.1 no attachments", Kind::Memory)] {
        let sink = Sink::start().await;
        sink.fails(Faults { attachments: Some(refusal), ..Faults::default() });
        let cinema = Cinema::mailing(kind, STANDARD, &sink.url()).await;
        let held = cinema.hold("show-1", &["F7"]).await;
        cinema.pay(&held).await;
        let sent = until_notices(&cinema, "sent", 1).await;
        assert_eq!((&sent[0]["links_only"], &sent[0]["tries"]), (&json!(true), &json!(2)));
        let letters = sink.letters();
        assert_eq!((letters.len(), files(&letters[0])), (1, Vec::new()));
        assert!(parse(&letters[0]).body_text(0).expect("a text").contains(&held.token));
        cinema.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_124_what_never_arrives_is_listed_and_the_tickets_are_on_the_page() {
    let sink = Sink::start().await;
    sink.fails(Faults { recipient: Some("550 5.1.1 <a@example.org> unknown"), ..Faults::default() });
    let cinema = Cinema::mailing(Kind::Sqlite, STANDARD, &sink.url()).await;
    let held = cinema.hold("show-1", &["F7"]).await;
    assert_eq!(cinema.pay(&held).await["status"], "confirmed");
    let failed = until_notices(&cinema, "failed", 1).await;
    assert_eq!((&failed[0]["tries"], &failed[0]["to"]), (&json!(2), &json!("a@example.org")));
    let error = failed[0]["last_error"].as_str().expect("an error");
    assert!(error.contains("550") && !error.contains('@'), "{error}");
    let opened = cinema.get(&format!("/b/{}", held.token)).await;
    let cookie = opened.header("set-cookie").split(';').next().unwrap_or_default().to_owned();
    let path = format!("/bookings/{}", held.id);
    let page = cinema.send(reqwest::Method::GET, &path, &[("cookie", &cookie)], None).await;
    assert!(page.text.contains(&format!("{path}/tickets")), "{}", page.text);

    let path = format!("/api/v1/admin/notices/{}/resend", failed[0]["id"].as_str().expect("an id"));
    let (manager, counter) = (cinema.key(Role::Manager).await, cinema.key(Role::Counter).await);
    let scanner = cinema.key(Role::Scanner).await;
    cinema.post(&path, json!({})).await.refused(401, "unauthorized");
    cinema.post_as(&counter, &path, json!({})).await.refused(403, "forbidden");
    cinema.get_as(&scanner, "/api/v1/admin/notices").await.refused(403, "forbidden");
    cinema.get_as(&counter, "/api/v1/admin/notices?status=lost").await.refused(400, "invalid-request");
    cinema.post_as(&manager, "/api/v1/admin/notices/x/resend", json!({})).await.refused(404, "not-found");
    sink.fails(Faults::default());
    assert_eq!(cinema.post_as(&manager, &path, json!({})).await.expect(200)["status"], "due");
    until_notices(&cinema, "sent", 1).await;
    assert_eq!(files(&sink.letters()[0]).len(), 2);
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_124_a_server_that_says_later_or_is_down_gets_it_later() {
    let mut sink = Sink::start().await;
    let cinema = Cinema::mailing(Kind::Sqlite, STANDARD, &sink.url()).await;
    for (n, answer) in ["451 4.7.1 greylisted", "452 4.2.2 mailbox full"].into_iter().enumerate() {
        sink.fails(Faults { recipient: Some(answer), ..Faults::default() });
        let held = cinema.hold("show-1", &[&format!("A{}", n + 1)]).await;
        cinema.pay(&held).await;
        until_tried(&cinema, 1).await;
        assert_eq!(sink.letters().len(), n);
        sink.fails(Faults::default());
        cinema.advance_s(30.0).await;
        until_notices(&cinema, "sent", n + 1).await;
    }
    sink.down().await;
    let held = cinema.hold("show-1", &["B1"]).await;
    cinema.pay(&held).await;
    until_tried(&cinema, 1).await;
    cinema.advance_s(3_600.0).await;
    until_tried(&cinema, 2).await;
    sink.up().await;
    cinema.advance_s(60.0).await;
    until_notices(&cinema, "sent", 3).await;
    assert_eq!(sink.letters().len(), 3);
    cinema.close().await;
}

/// A mail server that never answers has letters under way; everything else goes on.
#[tokio::test(flavor = "multi_thread")]
async fn case_124_no_request_and_no_refund_waits_for_the_mail_server() {
    let mut sink = Sink::start().await;
    sink.fails(Faults { silent: true, ..Faults::default() });
    let cinema = Cinema::mailing(Kind::Sqlite, STANDARD, &sink.url()).await;
    let held = cinema.hold("show-1", &["F7"]).await;
    cinema.pay(&held).await;
    until(async || sink.connections() > 0).await;
    cinema.cancel(&held).await.expect(200);
    until(async || cinema.booking(&held).await["refunds"][0]["status"] == "succeeded").await;
    let lapsing = cinema.hold("show-1", &["F8"]).await;
    cinema.advance_s(600.0).await;
    cinema.until_status(&lapsing, "expired").await;
    assert_eq!(sink.letters().len(), 0);
    sink.down().await;
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_125_a_letter_whose_answer_was_lost_comes_again_under_the_same_id() {
    let sink = Sink::start().await;
    sink.fails(Faults { hang_up_after: 1, ..Faults::default() });
    let cinema = Cinema::mailing(Kind::Sqlite, STANDARD, &sink.url()).await;
    let held = cinema.hold("show-1", &["F7"]).await;
    cinema.pay(&held).await;
    until_tried(&cinema, 1).await;
    cinema.advance_s(30.0).await;
    until_notices(&cinema, "sent", 1).await;
    let letters = sink.letters();
    assert_eq!(letters.len(), 2);
    assert_eq!(parse(&letters[0]).message_id(), parse(&letters[1]).message_id());
    cinema.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_is_told_with_its_amount_and_reason() {
    let sink = Sink::start().await;
    let cinema = Cinema::mailing(Kind::Sqlite, STANDARD, &sink.url()).await;
    let late = cinema.hold("show-1", &["F7"]).await;
    let page = cinema.checkout(&late).await;
    cinema.advance_s(900.0).await;
    cinema.hold("show-1", &["F7"]).await;
    cinema.press(&page, "outcome=success").await;
    until_notices(&cinema, "sent", 1).await;
    let raw = sink.letters().pop().expect("a letter");
    let text = parse(&raw).body_text(0).expect("a text").into_owned();
    assert!(text.contains("€13.70") && text.contains("after the seats had been released"), "{text}");
    assert!(files(&raw).is_empty());
    cinema.close().await;
}

/// What happens to one booking and its show, and what each letter says of it; the last letter but one tells
/// of an exchange, which mails the new tickets.
#[tokio::test(flavor = "multi_thread")]
async fn case_040_and_070_each_change_is_told_once_in_its_own_words() {
    let sink = Sink::start().await;
    let cinema = Cinema::mailing(Kind::Sqlite, STANDARD, &sink.url()).await;
    let mut letters = 0;
    let mut next = async |parts: &[&str], attached: usize| {
        letters += 1;
        until_notices(&cinema, "sent", letters).await;
        let raw = sink.letters().pop().expect("a letter");
        let message = parse(&raw);
        let (text, html) = (message.body_text(0).expect("a text"), message.body_html(0).expect("a page"));
        for part in parts {
            assert!(text.contains(part) && html.contains(part), "{part:?} is not in {text}");
        }
        assert_eq!(files(&raw).len(), attached, "{text}");
    };
    let held = cinema.hold("show-1", &["A1", "A2"]).await;
    cinema.pay(&held).await;
    next(&["Here are your tickets"], 2).await;
    let of = |what: &str| format!("/api/v1/bookings/{}/{what}", held.id);
    cinema.post_as(&held.token, &of(&format!("tickets/{}-1/reissue", held.id)), json!({})).await.expect(200);
    next(&["Your tickets have new codes", "no longer open the door"], 2).await;
    cinema.post_as(&held.token, &of("cancel"), json!({ "tickets": [format!("{}-2", held.id)] })).await.expect(200);
    next(
        &["€12.50 go back to you", "The cinema keeps €1.20 by the rule of your booking", "Fees are not given back"],
        0,
    )
    .await;
    let moved = STANDARD.replace("2027-06-12T20:00", "2027-06-12T17:00");
    cinema.import_as_manager(&moved).await.expect(200);
    next(&["Your show has moved", "20:00", "17:00", "cancel for all of your money until the show starts"], 0).await;
    let new =
        cinema.post_as(&held.token, &of("exchange"), json!({ "show": "show-1", "seats": ["B1"] })).await.expect(201);
    next(&["They take the place of tickets that you gave for them", "B1"], 2).await;
    let manager = cinema.key(Role::Manager).await;
    let cancel = async |refund: &str| {
        let path = "/api/v1/admin/shows/show-1/cancel";
        cinema.post_as(&manager, path, json!({ "refund": refund, "reason": "flood" })).await;
    };
    cancel("later").await;
    next(&["The show does not take place"], 0).await;
    cancel("all").await;
    next(&["€13.70 go back to you", "The cinema has cancelled the show"], 0).await;
    assert_eq!(
        cinema.get_as(&manager, &format!("/api/v1/bookings/{}", new["id"].as_str().expect("an id"))).await.expect(200)
            ["status"],
        "cancelled"
    );
    cinema.close().await;
}
