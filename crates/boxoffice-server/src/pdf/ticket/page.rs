//! One ticket on a page of A5: the film in its poster's colours, time, hall, row and seat large,
//! and below the tear line the square for the door.

use krilla::color::rgb::Color;
use krilla::surface::Surface;

use crate::pages::poster::Poster;
use crate::pdf::fit::{Frame, fit};
use crate::pdf::fonts::Weight;
use crate::pdf::pen::{Pen, circle, polygon, rects};
use crate::tickets::qr;
use crate::tickets::sheet::{Sheet, Stub};

/// A5, in whole points, so that the square's modules are whole pixels on a coarse printer too.
pub(super) const WIDTH: f32 = 420.0;
pub(super) const HEIGHT: f32 = 595.0;

const MARGIN: f32 = 30.0;
const INNER: f32 = WIDTH - 2.0 * MARGIN;
/// The coloured part with the film.
const BAND: f32 = 146.0;
/// Where the ticket is torn.
const TEAR: f32 = 297.0;
/// What is dark of the square is at most this wide; its quiet zone is around it.
const SQUARE: f32 = 220.0;
const SQUARE_Y: f32 = 324.0;
/// The column beside the square and its quiet zone.
const BESIDE_X: f32 = MARGIN + SQUARE + 22.0;
const BESIDE: f32 = WIDTH - MARGIN - BESIDE_X;

pub(super) fn draw(surface: &mut Surface<'_>, sheet: &Sheet, stub: &Stub) {
    let mut pen = Pen::new(surface);
    pen.rect([0.0, 0.0, WIDTH, HEIGHT], white());
    band(&mut pen, sheet);
    when(&mut pen, sheet);
    place(&mut pen, sheet, stub);
    tear(&mut pen);
    if stub.is_good() {
        square(&mut pen, stub);
    } else {
        void(&mut pen, stub);
    }
    beside(&mut pen, sheet, stub);
    foot(&mut pen, sheet);
}

fn band(pen: &mut Pen<'_, '_>, sheet: &Sheet) {
    let Poster { ground, shape_colour, ink, .. } = &sheet.poster;
    let (ground, glow, ink) = (colour(ground), colour(shape_colour), colour(ink));
    pen.rect([0.0, 0.0, WIDTH, BAND], ground);
    // The light of a projector, from the right.
    pen.fill(polygon(&[[WIDTH, 20.0], [0.0, BAND - 96.0], [0.0, BAND]]), glow, 0.1);
    pen.fill(polygon(&[[WIDTH, 20.0], [96.0, BAND], [0.0, BAND], [0.0, BAND - 30.0]]), glow, 0.1);
    pen.rect([0.0, BAND, WIDTH, 4.0], glow);
    let top = Frame { width: INNER - 76.0, lines: 1, size: 10.0, smallest: 7.0 };
    pen.text(&joined(&[&sheet.theatre, &sheet.city]), Weight::Bold, top, [MARGIN, 32.0], ink);
    if !sheet.certificate.is_empty() {
        let chip = fit(&sheet.certificate, Weight::Bold, Frame { width: 66.0, lines: 1, size: 10.0, smallest: 6.0 });
        let width = chip.lines.first().map_or(0.0, |line| line.width * chip.size);
        pen.write_all(&chip, WIDTH - MARGIN - width, 32.0, ink);
    }
    let title = Frame { width: INNER, lines: 2, size: 34.0, smallest: 17.0 };
    let title = fit(&sheet.film, Weight::Title, title);
    let below = if sheet.version.is_empty() { BAND - 16.0 } else { BAND - 34.0 };
    #[expect(clippy::cast_precision_loss, reason = "two lines at most")]
    let rise = title.size * 1.18 * title.lines.len().saturating_sub(1) as f32;
    pen.write_all(&title, MARGIN, below - rise, ink);
    let version = Frame { width: INNER, lines: 1, size: 11.0, smallest: 7.0 };
    pen.text(&sheet.version, Weight::Regular, version, [MARGIN, BAND - 14.0], ink);
}

