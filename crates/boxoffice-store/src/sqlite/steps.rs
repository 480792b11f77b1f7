//! One command inside the writer's transaction: look for an answer that was kept, load, decide,
//! write. A broken command leaves nothing, and those before it stand: what it changes is behind a
//! savepoint, or the writer takes the whole transaction back.

use boxoffice::booking::Booking;
use boxoffice::command::{Command, Idempotency, Outcome, Step};
use boxoffice::decide::{Changes, Replaced, State, decide};
use boxoffice::id::{BookingId, ShowNo};
use boxoffice::promo::uses::{PromoState, asked};
use boxoffice::refusal::Refusal;
use boxoffice::sales::Sales;
use boxoffice::store::{ANSWERS_KEPT, Done, Orphan, ShowChange};
use boxoffice::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::hot::{HotShow, HotShows};
use super::job::PutDocument;
use super::rows;
use super::snapshot::Snapshot;
use super::time::Time;
use super::trouble::{Result, Trouble};
use super::write;
use super::{actions, ledger, promo, sales};

/// How a step's writes are kept together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// By taking back the transaction if it breaks, which only a mistake or a hand in the tables causes: savepoints cost a
    /// crowd of holds a copy of each page for each of them.
    Trusting,
    Savepoints,
}

/// What a batch's commands share.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    pub(super) connection: &'a Connection,
    pub(super) snapshot: &'a Snapshot,
    pub(super) time: &'a Time,
    pub(super) now: Timestamp,
    pub(super) sales: Sales,
    pub(super) care: Care,
}

