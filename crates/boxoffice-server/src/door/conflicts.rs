//! What came out wrong at the doors of a show: scans that let somebody in beside the admission, and
//! scans that nothing could be said of.

use boxoffice::booking::{Booking, Scan, Ticket};
use boxoffice::store::BookingFilter;
use serde::Serialize;
use utoipa::ToSchema;

use super::{batch, unchecked};
use crate::app::AppState;
use crate::http::Problem;
use crate::http::openapi::words;

/// What came out wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Conflicts)]
pub struct ConflictsView {
    items: Vec<ConflictView>,
    /// Scans of codes that no ticket here has, whichever show they were made at.
    not_checked: Vec<NotCheckedView>,
    next_cursor: Option<String>,
}

/// A scan beside the one that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Conflict)]
struct ConflictView {
    /// The ticket's id.
    ticket: String,
    /// The seat's label.
    seat: String,
    #[schema(value_type = words::ScanStatus)]
    status: &'static str,
    #[schema(value_type = Option<words::ScanReason>)]
    reason: Option<&'static str>,
    #[schema(value_type = Option<words::VoidReason>)]
    void_reason: Option<&'static str>,
    scan: ScanView,
    /// The scan that counts.
    admitted: Option<ScanView>,
}

/// When and where a ticket was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Scan)]
struct ScanView {
    /// By the server's clock.
    #[schema(format = DateTime)]
    at: String,
    gate: Option<String>,
    nonce: Option<String>,
    /// Null: the server was asked.
    device: Option<String>,
    clock_offset_ms: Option<i64>,
    /// The id of the staff key.
    key: String,
}

/// A scan of what no ticket here has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = NotChecked)]
struct NotCheckedView {
    /// Always `not checked`.
    status: &'static str,
    code: String,
    scan: ScanView,
}

/// The conflicts of a show, by booking and ticket.
///
/// # Errors
/// There is no such show, or the store cannot answer.
pub async fn list(state: &AppState, show: &str) -> Result<ConflictsView, Problem> {
    let show = super::known_show(state, show).await?;
    let filter = BookingFilter { show: Some(show.no), ..BookingFilter::default() };
    let bookings = state.store().bookings(filter).await?;
    let items = bookings.iter().flat_map(of_booking).collect();
    let not_checked = unchecked::list(state.store()).await?.into_iter().map(|scan| NotCheckedView {
        status: "not checked",
        code: scan.code,
        scan: ScanView {
            at: scan.at.to_string(),
            gate: scan.gate,
            nonce: Some(scan.nonce),
            device: Some(scan.device),
            clock_offset_ms: Some(scan.clock_offset_ms),
            key: scan.by,
        },
    });
    Ok(ConflictsView { items, not_checked: not_checked.collect(), next_cursor: None })
}

fn of_booking(booking: &Booking) -> impl Iterator<Item = ConflictView> {
    booking.tickets.iter().flat_map(|ticket| {
        let others = ticket.scans.iter().filter_map(|scan| of_scan(ticket, scan));
        others.collect::<Vec<_>>()
    })
}

fn of_scan(ticket: &Ticket, scan: &Scan) -> Option<ConflictView> {
    let (status, reason, void_reason) = batch::words(ticket, scan);
    reason?;
    Some(ConflictView {
        ticket: ticket.id.to_string(),
        seat: ticket.label.clone(),
        status,
        reason,
        void_reason,
        scan: view(scan),
        admitted: ticket.admission().map(view),
    })
}

fn view(scan: &Scan) -> ScanView {
    let offline = scan.offline.as_ref();
    ScanView {
        at: scan.at.to_string(),
        gate: scan.gate.clone(),
        nonce: scan.nonce.clone(),
        device: offline.map(|offline| offline.device.clone()),
        clock_offset_ms: offline.map(|offline| offline.clock_offset.as_ms()),
        key: scan.by.clone(),
    }
}
