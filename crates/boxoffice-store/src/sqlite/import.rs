//! Writing a catalogue import. What it does to the shows is planned by the core; here the shows it
//! touches are read, and the plan is written, in the writer's transaction.

use boxoffice::catalogue::plan::{KeptShow, Plan, PlannedShow, plan, touched};
use boxoffice::catalogue::{Catalogue, Import, ImportReport};
use boxoffice::id::{CatalogueId, ScreenId, SeatNo, ShowNo};
use boxoffice::show::business_day;
use boxoffice::time::Timestamp;
use rusqlite::{Connection, Row, params};
use serde::Serialize;

use super::trouble::{Result, Trouble};
use super::words;

/// Imports inside the caller's transaction, which a dry run and a report with conflicts must roll
/// back.
pub(super) fn import(
    connection: &Connection,
    current: &Catalogue,
    import: &Import,
    now: Timestamp,
) -> Result<ImportReport> {
    let kept = kept(connection, current, import, now)?;
    let plan = plan(current, import, &kept, now);
    if !plan.report.conflicts.is_empty() || (plan.report.added == 0 && plan.report.changed == 0) {
        return Ok(plan.report);
    }
    let dangling = plan.catalogue.price_lists.keys().find(|id| plan.catalogue.prices(id).is_none());
    if let Some(list) = dangling {
        return Err(Trouble::bug(format!("price list {list} names what the catalogue has not")));
    }
    write_things(connection, import)?;
    write_layouts(connection, &plan.catalogue, import)?;
    for show in &plan.shows {
        write_show(connection, &plan.catalogue, show)?;
    }
    redate(connection, current, &plan)?;
    connection.execute("UPDATE meta SET catalogue_version = catalogue_version + 1", [])?;
    Ok(plan.report)
}

/// Every existing show that the import can touch, with the seats that are taken.
fn kept(connection: &Connection, current: &Catalogue, import: &Import, now: Timestamp) -> Result<Vec<KeptShow>> {
    const COLUMNS: &str = "SELECT no, body, layout_id, layout_version FROM shows";
    let touched = touched(current, import);
    let mut kept = Vec::new();
    let mut by_id = connection.prepare_cached(&format!("{COLUMNS} WHERE id = ?1"))?;
    for id in &touched.shows {
        collect(connection, by_id.query([id.as_str()])?, now, &mut kept)?;
    }
    let mut by_screen = connection.prepare_cached(&format!("{COLUMNS} WHERE screen = ?1"))?;
    for screen in &touched.screens {
        let mut of_screen = Vec::new();
        collect(connection, by_screen.query([screen.as_str()])?, now, &mut of_screen)?;
        kept.extend(of_screen.into_iter().filter(|show| !touched.shows.contains(&show.spec.id)));
    }
    Ok(kept)
}

fn collect(
    connection: &Connection,
    mut rows: rusqlite::Rows<'_>,
    now: Timestamp,
    into: &mut Vec<KeptShow>,
) -> Result<()> {
    while let Some(row) = rows.next()? {
        into.push(kept_show(connection, row, now)?);
    }
    Ok(())
}

fn kept_show(connection: &Connection, row: &Row<'_>, now: Timestamp) -> Result<KeptShow> {
    let no = ShowNo(row.get(0)?);
    let mut claimed = connection.prepare_cached(
        "SELECT seat_no FROM claims WHERE show_no = ?1 AND (until_ms IS NULL OR until_ms > ?2) ORDER BY seat_no",
    )?;
    let claimed = claimed.query_map(params![no.0, now.as_ms()], |row| Ok(SeatNo(row.get(0)?)))?;
    Ok(KeptShow {
        no,
        spec: serde_json::from_str(&row.get::<_, String>(1)?)?,
        layout: words::catalogue_id(&row.get::<_, String>(2)?)?,
        layout_version: row.get(3)?,
        claimed: claimed.collect::<rusqlite::Result<_>>()?,
    })
}

fn write_things(connection: &Connection, import: &Import) -> Result<()> {
    write_kind(connection, "theatre", import.theatres.iter().map(|x| (&x.id, x)))?;
    write_kind(connection, "screen", import.screens.iter().map(|x| (&x.id, x)))?;
    write_kind(connection, "movie", import.movies.iter().map(|x| (&x.id, x)))?;
    write_kind(connection, "ticket_type", import.ticket_types.iter().map(|x| (&x.id, x)))?;
    write_kind(connection, "promo_code", import.promo_codes.iter().map(|x| (&x.key, x)))?;
    write_kind(connection, "tax", import.taxes.iter().map(|x| (&x.id, x)))?;
    write_kind(connection, "fee", import.fees.iter().map(|x| (&x.id, x)))?;
    write_kind(connection, "price_list", import.price_lists.iter().map(|x| (&x.id, x)))?;
    write_kind(connection, "refund_policy", import.refund_policies.iter().map(|x| (&x.id, x)))
}

