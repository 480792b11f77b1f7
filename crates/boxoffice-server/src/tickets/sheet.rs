//! What a ticket says, in words, once: the page, the PDF and the calendar file are all made of
//! this, so that none of them can say another time or place than the others.

use boxoffice::booking::{Booking, Ticket, TicketStatus, VoidReason};
use boxoffice::id::BookingId;
use boxoffice::show::Show;
use boxoffice::time::Timestamp;

use super::TicketKeys;
use crate::pages::booking::policy_sentence;
use crate::pages::poster::{self, Poster};
use crate::pages::{programme, text};

/// So many symbols of a code are printed below its square.
const TAIL: usize = 16;

/// What all tickets of a booking share, and each ticket's own part.
#[derive(Debug, Clone)]
pub struct Sheet {
    pub booking: BookingId,
    pub reference: String,
    pub film: String,
    /// Format, language, subtitles; may be empty.
    pub version: String,
    /// The age certificate of the theatre's country; may be empty.
    pub certificate: String,
    pub poster: Poster,
    pub theatre: String,
    pub city: String,
    /// May be empty.
    pub address: String,
    pub hall: String,
    pub when: When,
    /// The buyer's name; may be empty.
    pub holder: String,
    /// What the whole booking costs, with what of it is tax.
    pub paid: String,
    /// The refund rule in a sentence.
    pub policy: String,
    pub made_at: Timestamp,
    pub stubs: Vec<Stub>,
}

/// The show's time as it stands now, on the theatre's clock.
#[derive(Debug, Clone)]
pub struct When {
    pub starts_at: Timestamp,
    pub ends_at: Timestamp,
    /// `Saturday, 12 June 2027`.
    pub date: String,
    /// `20:00`.
    pub clock: String,
    /// `CEST`: tells the two halves of a doubled hour apart.
    pub zone: String,
    /// `night of Sat to Sun`, or empty.
    pub night: String,
    /// `19:30`: the door opens.
    pub entry: String,
    /// The show does not stand as it stood when the seats were held.
    pub moved: bool,
    /// The show does not take place.
    pub cancelled: bool,
}

/// One ticket.
#[derive(Debug, Clone)]
pub struct Stub {
    /// Row and number; both empty where the hall no longer has the seat.
    pub row: String,
    pub number: String,
    pub label: String,
    pub category: String,
    pub ticket_type: String,
    /// What the guest has to show at the door, such as a student card; may be empty.
    pub proof: String,
    pub price: String,
    pub status: TicketStatus,
    pub void_reason: Option<VoidReason>,
    /// What the QR square holds.
    pub code: String,
    /// The reference and the code's end in groups, to compare by eye.
    pub short_code: String,
}

impl Sheet {
    /// The theatre with its address; the city only once.
    #[must_use]
    pub fn place(&self) -> String {
        let city = if self.address.contains(&self.city) { "" } else { &self.city };
        let parts = [self.theatre.as_str(), &self.address, city];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

impl Stub {
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.status != TicketStatus::Void
    }

    /// Ticket type and category, said once where they are the same word.
    #[must_use]
    pub fn kind(&self) -> String {
        if self.category.is_empty() || self.ticket_type == self.category {
            return self.ticket_type.clone();
        }
        format!("{} · {}", self.ticket_type, self.category)
    }

    /// The last symbols of the code, as a list of the door has them.
    #[must_use]
    pub fn code_end(&self) -> &str {
        self.short_code.rsplit(' ').next().unwrap_or_default()
    }

    /// Why the ticket opens no door, or nothing.
    #[must_use]
    pub fn void_words(&self) -> &'static str {
        match (self.is_good(), self.void_reason) {
            (true, _) => "",
            (false, None) => "This ticket is void.",
            (false, Some(VoidReason::Cancelled)) => "Void: this ticket was cancelled.",
            (false, Some(VoidReason::Refunded)) => "Void: this ticket was refunded.",
            (false, Some(VoidReason::Reissued)) => "Void: a newer ticket replaces this one.",
            (false, Some(VoidReason::DisputeLost)) => "Void: the payment of this ticket was taken back.",
        }
    }
}

/// Writes a booking's tickets out; none, if it has none.
#[must_use]
pub fn sheet(booking: &Booking, show: &Show, keys: &TicketKeys) -> Sheet {
    let theatre = &show.theatre;
    Sheet {
        booking: booking.id,
        reference: booking.reference.clone(),
        film: show.movie.title.english().to_owned(),
        version: programme::version(show),
        certificate: show.movie.certificates.get(&theatre.country).map(|c| c.label.clone()).unwrap_or_default(),
        poster: poster::draw(&show.movie, &theatre.country),
        theatre: theatre.name.english().to_owned(),
        city: theatre.city.clone(),
        address: theatre.address.as_ref().map(|a| a.english().to_owned()).unwrap_or_default(),
        hall: show.screen.name.english().to_owned(),
        when: when(booking, show),
        holder: booking.customer.name.clone().unwrap_or_default(),
        paid: paid(booking),
        policy: policy_sentence(booking),
        made_at: booking.created_at,
        stubs: booking.tickets.iter().map(|ticket| stub(booking, show, keys, ticket)).collect(),
    }
}

