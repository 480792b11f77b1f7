//! The list of a show's door on A4: a box to tick for each ticket, by seat.

use krilla::Document;
use krilla::color::rgb::Color;
use krilla::error::KrillaError;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;

use super::date_time;
use super::fit::Frame;
use super::fonts::Weight;
use super::pen::Pen;
use crate::door::list::{DoorList, Line, LineState};
use crate::pages::text;

/// A4 in points.
const WIDTH: f32 = 595.0;
const HEIGHT: f32 = 842.0;
const MARGIN: f32 = 40.0;
/// Where the first line stands on, and how far lines are apart.
const FIRST: f32 = 162.0;
const STEP: f32 = 17.5;
const LINES: usize = 35;
/// The side of a box.
const TICK: f32 = 10.0;
/// Left end and width of each column.
const SEAT: [f32; 2] = [MARGIN + 22.0, 44.0];
const NAME: [f32; 2] = [MARGIN + 72.0, 168.0];
const TICKET: [f32; 2] = [MARGIN + 246.0, 126.0];
const BOOKING: [f32; 2] = [MARGIN + 378.0, 66.0];
const CODE: [f32; 2] = [MARGIN + 450.0, 65.0];

/// # Errors
/// A font of ours cannot be embedded, which is a bug.
pub fn draw(list: &DoorList) -> Result<Vec<u8>, KrillaError> {
    let mut document = Document::new();
    document.set_metadata(
        Metadata::new()
            .title(format!("Door list · {} · {} {}", list.film, list.date, list.clock))
            .creator("Boxoffice".to_owned())
            .language("en".to_owned())
            .creation_date(date_time(list.made_at)),
    );
    // A show without tickets has a page that says so.
    let pages = list.lines.len().div_ceil(LINES).max(1);
    for no in 0..pages {
        let Some(settings) = PageSettings::from_wh(WIDTH, HEIGHT) else { continue };
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        let mut pen = Pen::new(&mut surface);
        head(&mut pen, list);
        let start = no * LINES;
        let end = list.lines.len().min(start + LINES);
        let before = start.checked_sub(1).and_then(|at| list.lines.get(at));
        lines(&mut pen, before, list.lines.get(start..end).unwrap_or_default());
        foot(&mut pen, list, no + 1, pages);
    }
    document.finish()
}

fn head(pen: &mut Pen<'_, '_>, list: &DoorList) {
    let inner = WIDTH - 2.0 * MARGIN;
    let place = [list.theatre.as_str(), &list.hall].join(" · ");
    cell(pen, &place, Weight::Bold, [MARGIN, inner - 120.0], 46.0);
    cell(pen, "Door list", Weight::Regular, [WIDTH - MARGIN - 46.0, 60.0], 46.0);
    let title = Frame { width: inner, lines: 1, size: 24.0, smallest: 12.0 };
    pen.text(&list.film, Weight::Title, title, [MARGIN, 76.0], black());
    let when = Frame { width: inner, lines: 1, size: 12.0, smallest: 7.0 };
    let version = if list.version.is_empty() { String::new() } else { format!(" · {}", list.version) };
    pen.text(&format!("{} · {}{version}", list.date, list.clock), Weight::Regular, when, [MARGIN, 96.0], black());
    let sums = if list.cancelled { "This show does not take place.".to_owned() } else { sums(list) };
    pen.text(&sums, Weight::Bold, when, [MARGIN, 116.0], black());
    for (column, name) in
        [(SEAT, "SEAT"), (NAME, "NAME"), (TICKET, "TICKET"), (BOOKING, "BOOKING"), (CODE, "CODE ENDS")]
    {
        let frame = Frame { width: column[1], lines: 1, size: 7.0, smallest: 7.0 };
        pen.text(name, Weight::Regular, frame, [column[0], 140.0], soft());
    }
    pen.line([MARGIN, 146.0], [WIDTH - MARGIN, 146.0], 1.0, 0.0, black());
}

fn sums(list: &DoorList) -> String {
    let sold = text::count(list.lines.len(), "ticket", "tickets");
    match list.admitted() {
        0 => sold,
        admitted => format!("{sold}, {admitted} of them used already"),
    }
}

/// `before`: the last line of the page before.
fn lines(pen: &mut Pen<'_, '_>, before: Option<&Line>, lines: &[Line]) {
    let mut y = FIRST;
    let mut row = before.map(|line| line.row.as_str());
    for line in lines {
        if y > FIRST {
            // Between two rows of the hall the rule is dark, so that a row is found at a glance.
            let colour = if row == Some(&line.row) { rule() } else { black() };
            pen.line([MARGIN, y - 12.2], [WIDTH - MARGIN, y - 12.2], 0.5, 0.0, colour);
        }
        row = Some(&line.row);
        one(pen, line, y);
        y += STEP;
    }
    if lines.is_empty() {
        cell(pen, "No ticket is sold.", Weight::Regular, [MARGIN, WIDTH - 2.0 * MARGIN], y);
    }
}

fn one(pen: &mut Pen<'_, '_>, line: &Line, y: f32) {
    tick(pen, &line.state, y);
    cell(pen, &line.seat, Weight::Bold, SEAT, y);
    match &line.state {
        LineState::Expected => cell(pen, &line.name, Weight::Regular, NAME, y),
        LineState::Admitted(at) => {
            let used =
                [line.name.as_str(), &format!("in since {at}")].join(if line.name.is_empty() { "" } else { ", " });
            cell(pen, &used, Weight::Regular, NAME, y);
        }
        LineState::Disputed => cell(pen, "Do not let in: payment disputed", Weight::Bold, NAME, y),
    }
    cell(pen, &line.ticket, Weight::Regular, TICKET, y);
    cell(pen, &line.reference, Weight::Regular, BOOKING, y);
    cell(pen, &line.code_end, Weight::Regular, CODE, y);
}

