//! What the first version kept must still be read.

use super::{PriceList, STANDARD, Tax};
use crate::money::Money;

#[test]
fn the_first_versions_lists_and_taxes() {
    let kept = r#"{"id":"regular","currency":"EUR","tax":"cinema","prices":{"Standard":{"amount":1250,"currency":"EUR"}},
        "cards":[{"id":"tue","when":{"days":["tue"]},"prices":{"Standard":{"amount":850,"currency":"EUR"}}}],"fees":["fee"]}"#;
    let list: PriceList = serde_json::from_str(kept).unwrap();
    assert_eq!(list.prices.get("Standard", STANDARD).map(Money::minor), Some(1_250));
    assert_eq!(list.cards[0].prices.get("Standard", STANDARD).map(Money::minor), Some(850));
    let again: PriceList = serde_json::from_str(&serde_json::to_string(&list).unwrap()).unwrap();
    assert_eq!(again, list);
    let tax: Tax = serde_json::from_str(r#"{"id":"cinema","percent":"7"}"#).unwrap();
    assert!(tax.included && tax.rates.len() == 1 && tax.rates[0].percent.to_string() == "7");
    assert_eq!(serde_json::from_str::<Tax>(&serde_json::to_string(&tax).unwrap()).unwrap(), tax);
}
