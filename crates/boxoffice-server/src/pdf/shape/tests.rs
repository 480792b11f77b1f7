//! Names in many scripts become glyphs: no boxes, joined, in the order in which they are read.

use super::*;

fn line(text: &str) -> Line {
    Paragraph::new(text, Weight::Bold, None).line(0..text.len())
}

fn ids(line: &Line) -> Vec<u32> {
    line.parts.iter().flat_map(|part| &part.glyphs).map(|glyph| glyph.glyph_id.to_u32()).collect()
}

/// The text that each glyph stands for, from left to right.
fn drawn(line: &Line) -> Vec<&str> {
    let glyphs = line.parts.iter().flat_map(|part| &part.glyphs);
    glyphs.map(|glyph| &line.text[glyph.text_range.clone()]).collect()
}

#[test]
fn no_name_has_a_box() {
    let names = [
        "Ada Lovelace",
        "عبد الرحمن بن خلدون",
        "دَاوُد ﷺ",
        "דוד בן־גוריון",
        "Dr. محمد Müller",
        "王小明（测试）",
        "陳大文 嚴",
        "田中さくら ヴァイオレット",
        "김민준",
        "Nguyễn Thị Hằng Ệ",
        "Nguye\u{302}\u{303}n",
        "สมชาย ใจดี ฐิติ",
        "राजेश कुमार शर्मा",
        "அருண் குமார்",
        "সুব্রত মুখোপাধ্যায়",
        "రాజు ಕುಮಾರ್ മോഹൻ ગુજરાત ਗੁਰਮੀਤ",
        "Ελένη Дмитрий Łukasz",
        "🎬🍿👩\u{200d}🚀👍🏽🇩🇪1️⃣",
        "€₹₺ “x” – № ™",
    ];
    for name in names {
        let line = line(name);
        assert!(!ids(&line).contains(&0), "{name}");
        let replaced = ids(&self::line(REPLACEMENT))[0];
        let latin = line.parts.iter().filter(|part| std::ptr::eq(part.face, faces(Weight::Bold).next().unwrap()));
        let glyphs: Vec<u32> = latin.flat_map(|part| &part.glyphs).map(|g| g.glyph_id.to_u32()).collect();
        assert!(!glyphs.contains(&replaced), "{name}");
        // Every character is in the text of some glyph, so that nothing is lost for a reader.
        let covered: std::collections::BTreeSet<usize> =
            line.parts.iter().flat_map(|part| &part.glyphs).flat_map(|glyph| glyph.text_range.clone()).collect();
        assert_eq!(covered.len(), name.len(), "{name}");
    }
}

#[test]
fn right_to_left_runs_are_turned_and_the_rest_is_not() {
    assert_eq!(drawn(&line("אבג")), ["ג", "ב", "א"]);
    assert_eq!(drawn(&line("ab אב cd")).concat(), "ab בא cd");
    assert_eq!(drawn(&line("אב 12 גד")).concat(), "דג 12 בא");
    assert_eq!(drawn(&line("abc")), ["a", "b", "c"]);
}

#[test]
fn arabic_letters_join() {
    let (joined, alone) = (line("محمد"), ["م", "ح", "م", "د"].map(line));
    let alone: Vec<u32> = alone.iter().rev().flat_map(ids).collect();
    assert_eq!(joined.parts.len(), 1);
    let same = ids(&joined).iter().zip(&alone).filter(|(a, b)| a == b).count();
    assert!(same < alone.len() - 1, "joined {:?}, alone {alone:?}", ids(&joined));
}

#[test]
fn what_no_font_has_is_replaced_in_sight_and_keeps_its_text() {
    let hieroglyphs = "a\u{13000}\u{13001}b";
    let line = line(hieroglyphs);
    assert_eq!(drawn(&line), ["a", "\u{13000}", "\u{13001}", "b"]);
    assert!(!ids(&line).contains(&0));
    assert_eq!(ids(&line)[1], ids(&self::line(REPLACEMENT))[0]);
    assert!(line.width > self::line("ab").width);
    assert_eq!(self::line("").parts.len(), 0);
}
