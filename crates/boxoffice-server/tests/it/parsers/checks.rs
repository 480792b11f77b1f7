//! What must hold for any bytes that a parser of the server is given. The fuzz targets call these, and the
//! tests replay with them what the fuzzer found.

use axum::http::{HeaderMap, HeaderValue, Method};
use boxoffice::id::{BookingId, CatalogueId, PartId};
use boxoffice_server::gateways::sandbox::read_event;
use boxoffice_server::http::caller::Caller;
use boxoffice_server::http::idempotency;
use boxoffice_server::tickets::code::{TicketClaims, sign, verify};
use ed25519_dalek::SigningKey;

/// A text as a code, and the same text as a seat that is printed and read back.
pub(super) fn ticket_code(bytes: &[u8]) {
    let key = SigningKey::from_bytes(&[7; 32]);
    let known = |no: u8| (no == 1).then(|| key.verifying_key());
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(claims) = verify(text, known) {
        let printed: String = text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_uppercase()).collect();
        assert_eq!(sign(&claims, 1, &key), printed, "nobody else signs");
    }
    let (seat, ticket_type) = text.split_once('\n').unwrap_or((text, "standard"));
    if seat.len() > 255 || ticket_type.len() > 255 {
        return;
    }
    let claims = TicketClaims {
        ticket: PartId { booking: BookingId::from_bytes([3; 16]), no: 1 },
        serial: 2,
        show: CatalogueId::new("show-1").expect("an id"),
        seat: seat.to_owned(),
        ticket_type: ticket_type.to_owned(),
    };
    let code = sign(&claims, 1, &key);
    assert_eq!(verify(&code, known), Ok(claims), "what is signed reads back");
    let cut = code.get(..code.len() - 1).unwrap_or_default();
    assert!(verify(cut, known).is_err(), "a code that is cut is none");
}

/// The body of a webhook whose signature was right. What is not read of it may be any JSON, numbers beyond all bounds too.
pub(super) fn webhook(bytes: &[u8]) {
    #[derive(serde::Deserialize)]
    struct Body {
        id: String,
        payment: Payment,
    }
    #[derive(serde::Deserialize)]
    struct Payment {
        id: String,
    }
    let told = read_event(bytes);
    if let Ok(news) = told {
        let body: Body = serde_json::from_slice(bytes).expect("JSON");
        assert_eq!(body.id, news.event_id);
        assert!(news.payments.iter().all(|payment| body.payment.id == payment.payment_id));
    }
}

/// The header `Idempotency-Key`: what was taken is taken again as the same key.
pub(super) fn idempotency_key(bytes: &[u8]) {
    let Ok(value) = HeaderValue::from_bytes(bytes) else { return };
    let read = |value: HeaderValue, caller: &Caller| {
        let headers = HeaderMap::from_iter([(idempotency::KEY, value)]);
        idempotency::key(&headers, caller, &Method::POST, "/api/v1/bookings", b"{}").ok().flatten()
    };
    for caller in [Caller::Nobody, Caller::Buyer(BookingId::from_bytes([3; 16]))] {
        let Some(taken) = read(value.clone(), &caller) else { continue };
        assert!((1..=255).contains(&taken.key.len()) && taken.key.bytes().all(|b| (b' '..=b'~').contains(&b)));
        let again = read(HeaderValue::from_str(&taken.key).expect("printable"), &caller);
        assert_eq!(again.map(|again| (again.key, again.scope)), Some((taken.key, taken.scope)));
    }
}
