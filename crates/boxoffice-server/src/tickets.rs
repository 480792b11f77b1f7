//! Tickets as the buyer carries them: signed codes that a door checks without a network, the
//! squares they are printed as, and the files they come in.

pub mod calendar;
pub mod code;
pub mod keys;
pub mod pdf;
pub mod qr;
pub mod sheet;

pub use keys::TicketKeys;
