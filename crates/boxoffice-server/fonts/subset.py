"""Makes the fonts of the printed ticket: `python3 subset.py FOLDER`, where FOLDER holds the files
that README.md names, anywhere below it. Needs fonttools."""

import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont


def span(*ranges):
    return {c for first, last in ranges for c in range(first, last + 1)}


def table(codec, leads, trails):
    """The characters of one part of an East Asian character set."""
    chars = set()
    for lead in range(leads[0], leads[1] + 1):
        for first, last in trails:
            for trail in range(first, last + 1):
                try:
                    chars.add(ord(bytes([lead, trail]).decode(codec)))
                except (UnicodeDecodeError, TypeError):
                    pass
    return chars


HIGH = [(0xA1, 0xFE)]
CJK = (
    span((0x3000, 0x303F), (0x3041, 0x30FF), (0x3105, 0x312F), (0x31F0, 0x31FF), (0x32FF, 0x32FF), (0xFF01, 0xFFEF))
    | table("gb2312", (0xB0, 0xF7), HIGH)  # simplified Chinese, both levels
    | table("euc_jp", (0xB0, 0xCF), HIGH)  # Japanese, level 1
    | table("big5", (0xA4, 0xC6), [(0x40, 0x7E), (0xA1, 0xFE)])  # traditional Chinese, level 1
    | table("euc_kr", (0xB0, 0xC8), HIGH)  # the common syllables of Korean
)
LATIN = span(
    (0x20, 0x7E), (0xA0, 0x24F), (0x259, 0x259), (0x2B0, 0x2DD), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x52F),
    (0x1E00, 0x1EFF), (0x1F00, 0x1FFF), (0x2000, 0x206F), (0x2070, 0x209C), (0x20A0, 0x20C0), (0x2100, 0x214F),
    (0x2150, 0x2189), (0x2190, 0x2199), (0x2212, 0x2212), (0x25CC, 0x25CC), (0xFB00, 0xFB06), (0xFFFD, 0xFFFD),
)
SHARED = span((0x20, 0x20), (0xA0, 0xA0), (0x200B, 0x200F), (0x25CC, 0x25CC))
INDIC = SHARED | span((0x964, 0x965))

# What a plain text in these fonts needs; no small capitals, no forms of one region. Other scripts need all they have.
PLAIN = ["ccmp", "kern", "liga", "mark", "mkmk", "tnum", "lnum"]
STYLED = ["sans-regular.ttf", "sans-bold.ttf", "serif-semibold.ttf"]

# Source, characters, name in this folder.
FONTS = [
    ("NotoSans-Regular.ttf", LATIN, "sans-regular.ttf"),
    ("NotoSans-Bold.ttf", LATIN, "sans-bold.ttf"),
    ("NotoSerif-SemiBold.ttf", LATIN, "serif-semibold.ttf"),
    ("NotoSansArabic-Medium.ttf", SHARED | span((0x600, 0x6FF), (0x750, 0x77F), (0x8A0, 0x8FF), (0xFD3E, 0xFDFF), (0xFE70, 0xFEFC)), "arabic.ttf"),
    ("NotoSansHebrew-Medium.ttf", SHARED | span((0x590, 0x5FF), (0xFB1D, 0xFB4F)), "hebrew.ttf"),
    ("NotoSansThai-Medium.ttf", SHARED | span((0xE00, 0xE7F)), "thai.ttf"),
    ("NotoSansDevanagari-Medium.ttf", INDIC | span((0x900, 0x97F), (0xA8E0, 0xA8FF)), "devanagari.ttf"),
    ("NotoSansBengali-Medium.ttf", INDIC | span((0x980, 0x9FF)), "bengali.ttf"),
    ("NotoSansGurmukhi-Medium.ttf", INDIC | span((0xA00, 0xA7F)), "gurmukhi.ttf"),
    ("NotoSansGujarati-Medium.ttf", INDIC | span((0xA80, 0xAFF)), "gujarati.ttf"),
    ("NotoSansTamil-Medium.ttf", INDIC | span((0xB80, 0xBFF)), "tamil.ttf"),
    ("NotoSansTelugu-Medium.ttf", INDIC | span((0xC00, 0xC7F)), "telugu.ttf"),
    ("NotoSansKannada-Medium.ttf", INDIC | span((0xC80, 0xCFF)), "kannada.ttf"),
    ("NotoSansMalayalam-Medium.ttf", INDIC | span((0xD00, 0xD7F)), "malayalam.ttf"),
    ("NotoSansCJK-Regular.ttc", CJK, "cjk.otf"),
    ("NotoEmoji_500Medium.ttf", None, "emoji.ttf"),
]


def make(source, chars, target):
    font = TTFont(source, fontNumber=2 if source.suffix == ".ttc" else -1)  # 2: simplified Chinese
    options = subset.Options()
    options.hinting = False
    options.desubroutinize = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.notdef_outline = True
    options.layout_features = PLAIN if target in ("cjk.otf", *STYLED) else ["*"]
    options.drop_tables += ["vhea", "vmtx", "VORG", "DSIG", "BASE", "STAT", "MATH", "meta"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=set(font.getBestCmap()) if chars is None else chars)
    subsetter.subset(font)
    font.save(target)


def main():
    sources = {path.name: path for path in pathlib.Path(sys.argv[1]).rglob("*") if path.is_file()}
    for source, chars, target in FONTS:
        make(sources[source], chars, target)
        print(f"{pathlib.Path(target).stat().st_size:>9} {target}")


main()
