//! What is asked at nearly every request — what the clock's setting is, which show an id names, where
//! its seats stand — remembered for as long as nobody commits. Whether anybody has, in this process
//! or another, SQLite says at each look for about a microsecond, so that nothing is ever told that
//! no longer holds.

use std::collections::HashMap;
use std::sync::Arc;

use boxoffice::id::{ShowId, ShowNo};
use boxoffice::show::Show;
use parking_lot::Mutex;
use rusqlite::Connection;

use super::place::Place;
use super::reads;
use super::rows::{self, Meta};
use super::snapshot::Snapshots;
use super::trouble::Result;

/// Shows remembered at most; past it all are forgotten.
const SHOWS: usize = 16_384;

/// Looks taken at the same time: readers on several threads do not wait for each other.
const LOOKS: usize = 4;

#[derive(Debug)]
pub(super) struct Watch {
    place: Place,
    snapshots: Arc<Snapshots>,
    /// `None`: not looked yet, or a look failed.
    looks: [Mutex<Option<Look>>; LOOKS],
}

/// A connection, and what it has read since the last commit that it knows of.
#[derive(Debug)]
struct Look {
    connection: Connection,
    /// SQLite's own sign that another connection has committed.
    data_version: i64,
    known: Known,
}

#[derive(Debug)]
struct Known {
    meta: Meta,
    shows: HashMap<ShowId, Arc<Show>>,
    versions: HashMap<ShowNo, u64>,
}

impl Watch {
    pub(super) fn new(place: Place, snapshots: Arc<Snapshots>) -> Self {
        Self { place, snapshots, looks: Default::default() }
    }

    pub(super) fn meta(&self) -> Result<Meta> {
        self.ask(|known| Some(known.meta), |_, known| Ok(known.meta))
    }

    pub(super) fn show(&self, id: &ShowId) -> Result<Option<Arc<Show>>> {
        let known = |known: &Known| known.shows.get(id).cloned().map(Some);
        self.ask(known, |connection, known| self.learn_show(connection, known, id))
    }

    /// What the store shares, and the show's number and version.
    pub(super) fn mark(&self, id: &ShowId) -> Result<Option<(Meta, ShowNo, u64)>> {
        let known = |known: &Known| {
            let no = known.shows.get(id)?.no;
            Some(Some((known.meta, no, *known.versions.get(&no)?)))
        };
        self.ask(known, |connection, known| {
            let Some(show) = self.learn_show(connection, known, id)? else { return Ok(None) };
            let version = rows::version(connection, show.no)?;
            known.versions.insert(show.no, version);
            Ok(Some((known.meta, show.no, version)))
        })
    }

    fn learn_show(&self, connection: &Connection, known: &mut Known, id: &ShowId) -> Result<Option<Arc<Show>>> {
        let snapshot = self.snapshots.at(connection, known.meta.catalogue_version)?;
        let show = reads::show_by_id(connection, &snapshot, id)?;
        if let Some(show) = &show {
            if known.shows.len() >= SHOWS {
                known.shows.clear();
            }
            known.shows.insert(id.clone(), show.clone());
        }
        Ok(show)
    }

    /// Answers from what is known if nobody has committed since, else reads at one moment. A
    /// connection that failed is closed.
    fn ask<T>(
        &self,
        known: impl FnOnce(&Known) -> Option<T>,
        read: impl FnOnce(&Connection, &mut Known) -> Result<T>,
    ) -> Result<T> {
        let free = self.looks.iter().find_map(Mutex::try_lock);
        let mut place = free.unwrap_or_else(|| self.looks[0].lock());
        let mut look = match place.take() {
            Some(look) => look,
            None => Look::open(&self.place)?,
        };
        let found = if data_version(&look.connection)? == look.data_version { known(&look.known) } else { None };
        let found = match found {
            Some(found) => found,
            None => look.read(read)?,
        };
        *place = Some(look);
        Ok(found)
    }
}

impl Look {
    fn open(place: &Place) -> Result<Self> {
        let connection = place.reader()?;
        // In this order: a commit between the two is then seen at the next look.
        let data_version = data_version(&connection)?;
        let meta = rows::meta(&connection)?;
        let known = Known { meta, shows: HashMap::new(), versions: HashMap::new() };
        Ok(Self { connection, data_version, known })
    }

    fn read<T>(&mut self, read: impl FnOnce(&Connection, &mut Known) -> Result<T>) -> Result<T> {
        self.connection.prepare_cached("BEGIN")?.execute([])?;
        // The first thing in the transaction, which sees all the rest as of the same moment.
        let data_version = data_version(&self.connection)?;
        if data_version != self.data_version {
            let meta = rows::meta(&self.connection)?;
            if meta.catalogue_version != self.known.meta.catalogue_version {
                self.known.shows.clear();
            }
            self.known.versions.clear();
            self.known.meta = meta;
            self.data_version = data_version;
        }
        let found = read(&self.connection, &mut self.known)?;
        self.connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(found)
    }
}

fn data_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}
