//! The little of Markdown that descriptions use: `code` and **strong** words.

/// Words of a sentence that look the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) text: String,
    pub(super) code: bool,
    pub(super) strong: bool,
}

/// The paragraphs of a text, which stand between empty lines.
pub(super) fn paragraphs(text: &str) -> Vec<Vec<Words>> {
    text.split("\n\n").map(str::trim).filter(|text| !text.is_empty()).map(words).collect()
}

pub(super) fn words(text: &str) -> Vec<Words> {
    let mut words = Vec::new();
    for (part, code) in text.split('`').zip([false, true].into_iter().cycle()) {
        if code {
            words.push(Words { text: part.to_owned(), code, strong: false });
            continue;
        }
        let plain = part.split("**").zip([false, true].into_iter().cycle());
        words.extend(plain.map(|(text, strong)| Words { text: text.to_owned(), code, strong }));
    }
    words.retain(|words| !words.text.is_empty());
    words
}