impl Scene<'_> {
    pub(super) fn execute(&self, hot: &mut HotShows, step: &Step) -> Result<Done> {
        if let Some(key) = &step.idempotency
            && let Some(outcome) = kept(self.connection, key, self.now)?
        {
            return Ok(Done { outcome, replayed: true });
        }
        let done = self.decide(hot, step)?;
        if !self.sales.are_open() {
            sales::answered(self.connection, &step.command)?;
        }
        Ok(done)
    }

    fn decide(&self, hot: &mut HotShows, step: &Step) -> Result<Done> {
        let no = step.command.show();
        let Some(newest) = hot.get(self.connection, self.snapshot, no)?.map(|show| show.newest) else {
            return Err(step.command.missing().into());
        };
        let id = step.command.booking();
        let booking = id.map(|id| rows::booking(self.connection, id)).transpose()?.flatten();
        let old = self.replaced(hot, step.command.replaced(booking.as_ref()))?;
        let newest = old.as_ref().map_or(newest, |(_, other)| newest.max(*other));
        // Another process's clock may be ahead: time does not run backwards within a show.
        let now = if self.now < newest { self.time.no_earlier(newest) } else { self.now };
        let promo = self.promo(&step.command, booking.as_ref(), now)?;
        let old = old.map(|(booking, _)| booking);
        let state = self.state(hot, no, (booking.as_ref(), old.as_ref()), promo.as_ref())?;
        let changes = decide(state, &step.command, now)?;
        let key = step.idempotency.as_ref();
        if changes.is_empty(booking.as_ref()) && key.is_none() {
            return Ok(Done { outcome: changes.outcome, replayed: false });
        }
        let written = self.write(hot, (booking.as_ref(), old.as_ref()), &changes, (no, step));
        if written.is_err() {
            hot.forget(no);
            old.iter().for_each(|old| hot.forget(old.id.show()));
        }
        written?;
        Ok(Done { outcome: changes.outcome, replayed: false })
    }

    /// What a decision is made from: a booking, and the one that it replaces.
    fn state<'a>(
        &self,
        hot: &'a HotShows,
        no: ShowNo,
        (booking, old): (Option<&'a Booking>, Option<&'a Booking>),
        promo: Option<&'a PromoState>,
    ) -> Result<State<'a>> {
        let replaced = old.map(|booking| {
            let of = hot.in_hand(booking.id.show())?;
            Ok::<_, Trouble>(Replaced { show: &of.show, seats: &of.seats, booking })
        });
        let (show, sales) = (hot.in_hand(no)?, self.sales);
        Ok(State { show: &show.show, seats: &show.seats, sales, booking, promo, replaced: replaced.transpose()? })
    }

    /// The booking that the step replaces, its show in hand, and the instant of that show's last event.
    fn replaced(&self, hot: &mut HotShows, id: Option<BookingId>) -> Result<Option<(Booking, Timestamp)>> {
        let Some(id) = id else { return Ok(None) };
        let missing = Refusal::NotFound("booking");
        let Some(show) = hot.get(self.connection, self.snapshot, id.show())? else {
            return Err(missing.into());
        };
        let newest = show.newest;
        Ok(Some((rows::booking(self.connection, id)?.ok_or(missing)?, newest)))
    }

    /// The promo code that the step is decided by, with its uses by others.
    fn promo(&self, command: &Command, booking: Option<&Booking>, now: Timestamp) -> Result<Option<PromoState>> {
        let Some(ask) = asked(command, booking) else { return Ok(None) };
        let Some(code) = self.snapshot.catalogue.promo_codes.get(&ask.code) else { return Ok(None) };
        Ok(Some(PromoState { code: code.clone(), uses: promo::uses(self.connection, &ask, now)? }))
    }

    /// All of the changes, or none of them; of a step that is trusted, what was written when it broke stays.
    fn write(
        &self,
        hot: &mut HotShows,
        (was, replaced_was): (Option<&Booking>, Option<&Booking>),
        changes: &Changes,
        (no, step): (ShowNo, &Step),
    ) -> Result<()> {
        let mut write = || {
            if let Some((replaced, was)) = changes.replaced.as_ref().zip(replaced_was) {
                self.write_changes(hot.in_hand_mut(was.id.show())?, Some(was), replaced)?;
            }
            if !changes.is_empty(was) {
                self.write_changes(hot.in_hand_mut(no)?, was, changes)?;
            }
            if let Some(by) = step.by.as_ref().filter(|_| !changes.events.is_empty()) {
                let deed = step.command.deed(by.clone(), hot.in_hand(no)?.show.id());
                actions::write(self.connection, &deed, changes.outcome.at)?;
            }
            step.idempotency.as_ref().map_or(Ok(()), |key| self.keep(key, &changes.outcome))
        };
        match self.care {
            Care::Trusting => write(),
            Care::Savepoints => whole(self.connection, |()| true, write),
        }
    }

    fn write_changes(&self, show: &mut HotShow, was: Option<&Booking>, changes: &Changes) -> Result<()> {
        let no: ShowNo = show.show.no;
        if let Some(spec) = &changes.show {
            write::show(self.connection, no, spec)?;
        }
        write::claims(self.connection, no, &changes.claims)?;
        if let Some(is) = &changes.outcome.booking {
            write::booking(self.connection, was, is)?;
            promo::keep(self.connection, was, is)?;
        }
        let seats = &mut show.seats;
        for event in &changes.events {
            seats.version += 1;
            write::event(self.connection, no, seats.version, event, changes.outcome.at)?;
        }
        if let Some(is) = &changes.outcome.booking {
            ledger::post(self.connection, was, is, seats.version, changes.outcome.at)?;
        }
        for change in &changes.claims {
            let place = seats.claims.get_mut(change.seat.index());
            *place.ok_or_else(|| Trouble::bug("a claim was decided on a seat that the show has not"))? = change.becomes;
        }
        Ok(())
    }

    /// Keeps an answer, or binds the key to its request. What stood under the same key was of this
    /// request, or has had its time, and gives way.
    fn keep(&self, key: &Idempotency, outcome: &Outcome) -> Result<()> {
        let at_ms = self.now.as_ms();
        self.connection
            .prepare_cached("DELETE FROM idempotency WHERE scope = ?1 AND key = ?2")?
            .execute(params![key.scope, key.key])?;
        let outcome = key.keep.then(|| serde_json::to_string(outcome)).transpose()?;
        self.connection
            .prepare_cached(
                "INSERT INTO idempotency (scope, key, fingerprint, at_ms, outcome) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![key.scope, key.key, key.fingerprint, at_ms, outcome])?;
        Ok(())
    }

    /// A repeat changes nothing.
    pub(super) fn record_orphan(&self, orphan: &Orphan) -> Result<()> {
        self.connection
            .prepare_cached(
                "INSERT INTO orphans (gateway, payment_id, amount, currency, seen_at_ms) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT DO NOTHING",
            )?
            .execute(params![
                orphan.gateway,
                orphan.payment_id,
                orphan.amount.minor(),
                orphan.amount.currency().code(),
                orphan.seen_at.as_ms(),
            ])?;
        Ok(())
    }

    pub(super) fn show_followed(&self, followed: ShowChange) -> Result<()> {
        let change = i64::try_from(followed.change).map_err(|_| Trouble::bug("a show's changes are too many"))?;
        self.connection
            .prepare_cached("UPDATE shows SET followed = max(followed, ?2) WHERE no = ?1")?
            .execute(params![followed.show.0, change])?;
        Ok(())
    }

    /// False: the document does not stand at the version that was expected.
    pub(super) fn put_document(&self, document: &PutDocument) -> Result<bool> {
        let Ok(expected) = i64::try_from(document.expected) else {
            return Ok(false);
        };
        let sql = if expected == 0 {
            "INSERT INTO documents (kind, key, version, body) VALUES (?1, ?2, ?3 + 1, ?4) ON CONFLICT DO NOTHING"
        } else {
            "UPDATE documents SET version = ?3 + 1, body = ?4 WHERE kind = ?1 AND key = ?2 AND version = ?3"
        };
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.execute(params![document.kind, document.key, expected, document.body])? == 1)
    }
}

/// The answer that was given under this key to the same request.
pub(super) fn kept(connection: &Connection, key: &Idempotency, now: Timestamp) -> Result<Option<Outcome>> {
    let mut statement = connection
        .prepare_cached("SELECT fingerprint, outcome FROM idempotency WHERE scope = ?1 AND key = ?2 AND at_ms > ?3")?;
    let since = (now - ANSWERS_KEPT).as_ms();
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, [u8; 32]>(0)?, row.get::<_, Option<String>>(1)?));
    let Some((fingerprint, outcome)) = statement.query_row(params![key.scope, key.key, since], read).optional()? else {
        return Ok(None);
    };
    key.belongs_to(&fingerprint)?;
    Ok(outcome.as_deref().map(serde_json::from_str).transpose()?)
}

/// Runs `work` so that all of its writes stay, or, if it fails or `keeps` says no, none.
pub(super) fn whole<T>(
    connection: &Connection,
    keeps: impl FnOnce(&T) -> bool,
    work: impl FnOnce() -> Result<T>,
) -> Result<T> {
    connection.prepare_cached("SAVEPOINT step")?.execute([])?;
    let done = work();
    if done.as_ref().is_err_and(Trouble::is_fault) {
        // SQLite may have rolled everything back by itself; the whole transaction is given up.
        return done;
    }
    if !done.as_ref().is_ok_and(keeps) {
        connection.prepare_cached("ROLLBACK TO step")?.execute([])?;
    }
    connection.prepare_cached("RELEASE step")?.execute([])?;
    done
}
