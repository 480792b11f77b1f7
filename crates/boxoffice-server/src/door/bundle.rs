//! What a phone needs to check tickets of one hall for one day without a network: the public keys,
//! the shows with their windows, and the tickets that are no good any more. Those are few, so that
//! the bundle stays small however full the hall is.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use boxoffice::booking::{Booking, DisputeStatus, Ticket, TicketStatus};
use boxoffice::id::TicketId;
use boxoffice::show::{Show, business_day};
use boxoffice::store::{BookingFilter, ShowFilter};
use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::auth::StaffKey;
use crate::http::Problem;

/// What a device needs to check the tickets of one screen for one day without a network.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = DoorBundle)]
pub struct Bundle {
    /// The screen's id.
    screen: String,
    /// The business day.
    #[schema(value_type = String, format = Date)]
    date: Date,
    made_at_ms: i64,
    /// Raw Ed25519 keys in URL-safe base 64, by their number.
    #[schema(value_type = BTreeMap<String, String>)]
    keys: BTreeMap<u8, String>,
    shows: Vec<BundleShow>,
}

/// A show of a bundle, with the tickets that are no good. Tickets are written short: what of their ids tells them from
/// others of the show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct BundleShow {
    id: String,
    movie: String,
    screen: String,
    local: String,
    opens_ms: i64,
    closes_ms: i64,
    cancelled: bool,
    /// Tickets that let nobody in, by the reason; each as in [`compact`].
    #[schema(value_type = BTreeMap<String, Vec<String>>)]
    void: BTreeMap<&'static str, Vec<String>>,
    /// The lowest serial that is good, of tickets that have new codes.
    reissued: BTreeMap<String, u16>,
}

/// The bundle of a screen for a business day; without one, for today's.
///
/// # Errors
/// There is no such screen, the key is bound to another, or the store cannot answer.
pub async fn make(
    state: &AppState,
    key: &StaffKey,
    screen: Option<&str>,
    date: Option<Date>,
) -> Result<Bundle, Problem> {
    let door = super::place(state, key, screen, None).await?;
    let screen = door.screen.ok_or_else(|| Problem::invalid("", "Say which `screen`."))?;
    let catalogue = state.store().catalogue().await?;
    let theatre = catalogue.screens.get(&screen).and_then(|screen| catalogue.theatres.get(&screen.theatre));
    let theatre = theatre.ok_or_else(|| Problem::Bug("a screen without its theatre".into()))?;
    let now = state.store().now();
    let date = date.unwrap_or_else(|| business_day(theatre, now));
    let filter = ShowFilter { screen: Some(screen.clone()), business_day: Some(date), ..ShowFilter::default() };
    let mut shows = Vec::new();
    for row in state.store().shows(filter).await? {
        let filter = BookingFilter { show: Some(row.show.no), ..BookingFilter::default() };
        shows.push(of_show(&row.show, &state.store().bookings(filter).await?));
    }
    let keys = state.tickets.public_keys().map(|(number, key)| (number, URL_SAFE_NO_PAD.encode(key))).collect();
    Ok(Bundle { screen: screen.to_string(), date, made_at_ms: now.as_ms(), keys, shows })
}

fn of_show(show: &Show, bookings: &[Booking]) -> BundleShow {
    let (mut void, mut reissued) = (BTreeMap::<_, Vec<_>>::new(), BTreeMap::new());
    for (booking, ticket) in bookings.iter().flat_map(|booking| booking.tickets.iter().map(move |t| (booking, t))) {
        if let Some(reason) = no_good(booking, ticket) {
            void.entry(reason).or_default().push(compact(ticket.id));
        } else if ticket.serial > 1 {
            reissued.insert(compact(ticket.id), ticket.serial);
        }
    }
    BundleShow {
        id: show.id().to_string(),
        movie: show.movie.title.english().to_owned(),
        screen: show.screen.name.english().to_owned(),
        local: show.local_start().strftime("%Y-%m-%dT%H:%M").to_string(),
        opens_ms: show.entry_opens_at().as_ms(),
        closes_ms: show.entry_closes_at().as_ms(),
        cancelled: show.spec.cancelled,
        void,
        reissued,
    }
}

/// Why a ticket lets nobody in, if it does not.
pub(super) fn no_good(booking: &Booking, ticket: &Ticket) -> Option<&'static str> {
    if ticket.status == TicketStatus::Void {
        return Some(ticket.void_reason.map_or("cancelled", boxoffice::booking::VoidReason::as_str));
    }
    let paid_by = booking.paid_by.and_then(|no| booking.attempt(no));
    match paid_by.and_then(|attempt| attempt.dispute).map(|dispute| dispute.status) {
        Some(DisputeStatus::Open | DisputeStatus::Lost) => Some("payment_disputed"),
        Some(DisputeStatus::Won) | None => None,
    }
}

/// What of a ticket's id tells it from others of its show: the booking without the show's number,
/// and the ticket's, in URL-safe base 64.
fn compact(ticket: TicketId) -> String {
    let booking = ticket.booking.to_bytes();
    let [high, low] = ticket.no.to_be_bytes();
    let mut bytes = booking.get(4..).unwrap_or_default().to_vec();
    bytes.extend([high, low]);
    URL_SAFE_NO_PAD.encode(bytes)
}
