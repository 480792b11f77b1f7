//! The ledger's rows: what a step posts, what is read, and the opening of bookings that are older.

use boxoffice::booking::Booking;
use boxoffice::id::{BookingId, ShowNo, TheatreId};
use boxoffice::ledger::{self, Line};
use boxoffice::time::Timestamp;
use rusqlite::{Connection, Row, TransactionBehavior, params};

use super::trouble::{Result, Trouble};
use super::{OpenError, rows, words};

/// Posts the difference that a step made to a booking.
pub(super) fn post(
    connection: &Connection,
    was: Option<&Booking>,
    is: &Booking,
    version: u64,
    at: Timestamp,
) -> Result<()> {
    let lines = ledger::posting(was, is, version, at).map_err(unsummed)?;
    lines.iter().try_for_each(|line| add(connection, line))
}

fn unsummed(error: boxoffice::money::MoneyError) -> Trouble {
    Trouble::bug(format!("a posting: {error}"))
}

fn add(connection: &Connection, line: &Line) -> Result<()> {
    let seq = i64::try_from(line.seq).map_err(|_| Trouble::bug("a show has run out of posting numbers"))?;
    connection
        .prepare_cached(
            "INSERT INTO ledger (show_no, seq, booking, account, currency, amount, at_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            line.booking.show().0,
            seq,
            line.booking.to_bytes(),
            line.account.to_string(),
            line.amount.currency().code(),
            line.amount.minor(),
            line.at.as_ms(),
        ])?;
    Ok(())
}

/// The lines of a show in the order in which they were posted.
pub(super) fn of_show(connection: &Connection, show: ShowNo) -> Result<Vec<Line>> {
    let mut statement = connection.prepare_cached(
        "SELECT seq, booking, account, currency, amount, at_ms FROM ledger WHERE show_no = ?1 ORDER BY seq, booking",
    )?;
    let mut rows = statement.query([show.0])?;
    let mut lines = Vec::new();
    while let Some(row) = rows.next()? {
        lines.push(line(row)?);
    }
    Ok(lines)
}

/// The lines of a theatre's shows that were posted in this half-open time.
pub(super) fn of_time(
    connection: &Connection,
    theatre: &TheatreId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<Line>> {
    let mut statement = connection.prepare_cached(
        "SELECT seq, booking, account, currency, amount, at_ms FROM ledger JOIN shows ON shows.no = ledger.show_no
         WHERE at_ms >= ?1 AND at_ms < ?2 AND theatre = ?3 ORDER BY at_ms, show_no, seq, booking",
    )?;
    let mut rows = statement.query(params![from.as_ms(), to.as_ms(), theatre.as_str()])?;
    let mut lines = Vec::new();
    while let Some(row) = rows.next()? {
        lines.push(line(row)?);
    }
    Ok(lines)
}

fn line(row: &Row<'_>) -> Result<Line> {
    let account: String = row.get(2)?;
    Ok(Line {
        at: rows::instant(row.get(5)?),
        booking: BookingId::from_bytes(row.get(1)?),
        seq: row.get::<_, i64>(0)?.unsigned_abs(),
        account: account.parse().map_err(|error| Trouble::bug(format!("a line of the ledger: {error}")))?,
        amount: words::money(row.get(4)?, &row.get::<_, String>(3)?)?,
    })
}

/// Opens the ledger of a store that is older than it, once: each booking with money gets the lines
/// of all that it stands for.
pub(super) fn open(connection: &mut Connection, now: Timestamp) -> std::result::Result<(), OpenError> {
    if is_opened(connection)? {
        return Ok(());
    }
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if !is_opened(&tx)? {
        open_all(&tx, now).map_err(|trouble| OpenError::Store(trouble.into()))?;
        tx.execute("UPDATE meta SET ledger_opened = 1", [])?;
    }
    tx.commit()?;
    Ok(())
}

fn is_opened(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT ledger_opened FROM meta", [], |row| row.get(0))
}

fn open_all(connection: &Connection, now: Timestamp) -> Result<()> {
    let mut statement = connection.prepare("SELECT DISTINCT booking FROM payments WHERE captured IS NOT NULL")?;
    let mut paid = statement.query([])?;
    while let Some(row) = paid.next()? {
        let id = BookingId::from_bytes(row.get(0)?);
        let booking = rows::booking(connection, id)?;
        let booking =
            booking.ok_or_else(|| Trouble::bug(format!("a payment is of booking {id}, which is not there")))?;
        ledger::opening(&booking, now).map_err(unsummed)?.iter().try_for_each(|line| add(connection, line))?;
    }
    Ok(())
}
