//! Lists in pages. A cursor names the last thing that was shown, not its position, so that a page
//! stays right while things are added.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;

use super::Problem;

const LIMIT_DEFAULT: usize = 100;
const LIMIT_MAX: usize = 200;

#[derive(Debug, Clone, Serialize)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// A page out of at least `limit + 1` things where there are so many; `key` names the last.
    pub fn cut(mut items: Vec<T>, limit: usize, key: impl Fn(&T) -> String) -> Self {
        let more = items.len() > limit;
        items.truncate(limit);
        let last = items.last().filter(|_| more);
        Self { next_cursor: last.map(|item| URL_SAFE_NO_PAD.encode(key(item))), items }
    }

    pub fn map<U>(self, view: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(view).collect(), next_cursor: self.next_cursor }
    }
}

/// # Errors
/// An invalid request outside 1 to 200.
pub fn limit(asked: Option<usize>) -> Result<usize, Problem> {
    match asked {
        None => Ok(LIMIT_DEFAULT),
        Some(limit) if (1..=LIMIT_MAX).contains(&limit) => Ok(limit),
        Some(_) => Err(Problem::invalid("/limit", "`limit` is a number from 1 to 200.")),
    }
}

/// The key inside a cursor of ours.
///
/// # Errors
/// An invalid request if the text is no cursor.
pub fn key(cursor: &str) -> Result<String, Problem> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| bad_cursor())?;
    String::from_utf8(bytes).map_err(|_| bad_cursor())
}

#[must_use]
pub fn bad_cursor() -> Problem {
    Problem::invalid("/cursor", "`cursor` is not one that a list answered; start again without it.")
}

/// Pages through things that are sorted by `key`.
///
/// # Errors
/// As for [`limit`] and [`key`].
pub fn sorted<T>(
    items: Vec<T>,
    asked: Option<usize>,
    cursor: Option<&str>,
    name: impl Fn(&T) -> String,
) -> Result<Page<T>, Problem> {
    let limit = limit(asked)?;
    let after = cursor.map(key).transpose()?;
    let rest = items.into_iter().filter(|item| after.as_ref().is_none_or(|after| name(item) > *after));
    Ok(Page::cut(rest.take(limit + 1).collect(), limit, name))
}