fn when(booking: &Booking, show: &Show) -> When {
    let local = show.local_start();
    let entry = show.entry_opens_at().to_jiff().to_zoned_datetime(show.theatre.timezone.tz().clone());
    When {
        starts_at: show.spec.starts_at,
        ends_at: show.ends_at(),
        date: text::long_date(local.date()),
        clock: text::clock(&local),
        zone: text::zone(&local),
        night: programme::night(show),
        entry: text::clock(&entry),
        moved: show.spec.starts_at != booking.show.starts_at || show.spec.screen != booking.show.screen,
        cancelled: show.spec.cancelled,
    }
}

fn paid(booking: &Booking) -> String {
    let (total, tax) = (booking.price.total, booking.price.tax);
    if tax.is_zero() {
        return text::money(total);
    }
    format!("{}, of it tax {}", text::money(total), text::money(tax))
}

/// Writes one ticket out.
#[must_use]
pub fn stub(booking: &Booking, show: &Show, keys: &TicketKeys, ticket: &Ticket) -> Stub {
    let code = keys.code(booking, ticket);
    let place = show.layout.seat(ticket.seat).filter(|s| s.label == ticket.label);
    let seat = booking.seats.iter().find(|s| s.no == ticket.seat);
    let sold = show.prices.sold_type(&ticket.ticket_type);
    let proof = sold.and_then(|sold| sold.named.as_ref()?.proof.as_ref());
    Stub {
        row: place.map(|s| s.row.clone()).unwrap_or_default(),
        number: place.map(|s| s.number.clone()).unwrap_or_default(),
        label: ticket.label.clone(),
        category: seat.map(|s| s.category.clone()).unwrap_or_default(),
        ticket_type: sold.map_or_else(|| capitalised(&ticket.ticket_type), |sold| sold.name().to_owned()),
        proof: proof.map(|proof| proof.english().to_owned()).unwrap_or_default(),
        price: seat.map(|s| text::money(s.total)).unwrap_or_default(),
        status: ticket.status,
        void_reason: ticket.void_reason,
        short_code: short_code(&booking.reference, &code),
        code,
    }
}

/// The id of a type that the price list no longer has: `student` as `Student`.
fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// `K7M2Q9ABC · ABCD EFGH IJKL MNOP`.
fn short_code(reference: &str, code: &str) -> String {
    let symbols: Vec<char> = code.chars().collect();
    let tail = symbols.get(symbols.len().saturating_sub(TAIL)..).unwrap_or_default();
    let groups: Vec<String> = tail.chunks(4).map(|group| group.iter().collect()).collect();
    format!("{reference} · {}", groups.join(" "))
}

/// Two tickets of the standard fixture, for tests of what is made of them.
#[cfg(test)]
pub(crate) fn sample() -> Sheet {
    let stub = |number: &str, code: &str| Stub {
        row: "F".into(),
        number: number.into(),
        label: format!("F{number}"),
        category: "Standard".into(),
        ticket_type: "Standard".into(),
        proof: String::new(),
        price: "€13.70".into(),
        status: TicketStatus::Valid,
        void_reason: None,
        code: code.into(),
        short_code: short_code("K7M2Q9ABC", code),
    };
    let movie = boxoffice::show::Movie {
        id: boxoffice::id::MovieId::new("night-train").unwrap(),
        title: boxoffice::show::Text::Plain("Night Train to Lindau".into()),
        language: "de".into(),
        runtime_min: 118,
        certificates: std::collections::BTreeMap::new(),
        ids: std::collections::BTreeMap::new(),
    };
    Sheet {
        booking: BookingId::from_bytes([7; 16]),
        reference: "K7M2Q9ABC".into(),
        film: "Night Train to Lindau".into(),
        version: String::new(),
        certificate: "FSK 12".into(),
        poster: poster::draw(&movie, "DE"),
        theatre: "Kino am Markt".into(),
        city: "Berlin".into(),
        address: "Am Markt 1".into(),
        hall: "Hall 1".into(),
        when: When {
            starts_at: "2027-06-12T18:00:00Z".parse().unwrap(),
            ends_at: "2027-06-12T20:18:00Z".parse().unwrap(),
            date: "Saturday, 12 June 2027".into(),
            clock: "20:00".into(),
            zone: "CEST".into(),
            night: String::new(),
            entry: "19:30".into(),
            moved: false,
            cancelled: false,
        },
        holder: "Ada Lovelace".into(),
        paid: "€27.40, of it tax €2.02".into(),
        policy: "These tickets cannot be given back for money.".into(),
        made_at: "2027-06-10T18:00:00Z".parse().unwrap(),
        stubs: vec![stub("7", "AAAABBBBCCCCDDDD"), stub("8", "EEEEFFFFGGGGHHHH")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_says_no_word_twice() {
        for (ticket_type, category, kind) in [
            ("Standard", "Standard", "Standard"),
            ("Child", "Recliner", "Child · Recliner"),
            ("Standard", "", "Standard"),
        ] {
            let mut stub = sample().stubs.remove(0);
            (stub.ticket_type, stub.category) = (ticket_type.to_owned(), category.to_owned());
            assert_eq!(stub.kind(), kind);
        }
    }

    #[test]
    fn a_short_code_is_the_reference_and_the_codes_end_in_groups() {
        assert_eq!(short_code("K7M2Q9ABC", "XXXXABCDEFGHIJKLMNOP"), "K7M2Q9ABC · ABCD EFGH IJKL MNOP");
        assert_eq!(short_code("K", "ABCDE"), "K · ABCD E");
        assert_eq!(short_code("K", ""), "K · ");
        assert_eq!(capitalised("standard"), "Standard");
        assert_eq!(capitalised("élan"), "Élan");
        assert_eq!(capitalised(""), "");
    }
}
