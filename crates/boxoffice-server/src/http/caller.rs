//! Who sent a request, read from its header `Authorization`.

use axum::extract::FromRequestParts;
use axum::http::HeaderValue;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use boxoffice::id::{BookingId, ShowId, ShowNo, TheatreId};
use boxoffice::time::Timestamp;

use super::Problem;
use super::client::ClientAddress;
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
    pub async fn open(&self, state: &AppState, id: &str) -> Result<BookingId, Problem> {
        let hidden = || Problem::not_found("booking");
        let id: BookingId = id.parse().map_err(|_| hidden())?;
        let may = match self {
            Self::Buyer(own) => *own == id,
            Self::Staff(key) => key.role.opens_bookings() && covers(state, key, id.show()).await?,
            Self::Nobody | Self::Unknown => false,
        };
        if may { Ok(id) } else { Err(hidden()) }
    }

    /// The id of the staff key, for the staff's log.
    #[must_use]
    pub fn by(&self) -> Option<String> {
        match self {
            Self::Staff(key) => Some(key.id.clone()),
            Self::Nobody | Self::Buyer(_) | Self::Unknown => None,
        }
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

    /// The staff's key, of whatever role: all of them may stand at a door.
    ///
    /// # Errors
    /// [`Problem::Unauthorized`] without a key in force.
    pub fn must_be_staff(&self) -> Result<&StaffKey, Problem> {
        match self {
            Self::Staff(key) => Ok(key),
            Self::Nobody | Self::Buyer(_) | Self::Unknown => Err(Problem::Unauthorized),
        }
    }

    /// Lets only a manager or an admin pass whose key works for every place.
    ///
    /// # Errors
    /// As for [`Caller::must_manage`]; also with a key that is bound to a place.
    pub fn must_manage_all(&self) -> Result<&StaffKey, Problem> {
        self.must_manage().and_then(|key| if key.covers_all() { Ok(key) } else { Err(Problem::Forbidden) })
    }

    /// Lets only a manager or an admin pass whose key works for this show.
    ///
    /// # Errors
    /// As for [`Caller::must_manage`]; also with a key for another place, or if there is no such show.
    pub async fn must_manage_show(&self, state: &AppState, show: &ShowId) -> Result<&StaffKey, Problem> {
        let key = self.must_manage()?;
        if key.covers_all() {
            return Ok(key);
        }
        let show = state.store().show(show.clone()).await?.ok_or_else(|| Problem::not_found("show"))?;
        if key.covers(&show) { Ok(key) } else { Err(Problem::Forbidden) }
    }

    /// Lets only a manager or an admin pass, and answers the key and the booking, if the key works
    /// for its show.
    ///
    /// # Errors
    /// As for [`Caller::must_manage`]; not found, if there is no such booking there.
    pub async fn must_manage_booking(&self, state: &AppState, id: &str) -> Result<(&StaffKey, BookingId), Problem> {
        let key = self.must_manage()?;
        Ok((key, self.open(state, id).await?))
    }

    /// Lets only a manager or an admin pass whose key works for this theatre; `None`: for all of them.
    ///
    /// # Errors
    /// As for [`Caller::must_manage`]; also with a key for another place.
    pub fn must_manage_theatre(&self, theatre: Option<&TheatreId>) -> Result<&StaffKey, Problem> {
        let key = self.must_manage()?;
        let may = key.covers_all() || (key.screen.is_none() && key.theatre.as_ref() == theatre);
        if may { Ok(key) } else { Err(Problem::Forbidden) }
    }

    /// Lets only a manager or an admin pass, wherever the key works; what is asked for has to be
    /// compared with that.
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
        let caller = proved(state, header).await?;
        let now = state.store().now();
        match &caller {
            Self::Staff(key) => state.key_uses.note(state.store(), &key.id, now).await,
            Self::Unknown => throttle(state, parts, now)?,
            Self::Nobody | Self::Buyer(_) => {}
        }
        Ok(caller)
    }
}

async fn proved(state: &AppState, header: &HeaderValue) -> Result<Caller, Problem> {
    let bearer = header.to_str().ok().and_then(|text| text.split_once(' '));
    let Some((_, key)) = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")) else {
        return Ok(Caller::Unknown);
    };
    let key = key.trim();
    if key.starts_with(staff::PREFIX) {
        let known = staff::check(state.store(), key).await?;
        return Ok(known.map_or(Caller::Unknown, Caller::Staff));
    }
    Ok(state.tokens.open(key).map_or(Caller::Unknown, Caller::Buyer))
}

/// Counts what proves nothing. Whoever proves who they are is never held up by others behind the
/// same address: keys and tokens are too long to be guessed, and the count keeps the noise down.
fn throttle(state: &AppState, parts: &Parts, now: Timestamp) -> Result<(), Problem> {
    let limits = &state.site.limits;
    let Some(max) = limits.guesses_per_minute else { return Ok(()) };
    let client = ClientAddress::read(&limits.trusted_proxies, &parts.extensions, &parts.headers).0;
    if let Some(wait) = state.guesses.wait(client, max.get(), now) {
        return Err(Problem::TooManyRequests { wait });
    }
    state.guesses.note_wrong(client, now);
    Ok(())
}

/// Whether a key works for this show, as to place.
///
/// # Errors
/// The store cannot answer.
pub async fn covers(state: &AppState, key: &StaffKey, show: ShowNo) -> Result<bool, Problem> {
    if key.covers_all() {
        return Ok(true);
    }
    Ok(state.store().show_by_no(show).await?.is_some_and(|show| key.covers(&show)))
}
