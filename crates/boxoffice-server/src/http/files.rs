//! What is downloaded as a file, from the API and the pages alike: tickets to print and for a calendar, and the list
//! of a door. Who may have it was asked before.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use boxoffice::booking::Booking;
use boxoffice::show::Show;

use super::Problem;
use crate::app::AppState;
use crate::door::list;
use crate::pages::{booking, shell};
use crate::pdf::{self, DrawError};
use crate::tickets::calendar;
use crate::tickets::sheet::{Sheet, sheet};

const PDF: &str = "application/pdf";

/// # Errors
/// [`Problem`] not found if the booking has no tickets; the store cannot answer.
pub async fn tickets_pdf(state: &AppState, booking: &Booking) -> Result<Response, Problem> {
    let sheet = written(state, booking).await?;
    let name = tickets_name(&sheet.reference, "pdf");
    let bytes = pdf::drawn(move || pdf::ticket::draw(&sheet)).await.map_err(bug)?;
    Ok(file(bytes, PDF, &name))
}

/// # Errors
/// As [`tickets_pdf()`].
pub async fn tickets_ics(state: &AppState, booking: &Booking) -> Result<Response, Problem> {
    let sheet = written(state, booking).await?;
    let text = calendar::file(&sheet, state.store().now());
    Ok(file(text.into_bytes(), "text/calendar; charset=utf-8; method=PUBLISH", &tickets_name(&sheet.reference, "ics")))
}

/// # Errors
/// The store cannot answer.
pub async fn door_list_pdf(state: &AppState, show: &Show) -> Result<Response, Problem> {
    let list = list::of(state, show).await?;
    let name = format!("door-list-{}.pdf", plain(show.id().as_str()));
    let bytes = pdf::drawn(move || pdf::door_list::draw(&list)).await.map_err(bug)?;
    Ok(file(bytes, PDF, &name))
}

async fn written(state: &AppState, booking: &Booking) -> Result<Sheet, Problem> {
    if booking.tickets.is_empty() {
        return Err(Problem::not_found("ticket"));
    }
    let show = booking::show_of(state, booking).await?;
    Ok(sheet(booking, &show, &state.tickets))
}

/// The name of a file with a booking's tickets.
#[must_use]
pub fn tickets_name(reference: &str, ending: &str) -> String {
    format!("tickets-{}.{ending}", plain(reference))
}

/// What every system takes in a file's name.
fn plain(text: &str) -> String {
    let dashed = text.chars().map(|c| if matches!(c, '/' | ':' | '.' | '_' | '-') { '-' } else { c });
    dashed.filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect()
}

fn bug(error: DrawError) -> Problem {
    Problem::Bug(error.to_string())
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
    fn a_file_name_is_plain_ascii_whatever_it_is_made_of() {
        assert_eq!(tickets_name("K7M2Q9ABC", "pdf"), "tickets-K7M2Q9ABC.pdf");
        assert_eq!(tickets_name("a\"b\r\nc/ü", "ics"), "tickets-abc-.ics");
        assert_eq!(plain("evening/2027-06-12/20:00"), "evening-2027-06-12-20-00");
    }
}
