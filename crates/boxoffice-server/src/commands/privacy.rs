//! `boxoffice privacy`: forgets customers who ask for it.

use boxoffice::action::COMMAND_LINE;
use boxoffice::id::BookingId;
use serde_json::json;

use super::block_on;
use crate::config::Config;
use crate::privacy::{self, Whose};
use crate::stores;

/// # Errors
/// The store cannot answer, or neither an address nor a booking was given.
pub fn erase(config: &Config, email: Option<String>, booking: Option<BookingId>, as_json: bool) -> anyhow::Result<()> {
    let whose = match (email, booking) {
        (_, Some(booking)) => Whose::Booking(booking),
        (Some(email), None) => Whose::Email(email.trim().to_owned()),
        (None, None) => anyhow::bail!("say --email ADDRESS or --booking ID"),
    };
    let store = stores::open_filled(&config.store)?;
    let erasure = block_on(async { Ok(privacy::erase(&*store, whose, COMMAND_LINE).await?) })?;
    if as_json {
        let later =
            |later: &privacy::Later| json!({ "booking": later.booking.to_string(), "at": later.at.to_string() });
        let later: Vec<_> = erasure.later.iter().map(later).collect();
        println!("{}", json!({ "erased": erasure.erased, "later": later }));
        return Ok(());
    }
    println!("Bookings in which nobody is named any more: {}", erasure.erased);
    for later in &erasure.later {
        println!("{}: the customer is still needed; forgotten when that is over, from {} on", later.booking, later.at);
    }
    Ok(())
}