/// Empty: to be ticked. Ticked: used. Crossed out: not to be let in.
fn tick(pen: &mut Pen<'_, '_>, state: &LineState, y: f32) {
    let (left, top) = (MARGIN + 1.0, y - TICK + 1.0);
    let (right, bottom) = (left + TICK, top + TICK);
    let corners = [[left, top], [right, top], [right, bottom], [left, bottom], [left, top]];
    let marks: &[[[f32; 2]; 2]] = match state {
        LineState::Expected => &[],
        LineState::Admitted(_) => &[
            [[left + 2.0, top + 5.5], [left + 4.3, bottom - 2.2]],
            [[left + 4.3, bottom - 2.2], [right - 1.6, top + 2.0]],
        ],
        LineState::Disputed => &[[[left, top], [right, bottom]], [[left, bottom], [right, top]]],
    };
    for side in corners.windows(2) {
        if let [from, to] = side {
            pen.line(*from, *to, 0.8, 0.0, black());
        }
    }
    for [from, to] in marks {
        pen.line(*from, *to, 1.2, 0.0, black());
    }
}

fn cell(pen: &mut Pen<'_, '_>, content: &str, weight: Weight, [x, width]: [f32; 2], y: f32) {
    let frame = Frame { width, lines: 1, size: 10.0, smallest: 6.5 };
    pen.text(content, weight, frame, [x, y], black());
}

fn foot(pen: &mut Pen<'_, '_>, list: &DoorList, no: usize, pages: usize) {
    let void = match list.void {
        0 => String::new(),
        void => format!(" · {} not on this list", text::count(void, "void ticket is", "void tickets are")),
    };
    let words = format!("As of {}{void}", list.as_of);
    let frame = Frame { width: WIDTH - 2.0 * MARGIN - 80.0, lines: 1, size: 8.0, smallest: 6.0 };
    pen.text(&words, Weight::Regular, frame, [MARGIN, HEIGHT - 34.0], soft());
    let at = [WIDTH - MARGIN - 62.0, HEIGHT - 34.0];
    pen.text(&format!("Page {no} of {pages}"), Weight::Regular, Frame { width: 62.0, ..frame }, at, soft());
}

fn black() -> Color {
    Color::new(0, 0, 0)
}

/// For what stands beside what matters.
fn soft() -> Color {
    Color::new(0x55, 0x4d, 0x5a)
}

fn rule() -> Color {
    Color::new(0xc8, 0xc0, 0xc4)
}

#[cfg(test)]
mod tests {
    use boxoffice::id::SeatNo;

    use super::*;

    /// A hall of rows of 20.
    fn sample(seats: u16) -> DoorList {
        let names = [
            "Ada Lovelace",
            "",
            "गौरी देशपांडे",
            "Łukasz Żółć",
            "محمود درويش",
            "村上春樹",
            "Zacharias Wolfeschlegelsteinhausenbergerdorff",
        ];
        let line = |n: u16| Line {
            seat_no: SeatNo(n),
            row: format!("{}", n / 20),
            seat: format!("{}-{}", n / 20 + 1, n % 20 + 1),
            name: names[usize::from(n) % names.len()].to_owned(),
            ticket: if n % 9 == 4 { "Student (student card)".to_owned() } else { "Standard · Recliner".to_owned() },
            reference: "K7M2Q9ABC".to_owned(),
            code_end: "MNOP".to_owned(),
            state: match n % 13 {
                3 => LineState::Admitted("19:45".to_owned()),
                8 => LineState::Disputed,
                _ => LineState::Expected,
            },
        };
        DoorList {
            film: "Night Train to Lindau".into(),
            version: "in German, English subtitles".into(),
            theatre: "Kino am Markt".into(),
            hall: "Hall 1".into(),
            date: "Saturday, 12 June 2027".into(),
            clock: "20:00 CEST".into(),
            cancelled: false,
            as_of: "Saturday, 12 June 2027, 19:45 CEST".into(),
            made_at: "2027-06-12T17:45:00Z".parse().unwrap(),
            lines: (0..seats).map(line).collect(),
            void: 2,
        }
    }

    #[test]
    fn the_same_list_is_the_same_bytes_whatever_its_length() {
        for seats in [0, 1, 35, 36, 120] {
            let list = sample(seats);
            let drawn = draw(&list).unwrap();
            assert!(drawn.starts_with(b"%PDF-"));
            assert_eq!(drawn, draw(&list).unwrap());
        }
    }

    #[test]
    fn nothing_a_catalogue_or_buyer_can_write_stops_the_drawing() {
        let long = "x".repeat(2_000);
        for text in ["", "\u{0}\u{7}\u{202e}\u{fffe}\u{10ffff}", "\u{301}\u{301}", "(\\)<</>>\r\nendobj", &long] {
            let mut list = sample(2);
            let DoorList { film, version, theatre, hall, date, clock, as_of, .. } = &mut list;
            [film, version, theatre, hall, date, clock, as_of].into_iter().for_each(|field| text.clone_into(field));
            let Line { row, seat, name, ticket, reference, code_end, .. } = &mut list.lines[0];
            [row, seat, name, ticket, reference, code_end].into_iter().for_each(|field| text.clone_into(field));
            assert!(draw(&list).is_ok(), "{text:?}");
        }
    }
}
