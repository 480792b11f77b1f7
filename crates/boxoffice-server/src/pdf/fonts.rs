//! The fonts of what is printed, part of this program: three styles for Latin, Greek and
//! Cyrillic, and one font for each other script. `fonts/README.md` says where they come from.

use std::sync::LazyLock;

use harfrust::ShaperFont;

/// How a text looks. Scripts other than Latin, Greek and Cyrillic have one look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
    /// With serifs, for titles.
    Title,
}

/// A font, for finding glyphs and for drawing them.
pub(super) struct Face {
    /// The only style it serves; `None`: all of them.
    only: Option<Weight>,
    pub(super) shaping: harfrust::Font,
    pub(super) drawing: krilla::text::Font,
}

impl std::fmt::Debug for Face {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Face").field("only", &self.only).finish_non_exhaustive()
    }
}

/// In the order in which they are tried.
static FILES: [(Option<Weight>, &[u8]); 16] = [
    (Some(Weight::Regular), include_bytes!("../../fonts/sans-regular.ttf")),
    (Some(Weight::Bold), include_bytes!("../../fonts/sans-bold.ttf")),
    (Some(Weight::Title), include_bytes!("../../fonts/serif-semibold.ttf")),
    (None, include_bytes!("../../fonts/arabic.ttf")),
    (None, include_bytes!("../../fonts/hebrew.ttf")),
    (None, include_bytes!("../../fonts/thai.ttf")),
    (None, include_bytes!("../../fonts/devanagari.ttf")),
    (None, include_bytes!("../../fonts/bengali.ttf")),
    (None, include_bytes!("../../fonts/gurmukhi.ttf")),
    (None, include_bytes!("../../fonts/gujarati.ttf")),
    (None, include_bytes!("../../fonts/tamil.ttf")),
    (None, include_bytes!("../../fonts/telugu.ttf")),
    (None, include_bytes!("../../fonts/kannada.ttf")),
    (None, include_bytes!("../../fonts/malayalam.ttf")),
    (None, include_bytes!("../../fonts/cjk.otf")),
    (None, include_bytes!("../../fonts/emoji.ttf")),
];

static FACES: LazyLock<Vec<Face>> = LazyLock::new(|| {
    let face = |(only, bytes): &(Option<Weight>, &'static [u8])| {
        let shaping = harfrust::Font::new(*bytes, 0)?;
        Some(Face { only: *only, shaping, drawing: krilla::text::Font::new((*bytes).into(), 0)? })
    };
    FILES.iter().filter_map(face).collect()
});

/// The fonts for a style, the first choice first.
pub(super) fn faces(weight: Weight) -> impl Iterator<Item = &'static Face> {
    FACES.iter().filter(move |face| face.only.is_none_or(|only| only == weight))
}

impl Face {
    /// Whether the font draws every character of a cluster that has to be drawn.
    pub(super) fn covers(&self, cluster: &str) -> bool {
        let font = ShaperFont::new(&self.shaping);
        cluster.chars().all(|c| is_invisible(c) || font.nominal_glyph(u32::from(c)).is_some())
    }
}

/// Characters that shape their neighbours and draw nothing themselves.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_font_can_be_read_and_has_the_replacement_for_what_it_lacks() {
        assert_eq!(FACES.len(), FILES.len());
        for weight in [Weight::Regular, Weight::Bold, Weight::Title] {
            assert_eq!(faces(weight).count(), FILES.len() - 2);
            assert!(faces(weight).next().unwrap().covers("\u{fffd}…"), "{weight:?}");
        }
    }
}
