//! Reading, writing, splitting and rounding of money, in currencies with 0, 2 and 3 decimals.

use proptest::prelude::*;

use super::{Currency, Money, MoneyError, Percent};

fn currency(code: &str) -> Currency {
    code.parse().unwrap()
}

#[track_caller]
fn check_parse(text: &str, code: &str, expected: Result<i64, &str>) {
    let read = Money::parse(text, currency(code));
    match expected {
        Ok(minor) => assert_eq!(read, Ok(Money::from_minor(minor, currency(code))), "{text} {code}"),
        Err(why) => assert_eq!(read.unwrap_err().to_string(), why, "{text} {code}"),
    }
}

#[test]
fn parse() {
    check_parse("12.50", "EUR", Ok(1250));
    check_parse("12.5", "EUR", Ok(1250));
    check_parse("12.500", "EUR", Ok(1250));
    check_parse("0", "EUR", Ok(0));
    check_parse("-3.20", "EUR", Ok(-320));
    check_parse("1900", "JPY", Ok(1900));
    check_parse("1.234", "KWD", Ok(1234));
    check_parse("92233720368547758.07", "EUR", Ok(i64::MAX));
    check_parse("92233720368547758.08", "EUR", Err("the amount is too large"));
    check_parse("12.505", "EUR", Err("`12.505` has more decimals than EUR has (2)"));
    for text in ["", ".", "12.", ".5", "1,50", "1e3", "+1", "--1", " 1", "1 ", "0x1", "١", "1.2.3"] {
        check_parse(text, "EUR", Err(&format!("`{text}` is not an amount: write digits with a point, such as 12.50")));
    }
}

#[test]
fn case_44_a_yen_price_with_decimals_is_refused() {
    check_parse("1900.50", "JPY", Err("`1900.50` has more decimals than JPY has (0)"));
}

#[test]
fn digits() {
    for (minor, code, text) in [
        (1370, "EUR", "13.70"),
        (5, "EUR", "0.05"),
        (-5, "EUR", "-0.05"),
        (4000, "JPY", "4000"),
        (1234, "KWD", "1.234"),
        (i64::MIN, "JPY", "-9223372036854775808"),
    ] {
        assert_eq!(Money::from_minor(minor, currency(code)).digits(), text);
    }
}

#[test]
fn currencies() {
    for (code, decimals) in [("JPY", Some(0)), ("EUR", Some(2)), ("KWD", Some(3)), ("XAU", None), ("eur", None)] {
        assert_eq!(code.parse().ok().map(Currency::decimals), decimals, "{code}");
    }
}

#[test]
fn sums_are_checked() {
    let (euro, yen) = (currency("EUR"), currency("JPY"));
    let (most, one) = (Money::from_minor(i64::MAX, euro), Money::from_minor(1, euro));
    assert_eq!(most.plus(one), Err(MoneyError::Overflow));
    assert_eq!(Money::from_minor(i64::MIN, euro).minus(one), Err(MoneyError::Overflow));
    assert_eq!(most.times(2), Err(MoneyError::Overflow));
    assert_eq!(one.plus(yen.zero()), Err(MoneyError::CurrencyMismatch(euro, yen)));
    assert_eq!(Money::sum(euro, [one, one, one]), Ok(Money::from_minor(3, euro)));
}

#[test]
fn percents_round_half_away_from_zero() {
    let of = |percent: &str, minor| {
        percent.parse::<Percent>().unwrap().of(Money::from_minor(minor, currency("EUR"))).unwrap().minor()
    };
    for (percent, minor, expected) in
        [("50", 1, 1), ("50", -1, -1), ("2.5", 100, 3), ("2.5", 99, 2), ("0", 999, 0), ("100", 999, 999)]
    {
        assert_eq!(of(percent, minor), expected, "{percent} % of {minor}");
    }
    let contained = |percent: &str, minor| {
        percent.parse::<Percent>().unwrap().contained_in(Money::from_minor(minor, currency("EUR"))).unwrap().minor()
    };
    for (percent, minor, expected) in
        [("7", 2500, 164), ("19", 240, 38), ("21", 1489, 258), ("5.5", 3040, 158), ("0", 500, 0), ("100", 1, 1)]
    {
        assert_eq!(contained(percent, minor), expected, "{percent} % in {minor}");
    }
    for text in ["-1", "1001", "7%", "", "1e1"] {
        assert_eq!(text.parse::<Percent>(), Err(MoneyError::NotAPercentage(text.into())));
    }
}

#[test]
fn split_by_largest_remainder() {
    let split = |minor, weights: &[u64]| {
        let parts = Money::from_minor(minor, currency("EUR")).split(weights);
        parts.into_iter().map(Money::minor).collect::<Vec<_>>()
    };
    for (minor, weights, parts) in [
        (100, &[1, 1, 1][..], &[34, 33, 33][..]),
        (-100, &[1, 1, 1], &[-34, -33, -33]),
        (100, &[0, 0], &[50, 50]),
        (10, &[1, 2, 4], &[1, 3, 6]),
        (5, &[0, 1], &[0, 5]),
        (7, &[], &[]),
        (i64::MAX, &[u64::MAX, u64::MAX], &[i64::MAX / 2 + 1, i64::MAX / 2]),
    ] {
        assert_eq!(split(minor, weights), parts, "{minor} by {weights:?}");
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(minor in any::<i64>(), code in prop::sample::select(vec!["JPY", "EUR", "KWD"])) {
        let money = Money::from_minor(minor, currency(code));
        prop_assert_eq!(Money::parse(&money.digits(), money.currency()), Ok(money));
    }

    #[test]
    fn parts_add_up_and_stay_near(minor in any::<i64>(), weights in prop::collection::vec(0_u64..1_000_000, 1..20)) {
        let money = Money::from_minor(minor, currency("EUR"));
        let parts = money.split(&weights);
        prop_assert_eq!(Money::sum(money.currency(), parts.iter().copied()), Ok(money));
        let total: i128 = weights.iter().map(|w| i128::from(*w)).sum();
        for (part, weight) in parts.iter().zip(&weights).filter(|_| total > 0) {
            let off = i128::from(part.minor()) * total - i128::from(minor) * i128::from(*weight);
            prop_assert!(off.abs() < total, "a part is off by a whole minor unit");
        }
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = (Money::parse(&text, currency("EUR")), text.parse::<Percent>(), text.parse::<Currency>());
    }
}
