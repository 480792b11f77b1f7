//! What is said about a mistake: the place, what is wrong, what to write instead.

use super::{STANDARD, changed, lines, read_one};

#[track_caller]
fn check_error(from: &str, to: &str, said: &str) {
    let errors = changed(from, to).map(|_| ()).expect_err(to);
    assert_eq!(lines(&errors), [said], "{to}");
}

#[test]
fn mistakes_in_places() {
    for (from, to, said) in [
        (
            "timezone = \"Europe/Berlin\"",
            "timezone = \"Europe/Bärlin\"",
            "a.toml:8: theatres[0].timezone: `Europe/Bärlin` is no time zone; write a name such as `Europe/Berlin`",
        ),
        (
            "country = \"DE\"",
            "country = \"Germany\"",
            "a.toml:7: theatres[0].country: is no country code; write two capitals such as `DE`",
        ),
        ("city = \"Berlin\"", "town = \"Berlin\"", "a.toml:3: theatres[0].city: is missing; it must be given"),
        (
            "currency = \"EUR\"\n\n[[layouts]]",
            "currency = \"XXL\"\n\n[[layouts]]",
            "a.toml:9: theatres[0].currency: `XXL` is not an ISO 4217 currency code; write one such as `EUR`",
        ),
        (
            "city = \"Berlin\"",
            "city = \"Berlin\"\ncleanning = \"5m\"",
            "a.toml:7: theatres[0].cleanning: there is no such field; did you mean `cleaning`?",
        ),
        (
            "city = \"Berlin\"",
            "city = \"Berlin\"\ntrailers = \"-5m\"",
            "a.toml:7: theatres[0].trailers: is no duration; write hours, minutes or seconds such as `24h`, `2h30m` or `90s`",
        ),
        (
            "name = \"Hall 1\"",
            "name = {}",
            "a.toml:30: screens[0].name: is empty; give the text in one language at least",
        ),
        (
            "theatre = \"kino-am-markt\"",
            "theatre = \"kino-am-mark\"",
            "a.toml:29: screens[0].theatre: `kino-am-mark` is not in `theatres`, neither in the files nor in the store; did you mean `kino-am-markt`?",
        ),
        (
            "categories = { S = \"Standard\" }",
            "file = \"hall.json\"",
            "a.toml:14: layouts[0].rows: `file` gives the hall already; leave one of the two away",
        ),
        (
            "  \"C SSSS.SSSS.SSSS\",",
            "  \"C SSSS.SSSX.SSSS\",",
            "a.toml:17: layouts[0].rows[2]: row 3 (`C`), cell character 9: `X` is no category's key; add it to the categories, or write `.` for an aisle, `_` for a missing seat",
        ),
    ] {
        match changed(from, to) {
            Ok(_) => panic!("{to} is let through"),
            Err(errors) => assert!(lines(&errors).contains(&said.to_owned()), "{to}: {:#?}", lines(&errors)),
        }
    }
}

