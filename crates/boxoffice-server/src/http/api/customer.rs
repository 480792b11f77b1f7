//! A customer as a request names one, checked before it goes anywhere.

use boxoffice::booking::Customer;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::http::problem::Problem;

/// Who books. Texts are trimmed; an empty one counts as not given. An e-mail address or a phone number is needed before
/// paying.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "name": "Ada Lovelace", "email": "ada@example.org", "locale": "en" }))]
#[serde(deny_unknown_fields, expecting = "an object with `name`, `email`, `phone` or `locale`")]
pub struct CustomerInput {
    /// One line.
    #[schema(max_length = 200, pattern = r"^[^\u0000-\u001F\u007F-\u009F]*$")]
    pub name: Option<String>,
    #[schema(
        max_length = 254,
        pattern = r"^([^@\s,;<>\u0000-\u001F\u007F-\u009F]+@[^@\s,;<>\u0000-\u001F\u007F-\u009F]+)?$"
    )]
    pub email: Option<String>,
    /// 4 to 20 digits, perhaps with a + before.
    #[schema(max_length = 40, pattern = r"^(\+?([-/(). ]*[0-9]){4,20}[-/(). ]*)?$")]
    pub phone: Option<String>,
    /// A language tag, for the letters that are sent.
    #[schema(max_length = 35, pattern = "^([A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*)?$", example = "de-AT")]
    pub locale: Option<String>,
}

impl CustomerInput {
    /// Trims what was given; an empty text counts as not given.
    ///
    /// # Errors
    /// An invalid request that points to the member below `pointer` that does not fit.
    pub fn checked(self, pointer: &str) -> Result<Customer, Problem> {
        let wrong = |member: &str, what: &str| Problem::invalid(format!("{pointer}/{member}"), what);
        let customer = Customer {
            name: given(self.name),
            email: given(self.email),
            phone: given(self.phone),
            locale: given(self.locale),
        };
        if customer.name.as_deref().is_some_and(|name| !is_line(name, 200)) {
            return Err(wrong("name", "A name is one line of at most 200 characters."));
        }
        if customer.email.as_deref().is_some_and(|email| !is_email(email)) {
            return Err(wrong("email", "This is not an e-mail address; write one such as name@example.org."));
        }
        if customer.phone.as_deref().is_some_and(|phone| !is_phone(phone)) {
            return Err(wrong("phone", "This is not a phone number; write 4 to 20 digits, perhaps with a + before."));
        }
        if customer.locale.as_deref().is_some_and(|locale| !is_locale(locale)) {
            return Err(wrong("locale", "This is not a language tag; write one such as en or de-AT."));
        }
        Ok(customer)
    }
}

fn given(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn is_line(text: &str, max: usize) -> bool {
    text.chars().count() <= max && !text.chars().any(char::is_control)
}

/// Only what surely is no address is refused; whether mail arrives is seen by sending it.
fn is_email(text: &str) -> bool {
    let plain = text.len() <= 254 && !text.chars().any(|c| c.is_whitespace() || c.is_control());
    let sides = text.rsplit_once('@').is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty());
    plain && sides && !text.contains([',', ';', '<', '>'])
}

fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let fine = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '-' | '/' | '(' | ')' | '.');
    (4..=20).contains(&digits) && text.len() <= 40 && text.strip_prefix('+').unwrap_or(text).chars().all(fine)
}

fn is_locale(text: &str) -> bool {
    let part = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    text.len() <= 35 && text.split('-').all(part)
}
