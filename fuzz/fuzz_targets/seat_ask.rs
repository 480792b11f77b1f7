//! Fuzzes what `checks::seat_ask` says.
#![no_main]

#[path = "../../crates/boxoffice/tests/it/parsers/checks.rs"]
#[allow(dead_code, reason = "the other targets' checks")]
mod checks;

libfuzzer_sys::fuzz_target!(|text: &str| checks::seat_ask(text));
