//! Scans that a device made while it could not ask, brought in together. None is refused and none
//! is taken twice, however often and in whatever order devices send them.

use std::collections::BTreeMap;

use boxoffice::admission::{Door, OfflineShown, RecordScans, Verdict};
use boxoffice::booking::{Booking, Scan, Ticket};
use boxoffice::command::{Command, Effect, Recorded};
use boxoffice::id::{BookingId, CatalogueId};
use boxoffice::refusal::Refusal;
use boxoffice::store::StoreError;
use boxoffice::time::{Span, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::unchecked::{self, Unchecked};
use crate::app::AppState;
use crate::auth::StaffKey;
use crate::http::Problem;
use crate::http::openapi::words;

const SCANS_MAX: usize = 1_000;

/// Scans of one device; at most one of `clock_offset_ms` and `device_time`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = ScanBatch)]
#[serde(deny_unknown_fields, expecting = "an object with `device` and `scans`")]
pub struct Batch {
    /// What people call the device.
    #[schema(
        min_length = 1,
        max_length = 80,
        pattern = r"^[^\u0000-\u001F\u007F-\u009F]*[^\s\u0000-\u001F\u007F-\u009F][^\u0000-\u001F\u007F-\u009F]*$"
    )]
    device: String,
    /// How far the device's clock is ahead of the server's.
    clock_offset_ms: Option<i64>,
    /// The device's clock now, from which the server sees how far it is ahead.
    #[schema(format = DateTime)]
    device_time: Option<String>,
    #[schema(max_items = 1000)]
    scans: Vec<BatchScan>,
}

/// A ticket that was shown to a device.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = OfflineScan)]
#[serde(deny_unknown_fields, expecting = "an object with `code`, `at` and `nonce`")]
struct BatchScan {
    /// What the QR square holds.
    code: String,
    /// By the device's own clock.
    #[schema(format = DateTime)]
    at: String,
    /// The scan's own name.
    #[schema(
        min_length = 1,
        max_length = 80,
        pattern = r"^[^\u0000-\u001F\u007F-\u009F]*[^\s\u0000-\u001F\u007F-\u009F][^\u0000-\u001F\u007F-\u009F]*$"
    )]
    nonce: String,
    #[schema(max_length = 80, pattern = r"^[^\u0000-\u001F\u007F-\u009F]*$")]
    gate: Option<String>,
    screen: Option<String>,
    show: Option<String>,
}

/// What became of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = TakenIn)]
pub struct BatchView {
    device: String,
    clock_offset_ms: i64,
    /// In the order of the scans that were sent.
    items: Vec<ItemView>,
}

/// What became of one scan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = TakenInScan)]
struct ItemView {
    nonce: String,
    #[schema(value_type = words::ScanStatus)]
    status: &'static str,
    /// Why it is not the admission, by the code of the problem that a door would have shown.
    #[schema(value_type = Option<words::ScanReason>)]
    reason: Option<&'static str>,
    #[schema(value_type = Option<words::VoidReason>)]
    void_reason: Option<&'static str>,
    ticket: Option<String>,
    seat: Option<String>,
    /// The scan that is the admission.
    #[schema(format = DateTime)]
    admitted_at: Option<String>,
    gate: Option<String>,
}

/// Takes a batch in.
///
/// # Errors
/// Its shape does not fit, which is said before anything is kept; or the store cannot answer: then
/// the same batch may be sent again.
pub async fn take_in(state: &AppState, key: &StaffKey, batch: Batch) -> Result<BatchView, Problem> {
    let offset = offset(state, &batch)?;
    let device = super::line(Some(batch.device), "/device")?;
    let device = device.ok_or_else(|| Problem::invalid("/device", "Name the device."))?;
    if batch.scans.len() > SCANS_MAX {
        return Err(Problem::invalid("/scans", format!("Send at most {SCANS_MAX} scans at once.")));
    }
    let mut read = Vec::with_capacity(batch.scans.len());
    for (n, scan) in batch.scans.into_iter().enumerate() {
        read.push(one(state, key, n, scan)?);
    }
    let mut items: Vec<ItemView> = read.iter().map(|scan| ItemView::unknown(&scan.shown.nonce)).collect();
    for (booking, places) in by_booking(&read) {
        let scans = places.iter().map(|n| read[*n].shown.clone()).collect();
        let by = key.id.clone();
        let record = RecordScans { booking, device: device.clone(), clock_offset: offset, by, scans };
        let Some((booking, recorded)) = run(state, record).await? else { continue };
        for (n, how) in places.into_iter().zip(recorded) {
            items[n].tell(&booking, &read[n].shown, how);
        }
    }
    for (scan, item) in read.into_iter().zip(&mut items).filter(|(_, item)| item.status == UNKNOWN) {
        if !unchecked::keep(state.store(), scan.unchecked(state, key, &device, offset)).await? {
            item.status = RECORDED;
        }
    }
    Ok(BatchView { device, clock_offset_ms: offset.as_ms(), items })
}

fn offset(state: &AppState, batch: &Batch) -> Result<Span, Problem> {
    match (batch.clock_offset_ms, &batch.device_time) {
        (Some(_), Some(_)) => Err(Problem::invalid("", "Send `clock_offset_ms` or `device_time`, not both.")),
        (Some(ms), None) => Ok(Span::from_ms(ms)),
        (None, Some(time)) => Ok(instant(time, "/device_time")? - state.store().now()),
        (None, None) => Ok(Span::from_ms(0)),
    }
}

