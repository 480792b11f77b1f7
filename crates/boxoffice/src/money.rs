//! Money as integer minor units of an ISO 4217 currency, with checked arithmetic, and decimal
//! percentages. Rounding is half away from zero to the minor unit, named at the call.

use std::fmt;
use std::str::FromStr;

use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[cfg(test)]
mod tests;

/// An ISO 4217 currency that has a minor unit (JPY 0, EUR 2, KWD 3 decimals).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Currency(iso_currency::Currency);

/// Why a text or a sum is not an amount of money.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    #[error("`{0}` is not an ISO 4217 currency code")]
    UnknownCurrency(String),
    #[error("`{0}` is not an amount: write digits with a point, such as 12.50")]
    NotAnAmount(String),
    #[error("`{text}` has more decimals than {currency} has ({decimals})")]
    TooFine { text: String, currency: Currency, decimals: u16 },
    #[error("`{0}` is not a percentage: write digits with a point, such as 7 or 5.5")]
    NotAPercentage(String),
    #[error("the amount is too large")]
    Overflow,
    #[error("{0} and {1} cannot be added")]
    CurrencyMismatch(Currency, Currency),
    #[error("a `{ticket_type}` ticket has no price in category `{category}`")]
    NoPrice { category: String, ticket_type: String },
    #[error("no rate of the tax `{tax}` fits a price of {price} on {day}")]
    NoTaxRate { tax: crate::id::CatalogueId, price: Money, day: jiff::civil::Date },
}

impl Currency {
    /// Decimals of the minor unit.
    #[must_use]
    pub fn decimals(self) -> u16 {
        self.0.exponent().unwrap_or(0)
    }

    #[must_use]
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// The sign people write, such as `€`.
    #[must_use]
    pub fn sign(self) -> String {
        self.0.symbol().symbol
    }

    #[must_use]
    pub fn zero(self) -> Money {
        Money { minor: 0, currency: self }
    }
}

impl FromStr for Currency {
    type Err = MoneyError;

    fn from_str(code: &str) -> Result<Self, MoneyError> {
        iso_currency::Currency::from_code(code)
            .filter(|c| c.exponent().is_some())
            .map(Self)
            .ok_or_else(|| MoneyError::UnknownCurrency(code.to_owned()))
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Serialize for Currency {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let code = std::borrow::Cow::<'de, str>::deserialize(d)?;
        code.parse().map_err(serde::de::Error::custom)
    }
}

/// An amount in minor units. As JSON: `{"amount": 1370, "currency": "EUR"}`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Money {
    #[serde(rename = "amount")]
    minor: i64,
    currency: Currency,
}

impl Money {
    #[must_use]
    pub fn from_minor(minor: i64, currency: Currency) -> Self {
        Self { minor, currency }
    }

    /// Reads `12.50` exactly; more decimals than the currency has are refused, never rounded.
    ///
    /// # Errors
    /// [`MoneyError`] if the text is no plain decimal, too fine for the currency, or too large.
    pub fn parse(text: &str, currency: Currency) -> Result<Self, MoneyError> {
        let decimal = plain_decimal(text).ok_or_else(|| MoneyError::NotAnAmount(text.into()))?;
        let scale = Decimal::from(10_i64.pow(u32::from(currency.decimals())));
        let minor = decimal.checked_mul(scale).ok_or(MoneyError::Overflow)?;
        if !minor.fract().is_zero() {
            let decimals = currency.decimals();
            return Err(MoneyError::TooFine { text: text.into(), currency, decimals });
        }
        Ok(Self { minor: minor.to_i64().ok_or(MoneyError::Overflow)?, currency })
    }

    #[must_use]
    pub fn minor(self) -> i64 {
        self.minor
    }

    #[must_use]
    pub fn currency(self) -> Currency {
        self.currency
    }

    #[must_use]
    pub fn is_zero(self) -> bool {
        self.minor == 0
    }

    /// # Errors
    /// [`MoneyError`] if the currencies differ or the sum does not fit.
    pub fn plus(self, other: Self) -> Result<Self, MoneyError> {
        self.same_currency(other)?;
        let minor = self.minor.checked_add(other.minor).ok_or(MoneyError::Overflow)?;
        Ok(Self { minor, ..self })
    }

    /// # Errors
    /// [`MoneyError`] if the currencies differ or the difference does not fit.
    pub fn minus(self, other: Self) -> Result<Self, MoneyError> {
        self.same_currency(other)?;
        let minor = self.minor.checked_sub(other.minor).ok_or(MoneyError::Overflow)?;
        Ok(Self { minor, ..self })
    }

    /// # Errors
    /// [`MoneyError::Overflow`] if the product does not fit.
    pub fn times(self, count: u32) -> Result<Self, MoneyError> {
        let minor = self.minor.checked_mul(i64::from(count)).ok_or(MoneyError::Overflow)?;
        Ok(Self { minor, ..self })
    }

    /// # Errors
    /// [`MoneyError`] as for [`Money::plus`].
    pub fn sum(currency: Currency, amounts: impl IntoIterator<Item = Self>) -> Result<Self, MoneyError> {
        amounts.into_iter().try_fold(currency.zero(), Self::plus)
    }

