//! The reads of the store, each inside one read transaction.

use std::sync::Arc;

use boxoffice::booking::{Notice, NoticeStatus};
use boxoffice::claim::Occupancy;
use boxoffice::id::{AttemptId, BookingId, NoticeId, PartId, ShowId, ShowNo};
use boxoffice::sales::Sales;
use boxoffice::show::Show;
use boxoffice::store::{
    Backlog, Document, NoticeFilter, Orphan, SeatsRead, ShowBooks, ShowChange, ShowFilter, ShowRow,
};
use boxoffice::time::{Span, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};

use super::Moment;
use super::snapshot::Snapshot;
use super::trouble::{Result, Trouble};
use super::words;
use super::{ledger, rows};

/// A business day, and a date of the calendar, lie within these of the midnight in UTC that its date begins with, in every
/// zone and whenever the day starts.
const DAY_BEFORE: Span = Span::from_mins(-36 * 60);
const DAY_AFTER: Span = Span::from_mins(72 * 60);

pub(super) fn show_by_id(connection: &Connection, snapshot: &Snapshot, id: &ShowId) -> Result<Option<Arc<Show>>> {
    let mut statement = connection.prepare_cached("SELECT no FROM shows WHERE id = ?1")?;
    let no: Option<u32> = statement.query_row([id.as_str()], |row| row.get(0)).optional()?;
    no.map_or(Ok(None), |no| snapshot.show(connection, ShowNo(no)))
}

/// Shows by start and id. The rows narrow down by time; the filter itself has the last word.
pub(super) fn shows(
    connection: &Connection,
    snapshot: &Snapshot,
    filter: &ShowFilter,
    (now, sales): (Timestamp, Sales),
) -> Result<Vec<ShowRow>> {
    let (from, to) = bounds(filter);
    let mut statement = connection.prepare_cached(
        "SELECT no, theatre, movie, screen FROM shows WHERE starts_at_ms >= ?1 AND starts_at_ms < ?2
         ORDER BY starts_at_ms, id",
    )?;
    let mut rows = statement.query([from, to])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let word = |column| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
        let (theatre, movie, screen) = (word(1)?, word(2)?, word(3)?);
        let may_match = filter.theatres.as_ref().is_none_or(|ids| ids.iter().any(|id| id.as_str() == theatre))
            && filter.movies.as_ref().is_none_or(|ids| ids.iter().any(|id| id.as_str() == movie))
            && filter.screen.as_ref().is_none_or(|id| id.as_str() == screen);
        if !may_match {
            continue;
        }
        let no = ShowNo(row.get(0)?);
        let show = snapshot.show(connection, no)?;
        let show = show.ok_or_else(|| Trouble::bug(format!("show {} is listed and not there", no.0)))?;
        if filter.matches(&show) {
            let (seats_left, occupancy) = counts(connection, &show, now)?;
            found.push(ShowRow { show, seats_left, occupancy, sales });
        }
        if filter.limit != 0 && found.len() == filter.limit {
            break;
        }
    }
    Ok(found)
}

/// The starts in milliseconds, half-open, within which every show that matches lies.
fn bounds(filter: &ShowFilter) -> (i64, i64) {
    let midnight = |day: Option<jiff::civil::Date>| {
        let midnight = jiff::tz::TimeZone::UTC.to_timestamp(day?.at(0, 0, 0, 0)).ok()?;
        Some(Timestamp::from_ms(midnight.as_millisecond()))
    };
    let midnights = [midnight(filter.business_day), midnight(filter.on_date)];
    let after = filter.after.as_ref().map(|(at, _)| *at);
    let days = || midnights.into_iter().flatten();
    let lower = [filter.from, after].into_iter().flatten().chain(days().map(|at| at + DAY_BEFORE));
    let upper = filter.to.into_iter().chain(days().map(|at| at + DAY_AFTER));
    let lowest = lower.max().map_or(i64::MIN, Timestamp::as_ms);
    let highest = upper.min().map_or(i64::MAX, Timestamp::as_ms);
    (lowest, highest)
}

