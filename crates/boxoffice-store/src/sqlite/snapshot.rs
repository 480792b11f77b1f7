//! The catalogue and the shows that were looked up, remembered for as long as no import changes
//! them. Writer and readers share it; each asks by the version its own transaction has read.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use boxoffice::catalogue::Catalogue;
use boxoffice::id::{CatalogueId, ShowNo};
use boxoffice::layout::Layout;
use boxoffice::show::{Show, ShowSpec};
use parking_lot::{Mutex, RwLock};
use rusqlite::{Connection, OptionalExtension};
use serde::de::DeserializeOwned;

use super::trouble::{Result, Trouble};
use super::words;

/// Shows remembered at most; past it all are forgotten, which costs a row each.
const SHOWS: usize = 65_536;

#[derive(Debug)]
pub(super) struct Snapshot {
    version: i64,
    pub(super) catalogue: Arc<Catalogue>,
    shows: Mutex<HashMap<ShowNo, Arc<Show>>>,
}

#[derive(Debug, Default)]
pub(super) struct Snapshots {
    newest: RwLock<Option<Arc<Snapshot>>>,
}

impl Snapshots {
    /// The catalogue at `version`, which the connection's transaction must have read.
    pub(super) fn at(&self, connection: &Connection, version: i64) -> Result<Arc<Snapshot>> {
        if let Some(snapshot) = self.newest.read().as_ref().filter(|s| s.version == version) {
            return Ok(snapshot.clone());
        }
        let catalogue = Arc::new(Catalogue { version: version.unsigned_abs(), ..load(connection)? });
        let snapshot = Arc::new(Snapshot { version, catalogue, shows: Mutex::default() });
        let mut newest = self.newest.write();
        if newest.as_ref().is_none_or(|s| s.version < version) {
            *newest = Some(snapshot.clone());
        }
        Ok(snapshot)
    }
}

impl Snapshot {
    pub(super) fn show(&self, connection: &Connection, no: ShowNo) -> Result<Option<Arc<Show>>> {
        if let Some(show) = self.shows.lock().get(&no) {
            return Ok(Some(show.clone()));
        }
        let Some(show) = self.load_show(connection, no)? else {
            return Ok(None);
        };
        let mut shows = self.shows.lock();
        if shows.len() >= SHOWS {
            shows.clear();
        }
        shows.insert(no, show.clone());
        Ok(Some(show))
    }

    fn load_show(&self, connection: &Connection, no: ShowNo) -> Result<Option<Arc<Show>>> {
        let mut statement =
            connection.prepare_cached("SELECT body, layout_id, layout_version FROM shows WHERE no = ?1")?;
        let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get(2)?));
        let Some((body, layout, version)) = statement.query_row([no.0], row).optional()? else {
            return Ok(None);
        };
        let spec: ShowSpec = serde_json::from_str(&body)?;
        let layout = words::catalogue_id(&layout)?;
        let show = self.catalogue.resolve(no, spec, &layout, version);
        let show = show.ok_or_else(|| Trouble::bug(format!("show {} names what the catalogue has not", no.0)))?;
        Ok(Some(Arc::new(show)))
    }
}

fn load(connection: &Connection) -> Result<Catalogue> {
    let mut catalogue = Catalogue::default();
    let mut statement = connection.prepare_cached("SELECT kind, id, body FROM catalogue")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let id = words::catalogue_id(&row.get::<_, String>(1)?)?;
        let body: String = row.get(2)?;
        match row.get::<_, String>(0)?.as_str() {
            "theatre" => put(&mut catalogue.theatres, id, &body)?,
            "screen" => put(&mut catalogue.screens, id, &body)?,
            "movie" => put(&mut catalogue.movies, id, &body)?,
            "ticket_type" => put(&mut catalogue.ticket_types, id, &body)?,
            "promo_code" => put(&mut catalogue.promo_codes, id, &body)?,
            "tax" => put(&mut catalogue.taxes, id, &body)?,
            "fee" => put(&mut catalogue.fees, id, &body)?,
            "price_list" => put(&mut catalogue.price_lists, id, &body)?,
            "refund_policy" => put(&mut catalogue.refund_policies, id, &body)?,
            kind => {
                return Err(Trouble::bug(format!("the catalogue has a `{kind}`, which this program does not know")));
            }
        }
    }
    let mut statement = connection.prepare_cached("SELECT body FROM layouts ORDER BY id, version")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let layout: Layout = serde_json::from_str(&row.get::<_, String>(0)?)?;
        catalogue.layouts.entry(layout.id().clone()).or_default().push(Arc::new(layout));
    }
    let mut statement = connection.prepare_cached("SELECT id, version FROM deleted_layouts")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        catalogue.spent_versions.insert(words::catalogue_id(&row.get::<_, String>(0)?)?, row.get(1)?);
    }
    Ok(catalogue)
}

fn put<T: DeserializeOwned>(things: &mut BTreeMap<CatalogueId, Arc<T>>, id: CatalogueId, body: &str) -> Result<()> {
    things.insert(id, Arc::new(serde_json::from_str(body)?));
    Ok(())
}
