//! Quotes as tables: what is asked for, every line and every seat that comes out.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::date;
use proptest::prelude::*;

use super::{PriceAsk, Priced, quote, ticket_prices};
use crate::booking::{Channel, LineKind, Quote};
use crate::claim::Occupancy;
use crate::command::SeatPick;
use crate::id::{CatalogueId, SeatNo, ShowNo};
use crate::layout::{Category, Layout, LayoutParts, Seat};
use crate::money::{Currency, Money, MoneyError};
use crate::prices::{
    Card, FeePer, PriceList, PriceTable, ResolvedFee, ResolvedPrices, ResolvedRate, ResolvedTax, STANDARD, SoldType,
    Tax, Weekday, When,
};
use crate::show::{LatePayment, Movie, RefundPolicy, Screen, Show, ShowSpec, Text, Theatre, Zone};
use crate::time::{Span, Timestamp};

mod discounts;
mod rules;
mod taxes;

fn id(text: &str) -> CatalogueId {
    CatalogueId::new(text).unwrap()
}

fn prices_of(currency: Currency, prices: &[(&str, &str)]) -> PriceTable {
    let price = |(name, text): &(&str, &str)| ((*name).to_owned(), Money::parse(text, currency).unwrap());
    PriceTable::of_standard(prices.iter().map(price))
}

/// One rate, contained in the prices.
fn contained(percent: &str, currency: Currency) -> ResolvedTax {
    ResolvedTax::new(&Tax::contained(id("tax"), percent.parse().unwrap()), currency).unwrap()
}

fn ask(show: &Show) -> PriceAsk<'_> {
    let occupancy = Occupancy { sold: 0, sellable: 100 };
    PriceAsk { show, channel: Channel::Web, bought_at: Timestamp::from_ms(0), occupancy, promo: None }
}

/// What tickets cost while nothing is sold.
pub(crate) fn standing_prices(show: &Show) -> Result<Vec<super::TicketPrice>, MoneyError> {
    ticket_prices(&ask(show))
}

fn priced(show: &Show, picks: &[SeatPick]) -> Priced {
    quote(&ask(show), picks).unwrap()
}

/// A price list with its categories: the first twelve seats of the hall are of the first category,
/// the next twelve of the second.
fn list(currency: &str, tax: &str, prices: &[(&str, &str)]) -> ResolvedPrices {
    let currency = currency.parse().unwrap();
    let list = PriceList {
        id: id("list"),
        currency,
        tax: id("tax"),
        prices: prices_of(currency, prices),
        cards: Vec::new(),
        surcharges: Vec::new(),
        fees: Vec::new(),
    };
    let types = vec![SoldType { id: id(STANDARD), named: None }];
    ResolvedPrices { list, tax: contained(tax, currency), fees: Vec::new(), types }
}

fn card(currency: &str, days: &[Weekday], prices: &[(&str, &str)]) -> Card {
    Card {
        id: id("card"),
        when: When { days: days.to_vec(), ..When::default() },
        prices: prices_of(currency.parse().unwrap(), prices),
    }
}

/// A fee by `"1.20"` or `"5%"`.
fn fee(currency: &str, per: FeePer, rate: &str, tax: &str) -> ResolvedFee {
    let tax = contained(tax, currency.parse().unwrap());
    let rate = match rate.strip_suffix('%') {
        Some(percent) => ResolvedRate::Percent(percent.parse().unwrap()),
        None => ResolvedRate::Amount(Money::parse(rate, currency.parse().unwrap()).unwrap()),
    };
    ResolvedFee {
        id: id("fee"),
        name: Text::Plain("Fee".into()),
        per,
        rate,
        tax,
        refundable: false,
        cap_per_booking: None,
        channels: Vec::new(),
    }
}

