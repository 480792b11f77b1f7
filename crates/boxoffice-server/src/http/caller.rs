//! Who sent a request, read from its header `Authorization`.

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use boxoffice::id::BookingId;

use super::Problem;
use crate::app::AppState;
use crate::auth::{StaffKey, staff};

/// The caller of an API request.
#[derive(Debug, Clone)]
pub enum Caller {
    /// No header was sent.
    Nobody,
    /// Whoever was given this booking's token.
    Buyer(BookingId),
    Staff(StaffKey),
    /// A header was sent that proves nothing.
    Unknown,
}

impl Caller {
    /// The booking named in the path, if this caller may open it. Everybody else reads the same
    /// "not found", whether the booking exists or not.
    ///
    /// # Errors
    /// [`Problem`] not found.
    pub fn open(&self, id: &str) -> Result<BookingId, Problem> {
        let hidden = || Problem::not_found("booking");
        let id: BookingId = id.parse().map_err(|_| hidden())?;
        let may = match self {
            Self::Buyer(own) => *own == id,
            Self::Staff(key) => key.role.opens_bookings(),
            Self::Nobody | Self::Unknown => false,
        };
        if may { Ok(id) } else { Err(hidden()) }
    }

    /// Lets only staff pass who may see every booking.
    ///
    /// # Errors
    /// [`Problem::Unauthorized`] without a key in force, [`Problem::Forbidden`] with another role's.
    pub fn must_open_bookings(&self) -> Result<&StaffKey, Problem> {
        match self {
            Self::Staff(key) if key.role.opens_bookings() => Ok(key),
            Self::Staff(_) => Err(Problem::Forbidden),
            Self::Nobody | Self::Buyer(_) | Self::Unknown => Err(Problem::Unauthorized),
        }
    }

    /// Lets only a manager or an admin pass, and answers the key.
    ///
    /// # Errors
    /// [`Problem::Unauthorized`] without a key in force, [`Problem::Forbidden`] with another role's.
    pub fn must_manage(&self) -> Result<&StaffKey, Problem> {
        match self {
            Self::Staff(key) if key.role.manages() => Ok(key),
            Self::Staff(_) => Err(Problem::Forbidden),
            Self::Nobody | Self::Buyer(_) | Self::Unknown => Err(Problem::Unauthorized),
        }
    }
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let Some(header) = parts.headers.get(AUTHORIZATION) else { return Ok(Self::Nobody) };
        let bearer = header.to_str().ok().and_then(|text| text.split_once(' '));
        let Some((_, key)) = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")) else {
            return Ok(Self::Unknown);
        };
        let key = key.trim();
        if key.starts_with(staff::PREFIX) {
            let known = staff::check(state.store(), key).await?;
            return Ok(known.map_or(Self::Unknown, Self::Staff));
        }
        Ok(state.tokens.open(key).map_or(Self::Unknown, Self::Buyer))
    }
}
