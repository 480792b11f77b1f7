//! The pages, used as people use them: by links and forms, without JavaScript.

use boxoffice::booking::{Booking, BookingStatus, RefundReason, RefundStatus};
use boxoffice::catalogue::file::SourceFile;
use boxoffice::id::{BookingId, ShowId};
use boxoffice::store::Store as _;
use boxoffice_server::auth::BookingTokens;
use boxoffice_server::entropy::OsEntropy;
use boxoffice_server::secrets;
use boxoffice_server::tickets::TicketKeys;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::cinema::{BOTH, CHAIN, Cinema, Kind, STANDARD, T0, until};

pub mod browser;
mod mistakes;

use browser::{Browser, Page};

const SHOW: &str = "/shows/show-1";

/// The standard cinema ten days before its show, where everything comes back of a ticket's face.
async fn cinema() -> Cinema {
    Cinema::with(Kind::Memory, STANDARD, "2027-06-02T18:00:00Z").await
}

impl Cinema {
    fn visitor(&self) -> Browser {
        Browser::at(&self.url)
    }

    /// The booking that a page is about.
    async fn booking_at(&self, page: &Page) -> Booking {
        self.office.booking(page.booking()).await.unwrap()
    }

    async fn until_booking(&self, id: BookingId, wanted: impl Fn(&Booking) -> bool) -> Booking {
        until(async || wanted(&self.office.booking(id).await.unwrap())).await;
        self.office.booking(id).await.unwrap()
    }

    async fn until_confirmed(&self, id: BookingId) -> Booking {
        self.until_booking(id, |b| b.status == BookingStatus::Confirmed).await
    }

    /// The token in the link that a customer is sent.
    async fn token(&self, id: BookingId) -> String {
        let secret = secrets::load_or_make(&*self.store, &OsEntropy, "booking-token").await.unwrap();
        BookingTokens::new(secret).token(id)
    }

    async fn change_catalogue(&self, text: &str) {
        let file = SourceFile { name: "changed".into(), text: text.into() };
        let imported = boxoffice_server::import::run(&*self.store, &[file], false).await.unwrap();
        assert_eq!(imported.errors, Vec::<String>::new());
    }

    async fn sandbox_lists(&self, what: &str) -> Vec<Value> {
        let list = self.get(&format!("/test/sandbox/{what}")).await.expect(200);
        list["items"].as_array().unwrap().clone()
    }
}

async fn hold(browser: &Browser, seats: &[&str]) -> Page {
    let show = browser.get(SHOW).await;
    let (once, version) = (show.field("once"), show.field("layout_version"));
    let mut fields = vec![("once", once.as_str()), ("layout_version", version.as_str())];
    fields.extend(seats.iter().map(|seat| ("seat", *seat)));
    browser.post(SHOW, &fields).await
}

/// Fills the checkout form in and answers the provider's page.
async fn start_paying(browser: &Browser, checkout: &Page, name: &str) -> Page {
    let once = checkout.field("once");
    let fields = [("once", once.as_str()), ("name", name), ("email", "ada@example.org")];
    browser.post(&format!("{}/pay", checkout.path), &fields).await
}

