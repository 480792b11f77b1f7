//! Which cards and surcharges fire, by show and by moment, and what they come to.

use super::*;
use crate::prices::{BoughtBefore, Surcharge, TicketType};
use crate::pricing::explain::explain;

/// A show with one list price of 10.00, a card for 7.00 under `when`, in a film of 100 minutes that
/// starts at this local time in Berlin.
fn show_at(local: &str, format: Option<&str>, when: When) -> Show {
    let mut prices = list("EUR", "7", &[("Seat", "10.00")]);
    let card_prices = prices_of(prices.list.currency, &[("Seat", "7.00")]);
    prices.list.cards = vec![Card { id: id("card"), when, prices: card_prices }];
    at(show(prices), local, format)
}

fn at(mut show: Show, local: &str, format: Option<&str>) -> Show {
    let local: jiff::civil::DateTime = local.parse().unwrap();
    let instant = show.theatre.timezone.tz().to_ambiguous_timestamp(local).unambiguous().unwrap();
    show.spec.starts_at = Timestamp::from_ms(instant.as_millisecond());
    show.spec.format = format.map(str::to_owned);
    show.business_day = crate::show::business_day(&show.theatre, show.spec.starts_at);
    show
}

fn face(ask: &PriceAsk<'_>) -> String {
    quote(ask, &picks([0])).unwrap().seats[0].face.digits()
}

#[track_caller]
fn check_when(when: When, local: &str, format: Option<&str>, fires: bool) {
    let show = show_at(local, format, when.clone());
    assert_eq!(face(&ask(&show)), if fires { "7.00" } else { "10.00" }, "{when:?} for {local} {format:?}");
}

#[test]
fn conditions_on_the_show() {
    use Weekday::{Fri, Sat};
    let time = |text: &str| Some(text.parse().unwrap());
    let days = |days: &[Weekday]| When { days: days.to_vec(), ..When::default() };
    let dates = |text: &str| When { dates: vec![text.parse().unwrap()], ..When::default() };
    let clock = |from: &str, until: &str| When { from: time(from), until: time(until), ..When::default() };
    let from = |text: &str| When { from: time(text), ..When::default() };
    let until = |text: &str| When { until: time(text), ..When::default() };
    let format = |text: &str| When { format: Some(text.into()), ..When::default() };
    let runtime = |least| When { runtime_from_min: Some(least), ..When::default() };
    // 2027-06-12 is a Saturday. A show at 00:30 on Sunday belongs to it.
    for (when, local, shown, fires) in [
        (days(&[Sat]), "2027-06-12T20:00", None, true),
        (days(&[Sat]), "2027-06-13T00:30", None, true),
        (days(&[Sat]), "2027-06-13T05:00", None, false),
        (days(&[Fri]), "2027-06-12T04:59", None, true),
        (dates("2027-06-12"), "2027-06-13T00:30", None, true),
        (dates("2027-06-13"), "2027-06-13T00:30", None, false),
        (clock("17:00", "20:00"), "2027-06-12T16:59", None, false),
        (clock("17:00", "20:00"), "2027-06-12T17:00", None, true),
        (clock("17:00", "20:00"), "2027-06-12T19:59:59", None, true),
        (clock("17:00", "20:00"), "2027-06-12T20:00", None, false),
        (clock("22:00", "02:00"), "2027-06-12T21:59", None, false),
        (clock("22:00", "02:00"), "2027-06-12T23:00", None, true),
        (clock("22:00", "02:00"), "2027-06-13T01:59", None, true),
        (clock("22:00", "02:00"), "2027-06-13T02:00", None, false),
        (from("20:00"), "2027-06-12T20:00", None, true),
        (from("20:00"), "2027-06-13T00:30", None, true),
        (from("20:00"), "2027-06-12T05:00", None, false),
        (until("17:00"), "2027-06-12T05:00", None, true),
        (until("17:00"), "2027-06-12T17:00", None, false),
        (until("17:00"), "2027-06-13T00:30", None, false),
        (format("3D"), "2027-06-12T20:00", Some("3D"), true),
        (format("3D"), "2027-06-12T20:00", Some("2D"), false),
        (format("3D"), "2027-06-12T20:00", None, false),
        (runtime(100), "2027-06-12T20:00", None, true),
        (runtime(101), "2027-06-12T20:00", None, false),
        (When { format: Some("3D".into()), ..days(&[Sat]) }, "2027-06-12T20:00", Some("3D"), true),
        (When { format: Some("3D".into()), ..days(&[Sat]) }, "2027-06-11T20:00", Some("3D"), false),
    ] {
        check_when(when, local, shown, fires);
    }
}

