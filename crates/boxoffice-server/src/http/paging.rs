//! Lists in pages. A cursor names the last thing that was shown, not its position, so that a page
//! stays right while things are added.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use utoipa::ToSchema;

use super::Problem;

const LIMIT_DEFAULT: usize = 100;
const LIMIT_MAX: usize = 200;

/// A part of a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// What to send as `cursor` for the next page; null: this was the last.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
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

/// A list by its name, which its cursors carry: the cursor of another list is none of its own.
#[derive(Debug, Clone, Copy)]
pub struct List(pub &'static str);

impl List {
    /// A page out of at least `limit + 1` things where there are so many; `key` names the last.
    pub fn cut<T>(self, mut items: Vec<T>, limit: usize, key: impl Fn(&T) -> String) -> Page<T> {
        let more = items.len() > limit;
        items.truncate(limit);
        let last = items.last().filter(|_| more);
        Page { next_cursor: last.map(|item| self.cursor(&key(item))), items }
    }

    fn cursor(self, key: &str) -> String {
        URL_SAFE_NO_PAD.encode(format!("{}:{key}", self.0))
    }

    /// The key inside a cursor of this list.
    ///
    /// # Errors
    /// An invalid request if the text is no such cursor.
    pub fn key(self, cursor: &str) -> Result<String, Problem> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| bad_cursor())?;
        let text = String::from_utf8(bytes).map_err(|_| bad_cursor())?;
        let key = text.strip_prefix(self.0).and_then(|rest| rest.strip_prefix(':'));
        key.map(str::to_owned).ok_or_else(bad_cursor)
    }

    /// Pages through things that are sorted by `key`.
    ///
    /// # Errors
    /// As for [`limit`] and [`List::key`].
    pub fn sorted<T>(
        self,
        items: Vec<T>,
        asked: Option<usize>,
        cursor: Option<&str>,
        key: impl Fn(&T) -> String,
    ) -> Result<Page<T>, Problem> {
        let limit = limit(asked)?;
        let after = cursor.map(|cursor| self.key(cursor)).transpose()?;
        let rest = items.into_iter().filter(|item| after.as_ref().is_none_or(|after| key(item) > *after));
        Ok(self.cut(rest.take(limit + 1).collect(), limit, key))
    }
}

#[must_use]
pub fn bad_cursor() -> Problem {
    Problem::invalid("/cursor", "`cursor` is not one that this list answered; start again without it.")
}