#[tokio::test]
async fn a_ticket_is_bought_by_links_and_forms_alone() {
    let cinema = cinema().await;
    let browser = cinema.visitor();
    let front = browser.get("/").await;
    assert!(front.has("Night Train to Lindau") && front.has("Saturday, 12 June 2027"), "{}", front.html);
    let link = front.links().into_iter().find(|l| l.starts_with("/shows/")).unwrap();
    assert_eq!(link, SHOW);
    let checkout = hold(&browser, &["F7", "F8"]).await;
    assert!(checkout.has("€27.40") && checkout.has("F7 and F8") && checkout.has("10 minutes"), "{}", checkout.html);
    assert!(checkout.has("of it tax") && checkout.has("€2.02"), "{}", checkout.html);
    let provider = start_paying(&browser, &checkout, "Ada Lovelace").await;
    assert!(provider.path.starts_with("/sandbox/pay/") && provider.has("Pay €27.40"), "{provider:?}");
    let booked = browser.post(&provider.path, &[("outcome", "success")]).await;
    assert!(booked.has("See you at the cinema"), "{}", booked.html);
    assert_eq!(cinema.booking_at(&booked).await.status, BookingStatus::Confirmed);
    let tickets = browser.get(&format!("{}/tickets", checkout.path)).await;
    assert_eq!(tickets.html.matches("class=\"qr\"").count(), 2);
    let keys = TicketKeys::load(&*cinema.store, &OsEntropy).await.unwrap();
    for code in tickets.html.split("class=\"code\">").skip(1) {
        let claims = keys.verify(code.split('<').next().unwrap()).unwrap();
        assert!(["F7", "F8"].contains(&claims.seat.as_str()), "{claims:?}");
    }
    let stranger = cinema.visitor().get(&checkout.path).await;
    assert_eq!(stranger.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_form_sent_twice_makes_one_booking_and_one_payment() {
    for kind in BOTH {
        twice(&Cinema::with(kind, STANDARD, T0).await).await;
    }
}

async fn twice(cinema: &Cinema) {
    let browser = cinema.visitor();
    let show = browser.get(SHOW).await;
    let (once, version) = (show.field("once"), show.field("layout_version"));
    let fields = [("once", once.as_str()), ("layout_version", version.as_str()), ("seat", "F7")];
    let (first, second) = tokio::join!(browser.post(SHOW, &fields), browser.post(SHOW, &fields));
    assert_eq!(first.booking(), second.booking());
    let once = first.field("once");
    let pay = [("once", once.as_str()), ("phone", "+49 30 1234567")];
    let path = format!("{}/pay", first.path);
    let (a, b) = tokio::join!(browser.post(&path, &pay), browser.post(&path, &pay));
    assert_eq!(a.path, b.path);
    assert_eq!(cinema.booking_at(&first).await.attempts.len(), 1);
    let press = [("outcome", "success")];
    tokio::join!(browser.post(&a.path, &press), browser.post(&a.path, &press));
    let booking = cinema.until_confirmed(first.booking()).await;
    assert_eq!((booking.tickets.len(), booking.refunds.len()), (1, 0));
}

#[tokio::test]
async fn a_refused_seat_is_said_in_words_and_the_others_stay_chosen() {
    let cinema = cinema().await;
    hold(&cinema.visitor(), &["F7"]).await;
    let browser = cinema.visitor();
    let refused = hold(&browser, &["F7", "F8"]).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(refused.has("F7 is being bought by somebody else"), "{}", refused.html);
    let input = refused.html.split("value=\"F8\"").nth(1).unwrap().split('>').next().unwrap();
    assert!(input.contains("checked"), "{input}");
    let none = hold(&browser, &[]).await;
    assert!(none.status == StatusCode::UNPROCESSABLE_ENTITY && none.has("No seat is chosen yet"), "{none:?}");
    let best = browser.post(SHOW, &[("count", "2")]).await;
    assert_eq!(cinema.booking_at(&best).await.seats.len(), 2);
    let many = browser.post(SHOW, &[("count", "9")]).await;
    assert!(many.has("8 seats at once"), "{}", many.html);
}

#[tokio::test]
async fn an_ended_hold_offers_the_same_seats_again() {
    let cinema = cinema().await;
    let browser = cinema.visitor();
    let held = hold(&browser, &["F7", "F8"]).await;
    cinema.advance_s(601.0).await;
    let ended = browser.get(&held.path).await;
    assert!(ended.has("Your hold has ended") && ended.has("Nothing was charged"), "{}", ended.html);
    let again = browser.post(&format!("{}/again", held.path), &[("once", &ended.field("once"))]).await;
    assert_ne!(again.booking(), held.booking());
    assert!(again.has("F7 and F8"), "{}", again.html);
    cinema.advance_s(601.0).await;
    hold(&cinema.visitor(), &["F8"]).await;
    let taken = browser.post(&format!("{}/again", held.path), &[]).await;
    assert_eq!(taken.status, StatusCode::CONFLICT);
    assert!(taken.has("F8 is being bought by somebody else"), "{}", taken.html);
}

#[tokio::test]
async fn a_checkout_says_what_is_missing_and_keeps_what_was_written() {
    let cinema = cinema().await;
    let browser = cinema.visitor();
    let held = hold(&browser, &["F7"]).await;
    for (email, says) in [("", "Write an e-mail address or a phone number."), ("nonsense", "not an e-mail address")] {
        let wrong = browser.post(&format!("{}/pay", held.path), &[("name", "Ada"), ("email", email)]).await;
        assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(wrong.has(says) && wrong.has("value=\"Ada\"") && wrong.has("aria-invalid"), "{}", wrong.html);
    }
}

#[tokio::test]
async fn tickets_are_chosen_and_given_back_with_what_comes_back_said_first() {
    let cinema = cinema().await;
    let browser = cinema.visitor();
    let held = hold(&browser, &["F7", "F8", "F9"]).await;
    let provider = start_paying(&browser, &held, "").await;
    browser.post(&provider.path, &[("outcome", "success")]).await;
    cinema.until_confirmed(held.booking()).await;
    let cancel = format!("{}/cancel", held.path);
    let ask = browser.get(&cancel).await;
    assert!(ask.has("Which tickets?") && ask.has("€37.50 comes back") && ask.has("keeps €3.60"), "{}", ask.html);
    let none = browser.get(&format!("{cancel}?asked=1")).await;
    assert!(none.has("No ticket is chosen") && !none.has("comes back</strong>"), "{}", none.html);
    let one = browser.get(&format!("{cancel}?ticket=2&asked=1")).await;
    assert!(one.has("€12.50 comes back") && one.has("Give 1 back"), "{}", one.html);
    let fields = [("once", one.field("once")), ("ticket", one.field("ticket"))];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let after = browser.post(&cancel, &fields).await;
    assert!(after.has("See you at the cinema") && after.has("€12.50") && after.has("F7 and F9"), "{}", after.html);
    let again = browser.post(&cancel, &fields).await;
    assert_eq!(again.status, StatusCode::OK);
    let booking = cinema.booking_at(&held).await;
    assert_eq!((booking.refunds.len(), booking.live_tickets().count()), (1, 2));
    let odd = browser.get(&format!("{cancel}?ticket=2&ticket=77&ticket=x&asked=1")).await;
    assert_eq!(odd.status, StatusCode::OK, "{}", odd.html);
}

/// Other seats of the same show, one of them kept; what it comes to is said before anything changes.
#[tokio::test]
async fn tickets_are_exchanged_with_what_it_comes_to_said_first() {
    let cinema = cinema().await;
    let browser = cinema.visitor();
    let held = hold(&browser, &["F7", "F8"]).await;
    let provider = start_paying(&browser, &held, "").await;
    browser.post(&provider.path, &[("outcome", "success")]).await;
    cinema.until_confirmed(held.booking()).await;
    let sold = browser.get(&held.path).await;
    let exchange = format!("{}/exchange", held.path);
    assert!(sold.links().contains(&exchange), "{}", sold.html);
    let shows = browser.get(&exchange).await;
    let seats = format!("{exchange}/seats?show=show-1");
    assert!(shows.has("Other seats in this show") && shows.links().contains(&seats), "{}", shows.html);
    let map = browser.get(&seats).await;
    let own = "value=\"F8\" aria-label=\"Seat F8, Standard, €13.70\" checked>";
    assert!(map.has("F7 and F8") && map.has(own), "{}", map.html);
    let none = browser.get(&format!("{exchange}/terms?show=show-1")).await;
    assert!(none.has("No seat is chosen yet"), "{}", none.html);
    let less = browser.get(&format!("{exchange}/terms?show=show-1&seat=F8")).await;
    assert!(less.has("€13.70 comes back"), "{}", less.html);
    let more = browser.get(&format!("{exchange}/terms?show=show-1&seat=G1&seat=G2&seat=G3")).await;
    assert!(more.has("You pay €41.10") && more.has("€27.40 for your old tickets goes back"), "{}", more.html);
    let terms = browser.get(&format!("{exchange}/terms?show=show-1&seat=F8&seat=F9")).await;
    assert!(terms.has("There is nothing to pay"), "{}", terms.html);
    let (once, version, total) = (terms.field("once"), terms.field("layout_version"), terms.field("total"));
    let mut fields = vec![("once", &*once), ("show", "show-1"), ("layout_version", &*version), ("total", &*total)];
    fields.extend([("seat", "F8"), ("seat", "F9")]);
    let new = browser.post(&exchange, &fields).await;
    assert!(new.has("See you at the cinema") && new.has("F8 and F9"), "{}", new.html);
    let again = browser.post(&exchange, &fields).await;
    assert_eq!(again.path, new.path, "sent twice");
    let old = browser.get(&held.path).await;
    assert!(old.has("These tickets were exchanged") && old.links().contains(&new.path), "{}", old.html);
    let over = browser.get(&exchange).await;
    assert!(over.has("There are no tickets here that could be exchanged"), "{}", over.html);
    let (once, version) = (more.field("once"), more.field("layout_version"));
    let seats = [("seat", "A1"), ("seat", "A2"), ("seat", "A3")];
    let mut fields = vec![("once", &*once), ("show", "show-1"), ("layout_version", &*version), ("total", "4110")];
    fields.extend(seats);
    let hold = browser.post(&format!("{}/exchange", new.path), &fields).await;
    assert!(hold.has("Almost yours") && hold.has("These seats replace tickets that you have"), "{}", hold.html);
    assert!(!hold.has("Promo code"), "it would make them cheaper: {}", hold.html);
    let provider = start_paying(&browser, &hold, "").await;
    browser.post(&provider.path, &[("outcome", "success")]).await;
    cinema.until_confirmed(hold.booking()).await;
    let given = browser.get(&new.path).await;
    assert!(given.has("These tickets were exchanged") && given.has("€27.40"), "{}", given.html);
}

#[tokio::test]
async fn a_hold_of_a_moved_show_accepts_it_before_it_pays() {
    let cinema = cinema().await;
    let browser = cinema.visitor();
    let held = hold(&browser, &["F7"]).await;
    let sold = hold(&browser, &["F8"]).await;
    let provider = start_paying(&browser, &sold, "").await;
    browser.post(&provider.path, &[("outcome", "success")]).await;
    cinema.until_confirmed(sold.booking()).await;
    cinema.change_catalogue(&STANDARD.replace("2027-06-12T20:00", "2027-06-12T17:00")).await;
    let page = browser.get(&held.path).await;
    assert!(page.has("This show has moved") && page.has("20:00") && page.has("17:00"), "{}", page.html);
    assert!(!page.has("Pay €"), "{}", page.html);
    let refused = browser.post(&format!("{}/pay", held.path), &[("email", "a@example.org")]).await;
    assert!(refused.has("This show has moved"), "{}", refused.html);
    let accepted = browser.post(&format!("{}/accept", held.path), &[]).await;
    assert!(accepted.has("Pay €13.70") && !accepted.has("has moved"), "{}", accepted.html);
    let told = browser.get(&sold.path).await;
    assert!(told.has("This show has moved") && told.has("give them back"), "{}", told.html);
    let quote = browser.get(&format!("{}/cancel", sold.path)).await;
    assert!(quote.has("€13.70 comes back"), "{}", quote.html);
}

/// The link of a booking opens it in another browser, whatever that browser had, and no other link does.
#[tokio::test]
async fn case_018_the_link_opens_the_hold_on_a_second_device() {
    let cinema = cinema().await;
    let phone = cinema.visitor();
    let held = hold(&phone, &["F7", "F8"]).await;
    let token = cinema.token(held.booking()).await;
    let stranger = cinema.visitor();
    let theirs = hold(&stranger, &["A1"]).await;
    for laptop in [cinema.visitor(), stranger] {
        let page = laptop.get(&format!("/b/{token}")).await;
        assert_eq!(page.path, held.path);
        assert!(page.has("F7 and F8") && !page.has("A1"), "{}", page.html);
    }
    let laptop = cinema.visitor();
    laptop.get(&format!("/b/{token}")).await;
    let provider = start_paying(&laptop, &held, "").await;
    laptop.post(&provider.path, &[("outcome", "success")]).await;
    let paid = cinema.until_confirmed(held.booking()).await;
    assert_eq!(paid.seats.iter().map(|s| s.label.as_str()).collect::<Vec<_>>(), ["F7", "F8"]);
    let last = if token.ends_with('A') { "B" } else { "A" };
    let altered = format!("{}{last}", &token[..token.len() - 1]);
    let nobody = cinema.visitor().get(&format!("/b/{altered}")).await;
    assert!(nobody.status == StatusCode::NOT_FOUND && !nobody.has("F7"), "{}", nobody.html);
    assert_eq!(cinema.booking_at(&theirs).await.seats[0].label, "A1");
}

#[tokio::test]
async fn a_paid_booking_is_cancelled_with_what_comes_back_said_first() {
    let cinema = cinema().await;
    let browser = cinema.visitor();
    let held = hold(&browser, &["F7"]).await;
    let provider = start_paying(&browser, &held, "").await;
    browser.post(&provider.path, &[("outcome", "success")]).await;
    let ask = browser.get(&format!("{}/cancel", held.path)).await;
    assert!(ask.has("€12.50 comes back") && ask.has("keeps €1.20"), "{}", ask.html);
    let cancelled = browser.post(&format!("{}/cancel", held.path), &[("once", &ask.field("once"))]).await;
    assert!(cancelled.has("This booking is cancelled") && cancelled.has("€12.50"), "{}", cancelled.html);
    cinema.until_booking(held.booking(), |b| b.refunds.iter().all(|r| r.status == RefundStatus::Succeeded)).await;
    assert_eq!(cinema.sandbox_lists("refunds").await.len(), 1);
    let tickets = browser.get(&format!("{}/tickets", held.path)).await;
    assert!(tickets.has("Void"), "{}", tickets.html);
}

#[tokio::test]
async fn the_way_back_works_once_in_any_browser_and_the_link_always() {
    let cinema = cinema().await;
    let browser = cinema.visitor();
    let held = hold(&browser, &["F7"]).await;
    let provider = start_paying(&browser, &held, "").await;
    let (status, back) = browser.post_only(&provider.path, &[("outcome", "success")]).await;
    let back = back.unwrap();
    assert_eq!(status, StatusCode::SEE_OTHER);
    for _ in 0..2 {
        let looked = cinema.send(Method::HEAD, &back, &[], None).await;
        assert_eq!(looked.status, StatusCode::SEE_OTHER, "looking at it does not use it up");
    }
    let other = cinema.visitor();
    assert!(other.get(&back).await.has("See you at the cinema"));
    assert_eq!(cinema.send(Method::HEAD, &back, &[], None).await.status, StatusCode::NOT_FOUND);
    assert_eq!(cinema.visitor().get(&back).await.status, StatusCode::NOT_FOUND, "it was used");
    assert!(browser.get(&back).await.has("See you at the cinema"), "who has the cookie may come by it again");
    let token = cinema.token(held.booking()).await;
    let third = cinema.visitor();
    let opened = third.get(&format!("/b/{token}")).await;
    assert!(opened.path == held.path && opened.has("See you at the cinema"), "{opened:?}");
    assert_eq!(third.get("/b/wrong").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_providers_switches_all_end_in_one_payment() {
    let cases: [&[(&str, &str)]; 4] = [
        &[("outcome", "success")],
        &[("outcome", "success"), ("repeat", "20")],
        &[("outcome", "success"), ("delay_ms", "40"), ("repeat", "3")],
        &[("outcome", "success"), ("drop", "1")],
    ];
    let cinema = cinema().await;
    for (fields, seat) in cases.into_iter().zip(["A1", "B1", "C1", "D1"]) {
        let browser = cinema.visitor();
        let held = hold(&browser, &[seat]).await;
        let provider = start_paying(&browser, &held, "").await;
        browser.post_only(&provider.path, fields).await;
        if fields.contains(&("drop", "1")) {
            // Nobody tells us: the reconciler asks.
            cinema.advance_s(60.0).await;
        }
        let booking = cinema.until_confirmed(held.booking()).await;
        assert_eq!((booking.tickets.len(), booking.refunds.len()), (1, 0), "{fields:?}");
    }
}

#[tokio::test]
async fn a_provider_that_does_not_answer_costs_neither_seats_nor_money() {
    for faults in [json!({ "before": 1 }), json!({ "after": 1 })] {
        let cinema = cinema().await;
        let browser = cinema.visitor();
        let held = hold(&browser, &["F7"]).await;
        cinema.post("/test/sandbox/faults", faults.clone()).await.expect(204);
        let silent = start_paying(&browser, &held, "Ada").await;
        assert_eq!(silent.status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(silent.has("did not answer") && silent.has("value=\"Ada\""), "{}", silent.html);
        let provider = start_paying(&browser, &held, "Ada").await;
        browser.post(&provider.path, &[("outcome", "success")]).await;
        let booking = cinema.until_confirmed(held.booking()).await;
        assert_eq!((booking.attempts.len(), booking.refunds.len()), (1, 0), "{faults:?}");
        assert_eq!(cinema.sandbox_lists("payments").await.len(), 1, "{faults:?}");
    }
}

#[tokio::test]
async fn a_decline_is_said_and_the_same_page_can_still_succeed() {
    let cinema = cinema().await;
    let browser = cinema.visitor();
    let held = hold(&browser, &["F7"]).await;
    let provider = start_paying(&browser, &held, "").await;
    let declined = browser.post(&provider.path, &[("outcome", "decline")]).await;
    assert!(declined.has("The payment was declined"), "{}", declined.html);
    let page = browser.get(&provider.path).await;
    assert!(page.has("Declined."), "{}", page.html);
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains(&format!("form-action 'self' {};", cinema.url)), "{policy}");
    browser.post_only(&provider.path, &[("outcome", "success")]).await;
    cinema.until_confirmed(held.booking()).await;
}

#[tokio::test]
async fn money_that_comes_after_the_end_is_a_ticket_or_goes_back() {
    for taken_meanwhile in [false, true] {
        let cinema = cinema().await;
        let browser = cinema.visitor();
        let held = hold(&browser, &["F7"]).await;
        let provider = start_paying(&browser, &held, "").await;
        cinema.advance_s(1_200.0).await;
        assert!(browser.get(&provider.path).await.has("This payment page has ended"));
        if taken_meanwhile {
            hold(&cinema.visitor(), &["F7"]).await;
        }
        let late = browser.post(&provider.path, &[("outcome", "success")]).await;
        let booking = cinema.booking_at(&held).await;
        if taken_meanwhile {
            assert!(
                late.has("Your hold has ended") && late.has("arrived after the seats had been released"),
                "{}",
                late.html
            );
            assert_eq!(booking.refunds.iter().map(|r| r.reason).collect::<Vec<_>>(), [RefundReason::Late]);
        } else {
            assert!(late.has("See you at the cinema"), "{}", late.html);
        }
    }
}

#[tokio::test]
async fn script_in_a_name_is_text() {
    let cinema = cinema().await;
    for (evil, seat) in [
        ("<img src=x onerror=alert(1)>", "A1"),
        ("</script><script>alert(1)</script>", "B1"),
        ("\"><svg onload=alert(1)>", "C1"),
    ] {
        let browser = cinema.visitor();
        let held = hold(&browser, &[seat]).await;
        let provider = start_paying(&browser, &held, evil).await;
        let again = browser.get(&held.path).await;
        browser.post(&provider.path, &[("outcome", "success")]).await;
        let tickets = browser.get(&format!("{}/tickets", held.path)).await;
        for page in [again, tickets] {
            assert!(!page.has("<img") && !page.has("<script") && !page.has("<svg onload"), "{}", page.html);
            assert!(page.has("alert(1)"), "the name is shown: {}", page.html);
        }
    }
}

#[tokio::test]
async fn a_hall_is_drawn_with_its_aisles_signs_and_love_seats() {
    let cinema = Cinema::with(Kind::Memory, CHAIN, "2027-10-14T10:00:00Z").await;
    // Show, row as drawn in the fixture: seats, gaps, halves of love seats, wheelchair spaces.
    let cases = [
        ("galaxy-camp-3-fri-18", "V", [12, 3, 0, 0]),
        ("galaxy-camp-3-fri-18", "AE", [12, 3, 4, 0]),
        ("galaxy-camp-1-fri-18", "H", [12, 1, 0, 2]),
    ];
    for (show, row, wanted) in cases {
        let page = cinema.visitor().get(&format!("/shows/{show}")).await;
        let row = page.html.split(&format!("aria-label=\"Row {row}\"")).nth(1).unwrap().split("</div>").next().unwrap();
        let counts = ["<input", "class=\"gap\"", " love-", "available wheel"].map(|sign| row.matches(sign).count());
        assert_eq!(counts, wanted, "{show}: {row}");
        assert!(page.has("Recliner") && page.has("₹"), "{}", page.html);
    }
}

#[tokio::test]
async fn a_form_from_another_site_is_not_carried_out() {
    let cinema = cinema().await;
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let foreign = http.post(format!("{}{SHOW}", cinema.url)).header("origin", "https://evil.example").body("seat=F7");
    let answer = foreign.send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    assert!(answer.text().await.unwrap().contains("from another site"));
    let show = cinema.store.show(ShowId::new("show-1").unwrap()).await.unwrap().unwrap();
    let read = cinema.store.seats(show.no).await.unwrap();
    assert_eq!(read.seats.seats_left(read.now), 120);
}

#[tokio::test]
async fn every_page_is_whole_and_asks_no_other_origin() {
    let cinema = cinema().await;
    let browser = cinema.visitor();
    let held = hold(&browser, &["F7"]).await;
    let other = hold(&browser, &["F8"]).await;
    let provider = start_paying(&browser, &held, "عبد الرحمن").await;
    let processing = browser.get(&format!("{}?returned", held.path)).await;
    assert!(processing.has("under way"), "{}", processing.html);
    let mut pages = vec![processing, browser.get(&held.path).await, browser.get(&provider.path).await];
    pages.push(browser.post(&provider.path, &[("outcome", "success")]).await);
    pages.push(browser.get(&format!("{}/tickets", held.path)).await);
    pages.push(browser.get(&format!("{}/cancel", held.path)).await);
    pages.push(browser.get(&format!("{}/cancel", other.path)).await);
    for private in &pages {
        assert_eq!(private.headers["cache-control"], "no-store", "{}", private.path);
        assert!(private.has("noindex"), "{}", private.path);
    }
    for path in ["/", "/cities/berlin", "/cities/berlin?date=2030-01-01", "/movies/night-train", SHOW, "/nowhere"] {
        pages.push(browser.get(path).await);
    }
    for page in pages {
        whole(&page, &cinema.url);
    }
}

fn whole(page: &Page, home: &str) {
    let (html, path) = (&page.html, &page.path);
    assert!(html.starts_with("<!doctype html>") && html.contains("<html lang=\"en\">"), "{path}");
    assert_eq!(html.matches("<h1").count(), 1, "{path}");
    assert!(html.contains("name=\"viewport\""), "{path}");
    let title = html.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
    assert!(title.len() > " · Boxoffice".len() && title.ends_with(" · Boxoffice"), "{path}: {title}");
    assert!(!html.contains("<script") && !html.contains(" style=") && !html.contains("<style"), "{path}");
    let ours = html.replace(home, "");
    assert!(!ours.contains("http://") && !ours.contains("https://") && !ours.contains("=\"//"), "{path}: {ours}");
    for input in html.split("<input").skip(1).map(|rest| rest.split('>').next().unwrap()) {
        let id = input.split(" id=\"").nth(1).map(|rest| rest.split('"').next().unwrap());
        let labelled = id.is_some_and(|id| html.contains(&format!("for=\"{id}\"")));
        assert!(input.contains("type=\"hidden\"") || input.contains("aria-label=") || labelled, "{path}: {input}");
    }
}