/// Seats left now, and how full the show is.
fn counts(connection: &Connection, show: &Show, now: Timestamp) -> Result<(usize, Occupancy)> {
    let mut statement = connection.prepare_cached(
        "SELECT count(*) FILTER (WHERE until_ms IS NULL OR until_ms > ?2), count(*) FILTER (WHERE state = 'sold'),
            count(*) FILTER (WHERE state = 'blocked' AND (until_ms IS NULL OR until_ms > ?2))
         FROM claims WHERE show_no = ?1",
    )?;
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, u32>(0)?, row.get(1)?, row.get::<_, u32>(2)?));
    let (taken, sold, blocked) = statement.query_row(params![show.no.0, now.as_ms()], read)?;
    let seats = u32::try_from(show.layout.seats().len()).unwrap_or(u32::MAX);
    let left = usize::try_from(seats.saturating_sub(taken)).unwrap_or(usize::MAX);
    Ok((left, Occupancy { sold, sellable: seats.saturating_sub(blocked) }))
}

pub(super) fn seats(connection: &Connection, no: ShowNo, at: &Moment) -> Result<SeatsRead> {
    let show = at.snapshot.show(connection, no)?.ok_or(boxoffice::refusal::Refusal::NotFound("show"))?;
    let seats = rows::seats(connection, no, show.layout.seats().len())?;
    Ok(SeatsRead { epoch: at.epoch, now: at.now, sales: at.sales, show, seats })
}

/// Each count is over an index that has nothing else in it.
pub(super) fn backlog(connection: &Connection) -> Result<Backlog> {
    let mut refunds = connection.prepare_cached("SELECT count(*) FROM refunds WHERE status <> 'succeeded'")?;
    let mut letters =
        connection.prepare_cached("SELECT min(due_since_ms) FROM notices WHERE next_try_at_ms IS NOT NULL")?;
    Ok(Backlog {
        refunds_open: refunds.query_row([], |row| row.get::<_, i64>(0))?.unsigned_abs(),
        oldest_letter: letters.query_row([], |row| row.get::<_, Option<i64>>(0))?.map(Timestamp::from_ms),
    })
}

pub(super) fn payment(connection: &Connection, gateway: &str, payment_id: &str) -> Result<Option<AttemptId>> {
    let mut statement = connection.prepare_cached(
        "SELECT booking, no FROM payments WHERE gateway = ?1 AND payment_id = ?2 AND moved_from IS NULL",
    )?;
    let read = |row: &rusqlite::Row<'_>| Ok(AttemptId { booking: BookingId::from_bytes(row.get(0)?), no: row.get(1)? });
    Ok(statement.query_row([gateway, payment_id], read).optional()?)
}

/// Notices by booking and number.
pub(super) fn notices(connection: &Connection, filter: &NoticeFilter) -> Result<Vec<Notice>> {
    let after = filter.after.map_or(([0; 16], 0), |id| (id.booking.to_bytes(), id.no));
    let status = if filter.status.is_some() { "status = ?3" } else { "?3 IS NULL" };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT no, detail, status, made_at_ms, due_since_ms, resends, tries, next_try_at_ms, sent_at_ms, links_only,
            last_error, booking
         FROM notices WHERE (booking, no) > (?1, ?2) AND {status} ORDER BY booking, no LIMIT ?4"
    ))?;
    let limit = if filter.limit == 0 { -1 } else { i64::try_from(filter.limit).unwrap_or(i64::MAX) };
    let mut rows = statement.query(params![after.0, after.1, filter.status.map(NoticeStatus::as_str), limit])?;
    let mut notices = Vec::new();
    while let Some(row) = rows.next()? {
        let id = PartId { booking: BookingId::from_bytes(row.get(11)?), no: row.get(0)? };
        notices.push(rows::notice(id, row)?);
    }
    Ok(notices)
}

pub(super) fn shows_to_follow(connection: &Connection, limit: usize) -> Result<Vec<ShowChange>> {
    let mut statement =
        connection.prepare_cached("SELECT no, changes FROM shows WHERE changes > followed ORDER BY no LIMIT ?1")?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let read = |row: &rusqlite::Row<'_>| {
        Ok(ShowChange { show: ShowNo(row.get(0)?), change: row.get::<_, i64>(1)?.unsigned_abs() })
    };
    Ok(statement.query_map([limit], read)?.collect::<rusqlite::Result<_>>()?)
}

/// Bookings whose work is due, longest due first.
pub(super) fn due(connection: &Connection, now: Timestamp, limit: usize) -> Result<Vec<BookingId>> {
    let mut statement = connection.prepare_cached(
        "SELECT id FROM bookings WHERE due_at_ms IS NOT NULL AND due_at_ms <= ?1 ORDER BY due_at_ms, no LIMIT ?2",
    )?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let ids = statement.query_map(params![now.as_ms(), limit], |row| Ok(BookingId::from_bytes(row.get(0)?)))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}