fn when(pen: &mut Pen<'_, '_>, sheet: &Sheet) {
    let when = &sheet.when;
    let clock = fit(&when.clock, Weight::Title, Frame { width: 130.0, lines: 1, size: 40.0, smallest: 20.0 });
    pen.write_all(&clock, MARGIN, 195.0, black());
    let width = clock.lines.first().map_or(0.0, |line| line.width * clock.size);
    let zone = Frame { width: 44.0, lines: 1, size: 11.0, smallest: 6.0 };
    pen.text(&when.zone, Weight::Regular, zone, [MARGIN + width + 7.0, 195.0], soft());
    let x = MARGIN + 168.0;
    let date = Frame { width: WIDTH - MARGIN - x, lines: 1, size: 15.0, smallest: 9.0 };
    pen.text(&when.date, Weight::Bold, date, [x, 181.0], black());
    let small = Frame { width: WIDTH - MARGIN - x, lines: 1, size: 10.0, smallest: 7.0 };
    let entry = format!("Doors {}", when.entry);
    pen.text(&joined(&[&entry, &when.night]), Weight::Regular, small, [x, 196.0], soft());
}

fn place(pen: &mut Pen<'_, '_>, sheet: &Sheet, stub: &Stub) {
    pen.line([MARGIN, 214.0], [WIDTH - MARGIN, 214.0], 0.75, 0.0, rule());
    label(pen, "HALL", [MARGIN, 233.0]);
    let one = fit(&sheet.hall, Weight::Title, Frame { width: 156.0, lines: 1, size: 30.0, smallest: 17.0 });
    let two = Frame { width: 156.0, lines: 2, size: 17.0, smallest: 10.0 };
    if one.size > two.size {
        pen.write_all(&one, MARGIN, 271.0, black());
    } else {
        pen.text(&sheet.hall, Weight::Title, two, [MARGIN, 254.0], black());
    }
    let number = Frame { width: 84.0, lines: 1, size: 40.0, smallest: 12.0 };
    let (row, seat) = (MARGIN + 168.0, MARGIN + 268.0);
    if stub.row.is_empty() {
        label(pen, "SEAT", [row, 233.0]);
        pen.text(&stub.label, Weight::Title, Frame { width: 184.0, ..number }, [row, 274.0], black());
        return;
    }
    label(pen, "ROW", [row, 233.0]);
    pen.text(&stub.row, Weight::Title, number, [row, 274.0], black());
    label(pen, "SEAT", [seat, 233.0]);
    pen.text(&stub.number, Weight::Title, number, [seat, 274.0], black());
}

fn tear(pen: &mut Pen<'_, '_>) {
    pen.line([14.0, TEAR], [WIDTH - 14.0, TEAR], 1.0, 4.0, rule());
    for x in [0.0, WIDTH] {
        pen.fill(circle([x, TEAR], 8.0), rule(), 1.0);
    }
}

/// The code, dark on white in its own box, whatever is around it.
fn square(pen: &mut Pen<'_, '_>, stub: &Stub) {
    let Some(code) = qr::draw(&stub.code) else { return };
    let dark = length(code.side.saturating_sub(2 * qr::QUIET));
    let module = (SQUARE / dark).floor().max(1.0);
    let (side, quiet) = (length(code.side) * module, length(qr::QUIET) * module);
    let (x, y) = (MARGIN - quiet, SQUARE_Y - quiet);
    pen.rect([x, y, side, side], white());
    let bar =
        |bar: &qr::Bar| [x + length(bar.x) * module, y + length(bar.y) * module, length(bar.len) * module, module];
    let bars: Vec<[f32; 4]> = code.bars.iter().map(bar).collect();
    pen.fill(rects(&bars), black(), 1.0);
    let below = Frame { width: dark * module, lines: 1, size: 9.5, smallest: 6.0 };
    pen.text(&stub.short_code, Weight::Bold, below, [MARGIN, y + side + 8.0], black());
}

