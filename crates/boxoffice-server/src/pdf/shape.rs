//! From text to glyphs: which font draws which part, in which direction each part runs, and where
//! each glyph stands. The only place that knows the shaping library.

use std::ops::Range;
use std::sync::Arc;

use harfrust::{Buffer, Direction, ShapeOptions, ShaperFont};
use krilla::text::{GlyphId, KrillaGlyph};
use unicode_bidi::{Level, ParagraphBidiInfo};
use unicode_segmentation::UnicodeSegmentation as _;

use super::fonts::{Face, Weight, faces};

/// Drawn for what no font has.
const REPLACEMENT: &str = "\u{fffd}";

/// A text on its way to lines: directions known, fonts chosen.
#[derive(Debug)]
pub(super) struct Paragraph<'t> {
    text: &'t str,
    shared: Arc<str>,
    bidi: ParagraphBidiInfo<'t>,
    pieces: Vec<Piece>,
}

/// A part of a text that one font draws.
#[derive(Debug)]
struct Piece {
    range: Range<usize>,
    face: &'static Face,
    /// No font has it: the replacement is drawn.
    missing: bool,
}

/// A line of text, its parts from left to right.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// The text that the glyphs' ranges are ranges of.
    pub(super) text: Arc<str>,
    pub(super) parts: Vec<Part>,
    /// At size 1.
    pub(super) width: f32,
}

/// Glyphs of one font, from left to right.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) face: &'static Face,
    pub(super) glyphs: Vec<KrillaGlyph>,
    /// At size 1.
    pub(super) width: f32,
}

impl<'t> Paragraph<'t> {
    /// `base`: the direction the text as a whole runs in; `None`: that of its first letter.
    pub(super) fn new(text: &'t str, weight: Weight, base: Option<Level>) -> Self {
        Self { text, shared: text.into(), bidi: ParagraphBidiInfo::new(text, base), pieces: pieces(text, weight) }
    }

    pub(super) fn base(&self) -> Level {
        self.bidi.paragraph_level
    }

    /// The part of the text in `range` as a line.
    pub(super) fn line(&self, range: Range<usize>) -> Line {
        if range.is_empty() {
            // The bidirectional algorithm has no empty lines.
            return Line { text: self.shared.clone(), parts: Vec::new(), width: 0.0 };
        }
        let (levels, runs) = self.bidi.visual_runs(range);
        let mut parts = Vec::new();
        for run in runs {
            let backwards = levels.get(run.start).is_some_and(Level::is_rtl);
            let inside = self.pieces.iter().filter_map(|piece| Some((piece, overlap(&piece.range, &run)?)));
            let mut drawn: Vec<Part> = inside.map(|(piece, part)| self.part(piece, part, backwards)).collect();
            if backwards {
                drawn.reverse();
            }
            parts.extend(drawn);
        }
        Line { text: self.shared.clone(), width: parts.iter().map(|part| part.width).sum(), parts }
    }

    fn part(&self, piece: &Piece, range: Range<usize>, backwards: bool) -> Part {
        let text = if piece.missing { REPLACEMENT } else { self.text.get(range.clone()).unwrap_or_default() };
        let mut glyphs = shape(piece.face, text, backwards);
        for glyph in &mut glyphs {
            let own = &glyph.text_range;
            glyph.text_range =
                if piece.missing { range.clone() } else { own.start + range.start..own.end + range.start };
        }
        Part { face: piece.face, width: glyphs.iter().map(|glyph| glyph.x_advance).sum(), glyphs }
    }
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> Option<Range<usize>> {
    let both = a.start.max(b.start)..a.end.min(b.end);
    (!both.is_empty()).then_some(both)
}

/// Chooses a font for each cluster of characters that is read as one; neighbours with the same
/// font become one piece, so that their letters can join.
fn pieces(text: &str, weight: Weight) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (start, cluster) in text.grapheme_indices(true) {
        let range = start..start + cluster.len();
        let found = faces(weight).find(|face| face.covers(cluster));
        let Some(face) = found.or_else(|| faces(weight).next()) else { continue };
        match pieces.last_mut() {
            Some(last) if found.is_some() && !last.missing && std::ptr::eq(last.face, face) => {
                last.range.end = range.end
            }
            _ => pieces.push(Piece { range, face, missing: found.is_none() }),
        }
    }
    pieces
}

fn shape(face: &Face, text: &str, backwards: bool) -> Vec<KrillaGlyph> {
    let mut buffer = Buffer::new();
    buffer.push_str(text);
    buffer.guess_segment_properties();
    buffer.set_direction(if backwards { Direction::RightToLeft } else { Direction::LeftToRight });
    // Refused are only buffers that were shaped before or have no direction; this one is neither.
    if harfrust::shape(&ShaperFont::new(&face.shaping), &mut buffer, ShapeOptions::new()).is_err() {
        return Vec::new();
    }
    let starts = starts(&buffer, text.len());
    let em = face.drawing.units_per_em();
    let placed = buffer.glyph_infos().iter().zip(buffer.glyph_positions());
    let glyph = |(info, at): (&harfrust::GlyphInfo, &harfrust::GlyphPosition)| KrillaGlyph {
        glyph_id: GlyphId::new(info.glyph_id),
        text_range: cluster(&starts, info.cluster as usize),
        x_advance: in_em(at.x_advance, em),
        x_offset: in_em(at.x_offset, em),
        y_offset: in_em(at.y_offset, em),
        y_advance: in_em(at.y_advance, em),
        location: None,
    };
    placed.map(glyph).collect()
}

/// Where the clusters of a shaped text begin, and its end.
fn starts(buffer: &Buffer, end: usize) -> Vec<usize> {
    let mut starts: Vec<usize> = buffer.glyph_infos().iter().map(|info| info.cluster as usize).collect();
    starts.push(end);
    starts.sort_unstable();
    starts.dedup();
    starts
}

fn cluster(starts: &[usize], start: usize) -> Range<usize> {
    let next = starts.iter().find(|next| **next > start);
    start..next.copied().unwrap_or(start)
}

#[expect(clippy::cast_precision_loss, reason = "font units are far below 2^24")]
fn in_em(units: i32, em: f32) -> f32 {
    units as f32 / em
}

#[cfg(test)]
mod tests;