fn instant(text: &str, pointer: &str) -> Result<Timestamp, Problem> {
    text.trim().parse().map_err(|bad: boxoffice::time::BadTime| Problem::invalid(pointer, format!("This is {bad}.")))
}

/// A scan as it was read: of a ticket of ours, or of what no key of ours signed.
struct Read {
    booking: Option<BookingId>,
    shown: OfflineShown,
    code: String,
}

impl Read {
    fn unchecked(self, state: &AppState, key: &StaffKey, device: &str, offset: Span) -> Unchecked {
        Unchecked {
            nonce: self.shown.nonce,
            code: self.code,
            at: self.shown.at - offset,
            gate: self.shown.gate,
            device: device.to_owned(),
            clock_offset_ms: offset.as_ms(),
            received_at: state.store().now(),
            by: key.id.clone(),
        }
    }
}

fn one(state: &AppState, key: &StaffKey, n: usize, scan: BatchScan) -> Result<Read, Problem> {
    let pointer = format!("/scans/{n}");
    // A place that the key is not for, or that nobody knows, makes the scan one of elsewhere: a device
    // must be able to get rid of what it has.
    let id = |text: Option<String>| text.and_then(|text| CatalogueId::new(text.trim()).ok());
    let screen = id(scan.screen).or_else(|| key.screen.clone());
    let door = Door { theatre: key.theatre.clone(), screen, show: id(scan.show) };
    let at = instant(&scan.at, &format!("{pointer}/at"))?;
    let named = format!("{pointer}/nonce");
    let nonce = super::line(Some(scan.nonce), &named)?;
    let nonce = nonce.ok_or_else(|| Problem::invalid(named, "Each scan has a nonce of its own."))?;
    let gate = super::line(scan.gate, &format!("{pointer}/gate"))?;
    let claims = state.tickets.verify(&scan.code).ok();
    let (ticket, serial) = claims.as_ref().map_or((0, 0), |claims| (claims.ticket.no, claims.serial));
    let shown = OfflineShown { ticket, serial, door, at, nonce, gate };
    Ok(Read { booking: claims.map(|claims| claims.ticket.booking), shown, code: scan.code })
}

/// The places of the scans of each booking, in the order they were sent.
fn by_booking(read: &[Read]) -> BTreeMap<BookingId, Vec<usize>> {
    let mut places: BTreeMap<BookingId, Vec<usize>> = BTreeMap::new();
    for (n, scan) in read.iter().enumerate() {
        if let Some(booking) = scan.booking {
            places.entry(booking).or_default().push(n);
        }
    }
    places
}

/// The booking after its scans were taken in; `None`: it is not known here.
async fn run(state: &AppState, record: RecordScans) -> Result<Option<(Booking, Vec<Recorded>)>, Problem> {
    let done = match state.store().execute(Command::RecordScans(record).into()).await {
        Err(StoreError::Refused(Refusal::NotFound(_))) => return Ok(None),
        done => done?,
    };
    match (done.outcome.booking, done.outcome.effect) {
        (Some(booking), Effect::ScansRecorded(recorded)) => Ok(Some((booking, recorded))),
        (_, other) => Err(Problem::Bug(format!("taking in scans answered {other:?}"))),
    }
}

const UNKNOWN: &str = "unknown";
const RECORDED: &str = "already-recorded";

impl ItemView {
    fn unknown(nonce: &str) -> Self {
        Self {
            nonce: nonce.to_owned(),
            status: UNKNOWN,
            reason: Some("unknown-ticket"),
            void_reason: None,
            ticket: None,
            seat: None,
            admitted_at: None,
            gate: None,
        }
    }

    fn tell(&mut self, booking: &Booking, shown: &OfflineShown, how: Recorded) {
        let ticket = booking.ticket(shown.ticket);
        let Some((ticket, scan)) = ticket.and_then(|ticket| Some((ticket, ticket.scan(&shown.nonce)?))) else { return };
        let (status, reason, void_reason) = words(ticket, scan);
        self.status = match how {
            Recorded::New => status,
            Recorded::Before => RECORDED,
            Recorded::Unknown => return,
        };
        (self.reason, self.void_reason) = (reason, void_reason);
        self.ticket = Some(ticket.id.to_string());
        self.seat = Some(ticket.label.clone());
        if let Some(first) = ticket.admission() {
            self.admitted_at = Some(first.at.to_string());
            self.gate = first.gate.clone();
        }
    }
}

/// What a scan comes to: a status, the code of what stands against it, and why the ticket is void.
pub(super) fn words(ticket: &Ticket, scan: &Scan) -> (&'static str, Option<&'static str>, Option<&'static str>) {
    match ticket.verdict(scan) {
        Verdict::Admission => ("admitted", None, None),
        Verdict::Again => ("conflict", Some("already-admitted"), None),
        Verdict::Replaced => ("void", Some("ticket-void"), Some("reissued")),
        Verdict::Elsewhere => ("wrong-show", Some("wrong-show"), None),
        Verdict::Void(reason) => ("void", Some("ticket-void"), Some(reason.as_str())),
    }
}
