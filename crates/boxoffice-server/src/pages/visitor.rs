//! What a browser may open: the tokens of its bookings, in one cookie that no script reads.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use boxoffice::booking::Booking;
use boxoffice::id::BookingId;

use crate::app::AppState;
use crate::http::Problem;

const COOKIE: &str = "bo_bookings";

/// The cookie keeps this many bookings, the newest first, so that it stays small.
const BOOKINGS_MAX: usize = 20;

/// Browsers keep a cookie for 400 days at most.
const MAX_AGE_S: i64 = 400 * 24 * 60 * 60;

/// The bookings that a browser has proved to be its own, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visitor(Vec<BookingId>);

impl<S: Send + Sync> FromRequestParts<S> for Visitor
where
    AppState: axum::extract::FromRef<S>,
{
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        let state = <AppState as axum::extract::FromRef<S>>::from_ref(state);
        let jar = CookieJar::from_headers(&parts.headers);
        let tokens = jar.get(COOKIE).map(Cookie::value).unwrap_or_default();
        Ok(Self(tokens.split('!').take(BOOKINGS_MAX).filter_map(|token| state.tokens.open(token)).collect()))
    }
}

impl Visitor {
    #[must_use]
    pub fn bookings(&self) -> &[BookingId] {
        &self.0
    }

    /// The booking with this id, if this browser may open it. All others read "not found".
    ///
    /// # Errors
    /// [`Problem`] not found, or the store cannot answer.
    pub async fn open(&self, state: &AppState, id: &str) -> Result<Booking, Problem> {
        let id = self.may_open(id)?;
        Ok(state.office.booking(id).await?)
    }

    /// # Errors
    /// [`Problem`] not found.
    pub fn may_open(&self, id: &str) -> Result<BookingId, Problem> {
        let id: Option<BookingId> = id.parse().ok();
        id.filter(|id| self.0.contains(id)).ok_or_else(|| Problem::not_found("booking"))
    }

    /// Gives this browser a booking more.
    #[must_use]
    pub fn remember(&self, state: &AppState, booking: BookingId, mut response: Response) -> Response {
        let others = self.0.iter().copied().filter(|id| *id != booking);
        let tokens: Vec<String> =
            std::iter::once(booking).chain(others).take(BOOKINGS_MAX).map(|id| state.tokens.token(id)).collect();
        let cookie = Cookie::build((COOKIE, tokens.join("!")))
            .path("/")
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(state.site.base_url.starts_with("https:"))
            .build();
        if let Ok(value) = HeaderValue::from_str(&format!("{cookie}; Max-Age={MAX_AGE_S}")) {
            response.headers_mut().append(header::SET_COOKIE, value);
        }
        response
    }
}