fn write_kind<'a, T: Serialize + 'a>(
    connection: &Connection,
    kind: &str,
    things: impl Iterator<Item = (&'a CatalogueId, &'a T)>,
) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO catalogue (kind, id, body) VALUES (?1, ?2, ?3)
         ON CONFLICT (kind, id) DO UPDATE SET body = ?3 WHERE body <> ?3",
    )?;
    for (id, thing) in things {
        statement.execute(params![kind, id.as_str(), serde_json::to_string(thing)?])?;
    }
    Ok(())
}

/// The versions that the import made current; one that was there stays as it is.
fn write_layouts(connection: &Connection, next: &Catalogue, import: &Import) -> Result<()> {
    let mut statement = connection
        .prepare_cached("INSERT INTO layouts (id, version, body) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")?;
    for layout in import.layouts.iter().filter_map(|layout| next.layout(layout.id())) {
        statement.execute(params![layout.id().as_str(), layout.version(), serde_json::to_string(&**layout)?])?;
    }
    Ok(())
}

/// A number that no show has or had.
const NEXT_NO: &str = "SELECT max(last_show, coalesce((SELECT max(no) FROM shows), 0)) + 1 FROM meta";

fn write_show(connection: &Connection, next: &Catalogue, planned: &PlannedShow) -> Result<()> {
    let spec = &planned.spec;
    let theatre = next.screens.get(&spec.screen).and_then(|screen| next.theatres.get(&screen.theatre));
    let theatre = theatre.ok_or_else(|| Trouble::bug(format!("show {} stands in no theatre", spec.id)))?;
    let no = match planned.no {
        Some(no) => no.0,
        None => connection.query_row(NEXT_NO, [], |row| row.get(0))?,
    };
    connection
        .prepare_cached(
            "INSERT INTO shows (no, id, theatre, screen, movie, starts_at_ms, business_day, layout_id, layout_version,
                body)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
             ON CONFLICT (no) DO UPDATE SET theatre = ?3, screen = ?4, movie = ?5, starts_at_ms = ?6,
                business_day = ?7, layout_id = ?8, layout_version = ?9, body = ?10",
        )?
        .execute(params![
            no,
            spec.id.as_str(),
            theatre.id.as_str(),
            spec.screen.as_str(),
            spec.movie.as_str(),
            spec.starts_at.as_ms(),
            business_day(theatre, spec.starts_at).to_string(),
            planned.layout.as_str(),
            planned.layout_version,
            serde_json::to_string(spec)?,
        ])?;
    if planned.changes {
        connection.prepare_cached("UPDATE shows SET changes = changes + 1 WHERE no = ?1")?.execute([no])?;
    }
    if planned.moves {
        clear(connection, ShowNo(no))?;
    }
    Ok(())
}

/// The rows of lapsed holds name seats of the layout the show leaves.
fn clear(connection: &Connection, no: ShowNo) -> Result<()> {
    connection.prepare_cached("DELETE FROM claims WHERE show_no = ?1")?.execute([no.0])?;
    connection
        .prepare_cached(
            "UPDATE shows SET version_floor = 1 +
                max(version_floor, coalesce((SELECT max(seq) FROM events WHERE show_no = ?1), 0))
             WHERE no = ?1",
        )?
        .execute([no.0])?;
    Ok(())
}

/// A theatre that changed its zone or its day's start dates its shows anew.
fn redate(connection: &Connection, current: &Catalogue, plan: &Plan) -> Result<()> {
    let theatre_of = |catalogue: &Catalogue, screen: &ScreenId| {
        catalogue.screens.get(screen).and_then(|s| catalogue.theatres.get(&s.theatre)).cloned()
    };
    let mut shows = connection.prepare_cached("SELECT no, starts_at_ms FROM shows WHERE screen = ?1")?;
    let mut update = connection.prepare_cached("UPDATE shows SET theatre = ?2, business_day = ?3 WHERE no = ?1")?;
    for screen in current.screens.keys() {
        let Some(theatre) = theatre_of(&plan.catalogue, screen) else { continue };
        if theatre_of(current, screen).is_some_and(|was| was == theatre) {
            continue;
        }
        let rows = shows.query_map([screen.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for (no, starts_at_ms) in rows.collect::<rusqlite::Result<Vec<(u32, i64)>>>()? {
            let day = business_day(&theatre, Timestamp::from_ms(starts_at_ms)).to_string();
            update.execute(params![no, theatre.id.as_str(), day])?;
        }
    }
    Ok(())
}
