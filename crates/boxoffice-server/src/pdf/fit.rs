//! Text in a frame: at its full size if it fits, else smaller, else broken inside words, else cut
//! with an ellipsis. It never leaves the frame.

use std::ops::Range;

use unicode_linebreak::linebreaks;
use unicode_segmentation::UnicodeSegmentation as _;

use super::fonts::Weight;
use super::shape::{Line, Paragraph};

/// Each size that is tried is this part of the one before.
const SHRINK: f32 = 0.94;

/// No frame of a ticket holds more; a longer text is not looked at beyond it.
const CHARS_MAX: usize = 500;

/// Room for a text. Lengths in points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) width: f32,
    /// At most so many lines.
    pub(super) lines: usize,
    pub(super) size: f32,
    /// The text gets no smaller than this; then it is broken and cut.
    pub(super) smallest: f32,
}

/// A text as it stands in its frame.
#[derive(Debug, Clone)]
pub(super) struct Fitted {
    pub(super) size: f32,
    pub(super) lines: Vec<Line>,
}

/// A part of a text that stays on one line.
#[derive(Debug, Clone)]
struct Word {
    range: Range<usize>,
    /// At size 1, with the blanks at its end and without.
    width: f32,
    bare: f32,
}

pub(super) fn fit(text: &str, weight: Weight, frame: Frame) -> Fitted {
    let text = one_line(text);
    let paragraph = Paragraph::new(&text, weight, None);
    if let Some(fitted) = on_one_line(&paragraph, &text, frame) {
        return fitted;
    }
    let ends: Vec<usize> = linebreaks(&text).map(|(end, _)| end).collect();
    let words = words(&paragraph, &text, &ends);
    let mut size = frame.size;
    while size > frame.smallest {
        if let Some(lines) = whole(&words, frame.width / size, frame.lines) {
            return Fitted { size, lines: lines.into_iter().map(|range| paragraph.line(range)).collect() };
        }
        size *= SHRINK;
    }
    let size = frame.smallest;
    Fitted { size, lines: broken(&paragraph, &text, weight, &words, frame.width / size, frame.lines) }
}

/// The text if it needs no second line at its full size, or if it may have none. Most texts do not, and need not be
/// measured word by word.
fn on_one_line(paragraph: &Paragraph<'_>, text: &str, frame: Frame) -> Option<Fitted> {
    let line = paragraph.line(0..text.trim_end().len());
    let mut size = frame.size;
    while line.width * size > frame.width {
        size *= SHRINK;
        if frame.lines > 1 || size <= frame.smallest {
            return None;
        }
    }
    Some(Fitted { size, lines: vec![line] })
}

/// A line break in a name is a blank; other control characters draw nothing that anybody meant.
fn one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c };
    text.chars().take(CHARS_MAX).map(plain).collect()
}

/// The parts of the text that end at `ends`, measured.
fn words(paragraph: &Paragraph<'_>, text: &str, ends: &[usize]) -> Vec<Word> {
    let mut start = 0;
    let mut words = Vec::with_capacity(ends.len());
    for end in ends.iter().copied().filter(|end| *end > 0) {
        let bare = text.get(start..end).map_or(0, |word| word.trim_end().len());
        let width = paragraph.line(start..end).width;
        let without = if start + bare == end { width } else { paragraph.line(start..start + bare).width };
        words.push(Word { range: start..end, width, bare: without });
        start = end;
    }
    words
}

/// The lines of the text if no word has to be broken.
fn whole(words: &[Word], width: f32, max: usize) -> Option<Vec<Range<usize>>> {
    let fits = words.iter().all(|word| word.bare <= width);
    let lines = if fits { wrap(words, width) } else { return None };
    (lines.len() <= max).then_some(lines)
}

/// As many words in each line as fit; at least one.
fn wrap(words: &[Word], width: f32) -> Vec<Range<usize>> {
    let mut lines: Vec<Range<usize>> = Vec::new();
    let mut used = 0.0;
    for word in words {
        match lines.last_mut() {
            Some(line) if used + word.bare <= width => {
                line.end = word.range.end;
                used += word.width;
            }
            _ => {
                lines.push(word.range.clone());
                used = word.width;
            }
        }
    }
    lines
}

/// Breaks the words that are wider than a line, and cuts what does not fit into `max` lines.
fn broken(paragraph: &Paragraph<'_>, text: &str, weight: Weight, whole: &[Word], width: f32, max: usize) -> Vec<Line> {
    let mut parts = Vec::new();
    for word in whole {
        if word.bare <= width {
            parts.push(word.clone());
        } else {
            parts.extend(clusters(paragraph, text, &word.range));
        }
    }
    let mut ranges = wrap(&parts, width);
    let cut = ranges.len() > max;
    ranges.truncate(max);
    let last = if cut { ranges.pop() } else { None };
    let mut lines: Vec<Line> = ranges.into_iter().map(|range| paragraph.line(range)).collect();
    lines.extend(last.map(|range| ellipsis(paragraph, text, weight, range, width)));
    lines
}

/// The clusters of one word, measured alone: joined letters are narrower, so that nothing gets wider
/// than was reckoned.
fn clusters(paragraph: &Paragraph<'_>, text: &str, word: &Range<usize>) -> Vec<Word> {
    let inside = text.get(word.clone()).unwrap_or_default();
    let measured = inside.grapheme_indices(true).map(|(at, cluster)| {
        let range = word.start + at..word.start + at + cluster.len();
        let width = paragraph.line(range.clone()).width;
        Word { range, width, bare: width }
    });
    measured.collect()
}

/// As much of a line as fits with an ellipsis after it.
fn ellipsis(paragraph: &Paragraph<'_>, text: &str, weight: Weight, range: Range<usize>, width: f32) -> Line {
    let mut kept = text.get(range).unwrap_or_default().trim_end();
    loop {
        let shown = format!("{kept}…");
        let line = Paragraph::new(&shown, weight, Some(paragraph.base())).line(0..shown.len());
        let Some((last, _)) = kept.grapheme_indices(true).next_back().filter(|_| line.width > width) else {
            return line;
        };
        kept = kept.get(..last).unwrap_or_default().trim_end();
    }
}

#[cfg(test)]
mod tests;
