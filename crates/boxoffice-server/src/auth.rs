//! Who a caller is: booking tokens, which open one booking, and keys of the staff.

pub mod staff;
pub mod token;

pub use staff::{NewKey, Role, StaffKey};
pub use token::BookingTokens;
