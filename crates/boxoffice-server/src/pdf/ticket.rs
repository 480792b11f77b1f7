//! A booking's tickets as one PDF, a page of A5 each. The same booking always makes the same bytes.

use krilla::Document;
use krilla::error::KrillaError;
use krilla::metadata::{Metadata, PageLayout};
use krilla::page::PageSettings;

use super::date_time;
use crate::tickets::sheet::Sheet;

mod page;

/// Draws all tickets of a booking, void ones with their stamp.
///
/// # Errors
/// A font of ours cannot be embedded, which is a bug.
pub fn draw(sheet: &Sheet) -> Result<Vec<u8>, KrillaError> {
    let mut document = Document::new();
    document.set_metadata(metadata(sheet));
    for stub in &sheet.stubs {
        let Some(settings) = PageSettings::from_wh(page::WIDTH, page::HEIGHT) else { continue };
        let mut page = document.start_page_with(settings);
        page::draw(&mut page.surface(), sheet, stub);
    }
    document.finish()
}

fn metadata(sheet: &Sheet) -> Metadata {
    Metadata::new()
        .title(format!("{} · {} · {}", sheet.film, sheet.when.date, sheet.reference))
        .description(format!("Tickets for {} at {}", sheet.film, sheet.theatre))
        .creator("Boxoffice".to_owned())
        .language("en".to_owned())
        .creation_date(date_time(sheet.made_at))
        .document_id(sheet.booking.to_string())
        .page_layout(PageLayout::SinglePage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tickets::sheet::sample;

    #[test]
    fn the_same_tickets_are_the_same_bytes() {
        let sheet = sample();
        let drawn = draw(&sheet).unwrap();
        assert_eq!(drawn, draw(&sheet).unwrap());
        assert!(drawn.starts_with(b"%PDF-"));
        let mut other = sheet.clone();
        other.holder = "Grace Hopper".into();
        assert_ne!(drawn, draw(&other).unwrap());
    }

    #[test]
    fn nothing_a_catalogue_or_buyer_can_write_stops_the_drawing() {
        let long = "x".repeat(2_000);
        for text in ["", "\u{0}\u{7}\u{202e}\u{fffe}\u{10ffff}", "\u{301}\u{301}", "(\\)<</>>\r\nendobj", &long] {
            let mut sheet = sample();
            let when = &mut sheet.when;
            let all = [
                &mut sheet.film,
                &mut sheet.version,
                &mut sheet.certificate,
                &mut sheet.theatre,
                &mut sheet.city,
                &mut sheet.address,
                &mut sheet.hall,
                &mut sheet.holder,
                &mut sheet.paid,
                &mut sheet.policy,
                &mut sheet.reference,
                &mut when.date,
                &mut when.clock,
                &mut when.zone,
                &mut when.night,
            ];
            all.into_iter().for_each(|field| text.clone_into(field));
            let stub = &mut sheet.stubs[0];
            for field in [&mut stub.row, &mut stub.number, &mut stub.label, &mut stub.category, &mut stub.code] {
                text.clone_into(field);
            }
            assert!(draw(&sheet).is_ok(), "{text:?}");
        }
    }
}