/// In place of the square: nothing that a door could take for a ticket.
fn void(pen: &mut Pen<'_, '_>, stub: &Stub) {
    let red = Color::new(0xab, 0x24, 0x24);
    let middle = [MARGIN + SQUARE / 2.0, SQUARE_Y + SQUARE / 2.0];
    let (left, top) = (MARGIN + 20.0, middle[1] - 50.0);
    pen.turned(-14.0, middle, |pen| {
        let (right, bottom) = (left + SQUARE - 40.0, top + 78.0);
        let corners = [[left, top], [right, top], [right, bottom], [left, bottom], [left, top]];
        for side in corners.windows(2) {
            if let [from, to] = side {
                pen.line(*from, *to, 4.0, 0.0, red);
            }
        }
        let void = fit("VOID", Weight::Bold, Frame { width: 180.0, lines: 1, size: 58.0, smallest: 40.0 });
        let width = void.lines.first().map_or(0.0, |line| line.width * void.size);
        pen.write_all(&void, middle[0] - width / 2.0, middle[1] + 10.0, red);
    });
    let words = Frame { width: SQUARE, lines: 2, size: 11.0, smallest: 8.0 };
    pen.text(stub.void_words(), Weight::Bold, words, [MARGIN, SQUARE_Y + SQUARE], black());
}

/// All of them at their longest end above the foot.
fn beside(pen: &mut Pen<'_, '_>, sheet: &Sheet, stub: &Stub) {
    let kind = stub.kind();
    let all = format!("ALL {} TICKETS", sheet.stubs.len());
    let (price, paid) = if sheet.stubs.len() == 1 { (&sheet.paid, "") } else { (&stub.price, sheet.paid.as_str()) };
    let facts = [
        ("NAME", sheet.holder.as_str(), 3),
        ("TICKET", kind.as_str(), 2),
        ("BRING", stub.proof.as_str(), 1),
        ("PRICE", price.as_str(), if paid.is_empty() { 2 } else { 1 }),
        (all.as_str(), paid, 2),
        ("BOOKING", sheet.reference.as_str(), 1),
    ];
    let mut y = SQUARE_Y + 5.0;
    for (name, text, lines) in facts.into_iter().filter(|(_, text, _)| !text.is_empty()) {
        label(pen, name, [BESIDE_X, y]);
        let frame = Frame { width: BESIDE, lines, size: 11.0, smallest: 7.0 };
        y = pen.text(text, Weight::Bold, frame, [BESIDE_X, y + 12.0], black()) + 6.0;
    }
}

fn foot(pen: &mut Pen<'_, '_>, sheet: &Sheet) {
    let frame = Frame { width: INNER, lines: 1, size: 7.0, smallest: 4.5 };
    pen.text(&sheet.place(), Weight::Bold, frame, [MARGIN, HEIGHT - 24.0], soft());
    pen.text(
        &sheet.policy,
        Weight::Regular,
        Frame { lines: 2, smallest: 6.0, ..frame },
        [MARGIN, HEIGHT - 15.0],
        soft(),
    );
}

fn label(pen: &mut Pen<'_, '_>, text: &str, at: [f32; 2]) {
    let frame = Frame { width: 120.0, lines: 1, size: 7.0, smallest: 7.0 };
    pen.text(text, Weight::Regular, frame, at, soft());
}

fn joined(parts: &[&str]) -> String {
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(" · ")
}

#[expect(clippy::cast_precision_loss, reason = "a square has less than 200 modules")]
fn length(modules: usize) -> f32 {
    modules as f32
}

/// `#rrggbb`.
fn colour(hex: &str) -> Color {
    let part = |at: usize| hex.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok()).unwrap_or(0);
    Color::new(part(1), part(3), part(5))
}

fn white() -> Color {
    Color::new(255, 255, 255)
}

fn black() -> Color {
    Color::new(0, 0, 0)
}

/// For what stands beside what matters.
fn soft() -> Color {
    Color::new(0x55, 0x4d, 0x5a)
}

fn rule() -> Color {
    Color::new(0xb8, 0xac, 0xb0)
}
