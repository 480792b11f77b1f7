//! Words and shapes that no file may have: unfinished code, tests that are switched off, fractions
//! in money, unescaped templates, files that are too long, paths of one machine.

use super::Source;

/// Lines a Rust file may have.
const MAX_LINES: usize = 700;

/// A word, the files it is banned from, and what to do instead.
struct Ban {
    word: &'static str,
    applies: fn(&Source) -> bool,
    instead: &'static str,
}

const BANS: [Ban; 10] = [
    Ban { word: "todo!", applies: is_rust, instead: "write it, or leave it out" },
    Ban { word: "unimplemented!", applies: is_rust, instead: "write it, or leave it out" },
    Ban { word: "#[ignore", applies: is_rust, instead: "a test runs or does not exist; long bars are xtask commands" },
    Ban { word: "assert!(true", applies: is_rust, instead: "a check must be able to fail" },
    Ban { word: "f32", applies: is_about_money, instead: "money is integer minor units" },
    Ban { word: "f64", applies: is_about_money, instead: "money is integer minor units" },
    Ban { word: "|safe", applies: is_template, instead: "templates escape everything" },
    Ban { word: "| safe", applies: is_template, instead: "templates escape everything" },
    Ban { word: "/home/", applies: is_any, instead: "no paths of one machine" },
    Ban { word: "/Users/", applies: is_any, instead: "no paths of one machine" },
];

/// One line for each finding.
pub(crate) fn check(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| !lists_the_bans(source)) {
        for ban in BANS.iter().filter(|ban| (ban.applies)(source)) {
            let lines = source.text.lines().zip(1..).filter(|(line, _)| line.contains(ban.word));
            found.extend(lines.map(|(_, no)| format!("{}:{no}: `{}`: {}", source.path, ban.word, ban.instead)));
        }
    }
    for source in sources.iter().filter(|source| is_rust(source)) {
        if !source.text.starts_with("//! ") {
            found.push(format!("{}:1: begin with `//!` and what this file is for", source.path));
        }
        let lines = source.text.lines().count();
        if lines > MAX_LINES {
            found.push(format!("{}: {lines} lines; split it by what it is about, at most {MAX_LINES}", source.path));
        }
    }
    found
}

fn lists_the_bans(source: &Source) -> bool {
    source.path == "xtask/src/tidy/words.rs"
}

fn is_any(_: &Source) -> bool {
    true
}

fn is_rust(source: &Source) -> bool {
    source.has_ending("rs")
}

fn is_template(source: &Source) -> bool {
    source.has_ending("html")
}

fn is_about_money(source: &Source) -> bool {
    let subjects = ["money", "pric", "refund", "tax", "fee", "quote"];
    is_rust(source) && subjects.iter().any(|subject| source.path.contains(subject))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&[Source { path: path.to_owned(), text: text.to_owned() }]).len()
    }

    #[test]
    fn each_ban_finds_its_word_in_its_files() {
        for ban in &BANS {
            let path = if ban.word.contains("safe") { "templates/show.html" } else { "src/money.rs" };
            assert_eq!(found(path, &format!("//! Text.\n{}\n", ban.word)), 1, "{}", ban.word);
        }
        assert_eq!(found("src/layout.rs", "//! A drawing.\nfn x() -> f64 {}\n"), 0, "no money in a layout");
    }

    #[test]
    fn a_rust_file_has_a_header_and_an_end() {
        assert_eq!(found("src/a.rs", "fn a() {}\n"), 1);
        assert_eq!(found("src/a.rs", &format!("//! A.\n{}", "\n".repeat(MAX_LINES))), 1);
        assert_eq!(found("src/a.rs", &format!("//! A.\n{}", "\n".repeat(MAX_LINES - 1))), 0);
    }
}