/// Sold of what is not blocked: 80 % of 10 is 8.
#[test]
fn demand_in_steps() {
    let when = When { sold_from_percent: Some("80".parse().unwrap()), ..When::default() };
    let show = show_at("2027-06-12T20:00", None, when);
    for (sold, sellable, fires) in [(7, 10, false), (8, 10, true), (10, 10, true), (7, 8, true), (0, 0, false)] {
        let ask = PriceAsk { occupancy: Occupancy { sold, sellable }, ..ask(&show) };
        assert_eq!(face(&ask) == "7.00", fires, "{sold} of {sellable}");
    }
}

/// At its instant the price has ended.
#[test]
fn case_50_a_price_tier_ends() {
    let local = |text: &str| Some(BoughtBefore::Local(text.parse().unwrap()));
    let before = |hours: i64| Some(BoughtBefore::Start(Span::from_mins(60 * hours)));
    for (bought_before, end) in [
        (local("2027-06-01T18:00"), "2027-06-01T16:00:00Z"),
        (before(48), "2027-06-10T18:00:00Z"),
        // A time that is skipped ends an hour later, one that occurs twice with its first.
        (local("2027-03-28T02:30"), "2027-03-28T01:30:00Z"),
        (local("2026-10-25T02:30"), "2026-10-25T00:30:00Z"),
    ] {
        let show = show_at("2027-06-12T20:00", None, When { bought_before, ..When::default() });
        let end: Timestamp = end.parse().unwrap();
        let at = |bought_at| face(&PriceAsk { bought_at, ..ask(&show) });
        assert_eq!(at(end - Span::from_ms(1)), "7.00", "{bought_before:?}");
        assert_eq!(at(end), "10.00", "{bought_before:?}");
    }
}

fn surcharge(name: &str, when: When, amount: &str) -> Surcharge {
    let amount = Money::parse(amount, "EUR".parse().unwrap()).unwrap();
    Surcharge { id: id(name), name: Text::Plain(name.into()), when, amount }
}

/// Categories with a child's price, surcharges for 3D and for the weekend.
fn full_list() -> ResolvedPrices {
    let mut prices = list("EUR", "7", &[("Loge", "15.00"), ("Parkett", "10.00")]);
    let euros = |text: &str| Money::parse(text, "EUR".parse().unwrap()).unwrap();
    prices.list.prices.set("Parkett", id("child"), euros("7.00"));
    let named = TicketType { id: id("child"), name: Text::Plain("Child".into()), proof: None };
    prices.types.push(SoldType { id: id("child"), named: Some(named) });
    let weekend = When { days: vec![Weekday::Sat, Weekday::Sun], ..When::default() };
    let three_d = When { format: Some("3D".into()), ..When::default() };
    prices.list.surcharges = vec![surcharge("3D", three_d, "3.00"), surcharge("Weekend", weekend, "1.50")];
    prices
}

fn pick(no: u16, ticket_type: &str) -> SeatPick {
    SeatPick { seat: SeatNo(no), ticket_type: ticket_type.into() }
}

