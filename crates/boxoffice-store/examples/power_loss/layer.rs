//! A file layer that loses at the kill what was not synced. Writes stay in this process's memory
//! until SQLite asks for a sync; some go out early and out of turn, as a system's cache may send
//! them. A process that is killed here leaves the file as a power cut would. It can also be told to
//! fail.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use boxoffice::testkit::SeededEntropy;
use sqlite_vfs::{DatabaseHandle, LockKind, OpenAccess, OpenOptions, Vfs, WalDisabled};

/// One write in so many goes out before its sync.
const EARLY: u64 = 8;

pub(crate) struct Layer {
    files: Mutex<HashMap<String, Arc<Mutex<Disk>>>>,
    entropy: Arc<SeededEntropy>,
    fault: Switch,
}

/// What the disk does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// No write finds room.
    Full,
    /// No sync succeeds.
    Sync,
}

/// Breaks the disk and mends it.
#[derive(Clone)]
pub(crate) struct Switch(Arc<Mutex<Fault>>);

impl Switch {
    pub(crate) fn set(&self, fault: Fault) {
        *held(&self.0) = fault;
    }

    fn is(&self, fault: Fault) -> bool {
        *held(&self.0) == fault
    }
}

/// A file as its process sees it, and what of that has yet to reach it.
struct Disk {
    file: File,
    seen: Vec<u8>,
    unsynced: Vec<Change>,
}

enum Change {
    Write { offset: u64, bytes: Vec<u8> },
    Length(u64),
}

pub(crate) struct Handle {
    disk: Arc<Mutex<Disk>>,
    entropy: Arc<SeededEntropy>,
    fault: Switch,
    lock: LockKind,
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Layer {
    pub(crate) fn new(seed: u64) -> Self {
        let fault = Switch(Arc::new(Mutex::new(Fault::None)));
        Self { files: Mutex::default(), entropy: Arc::new(SeededEntropy::new(seed)), fault }
    }

    pub(crate) fn fault(&self) -> Switch {
        self.fault.clone()
    }
}

impl Disk {
    fn open(path: &str, access: OpenAccess) -> io::Result<Self> {
        let mut options = File::options();
        options.read(true).write(access != OpenAccess::Read);
        options.create(access == OpenAccess::Create).create_new(access == OpenAccess::CreateNew);
        let file = options.open(path)?;
        let mut seen = vec![0; usize::try_from(file.metadata()?.len()).unwrap_or(0)];
        file.read_exact_at(&mut seen, 0)?;
        Ok(Self { file, seen, unsynced: Vec::new() })
    }
}

impl Change {
    fn reach(&self, file: &File) -> io::Result<()> {
        match self {
            Self::Write { offset, bytes } => file.write_all_at(bytes, *offset),
            Self::Length(length) => file.set_len(*length),
        }
    }
}

fn place(offset: u64, length: usize) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(offset).ok()?;
    Some(start..start.checked_add(length)?)
}

impl DatabaseHandle for Handle {
    type WalIndex = WalDisabled;

    fn size(&self) -> io::Result<u64> {
        Ok(held(&self.disk).seen.len() as u64)
    }

    fn read_exact_at(&mut self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let disk = held(&self.disk);
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(disk.seen.len());
        let there = &disk.seen[start..disk.seen.len().min(start.saturating_add(buffer.len()))];
        let (filled, rest) = buffer.split_at_mut(there.len());
        filled.copy_from_slice(there);
        // SQLite relies on zeros past the end of the file.
        rest.fill(0);
        if rest.is_empty() { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }

    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        if self.fault.is(Fault::Full) {
            return Err(ErrorKind::WriteZero.into());
        }
        let mut disk = held(&self.disk);
        let place = place(offset, bytes.len()).ok_or(ErrorKind::InvalidInput)?;
        if disk.seen.len() < place.end {
            disk.seen.resize(place.end, 0);
        }
        disk.seen[place].copy_from_slice(bytes);
        let change = Change::Write { offset, bytes: bytes.to_vec() };
        if self.entropy.next().is_multiple_of(EARLY) {
            change.reach(&disk.file)?;
        }
        disk.unsynced.push(change);
        Ok(())
    }

    fn sync(&mut self, _data_only: bool) -> io::Result<()> {
        if self.fault.is(Fault::Sync) {
            return Err(io::Error::other("the disk does not answer"));
        }
        let mut disk = held(&self.disk);
        let unsynced = std::mem::take(&mut disk.unsynced);
        unsynced.iter().try_for_each(|change| change.reach(&disk.file))
    }

    fn set_len(&mut self, size: u64) -> io::Result<()> {
        let mut disk = held(&self.disk);
        disk.seen.resize(usize::try_from(size).map_err(|_| ErrorKind::InvalidInput)?, 0);
        disk.unsynced.push(Change::Length(size));
        Ok(())
    }

    fn lock(&mut self, lock: LockKind) -> io::Result<bool> {
        self.lock = lock;
        Ok(true)
    }

    fn reserved(&mut self) -> io::Result<bool> {
        Ok(matches!(self.lock, LockKind::Reserved | LockKind::Pending | LockKind::Exclusive))
    }

    fn current_lock(&self) -> io::Result<LockKind> {
        Ok(self.lock)
    }

    fn wal_index(&self, _readonly: bool) -> io::Result<WalDisabled> {
        Ok(WalDisabled)
    }
}

impl Vfs for Layer {
    type Handle = Handle;

    fn open(&self, path: &str, options: OpenOptions) -> io::Result<Handle> {
        let mut files = held(&self.files);
        let disk = match files.get(path) {
            Some(disk) => disk.clone(),
            None => {
                let disk = Arc::new(Mutex::new(Disk::open(path, options.access)?));
                files.insert(path.to_owned(), disk.clone());
                disk
            }
        };
        Ok(Handle { disk, entropy: self.entropy.clone(), fault: self.fault.clone(), lock: LockKind::None })
    }

    fn delete(&self, path: &str) -> io::Result<()> {
        held(&self.files).remove(path);
        std::fs::remove_file(path)
    }

    fn exists(&self, path: &str) -> io::Result<bool> {
        std::fs::exists(path)
    }

    /// A process that is killed leaves its temporary files behind, and another with the same seed
    /// must not meet them.
    fn temporary_name(&self) -> String {
        let name = format!("unsynced-{}-{:016x}", std::process::id(), self.entropy.next());
        std::env::temp_dir().join(name).display().to_string()
    }

    fn random(&self, buffer: &mut [i8]) {
        buffer.iter_mut().for_each(|byte| *byte = self.entropy.next().to_le_bytes()[0].cast_signed());
    }

    /// Nobody else has the file, so there is nothing to wait for.
    fn sleep(&self, duration: Duration) -> Duration {
        duration
    }

    fn full_pathname<'a>(&self, path: &'a str) -> io::Result<Cow<'a, str>> {
        Ok(std::path::absolute(path)?.display().to_string().into())
    }
}
