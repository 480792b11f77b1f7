//! Whether the store sells, and which payments a restored one waits for.

use boxoffice::command::{Command, PaymentNews};
use boxoffice::sales::{Sales, SalesState};
use boxoffice::time::Timestamp;
use rusqlite::{Connection, params};

use super::trouble::Result;

pub(super) fn state(connection: &Connection, sales: Sales) -> Result<SalesState> {
    let mut statement = connection.prepare_cached("SELECT count(*) FROM unanswered")?;
    Ok(SalesState { sales, unanswered: statement.query_row([], |row| row.get::<_, i64>(0))?.unsigned_abs() })
}

/// Nobody waits for a payment any more once sales are open.
pub(super) fn set(connection: &Connection, sales: Sales) -> Result<()> {
    let since = match sales {
        Sales::Open => None,
        Sales::Closed { since } => Some(since.as_ms()),
    };
    connection.execute("UPDATE meta SET sales_closed_at_ms = ?1", [since])?;
    if sales.are_open() {
        connection.execute("DELETE FROM unanswered", [])?;
    }
    Ok(())
}

/// Takes note that a provider has answered for a payment, whatever it said.
pub(super) fn answered(connection: &Connection, command: &Command) -> Result<()> {
    let Command::Settle(settle) = command else { return Ok(()) };
    if settle.news != PaymentNews::Silent {
        connection
            .prepare_cached("DELETE FROM unanswered WHERE booking = ?1 AND no = ?2")?
            .execute(params![settle.booking.to_bytes(), settle.attempt])?;
    }
    Ok(())
}

/// Turns a copy into a store that goes on where its backup ended: another epoch, since what was seen after the backup
/// is gone; no sales; and every payment that a provider may still have news of asked about now.
pub(super) fn close_restored(connection: &mut Connection, now: Timestamp) -> rusqlite::Result<()> {
    let tx = connection.transaction()?;
    let now = now.as_ms();
    tx.execute("UPDATE meta SET epoch = max(epoch + 1, ?1), sales_closed_at_ms = ?1", [now])?;
    tx.execute("DELETE FROM unanswered", [])?;
    tx.execute(
        "INSERT INTO unanswered SELECT booking, no FROM payments WHERE ask_at_ms IS NOT NULL AND status <> 'succeeded'",
        [],
    )?;
    tx.execute(
        "UPDATE bookings SET due_at_ms = min(coalesce(due_at_ms, ?1), ?1)
         WHERE id IN (SELECT booking FROM payments WHERE ask_at_ms IS NOT NULL)",
        [now],
    )?;
    tx.execute("UPDATE payments SET ask_at_ms = min(ask_at_ms, ?1) WHERE ask_at_ms IS NOT NULL", [now])?;
    tx.commit()
}
