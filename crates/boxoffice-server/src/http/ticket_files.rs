//! A booking's tickets as files, for the API and the pages alike: a PDF to print, and an entry
//! for a calendar. Who may open the booking was asked before.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use boxoffice::booking::Booking;

use super::Problem;
use crate::app::AppState;
use crate::pages::{booking, shell};
use crate::tickets::sheet::{Sheet, sheet};
use crate::tickets::{calendar, pdf};

/// # Errors
/// [`Problem`] not found if the booking has no tickets; the store cannot answer.
pub async fn pdf(state: &AppState, booking: &Booking) -> Result<Response, Problem> {
    let sheet = written(state, booking).await?;
    let name = file_name(&sheet.reference, "pdf");
    // Fonts are cut to size for each file: work for another thread than those that answer.
    let drawn = tokio::task::spawn_blocking(move || pdf::draw(&sheet)).await;
    let drawn = drawn.map_err(|e| Problem::Bug(format!("drawing tickets ended: {e}")))?;
    let bytes = drawn.map_err(|e| Problem::Bug(format!("tickets cannot be drawn: {e}")))?;
    Ok(file(bytes, "application/pdf", &name))
}

/// # Errors
/// As [`pdf()`].
pub async fn ics(state: &AppState, booking: &Booking) -> Result<Response, Problem> {
    let sheet = written(state, booking).await?;
    let text = calendar::file(&sheet, state.store().now());
    Ok(file(text.into_bytes(), "text/calendar; charset=utf-8; method=PUBLISH", &file_name(&sheet.reference, "ics")))
}

async fn written(state: &AppState, booking: &Booking) -> Result<Sheet, Problem> {
    if booking.tickets.is_empty() {
        return Err(Problem::not_found("ticket"));
    }
    let show = booking::show_of(state, booking).await?;
    Ok(sheet(booking, &show, &state.tickets))
}

/// A name that every system takes.
#[must_use]
pub fn file_name(reference: &str, ending: &str) -> String {
    let plain: String = reference.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("tickets-{plain}.{ending}")
}

fn file(bytes: Vec<u8>, kind: &'static str, name: &str) -> Response {
    let mut response = ([(header::CONTENT_TYPE, kind)], bytes).into_response();
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    shell::private(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_is_plain_ascii_whatever_the_reference() {
        assert_eq!(file_name("K7M2Q9ABC", "pdf"), "tickets-K7M2Q9ABC.pdf");
        assert_eq!(file_name("a\"b\r\nc/ü", "ics"), "tickets-abc.ics");
    }
}
