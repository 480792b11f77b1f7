//! The shows that the writer has in hand, with the state of their seats as of the last thing it
//! wrote. Only the writer changes it; when in doubt it is emptied, and the rows are read again.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use boxoffice::claim::ShowSeats;
use boxoffice::id::ShowNo;
use boxoffice::show::Show;
use boxoffice::time::Timestamp;
use rusqlite::Connection;

use super::rows;
use super::snapshot::Snapshot;
use super::trouble::{Result, Trouble};

/// Shows kept at most; then the quarter that was not used for longest goes.
const SHOWS: usize = 2_048;

#[derive(Debug)]
pub(super) struct HotShow {
    pub(super) show: Arc<Show>,
    pub(super) seats: ShowSeats,
    /// The instant of the show's last event when it was read.
    pub(super) newest: Timestamp,
    used: u64,
}

#[derive(Debug, Default)]
pub(super) struct HotShows {
    shows: HashMap<ShowNo, HotShow>,
    uses: u64,
}

impl HotShows {
    /// The show with its seats, read if it is not in hand. `None`: there is no such show.
    pub(super) fn get(
        &mut self,
        connection: &Connection,
        snapshot: &Snapshot,
        no: ShowNo,
    ) -> Result<Option<&mut HotShow>> {
        self.uses += 1;
        if self.shows.len() >= SHOWS && !self.shows.contains_key(&no) {
            self.drop_coldest();
        }
        let hot = match self.shows.entry(no) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let Some(show) = snapshot.show(connection, no)? else {
                    return Ok(None);
                };
                let seats = rows::seats(connection, no, show.layout.seats().len())?;
                let newest = rows::newest(connection, no)?;
                entry.insert(HotShow { show, seats, newest, used: 0 })
            }
        };
        hot.used = self.uses;
        Ok(Some(hot))
    }

    /// A show that [`HotShows::get`] has just answered.
    pub(super) fn in_hand(&self, no: ShowNo) -> Result<&HotShow> {
        self.shows.get(&no).ok_or_else(|| Trouble::bug("a show that was in hand is not"))
    }

    pub(super) fn in_hand_mut(&mut self, no: ShowNo) -> Result<&mut HotShow> {
        self.shows.get_mut(&no).ok_or_else(|| Trouble::bug("a show that was in hand is not"))
    }

    pub(super) fn forget(&mut self, no: ShowNo) {
        self.shows.remove(&no);
    }

    pub(super) fn clear(&mut self) {
        self.shows.clear();
    }

    fn drop_coldest(&mut self) {
        let mut used: Vec<u64> = self.shows.values().map(|hot| hot.used).collect();
        let quarter = used.len() / 4;
        let (_, limit, _) = used.select_nth_unstable(quarter);
        let limit = *limit;
        self.shows.retain(|_, hot| hot.used > limit);
    }
}