/// A show on Friday 2027-10-15 whose layout has the list's categories.
fn show(prices: ResolvedPrices) -> Show {
    let names: Vec<String> = prices.list.prices.categories().map(str::to_owned).collect();
    let theatre = Theatre {
        id: id("theatre"),
        name: Text::Plain("Theatre".into()),
        city: "Berlin".into(),
        country: "DE".into(),
        timezone: Zone::named("Europe/Berlin").unwrap(),
        currency: prices.list.currency,
        address: None,
        business_day_starts: jiff::civil::time(5, 0, 0, 0),
        cleaning: Span::from_mins(15),
        trailers: Span::from_mins(20),
    };
    let seat = |n: u16| Seat {
        id: format!("A{n}"),
        label: format!("A{n}"),
        row: "A".into(),
        number: n.to_string(),
        zone: None,
        x: n,
        y: 0,
        category: n / 12,
        wheelchair: false,
        group: None,
        companion_of: None,
        right: None,
    };
    let categories: Vec<Category> =
        names.into_iter().enumerate().map(|(i, name)| Category { key: i.to_string(), name }).collect();
    let seats = (0..12 * u16::try_from(categories.len()).unwrap()).map(seat).collect();
    Show {
        no: ShowNo(1),
        spec: ShowSpec {
            id: id("show"),
            movie: id("movie"),
            screen: id("screen"),
            starts_at: Timestamp::from_ms(0),
            price_list: id("list"),
            refund_policy: id("policy"),
            format: None,
            audio: None,
            subtitles: None,
            hold: Span::from_mins(10),
            max_seats: 10,
            sales_open: None,
            web_closes: Span::from_ms(0),
            late_payment: LatePayment::Reclaim,
            entry_opens: crate::show::ENTRY_OPENS,
            entry_closes: None,
            cancelled: false,
            refunds: None,
        },
        movie: Arc::new(Movie {
            id: id("movie"),
            title: Text::Plain("Movie".into()),
            language: "de".into(),
            runtime_min: 100,
            certificates: BTreeMap::new(),
            ids: BTreeMap::new(),
        }),
        screen: Arc::new(Screen {
            id: id("screen"),
            theatre: id("theatre"),
            name: Text::Plain("Screen".into()),
            layout: id("hall"),
        }),
        theatre: Arc::new(theatre),
        layout: Arc::new(Layout::from(LayoutParts { id: id("hall"), version: 1, categories, seats })),
        prices: Arc::new(prices),
        refund_policy: Arc::new(RefundPolicy { id: id("policy"), tiers: Vec::new() }),
        business_day: date(2027, 10, 15),
    }
}

fn standard_fixture() -> ResolvedPrices {
    let mut prices = list("EUR", "7", &[("Standard", "12.50")]);
    prices.fees = vec![fee("EUR", FeePer::Ticket, "1.20", "19")];
    prices
}

fn chain() -> ResolvedPrices {
    use Weekday::{Fri, Sat, Sun, Tue};
    let mut prices = list("INR", "18", &[("Classic", "200.00"), ("Recliner", "420.00")]);
    prices.list.cards = vec![
        card("INR", &[Fri, Sat, Sun], &[("Classic", "220.00"), ("Recliner", "450.00")]),
        card("INR", &[Tue], &[("Classic", "160.00"), ("Recliner", "380.00")]),
    ];
    let cap = Money::parse("100.00", prices.list.currency).unwrap();
    prices.fees = vec![ResolvedFee { cap_per_booking: Some(cap), ..fee("INR", FeePer::Ticket, "20.00", "18") }];
    prices
}

fn with_fee(mut prices: ResolvedPrices, fee: ResolvedFee) -> ResolvedPrices {
    prices.fees.push(fee);
    prices
}

fn picks(seats: impl IntoIterator<Item = u16>) -> Vec<SeatPick> {
    seats.into_iter().map(|no| SeatPick { seat: SeatNo(no), ticket_type: STANDARD.into() }).collect()
}

/// The lines in one text: `2 Standard 25.00, 2 fee 2.40, tax 7% 1.64, tax 19% 0.38`.
fn lines_of(price: &Quote) -> String {
    let line = |line: &crate::booking::PriceLine| match line.kind {
        LineKind::Ticket => format!("{} {} {}", line.quantity, line.label, line.amount.digits()),
        LineKind::Fee => format!("{} fee {}", line.quantity, line.amount.digits()),
        LineKind::Discount => format!("discount {}", line.amount.digits()),
        LineKind::Tax => format!("tax {} {}", line.label, line.amount.digits()),
    };
    price.lines.iter().map(line).collect::<Vec<_>>().join(", ")
}

