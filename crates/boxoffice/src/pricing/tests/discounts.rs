//! Discounts: what is left of every seat, and how it is shared.

use proptest::prelude::*;

use super::*;
use crate::promo::{Off, OffPer, PromoCode, normalised};

fn code(off: Off, per: OffPer) -> PromoCode {
    PromoCode {
        id: "SUMMER".into(),
        key: normalised("SUMMER").unwrap(),
        off,
        per,
        max_uses: None,
        max_per_customer: None,
        budget: None,
        valid_from: None,
        valid_until: None,
        shows: Vec::new(),
        categories: Vec::new(),
    }
}

fn amount(text: &str, currency: &str) -> Off {
    Off::Amount(Money::parse(text, currency.parse().unwrap()).unwrap())
}

fn with_code(show: &Show, promo: &PromoCode, seats: &[u16]) -> Priced {
    quote(&PriceAsk { promo: Some(promo), ..ask(show) }, &picks(seats.iter().copied())).unwrap()
}

#[track_caller]
fn check(prices: ResolvedPrices, promo: &PromoCode, seats: &[u16], lines: &str, faces: &[&str], totals: &[&str]) {
    let priced = with_code(&show(prices), promo, seats);
    assert_seats_agree(&priced);
    assert_eq!(lines_of(&priced.price), lines);
    let digits = |of: fn(&crate::booking::BookedSeat) -> Money| -> Vec<String> {
        priced.seats.iter().map(|seat| of(seat).digits()).collect()
    };
    assert_eq!(digits(|seat| seat.face), faces, "faces");
    assert_eq!(digits(|seat| seat.total), totals, "totals");
}

#[test]
fn case_37_shares_are_of_what_is_left() {
    let three = [0, 1, 2];
    for (currency, price, off, lines, shares) in [
        ("EUR", "10.00", "10.00", "3 Seat 30.00, discount -10.00, tax 7% 1.31", ["6.67", "6.67", "6.66"]),
        ("JPY", "1900", "1000", "3 Seat 5700, discount -1000, tax 7% 307", ["1567", "1567", "1566"]),
        ("KWD", "2.750", "0.500", "3 Seat 8.250, discount -0.500, tax 7% 0.507", ["2.584", "2.583", "2.583"]),
    ] {
        let promo = code(amount(off, currency), OffPer::Booking);
        check(list(currency, "7", &[("Seat", price)]), &promo, &three, lines, &shares, &shares);
    }
}

#[test]
fn case_53_never_below_zero() {
    let off = amount("20.00", "EUR");
    let lines = "1 Standard 12.50, 1 fee 1.20, discount -12.50, tax 7% 0.00, tax 19% 0.19";
    check(standard_fixture(), &code(off, OffPer::Ticket), &[0], lines, &["0.00"], &["1.20"]);
    let lines = "1 Standard 12.50, 1 fee 1.20, discount -13.70, tax 7% 0.00, tax 19% 0.00";
    check(standard_fixture(), &code(off, OffPer::Booking), &[0], lines, &["0.00"], &["0.00"]);
}

#[test]
fn percentages() {
    let ten = Off::Percent("10".parse().unwrap());
    let lines = "2 Standard 25.00, 2 fee 2.40, discount -2.50, tax 7% 1.47, tax 19% 0.38";
    check(standard_fixture(), &code(ten, OffPer::Ticket), &[0, 1], lines, &["11.25", "11.25"], &["12.45", "12.45"]);
    let lines = "2 Standard 25.00, 2 fee 2.40, discount -2.74, tax 7% 1.47, tax 19% 0.34";
    check(standard_fixture(), &code(ten, OffPer::Booking), &[0, 1], lines, &["11.25", "11.25"], &["12.33", "12.33"]);
    let nothing = Off::Percent("0".parse().unwrap());
    let lines = "1 Standard 12.50, 1 fee 1.20, tax 7% 0.82, tax 19% 0.19";
    check(standard_fixture(), &code(nothing, OffPer::Booking), &[0], lines, &["12.50"], &["13.70"]);
}

#[test]
fn only_what_the_code_covers() {
    let base = || list("EUR", "7", &[("Cheap", "5.00"), ("Dear", "15.00")]);
    let promo = PromoCode { categories: vec!["Dear".into()], ..code(amount("2.00", "EUR"), OffPer::Ticket) };
    let lines = "1 Cheap 5.00, 2 Dear 30.00, discount -4.00, tax 7% 2.03";
    check(base(), &promo, &[0, 12, 13], lines, &["5.00", "13.00", "13.00"], &["5.00", "13.00", "13.00"]);
    for promo in [
        PromoCode { shows: vec![id("another")], ..promo.clone() },
        PromoCode { budget: Some(Money::from_minor(1, "JPY".parse().unwrap())), ..promo.clone() },
        code(amount("2", "JPY"), OffPer::Booking),
    ] {
        check(base(), &promo, &[12], "1 Dear 15.00, tax 7% 0.98", &["15.00"], &["15.00"]);
    }
    let promo = PromoCode { shows: vec![id("another"), id("show")], ..promo };
    check(base(), &promo, &[12], "1 Dear 15.00, discount -2.00, tax 7% 0.85", &["13.00"], &["13.00"]);
}

proptest! {
    /// Whatever is taken off: seats and lines agree, and nothing is below zero or above its price.
    #[test]
    fn discounts_add_up(
        faces in (0_i64..5_000, 0_i64..5_000),
        fees in proptest::collection::vec(any_fee(), 0..3),
        seats in proptest::sample::subsequence((0..24_u16).collect::<Vec<_>>(), 0..9).prop_shuffle(),
        off in prop_oneof![(0_u8..=100).prop_map(|p| Off::Percent(p.into())), (0_i64..20_000).prop_map(|n| amount(&n.to_string(), "JPY"))],
        per in prop_oneof![Just(OffPer::Ticket), Just(OffPer::Booking)],
        only_one in any::<bool>(),
    ) {
        let mut prices = list("JPY", "7", &[("A", &faces.0.to_string()), ("B", &faces.1.to_string())]);
        prices.fees = fees;
        let show = show(prices);
        let categories = if only_one { vec!["A".to_owned()] } else { Vec::new() };
        let promo = PromoCode { categories, ..code(off, per) };
        let priced = with_code(&show, &promo, &seats);
        assert_seats_agree(&priced);
        let full = super::priced(&show, &picks(seats));
        for (seat, full) in priced.seats.iter().zip(&full.seats) {
            let off = seat.discount.map_or(0, Money::minor);
            prop_assert_eq!(seat.total.minor() + off, full.total.minor());
            prop_assert!(seat.face.minor() <= full.face.minor() && off >= 0);
            prop_assert!(promo.covers_category(&seat.category) || off == 0);
        }
    }
}
