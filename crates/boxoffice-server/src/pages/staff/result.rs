//! How a scan came out, as the scanner's page shows it: by colour, by shape and by word.

use boxoffice::booking::VoidReason;
use boxoffice::refusal::Refusal;
use boxoffice::show::Zone;
use boxoffice::time::Timestamp;
use serde::Serialize;

use crate::door::Admitted;

/// What is shown; the page's script makes the same of what it decides alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ResultView {
    /// `good`: a tick. `used`: an exclamation mark. `bad`: a cross. `ask`: a question mark.
    pub kind: &'static str,
    pub word: String,
    /// In the largest type: the seat, or when it was used.
    pub big: String,
    pub lines: Vec<String>,
}

#[must_use]
pub fn admitted(admitted: &Admitted) -> ResultView {
    let place = match (admitted.row.as_str(), admitted.number.as_str()) {
        ("", _) | (_, "") => None,
        (row, number) => Some(format!("Row {row}, seat {number}")),
    };
    let one_word = admitted.category.eq_ignore_ascii_case(&admitted.ticket_type);
    let what =
        if one_word { admitted.category.clone() } else { format!("{}, {}", admitted.category, admitted.ticket_type) };
    let when = admitted.local.split_once('T').map_or("", |(_, clock)| clock);
    let show = format!("{}, {when}", admitted.movie);
    let lines = [place, Some(what), admitted.name.clone(), Some(show)];
    ResultView {
        kind: "good",
        word: "Admitted".into(),
        big: admitted.seat.clone(),
        lines: lines.into_iter().flatten().collect(),
    }
}

/// A "no" to a scan; `None`: it says nothing of the ticket. `seat`: what the code said, if it could
/// be read.
#[must_use]
pub fn refused(refusal: &Refusal, seat: Option<String>, zone: &Zone) -> Option<ResultView> {
    let seat = seat.map(|seat| format!("Seat {seat}"));
    let view = |kind, word: &str, big: String, lines: Vec<String>| {
        let lines = lines.into_iter().chain(seat.clone()).collect();
        Some(ResultView { kind, word: word.to_owned(), big, lines })
    };
    let bad = |word, lines| view("bad", word, String::new(), lines);
    match refusal {
        Refusal::AlreadyAdmitted { at, gate } => {
            let gate = gate.iter().map(|gate| format!("at {gate}")).collect();
            view("used", "Already used", clock(*at, zone), gate)
        }
        Refusal::TicketVoid { reason } => bad(void(*reason), Vec::new()),
        Refusal::WrongShow(right) => {
            let place = format!("{}, {}", right.screen, right.theatre);
            bad("Another show", vec![format!("{}, {}", right.movie, right.local), place])
        }
        Refusal::TooEarly { opens_at } => bad("Too early", vec![format!("Doors open at {}.", clock(*opens_at, zone))]),
        Refusal::PaymentDisputed => bad("Call staff", vec!["The payment is disputed.".to_owned()]),
        Refusal::ShowCancelled => bad("Show cancelled", Vec::new()),
        Refusal::NotATicket => bad("Not a ticket", vec!["Scan the whole code again.".to_owned()]),
        Refusal::UnknownTicket => bad("Unknown ticket", vec!["Call staff.".to_owned()]),
        Refusal::InvalidRequest(_)
        | Refusal::NotFound(_)
        | Refusal::UnknownSeats(_)
        | Refusal::AmbiguousSeats(_)
        | Refusal::DuplicateSeats(_)
        | Refusal::TooManySeats { .. }
        | Refusal::NoSeats
        | Refusal::IdempotencyKeyReused
        | Refusal::RequestInProgress
        | Refusal::SalesClosed(_)
        | Refusal::LayoutChanged { .. }
        | Refusal::PriceChanged { .. }
        | Refusal::PromoCodeInvalid(_)
        | Refusal::PromoCodeUsedUp
        | Refusal::ShowMoved(_)
        | Refusal::AlreadyRefunded { .. }
        | Refusal::SeatsUnavailable(_)
        | Refusal::NotEnoughSeats { .. }
        | Refusal::HoldExpired(_)
        | Refusal::PaymentInProgress
        | Refusal::AlreadyPaid
        | Refusal::NotCancellable(_)
        | Refusal::GatewayUnavailable { .. }
        | Refusal::NoGateway
        | Refusal::InUse(_)
        | Refusal::ClockBackwards { .. } => None,
    }
}

fn void(reason: VoidReason) -> &'static str {
    match reason {
        VoidReason::Cancelled => "Cancelled",
        VoidReason::Refunded => "Refunded",
        VoidReason::Reissued => "Replaced",
        VoidReason::DisputeLost => "Void",
    }
}

fn clock(at: Timestamp, zone: &Zone) -> String {
    at.to_jiff().to_zoned_datetime(zone.tz().clone()).strftime("%H:%M").to_string()
}
