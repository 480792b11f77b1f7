//! `boxoffice ticket`: checks a code as a door without a network would.

use super::block_on;
use crate::config::Config;
use crate::entropy::OsEntropy;
use crate::stores;
use crate::tickets::TicketKeys;

/// # Errors
/// The code is not one of ours, or the store with its keys cannot be opened.
pub fn verify(config: &Config, code: &str) -> anyhow::Result<()> {
    let store = stores::open_filled(&config.store)?;
    let keys = block_on(TicketKeys::load(&*store, &OsEntropy))?;
    let ticket = keys.verify(code)?;
    println!("Signed here: seat {}, {}, show {}.", ticket.seat, ticket.ticket_type, ticket.show);
    println!("Booking {}, ticket {}, code number {}.", ticket.ticket.booking, ticket.ticket.no, ticket.serial);
    println!("Whether it was cancelled, replaced or used since was not checked.");
    Ok(())
}
