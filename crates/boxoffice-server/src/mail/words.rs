//! The English words of every letter, in one place. The templates only lay them out.

use boxoffice::booking::{Booking, LineKind, NoticeKind, ShowStamp, TicketStatus};
use boxoffice::courier::Letter;
use boxoffice::show::Show;
use boxoffice::time::Timestamp;

use super::one_line;
use crate::pages::text;
use crate::tickets::sheet::Sheet;

/// What a letter says.
#[derive(Debug, Clone, Default)]
pub(super) struct Words {
    pub subject: String,
    pub heading: String,
    pub paragraphs: Vec<String>,
    /// Film, time, place, each with its name.
    pub facts: Vec<(&'static str, String)>,
    /// What was paid for, each with its amount; empty where it does not matter.
    pub lines: Vec<(String, String)>,
    /// What the link opens.
    pub button: &'static str,
    pub closing: Vec<String>,
}

/// A film's title in a subject, and any other text of a line.
const TITLE_MAX: usize = 80;
const LINE_MAX: usize = 400;

#[must_use]
pub(super) fn words(letter: &Letter, sheet: &Sheet) -> Words {
    let (booking, notice) = (&letter.booking, &letter.notice);
    let words = match &notice.kind {
        NoticeKind::Tickets => tickets(booking, sheet, notice.attaches_tickets()),
        NoticeKind::TicketsReplaced => replaced(booking, sheet, notice.attaches_tickets()),
        NoticeKind::Cancelled => cancelled(booking, sheet),
        NoticeKind::Refunded { refund } => refunded(booking, sheet, *refund),
        NoticeKind::ShowMoved { from, to } => moved(booking, sheet, &letter.show, from, to),
        NoticeKind::ShowCancelled => show_cancelled(booking, sheet),
    };
    words.in_lines()
}

impl Words {
    /// Every text as one line, whatever a name or a title holds.
    fn in_lines(self) -> Self {
        let line = |text: String| one_line(&text, LINE_MAX);
        Self {
            subject: line(self.subject),
            heading: line(self.heading),
            paragraphs: self.paragraphs.into_iter().map(line).collect(),
            facts: self
                .facts
                .into_iter()
                .map(|(name, text)| (name, line(text)))
                .filter(|(_, t)| !t.is_empty())
                .collect(),
            lines: self.lines.into_iter().map(|(label, amount)| (line(label), line(amount))).collect(),
            button: self.button,
            closing: self.closing.into_iter().map(line).filter(|text| !text.is_empty()).collect(),
        }
    }
}

fn tickets(booking: &Booking, sheet: &Sheet, attached: bool) -> Words {
    Words {
        subject: format!("Your tickets: {}, {} {}", film(sheet), sheet.when.date, sheet.when.clock),
        heading: "Here are your tickets".into(),
        paragraphs: [hello(booking), exchanged(booking).into(), where_they_are(attached).into()]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect(),
        facts: facts(booking, sheet),
        lines: price(booking, sheet),
        button: "Open your tickets",
        closing: vec![sheet.policy.clone()],
    }
}

/// What tickets that came by an exchange say of those that they replace.
fn exchanged(booking: &Booking) -> &'static str {
    match booking.replaces {
        Some(_) => "They take the place of tickets that you gave for them; the codes of those no longer open the door.",
        None => "",
    }
}

fn replaced(booking: &Booking, sheet: &Sheet, attached: bool) -> Words {
    Words {
        subject: format!("New tickets: {}", film(sheet)),
        heading: "Your tickets have new codes".into(),
        paragraphs: vec![
            hello(booking),
            "Some of your tickets have been issued anew. Their old codes no longer open the door.".into(),
            where_they_are(attached).into(),
        ],
        facts: facts(booking, sheet),
        button: "Open your tickets",
        ..Words::default()
    }
}

fn cancelled(booking: &Booking, sheet: &Sheet) -> Words {
    let kept = booking.cancellations.last().filter(|c| !c.kept.is_zero());
    let kept = kept.map(|c| format!("The cinema keeps {}. ", text::money(c.kept))).unwrap_or_default();
    Words {
        subject: format!("Cancelled: {}", film(sheet)),
        heading: "Your cancellation".into(),
        paragraphs: vec![hello(booking), "As you asked, tickets were cancelled. No money goes back.".into()],
        facts: facts(booking, sheet),
        button: "Open your booking",
        closing: vec![format!("{kept}{}", sheet.policy)],
        ..Words::default()
    }
}

