//! All bookings as CSV, page by page, so that memory does not grow with their number. Nothing in it says who bought.

use boxoffice::booking::{AttemptStatus, Booking, Channel, RefundStatus};
use boxoffice::id::{BookingId, ShowNo};
use boxoffice::money::{Money, MoneyError};
use boxoffice::store::{BookingFilter, Store, StoreError};
use boxoffice::time::Timestamp;

use super::harmless;

const HEADER: [&str; 15] = [
    "reference",
    "id",
    "status",
    "channel",
    "show",
    "starts_at",
    "screen",
    "created_at",
    "seats",
    "total",
    "tax",
    "captured",
    "refunded",
    "tickets_live",
    "currency",
];

/// Bookings in one page: few enough that a page is written in milliseconds.
const PAGE: usize = 200;

/// Where a listing has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cursor {
    Start,
    After(BookingId),
    End,
}

/// The next piece of the listing, the header first. `None`: it has ended.
///
/// # Errors
/// The store cannot answer.
pub async fn next(
    store: &dyn Store,
    show: Option<ShowNo>,
    cursor: Cursor,
) -> Result<Option<(Vec<u8>, Cursor)>, StoreError> {
    let after = match cursor {
        Cursor::Start => None,
        Cursor::After(id) => Some(id),
        Cursor::End => return Ok(None),
    };
    let filter = BookingFilter { show, after, limit: PAGE, ..BookingFilter::default() };
    let page = store.bookings(filter).await?;
    let next = page.last().filter(|_| page.len() == PAGE).map_or(Cursor::End, |last| Cursor::After(last.id));
    let bug = |error: String| StoreError::Bug(format!("a booking cannot be written as CSV: {error}"));
    let bytes = write(&page, cursor == Cursor::Start, store.now()).map_err(|error| bug(error.to_string()))?;
    Ok(Some((bytes, next)))
}

fn write(page: &[Booking], with_header: bool, now: Timestamp) -> anyhow::Result<Vec<u8>> {
    let mut csv = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    if with_header {
        csv.write_record(HEADER)?;
    }
    for booking in page {
        csv.write_record(cells(booking, now)?)?;
    }
    Ok(csv.into_inner()?)
}

fn cells(booking: &Booking, now: Timestamp) -> Result<[String; 15], MoneyError> {
    let price = &booking.price;
    Ok([
        harmless(&booking.reference).into_owned(),
        booking.id.to_string(),
        booking.status_at(now).as_str().to_owned(),
        match booking.channel {
            Channel::Web => "web".to_owned(),
            Channel::Counter => "counter".to_owned(),
        },
        harmless(booking.show.id.as_str()).into_owned(),
        booking.show.starts_at.to_string(),
        harmless(booking.show.screen.as_str()).into_owned(),
        booking.created_at.to_string(),
        booking.seats.len().to_string(),
        price.total.digits(),
        price.tax.digits(),
        captured(booking)?.digits(),
        refunded(booking)?.digits(),
        booking.live_tickets().count().to_string(),
        price.total.currency().code().to_owned(),
    ])
}

/// In the booking's own currency; a sum in another one goes back and is never a sale.
fn captured(booking: &Booking) -> Result<Money, MoneyError> {
    let currency = booking.price.total.currency();
    let succeeded = booking.attempts.iter().filter(|attempt| attempt.status == AttemptStatus::Succeeded);
    Money::sum(currency, succeeded.filter_map(|attempt| attempt.captured).filter(|sum| sum.currency() == currency))
}

/// What has gone back, and what is on its way.
fn refunded(booking: &Booking) -> Result<Money, MoneyError> {
    let currency = booking.price.total.currency();
    let given = booking.refunds.iter().filter(|refund| refund.status != RefundStatus::Failed).map(|r| r.amount);
    Money::sum(currency, given.filter(|sum| sum.currency() == currency))
}
