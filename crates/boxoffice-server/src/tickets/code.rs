//! A ticket's code: what the ticket is for, in a fixed order of bytes, and an Ed25519 signature
//! over all of them. As text it is upper-case base 32, which QR codes pack densely and which no
//! address, shell or reader changes.
//!
//! | bytes | what |
//! |---|---|
//! | 1 | version of this layout, 1 |
//! | 1 | number of the signing key |
//! | 16 | booking id, whose first four bytes are the show's number |
//! | 2 | number of the ticket within the booking |
//! | 2 | serial, higher after each reissue |
//! | 1 + n | show id |
//! | 1 + n | seat id |
//! | 1 + n | ticket type |
//! | 64 | signature over all bytes before it |

use boxoffice::booking::{Booking, Ticket};
use boxoffice::id::{BookingId, PartId, ShowId, TicketId};
use data_encoding::BASE32_NOPAD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

const VERSION: u8 = 1;
const SIGNATURE_LEN: usize = ed25519_dalek::SIGNATURE_LENGTH;

/// Longer texts than any code of ours are refused unread.
const TEXT_MAX: usize = 2_000;

/// What a code says, once its signature was found right. Whether the ticket has been cancelled
/// since, only the store knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TicketClaims {
    pub ticket: TicketId,
    pub serial: u16,
    pub show: ShowId,
    /// The seat's id: its label, with the zone where the hall has zones.
    pub seat: String,
    pub ticket_type: String,
}

/// Why a text is not a ticket of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadCode {
    #[error("this is not a ticket code; scan the whole code again")]
    NotACode,
    #[error("the code was signed with key {0}, which this cinema does not know")]
    UnknownKey(u8),
    #[error("the signature is wrong; the code was changed or is not of this cinema")]
    Signature,
}

/// What is to be signed for a ticket.
#[must_use]
pub fn claims(booking: &Booking, ticket: &Ticket) -> TicketClaims {
    let seat = booking.seats.iter().find(|s| s.no == ticket.seat);
    TicketClaims {
        ticket: ticket.id,
        serial: ticket.serial,
        show: booking.show.id.clone(),
        seat: seat.map_or_else(|| ticket.label.clone(), |s| s.id.clone()),
        ticket_type: ticket.ticket_type.clone(),
    }
}

#[must_use]
pub fn sign(claims: &TicketClaims, key_no: u8, key: &SigningKey) -> String {
    let mut bytes = vec![VERSION, key_no];
    bytes.extend(claims.ticket.booking.to_bytes());
    bytes.extend(claims.ticket.no.to_be_bytes());
    bytes.extend(claims.serial.to_be_bytes());
    for text in [claims.show.as_str(), &claims.seat, &claims.ticket_type] {
        put_text(&mut bytes, text);
    }
    let signature = key.sign(&bytes);
    bytes.extend(signature.to_bytes());
    BASE32_NOPAD.encode(&bytes)
}

/// A length byte and the text; longer than a byte can count, it is cut at a character.
fn put_text(bytes: &mut Vec<u8>, text: &str) {
    let text = text.get(..text.floor_char_boundary(usize::from(u8::MAX))).unwrap_or_default();
    bytes.push(u8::try_from(text.len()).unwrap_or(u8::MAX));
    bytes.extend(text.as_bytes());
}

/// Reads a code and checks its signature, without a store. `key` gives the public key of a number.
/// Blanks and line ends that a reader or a mail put in, and small letters, do no harm.
///
/// # Errors
/// [`BadCode`]; nothing of the code was believed.
pub fn verify(text: &str, key: impl Fn(u8) -> Option<VerifyingKey>) -> Result<TicketClaims, BadCode> {
    if text.len() > TEXT_MAX {
        return Err(BadCode::NotACode);
    }
    let text: String = text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_uppercase()).collect();
    let bytes = BASE32_NOPAD.decode(text.as_bytes()).map_err(|_| BadCode::NotACode)?;
    let (signed, signature) = bytes.split_last_chunk::<SIGNATURE_LEN>().ok_or(BadCode::NotACode)?;
    let (key_no, claims) = read(signed).ok_or(BadCode::NotACode)?;
    let key = key(key_no).ok_or(BadCode::UnknownKey(key_no))?;
    key.verify_strict(signed, &Signature::from_bytes(signature)).map_err(|_| BadCode::Signature)?;
    Ok(claims)
}

fn read(bytes: &[u8]) -> Option<(u8, TicketClaims)> {
    let (&[version, key_no], rest) = bytes.split_first_chunk()?;
    if version != VERSION {
        return None;
    }
    let (booking, rest) = rest.split_first_chunk::<16>()?;
    let (no, rest) = rest.split_first_chunk::<2>()?;
    let (serial, rest) = rest.split_first_chunk::<2>()?;
    let (show, rest) = take_text(rest)?;
    let (seat, rest) = take_text(rest)?;
    let (ticket_type, rest) = take_text(rest)?;
    let claims = TicketClaims {
        ticket: PartId { booking: BookingId::from_bytes(*booking), no: u16::from_be_bytes(*no) },
        serial: u16::from_be_bytes(*serial),
        show: ShowId::new(show).ok()?,
        seat: seat.to_owned(),
        ticket_type: ticket_type.to_owned(),
    };
    rest.is_empty().then_some((key_no, claims))
}

fn take_text(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (len, rest) = bytes.split_first()?;
    let (text, rest) = rest.split_at_checked(usize::from(*len))?;
    Some((std::str::from_utf8(text).ok()?, rest))
}

#[cfg(test)]
mod tests;
