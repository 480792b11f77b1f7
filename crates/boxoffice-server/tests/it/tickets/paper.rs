//! What becomes of a PDF on other people's machines: drawn and read by poppler, its square decoded
//! by two readers that know nothing of each other.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A PDF in a folder of its own.
pub struct Paper {
    folder: TempDir,
}

/// A page as it was drawn.
#[derive(Debug, Clone, Copy)]
pub struct Print {
    pub dpi: u32,
    pub grey: bool,
}

/// A word with its box, in points from the top left.
#[derive(Debug, Clone)]
pub struct Word {
    pub text: String,
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Paper {
    pub fn of(pdf: &[u8]) -> Self {
        let folder = TempDir::new().expect("a folder");
        std::fs::write(folder.path().join("t.pdf"), pdf).expect("a file");
        Self { folder }
    }

    fn pdf(&self) -> PathBuf {
        self.folder.path().join("t.pdf")
    }

    /// What a reader of the text gets, its marks of direction and line breaks left out.
    pub fn text(&self) -> String {
        let text = run("pdftotext", "poppler-utils", &[self.pdf().as_path(), Path::new("-")]);
        plain(&text).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// All words of the first page.
    pub fn words(&self) -> Vec<Word> {
        let html = run("pdftotext", "poppler-utils", &["-bbox".as_ref(), self.pdf().as_path(), "-".as_ref()]);
        html.split("<word ").skip(1).map(word).collect()
    }

    /// What each of the two readers finds in the page's picture.
    pub fn decoded(&self, print: Print) -> [Vec<String>; 2] {
        let stem = self.folder.path().join(format!("{}-{}", print.dpi, print.grey));
        let dpi = print.dpi.to_string();
        let mut args: Vec<&Path> = vec!["-r".as_ref(), dpi.as_ref(), "-singlefile".as_ref()];
        if print.grey {
            args.push("-gray".as_ref());
        }
        let pdf = self.pdf();
        args.extend([pdf.as_path(), stem.as_path()]);
        run("pdftoppm", "poppler-utils", &args);
        let picture = stem.with_extension(if print.grey { "pgm" } else { "ppm" });
        [by_rqrr(&picture), by_zbar(&picture)]
    }
}

fn by_rqrr(picture: &Path) -> Vec<String> {
    let bytes = std::fs::read(picture).expect("a picture");
    let (width, height, colours, pixels) = portable(&bytes);
    let luma = |x: usize, y: usize| {
        let at = (y * width + x) * colours;
        let sum: u32 = pixels[at..at + colours].iter().map(|value| u32::from(*value)).sum();
        u8::try_from(sum / u32::try_from(colours).expect("1 or 3")).expect("a mean of bytes")
    };
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(width, height, luma);
    image.detect_grids().iter().filter_map(|grid| Some(grid.decode().ok()?.1)).collect()
}

/// Width, height, bytes a pixel and the pixels of a PGM or PPM file.
fn portable(bytes: &[u8]) -> (usize, usize, usize, &[u8]) {
    let head: Vec<&[u8]> = bytes.splitn(4, u8::is_ascii_whitespace).collect();
    let number = |text: &[u8]| -> usize { std::str::from_utf8(text).expect("digits").parse().expect("a number") };
    let colours = if head[0] == b"P5" { 1 } else { 3 };
    let pixels = head[3].splitn(2, u8::is_ascii_whitespace).nth(1).expect("pixels");
    (number(head[1]), number(head[2]), colours, pixels)
}

/// Its exit code is 4 if it found nothing.
fn by_zbar(picture: &Path) -> Vec<String> {
    let mut command = Command::new("zbarimg");
    let output = command.args(["--quiet", "--raw"]).arg(picture).output();
    let output = output.expect("zbarimg is missing: install zbar-tools");
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

fn run(program: &str, package: &str, args: &[&Path]) -> String {
    let output = Command::new(program).args(args).output();
    let output = output.unwrap_or_else(|e| panic!("{program} is missing ({e}): install {package}"));
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The text without what only says which way it runs.
fn plain(text: &str) -> String {
    text.chars()
        .filter(|c| !matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
        .collect()
}

fn word(html: &str) -> Word {
    let value = |name: &str| -> f64 {
        let rest = html.split(&format!("{name}=\"")).nth(1).expect(name);
        rest.split('"').next().expect(name).parse().expect(name)
    };
    let text = html.split('>').nth(1).expect("a text").split('<').next().expect("a text");
    let [left, top, right, bottom] = ["xMin", "yMin", "xMax", "yMax"].map(value);
    Word { text: plain(text), left, top, right, bottom }
}
