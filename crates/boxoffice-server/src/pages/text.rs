//! Money, times and counts as English readers write them.

use boxoffice::money::Money;
use boxoffice::time::Timestamp;
use jiff::ZonedDateTime;
use jiff::civil::Date;

/// `€13.70`, `¥4,000`; a currency without a sign that everybody knows by its code, `CHF 12.50`.
#[must_use]
pub fn money(money: Money) -> String {
    let digits = money.digits();
    let (minus, digits) = digits.strip_prefix('-').map_or(("", digits.as_str()), |rest| ("\u{2212}", rest));
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(w, f)| (w, Some(f)));
    let mut number = grouped(whole);
    if let Some(fraction) = fraction {
        number.push('.');
        number.push_str(fraction);
    }
    let currency = money.currency();
    match currency.code() {
        "EUR" | "GBP" | "INR" | "JPY" | "USD" => format!("{minus}{}{number}", currency.sign()),
        code => format!("{minus}{code}\u{a0}{number}"),
    }
}

/// Digits in groups of three from the right.
fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `20:00`.
#[must_use]
pub fn clock(at: &ZonedDateTime) -> String {
    at.strftime("%H:%M").to_string()
}

/// `CEST`; `+03` where the zone has no letters.
#[must_use]
pub fn zone(at: &ZonedDateTime) -> String {
    at.strftime("%Z").to_string()
}

/// `Saturday, 12 June 2027`.
#[must_use]
pub fn long_date(date: Date) -> String {
    date.strftime("%A, %-d %B %Y").to_string()
}

/// `Sat 12 Jun`.
#[must_use]
pub fn short_date(date: Date) -> String {
    date.strftime("%a %-d %b").to_string()
}

/// `1 seat`, `3 seats`.
#[must_use]
pub fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// What is left until a deadline, in words: whole minutes, rounded up so that nobody is told 0
/// while time is left.
#[must_use]
pub fn time_left(now: Timestamp, deadline: Timestamp) -> String {
    let left = (deadline - now).as_ms().max(0);
    if left < 60_000 {
        return "less than a minute".to_owned();
    }
    let minutes = usize::try_from(left.saturating_add(59_999) / 60_000).unwrap_or(usize::MAX);
    count(minutes, "minute", "minutes")
}

/// `1 h 58 min`, `45 min`.
#[must_use]
pub fn runtime(minutes: u32) -> String {
    let (hours, minutes) = (minutes / 60, minutes % 60);
    match (hours, minutes) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

/// `A1`; `A1 and A2`; `A1, A2 and A3`.
#[must_use]
pub fn list<S: AsRef<str>>(items: &[S]) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [most @ .., last] => {
            let most: Vec<&str> = most.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", most.join(", "), last.as_ref())
        }
    }
}

/// The English name of a language of the catalogue; its code where we know no better.
#[must_use]
pub fn language(code: &str) -> &str {
    match code.split('-').next().unwrap_or(code) {
        "ar" => "Arabic",
        "bn" => "Bengali",
        "cs" => "Czech",
        "da" => "Danish",
        "de" => "German",
        "el" => "Greek",
        "en" => "English",
        "es" => "Spanish",
        "fa" => "Persian",
        "fi" => "Finnish",
        "fr" => "French",
        "he" => "Hebrew",
        "hi" => "Hindi",
        "hu" => "Hungarian",
        "it" => "Italian",
        "ja" => "Japanese",
        "ko" => "Korean",
        "ml" => "Malayalam",
        "mr" => "Marathi",
        "nl" => "Dutch",
        "no" => "Norwegian",
        "pl" => "Polish",
        "pt" => "Portuguese",
        "ru" => "Russian",
        "sv" => "Swedish",
        "ta" => "Tamil",
        "te" => "Telugu",
        "tr" => "Turkish",
        "uk" => "Ukrainian",
        "zh" => "Chinese",
        _ => code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_written_with_its_sign_and_groups() {
        let cases = [
            (1_370, "EUR", "€13.70"),
            (24_000, "INR", "₹240.00"),
            (4_000, "JPY", "¥4,000"),
            (123_456_789, "USD", "$1,234,567.89"),
            (12_500, "KWD", "KWD\u{a0}12.500"),
            (1_250, "CHF", "CHF\u{a0}12.50"),
            (-5, "EUR", "\u{2212}€0.05"),
            (100_000, "JPY", "¥100,000"),
        ];
        for (minor, currency, text) in cases {
            assert_eq!(money(Money::from_minor(minor, currency.parse().unwrap())), text);
        }
    }

    #[test]
    fn time_left_is_rounded_up_to_minutes() {
        let cases = [
            (0, "less than a minute"),
            (59_999, "less than a minute"),
            (60_000, "1 minute"),
            (60_001, "2 minutes"),
            (600_000, "10 minutes"),
            (-5, "less than a minute"),
        ];
        let now = Timestamp::from_ms(1_000);
        for (ms, text) in cases {
            assert_eq!(time_left(now, Timestamp::from_ms(1_000 + ms)), text, "{ms}");
        }
    }

    #[test]
    fn lists_and_counts_are_words() {
        assert_eq!(list(&["F7", "F8", "F9"]), "F7, F8 and F9");
        assert_eq!(list(&["F7"]), "F7");
        assert_eq!(list::<&str>(&[]), "");
        assert_eq!(count(1, "seat", "seats"), "1 seat");
        assert_eq!(runtime(118), "1 h 58 min");
        assert_eq!(runtime(60), "1 h");
        assert_eq!(language("de-CH"), "German");
    }
}
