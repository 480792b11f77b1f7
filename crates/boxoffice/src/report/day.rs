//! The close of a theatre's business day: what the ledger posted in it, account by account, and
//! the sales of the day's shows. Once closed it stays as it is; what is posted later belongs to the
//! day in which it is posted.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::sales::{SalesQuery, SalesRow, sales};
use crate::id::TheatreId;
use crate::ledger::{Account, Balances};
use crate::money::Money;
use crate::refusal::{FieldError, Refusal};
use crate::show::Theatre;
use crate::store::{Document, Store, StoreError};
use crate::time::Timestamp;

/// Under which closes are kept, by theatre and date.
const KIND: &str = "day_close";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DayClose {
    pub theatre: TheatreId,
    pub date: Date,
    /// The business day, half-open: 23 or 25 hours long when the clocks change.
    pub from: Timestamp,
    pub to: Timestamp,
    pub closed_at: Timestamp,
    /// What was posted in it; it sums to nothing in each currency.
    pub accounts: Vec<AccountSum>,
    /// The shows of this business day, as they stood at the close.
    pub sales: Vec<SalesRow>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountSum {
    pub account: Account,
    /// A debit is positive, a credit negative.
    pub amount: Money,
}

/// When a theatre's business day begins and ends.
#[must_use]
pub fn span(theatre: &Theatre, date: Date) -> Option<(Timestamp, Timestamp)> {
    let starts = |date: Date| {
        let local = date.to_datetime(theatre.business_day_starts);
        let zoned = theatre.timezone.tz().to_zoned_datetime(local).ok()?;
        Some(Timestamp::from_ms(zoned.timestamp().as_millisecond()))
    };
    Some((starts(date)?, starts(date.tomorrow().ok()?)?))
}

/// Closes a day, or answers how it was closed.
///
/// # Errors
/// A refusal if the theatre is unknown or the day has not ended; else as the store has them.
pub async fn close(store: &dyn Store, theatre: &TheatreId, date: Date) -> Result<DayClose, StoreError> {
    let (from, to) = bounds(store, theatre, date).await?;
    if store.now().is_before(to) {
        let detail = format!("The business day {date} ends at {to}; close it then.");
        return Err(Refusal::InvalidRequest(vec![FieldError::new("/date", detail)]).into());
    }
    // An empty document first: writing it waits for every step that began before the day ended.
    store.put_document(KIND, key(theatre, date), 0, String::new()).await?;
    let claimed = store.document(KIND, key(theatre, date)).await?;
    if let Some(closed) = claimed.as_ref().map(read).transpose()?.flatten() {
        return Ok(closed);
    }
    let day = add_up(store, theatre, date, (from, to)).await?;
    let body = serde_json::to_string(&day).map_err(|error| StoreError::Bug(error.to_string()))?;
    let at = claimed.map_or(0, |document| document.version);
    if store.put_document(KIND, key(theatre, date), at, body).await? {
        return Ok(day);
    }
    closed(store, theatre, date).await
}

/// How a day was closed.
///
/// # Errors
/// [`Refusal::NotFound`] if it was not; else as the store has them.
pub async fn closed(store: &dyn Store, theatre: &TheatreId, date: Date) -> Result<DayClose, StoreError> {
    let document = store.document(KIND, key(theatre, date)).await?;
    let closed = document.as_ref().map(read).transpose()?.flatten();
    closed.ok_or_else(|| Refusal::NotFound("close of this day").into())
}

fn key(theatre: &TheatreId, date: Date) -> String {
    format!("{theatre}/{date}")
}

/// `None`: the day is being closed, or whoever began it died.
fn read(document: &Document) -> Result<Option<DayClose>, StoreError> {
    if document.body.is_empty() {
        return Ok(None);
    }
    serde_json::from_str(&document.body).map(Some).map_err(|error| StoreError::Bug(format!("a day's close: {error}")))
}

async fn bounds(store: &dyn Store, theatre: &TheatreId, date: Date) -> Result<(Timestamp, Timestamp), StoreError> {
    let catalogue = store.catalogue().await?;
    let theatre = catalogue.theatres.get(theatre).ok_or(Refusal::NotFound("theatre"))?;
    let out_of_time = || Refusal::InvalidRequest(vec![FieldError::new("/date", "There is no such day.")]);
    Ok(span(theatre, date).ok_or_else(out_of_time)?)
}

async fn add_up(
    store: &dyn Store,
    theatre: &TheatreId,
    date: Date,
    (from, to): (Timestamp, Timestamp),
) -> Result<DayClose, StoreError> {
    let lines = store.ledger(theatre.clone(), from, to).await?;
    let mut sums = Balances::default();
    sums.add_all(&lines).map_err(|error| StoreError::Bug(error.to_string()))?;
    let accounts = sums.iter().map(|(account, amount)| AccountSum { account: account.clone(), amount }).collect();
    let query = SalesQuery { from: date, to: date, theatre: Some(theatre.clone()) };
    let sales = sales(store, &query).await?;
    Ok(DayClose { theatre: theatre.clone(), date, from, to, closed_at: store.now(), accounts, sales })
}
