//! Connections for reading, opened when they are needed and kept. A read is one transaction: all
//! it sees is of one moment. It never waits for the writer, and takes microseconds, so it runs
//! where it is asked for.

use parking_lot::{Condvar, Mutex};
use rusqlite::Connection;

use super::place::Place;
use super::rows::{self, Meta};
use super::trouble::{Result, Trouble};

/// Connections at most; past it a read waits for one.
const READERS: usize = 4;

#[derive(Debug)]
pub(super) struct Readers {
    place: Place,
    pool: Mutex<Pool>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct Pool {
    idle: Vec<Connection>,
    open: usize,
}

impl Readers {
    pub(super) fn new(place: Place) -> Self {
        Self { place, pool: Mutex::default(), freed: Condvar::new() }
    }

    /// Runs `read` in one transaction. A connection that failed is closed, not kept.
    pub(super) fn read<T>(&self, read: impl FnOnce(&Connection, &Meta) -> Result<T>) -> Result<T> {
        let lent = Lent { readers: self, connection: Some(self.take()?) };
        let connection = lent.connection()?;
        connection.prepare_cached("BEGIN")?.execute([])?;
        let meta = rows::meta(connection)?;
        let found = read(connection, &meta)?;
        connection.prepare_cached("COMMIT")?.execute([])?;
        lent.give_back();
        Ok(found)
    }

    fn take(&self) -> Result<Connection> {
        let mut pool = self.pool.lock();
        loop {
            if let Some(connection) = pool.idle.pop() {
                return Ok(connection);
            }
            if pool.open < READERS {
                pool.open += 1;
                break;
            }
            self.freed.wait(&mut pool);
        }
        drop(pool);
        self.place.reader().map_err(|error| {
            self.put(None);
            error.into()
        })
    }

    /// `None`: it has been closed, and another may be opened.
    fn put(&self, connection: Option<Connection>) {
        let mut pool = self.pool.lock();
        match connection {
            Some(connection) => pool.idle.push(connection),
            None => pool.open -= 1,
        }
        self.freed.notify_one();
    }
}

/// A connection on loan; what is not given back counts as closed, a panic included.
struct Lent<'a> {
    readers: &'a Readers,
    connection: Option<Connection>,
}

impl Lent<'_> {
    fn connection(&self) -> Result<&Connection> {
        self.connection.as_ref().ok_or_else(|| Trouble::bug("a connection was given back twice"))
    }

    fn give_back(mut self) {
        let connection = self.connection.take();
        self.readers.put(connection);
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        if self.connection.take().is_some() {
            self.readers.put(None);
        }
    }
}
