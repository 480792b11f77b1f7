//! The sales report as CSV (RFC 4180, UTF-8). Amounts have their currency's decimals; a text that a
//! spreadsheet would read as a formula gets an apostrophe before it.

use std::borrow::Cow;
use std::io::Write;

use boxoffice::report::sales::SalesRow;

pub mod bookings;

const HEADER: [&str; 16] = [
    "business_day",
    "theatre",
    "movie",
    "title",
    "screen",
    "ticket_type",
    "sold",
    "refunded",
    "admitted",
    "gross",
    "tax",
    "net",
    "fees",
    "charges",
    "goodwill",
    "currency",
];

/// Writes the header and the rows.
///
/// # Errors
/// `out` cannot be written.
pub fn write_csv(rows: &[SalesRow], out: impl Write) -> csv::Result<()> {
    let mut csv = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out);
    csv.write_record(HEADER)?;
    for row in rows {
        csv.write_record(cells(row).iter().map(|cell| &**cell))?;
    }
    csv.flush()?;
    Ok(())
}

fn cells(row: &SalesRow) -> Vec<Cow<'_, str>> {
    let text = |text| harmless(text);
    let count = |count: u32| Cow::Owned(count.to_string());
    let money = &row.money;
    vec![
        Cow::Owned(row.business_day.to_string()),
        text(row.theatre.as_str()),
        text(row.movie.as_str()),
        text(&row.title),
        text(row.screen.as_str()),
        text(&row.ticket_type),
        count(row.sold),
        count(row.refunded),
        count(row.admitted),
        Cow::Owned(money.gross.digits()),
        Cow::Owned(money.tax.digits()),
        Cow::Owned(money.net.digits()),
        Cow::Owned(money.fees.digits()),
        Cow::Owned(money.charges.digits()),
        Cow::Owned(money.goodwill.digits()),
        Cow::Borrowed(money.gross.currency().code()),
    ]
}

/// No spreadsheet reads it as a formula.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use boxoffice::id::CatalogueId;
    use boxoffice::money::Money;
    use boxoffice::report::sales::Takings;
    use jiff::civil::date;

    use super::*;

    fn row(title: &str, currency: &str) -> SalesRow {
        let id = |text: &str| CatalogueId::new(text).expect("an id");
        let money = |minor| Money::from_minor(minor, currency.parse().expect("a currency"));
        SalesRow {
            business_day: date(2027, 6, 12),
            theatre: id("kino"),
            movie: id("movie"),
            title: title.to_owned(),
            screen: id("screen"),
            ticket_type: "standard".into(),
            sold: 3,
            refunded: 1,
            admitted: 2,
            money: Takings {
                gross: money(2_740),
                net: money(2_336),
                fees: money(202),
                tax: money(202),
                charges: money(0),
                goodwill: money(5),
            },
        }
    }

    fn written(title: &str, currency: &str) -> String {
        let mut out = Vec::new();
        write_csv(&[row(title, currency)], &mut out).expect("written");
        let text = String::from_utf8(out).expect("UTF-8");
        text.split("\r\n").nth(1).expect("a row").to_owned()
    }

    #[test]
    fn amounts_have_their_currencys_decimals() {
        let ends = |currency, expected: &str| {
            let row = written("Film", currency);
            assert!(row.ends_with(expected), "{row}");
        };
        ends("EUR", ",3,1,2,27.40,2.02,23.36,2.02,0.00,0.05,EUR");
        ends("JPY", ",3,1,2,2740,202,2336,202,0,5,JPY");
        ends("KWD", ",3,1,2,2.740,0.202,2.336,0.202,0.000,0.005,KWD");
    }

    #[test]
    fn no_cell_is_a_formula_and_every_text_survives() {
        for (title, cell) in [
            ("=1+1", ",'=1+1,"),
            ("+1", ",'+1,"),
            ("-1", ",'-1,"),
            ("@cmd", ",'@cmd,"),
            ("\tTab", ",'\tTab,"),
            ("\rReturn", ",\"'\rReturn\","),
            ("A, \"B\"", ",\"A, \"\"B\"\"\","),
            ("Größe 映画", ",Größe 映画,"),
            ("1 = 1", ",1 = 1,"),
        ] {
            let row = written(title, "EUR");
            assert!(row.contains(cell), "{title:?}: {row:?}");
        }
    }
}
