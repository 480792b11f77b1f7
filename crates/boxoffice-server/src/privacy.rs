//! Forgetting who booked: on request, and when the time for which persons are kept is over. Seats,
//! prices, payments and tickets stay, so that the books are as right as before.

use std::time::Duration;

use boxoffice::command::{Command, Effect, Step};
use boxoffice::id::BookingId;
use boxoffice::store::{BookingFilter, Store, StoreError};
use boxoffice::time::{Span, Timestamp};

use crate::app::AppState;

/// Bookings that are looked at between two looks at everything else.
const AT_ONCE: usize = 200;
/// How often the time of persons is looked at.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// Whose bookings are to be forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whose {
    Email(String),
    Booking(BookingId),
}

/// What became of a request to be forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Erasure {
    /// Bookings in which nobody is named any more.
    pub erased: usize,
    /// Bookings whose customer is still needed: forgotten as soon as that is over.
    pub later: Vec<Later>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Later {
    pub booking: BookingId,
    /// When it is looked at again.
    pub at: Timestamp,
}

/// Forgets a person in all of their bookings, for somebody of the staff.
///
/// # Errors
/// The store cannot answer; what was forgotten by then stays so, and the rest is done by asking again.
pub async fn erase(store: &dyn Store, whose: Whose, by: &str) -> Result<Erasure, StoreError> {
    let filter = match whose {
        Whose::Booking(booking) => return erase_all(store, &[booking], by).await,
        Whose::Email(email) => BookingFilter { email: Some(email), ..BookingFilter::default() },
    };
    let bookings: Vec<BookingId> = store.bookings(filter).await?.into_iter().map(|booking| booking.id).collect();
    erase_all(store, &bookings, by).await
}

async fn erase_all(store: &dyn Store, bookings: &[BookingId], by: &str) -> Result<Erasure, StoreError> {
    let mut erasure = Erasure::default();
    for booking in bookings {
        let step = Step { command: Command::Erase { booking: *booking }, idempotency: None, by: Some(by.to_owned()) };
        let effect = store.execute(step).await?.outcome.effect;
        if let Effect::EraseLater { at } = effect {
            erasure.later.push(Later { booking: *booking, at });
        } else if effect == Effect::Erased {
            erasure.erased += 1;
        }
    }
    Ok(erasure)
}

/// Forgets, hour by hour, the customers of shows that are longer ago than persons are kept. Runs until
/// it is dropped.
pub async fn keep_time(state: AppState, keep_days: u32) {
    loop {
        let before = state.store().now() - Span::from_mins(i64::from(keep_days) * 24 * 60);
        match forget_before(state.store(), before).await {
            Ok(0) => {}
            Ok(bookings) => tracing::info!(bookings, keep_days, "customers were forgotten whose time was over"),
            Err(error) => {
                tracing::warn!(%error, "customers whose time is over cannot be forgotten now; it comes again")
            }
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Forgets the customers of all shows that started before this, and answers in how many bookings.
///
/// # Errors
/// The store cannot answer.
pub async fn forget_before(store: &dyn Store, before: Timestamp) -> Result<usize, StoreError> {
    let (mut after, mut forgotten) = (None, 0);
    loop {
        let page = store.of_persons(before, after, AT_ONCE).await?;
        after = page.last().copied().or(after);
        for booking in &page {
            let done = store.execute(Command::Erase { booking: *booking }.into()).await?;
            forgotten += usize::from(done.outcome.effect == Effect::Erased);
        }
        if page.len() < AT_ONCE {
            return Ok(forgotten);
        }
    }
}
