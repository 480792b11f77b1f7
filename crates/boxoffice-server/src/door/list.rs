//! Who sits where, for a door whose phones or power are out: every ticket that lets somebody in, by seat.

use std::sync::Arc;

use boxoffice::booking::{Booking, Ticket, TicketStatus};
use boxoffice::id::{SeatNo, ShowId};
use boxoffice::show::Show;
use boxoffice::store::{BookingFilter, StoreError};
use boxoffice::time::Timestamp;

use super::bundle::no_good;
use crate::app::AppState;
use crate::auth::StaffKey;
use crate::http::Problem;
use crate::pages::{programme, text};
use crate::tickets::sheet;

/// Bookings that are read at once: few enough that sales do not wait for it.
const PAGE: usize = 200;

/// A show's tickets, in the words in which they are printed.
#[derive(Debug, Clone)]
pub struct DoorList {
    pub film: String,
    /// Format, language, subtitles; may be empty.
    pub version: String,
    pub theatre: String,
    pub hall: String,
    /// `Saturday, 12 June 2027`, with its night if it is the evening's before.
    pub date: String,
    /// `20:00 CEST`.
    pub clock: String,
    /// The show does not take place.
    pub cancelled: bool,
    /// `12 June 2027, 19:12 CEST`: what was sold or used later is not on it.
    pub as_of: String,
    pub made_at: Timestamp,
    /// By seat, as the hall has them.
    pub lines: Vec<Line>,
    /// Tickets that were cancelled or taken back, and are not on the list.
    pub void: usize,
}

/// One ticket.
#[derive(Debug, Clone)]
pub struct Line {
    pub seat_no: SeatNo,
    /// Its row in the hall, to tell rows apart; empty where the hall no longer has the seat.
    pub row: String,
    pub seat: String,
    /// Whom the ticket was handed on to, else who booked; may be empty.
    pub name: String,
    /// With what the guest has to show for it.
    pub ticket: String,
    pub reference: String,
    /// The last symbols of the code, to compare by eye: a ticket that was reissued has others.
    pub code_end: String,
    pub state: LineState,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineState {
    Expected,
    /// Let in, at this time of the theatre.
    Admitted(String),
    /// The payment is disputed, so that the door refuses it.
    Disputed,
}

impl DoorList {
    #[must_use]
    pub fn admitted(&self) -> usize {
        self.lines.iter().filter(|line| matches!(line.state, LineState::Admitted(_))).count()
    }
}

/// The show whose list a key asks for.
///
/// # Errors
/// There is no such show, the key is for another place, or the store cannot answer.
pub async fn show(state: &AppState, key: &StaffKey, id: &str) -> Result<Arc<Show>, Problem> {
    let missing = || Problem::not_found("show");
    let id = ShowId::new(id).map_err(|_| missing())?;
    let show = state.store().show(id).await?.ok_or_else(missing)?;
    if key.covers(&show) { Ok(show) } else { Err(Problem::Forbidden) }
}

/// The list of a show as it is now.
///
/// # Errors
/// The store cannot answer.
pub async fn of(state: &AppState, show: &Show) -> Result<DoorList, StoreError> {
    // Before the first look, so that all that is older is on the list.
    let now = state.store().now();
    let (mut lines, mut void, mut after) = (Vec::new(), 0, None);
    loop {
        let filter = BookingFilter { show: Some(show.no), after, limit: PAGE, ..BookingFilter::default() };
        let page = state.store().bookings(filter).await?;
        after = page.last().map(|booking| booking.id);
        for (booking, ticket) in page.iter().flat_map(|booking| booking.tickets.iter().map(move |t| (booking, t))) {
            if ticket.status == TicketStatus::Void {
                void += 1;
            } else {
                lines.push(line(state, show, booking, ticket));
            }
        }
        if page.len() < PAGE {
            break;
        }
    }
    lines.sort_by_key(|line| line.seat_no);
    let local = show.local_start();
    let made = now.to_jiff().to_zoned_datetime(show.theatre.timezone.tz().clone());
    let night = programme::night(show);
    let date = text::long_date(local.date());
    Ok(DoorList {
        film: show.movie.title.english().to_owned(),
        version: programme::version(show),
        theatre: show.theatre.name.english().to_owned(),
        hall: show.screen.name.english().to_owned(),
        date: if night.is_empty() { date } else { format!("{date}, {night}") },
        clock: format!("{} {}", text::clock(&local), text::zone(&local)),
        cancelled: show.spec.cancelled,
        as_of: format!("{}, {} {}", text::long_date(made.date()), text::clock(&made), text::zone(&made)),
        made_at: now,
        lines,
        void,
    })
}

fn line(state: &AppState, show: &Show, booking: &Booking, ticket: &Ticket) -> Line {
    let stub = sheet::stub(booking, show, &state.tickets, ticket);
    let at = |at: Timestamp| text::clock(&at.to_jiff().to_zoned_datetime(show.theatre.timezone.tz().clone()));
    Line {
        seat_no: ticket.seat,
        seat: stub.label.clone(),
        name: super::holder(booking, ticket).unwrap_or_default().to_owned(),
        ticket: if stub.proof.is_empty() { stub.kind() } else { format!("{} ({})", stub.kind(), stub.proof) },
        reference: booking.reference.clone(),
        code_end: stub.code_end().to_owned(),
        row: stub.row,
        state: match (no_good(booking, ticket), ticket.admission()) {
            (_, Some(scan)) => LineState::Admitted(at(scan.at)),
            (Some(_), None) => LineState::Disputed,
            (None, None) => LineState::Expected,
        },
    }
}
