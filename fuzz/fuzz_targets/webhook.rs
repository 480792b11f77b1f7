//! Fuzzes what `checks::webhook` says.
#![no_main]

#[path = "../../crates/boxoffice-server/tests/it/parsers/checks.rs"]
#[allow(dead_code, reason = "the other targets' checks")]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::webhook(bytes));