/// Seats add up to the lines: totals, fees, discounts, and the taxes by rate.
#[track_caller]
fn assert_seats_agree(priced: &Priced) {
    let sum = |amounts: &mut dyn Iterator<Item = Money>| amounts.map(Money::minor).sum::<i64>();
    let of_kind = |kind| sum(&mut priced.price.lines.iter().filter(|line| line.kind == kind).map(|line| line.amount));
    let fees = || priced.seats.iter().flat_map(|seat| &seat.fees);
    for seat in &priced.seats {
        assert_eq!(
            seat.total.minor(),
            seat.face.minor() + sum(&mut seat.fees.iter().map(|fee| fee.amount)),
            "{seat:?}"
        );
        assert!(seat.face.minor() >= 0 && seat.fees.iter().all(|fee| fee.amount.minor() >= 0), "{seat:?}");
    }
    assert_eq!(sum(&mut priced.seats.iter().map(|seat| seat.total)), priced.price.total.minor());
    assert_eq!(
        of_kind(LineKind::Ticket) + of_kind(LineKind::Fee) + of_kind(LineKind::Discount),
        priced.price.total.minor()
    );
    assert_eq!(-of_kind(LineKind::Discount), sum(&mut priced.seats.iter().filter_map(|seat| seat.discount)));
    assert_eq!(priced.price.refundable_fees.minor(), sum(&mut priced.seats.iter().map(|seat| seat.refundable_fees())));
    let mut by_rate: BTreeMap<String, i64> = BTreeMap::new();
    for tax in priced.seats.iter().filter_map(|seat| seat.tax.as_ref()).chain(fees().map(|fee| &fee.tax)) {
        *by_rate.entry(format!("{}%", tax.percent)).or_default() += tax.amount.minor();
    }
    let tax_lines = priced.price.lines.iter().filter(|line| line.kind == LineKind::Tax);
    assert_eq!(by_rate, tax_lines.map(|line| (line.label.clone(), line.amount.minor())).collect());
}

#[track_caller]
fn check(prices: ResolvedPrices, seats: &[u16], lines: &str, total: &str, tax: &str, seat_totals: &[&str]) {
    let priced = priced(&show(prices), &picks(seats.iter().copied()));
    assert_eq!(lines_of(&priced.price), lines);
    assert_eq!(priced.price.total.digits(), total, "total");
    assert_eq!(priced.price.tax.digits(), tax, "tax");
    let totals: Vec<String> = priced.seats.iter().map(|seat| seat.total.digits()).collect();
    assert_eq!(totals, seat_totals, "seat totals");
    assert_seats_agree(&priced);
}

#[test]
fn standard_fixture_tickets() {
    let one = "1 Standard 12.50, 1 fee 1.20, tax 7% 0.82, tax 19% 0.19";
    check(standard_fixture(), &[0], one, "13.70", "1.01", &["13.70"]);
    let two = "2 Standard 25.00, 2 fee 2.40, tax 7% 1.64, tax 19% 0.38";
    check(standard_fixture(), &[0, 1], two, "27.40", "2.02", &["13.70", "13.70"]);
    check(standard_fixture(), &[], "", "0.00", "0.00", &[]);
}

#[test]
fn chain_on_a_friday() {
    check(chain(), &[0], "1 Classic 220.00, 1 fee 20.00, tax 18% 36.61", "240.00", "36.61", &["240.00"]);
    let mixed = "1 Classic 220.00, 1 Recliner 450.00, 2 fee 40.00, tax 18% 108.30";
    check(chain(), &[12, 0], mixed, "710.00", "108.30", &["470.00", "240.00"]);
}

/// Five seats pay the full fee, the sixth none more; the cap is spread over the seats.
#[test]
fn fee_cap() {
    let five = "5 Classic 1100.00, 5 fee 100.00, tax 18% 183.05";
    check(chain(), &[0, 1, 2, 3, 4], five, "1200.00", "183.05", &["240.00"; 5]);
    let six = "6 Classic 1320.00, 6 fee 100.00, tax 18% 216.61";
    let totals = ["236.67", "236.67", "236.67", "236.67", "236.66", "236.66"];
    check(chain(), &[0, 1, 2, 3, 4, 5], six, "1420.00", "216.61", &totals);
}