#[test]
fn types_and_surcharges() {
    let picks = [pick(12, "child"), pick(0, STANDARD), pick(13, STANDARD)];
    for (format, local, lines, faces) in [
        (
            Some("3D"),
            "2027-06-12T20:00",
            "1 Loge 15.00, 1 Parkett 10.00, 1 Parkett, Child 7.00, 3 3D 9.00, 3 Weekend 4.50, tax 7% 2.97",
            ["11.50", "19.50", "14.50"],
        ),
        (
            None,
            "2027-06-11T20:00",
            "1 Loge 15.00, 1 Parkett 10.00, 1 Parkett, Child 7.00, tax 7% 2.09",
            ["7.00", "15.00", "10.00"],
        ),
    ] {
        let priced = priced(&at(show(full_list()), local, format), &picks);
        assert_eq!(lines_of(&priced.price), lines);
        assert_eq!(priced.seats.iter().map(|seat| seat.face.digits()).collect::<Vec<_>>(), faces);
        assert_seats_agree(&priced);
    }
    let refused = quote(&ask(&show(full_list())), &[pick(0, "child")]).unwrap_err();
    assert_eq!(refused, MoneyError::NoPrice { category: "Loge".into(), ticket_type: "child".into() });
}

#[test]
fn every_price_is_listed() {
    let listed: Vec<String> = ticket_prices(&ask(&at(show(full_list()), "2027-06-12T20:00", None)))
        .unwrap()
        .iter()
        .map(|p| format!("{} {} {}: {}", p.category, p.ticket_type, p.type_name, p.face.digits()))
        .collect();
    let all = ["Loge standard Standard: 16.50", "Parkett standard Standard: 11.50", "Parkett child Child: 8.50"];
    assert_eq!(listed, all);
}

/// A card replaces only the prices it names: here the child's.
#[test]
fn a_card_for_one_type() {
    let mut prices = full_list();
    let mut table = PriceTable::default();
    table.set("Parkett", id("child"), Money::from_minor(500, prices.list.currency));
    prices.list.cards =
        vec![Card { id: id("kids"), when: When { days: vec![Weekday::Fri], ..When::default() }, prices: table }];
    let priced = priced(&show(prices), &[pick(12, "child"), pick(13, STANDARD)]);
    assert_eq!(priced.seats.iter().map(|seat| seat.face.digits()).collect::<Vec<_>>(), ["5.00", "10.00"]);
}

/// The explanation tells every rule, and its price is the quote.
#[test]
fn explained() {
    let mut prices = full_list();
    prices.list.cards =
        vec![card("EUR", &[Weekday::Tue], &[("Loge", "9.00")]), card("EUR", &[Weekday::Sat], &[("Loge", "13.00")])];
    prices.fees = vec![
        ResolvedFee { channels: vec![Channel::Counter], ..fee("EUR", FeePer::Ticket, "1.00", "19") },
        fee("EUR", FeePer::Ticket, "1.20", "19"),
    ];
    let show = at(show(prices), "2027-06-12T20:00", None);
    let explanation = explain(&ask(&show), &pick(0, STANDARD)).unwrap();
    assert_eq!(explanation.priced, priced(&show, &[pick(0, STANDARD)]));
    let told: Vec<String> = explanation
        .rules
        .iter()
        .map(|rule| {
            let mark = if rule.fired { "+" } else { "-" };
            format!("{mark} {} {}: {}", rule.kind.as_str(), rule.id, rule.detail)
        })
        .collect();
    let expected = [
        "- price list: Loge, standard: 15.00 EUR; the card card replaces it",
        "- card card: `days`: the business day is a sat",
        "+ card card: Loge, standard: 13.00 EUR",
        "- surcharge 3D: `format`: the show has none",
        "+ surcharge Weekend: +1.50 EUR",
        "+ tax tax 7%: contained in 14.50 EUR, no upper bound",
        "- fee fee: not for the web",
        "+ fee fee: +1.20 EUR, 19% tax in it",
    ];
    assert_eq!(told, expected);
}
