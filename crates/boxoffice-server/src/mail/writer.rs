//! Writes a letter out: words into the templates, tickets into files. The mail and the outbox of
//! test mode come from here alike.

use askama::Template;
use boxoffice::courier::Letter;

use super::words::{Words, words};
use crate::auth::BookingTokens;
use crate::http::files::tickets_name;
use crate::pdf;
use crate::tickets::sheet::{Sheet, sheet};
use crate::tickets::{TicketKeys, calendar};

/// Cheap to clone.
#[derive(Debug, Clone)]
pub struct Writer {
    tokens: BookingTokens,
    keys: TicketKeys,
    base_url: String,
}

/// A letter's texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    pub subject: String,
    pub text: String,
    pub html: String,
    /// Names of the files that go with it.
    pub files: Vec<String>,
}

/// A file that goes with a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub name: String,
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

#[derive(Template)]
#[template(path = "mail/letter.txt")]
struct Text<'a> {
    words: &'a Words,
    link: &'a str,
}

#[derive(Template)]
#[template(path = "mail/letter.html")]
struct Html<'a> {
    words: &'a Words,
    link: &'a str,
}

impl Writer {
    #[must_use]
    pub fn new(tokens: BookingTokens, keys: TicketKeys, base_url: &str) -> Self {
        Self { tokens, keys, base_url: base_url.to_owned() }
    }

    /// The name of this site in message ids.
    #[must_use]
    pub fn host(&self) -> &str {
        let rest = self.base_url.split_once("://").map_or(self.base_url.as_str(), |(_, rest)| rest);
        rest.split(['/', ':']).next().filter(|host| !host.is_empty()).unwrap_or("localhost")
    }

    /// # Errors
    /// A template is broken.
    pub fn write(&self, letter: &Letter) -> askama::Result<Written> {
        let words = words(letter, &self.sheet(letter));
        let link = format!("{}/b/{}", self.base_url, self.tokens.token(letter.booking.id));
        let text = Text { words: &words, link: &link }.render()?;
        let html = Html { words: &words, link: &link }.render()?;
        let files = if letter.notice.attaches_tickets() { file_names(letter).to_vec() } else { Vec::new() };
        Ok(Written { subject: words.subject, text, html, files })
    }

    /// The files of a letter. What cannot be drawn is left out: the link in the text opens it.
    pub async fn files(&self, letter: &Letter) -> Vec<File> {
        if !letter.notice.attaches_tickets() {
            return Vec::new();
        }
        let sheet = self.sheet(letter);
        let [pdf_name, ics_name] = file_names(letter);
        let text = calendar::file(&sheet, letter.notice.due_since);
        let ics =
            File { name: ics_name, kind: "text/calendar; charset=utf-8; method=PUBLISH", bytes: text.into_bytes() };
        match pdf::drawn(move || pdf::ticket::draw(&sheet)).await {
            Ok(bytes) => vec![File { name: pdf_name, kind: "application/pdf", bytes }, ics],
            Err(error) => {
                tracing::error!(%error, notice = %letter.notice.id, "bug: tickets cannot be drawn");
                vec![ics]
            }
        }
    }

    fn sheet(&self, letter: &Letter) -> Sheet {
        sheet(&letter.booking, &letter.show, &self.keys)
    }
}

fn file_names(letter: &Letter) -> [String; 2] {
    ["pdf", "ics"].map(|ending| tickets_name(&letter.booking.reference, ending))
}
