//! Every problem code has its page in `docs/problems`, and every page its code. Codes are read
//! where they are written: the `code` function of a refusal and the server's table of problems.

use std::collections::BTreeSet;

use super::Source;

const PAGES: &str = "docs/problems/";

/// One line for each code without a page and each page without a code.
pub(crate) fn check(sources: &[Source]) -> Vec<String> {
    let codes: BTreeSet<&str> = sources.iter().filter(|s| names_codes(s)).flat_map(|s| codes(&s.text)).collect();
    let pages: BTreeSet<&str> = sources.iter().filter_map(|s| page(&s.path)).collect();
    let missing = codes.difference(&pages).map(|code| format!("{PAGES}{code}.md: this code has no page"));
    let stale = pages.difference(&codes).map(|page| format!("{PAGES}{page}.md: no problem has this code"));
    missing.chain(stale).collect()
}

/// The files that give problems their codes.
fn names_codes(source: &Source) -> bool {
    let problem = source.path.starts_with("crates/boxoffice-server/src/") && source.path.ends_with("problem.rs");
    problem || source.path == "crates/boxoffice/src/refusal.rs"
}

fn page(path: &str) -> Option<&str> {
    path.strip_prefix(PAGES)?.strip_suffix(".md").filter(|page| *page != "README")
}

/// The arms `=> "some-code"` of functions called `code`.
fn codes(text: &str) -> Vec<&str> {
    let functions = text.split("fn code(").skip(1).map(|rest| rest.split("\n    }").next().unwrap_or(rest));
    functions
        .flat_map(|body| body.split("=> \"").skip(1))
        .filter_map(|rest| rest.split_once('"').map(|(code, _)| code))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_pages_are_compared_both_ways() {
        let refusal = "impl R {\n    fn code(&self) {\n        A => \"seats-unavailable\",\n        B => \"gone\",\n    }\n\
                       \n    fn other(&self) {\n        C => \"no code\",\n    }\n}\n";
        let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
        let found = check(&[
            source("crates/boxoffice/src/refusal.rs", refusal),
            source("docs/problems/seats-unavailable.md", ""),
            source("docs/problems/stale.md", ""),
        ]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("gone.md") && found[1].contains("stale.md"), "{found:?}");
    }
}
