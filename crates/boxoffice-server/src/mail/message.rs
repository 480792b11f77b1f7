//! A letter as a message for the mail server: headers, two versions of the text, the files.

use std::time::{Duration, UNIX_EPOCH};

use boxoffice::courier::Letter;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, Message, MultiPart};

use super::one_line;
use super::setup::MailSetup;
use super::writer::{File, Written};

/// Long enough for any real name, and short enough for every mail program.
const NAME_MAX: usize = 80;

/// # Errors
/// Why it cannot be sent to this customer at all.
pub fn build(
    setup: &MailSetup,
    host: &str,
    letter: &Letter,
    written: Written,
    files: Vec<File>,
) -> Result<Message, String> {
    let cannot = |_| "the message cannot be put together".to_owned();
    let date = u64::try_from(letter.notice.due_since.as_ms()).unwrap_or(0);
    let mut message = Message::builder()
        .from(setup.from.clone())
        .to(recipient(letter)?)
        .subject(written.subject)
        .date(UNIX_EPOCH + Duration::from_millis(date))
        .message_id(Some(format!("<{}@{host}>", letter.notice.message())))
        .raw_header(HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned()));
    if let Some(reply_to) = &setup.reply_to {
        message = message.reply_to(reply_to.clone());
    }
    let text = MultiPart::alternative_plain_html(written.text, written.html);
    if files.is_empty() {
        return message.multipart(text).map_err(cannot);
    }
    let mut all = MultiPart::mixed().multipart(text);
    for file in files {
        let kind = ContentType::parse(file.kind).map_err(|_| "a file has no kind".to_owned())?;
        all = all.singlepart(Attachment::new(file.name).body(file.bytes, kind));
    }
    message.multipart(all).map_err(cannot)
}

fn recipient(letter: &Letter) -> Result<Mailbox, String> {
    let customer = &letter.booking.customer;
    let address = customer.email.as_deref().unwrap_or_default();
    let address = address.parse().map_err(|_| "no mail can be sent to this address".to_owned())?;
    let name = customer.name.as_deref().map(|name| one_line(name, NAME_MAX)).filter(|name| !name.is_empty());
    Ok(Mailbox::new(name, address))
}
