//! Tests of ticket codes: what was signed is read back, and anything else is refused.

use boxoffice::id::ShowNo;
use boxoffice::time::Timestamp;
use proptest::prelude::*;

use super::*;

const KEY_NO: u8 = 3;

fn key() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

fn known(number: u8) -> Option<VerifyingKey> {
    (number == KEY_NO).then(|| key().verifying_key())
}

fn ticket(show: &str, seat: &str, ticket_type: &str) -> TicketClaims {
    let booking = BookingId::new(ShowNo(4), Timestamp::from_ms(1_800_000_000_000), [1, 2, 3, 4, 5, 6]);
    TicketClaims {
        ticket: PartId { booking, no: 2 },
        serial: 1,
        show: ShowId::new(show).unwrap(),
        seat: seat.to_owned(),
        ticket_type: ticket_type.to_owned(),
    }
}

#[test]
fn a_signed_ticket_reads_as_it_was() {
    let cases = [
        ticket("show-1", "F7", "standard"),
        ticket("galaxy-camp-1/2027-06-12/20:00", "BALCONY:AA12", "child"),
        ticket("vorführung", "Ä1", ""),
        ticket(&"x".repeat(128), &"9".repeat(255), "standard"),
    ];
    for claims in cases {
        let code = sign(&claims, KEY_NO, &key());
        assert!(code.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()), "{code}");
        assert_eq!(verify(&format!(" {code}\n"), known), Ok(claims.clone()));
        let in_lines: Vec<&str> =
            code.as_bytes().chunks(20).filter_map(|line| std::str::from_utf8(line).ok()).collect();
        assert_eq!(verify(&in_lines.join(" \r\n").to_lowercase(), known), Ok(claims));
    }
}

#[test]
fn every_flipped_bit_of_the_bytes_is_refused() {
    let code = sign(&ticket("show-1", "F7", "standard"), KEY_NO, &key());
    let bytes = BASE32_NOPAD.decode(code.as_bytes()).unwrap();
    for bit in 0..bytes.len() * 8 {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(verify(&BASE32_NOPAD.encode(&changed), known).is_err(), "bit {bit}");
    }
}

#[test]
fn every_flipped_bit_of_the_text_is_refused() {
    let code = sign(&ticket("show-1", "F7", "standard"), KEY_NO, &key()).into_bytes();
    for bit in 0..code.len() * 8 {
        let mut changed = code.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        // A small letter is the same letter.
        changed.make_ascii_uppercase();
        if let Ok(text) = String::from_utf8(changed)
            && text.as_bytes() != code
        {
            assert!(verify(&text, known).is_err(), "bit {bit}: {text}");
        }
    }
}

#[test]
fn every_truncation_and_addition_is_refused() {
    let code = sign(&ticket("show-1", "F7", "standard"), KEY_NO, &key());
    for len in 0..code.len() {
        assert!(verify(&code[..len], known).is_err(), "{len} characters");
    }
    for more in ["A", "AA", "AAAAAAAA", &code] {
        assert!(verify(&format!("{code}{more}"), known).is_err(), "{more}");
    }
}

#[test]
fn another_key_is_named_or_refused() {
    let claims = ticket("show-1", "F7", "standard");
    assert_eq!(verify(&sign(&claims, 9, &key()), known), Err(BadCode::UnknownKey(9)));
    let stranger = SigningKey::from_bytes(&[8; 32]);
    assert_eq!(verify(&sign(&claims, KEY_NO, &stranger), known), Err(BadCode::Signature));
}

proptest! {
    #[test]
    fn no_text_panics_and_none_passes(text in "\\PC{0,300}", code in "[A-Z2-7]{0,400}") {
        prop_assert!(verify(&text, known).is_err());
        prop_assert!(verify(&code, known).is_err());
    }
}
