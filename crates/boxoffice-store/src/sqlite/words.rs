//! The stored words of our enums. A word that this program does not know is refused loudly: a row
//! read as something else would sell a seat twice.

use boxoffice::booking::{Channel, VoidReason};
use boxoffice::id::CatalogueId;
use boxoffice::money::{Currency, Money};
use serde::de::DeserializeOwned;
use serde::de::value::{Error, StrDeserializer};

use super::trouble::{Result, Trouble};

/// Reads a word of one of the enums whose JSON is a word.
pub(super) fn read<T: DeserializeOwned>(column: &str, word: &str) -> Result<T> {
    T::deserialize(StrDeserializer::<Error>::new(word))
        .map_err(|_| Trouble::bug(format!("{column} is `{word}`, which this program does not know")))
}

pub(super) fn channel(channel: Channel) -> &'static str {
    match channel {
        Channel::Web => "web",
        Channel::Counter => "counter",
    }
}

pub(super) fn void_reason(reason: VoidReason) -> &'static str {
    match reason {
        VoidReason::Cancelled => "cancelled",
        VoidReason::Refunded => "refunded",
        VoidReason::Reissued => "reissued",
        VoidReason::DisputeLost => "dispute_lost",
    }
}

pub(super) fn money(minor: i64, currency: &str) -> Result<Money> {
    let currency: Currency = currency.parse().map_err(|error| Trouble::bug(format!("a stored amount: {error}")))?;
    Ok(Money::from_minor(minor, currency))
}

pub(super) fn catalogue_id(text: &str) -> Result<CatalogueId> {
    CatalogueId::new(text).map_err(|error| Trouble::bug(format!("`{text}` is stored, which is {error}")))
}
