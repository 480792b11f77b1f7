//! What seats cost: base prices, the first card that matches, fees with their cap, and the tax
//! that is contained. One quote at the hold, frozen into the booking.

use crate::booking::{BookedSeat, Channel, Quote};
use crate::command::SeatPick;
use crate::money::MoneyError;
use crate::show::Show;

/// The ticket type that always exists.
pub const STANDARD: &str = "standard";

/// Priced seats and the quote they add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Priced {
    pub seats: Vec<BookedSeat>,
    pub price: Quote,
}

/// Prices these seats of a show for a channel.
///
/// # Errors
/// [`MoneyError`] if an amount does not fit, or a category has no price.
pub fn quote(_show: &Show, _picks: &[SeatPick], _channel: Channel) -> Result<Priced, MoneyError> {
    Err(MoneyError::Overflow)
}