/// Notices to be sent, longest due first.
pub(super) fn notices_due(connection: &Connection, now: Timestamp, limit: usize) -> Result<Vec<NoticeId>> {
    let mut statement = connection.prepare_cached(
        "SELECT booking, no FROM notices WHERE next_try_at_ms IS NOT NULL AND next_try_at_ms <= ?1
         ORDER BY next_try_at_ms, booking, no LIMIT ?2",
    )?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let read = |row: &rusqlite::Row<'_>| Ok(PartId { booking: BookingId::from_bytes(row.get(0)?), no: row.get(1)? });
    Ok(statement.query_map(params![now.as_ms(), limit], read)?.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn orphans(connection: &Connection) -> Result<Vec<Orphan>> {
    let mut statement = connection.prepare_cached(
        "SELECT gateway, payment_id, amount, currency, seen_at_ms FROM orphans ORDER BY seen_at_ms, gateway, payment_id",
    )?;
    let mut rows = statement.query([])?;
    let mut orphans = Vec::new();
    while let Some(row) = rows.next()? {
        orphans.push(Orphan {
            gateway: row.get(0)?,
            payment_id: row.get(1)?,
            amount: words::money(row.get(2)?, &row.get::<_, String>(3)?)?,
            seen_at: Timestamp::from_ms(row.get(4)?),
        });
    }
    Ok(orphans)
}

/// The next show, with all its claims and bookings.
pub(super) fn books(connection: &Connection, after: Option<ShowNo>, now: Timestamp) -> Result<Option<ShowBooks>> {
    let mut statement = connection.prepare_cached("SELECT no FROM shows WHERE no > ?1 ORDER BY no LIMIT 1")?;
    let after = after.map_or(-1, |no| i64::from(no.0));
    let Some(no) = statement.query_row([after], |row| row.get(0)).optional()?.map(ShowNo) else {
        return Ok(None);
    };
    let claims = rows::claims(connection, no)?;
    let bookings = rows::bookings_of(connection, no)?;
    Ok(Some(ShowBooks { show: no, now, claims, bookings, ledger: ledger::of_show(connection, no)? }))
}

pub(super) fn document(connection: &Connection, kind: &str, key: &str) -> Result<Option<Document>> {
    let mut statement =
        connection.prepare_cached("SELECT version, body FROM documents WHERE kind = ?1 AND key = ?2")?;
    let read =
        |row: &rusqlite::Row<'_>| Ok(Document { version: row.get::<_, i64>(0)?.unsigned_abs(), body: row.get(1)? });
    Ok(statement.query_row([kind, key], read).optional()?)
}

pub(super) fn documents(connection: &Connection, kind: &str) -> Result<Vec<(String, Document)>> {
    let mut statement =
        connection.prepare_cached("SELECT key, version, body FROM documents WHERE kind = ?1 ORDER BY key")?;
    let read = |row: &rusqlite::Row<'_>| {
        Ok((row.get(0)?, Document { version: row.get::<_, i64>(1)?.unsigned_abs(), body: row.get(2)? }))
    };
    Ok(statement.query_map([kind], read)?.collect::<rusqlite::Result<_>>()?)
}

/// Bookings that name a person and whose show starts before this. Asked by the words of the index, so that
/// it is used.
pub(super) fn of_persons(
    connection: &Connection,
    before: Timestamp,
    after: Option<BookingId>,
    limit: usize,
) -> Result<Vec<BookingId>> {
    let mut statement = connection.prepare_cached(
        "SELECT b.id FROM bookings b INDEXED BY bookings_of_persons JOIN shows s ON s.no = b.show_no
         WHERE (b.customer_name IS NOT NULL OR b.customer_email IS NOT NULL OR b.customer_phone IS NOT NULL)
         AND b.id > ?1 AND s.starts_at_ms < ?2 ORDER BY b.id LIMIT ?3",
    )?;
    let after = after.map_or([0; 16], |id| id.to_bytes());
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut rows = statement.query(params![after, before.as_ms(), limit])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(BookingId::from_bytes(row.get(0)?));
    }
    Ok(found)
}
