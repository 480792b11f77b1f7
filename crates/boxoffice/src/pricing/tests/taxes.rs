//! Taxes by date and slab, contained and on top.

use super::*;
use crate::prices::{Slab, TaxRate};

fn tax(included: bool, rates: &[(Option<&str>, Option<&str>, &str)]) -> ResolvedTax {
    let rate = |(from, up_to, percent): &(Option<&str>, Option<&str>, &str)| TaxRate {
        from: from.map(|text| text.parse().unwrap()),
        up_to: up_to.map(str::to_owned),
        percent: percent.parse().unwrap(),
    };
    let rates = rates.iter().map(rate).collect();
    ResolvedTax::new(&Tax { id: id("tax"), included, rates }, "INR".parse().unwrap()).unwrap()
}

fn rupees(text: &str) -> Money {
    Money::parse(text, "INR".parse().unwrap()).unwrap()
}

const SLABS: &[(Option<&str>, Option<&str>, &str)] = &[(None, Some("100"), "12"), (None, None, "18")];

/// The bound itself is in its slab; a price that contains its tax can fall between two slabs.
#[test]
fn slab_boundaries() {
    let day = date(2027, 10, 15);
    let rate = |tax: &ResolvedTax, price: &str| tax.rate(day, rupees(price)).map(|percent| percent.to_string());
    for (price, net, contained) in [
        ("0.00", Some("12"), Some("12")),
        ("99.99", Some("12"), Some("12")),
        ("100.00", Some("12"), Some("12")),
        ("100.01", Some("18"), Some("12")),
        ("111.99", Some("18"), Some("12")),
        ("112.00", Some("18"), Some("12")),
        ("112.01", Some("18"), None),
        ("117.99", Some("18"), None),
        ("118.00", Some("18"), None),
        ("118.01", Some("18"), Some("18")),
    ] {
        assert_eq!(rate(&tax(false, SLABS), price).as_deref(), net, "{price} net");
        assert_eq!(rate(&tax(true, SLABS), price).as_deref(), contained, "{price} with its tax");
    }
    let falling = tax(true, &[(None, Some("100"), "18"), (None, None, "12")]);
    assert_eq!(rate(&falling, "113.00").as_deref(), Some("18"), "of two that fit the lowest slab");
    assert_eq!(rate(&falling, "118.01").as_deref(), Some("12"));
}

/// Every price of a small range: the rate is the first whose exact net lies in its own slab.
#[test]
fn every_price_near_the_bounds() {
    let day = date(2027, 10, 15);
    let bounds = [(50_i64, 5_i64), (100, 12), (i64::MAX, 18)];
    let tax = tax(true, &[(None, Some("1.00"), "12"), (None, Some("0.50"), "5"), (None, None, "18")]);
    for minor in 0..200 {
        let mut low = -1;
        let expected = bounds.iter().find(|(high, percent)| {
            let net_times = |bound: i64| bound.checked_mul(100 + percent).unwrap_or(i64::MAX);
            let fits = minor * 100 > net_times(low) && minor * 100 <= net_times(*high);
            low = *high;
            fits
        });
        let rate = tax.rate(day, Money::from_minor(minor, "INR".parse().unwrap()));
        assert_eq!(rate.map(|p| p.to_string()), expected.map(|(_, percent)| percent.to_string()), "{minor}");
    }
}

/// The newest table on or before the business day counts, whole.
#[test]
fn dates() {
    let tax = tax(
        true,
        &[
            (Some("2027-07-01"), None, "5"),
            (Some("2027-01-01"), Some("100"), "12"),
            (Some("2027-01-01"), None, "18"),
            (Some("2028-01-01"), None, "9"),
        ],
    );
    for (day, percents) in [
        (date(2026, 12, 31), vec![]),
        (date(2027, 1, 1), vec!["12", "18"]),
        (date(2027, 6, 30), vec!["12", "18"]),
        (date(2027, 7, 1), vec!["5"]),
        (date(2030, 1, 1), vec!["9"]),
    ] {
        let found: Vec<String> = tax.slabs(day).iter().map(|Slab { percent, .. }| percent.to_string()).collect();
        assert_eq!(found, percents, "{day}");
    }
}

fn taxed(currency: &str, tax: ResolvedTax, price: &str) -> ResolvedPrices {
    ResolvedPrices { tax, ..list(currency, "0", &[("Seat", price)]) }
}

