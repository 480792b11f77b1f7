//! Rules between members, which the routes check and no type says.

use boxoffice::money::Currency;
use serde_json::{Value, json};

/// Writes the rules into the schemas of what is sent.
pub(super) fn add(document: &mut Value) {
    let schemas = &mut document["components"]["schemas"];
    schemas["Money"]["properties"]["currency"]["enum"] = currencies().into();
    for name in ["CreateBooking", "Exchange"] {
        schemas[name]["oneOf"] = json!([only("seats", "array", "best"), only("best", "object", "seats")]);
    }
    schemas["ChangeBooking"]["not"] = both(("seats", "array"), ("best", "object"));
    schemas["ScanBatch"]["not"] = both(("clock_offset_ms", "integer"), ("device_time", "string"));
    let positive = json!({ "required": ["amount"], "properties": {
        "amount": { "type": "object", "properties": { "amount": { "minimum": 1 } } },
        "tickets": { "type": "null" },
        "keep_fees": { "const": false },
    } });
    schemas["StaffRefund"]["oneOf"] = json!([only("tickets", "array", "amount"), positive]);
    let text = json!({ "type": "string" });
    schemas["StaffRefund"]["allOf"] = json!([{ "properties": { "reason": text } }]);
    let chosen = json!({ "required": ["refund"], "properties": { "refund": { "not": { "type": "null" } } } });
    let asked = json!({ "required": ["dry_run"], "properties": { "dry_run": { "const": true } } });
    schemas["CancelShow"]["anyOf"] = json!([chosen, asked]);
}

/// One of two members is there, the other is not; null is as not there.
fn only(there: &str, kind: &str, not_there: &str) -> Value {
    json!({ "required": [there], "properties": { there: { "type": kind }, not_there: { "type": "null" } } })
}

/// Two members that are both there.
fn both((one, kind): (&str, &str), (other, other_kind): (&str, &str)) -> Value {
    json!({ "required": [one, other], "properties": { one: { "type": kind }, other: { "type": other_kind } } })
}

/// Every currency that money can be in.
fn currencies() -> Vec<String> {
    let letters = || 'A'..='Z';
    let codes = letters().flat_map(|a| letters().flat_map(move |b| letters().map(move |c| [a, b, c])));
    codes.map(|code| code.iter().collect::<String>()).filter(|code| code.parse::<Currency>().is_ok()).collect()
}
