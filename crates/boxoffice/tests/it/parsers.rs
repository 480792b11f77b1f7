//! What the fuzzer found is given to the parsers again: the inputs in `fuzz/corpus`, which between them reach
//! all that was ever reached.

mod checks;

use std::path::Path;

/// Gives each input of a target to its check, as far as it is text.
fn replay(target: &str, check: fn(&str)) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("a corpus") {
        let path = entry.expect("an entry").path();
        let bytes = std::fs::read(&path).expect("an input");
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        if let Err(panic) = std::panic::catch_unwind(|| check(text)) {
            eprintln!("{}", path.display());
            std::panic::resume_unwind(panic);
        }
        count += 1;
    }
    assert!(count > 2, "{target} has {count} inputs");
}

#[test]
fn the_corpus_of_sketches() {
    replay("seat_sketch", checks::seat_sketch);
}

#[test]
fn the_corpus_of_grids() {
    replay("seat_grid", checks::seat_grid);
}

#[test]
fn the_corpus_of_plans() {
    replay("seat_plan", checks::seat_plan);
}

#[test]
fn the_corpus_of_catalogues() {
    replay("catalogue", checks::catalogue);
}

#[test]
fn the_corpus_of_seat_names() {
    replay("seat_ask", checks::seat_ask);
}