#[test]
fn case_47_net_prices() {
    let net = Tax { included: false, ..Tax::contained(id("tax"), "5.5".parse().unwrap()) };
    let net = ResolvedTax::new(&net, "EUR".parse().unwrap()).unwrap();
    let at = || taxed("EUR", net.clone(), "3.60");
    check(at(), &[0], "1 Seat 3.80, tax 5.5% 0.20", "3.80", "0.20", &["3.80"]);
    let eight = [0, 1, 2, 3, 4, 5, 6, 7];
    check(at(), &eight, "8 Seat 30.40, tax 5.5% 1.58", "30.40", "1.58", &["3.80"; 8]);
}

/// What is charged is what is written, not what could be built from a net price.
#[test]
fn case_48_gross_is_kept() {
    let priced = priced(&show(list("EUR", "21", &[("Seat", "14.89")])), &picks([0]));
    assert_eq!(lines_of(&priced.price), "1 Seat 14.89, tax 21% 2.58");
    assert_eq!(priced.price.total.minus(priced.price.tax).unwrap().digits(), "12.31");
    assert_eq!(priced.seats[0].tax.unwrap().amount.digits(), "2.58");
}

/// A fee on top of which its tax comes: per ticket on each, with a cap once for all.
#[test]
fn fees_without_their_tax() {
    let net = |mut fee: ResolvedFee| {
        let tax = Tax { included: false, ..Tax::contained(id("tax"), "18".parse().unwrap()) };
        fee.tax = ResolvedTax::new(&tax, "EUR".parse().unwrap()).unwrap();
        with_fee(list("EUR", "7", &[("Seat", "10.00")]), fee)
    };
    let three = "3 Seat 30.00, 3 fee 3.75, tax 7% 1.96, tax 18% 0.57";
    check(net(fee("EUR", FeePer::Ticket, "1.06", "0")), &[0, 1, 2], three, "33.75", "2.53", &["11.25"; 3]);
    let cap = Some(Money::parse("2.00", "EUR".parse().unwrap()).unwrap());
    let capped = ResolvedFee { cap_per_booking: cap, ..fee("EUR", FeePer::Ticket, "1.06", "0") };
    let three = "3 Seat 30.00, 3 fee 2.36, tax 7% 1.96, tax 18% 0.36";
    check(net(capped), &[0, 1, 2], three, "32.36", "2.32", &["10.79", "10.79", "10.78"]);
    let once = "3 Seat 30.00, 1 fee 1.25, tax 7% 1.96, tax 18% 0.19";
    check(
        net(fee("EUR", FeePer::Booking, "1.06", "0")),
        &[0, 1, 2],
        once,
        "31.25",
        "2.15",
        &["10.42", "10.42", "10.41"],
    );
}

/// Tickets on both sides of a bound pay their own rates; a fee between two slabs pays the upper.
#[test]
fn two_rates_in_one_booking() {
    let mut prices = list("INR", "0", &[("Cheap", "112.00"), ("Dear", "118.01")]);
    prices.tax = tax(true, SLABS);
    let mut between = fee("INR", FeePer::Ticket, "115.00", "0");
    between.tax = tax(true, SLABS);
    let lines = "1 Cheap 112.00, 1 Dear 118.01, 2 fee 230.00, tax 12% 12.00, tax 18% 53.08";
    check(with_fee(prices, between), &[0, 12], lines, "460.01", "65.08", &["227.00", "233.01"]);
}

/// The rate is that of the whole ticket before its discount: 14.00 is above the bound, what is left
/// of it is not.
#[test]
fn a_discount_does_not_change_the_rate() {
    let tax = tax(true, &[(None, Some("10"), "5"), (None, None, "20")]);
    let show = show(taxed("INR", tax, "14.00"));
    let promo = crate::promo::PromoCode {
        id: "X".into(),
        key: id("x"),
        off: crate::promo::Off::Amount(rupees("8.00")),
        per: crate::promo::OffPer::Ticket,
        max_uses: None,
        max_per_customer: None,
        budget: None,
        valid_from: None,
        valid_until: None,
        shows: Vec::new(),
        categories: Vec::new(),
    };
    let priced = quote(&PriceAsk { promo: Some(&promo), ..ask(&show) }, &picks([0])).unwrap();
    assert_eq!(lines_of(&priced.price), "1 Seat 14.00, discount -8.00, tax 20% 1.00");
}

#[test]
fn a_price_without_a_rate_is_an_error() {
    let show = show(taxed("INR", tax(true, SLABS), "115.00"));
    let error = quote(&ask(&show), &picks([0])).unwrap_err();
    assert_eq!(error.to_string(), "no rate of the tax `tax` fits a price of 115.00 INR on 2027-10-15");
}
