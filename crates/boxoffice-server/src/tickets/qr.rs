//! A code as a QR square, drawn as bars: black on white whatever the page's colours, with the
//! full quiet zone, so that every reader finds it.

use std::fmt::Write as _;

use qrcode::types::Color;
use qrcode::{EcLevel, QrCode};

/// White modules around the code, as the standard asks.
pub const QUIET: usize = 4;

/// A QR code in a square of `side` units, one unit a module, the quiet zone within.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Qr {
    pub side: usize,
    /// What is dark.
    pub bars: Vec<Bar>,
    /// The bars as an SVG path.
    pub path: String,
}

/// Dark modules side by side in one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bar {
    pub x: usize,
    pub y: usize,
    pub len: usize,
}

/// Draws a text with error correction M. `None`: the text is too long for a QR code.
#[must_use]
pub fn draw(text: &str) -> Option<Qr> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let width = code.width();
    let colors = code.to_colors();
    let mut bars = Vec::new();
    for (y, row) in colors.chunks(width).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|a, b| a == b) {
            if run.first() == Some(&Color::Dark) {
                bars.push(Bar { x: x + QUIET, y: y + QUIET, len: run.len() });
            }
            x += run.len();
        }
    }
    Some(Qr { side: width + 2 * QUIET, path: path(&bars), bars })
}

fn path(bars: &[Bar]) -> String {
    let mut path = String::new();
    for Bar { x, y, len } in bars {
        // Writing to a String cannot fail.
        let _ = write!(path, "M{x} {y}h{len}v1h-{len}z");
    }
    path
}

/// The whole picture as a file of its own.
#[must_use]
pub fn svg(qr: &Qr) -> String {
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{side}v{side}H0z"/><path fill="#000" d="{path}"/></svg>"##,
        side = qr.side,
        path = qr.path
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path painted on pixels, four a module.
    fn paint(qr: &Qr) -> Vec<Vec<bool>> {
        let mut dark = vec![vec![false; qr.side]; qr.side];
        for run in qr.path.split('M').skip(1) {
            let (x, rest) = run.split_once(' ').unwrap();
            let (y, rest) = rest.split_once('h').unwrap();
            let (n, _) = rest.split_once('v').unwrap();
            let (x, y, n): (usize, usize, usize) = (x.parse().unwrap(), y.parse().unwrap(), n.parse().unwrap());
            dark[y][x..x + n].fill(true);
        }
        dark
    }

    #[test]
    fn a_reader_reads_what_was_drawn() {
        for len in [1, 20, 150, 208, 400] {
            let text: String = "AEBC4567".chars().cycle().take(len).collect();
            let qr = draw(&text).unwrap();
            let dark = paint(&qr);
            let shade = |x: usize, y: usize| if dark[y / 4][x / 4] { 0 } else { 255 };
            let mut image = rqrr::PreparedImage::prepare_from_greyscale(qr.side * 4, qr.side * 4, shade);
            let grids = image.detect_grids();
            assert_eq!(grids.len(), 1, "{len}");
            assert_eq!(grids[0].decode().unwrap().1, text);
        }
    }

    #[test]
    fn the_quiet_zone_is_white_on_all_sides() {
        let qr = draw("TICKET").unwrap();
        let dark = paint(&qr);
        let edge = |i: usize| i < QUIET || i >= qr.side - QUIET;
        assert!((0..qr.side).all(|y| (0..qr.side).all(|x| !(edge(x) || edge(y)) || !dark[y][x])));
        assert!(dark[QUIET][QUIET], "the finder begins where the quiet zone ends");
    }

    #[test]
    fn a_text_too_long_is_no_picture() {
        assert_eq!(draw(&"A".repeat(5_000)), None);
    }
}
