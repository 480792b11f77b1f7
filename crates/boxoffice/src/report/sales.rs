//! Sales and admissions by business day of the show, film, screen and ticket type. Shows are read
//! one at a time, so that memory grows with the rows and not with the bookings.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::booking::{Booking, Ticket, TicketStatus};
use crate::id::{MovieId, ScreenId, ShowNo, TheatreId};
use crate::ledger::{PartKind, TicketValue, ticket_value};
use crate::money::{Money, MoneyError};
use crate::refusal::{FieldError, Refusal};
use crate::show::Show;
use crate::store::{ShowFilter, Store, StoreError};

/// A longer report is refused.
const DAYS_MAX: i32 = 400;

/// Which shows: from the first business day to the last, both counted in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SalesQuery {
    pub from: Date,
    pub to: Date,
    /// `None`: every theatre.
    pub theatre: Option<TheatreId>,
}

/// One business day, film, screen, ticket type and currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SalesRow {
    pub business_day: Date,
    pub theatre: TheatreId,
    pub movie: MovieId,
    pub title: String,
    pub screen: ScreenId,
    pub ticket_type: String,
    /// Tickets that were issued, whatever became of them.
    pub sold: u32,
    /// Of them, tickets that are void: cancelled, refunded, lost to a dispute.
    pub refunded: u32,
    /// Of them, tickets that let somebody in.
    pub admitted: u32,
    pub money: Takings,
}

/// What tickets brought: `gross` is `net` + `fees` + `tax` + `charges`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Takings {
    pub gross: Money,
    /// Tickets without their tax.
    pub net: Money,
    /// Fees without their tax.
    pub fees: Money,
    /// In tickets and fees.
    pub tax: Money,
    /// What was kept of the face of cancelled tickets.
    pub charges: Money,
    /// What was given back on tickets that stand; it is not off `gross`.
    pub goodwill: Money,
}

impl Takings {
    fn nothing(zero: Money) -> Self {
        Self { gross: zero, net: zero, fees: zero, tax: zero, charges: zero, goodwill: zero }
    }

    fn add(&mut self, value: &TicketValue) -> Result<(), MoneyError> {
        for part in &value.parts {
            let without_tax = part.gross.minus(part.tax_amount())?;
            match part.kind {
                PartKind::Face => self.net = self.net.plus(without_tax)?,
                PartKind::Fee => self.fees = self.fees.plus(without_tax)?,
            }
            self.tax = self.tax.plus(part.tax_amount())?;
            self.gross = self.gross.plus(part.gross)?;
        }
        self.charges = self.charges.plus(value.charges)?;
        self.gross = self.gross.plus(value.charges)?;
        self.goodwill = self.goodwill.plus(value.goodwill)?;
        Ok(())
    }
}

/// The report, ordered by business day, theatre, film, screen and ticket type.
///
/// # Errors
/// A refusal if the days are no range or the theatre is unknown; else as the store has them.
pub async fn sales(store: &dyn Store, query: &SalesQuery) -> Result<Vec<SalesRow>, StoreError> {
    check(store, query).await?;
    let mut rows = Rows::default();
    let mut day = Some(query.from);
    while let Some(business_day) = day.filter(|day| *day <= query.to) {
        let theatres = query.theatre.clone().map(|theatre| vec![theatre]);
        let of_day = ShowFilter { theatres, business_day: Some(business_day), ..ShowFilter::default() };
        for row in store.shows(of_day).await? {
            rows.add_show(store, &row.show).await?;
        }
        day = business_day.tomorrow().ok();
    }
    Ok(rows.0.into_values().collect())
}

async fn check(store: &dyn Store, query: &SalesQuery) -> Result<(), StoreError> {
    let days = query.to.since(query.from).map_or(DAYS_MAX, |span| span.get_days());
    if !(0..DAYS_MAX).contains(&days) {
        let detail = format!("The report ends at or after its first day, and within {DAYS_MAX} days of it.");
        return Err(Refusal::InvalidRequest(vec![FieldError::new("/to", detail)]).into());
    }
    if let Some(theatre) = &query.theatre
        && !store.catalogue().await?.theatres.contains_key(theatre)
    {
        return Err(Refusal::NotFound("theatre").into());
    }
    Ok(())
}

type Key = (Date, TheatreId, MovieId, ScreenId, String, &'static str);

#[derive(Debug, Default)]
struct Rows(BTreeMap<Key, SalesRow>);

impl Rows {
    async fn add_show(&mut self, store: &dyn Store, show: &Show) -> Result<(), StoreError> {
        let before = show.no.0.checked_sub(1).map(ShowNo);
        let books = store.books(before).await?.filter(|books| books.show == show.no);
        for booking in books.iter().flat_map(|books| &books.bookings) {
            for ticket in &booking.tickets {
                self.add(show, booking, ticket).map_err(|error| StoreError::Bug(error.to_string()))?;
            }
        }
        Ok(())
    }

    fn add(&mut self, show: &Show, booking: &Booking, ticket: &Ticket) -> Result<(), MoneyError> {
        let value = ticket_value(booking, ticket)?;
        let zero = booking.price.total.currency().zero();
        let key = (
            show.business_day,
            show.theatre.id.clone(),
            show.movie.id.clone(),
            show.screen.id.clone(),
            ticket.ticket_type.clone(),
            zero.currency().code(),
        );
        let row = self.0.entry(key).or_insert_with(|| SalesRow {
            business_day: show.business_day,
            theatre: show.theatre.id.clone(),
            movie: show.movie.id.clone(),
            title: show.movie.title.english().to_owned(),
            screen: show.screen.id.clone(),
            ticket_type: ticket.ticket_type.clone(),
            sold: 0,
            refunded: 0,
            admitted: 0,
            money: Takings::nothing(zero),
        });
        row.sold += 1;
        match ticket.status {
            TicketStatus::Valid => {}
            TicketStatus::Admitted => row.admitted += 1,
            TicketStatus::Void => row.refunded += 1,
        }
        row.money.add(&value)
    }
}