#[test]
fn mistakes_in_prices() {
    for (from, to, said) in [
        (
            "percent = \"7\"",
            "percent = \"7%\"",
            "a.toml:42: taxes[0].percent: `7%` is not a percentage: write digits with a point, such as 7 or 5.5",
        ),
        ("percent = \"7\"", "percent = 107", "a.toml:42: taxes[0].percent: is more than 100 percent"),
        ("percent = \"7\"", "included = true", "a.toml:40: taxes[0].percent: is missing; give a `percent` or `rates`"),
        (
            "percent = \"7\"",
            "percent = 7\nrates = [{ percent = 5 }]",
            "a.toml:42: taxes[0].percent: stands beside `rates`; give one of the two",
        ),
        (
            "percent = \"7\"",
            "rates = [{ up_to = 10, percent = 5 }, { from = \"2027-01-01\", percent = 7 }]",
            "a.toml:42: taxes[0].rates: have none without `up_to` among the rates without `from`; say what the dearest tickets pay",
        ),
        (
            "percent = \"7\"",
            "rates = [{ from = \"2027-01-01\", percent = 5 }, { from = 2027-01-01, percent = 7 }]",
            "a.toml:42: taxes[0].rates: have one bound twice among the rates from 2027-01-01",
        ),
        (
            "percent = \"7\"",
            "rates = [{ from = \"2027-06-13\", percent = 7 }]",
            "a.toml:71: shows[0].price_list: the tax `cinema` has no rate on 2027-06-12",
        ),
        (
            "percent = \"7\"",
            "rates = [{ up_to = \"10.005\", percent = 5 }, { percent = 7 }]",
            "a.toml:55: price_lists[0]: the tax `cinema` does not fit price list `regular`: `10.005` has more decimals than EUR has (2)",
        ),
        (
            "per = \"ticket\"",
            "per = \"seat\"",
            "a.toml:51: fees[0].per: `seat` is not known; write `ticket` or `booking`",
        ),
        (
            "amount = \"1.20\"",
            "amount = \"1.20\"\npercent = 3",
            "a.toml:53: fees[0].percent: stands beside `amount`; give one of the two",
        ),
        (
            "amount = \"1.20\"",
            "refundable = true",
            "a.toml:48: fees[0].amount: is missing; give an `amount` or a `percent`",
        ),
        (
            "amount = \"1.20\"",
            "amount = \"-1.20\"",
            "a.toml:52: fees[0].amount: `-1.20` is not an amount: write digits with a point, such as 12.50",
        ),
        (
            "amount = \"1.20\"",
            "amount = \"1.205\"",
            "a.toml:48: fees[0]: the fee `booking-fee` does not fit price list `regular`: `1.205` has more decimals than EUR has (2)",
        ),
        (
            "Standard = \"12.50\"",
            "Standard = \"12.505\"",
            "a.toml:59: price_lists[0].prices.Standard: `12.505` has more decimals than EUR has (2)",
        ),
        (
            "Standard = \"12.50\"",
            "Standard = { standard = \"12.50\", child = \"8\" }",
            "a.toml:59: price_lists[0].prices.Standard.child: `child` is not in `ticket_types`, neither in the files nor in the store",
        ),
        (
            "Standard = \"12.50\"",
            "Standart = \"12.50\"",
            "a.toml:71: shows[0].price_list: the price list `regular` has no price for `Standard`, which the layout `hall-1` has",
        ),
        (
            "fees = [\"booking-fee\"]",
            "fees = [\"booking-fees\"]",
            "a.toml:60: price_lists[0].fees[0]: `booking-fees` is not in `fees`, neither in the files nor in the store; did you mean `booking-fee`?",
        ),
        (
            "Standard = \"12.50\"",
            "Standard = { }",
            "a.toml:59: price_lists[0].prices.Standard: is empty; give one price at least",
        ),
        (
            "fees = [\"booking-fee\"]",
            "surcharges = [{ id = \"x\", name = \"X\", when = { format = \"3D\" }, amount = \"-1\" }]",
            "a.toml:60: price_lists[0].surcharges[0].amount: `-1` is not an amount: write digits with a point, such as 12.50",
        ),
        (
            "fees = [\"booking-fee\"]",
            "surcharges = [{ id = \"x\", name = \"X\", when = { }, amount = \"1\" }]",
            "a.toml:60: price_lists[0].surcharges[0].when.days: is missing; give one condition at least, such as `days = [\"tue\"]`: what always counts stands in the list itself",
        ),
        (
            "fees = [\"booking-fee\"]",
            "cards = [{ id = \"x\", when = { days = [\"tue\"] }, prices = { Lounge = \"9\" } }]",
            "a.toml:60: price_lists[0].cards[0].prices: `Lounge` has no price in the list itself; add one there or correct the name",
        ),
        (
            "fees = [\"booking-fee\"]",
            "cards = [{ id = \"x\", when = { days = [\"tuesday\"] }, prices = { Standard = \"9\" } }]",
            "a.toml:60: price_lists[0].cards[0].when.days[0]: `tuesday` is not known; write `mon` or `tue` or `wed` or `thu` or `fri` or `sat` or `sun`",
        ),
        (
            "fees = [\"booking-fee\"]",
            "cards = [{ id = \"x\", when = { days = [\"tue\"], form = \"3d\" }, prices = { Standard = \"9\" } }]",
            "a.toml:60: price_lists[0].cards[0].when.form: there is no such field; did you mean `from`?",
        ),
        (
            "{ before = \"2h\", percent = 50 }",
            "{ before = \"48h\", percent = 50 }",
            "a.toml:64: refund_policies[0].tiers: are not in order; write the longest `before` first, each once",
        ),
    ] {
        check_error(from, to, said);
    }
    let gap = changed("percent = \"7\"", "rates = [{ up_to = \"10.50\", percent = 5 }, { percent = 25 }]");
    let gap_said = [
        "a.toml:55: price_lists[0]: `Standard` for `standard` at 12.50 EUR has no rate of the tax `cinema`: with each rate its net price lies outside that rate's slab; change the price",
        "a.toml:71: shows[0].price_list: the price list `regular` cannot be used: no rate of the tax `cinema` fits a price of 12.50 EUR on 2027-06-12",
    ];
    assert_eq!(lines(&gap.unwrap_err()), gap_said);
    let yen = STANDARD.replace("currency = \"EUR\"", "currency = \"JPY\"").replace("1.20", "100");
    let errors = read_one(&yen.replace("12.50", "1900.50")).unwrap_err();
    let case_44 = "a.toml:59: price_lists[0].prices.Standard: `1900.50` has more decimals than JPY has (0)";
    assert_eq!(lines(&errors), [case_44]);
    assert!(read_one(&yen.replace("12.50", "1900")).is_ok());
    let other_currency = STANDARD.replacen("currency = \"EUR\"", "currency = \"CHF\"", 1);
    let said = "a.toml:71: shows[0].price_list: the price list `regular` is in EUR, but the theatre `kino-am-markt` sells in CHF";
    assert_eq!(lines(&read_one(&other_currency).unwrap_err()), [said]);
}