fn refunded(booking: &Booking, sheet: &Sheet, no: u16) -> Words {
    let refund = booking.refund(no);
    let amount = refund.map(|r| text::money(r.amount)).unwrap_or_default();
    let why = refund.map(|r| r.reason.explanation()).unwrap_or_default();
    let kept = booking.cancellations.iter().find(|c| c.refund == Some(no)).filter(|c| !c.kept.is_zero());
    let rule =
        kept.map(|c| format!("The cinema keeps {} by the rule of your booking: {}", text::money(c.kept), sheet.policy));
    Words {
        subject: format!("Refund of {amount}: {}", film(sheet)),
        heading: format!("{amount} go back to you"),
        paragraphs: vec![
            hello(booking),
            format!("{why} {amount} go back by the way you paid."),
            "Depending on your bank, the money arrives within ten working days.".into(),
        ],
        facts: facts(booking, sheet),
        button: "Open your booking",
        closing: rule.into_iter().collect(),
        ..Words::default()
    }
}

fn moved(booking: &Booking, sheet: &Sheet, show: &Show, from: &ShowStamp, to: &ShowStamp) -> Words {
    let (was, is) = (moment(show, from.starts_at), moment(show, to.starts_at));
    let hall = if from.screen == to.screen { "" } else { " The hall has changed, too." };
    Words {
        subject: format!("New time: {}, {is}", film(sheet)),
        heading: "Your show has moved".into(),
        paragraphs: vec![
            hello(booking),
            format!("Instead of {was} it now starts at {is}.{hall} Your tickets stay valid."),
            "If that does not suit you, you may cancel for all of your money until the show starts. The link below \
             leads there."
                .into(),
        ],
        facts: facts(booking, sheet),
        button: "See or cancel your booking",
        ..Words::default()
    }
}

fn show_cancelled(booking: &Booking, sheet: &Sheet) -> Words {
    Words {
        subject: format!("Show cancelled: {}", film(sheet)),
        heading: "The show does not take place".into(),
        paragraphs: vec![
            hello(booking),
            "We are sorry: the cinema had to cancel this show. About your money the cinema will be in touch; the link \
             below always tells how it stands."
                .into(),
        ],
        facts: facts(booking, sheet),
        button: "Open your booking",
        ..Words::default()
    }
}

fn hello(booking: &Booking) -> String {
    let name = booking.customer.name.as_deref().map(|name| one_line(name, TITLE_MAX)).filter(|name| !name.is_empty());
    name.map_or_else(|| "Hello,".to_owned(), |name| format!("Hello {name},"))
}

fn where_they_are(attached: bool) -> &'static str {
    if attached {
        "Your tickets are attached, and the date for your calendar. The link below opens them as well. Show the squares \
         at the door, on paper or on a screen."
    } else {
        "The link below opens your tickets, to print or to show on a screen at the door."
    }
}

fn film(sheet: &Sheet) -> String {
    one_line(&sheet.film, TITLE_MAX)
}

/// `Saturday, 12 June 2027, 20:00 CEST`, on the theatre's clock.
fn moment(show: &Show, at: Timestamp) -> String {
    let local = at.to_jiff().to_zoned_datetime(show.theatre.timezone.tz().clone());
    format!("{}, {} {}", text::long_date(local.date()), text::clock(&local), text::zone(&local))
}

fn facts(booking: &Booking, sheet: &Sheet) -> Vec<(&'static str, String)> {
    let when = &sheet.when;
    let night = if when.night.is_empty() { String::new() } else { format!(" ({})", when.night) };
    vec![
        ("Film", film(sheet)),
        ("Version", sheet.version.clone()),
        ("When", format!("{}, {} {}{night}", when.date, when.clock, when.zone)),
        ("Where", sheet.place()),
        ("Hall", sheet.hall.clone()),
        (seats_name(booking), text::list(&live_seats(booking))),
        ("Booking", sheet.reference.clone()),
    ]
}

fn seats_name(booking: &Booking) -> &'static str {
    if live_seats(booking).len() == 1 { "Seat" } else { "Seats" }
}

/// The seats whose tickets still open the door.
fn live_seats(booking: &Booking) -> Vec<&str> {
    booking.tickets.iter().filter(|t| t.status != TicketStatus::Void).map(|t| t.label.as_str()).collect()
}

fn price(booking: &Booking, sheet: &Sheet) -> Vec<(String, String)> {
    let shown = |kind: LineKind| matches!(kind, LineKind::Ticket | LineKind::Fee | LineKind::Discount);
    let mut lines: Vec<(String, String)> = Vec::new();
    for line in booking.price.lines.iter().filter(|line| shown(line.kind)) {
        let quantity = if line.quantity > 1 { format!("{} × ", line.quantity) } else { String::new() };
        lines.push((format!("{quantity}{}", line.label), text::money(line.amount)));
    }
    lines.push(("Total".into(), sheet.paid.clone()));
    lines
}
