//! A film's poster where there is no picture: its title, set by hand as it were, in a composition
//! and colours that the film's id chooses, so that one film always has one poster.

use boxoffice::show::Movie;
use sha2::{Digest as _, Sha256};

use super::text;

/// Width and height of the drawing's own units.
pub const WIDTH: u32 = 200;
pub const HEIGHT: u32 = 300;

/// Ground, shape, ink.
const COLOURS: [[&str; 3]; 8] = [
    ["#2b1a3d", "#f2b04c", "#fff4e0"],
    ["#0f2e3d", "#e4572e", "#f7f3e8"],
    ["#3d1220", "#e8c468", "#ffeedd"],
    ["#12332b", "#9bd1b0", "#f3f7ee"],
    ["#1d2448", "#ff9a76", "#f5f0ff"],
    ["#40241a", "#f0a868", "#fff1e2"],
    ["#23272e", "#8fb8de", "#f2f4f7"],
    ["#38123a", "#f28cb1", "#ffeef6"],
];

/// The shapes behind the title, one per composition.
const SHAPES: [&str; 8] = [
    "M100 40a70 70 0 1 1-.1 0z",
    "M0 190L200 70V300H0z",
    "M30 0h22v300H30zM66 0h8v300h-8z",
    "M0 110q50-50 100 0t100 0V300H0z",
    "M100 20l86 150H14z",
    "M0 0h200v96H0z",
    "M200 300A180 180 0 0 0 20 120V300z",
    "M24 24h152v110H24z",
];

/// One line of the title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub text: String,
    pub y: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Poster {
    pub ground: &'static str,
    pub shape_colour: &'static str,
    pub ink: &'static str,
    pub shape: &'static str,
    /// Drawn as in a mirror.
    pub mirrored: bool,
    /// Where the ground for the title begins.
    pub scrim_y: u32,
    pub lines: Vec<Line>,
    pub font_size: u32,
    /// Language and certificate.
    pub note: String,
}

/// Draws a film's poster for a country, whose certificate it shows.
#[must_use]
pub fn draw(movie: &Movie, country: &str) -> Poster {
    let digest = Sha256::digest(movie.id.as_str());
    let pick = |at: usize, of: usize| usize::from(digest.get(at).copied().unwrap_or(0)) % of;
    let [ground, shape_colour, ink] = COLOURS[pick(2, COLOURS.len())];
    let lines = wrap(movie.title.english(), 11, 5);
    let longest = lines.iter().map(|l| l.chars().count()).max().unwrap_or(1).max(5);
    let font_size = u32::try_from(290 / longest).unwrap_or(20).clamp(11, 34);
    let line_height = font_size + font_size / 6;
    let count = u32::try_from(lines.len()).unwrap_or(1);
    let first = HEIGHT - 48 - line_height * (count - count.min(1));
    let scrim_y = first.saturating_sub(font_size + 8);
    let lines = lines.into_iter().zip(0..).map(|(text, i)| Line { text, y: first + i * line_height }).collect();
    let certificate = movie.certificates.get(country).map(|c| c.label.as_str());
    let note =
        [Some(text::language(&movie.language)), certificate].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    Poster {
        ground,
        shape_colour,
        ink,
        shape: SHAPES[pick(17, SHAPES.len())],
        mirrored: pick(5, 2) == 1,
        scrim_y,
        lines,
        font_size,
        note,
    }
}

/// Breaks a title into lines of about `width` characters, at most `max` of them; what does not
/// fit ends in an ellipsis. A word stays whole unless it is far too long.
fn wrap(title: &str, width: usize, max: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in title.split_whitespace() {
        let length = word.chars().count();
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + length <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    let too_many = lines.len() > max;
    lines.truncate(max);
    for line in &mut lines {
        if line.chars().count() > 16 {
            *line = line.chars().take(15).chain(['…']).collect();
        }
    }
    if too_many && let Some(last) = lines.last_mut() {
        last.push_str(" …");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_break_at_words_and_end() {
        let cases: [(&str, &[&str]); 4] = [
            ("Night Train to Lindau", &["Night Train", "to Lindau"]),
            ("Up", &["Up"]),
            ("", &[]),
            ("a b c", &["a b c"]),
        ];
        for (title, lines) in cases {
            assert_eq!(wrap(title, 11, 5), lines);
        }
        let long = wrap("Donaudampfschifffahrtsgesellschaftskapitän one two three four five six seven", 11, 3);
        assert_eq!(long.len(), 3);
        assert!(long[0].ends_with('…') && long[2].ends_with('…'), "{long:?}");
    }
}
