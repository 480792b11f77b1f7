//! The door: what the API and the scanner's page both do with a ticket that is shown to them.

use std::sync::Arc;

use boxoffice::admission::{Admit, Door};
use boxoffice::booking::{Booking, Ticket};
use boxoffice::command::{Command, Effect, Idempotency, Step};
use boxoffice::id::{CatalogueId, ScreenId};
use boxoffice::refusal::Refusal;
use boxoffice::show::Show;
use boxoffice::store::{Done, StoreError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::AppState;
use crate::auth::StaffKey;
use crate::http::Problem;

pub mod batch;
pub mod bundle;
pub mod conflicts;
pub mod list;
mod unchecked;

/// A ticket that was shown, and where.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = ShownTicket)]
#[serde(deny_unknown_fields, expecting = "an object with `code` and `screen` or `show`")]
pub struct Ask {
    /// What the QR square holds.
    pub code: String,
    /// The id of the screen that the door leads to. A key that is bound to one need not say.
    pub screen: Option<String>,
    /// The id of the show that the door is for.
    pub show: Option<String>,
    /// What people call the door.
    #[schema(max_length = 80, pattern = r"^[^\u0000-\u001F\u007F-\u009F]*$")]
    pub gate: Option<String>,
    /// The scan's own name, so that it counts once however often it is sent.
    #[schema(max_length = 80, pattern = r"^[^\u0000-\u001F\u007F-\u009F]*$")]
    pub nonce: Option<String>,
}

/// Whoever carries this ticket may go in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Admitted {
    /// Always `admitted`.
    pub status: &'static str,
    /// The ticket's id.
    pub ticket: String,
    /// The seat's label.
    pub seat: String,
    pub row: String,
    pub number: String,
    pub category: String,
    pub ticket_type: String,
    /// Whom the ticket was handed on to, else who booked.
    pub name: Option<String>,
    /// The show's id.
    pub show: String,
    /// The movie's title.
    pub movie: String,
    /// The screen's name.
    pub screen: String,
    #[schema(format = DateTime)]
    pub starts_at: String,
    /// The start on the theatre's clock, without an offset.
    #[schema(example = "2027-06-12T20:00")]
    pub local: String,
    #[schema(format = DateTime)]
    pub admitted_at: String,
    pub gate: Option<String>,
}

/// Lets in whoever carries the ticket, or says why not. True: the answer was given before.
///
/// # Errors
/// [`Problem`], as the rules of the door have it.
pub async fn admit(
    state: &AppState,
    key: &StaffKey,
    ask: Ask,
    idempotency: Option<Idempotency>,
) -> Result<(Admitted, bool), Problem> {
    let door = place(state, key, ask.screen.as_deref(), ask.show.as_deref()).await?;
    if door == Door::default() {
        return Err(Problem::invalid("", "Say which `screen` or `show` the door is of."));
    }
    let (gate, nonce) = (line(ask.gate, "/gate")?, line(ask.nonce, "/nonce")?);
    let claims = state.tickets.verify(&ask.code).map_err(|_| Refusal::NotATicket)?;
    let (ticket, serial, by) = (claims.ticket, claims.serial, key.id.clone());
    let command = Command::Admit(Box::new(Admit { ticket, serial, door, nonce, gate, by }));
    let done = state.store().execute(Step { command, idempotency, by: None }).await.map_err(|error| match error {
        StoreError::Refused(Refusal::NotFound(_)) => StoreError::Refused(Refusal::UnknownTicket),
        other @ (StoreError::Refused(_) | StoreError::Fault(_) | StoreError::Bug(_)) => other,
    })?;
    let show = state.store().show_by_no(ticket.booking.show()).await?.ok_or(Refusal::UnknownTicket)?;
    Ok((admitted(&show, &done)?, done.replayed))
}

