//! Tickets as the buyer carries them: signed codes that a door checks without a network, and the
//! squares they are printed as.

pub mod code;
pub mod keys;
pub mod qr;

pub use keys::TicketKeys;
