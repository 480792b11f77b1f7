//! What of the configuration protects the server from crowds and guesses, and which other sites may
//! use its API.

use std::net::IpAddr;
use std::num::NonZeroU32;

use anyhow::{anyhow, bail};
use axum::http::{HeaderValue, Uri};
use ipnet::IpNet;
use serde::{Deserialize, Serialize};

/// `[limits]` of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsConfig {
    /// Addresses of proxies before this server, such as `127.0.0.1` or `10.0.0.0/8`. What they say
    /// in `X-Forwarded-For` is believed; nobody else is.
    pub trusted_proxies: Vec<String>,
    /// Keys and tokens that prove nothing, of one address in a minute; 0: any number. None: 20, and
    /// any number in test mode.
    pub guesses_per_minute: Option<u32>,
}

/// The limits that a server goes by.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits {
    pub trusted_proxies: Vec<IpNet>,
    /// `None`: any number.
    pub guesses_per_minute: Option<NonZeroU32>,
}

const GUESSES_PER_MINUTE: u32 = 20;

impl LimitsConfig {
    /// # Errors
    /// Something is no network address.
    pub fn check(&self, test_mode: bool) -> anyhow::Result<Limits> {
        let network = |text: &String| {
            let one = || text.parse::<IpAddr>().map(IpNet::from);
            text.parse().or_else(|_| one()).map_err(|_| {
                anyhow!("limits.trusted_proxies: `{text}` is no address; write one such as 127.0.0.1 or 10.0.0.0/8")
            })
        };
        let usual = if test_mode { 0 } else { GUESSES_PER_MINUTE };
        Ok(Limits {
            trusted_proxies: self.trusted_proxies.iter().map(network).collect::<anyhow::Result<_>>()?,
            guesses_per_minute: NonZeroU32::new(self.guesses_per_minute.unwrap_or(usual)),
        })
    }
}

/// `[cors]` of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct CorsConfig {
    /// Sites whose scripts may use the API from a browser, such as `https://www.example.org`.
    pub origins: Vec<String>,
}

impl CorsConfig {
    /// # Errors
    /// Something is no origin.
    pub fn check(&self) -> anyhow::Result<Vec<HeaderValue>> {
        self.origins.iter().map(|origin| checked(origin)).collect()
    }
}

fn checked(origin: &str) -> anyhow::Result<HeaderValue> {
    let uri: Option<Uri> = origin.parse().ok();
    let is_site = |uri: &Uri| matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some();
    let bare = origin.matches('/').count() == 2 && !origin.contains(['?', '#', '@']);
    match HeaderValue::from_str(origin) {
        Ok(value) if bare && uri.as_ref().is_some_and(is_site) => Ok(value),
        Ok(_) | Err(_) => {
            bail!("cors.origins: `{origin}` is no site; write one such as https://www.example.org, without a path")
        }
    }
}