#[test]
fn mistakes_in_conditions() {
    let card = |when: &str| {
        let card = format!("cards = [{{ id = \"x\", when = {{ {when} }}, prices = {{ Standard = \"9\" }} }}]");
        changed("fees = [\"booking-fee\"]", &card).map(|(import, _)| import).map_err(|errors| lines(&errors).join("\n"))
    };
    for (when, said) in [
        ("dates = [\"2027-06\"]", "dates[0]: is no date; write one such as `2027-06-12`"),
        ("from = \"17:00\", until = \"17:00\"", "until: is the same time as `from`; no show would start between them"),
        ("from = \"5 pm\"", "from: is no time of day; write one such as `05:00`"),
        ("runtime_from_min = 0", "runtime_from_min: must be a whole number from 1 to 1440, without quotes"),
        ("sold_from_percent = 101", "sold_from_percent: is more than 100 percent"),
        (
            "bought_before = \"2027-06-01\"",
            "bought_before: is neither a local time such as `2027-06-01T18:00` nor a time before the start such as `48h`",
        ),
        (
            "bought_before = \"2027-06-01T18:00+02:00\"",
            "bought_before: has an offset; write the time on the theatre's clocks, without one",
        ),
    ] {
        assert_eq!(card(when).map(|_| ()), Err(format!("a.toml:60: price_lists[0].cards[0].when.{said}")), "{when}");
    }
    for when in [
        "dates = [2027-06-12, \"2027-06-13\"]",
        "from = \"22:00\", until = \"02:00\"",
        "until = 17:00:00",
        "sold_from_percent = 80",
        "bought_before = \"48h\"",
        "bought_before = 2027-06-01T18:00:00",
    ] {
        assert!(card(when).is_ok(), "{when}: {:?}", card(when).map(|_| ()));
    }
}

#[test]
fn mistakes_in_promo_codes() {
    for (fields, said) in [
        ("percent = 10\nmax_uses = 0", ".max_uses: must be a whole number from 1 to 4294967295, without quotes"),
        (
            "percent = 10\nmax_per_customer = 0",
            ".max_per_customer: must be a whole number from 1 to 4294967295, without quotes",
        ),
        ("amount = 5", ".amount: needs a `currency` beside it"),
        ("percent = 10\nbudget = 500", ".budget: needs a `currency` beside it"),
        ("amount = 5\npercent = 10\ncurrency = \"EUR\"", ".percent: stands beside `amount`; give one of the two"),
        ("percent = 10\nvalid_from = 2027-06-02\nvalid_until = 2027-06-01", ".valid_until: is before `valid_from`"),
    ] {
        let text = format!("{STANDARD}\n[[promo_codes]]\nid = \"x\"\nper = \"booking\"\n{fields}\n");
        let errors = lines(&read_one(&text).unwrap_err());
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].ends_with(&format!("promo_codes[0]{said}")), "{}", errors[0]);
    }
}

#[test]
fn mistakes_in_shows() {
    let not_now = "there is no such field";
    for (to, said) in [
        ("max_seats = 0", "a.toml:73: shows[0].max_seats: must be a whole number from 1 to 10000, without quotes"),
        ("max_seats = \"8\"", "a.toml:73: shows[0].max_seats: must be a whole number from 1 to 10000, without quotes"),
        ("hold = \"61m\"", "a.toml:73: shows[0].hold: must be from `1m` to `60m`"),
        ("hold = \"59s\"", "a.toml:73: shows[0].hold: must be from `1m` to `60m`"),
        (
            "web_closes = \"soon\"",
            "a.toml:73: shows[0].web_closes: is no duration; write one such as `30m`, or `-30m` for before the start",
        ),
        (
            "late_payment = \"keep\"",
            "a.toml:73: shows[0].late_payment: `keep` is not known; write `reclaim` or `refund`",
        ),
        (
            "sales_open = \"2027-06-01\"",
            "a.toml:73: shows[0].sales_open: is no local time; write one such as `2027-06-12T20:00`",
        ),
        ("seat_rules = [\"no-single\"]", &format!("a.toml:73: shows[0].seat_rules: {not_now}")),
        ("[[promo_code]]\nid = \"x\"", &format!("a.toml:73: promo_code: {not_now}; did you mean `promo_codes`?")),
        ("[[show]]\nid = \"x\"", &format!("a.toml:73: show: {not_now}; did you mean `shows`?")),
        (
            "[[shows]]\nid = \"show-1\"\nmovie = \"night-train\"\nscreen = \"markt-1\"\nstarts_at = \"2027-06-13T20:00\"\nprice_list = \"regular\"\nrefund_policy = \"standard\"",
            "a.toml:74: shows[1].id: this id is given twice, first in a.toml:66 (shows[0])",
        ),
    ] {
        check_error("max_seats = 8", to, said);
    }
}

