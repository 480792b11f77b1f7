//! A ticket at the door: where it is shown, what a door tells of it, and which of its scans is the
//! admission. Scans are facts that are kept, whatever order they arrive in; what each of them means
//! is derived from all of them.

use crate::booking::{Scan, Ticket, TicketStatus, VoidReason};
use crate::id::{BookingId, ScreenId, ShowId, TheatreId, TicketId};
use crate::show::Show;
use crate::time::{Span, Timestamp};

/// The door that a ticket is shown at. All that are given must hold of the ticket's show.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Door {
    pub theatre: Option<TheatreId>,
    pub screen: Option<ScreenId>,
    pub show: Option<ShowId>,
}

impl Door {
    #[must_use]
    pub fn leads_to(&self, show: &Show) -> bool {
        self.theatre.as_ref().is_none_or(|theatre| *theatre == show.theatre.id)
            && self.screen.as_ref().is_none_or(|screen| *screen == show.spec.screen)
            && self.show.as_ref().is_none_or(|id| id == show.id())
    }
}

/// A ticket is shown at a door that asks before it lets in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admit {
    pub ticket: TicketId,
    /// The serial in the code; an older one than the ticket's was replaced.
    pub serial: u16,
    pub door: Door,
    /// Made by the scanner: the same scan sent again carries the same, and gets the same answer.
    pub nonce: Option<String>,
    pub gate: Option<String>,
    /// The id of the staff key.
    pub by: String,
}

/// What a device let in, or saw, while it could not ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordScans {
    /// All scans are of its tickets.
    pub booking: BookingId,
    pub device: String,
    /// How far the device's clock was ahead of the server's.
    pub clock_offset: Span,
    /// The id of the staff key.
    pub by: String,
    pub scans: Vec<OfflineShown>,
}

/// One ticket shown to a device that could not ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfflineShown {
    /// The ticket's number within the booking.
    pub ticket: u16,
    pub serial: u16,
    pub door: Door,
    /// By the device's own clock.
    pub at: Timestamp,
    pub nonce: String,
    pub gate: Option<String>,
}

/// What one scan of a ticket comes to, in the light of all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It is the one that counts.
    Admission,
    /// An earlier scan is the admission.
    Again,
    /// The code had been replaced by a newer one.
    Replaced,
    /// It was at the door of another show.
    Elsewhere,
    /// Made offline on a ticket that was void by then.
    Void(VoidReason),
}

impl Ticket {
    /// The scan that is the admission: the earliest that counts.
    #[must_use]
    pub fn admission(&self) -> Option<&Scan> {
        self.scans.iter().filter(|scan| self.counts(scan)).min_by_key(|scan| scan.order())
    }

    #[must_use]
    pub fn scan(&self, nonce: &str) -> Option<&Scan> {
        self.scans.iter().find(|scan| scan.nonce.as_deref() == Some(nonce))
    }

    /// What a scan of this ticket comes to.
    #[must_use]
    pub fn verdict(&self, scan: &Scan) -> Verdict {
        if scan.serial != self.serial {
            return Verdict::Replaced;
        }
        if scan.elsewhere {
            return Verdict::Elsewhere;
        }
        match self.void_reason {
            Some(reason) if !self.counts(scan) => Verdict::Void(reason),
            Some(_) | None if self.admission().is_some_and(|first| first.order() == scan.order()) => Verdict::Admission,
            Some(_) | None => Verdict::Again,
        }
    }

    /// Whether a scan can be the admission. On a void ticket only one that was asked about before:
    /// it was let in while the ticket was good.
    fn counts(&self, scan: &Scan) -> bool {
        let was_good = self.status != TicketStatus::Void || scan.offline.is_none();
        scan.serial == self.serial && !scan.elsewhere && was_good
    }

    /// Keeps a scan in its place. The order of arrival leaves no trace.
    pub(crate) fn keep(&mut self, scan: Scan) {
        let place = self.scans.partition_point(|kept| kept.order() <= scan.order());
        self.scans.insert(place, scan);
        if self.status == TicketStatus::Valid && self.admission().is_some() {
            self.status = TicketStatus::Admitted;
        }
    }
}

impl Scan {
    /// By this the scans of a ticket stand: the instant, then the nonce.
    pub(crate) fn order(&self) -> (Timestamp, Option<&str>) {
        (self.at, self.nonce.as_deref())
    }
}
