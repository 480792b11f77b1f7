//! What the fuzzer found is given to the parsers again: the inputs in `fuzz/corpus`, which between them reach
//! all that was ever reached.

mod checks;

use std::path::Path;

/// Gives each input of a target to its check, whatever its bytes.
fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("a corpus") {
        let path = entry.expect("an entry").path();
        let bytes = std::fs::read(&path).expect("an input");
        if let Err(panic) = std::panic::catch_unwind(|| check(&bytes)) {
            eprintln!("{}", path.display());
            std::panic::resume_unwind(panic);
        }
        count += 1;
    }
    assert!(count > 2, "{target} has {count} inputs");
}

#[test]
fn the_corpus_of_ticket_codes() {
    replay("ticket_code", checks::ticket_code);
}

#[test]
fn the_corpus_of_webhooks() {
    replay("webhook", checks::webhook);
}

#[test]
fn the_corpus_of_idempotency_keys() {
    replay("idempotency_key", checks::idempotency_key);
}