#[test]
fn case_44_yen_have_no_decimals() {
    let prices = with_fee(list("JPY", "10", &[("Seat", "1900")]), fee("JPY", FeePer::Ticket, "100", "10"));
    check(prices, &[0, 1], "2 Seat 3800, 2 fee 200, tax 10% 363", "4000", "363", &["2000", "2000"]);
}

/// Eight in one booking cost what eight bookings cost; the tax is that of the line.
#[test]
fn case_47_one_rule_of_rounding() {
    let at = |price| list("EUR", "5.5", &[("Seat", price)]);
    check(at("3.80"), &[0], "1 Seat 3.80, tax 5.5% 0.20", "3.80", "0.20", &["3.80"]);
    let eight = [0, 1, 2, 3, 4, 5, 6, 7];
    check(at("3.80"), &eight, "8 Seat 30.40, tax 5.5% 1.58", "30.40", "1.58", &["3.80"; 8]);
    let at_19 = list("EUR", "19", &[("Seat", "9.99")]);
    check(at_19, &[0, 1, 2], "3 Seat 29.97, tax 19% 4.79", "29.97", "4.79", &["9.99"; 3]);
    let percent_fee = || with_fee(at("3.80"), fee("EUR", FeePer::Ticket, "2.5%", "19"));
    check(percent_fee(), &[0], "1 Seat 3.80, 1 fee 0.10, tax 5.5% 0.20, tax 19% 0.02", "3.90", "0.22", &["3.90"]);
    let eight_lines = "8 Seat 30.40, 8 fee 0.80, tax 5.5% 1.58, tax 19% 0.13";
    check(percent_fee(), &eight, eight_lines, "31.20", "1.71", &["3.90"; 8]);
}

#[test]
fn fees_per_booking_are_shared_out() {
    let base = || list("EUR", "7", &[("Cheap", "5.00"), ("Dear", "15.00")]);
    let flat = with_fee(base(), fee("EUR", FeePer::Booking, "1.00", "7"));
    let lines = "2 Cheap 10.00, 1 Dear 15.00, 1 fee 1.00, tax 7% 1.70";
    check(flat, &[0, 1, 12], lines, "26.00", "1.70", &["5.34", "5.33", "15.33"]);
    let percent = with_fee(base(), fee("EUR", FeePer::Booking, "2.5%", "7"));
    let lines = "1 Cheap 5.00, 1 Dear 15.00, 1 fee 0.50, tax 7% 1.34";
    check(percent, &[12, 0], lines, "20.50", "1.34", &["15.38", "5.12"]);
}

#[test]
fn fees_of_other_channels_are_left_out() {
    let counter = ResolvedFee { channels: vec![Channel::Counter], ..fee("EUR", FeePer::Ticket, "1.00", "7") };
    let show = show(with_fee(list("EUR", "7", &[("Seat", "10.00")]), counter));
    let total = |channel| quote(&PriceAsk { channel, ..ask(&show) }, &picks([0])).unwrap().price.total.digits();
    assert_eq!((total(Channel::Web).as_str(), total(Channel::Counter).as_str()), ("10.00", "11.00"));
}

#[test]
fn refundable_fees_are_added_up() {
    let kept = fee("EUR", FeePer::Ticket, "1.00", "19");
    let returned = ResolvedFee { refundable: true, ..fee("EUR", FeePer::Booking, "0.50", "19") };
    let show = show(with_fee(with_fee(list("EUR", "7", &[("Seat", "10.00")]), kept), returned));
    let price = priced(&show, &picks([0, 1])).price;
    assert_eq!((price.total.digits().as_str(), price.refundable_fees.digits().as_str()), ("22.50", "0.50"));
}

