//! Parameters that several operations take.

use utoipa::IntoParams;

/// A booking, by its id.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct BookingPath {
    /// The booking's id.
    #[param(pattern = "^[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}$", example = "00000081mr564680ks50tk0asc")]
    pub id: String,
}

/// A show, by its id.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ShowPath {
    /// The show's id. A show of a programme has slashes in it, such as `evening/2027-06-12/20:00`: write them as
    /// they are, or as `%2F`.
    #[param(min_length = 1, max_length = 128, example = "show-1")]
    pub id: String,
}

/// Any POST that changes something.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
pub struct IdempotencyKey {
    /// Makes the request safe to repeat for 24 hours: the same key with the same body gets the first answer again,
    /// marked `Idempotency-Replayed: true`. Printable ASCII, spaces only inside. Without a booking token or a staff key it must have at
    /// least 16 characters, chosen at random.
    #[param(
        rename = "Idempotency-Key",
        required = false,
        min_length = 1,
        max_length = 255,
        pattern = "^[!-~]([ -~]*[!-~])?$"
    )]
    pub idempotency_key: String,
}
