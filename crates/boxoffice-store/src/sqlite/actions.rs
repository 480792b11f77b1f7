//! The staff's log as rows.

use boxoffice::action::{Action, ActionFilter, Deed};
use boxoffice::id::BookingId;
use boxoffice::time::Timestamp;
use rusqlite::{Connection, Row, params};

use super::rows::instant;
use super::trouble::{Result, Trouble};

pub(super) fn write(connection: &Connection, deed: &Deed, at: Timestamp) -> Result<()> {
    let booking = deed.booking.map(|id| id.to_bytes());
    connection
        .prepare_cached("INSERT INTO actions (at_ms, by, what, booking, subject) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![at.as_ms(), deed.by, deed.what, booking, deed.subject])?;
    Ok(())
}

/// Oldest first. A booking's actions are found by an index; else the numbers are walked, from where the
/// last page ended.
pub(super) fn read(connection: &Connection, filter: &ActionFilter) -> Result<Vec<Action>> {
    let booking = if filter.booking.is_some() { "booking = ?2" } else { "?2 IS NULL" };
    let sql =
        format!("SELECT no, at_ms, by, what, booking, subject FROM actions WHERE no > ?1 AND {booking} ORDER BY no");
    let mut statement = connection.prepare_cached(&sql)?;
    let after = i64::try_from(filter.after.unwrap_or(0)).unwrap_or(i64::MAX);
    let mut rows = statement.query(params![after, filter.booking.map(|id| id.to_bytes())])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let action = action(row)?;
        if filter.matches(&action) {
            found.push(action);
        }
        if filter.limit != 0 && found.len() == filter.limit {
            break;
        }
    }
    Ok(found)
}

fn action(row: &Row<'_>) -> Result<Action> {
    let no: i64 = row.get(0)?;
    let booking: Option<[u8; 16]> = row.get(4)?;
    Ok(Action {
        no: u64::try_from(no).map_err(|_| Trouble::bug("an action has no number"))?,
        at: instant(row.get(1)?),
        deed: Deed {
            by: row.get(2)?,
            what: row.get(3)?,
            booking: booking.map(BookingId::from_bytes),
            subject: row.get(5)?,
        },
    })
}
