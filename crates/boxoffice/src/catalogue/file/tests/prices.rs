//! Price lists in full: what is read, and what a show can come to.

use super::{STANDARD, lines, read_one, show};
use crate::catalogue::timetable::conflicts;
use crate::catalogue::{Catalogue, Import};
use crate::prices::BoughtBefore;
use crate::pricing::tests::standing_prices;
use crate::promo::{Off, OffPer};
use crate::time::Span;

/// The standard fixture with a child's price, an early price, a surcharge and a code.
fn full() -> String {
    let types = "[[ticket_types]]\nid = \"child\"\nname = { de = \"Kind\", en = \"Child\" }\nproof = \"Under 12\"\n\n[[taxes]]\nid = \"cinema\"";
    let list = "prices = { Standard = { standard = \"12.50\", child = \"9.00\" } }\n\
        cards = [{ id = \"early\", when = { bought_before = \"48h\" }, prices = { Standard = { child = 8 } } }]\n\
        surcharges = [{ id = \"3d\", name = \"3D\", when = { format = \"3D\" }, amount = \"3.00\" }]";
    let code = "[[promo_codes]]\nid = \"Spring 24\"\namount = \"5.00\"\ncurrency = \"EUR\"\nper = \"booking\"\nmax_uses = 100\n\
        max_per_customer = 1\nbudget = \"500.00\"\nvalid_from = 2027-03-01\nvalid_until = \"2027-05-31\"\nshows = [\"show-1\"]\ncategories = [\"Standard\"]\n";
    STANDARD
        .replacen("[[taxes]]\nid = \"cinema\"", types, 1)
        .replace("prices = { Standard = \"12.50\" }", list)
        .replace("max_seats = 8", "max_seats = 8\nformat = \"3D\"")
        + code
}

#[test]
fn everything_a_price_list_can_say() {
    let (import, warnings) = read_one(&full()).unwrap();
    assert_eq!(warnings, []);
    let list = &import.price_lists[0];
    assert_eq!(list.cards[0].when.bought_before, Some(BoughtBefore::Start(Span::from_mins(48 * 60))));
    let prices = standing_prices(&show(&import, "show-1")).unwrap();
    let told: Vec<String> = prices.iter().map(|p| format!("{} {} {}", p.type_name, p.face, p.total)).collect();
    assert_eq!(told, ["Standard 15.50 EUR 16.70 EUR", "Child 11.00 EUR 12.20 EUR"]);
    let code = &import.promo_codes[0];
    assert_eq!((code.id.as_str(), code.key.as_str(), code.per), ("Spring 24", "spring24", OffPer::Booking));
    assert!(matches!(code.off, Off::Amount(amount) if amount.minor() == 500));
    assert_eq!((code.max_uses, code.max_per_customer), (Some(100), Some(1)));
    let json: Vec<crate::promo::PromoCode> =
        serde_json::from_value(serde_json::to_value(&import.promo_codes).unwrap()).unwrap();
    assert_eq!(json, import.promo_codes);
}

/// The example of the documentation imports as it stands there.
#[test]
fn the_documented_example() {
    let page = include_str!("../../../../../../docs/catalogue.md");
    let example = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let (import, _) = read_one(example).unwrap();
    assert_eq!((import.shows.len(), import.promo_codes.len()), (1 + 3 * 7 - 1, 1));
    let faces = |id: &str| {
        let prices = standing_prices(&show(&import, id)).unwrap();
        prices.iter().map(|p| format!("{} {} {}", p.category, p.ticket_type, p.face.digits())).collect::<Vec<_>>()
    };
    assert_eq!(faces("premiere"), ["Parkett standard 12.50", "Parkett child 11.00", "Loge standard 17.50"]);
    assert_eq!(faces("june/2027-06-15/20:00"), ["Parkett standard 9.50", "Parkett child 8.00", "Loge standard 14.50"]);
}

/// A tax of 12 % up to 10.00 net and 18 % above: nothing from 11.21 to 11.80 has a rate. Only a show
/// that can come to such a price is refused.
#[test]
fn a_surcharge_leads_into_a_gap() {
    let list = |surcharges: &str| {
        let rates = "rates = [{ up_to = 10, percent = 12 }, { percent = 18 }]";
        let surcharges = format!("prices = {{ Standard = \"10.00\" }}\nsurcharges = [{surcharges}]");
        STANDARD
            .replacen("percent = \"7\"", rates, 1)
            .replace("prices = { Standard = \"12.50\" }", &surcharges)
            .replace("max_seats = 8", "max_seats = 8\nformat = \"3D\"")
    };
    let one = |when: &str, amount: &str| {
        format!("{{ id = \"s\", name = \"S\", when = {{ {when} }}, amount = \"{amount}\" }}")
    };
    let late = one("sold_from_percent = 50", "1.00");
    let later = one("sold_from_percent = 80", "2.00");
    let gap = "a.toml:72: shows[0].price_list: the price list `regular` cannot be used: no rate of the tax `cinema` fits a price of 11.50 EUR on 2027-06-12";
    for (surcharges, refused) in [
        (one("format = \"3D\"", "1.50"), true),
        (one("format = \"2D\"", "1.50"), false),
        (one("days = [\"fri\"]", "1.50"), false),
        (one("days = [\"sat\"]", "1.50"), true),
        (one("sold_from_percent = 33.3", "1.50"), true),
        (one("bought_before = \"48h\"", "1.50"), true),
        // 1.00, and 3.00 together; never 2.00 alone, nor the 1.50 between them.
        (format!("{late}, {later}"), false),
        (format!("{late}, {}", one("bought_before = \"2h\"", "0.50")), true),
    ] {
        let read = read_one(&list(&surcharges)).map(|_| ()).map_err(|errors| lines(&errors));
        assert_eq!(read, if refused { Err(vec![gap.to_owned()]) } else { Ok(()) }, "{surcharges}");
    }
    // The shows that are there already are asked, too, when only the list changes.
    let stored = read_one(&list(&one("format = \"2D\"", "1.50"))).unwrap().0;
    let store = Catalogue::default().with(&stored);
    let mut import = Import { price_lists: stored.price_lists.clone(), ..Import::default() };
    import.price_lists[0].surcharges[0].when.format = Some("3D".into());
    let said = "show show-1: the price list `regular` cannot be used: no rate of the tax `cinema` fits a price of 11.50 EUR on 2027-06-12";
    assert_eq!(conflicts(&store.with(&import), &import, &stored.shows), [said]);
}

#[test]
fn a_code_for_a_category_that_no_hall_has_is_warned_about() {
    let code = "[[promo_codes]]\nid = \"x\"\nper = \"booking\"\npercent = 10\ncategories = [\"Standard\", \"Lodge\"]\n";
    let (import, warnings) = read_one(&format!("{STANDARD}\n{code}")).unwrap();
    assert_eq!(import.promo_codes[0].categories, ["Standard", "Lodge"]);
    let told: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("promo_codes[0].categories: no hall has the category `Lodge`"), "{told:?}");
}
