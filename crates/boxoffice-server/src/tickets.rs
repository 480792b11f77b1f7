//! Tickets as the buyer carries them: signed codes that a door checks without a network, the
//! squares they are printed as, and what they say.

pub mod calendar;
pub mod code;
pub mod keys;
pub mod qr;
pub mod sheet;

pub use keys::TicketKeys;
