//! Who a caller is: booking tokens, which open one booking, and keys and accounts of the staff.

pub mod account;
pub mod guesses;
mod mac;
pub mod session;
pub mod staff;
pub mod token;
pub mod uses;

pub use guesses::Guesses;
pub use session::StaffSessions;
pub use staff::{NewKey, Role, StaffKey};
pub use token::BookingTokens;
pub use uses::KeyUses;
