//! Whatever is written stays in its frame.

use super::*;

const FRAME: Frame = Frame { width: 100.0, lines: 3, size: 12.0, smallest: 8.0 };

fn texts(fitted: &Fitted) -> Vec<String> {
    let text = |line: &Line| {
        let mut ranges: Vec<Range<usize>> =
            line.parts.iter().flat_map(|part| &part.glyphs).map(|glyph| glyph.text_range.clone()).collect();
        ranges.sort_by_key(|range| range.start);
        ranges.dedup();
        ranges.iter().map(|range| &line.text[range.clone()]).collect::<String>().trim_end().to_owned()
    };
    fitted.lines.iter().map(text).collect()
}

#[test]
fn no_text_leaves_its_frame() {
    let endless = "Wolfeschlegelsteinhausenberger".repeat(40);
    let arabic = "عبدالرحمن".repeat(30);
    let texts = [
        "",
        " ",
        "a",
        "Ada Lovelace",
        "a b c d e f g h i j k l m n o p q r s t u v w x y z",
        &endless,
        &arabic,
        &"王小明".repeat(30),
        &"👩\u{200d}🚀".repeat(30),
        "line\nbreak\r\nand\ttab",
        "\u{202e}turned\u{2028}round",
    ];
    for text in texts {
        for lines in 1..=4 {
            let frame = Frame { lines, ..FRAME };
            let fitted = fit(text, Weight::Bold, frame);
            assert!(fitted.lines.len() <= lines, "{text}");
            assert!(fitted.size <= frame.size && fitted.size >= frame.smallest, "{text}");
            for line in &fitted.lines {
                let bare = line.text.trim_end().len();
                assert!(
                    line.width * fitted.size <= frame.width + 4.0 || bare < line.text.len(),
                    "{text}: {}",
                    line.width
                );
            }
        }
    }
}

#[test]
fn a_text_shrinks_then_wraps_then_breaks_then_ends_in_an_ellipsis() {
    let short = fit("Ada", Weight::Bold, FRAME);
    assert_eq!((texts(&short), short.size), (vec!["Ada".to_owned()], 12.0));
    let words = fit("Ada King, Countess of Lovelace", Weight::Bold, FRAME);
    assert_eq!(texts(&words), ["Ada King,", "Countess of", "Lovelace"]);
    let one = fit("Ada Lovelace of Ockham", Weight::Bold, Frame { lines: 1, ..FRAME });
    assert!(one.size < 12.0 || texts(&one)[0].ends_with('…'), "{one:?}");
    let long = fit(&"x".repeat(60), Weight::Bold, Frame { lines: 4, ..FRAME });
    assert_eq!(texts(&long).concat(), "x".repeat(60), "broken, but whole");
    let cut = fit(&"x".repeat(450), Weight::Bold, FRAME);
    assert_eq!(cut.size, FRAME.smallest);
    assert!(cut.lines.len() == 3 && texts(&cut)[2].ends_with("x…"), "{:?}", texts(&cut));
}

#[test]
fn a_cut_right_to_left_text_ends_at_the_left() {
    let cut = fit(&"עברית".repeat(80), Weight::Bold, FRAME);
    let last = cut.lines.last().unwrap();
    let first_glyph = &last.parts[0].glyphs[0];
    assert_eq!(&last.text[first_glyph.text_range.clone()], "…");
}
