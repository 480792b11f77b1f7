//! Which seats a party gets when it asks for the best.

use crate::id::SeatNo;
use crate::layout::Layout;

/// The best `count` free seats, of `category` if one is given; always the same answer for the
/// same hall. `None`: fewer are free that may be chosen.
#[must_use]
pub fn best(
    _layout: &Layout,
    _count: u16,
    _category: Option<u16>,
    _is_free: impl Fn(SeatNo) -> bool,
) -> Option<Vec<SeatNo>> {
    None
}