/// A card without days matches every day; the first that matches wins, and a category that it
/// does not name keeps its base price.
#[test]
fn cards() {
    let priced = |cards: Vec<Card>| {
        let mut prices = list("EUR", "7", &[("Balcony", "9.00"), ("Stalls", "7.00")]);
        prices.list.cards = cards;
        let prices = ticket_prices(&ask(&show(prices))).unwrap();
        prices.iter().map(|price| price.face.digits()).collect::<Vec<_>>()
    };
    let fri = || card("EUR", &[Weekday::Fri], &[("Stalls", "8.00")]);
    let any = || card("EUR", &[], &[("Stalls", "6.00"), ("Balcony", "6.50")]);
    let sat = || card("EUR", &[Weekday::Sat], &[("Stalls", "1.00")]);
    let table = [
        (vec![], ["9.00", "7.00"]),
        (vec![sat()], ["9.00", "7.00"]),
        (vec![fri(), any()], ["9.00", "8.00"]),
        (vec![any(), fri()], ["6.50", "6.00"]),
        (vec![sat(), fri()], ["9.00", "8.00"]),
    ];
    for (cards, faces) in table {
        assert_eq!(priced(cards.clone()), faces, "{cards:?}");
    }
}

#[test]
fn what_has_no_price_is_refused() {
    let mut prices = list("EUR", "7", &[("Seat", "10.00")]);
    let hall = show(prices.clone()).layout;
    prices.list.prices = PriceTable::default();
    let unpriced = Show { layout: hall, ..show(prices) };
    let refused = |show: &Show, pick: SeatPick| quote(&ask(show), &[pick]).unwrap_err();
    let no_price = |ticket_type: &str| MoneyError::NoPrice { category: "Seat".into(), ticket_type: ticket_type.into() };
    assert_eq!(refused(&unpriced, SeatPick { seat: SeatNo(0), ticket_type: STANDARD.into() }), no_price(STANDARD));
    let priced = show(list("EUR", "7", &[("Seat", "10.00")]));
    assert_eq!(refused(&priced, SeatPick { seat: SeatNo(0), ticket_type: "child".into() }), no_price("child"));
    let no_such_seat = SeatPick { seat: SeatNo(999), ticket_type: STANDARD.into() };
    assert!(matches!(refused(&priced, no_such_seat), MoneyError::NoPrice { .. }));
}

fn any_fee() -> impl Strategy<Value = ResolvedFee> {
    let per = prop_oneof![Just(FeePer::Ticket), Just(FeePer::Booking)];
    let rate = prop_oneof![(0_u32..500).prop_map(|n| format!("0.{n:03}%")), (0_i64..5_000).prop_map(|n| n.to_string())];
    (per, rate, proptest::option::of(0_i64..3_000), any::<bool>()).prop_map(|(per, rate, cap, refundable)| {
        let cap_per_booking = cap.map(|minor| Money::from_minor(minor, "JPY".parse().unwrap()));
        ResolvedFee { cap_per_booking, refundable, ..fee("JPY", per, &rate, "19") }
    })
}

proptest! {
    /// Ticket and fee lines add up to the total, seats too; no order of the same seats costs more.
    #[test]
    fn everything_adds_up(
        faces in (0_i64..100_000, 0_i64..100_000),
        fees in proptest::collection::vec(any_fee(), 0..4),
        seats in proptest::sample::subsequence((0..24_u16).collect::<Vec<_>>(), 0..12).prop_shuffle(),
    ) {
        let (a, b) = (faces.0.to_string(), faces.1.to_string());
        let mut prices = list("JPY", "7", &[("A", &a), ("B", &b)]);
        prices.fees = fees;
        let show = show(prices);
        let quoted = priced(&show, &picks(seats.clone()));
        let of_kind = |tax: bool| {
            let lines = quoted.price.lines.iter().filter(|line| (line.kind == LineKind::Tax) == tax);
            Money::sum(show.currency(), lines.map(|line| line.amount)).unwrap()
        };
        prop_assert_eq!(of_kind(false), quoted.price.total);
        prop_assert_eq!(of_kind(true), quoted.price.tax);
        prop_assert_eq!(Money::sum(show.currency(), quoted.seats.iter().map(|s| s.total)).unwrap(), quoted.price.total);
        assert_seats_agree(&quoted);
        let mut sorted = seats;
        sorted.sort_unstable();
        prop_assert_eq!(priced(&show, &picks(sorted)).price, quoted.price);
    }
}
