//! The courier that hands letters to a mail server by SMTP.

use std::error::Error as _;
use std::time::Duration;

use boxoffice::courier::{Courier, CourierFault, Delivery, Letter};
use boxoffice::gateway::BoxFuture;
use lettre::transport::smtp::{Error, PoolConfig};
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};

use super::setup::MailSetup;
use super::{Writer, message, one_line};

/// Connections at the same time; mail servers dislike many from one sender.
const CONNECTIONS_MAX: u32 = 8;
/// How long a connection is kept for the next letter. One that the server has closed meanwhile is
/// found by asking before it is used, and replaced.
const IDLE_FOR: Duration = Duration::from_secs(60);
/// Each answer of the server, and a letter from beginning to end, come within these.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);
const DONE_WITHIN: Duration = Duration::from_secs(120);

/// Cheap to clone.
#[derive(Clone)]
pub struct SmtpCourier {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    setup: MailSetup,
    writer: Writer,
}

impl std::fmt::Debug for SmtpCourier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SmtpCourier")
    }
}

impl SmtpCourier {
    /// # Errors
    /// The address of the server cannot be used.
    pub fn new(setup: &MailSetup, writer: Writer) -> anyhow::Result<Self> {
        let pool = PoolConfig::new().max_size(CONNECTIONS_MAX).idle_timeout(IDLE_FOR);
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(&setup.url)
            .map_err(|error| anyhow::anyhow!("mail.smtp: {error}"))?
            .timeout(Some(ANSWER_WITHIN))
            .pool_config(pool)
            .build();
        Ok(Self { transport, setup: setup.clone(), writer })
    }

    /// Says in the log whether the mail server answers now. Letters wait until it does.
    pub async fn try_out(&self) {
        match self.transport.test_connection().await {
            Ok(true) => tracing::info!("the mail server answers"),
            Ok(false) => tracing::warn!("the mail server does not answer as one; notices wait"),
            Err(error) => tracing::warn!(why = said(&error), "the mail server does not answer; notices wait"),
        }
    }

    async fn hand_over(&self, letter: &Letter) -> Result<Delivery, CourierFault> {
        let written = self.writer.write(letter).map_err(|error| CourierFault(error.to_string()))?;
        let files = self.writer.files(letter).await;
        let message = match message::build(&self.setup, self.writer.host(), letter, written, files) {
            Ok(message) => message,
            Err(why) => return Ok(Delivery::Refused { why }),
        };
        match tokio::time::timeout(DONE_WITHIN, self.transport.send(message)).await {
            Ok(Ok(_)) => Ok(Delivery::Sent),
            Ok(Err(error)) => judge(&error),
            Err(_) => Err(CourierFault("the mail server took too long".to_owned())),
        }
    }
}

impl Courier for SmtpCourier {
    fn deliver<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Result<Delivery, CourierFault>> {
        Box::pin(self.hand_over(letter))
    }
}

/// A refusal of our own name and password says nothing about the letter: it waits until they are
/// set right.
fn judge(error: &Error) -> Result<Delivery, CourierFault> {
    let why = said(error);
    match error.status().map(u16::from) {
        Some(530 | 534 | 535 | 538) => Ok(Delivery::Later { why }),
        Some(_) if error.is_permanent() => Ok(Delivery::Refused { why }),
        Some(_) => Ok(Delivery::Later { why }),
        None => Err(CourierFault(why)),
    }
}

/// What went wrong in one line, without the addresses that servers like to repeat.
fn said(error: &Error) -> String {
    let what = match (error.status(), error.source()) {
        (Some(code), Some(text)) => format!("{code} {text}"),
        (_, Some(text)) if error.is_timeout() => format!("timeout: {text}"),
        (_, _) => error.to_string(),
    };
    without_addresses(&what)
}

fn without_addresses(text: &str) -> String {
    let words = text.split_whitespace().map(|word| if word.contains('@') { "…" } else { word });
    one_line(&words.collect::<Vec<_>>().join(" "), 200)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_out_of_what_a_server_says() {
        let said = "550 5.1.1 <ada@example.org>: Recipient address rejected:\r\nada@example.org unknown";
        assert_eq!(without_addresses(said), "550 5.1.1 … Recipient address rejected: … unknown");
    }
}
