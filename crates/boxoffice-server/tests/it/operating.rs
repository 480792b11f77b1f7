//! What an operator is told to do about each line of the log.

use std::path::Path;

const OPERATING: &str = include_str!("../../../../docs/operating.md");

fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(std::fs::read_to_string(path).expect("a source"));
        }
    }
}

/// The text of each line that is written at warn or error: the first string that has a blank in it.
fn lines(source: &str) -> Vec<String> {
    let calls = ["tracing::warn!(", "tracing::error!("];
    let texts = calls.iter().flat_map(|call| source.split(call).skip(1)).filter_map(|rest| {
        let call = &rest[..rest.find(");").unwrap_or(rest.len())];
        call.split('"').skip(1).step_by(2).find(|text| text.contains(' ')).map(str::to_owned)
    });
    texts.collect()
}

#[test]
fn every_line_at_warn_or_error_says_in_the_documentation_what_it_asks_for() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crates");
    let mut found = Vec::new();
    for name in ["boxoffice/src", "boxoffice-store/src", "boxoffice-server/src"] {
        sources(&crates.join(name), &mut found);
    }
    let lines: Vec<String> = found.iter().flat_map(|source| lines(source)).collect();
    assert!(lines.len() > 20, "{lines:?}");
    let unsaid: Vec<&String> = lines.iter().filter(|line| !OPERATING.contains(&format!("| `{line}`"))).collect();
    assert!(unsaid.is_empty(), "not in docs/operating.md: {unsaid:#?}");
}
