//! Deleting a thing of the catalogue: what refers to it is counted, the core decides, and its rows go.

use boxoffice::booking::BookingStatus;
use boxoffice::catalogue::Catalogue;
use boxoffice::catalogue::delete::{self, Kind, Thing, Uses};
use boxoffice::id::ShowNo;
use boxoffice::time::Timestamp;
use rusqlite::{Connection, ToSql, params};

use super::trouble::Result;
use super::{rows, words};

/// Deletes inside the caller's transaction, which a refusal must roll back.
pub(super) fn delete(connection: &Connection, current: &Catalogue, thing: &Thing, now: Timestamp) -> Result<()> {
    check(connection, current, thing, now)?;
    let id = thing.id.as_str();
    match table_of(thing.kind) {
        Table::Catalogue(kind) => {
            connection.execute("DELETE FROM catalogue WHERE kind = ?1 AND id = ?2", [kind, id])?;
        }
        Table::Layouts => {
            connection.execute(
                "INSERT INTO deleted_layouts (id, version) SELECT id, max(version) FROM layouts WHERE id = ?1
                 ON CONFLICT (id) DO UPDATE SET version = excluded.version",
                [id],
            )?;
            connection.execute("DELETE FROM layouts WHERE id = ?1", [id])?;
        }
        Table::Shows => {
            for (no, _) in shows(connection, thing)? {
                delete_show(connection, no)?;
            }
        }
    }
    connection.execute("UPDATE meta SET catalogue_version = catalogue_version + 1", [])?;
    Ok(())
}

/// Whether it could be deleted now.
pub(super) fn check(connection: &Connection, current: &Catalogue, thing: &Thing, now: Timestamp) -> Result<()> {
    delete::delete(current, thing, &uses(connection, thing, now)?)?;
    Ok(())
}

/// Nobody ever booked it, so that its claims are blocks and its events tell of them.
fn delete_show(connection: &Connection, no: ShowNo) -> Result<()> {
    for table in ["claims", "events"] {
        connection.execute(&format!("DELETE FROM {table} WHERE show_no = ?1"), [no.0])?;
    }
    connection.execute("DELETE FROM shows WHERE no = ?1", [no.0])?;
    connection.execute("UPDATE meta SET last_show = max(last_show, ?1)", [no.0])?;
    Ok(())
}

/// Where things of a kind stand.
enum Table {
    /// With this word.
    Catalogue(&'static str),
    Layouts,
    Shows,
}

fn table_of(kind: Kind) -> Table {
    match kind {
        Kind::Theatres => Table::Catalogue("theatre"),
        Kind::Screens => Table::Catalogue("screen"),
        Kind::Movies => Table::Catalogue("movie"),
        Kind::TicketTypes => Table::Catalogue("ticket_type"),
        Kind::Taxes => Table::Catalogue("tax"),
        Kind::Fees => Table::Catalogue("fee"),
        Kind::PriceLists => Table::Catalogue("price_list"),
        Kind::PromoCodes => Table::Catalogue("promo_code"),
        Kind::RefundPolicies => Table::Catalogue("refund_policy"),
        Kind::Layouts => Table::Layouts,
        Kind::Shows => Table::Shows,
    }
}

fn uses(connection: &Connection, thing: &Thing, now: Timestamp) -> Result<Uses> {
    const TYPE: &str = "id IN (SELECT booking FROM tickets WHERE ticket_type = ?2) OR status = 'pending_payment'
        AND expires_at_ms > ?1 AND ?2 IN (SELECT value ->> '$.ticket_type' FROM json_each(terms, '$.seats'))";
    const CODE: &str = "id IN (SELECT booking FROM promo_uses WHERE code = ?2 AND (until_ms IS NULL OR until_ms > ?1))";
    let mut uses = Uses::default();
    for (no, cancelled) in shows(connection, thing)? {
        uses.count_show(cancelled);
        let (lowest, highest) = rows::of_show(no);
        count(connection, "id BETWEEN ?2 AND ?3", params![now.as_ms(), lowest, highest], &mut uses)?;
    }
    let named = params![now.as_ms(), thing.id.as_str()];
    match thing.kind {
        Kind::TicketTypes => count(connection, TYPE, named, &mut uses)?,
        Kind::PromoCodes => count(connection, CODE, named, &mut uses)?,
        Kind::Theatres
        | Kind::Layouts
        | Kind::Screens
        | Kind::Movies
        | Kind::Taxes
        | Kind::Fees
        | Kind::PriceLists
        | Kind::RefundPolicies
        | Kind::Shows => {}
    }
    Ok(uses)
}

/// The shows that use a thing, and whether each is cancelled.
fn shows(connection: &Connection, thing: &Thing) -> Result<Vec<(ShowNo, bool)>> {
    let column = match thing.kind {
        Kind::Theatres => "theatre",
        Kind::Layouts => "layout_id",
        Kind::Screens => "screen",
        Kind::Movies => "movie",
        Kind::PriceLists => "body ->> '$.price_list'",
        Kind::RefundPolicies => "body ->> '$.refund_policy'",
        Kind::Shows => "id",
        Kind::TicketTypes | Kind::Taxes | Kind::Fees | Kind::PromoCodes => return Ok(Vec::new()),
    };
    let mut statement =
        connection.prepare_cached(&format!("SELECT no, body ->> '$.cancelled' FROM shows WHERE {column} = ?1"))?;
    let shows = statement.query_map([thing.id.as_str()], |row| Ok((ShowNo(row.get(0)?), row.get(1)?)))?;
    Ok(shows.collect::<rusqlite::Result<_>>()?)
}

/// Counts the bookings for which a condition holds, by how they stand at ?1.
fn count(connection: &Connection, condition: &str, values: &[&dyn ToSql], uses: &mut Uses) -> Result<()> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT status, status = 'pending_payment' AND expires_at_ms <= ?1, count(*) FROM bookings
         WHERE {condition} GROUP BY 1, 2"
    ))?;
    let mut rows = statement.query(values)?;
    while let Some(row) = rows.next()? {
        let status = words::read("a booking's status", row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?;
        let status = if row.get(1)? { BookingStatus::Expired } else { status };
        uses.count_bookings(status, usize::try_from(row.get::<_, u32>(2)?).unwrap_or(usize::MAX));
    }
    Ok(())
}