/// Berlin's clocks go forward on 2027-03-28 and back on 2027-10-31.
#[test]
fn starts() {
    let starts = |written: &str| {
        let read = changed("starts_at = \"2027-06-12T20:00\"", &format!("starts_at = {written}"));
        read.map(|(import, _)| import.shows[0].starts_at.to_string()).map_err(|errors| lines(&errors).join("\n"))
    };
    for (written, instant) in [
        ("\"2027-06-12T20:00\"", "2027-06-12T18:00:00Z"),
        ("2027-06-12T20:00:00", "2027-06-12T18:00:00Z"),
        ("\"2027-06-12T20:00+02:00\"", "2027-06-12T18:00:00Z"),
        ("2027-06-12T18:00:00Z", "2027-06-12T18:00:00Z"),
        ("\"2027-10-31T02:30\"\nstarts_at_fold = 0", "2027-10-31T00:30:00Z"),
        ("\"2027-10-31T02:30\"\nstarts_at_fold = 1", "2027-10-31T01:30:00Z"),
        ("\"2027-10-31T02:30+02:00\"", "2027-10-31T00:30:00Z"),
        ("\"2027-10-31T02:30+01:00\"", "2027-10-31T01:30:00Z"),
    ] {
        assert_eq!(starts(written).as_deref(), Ok(instant), "{written}");
    }
    for (written, said) in [
        ("\"2027-03-28T02:30\"", "does not exist in Europe/Berlin: the clocks go forward over it; choose another time"),
        (
            "\"2027-10-31T02:30\"",
            "occurs twice in Europe/Berlin, as the clocks go back; add its offset, or `starts_at_fold = 0` for the first, 1 for the second",
        ),
        ("\"2027-06-12T20:00\"\nstarts_at_fold = 1", "occurs only once in Europe/Berlin; leave `starts_at_fold` out"),
        ("\"2027-06-12T20:00+02:00\"\nstarts_at_fold = 1", "has an offset; leave `starts_at_fold` out"),
        (
            "\"2027-06-12T20:00+01:00\"",
            "has an offset that the theatre's clocks do not have then; leave the offset out",
        ),
        (
            "\"2027-03-28T02:30+01:00\"",
            "has an offset that the theatre's clocks do not have then; leave the offset out",
        ),
        ("\"2027-06-12\"", "is no local time; write one such as `2027-06-12T20:00`"),
        ("\"2027-06-31T20:00\"", "is no local time; write one such as `2027-06-12T20:00`"),
        ("20", "is a number; write a text in quotes"),
    ] {
        assert_eq!(starts(written), Err(format!("a.toml:70: shows[0].starts_at: {said}")), "{written}");
    }
}

#[test]
fn all_mistakes_are_told_at_once() {
    let text = STANDARD
        .replace("118", "0")
        .replace("country = \"DE\"", "country = 5")
        .replace("tax = \"cinema\"", "tax = \"c\"");
    let text = text.replace("max_seats = 8", "max_seats = 8\n[defaults]\nhold = \"2h\"\naudio = \"German\"\nid_ = 1");
    assert_eq!(
        lines(&read_one(&text).unwrap_err()),
        [
            "a.toml:7: theatres[0].country: is a number; write a text in quotes",
            "a.toml:37: movies[0].runtime_min: must be a whole number from 1 to 1440, without quotes",
            "a.toml:58: price_lists[0].tax: `c` is not in `taxes`, neither in the files nor in the store",
            "a.toml:75: defaults.hold: must be from `1m` to `60m`",
            "a.toml:76: defaults.audio: is no language tag; write one such as `en` or `pt-BR`",
            "a.toml:77: defaults.id_: there is no such field; did you mean `id`?",
        ]
    );
    let broken = read_one("[[movies]]\nid = \"a\nid = 3 4\n").unwrap_err();
    assert!(broken.len() > 1 && broken[0].line == Some(2), "{broken:?}");
}
