//! Addresses of our own pages, escaped.

use boxoffice::id::BookingId;

/// A text as one segment of a path. A form's escaping escapes all that a path's needs; its plus
/// for a blank means nothing in a path, and a colon may stay as it is.
fn segment(text: &str) -> String {
    let escaped: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
    escaped.replace('+', "%20").replace("%3A", ":")
}

/// A show's page. The ids of a programme's shows, `ID/DATE/TIME`, keep their slashes.
#[must_use]
pub fn show(id: &str) -> String {
    let parts: Vec<&str> = id.split('/').collect();
    match parts.as_slice() {
        [programme, date, time] if parts.iter().all(|part| !part.is_empty()) => {
            format!("/shows/{}/{}/{}", segment(programme), segment(date), segment(time))
        }
        _ => format!("/shows/{}", segment(id)),
    }
}

#[must_use]
pub fn movie(id: &str) -> String {
    format!("/movies/{}", segment(id))
}

#[must_use]
pub fn city(slug: &str) -> String {
    format!("/cities/{}", segment(slug))
}

#[must_use]
pub fn booking(id: BookingId) -> String {
    format!("/bookings/{id}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_cannot_leave_their_segment() {
        let cases = [
            ("show-1", "/shows/show-1"),
            ("camp/2027-06-12/20:00", "/shows/camp/2027-06-12/20:00"),
            ("a/b", "/shows/a%2Fb"),
            ("a//b", "/shows/a%2F%2Fb"),
            ("x?y#z\"<", "/shows/x%3Fy%23z%22%3C"),
            ("1+1 a", "/shows/1%2B1%20a"),
        ];
        for (id, path) in cases {
            assert_eq!(show(id), path);
        }
        assert_eq!(city("münchen"), "/cities/m%C3%BCnchen");
    }
}
