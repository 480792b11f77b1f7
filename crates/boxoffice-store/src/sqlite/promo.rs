//! Who uses a promo code. The rows of a code are counted in the transaction that adds one, so that
//! no code is used more often than it may be.

use boxoffice::booking::Booking;
use boxoffice::id::BookingId;
use boxoffice::promo::uses::{PromoAsk, PromoRow, PromoUses};
use boxoffice::time::Timestamp;
use rusqlite::{Connection, params};

use super::trouble::Result;

/// The uses that count now, without those of the booking that asks.
pub(super) fn uses(connection: &Connection, ask: &PromoAsk, now: Timestamp) -> Result<PromoUses> {
    let mut statement = connection.prepare_cached(
        "SELECT count(*), coalesce(sum(customer IS NOT NULL AND customer = ?2), 0), coalesce(sum(discount), 0)
         FROM promo_uses WHERE code = ?1 AND booking <> ?3 AND (until_ms IS NULL OR until_ms > ?4)",
    )?;
    let ask = params![ask.code.as_str(), ask.customer, ask.except.to_bytes(), now.as_ms()];
    let read = |row: &rusqlite::Row<'_>| {
        Ok(PromoUses { bookings: row.get(0)?, by_customer: row.get(1)?, given_minor: row.get(2)? })
    };
    Ok(statement.query_row(ask, read)?)
}

/// Writes what a step changed of a booking's use.
pub(super) fn keep(connection: &Connection, was: Option<&Booking>, is: &Booking) -> Result<()> {
    let (before, after) = (was.and_then(Booking::promo_row), is.promo_row());
    if before == after {
        return Ok(());
    }
    if before.as_ref().map(|row| &row.code) != after.as_ref().map(|row| &row.code) {
        connection.prepare_cached("DELETE FROM promo_uses WHERE booking = ?1")?.execute([is.id.to_bytes()])?;
    }
    after.map_or(Ok(()), |row| put(connection, is.id, &row))
}

fn put(connection: &Connection, booking: BookingId, row: &PromoRow) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO promo_uses (code, booking, customer, discount, until_ms) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (code, booking) DO UPDATE SET customer = ?3, discount = ?4, until_ms = ?5",
        )?
        .execute(params![
            row.code.as_str(),
            booking.to_bytes(),
            row.customer,
            row.discount.minor(),
            row.until.map(Timestamp::as_ms),
        ])?;
    Ok(())
}
