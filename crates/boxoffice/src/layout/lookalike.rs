//! Finds names that a guest in a dark hall would mistake for one another.

use std::collections::HashMap;

use super::canonical;

/// A label with the leading zeros of each of its numbers left away: `A01` looks like `A1`.
pub(super) fn without_leading_zeros(label: &str) -> String {
    let mut look = String::with_capacity(label.len());
    let mut in_number = false;
    let mut chars = label.chars().peekable();
    while let Some(c) = chars.next() {
        let more_digits = chars.peek().is_some_and(char::is_ascii_digit);
        let leading_zero = c == '0' && !in_number && more_digits;
        if !leading_zero {
            look.push(c);
            in_number = c.is_ascii_digit();
        }
    }
    look
}

/// What a label has in common with everything that people write for it: `a1`, `A01`, `A 1` and `A-1`
/// are one. A mark between two digits tells `1-12` from `11-2` and stays.
pub(super) fn as_written_by_hand(label: &str) -> String {
    let mut plain = String::with_capacity(label.len());
    let mut parted = false;
    for c in canonical(label).to_lowercase().chars() {
        if !c.is_alphanumeric() {
            parted = true;
            continue;
        }
        if parted && c.is_ascii_digit() && plain.ends_with(|before: char| before.is_ascii_digit()) {
            plain.push('-');
        }
        parted = false;
        plain.push(c);
    }
    without_leading_zeros(&plain)
}

/// What to say about each row whose label can be taken for another, with its place in the list: `I`, `l`, `O`,
/// `o`, `0` by themselves, any row that looks like an earlier one of its zone. A row is its zone and label.
pub(super) fn warnings<'r>(rows: impl IntoIterator<Item = (Option<&'r str>, &'r str)>) -> Vec<(usize, String)> {
    let mut seen: HashMap<(Option<&str>, String), &str> = HashMap::new();
    let mut warnings = Vec::new();
    for (at, (zone, label)) in rows.into_iter().enumerate() {
        let mut earlier = |look| *seen.entry((zone, look)).or_insert(label);
        let alike = [earlier(shape(label)), earlier(label.to_lowercase())].into_iter().find(|other| *other != label);
        let detail = if let Some(other) = alike {
            format!("the row `{label}` looks like the row `{other}`; guests may take one for the other, rename one")
        } else if is_misread(label) {
            format!("the row `{label}` can be misread (I, l and 1, O and 0 look alike); most halls skip such letters")
        } else {
            continue;
        };
        warnings.push((at, detail));
    }
    warnings
}

/// Longer labels are words, in which nobody misreads a letter.
fn is_misread(label: &str) -> bool {
    label == "0" || (label.chars().count() <= 2 && label.contains(['I', 'l', 'O', 'o']))
}

/// A label with the characters that look the same made one.
fn shape(label: &str) -> String {
    let one = |c| match c {
        'I' | 'l' | '|' => '1',
        'O' | 'o' => '0',
        other => other,
    };
    label.chars().map(one).collect()
}