fn admitted(show: &Show, done: &Done) -> Result<Admitted, Problem> {
    let lost = || Problem::Bug("an admission without its ticket".into());
    let Effect::Admitted { ticket, at, gate } = &done.outcome.effect else { return Err(lost()) };
    let booking = done.outcome.booking.as_ref().ok_or_else(lost)?;
    let ticket = booking.ticket(*ticket).ok_or_else(lost)?;
    let (row, number) = row_and_number(show, ticket);
    let zone = show.theatre.timezone.tz();
    let category = booking.seats.iter().find(|seat| seat.no == ticket.seat).map(|seat| seat.category.clone());
    Ok(Admitted {
        status: "admitted",
        ticket: ticket.id.to_string(),
        seat: ticket.label.clone(),
        row,
        number,
        category: category.unwrap_or_default(),
        ticket_type: ticket.ticket_type.clone(),
        name: holder(booking, ticket).map(str::to_owned),
        show: show.id().to_string(),
        movie: show.movie.title.english().to_owned(),
        screen: show.screen.name.english().to_owned(),
        starts_at: show.spec.starts_at.with_offset(zone),
        local: show.local_start().strftime("%Y-%m-%dT%H:%M").to_string(),
        admitted_at: at.with_offset(zone),
        gate: gate.clone(),
    })
}

/// A layout that has changed since may call the seat otherwise: then only the ticket's own label is said.
fn row_and_number(show: &Show, ticket: &Ticket) -> (String, String) {
    let seat = show.layout.seat(ticket.seat).filter(|seat| seat.label == ticket.label);
    seat.map(|seat| (seat.row.clone(), seat.number.clone())).unwrap_or_default()
}

fn holder<'a>(booking: &'a Booking, ticket: &'a Ticket) -> Option<&'a str> {
    ticket.holder.as_deref().or(booking.customer.name.as_deref())
}

/// Where a door is, from what the request says and what the key is bound to. Neither says
/// anything: the door is nowhere.
///
/// # Errors
/// There is no such screen or show, or the key is bound to another.
async fn place(state: &AppState, key: &StaffKey, screen: Option<&str>, show: Option<&str>) -> Result<Door, Problem> {
    let named = screen.map(|id| known_screen(state, id));
    let named = match named {
        Some(screen) => Some(screen.await?),
        None => None,
    };
    let elsewhere = |(id, theatre): &(ScreenId, CatalogueId)| {
        key.screen.as_ref().is_some_and(|own| own != id) || key.theatre.as_ref().is_some_and(|own| own != theatre)
    };
    if named.as_ref().is_some_and(elsewhere) {
        return Err(Problem::Forbidden);
    }
    let show = match show {
        Some(id) => Some(known_show(state, id).await?.id().clone()),
        None => None,
    };
    let screen = named.map(|(id, _)| id).or_else(|| key.screen.clone());
    Ok(Door { theatre: key.theatre.clone(), screen, show })
}

/// The screen of this id, and its theatre.
async fn known_screen(state: &AppState, id: &str) -> Result<(ScreenId, CatalogueId), Problem> {
    let catalogue = state.store().catalogue().await?;
    let screen = CatalogueId::new(id.trim()).ok().and_then(|id| catalogue.screens.get(&id).cloned());
    let screen = screen.ok_or_else(|| Problem::invalid("/screen", "There is no screen with this id."))?;
    Ok((screen.id.clone(), screen.theatre.clone()))
}

async fn known_show(state: &AppState, id: &str) -> Result<Arc<Show>, Problem> {
    let unknown = || Problem::invalid("/show", "There is no show with this id.");
    let id = CatalogueId::new(id.trim()).map_err(|_| unknown())?;
    state.store().show(id).await?.ok_or_else(unknown)
}

const LINE_MAX: usize = 80;

/// A name that a scanner gives to a gate, a device or a scan; empty: none.
///
/// # Errors
/// It is no short line.
fn line(text: Option<String>, pointer: &str) -> Result<Option<String>, Problem> {
    let text = text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    if text.as_ref().is_some_and(|text| text.chars().count() > LINE_MAX || text.chars().any(char::is_control)) {
        return Err(Problem::invalid(pointer, format!("This has to be one line of at most {LINE_MAX} characters.")));
    }
    Ok(text)
}
