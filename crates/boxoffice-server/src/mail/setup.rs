//! The mail server of the configuration: read and checked before anything starts.

use anyhow::{Context as _, anyhow, bail};
use axum::http::Uri;
use lettre::message::Mailbox;
use serde::{Deserialize, Serialize, Serializer};

/// The table `[mail]`.
#[derive(Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct MailConfig {
    /// `smtp://user:password@host:587`, or `smtps://` for a server that speaks TLS from the start.
    /// None: customers are sent nothing.
    #[serde(serialize_with = "without_password")]
    pub smtp: Option<String>,
    /// Whom mails come from, such as `Kino am Markt <tickets@example.org>`.
    pub from: Option<String>,
    /// Where answers go, if not there.
    pub reply_to: Option<String>,
}

/// The password is in `smtp`.
impl std::fmt::Debug for MailConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MailConfig").field("is_set_up", &self.smtp.is_some()).finish_non_exhaustive()
    }
}

/// The mail server without the name and the password that are sent to it.
fn without_password<S: Serializer>(smtp: &Option<String>, to: S) -> Result<S::Ok, S::Error> {
    let shown = smtp.as_deref().map(|url| match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://…@{host}"),
        (Some(_), None) => url.to_owned(),
        (None, _) => "…".to_owned(),
    });
    shown.serialize(to)
}

/// A mail server to send by, and whom mails come from.
#[derive(Clone)]
pub struct MailSetup {
    /// As the transport wants it, with what is asked of TLS.
    pub(super) url: String,
    pub(super) from: Mailbox,
    pub(super) reply_to: Option<Mailbox>,
}

impl std::fmt::Debug for MailSetup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MailSetup")
    }
}

impl MailConfig {
    /// # Errors
    /// Something in it cannot be used: the key is named, and what to write.
    pub fn check(&self) -> anyhow::Result<Option<MailSetup>> {
        let from = self.from.as_deref().map(|text| mailbox("from", text)).transpose()?;
        let reply_to = self.reply_to.as_deref().map(|text| mailbox("reply_to", text)).transpose()?;
        let Some(smtp) = &self.smtp else { return Ok(None) };
        let url = checked_url(smtp)?;
        let from = from.ok_or_else(|| anyhow!("mail.from: say whom mails come from, {EXAMPLE}"))?;
        Ok(Some(MailSetup { url, from, reply_to }))
    }
}

const EXAMPLE: &str = "such as \"Kino am Markt <tickets@example.org>\"";

fn mailbox(key: &str, text: &str) -> anyhow::Result<Mailbox> {
    text.parse().with_context(|| format!("mail.{key}: this is no mail address; write one {EXAMPLE}"))
}

/// STARTTLS is demanded, and not only tried, of every server that is not on this machine.
fn checked_url(url: &str) -> anyhow::Result<String> {
    let wrong = || anyhow!("mail.smtp: write an address such as smtp://user:password@mail.example.org:587");
    let uri: Uri = url.parse().map_err(|_| wrong())?;
    let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(wrong)?;
    if uri.query().is_some() || !matches!(uri.path(), "" | "/") {
        return Err(wrong());
    }
    let url = url.trim_end_matches('/');
    match uri.scheme_str() {
        Some("smtps") => Ok(url.to_owned()),
        Some("smtp") if is_here(host) => Ok(url.to_owned()),
        Some("smtp") => Ok(format!("{url}?tls=required")),
        Some(_) | None => bail!(wrong()),
    }
}

fn is_here(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(smtp: &str, from: Option<&str>) -> MailConfig {
        MailConfig { smtp: Some(smtp.into()), from: from.map(str::to_owned), reply_to: None }
    }

    #[test]
    fn mistakes_name_their_key_and_never_the_password() {
        let cases = [
            ("mail.example.org:587", Some("a@example.org"), "mail.smtp: "),
            ("http://mail.example.org", Some("a@example.org"), "mail.smtp: "),
            ("smtp://u:secret@mail.example.org/x?y=1", Some("a@example.org"), "mail.smtp: "),
            ("smtp://u:secret@mail.example.org", None, "mail.from: "),
            ("smtp://u:secret@mail.example.org", Some("no address"), "mail.from: "),
        ];
        for (smtp, from, expected) in cases {
            let error = format!("{:#}", config(smtp, from).check().expect_err(smtp));
            assert!(error.starts_with(expected) && !error.contains("secret"), "{smtp}: {error}");
        }
        assert!(!format!("{:?}", config("smtp://u:secret@h", None)).contains("secret"));
        assert!(MailConfig::default().check().expect("nothing is fine").is_none());
    }

    #[test]
    fn tls_is_demanded_of_everyone_else() {
        let cases = [
            ("smtp://u:p%40@mail.example.org:587", "smtp://u:p%40@mail.example.org:587?tls=required"),
            ("smtp://mail.example.org/", "smtp://mail.example.org?tls=required"),
            ("smtps://mail.example.org", "smtps://mail.example.org"),
            ("smtp://localhost:2525", "smtp://localhost:2525"),
            ("smtp://127.0.0.1:2525", "smtp://127.0.0.1:2525"),
            ("smtp://[::1]:2525", "smtp://[::1]:2525"),
        ];
        for (given, url) in cases {
            let setup = config(given, Some("Kino <a@example.org>")).check().expect(given);
            assert_eq!(setup.expect("a server").url, url);
        }
    }
}