    /// Splits the amount into parts in proportion to `weights`, by largest remainder, the first
    /// part first among equals. The parts add up to the whole. All weights zero: equal weights.
    #[must_use]
    pub fn split(self, weights: &[u64]) -> Vec<Self> {
        let total: u128 = weights.iter().map(|w| u128::from(*w)).sum();
        if weights.is_empty() {
            return Vec::new();
        }
        if total == 0 {
            return self.split(&vec![1; weights.len()]);
        }
        let whole = u128::from(self.minor.unsigned_abs());
        let mut parts: Vec<(u128, u128)> =
            weights.iter().map(|w| (whole * u128::from(*w) / total, whole * u128::from(*w) % total)).collect();
        let given: u128 = parts.iter().map(|p| p.0).sum();
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by_key(|i| std::cmp::Reverse(parts[*i].1));
        let left_over = usize::try_from(whole - given).unwrap_or(usize::MAX);
        for i in order.into_iter().take(left_over) {
            parts[i].0 += 1;
        }
        let sign = self.minor.signum();
        parts
            .into_iter()
            .map(|(part, _)| Self { minor: sign * i64::try_from(part).unwrap_or(i64::MAX), ..self })
            .collect()
    }

    fn same_currency(self, other: Self) -> Result<(), MoneyError> {
        if self.currency == other.currency {
            Ok(())
        } else {
            Err(MoneyError::CurrencyMismatch(self.currency, other.currency))
        }
    }

    /// Digits with a point and as many decimals as the currency has, such as `12.50` or `1900`.
    #[must_use]
    pub fn digits(self) -> String {
        let decimals = u32::from(self.currency.decimals());
        Decimal::try_from_i128_with_scale(i128::from(self.minor), decimals)
            .map_or_else(|_| self.minor.to_string(), |d| d.to_string())
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.digits(), self.currency)
    }
}

impl fmt::Debug for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A percentage with its decimals, such as `5.5`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Percent(Decimal);

impl Percent {
    /// `percent` of `money`, rounded half away from zero to the minor unit.
    ///
    /// # Errors
    /// [`MoneyError::Overflow`] if the result does not fit.
    pub fn of(self, money: Money) -> Result<Money, MoneyError> {
        let exact = Decimal::from(money.minor).checked_mul(self.0).ok_or(MoneyError::Overflow)? / Decimal::ONE_HUNDRED;
        rounded(exact, money.currency)
    }

    /// The tax that is contained in a gross amount: `gross × p ÷ (100 + p)`, rounded half away
    /// from zero to the minor unit.
    ///
    /// # Errors
    /// [`MoneyError::Overflow`] if the result does not fit.
    pub fn contained_in(self, gross: Money) -> Result<Money, MoneyError> {
        let exact = Decimal::from(gross.minor).checked_mul(self.0).ok_or(MoneyError::Overflow)?
            / (Decimal::ONE_HUNDRED + self.0);
        rounded(exact, gross.currency)
    }

    /// Whether the exact net amount of `gross` is at most `bound`: `gross ÷ (1 + p) ≤ bound`.
    #[must_use]
    pub fn net_is_within(self, gross: Money, bound: Money) -> bool {
        let scaled = |money: Money, by: Decimal| Decimal::from(money.minor).checked_mul(by);
        match (scaled(gross, Decimal::ONE_HUNDRED), scaled(bound, Decimal::ONE_HUNDRED + self.0)) {
            (Some(gross), Some(bound)) => gross <= bound,
            (_, None) => true,
            (None, Some(_)) => false,
        }
    }

    /// The least part of `whole` that is at least this much of it.
    #[must_use]
    pub fn least_of(self, whole: u32) -> u32 {
        let exact = Decimal::from(whole).checked_mul(self.0 / Decimal::ONE_HUNDRED).unwrap_or(Decimal::MAX);
        exact.ceil().to_u32().unwrap_or(u32::MAX)
    }

    /// Whether `part` is at least this much of `whole`.
    #[must_use]
    pub fn is_reached_by(self, part: u32, whole: u32) -> bool {
        Decimal::from(u64::from(part) * 100) >= Decimal::from(whole) * self.0
    }
}

impl From<u8> for Percent {
    fn from(whole: u8) -> Self {
        Self(Decimal::from(whole))
    }
}

impl FromStr for Percent {
    type Err = MoneyError;

    fn from_str(text: &str) -> Result<Self, MoneyError> {
        plain_decimal(text)
            .filter(|p| !p.is_sign_negative() && *p <= Decimal::ONE_THOUSAND)
            .map(Self)
            .ok_or_else(|| MoneyError::NotAPercentage(text.to_owned()))
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.normalize())
    }
}

impl Serialize for Percent {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(d)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

fn rounded(exact: Decimal, currency: Currency) -> Result<Money, MoneyError> {
    let whole = exact.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
    Ok(Money { minor: whole.to_i64().ok_or(MoneyError::Overflow)?, currency })
}

/// Digits, at most one point between digits, an optional leading minus. No exponents, no signs.
fn plain_decimal(text: &str) -> Option<Decimal> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if text.len() > 24 || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    Decimal::from_str_exact(text).ok()
}
